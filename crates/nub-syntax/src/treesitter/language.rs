//! The built-in languages and how to recognise their files.

use super::{Compiled, ConvertError};
use std::{
    fmt,
    sync::{LazyLock, OnceLock},
};

/// A built-in language.
pub struct Language {
    /// The name, as on the command line.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// File extensions, after the last dot, in lower case.
    pub extensions: &'static [&'static str],
    /// Complete file names.
    pub files: &'static [&'static str],
    /// Interpreters of its scripts.
    pub shebangs: &'static [&'static str],
    /// The grammar, compressed.
    pub(super) grammar: &'static [u8],
    /// Texts of rules for which the grammar gives none: see `data/`.
    pub(super) overrides: &'static str,
    parser: fn() -> tree_sitter::Language,
    compiled: OnceLock<Option<Compiled>>,
}

impl Language {
    pub(super) fn parser(&self) -> tree_sitter::Language {
        (self.parser)()
    }

    /// Everything derived from the grammar, computed at the first call and then shared. `None` if that is impossible,
    /// which a test rules out.
    pub fn compiled(&self) -> Option<&Compiled> {
        self.compiled.get_or_init(|| self.compile().ok()).as_ref()
    }

    /// Derives everything again, for measurements.
    ///
    /// # Errors
    /// If the grammar cannot be understood.
    pub fn compile(&self) -> Result<Compiled, ConvertError> {
        Compiled::new(self)
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Language({})", self.name)
    }
}

/// The built-in languages, by name.
pub fn languages() -> &'static [Language] {
    &LANGUAGES
}

/// The language with this name or alias, ignoring case.
pub fn language(name: &str) -> Option<&'static Language> {
    let name = name.to_lowercase();
    languages().iter().find(|language| language.name == name || language.aliases.contains(&name.as_str()))
}

macro_rules! languages {
    ($($name:literal in $feature:literal: $parser:expr, aliases $aliases:expr, extensions $extensions:expr,
       files $files:expr, shebangs $shebangs:expr;)*) => {
        static LANGUAGES: LazyLock<Vec<Language>> = LazyLock::new(|| vec![$(
            #[cfg(feature = $feature)]
            Language {
                name: $name,
                aliases: &$aliases,
                extensions: &$extensions,
                files: &$files,
                shebangs: &$shebangs,
                grammar: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".json.z")),
                overrides: include_str!(concat!("../../data/", $name, ".phi")),
                parser: || $parser.into(),
                compiled: OnceLock::new(),
            },
        )*]);
    };
}

