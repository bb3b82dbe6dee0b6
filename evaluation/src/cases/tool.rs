//! Tools that reduce: nub with different algorithms, and its peers.

use super::case::Case;
use crate::native;
use anyhow::Result;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The task of a tool.
pub(crate) struct Task<'a> {
    pub(crate) case: &'a Case,
    /// The test: takes the path of a candidate, or else finds one in the current directory under the name of the input.
    pub(crate) test: &'a Path,
    /// A copy of the input, in the current directory, for the tool to change.
    pub(crate) input: &'a Path,
}

/// A way to reduce a case.
pub(crate) trait Tool {
    fn name(&self) -> &str;

    /// Whether it can be used on a case.
    fn fits(&self, case: &Case) -> bool;

    /// Makes sure that it can be run.
    fn install(&self) -> Result<()>;

    /// The command line, with two jobs.
    fn command(&self, task: &Task<'_>) -> Command;

    /// The version that it reports.
    fn version(&self) -> String;
}

/// nub with an algorithm.
pub(crate) struct Nub {
    name: String,
    /// A copy of nub, so that compiling meanwhile does not change what is measured.
    program: PathBuf,
    /// Without the test and the input.
    arguments: Vec<String>,
    /// Whether it needs to know the language of the input.
    tree: bool,
}

impl Nub {
    /// The algorithms of the papers, and the default.
    pub(crate) fn algorithms(program: &Path) -> Vec<Box<dyn Tool>> {
        let nub = |name: &str, arguments: &[&str], tree| -> Box<dyn Tool> {
            let arguments = arguments.iter().copied().map(str::to_owned).collect();
            Box::new(Self { name: name.to_owned(), program: program.to_owned(), arguments, tree })
        };
        vec![
            nub("ddmin*", &["--language", "none", "--algorithm", "ddmin*", "--granularity", "line+char"], false),
            nub("hdd*", &["--algorithm", "hdd*"], true),
            nub("hddr*", &["--algorithm", "hddr*"], true),
            nub("coarse-hddr*", &["--algorithm", "coarse-hddr*"], true),
            nub("hoistr*+hddhr*", &["--algorithm", "hoistr*+hddhr*"], true),
            nub("default", &[], false),
        ]
    }

    /// Without options, under its own name.
    pub(crate) fn plain(program: &Path) -> Self {
        Self { name: "nub".to_owned(), program: program.to_owned(), arguments: vec![], tree: false }
    }

    /// Without one of its passes.
    pub(crate) fn without(program: &Path, pass: &str) -> Self {
        let arguments = vec!["--passes".to_owned(), format!("-{pass}")];
        Self { name: format!("without {pass}"), program: program.to_owned(), arguments, tree: true }
    }
}

impl Tool for Nub {
    fn name(&self) -> &str {
        &self.name
    }

    fn fits(&self, case: &Case) -> bool {
        !self.tree || case.language.is_some()
    }

    fn install(&self) -> Result<()> {
        if !self.program.exists() {
            fs::copy(native::build_nub()?, &self.program)?;
        }
        Ok(())
    }

    fn command(&self, task: &Task<'_>) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(["--quiet", "--no-backup", "--no-journal", "--jobs", "2"])
            .args(&self.arguments)
            .arg(task.test)
            .arg(task.input);
        command
    }

    fn version(&self) -> String {
        first_line(Command::new(&self.program).arg("--version"))
    }
}

/// The first line that a program prints.
pub(crate) fn first_line(command: &mut Command) -> String {
    let text = command.output().map(|output| output.stdout).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("unknown").to_owned()
}
