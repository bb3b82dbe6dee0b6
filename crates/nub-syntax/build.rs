//! Embeds the grammar of every enabled language, as it comes with the language's parser.
//!
//! The packages of the parsers carry their `grammar.json` but do not export it, and cargo does not tell a build script
//! where the packages of its dependencies are. They are looked for in this order:
//!
//! 1. in the folder `NUB_GRAMMARS`, if that is set: for build systems other than cargo;
//! 2. where cargo unpacks what it has downloaded, `$CARGO_HOME/registry/src`;
//! 3. where cargo says. This covers vendored packages and every other replacement of crates.io.
//!
//! The question to cargo is about a manifest of our own that names the grammars and nothing else. A question about our
//! workspace would include dev-dependencies, which are not downloaded unless the tests are built. It comes last because it is
//! asked without the lock file of the project, which a build script does not know: cargo then refuses a version that has been
//! yanked since.
//!
//! The files are made smaller (no blanks) and compressed: about 5 KB for a language.

use flate2::{Compression, write::ZlibEncoder};
use serde_json::Value;
use std::{
    env,
    error::Error,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

/// How nub calls a grammar, and where it is in its package.
type Place = (&'static str, &'static str);

/// Feature, package, and the grammars in it.
const GRAMMARS: &[(&str, &str, &[Place])] = &[
    ("bash", "tree-sitter-bash", &[("bash", "src")]),
    ("c", "tree-sitter-c", &[("c", "src")]),
    ("c-sharp", "tree-sitter-c-sharp", &[("c-sharp", "src")]),
    ("cpp", "tree-sitter-cpp", &[("cpp", "src")]),
    ("css", "tree-sitter-css", &[("css", "src")]),
    ("cuda", "tree-sitter-cuda", &[("cuda", "src")]),
    ("glsl", "tree-sitter-glsl", &[("glsl", "src")]),
    ("go", "tree-sitter-go", &[("go", "src")]),
    ("graphql", "tree-sitter-graphql", &[("graphql", "src")]),
    ("haskell", "tree-sitter-haskell", &[("haskell", "src")]),
    ("hlsl", "tree-sitter-hlsl", &[("hlsl", "src")]),
    ("html", "tree-sitter-html", &[("html", "src")]),
    ("java", "tree-sitter-java", &[("java", "src")]),
    ("javascript", "tree-sitter-javascript", &[("javascript", "src")]),
    ("json", "tree-sitter-json", &[("json", "src")]),
    ("julia", "tree-sitter-julia", &[("julia", "src")]),
    ("kotlin", "tree-sitter-kotlin-ng", &[("kotlin", "src")]),
    ("llvm", "tree-sitter-llvm", &[("llvm", "src")]),
    ("lua", "tree-sitter-lua", &[("lua", "src")]),
    ("markdown", "tree-sitter-md", &[("markdown", "tree-sitter-markdown/src")]),
    ("mlir", "tree-sitter-mlir", &[("mlir", "src")]),
    ("ocaml", "tree-sitter-ocaml", &[("ocaml", "grammars/ocaml/src"), ("ocaml-interface", "grammars/interface/src")]),
    ("php", "tree-sitter-php", &[("php", "php/src")]),
    ("proto", "tree-sitter-proto", &[("proto", "src")]),
    ("python", "tree-sitter-python", &[("python", "src")]),
    ("r", "tree-sitter-r", &[("r", "src")]),
    ("ruby", "tree-sitter-ruby", &[("ruby", "src")]),
    ("rust", "tree-sitter-rust", &[("rust", "src")]),
    ("scala", "tree-sitter-scala", &[("scala", "src")]),
    ("smt2", "tree-sitter-smt2", &[("smt2", "src")]),
    ("solidity", "tree-sitter-solidity", &[("solidity", "src")]),
    ("sql", "tree-sitter-sequel", &[("sql", "src")]),
    ("swift", "tree-sitter-swift", &[("swift", "src")]),
    ("systemverilog", "tree-sitter-systemverilog", &[("systemverilog", "src")]),
    ("toml", "tree-sitter-toml-ng", &[("toml", "src")]),
    ("typescript", "tree-sitter-typescript", &[("typescript", "typescript/src"), ("tsx", "tsx/src")]),
    ("wgsl", "tree-sitter-wgsl-bevy", &[("wgsl", "src")]),
    ("xml", "tree-sitter-xml", &[("dtd", "dtd/src")]),
    ("yaml", "tree-sitter-yaml", &[("yaml", "src")]),
    ("zig", "tree-sitter-zig", &[("zig", "src")]),
];

/// The manifest of this crate, which pins the packages: as it is in the repository, or as `cargo package` writes it.
const MANIFEST: &str = include_str!("Cargo.toml");

fn main() -> ExitCode {
    match embed_all() {
        Ok(()) => ExitCode::SUCCESS,
        // Not returned from `main`, which would print all lines of the message as one.
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn embed_all() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=NUB_GRAMMARS");
    let enabled: Vec<_> = GRAMMARS.iter().filter(|&&(feature, ..)| is_enabled(feature)).collect();
    if enabled.is_empty() {
        return Ok(());
    }
    let packages = enabled.iter().map(|&&(_, name, _)| Package::pinned(name)).collect::<Result<Vec<_>, _>>()?;
    let directories = find(&packages)?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    for (&(_, _, places), directory) in enabled.into_iter().zip(&directories) {
        for (name, place) in places {
            embed(&directory.join(place).join("grammar.json"), &out.join(format!("{name}.json.z")))?;
        }
    }
    Ok(())
}

fn is_enabled(feature: &str) -> bool {
    env::var_os(format!("CARGO_FEATURE_{}", feature.to_uppercase().replace('-', "_"))).is_some()
}

fn embed(grammar: &Path, result: &Path) -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={}", grammar.display());
    let json = fs::read(grammar).map_err(|error| format!("cannot read {}: {error}", grammar.display()))?;
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&without_blanks(&json))?;
    fs::write(result, encoder.finish()?)?;
    Ok(())
}