languages! {
    "bash" in "bash": tree_sitter_bash::LANGUAGE, aliases ["sh", "shell"], extensions ["sh", "bash", "zsh", "ksh", "bats"], files [".bashrc", ".profile", ".bash_profile", "PKGBUILD"], shebangs ["sh", "bash", "dash", "ksh", "zsh"];
    "c" in "c": tree_sitter_c::LANGUAGE, aliases [], extensions ["c", "h", "i"], files [], shebangs [];
    "c-sharp" in "c-sharp": tree_sitter_c_sharp::LANGUAGE, aliases ["csharp", "c#", "cs"], extensions ["cs", "csx"], files [], shebangs [];
    "cpp" in "cpp": tree_sitter_cpp::LANGUAGE, aliases ["c++", "cxx"], extensions ["cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx", "h++", "ii", "ipp", "tpp", "inl"], files [], shebangs [];
    "css" in "css": tree_sitter_css::LANGUAGE, aliases [], extensions ["css"], files [], shebangs [];
    "cuda" in "cuda": tree_sitter_cuda::LANGUAGE, aliases [], extensions ["cu", "cuh"], files [], shebangs [];
    "dtd" in "xml": tree_sitter_xml::LANGUAGE_DTD, aliases [], extensions ["dtd", "ent", "mod"], files [], shebangs [];
    "glsl" in "glsl": tree_sitter_glsl::LANGUAGE_GLSL, aliases [], extensions ["glsl", "vert", "frag", "geom", "comp", "tesc", "tese", "vs", "fs", "shader"], files [], shebangs [];
    "go" in "go": tree_sitter_go::LANGUAGE, aliases ["golang"], extensions ["go"], files [], shebangs [];
    "graphql" in "graphql": tree_sitter_graphql::LANGUAGE, aliases ["gql"], extensions ["graphql", "gql", "graphqls"], files [], shebangs [];
    "haskell" in "haskell": tree_sitter_haskell::LANGUAGE, aliases ["hs"], extensions ["hs"], files [], shebangs ["runhaskell", "runghc"];
    "hlsl" in "hlsl": tree_sitter_hlsl::LANGUAGE_HLSL, aliases [], extensions ["hlsl", "fx", "hlsli"], files [], shebangs [];
    "html" in "html": tree_sitter_html::LANGUAGE, aliases [], extensions ["html", "htm"], files [], shebangs [];
    "java" in "java": tree_sitter_java::LANGUAGE, aliases [], extensions ["java", "jav"], files [], shebangs [];
    "javascript" in "javascript": tree_sitter_javascript::LANGUAGE, aliases ["js", "ecmascript", "node"], extensions ["js", "mjs", "cjs", "jsx"], files [], shebangs ["node", "nodejs", "deno", "bun", "qjs", "d8", "js"];
    "json" in "json": tree_sitter_json::LANGUAGE, aliases [], extensions ["json", "geojson", "ipynb", "webmanifest", "har", "jsonl", "ndjson"], files [".prettierrc", ".eslintrc", ".babelrc", "composer.lock"], shebangs [];
    "julia" in "julia": tree_sitter_julia::LANGUAGE, aliases ["jl"], extensions ["jl"], files [], shebangs ["julia"];
    "kotlin" in "kotlin": tree_sitter_kotlin_ng::LANGUAGE, aliases ["kt"], extensions ["kt", "kts"], files [], shebangs ["kotlin", "kotlinc"];
    "llvm" in "llvm": tree_sitter_llvm::LANGUAGE, aliases ["llvm-ir", "ll"], extensions ["ll"], files [], shebangs [];
    "lua" in "lua": tree_sitter_lua::LANGUAGE, aliases [], extensions ["lua", "rockspec"], files [], shebangs ["lua", "luajit", "lua5.1", "lua5.3", "lua5.4"];
    "markdown" in "markdown": tree_sitter_md::LANGUAGE, aliases ["md"], extensions ["md", "markdown", "mkd"], files [], shebangs [];
    "mlir" in "mlir": tree_sitter_mlir::LANGUAGE, aliases [], extensions ["mlir"], files [], shebangs [];
    "ocaml" in "ocaml": tree_sitter_ocaml::LANGUAGE_OCAML, aliases ["ml"], extensions ["ml"], files [], shebangs ["ocaml"];
    "ocaml-interface" in "ocaml": tree_sitter_ocaml::LANGUAGE_OCAML_INTERFACE, aliases ["mli"], extensions ["mli"], files [], shebangs [];
    "php" in "php": tree_sitter_php::LANGUAGE_PHP, aliases [], extensions ["php", "phtml", "php3", "php4", "php5", "php7", "phps"], files [], shebangs ["php"];
    "proto" in "proto": tree_sitter_proto::LANGUAGE, aliases ["protobuf"], extensions ["proto"], files [], shebangs [];
    "python" in "python": tree_sitter_python::LANGUAGE, aliases ["py", "python3"], extensions ["py", "pyi", "pyw", "bzl"], files ["SConstruct", "SConscript", "wscript", "BUILD", "WORKSPACE"], shebangs ["python", "python2", "python3", "pypy", "pypy3"];
    "r" in "r": tree_sitter_r::LANGUAGE, aliases [], extensions ["r"], files [".Rprofile"], shebangs ["Rscript"];
    "ruby" in "ruby": tree_sitter_ruby::LANGUAGE, aliases ["rb"], extensions ["rb", "rake", "gemspec", "ru"], files ["Rakefile", "Gemfile", "Vagrantfile", "Podfile", "Brewfile"], shebangs ["ruby", "jruby"];
    "rust" in "rust": tree_sitter_rust::LANGUAGE, aliases ["rs"], extensions ["rs"], files [], shebangs ["rust-script"];
    "scala" in "scala": tree_sitter_scala::LANGUAGE, aliases [], extensions ["scala", "sc", "sbt"], files [], shebangs ["scala"];
    "smt2" in "smt2": tree_sitter_smt2::LANGUAGE, aliases ["smtlib", "smt-lib", "smt"], extensions ["smt2", "smt"], files [], shebangs [];
    "solidity" in "solidity": tree_sitter_solidity::LANGUAGE, aliases ["sol"], extensions ["sol"], files [], shebangs [];
    "sql" in "sql": tree_sitter_sequel::LANGUAGE, aliases [], extensions ["sql", "ddl", "dml", "pgsql", "mysql"], files [], shebangs [];
    "swift" in "swift": tree_sitter_swift::LANGUAGE, aliases [], extensions ["swift"], files [], shebangs ["swift"];
    "systemverilog" in "systemverilog": tree_sitter_systemverilog::LANGUAGE, aliases ["verilog", "sv"], extensions ["sv", "svh", "v", "vh"], files [], shebangs [];
    "toml" in "toml": tree_sitter_toml_ng::LANGUAGE, aliases [], extensions ["toml"], files ["Cargo.lock", "Pipfile", "poetry.lock", "uv.lock"], shebangs [];
    "tsx" in "typescript": tree_sitter_typescript::LANGUAGE_TSX, aliases [], extensions ["tsx"], files [], shebangs [];
    "typescript" in "typescript": tree_sitter_typescript::LANGUAGE_TYPESCRIPT, aliases ["ts"], extensions ["ts", "mts", "cts"], files [], shebangs ["ts-node", "tsx"];
    "wgsl" in "wgsl": tree_sitter_wgsl_bevy::LANGUAGE, aliases [], extensions ["wgsl"], files [], shebangs [];
    "yaml" in "yaml": tree_sitter_yaml::LANGUAGE, aliases ["yml"], extensions ["yaml", "yml"], files [".clang-format", ".clang-tidy"], shebangs [];
    "zig" in "zig": tree_sitter_zig::LANGUAGE, aliases [], extensions ["zig", "zon"], files [], shebangs [];
}
