//! [Shrink Ray](https://github.com/DRMacIver/shrinkray), from PyPI.
//!
//! Without its language model, which is a download of gigabytes and has no counterpart in the other tools. But with its
//! grammars: it fetches those of tree-sitter when it needs them, which we do beforehand. Where they cannot be fetched,
//! they are compiled from the sources of nub's own.

use super::{
    super::{
        case::Case,
        tool::{Task, Tool, first_line},
    },
    install,
};
use anyhow::Result;
use std::{
    env::consts::DLL_SUFFIX,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Its grammars for the languages of the cases: its name for each, nub's package, and the path of the source in that
/// package.
const GRAMMARS: [(&str, &str, &str); 5] = [
    ("c", "tree-sitter-c", "src"),
    ("python", "tree-sitter-python", "src"),
    ("rust", "tree-sitter-rust", "src"),
    ("sql", "tree-sitter-sequel", "src"),
    ("typescript", "tree-sitter-typescript", "typescript/src"),
];

pub(super) struct ShrinkRay {
    home: PathBuf,
}

impl ShrinkRay {
    pub(super) fn new() -> Result<Self> {
        Ok(Self { home: install::home("shrinkray")? })
    }

    /// A program of its virtual environment.
    fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.home.join("bin").join(name));
        command.env("TREE_SITTER_LANGUAGE_PACK_CACHE_DIR", self.home.join("grammars"));
        command
    }

    /// The answer of its library of grammars.
    fn grammars(&self, question: &str) -> Result<String> {
        let script = format!("import tree_sitter_language_pack as pack; {question}");
        let answer = install::succeed("listing grammars", self.program("python3").args(["-c", &script]))?;
        Ok(String::from_utf8_lossy(&answer).trim().to_owned())
    }

    fn has_grammar(&self, name: &str) -> bool {
        self.grammars(&format!("assert '{name}' in pack.downloaded_languages(); pack.get_language('{name}')")).is_ok()
    }

    fn compile_grammar(&self, name: &str, package: &str, path: &str) -> Result<()> {
        let folder = PathBuf::from(self.grammars("print(pack.cache_dir())")?);
        fs::create_dir_all(&folder)?;
        let source = install::source_of(package)?.join(path);
        let mut gcc = install::patient("gcc");
        gcc.args(["-O2", "-shared", "-fPIC", "-I"]).arg(&source).arg(source.join("parser.c"));
        gcc.args(Some(source.join("scanner.c")).filter(|scanner| scanner.exists()));
        gcc.arg("-o").arg(folder.join(format!("libtree_sitter_{name}{DLL_SUFFIX}")));
        install::succeed("gcc", &mut gcc).map(drop)
    }

    /// Installs its dependencies, except the one that runs language models, which takes a quarter of an hour to
    /// compile.
    fn install_dependencies(&self, python: &Path) -> Result<()> {
        let script = "import importlib.metadata as m\n\
                      for r in m.requires('shrinkray'):\n  \
                          if 'extra ==' not in r and not r.startswith('llama-cpp-python'): print(r)";
        let text = install::succeed("listing dependencies", self.program("python3").args(["-c", script]))?;
        let text = String::from_utf8_lossy(&text);
        install::pip(python, &text.lines().collect::<Vec<_>>())
    }
}

impl Tool for ShrinkRay {
    fn name(&self) -> &str {
        "shrinkray"
    }

    fn fits(&self, _case: &Case) -> bool {
        true
    }

    fn install(&self) -> Result<()> {
        let python = install::environment(&self.home, 12)?;
        if !self.home.join("bin/shrinkray").exists() {
            install::pip(&python, &["--no-deps", "shrinkray"])?;
        }
        if self.program("shrinkray").arg("--version").output().is_ok_and(|output| !output.status.success()) {
            self.install_dependencies(&python)?;
        }
        for (name, package, path) in GRAMMARS {
            if !self.has_grammar(name)
                && self.grammars(&format!("pack.download(['{name}'])")).is_err()
                && let Err(error) = self.compile_grammar(name, package, path)
            {
                eprintln!("Shrink Ray runs without its grammar of {name}: {error:#}");
            }
        }
        Ok(())
    }

    fn command(&self, task: &Task<'_>) -> Command {
        let mut command = self.program("shrinkray");
        command
            .args(["--no-llm", "--ui", "basic", "--volume", "quiet", "--parallelism", "2"])
            .args(["--no-history", "--trivial-is-not-error"])
            .arg(task.test)
            .arg(task.input);
        command
    }

    fn version(&self) -> String {
        let grammars = self.grammars("print(*sorted(pack.downloaded_languages()), sep=', ')").unwrap_or_default();
        let grammars = if grammars.is_empty() { "none" } else { &grammars };
        format!("{}; grammars: {grammars}", first_line(self.program("shrinkray").arg("--version")))
    }
}