/// A package that carries a grammar, in the one version that this crate works with.
struct Package {
    name: &'static str,
    version: &'static str,
}

impl Package {
    /// The package with the version that our manifest pins it to: in one line in the repository, in a table of its own in a
    /// published package.
    fn pinned(name: &'static str) -> Result<Self, String> {
        let entry = |start: &str, end: &str| {
            let (_, rest) = MANIFEST.split_once(start)?;
            rest.split(end).next()
        };
        let version = entry(&format!("\n{name} = "), "\n")
            .or_else(|| entry(&format!("\n[dependencies.{name}]\n"), "\n["))
            .and_then(|entry| entry.split_once("version = \"=")?.1.split('"').next())
            .ok_or_else(|| format!("Cargo.toml of nub-syntax does not say `{name} = {{ version = \"=…\", … }}`"))?;
        Ok(Self { name, version })
    }

    /// Where the package is inside of a folder of packages. `cargo vendor` adds a version to a name only if it must.
    fn inside(&self, folder: &Path) -> Option<PathBuf> {
        let with_version = folder.join(format!("{}-{}", self.name, self.version));
        if with_version.is_dir() {
            return Some(with_version);
        }
        let without = folder.join(self.name);
        let manifest = fs::read_to_string(without.join("Cargo.toml")).ok()?;
        let version = manifest.lines().find_map(|line| line.strip_prefix("version = "))?;
        (version.trim_matches('"') == self.version).then_some(without)
    }
}

/// The directories of the packages, in their order.
fn find(packages: &[Package]) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    if let Some(folder) = env::var_os("NUB_GRAMMARS") {
        return in_folder(packages, Path::new(&folder));
    }
    match unpacked(packages) {
        Some(directories) => Ok(directories),
        None => ask_cargo(packages),
    }
}

fn in_folder(packages: &[Package], folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let directory = |package: &Package| {
        package.inside(folder).ok_or_else(|| {
            let (Package { name, version }, folder) = (package, folder.display());
            format!(
                "NUB_GRAMMARS is {folder}, but there is no package {name} {version} in it, neither as \
                 {name}-{version} nor as {name} with a Cargo.toml of this version.\n\
                 It must be a folder like `cargo vendor` makes: with the unpacked packages of all enabled languages."
            )
            .into()
        })
    };
    packages.iter().map(directory).collect()
}

/// What cargo has unpacked, if that is everything. See "Cargo Home" in the Cargo book.
fn unpacked(packages: &[Package]) -> Option<Vec<PathBuf>> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo")))?;
    let registries: Vec<_> = fs::read_dir(home.join("registry/src")).ok()?.flatten().collect();
    packages.iter().map(|package| registries.iter().find_map(|registry| package.inside(&registry.path()))).collect()
}

fn ask_cargo(packages: &[Package]) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let manifest = write_manifest(packages)?;
    let mut answers = String::new();
    for directory in where_cargo_may_be_configured() {
        match metadata(&manifest, &directory) {
            Ok(metadata) => return packages.iter().map(|package| directory_of(package, &metadata)).collect(),
            Err(answer) => answers += &format!("\nIn {}, cargo says:\n{}\n", directory.display(), answer.trim_end()),
        }
    }
    let names: Vec<_> = packages.iter().map(|Package { name, version }| format!("{name} {version}")).collect();
    Err(format!(
        "Cannot find the packages of the parsers, which hold the grammars to embed. They are not in \
         $CARGO_HOME/registry/src, and `cargo metadata --offline` does not find them either.\n\
         Run `cargo fetch` in your project, then build again. If you build without cargo, or keep packages in an unusual \
         place, set NUB_GRAMMARS to a folder that holds the unpacked packages, such as `cargo vendor` makes.\n\
         {answers}\n\
         The packages: {}",
        names.join(", ")
    )
    .into())
}

/// A project that depends on the packages and on nothing else, in a workspace of its own.
fn write_manifest(packages: &[Package]) -> Result<PathBuf, Box<dyn Error>> {
    let project = PathBuf::from(env::var("OUT_DIR")?).join("grammars");
    // An earlier build may have left a lock file that names packages which are gone.
    if project.exists() {
        fs::remove_dir_all(&project)?;
    }
    fs::create_dir_all(&project)?;
    fs::write(project.join("lib.rs"), "")?;
    let mut manifest = String::from("[package]\nname = \"grammars\"\nedition = \"2024\"\n");
    manifest += "[lib]\npath = \"lib.rs\"\n[workspace]\n[dependencies]\n";
    for Package { name, version } in packages {
        manifest += &format!("{name} = \"={version}\"\n");
    }
    let path = project.join("Cargo.toml");
    fs::write(&path, manifest)?;
    Ok(path)
}

/// Cargo reads its configuration, which says where vendored packages are, from the directory it runs in and those above it.
/// A build script is not told which directory that was: where the user is, or else above the target directory, or above us.
fn where_cargo_may_be_configured() -> Vec<PathBuf> {
    let mut directories: Vec<PathBuf> =
        ["PWD", "OUT_DIR", "CARGO_MANIFEST_DIR"].into_iter().filter_map(env::var_os).map(PathBuf::from).collect();
    directories.retain(|directory| directory.is_dir());
    directories
}

/// What cargo knows about a project without the network, or what it says if it cannot.
fn metadata(manifest: &Path, directory: &Path) -> Result<Value, String> {
    let variable = |name| env::var(name).map_err(|_| format!("(not asked: cargo has not set {name})"));
    let output = Command::new(variable("CARGO")?)
        // The packages of other platforms may not have been downloaded.
        .args(["metadata", "--offline", "--format-version=1", "--filter-platform", &variable("HOST")?])
        .arg("--manifest-path")
        .arg(manifest)
        .current_dir(directory)
        .output()
        .map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
}

fn directory_of(package: &Package, metadata: &Value) -> Result<PathBuf, Box<dyn Error>> {
    let known = metadata["packages"].as_array().into_iter().flatten();
    known
        .filter(|known| known["name"] == package.name)
        .find_map(|known| Some(Path::new(known["manifest_path"].as_str()?).parent()?.to_owned()))
        .ok_or_else(|| format!("cargo metadata does not say where {} is", package.name).into())
}

/// JSON without the blanks between its tokens. (Not parsed and written again: the order of the rules matters.)
fn without_blanks(json: &[u8]) -> Vec<u8> {
    let mut result = Vec::with_capacity(json.len());
    let (mut in_string, mut escaped) = (false, false);
    for &byte in json {
        if in_string || !byte.is_ascii_whitespace() {
            result.push(byte);
        }
        match byte {
            b'"' if !escaped => in_string = !in_string,
            _ => {}
        }
        escaped = in_string && byte == b'\\' && !escaped;
    }
    result
}
