//! What reduces: nub with one algorithm or another.

use super::case::Case;
use std::{path::Path, process::Command};

/// A way to reduce a case.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    /// The arguments of nub, but for the test and the input.
    arguments: &'static [&'static str],
    /// Whether it needs to know the language of the input.
    tree: bool,
}

const fn nub(name: &'static str, arguments: &'static [&'static str], tree: bool) -> Tool {
    Tool { name, arguments, tree }
}

/// The algorithms of the papers, and the default.
pub(crate) const ALGORITHMS: [Tool; 6] = [
    nub("ddmin*", &["--language", "none", "--algorithm", "ddmin*", "--granularity", "line+char"], false),
    nub("hdd*", &["--algorithm", "hdd*"], true),
    nub("hddr*", &["--algorithm", "hddr*"], true),
    nub("coarse-hddr*", &["--algorithm", "coarse-hddr*"], true),
    nub("hoistr*+hddhr*", &["--algorithm", "hoistr*+hddhr*"], true),
    nub("default", &[], false),
];

impl Tool {
    /// Whether it can be used on a case.
    pub(crate) fn fits(&self, case: &Case) -> bool {
        !self.tree || case.language.is_some()
    }

    /// Reduces `input` in place with `test`.
    pub(crate) fn command(&self, program: &Path, test: &Path, input: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .args(["--quiet", "--no-backup", "--no-journal", "--jobs", "2"])
            .args(self.arguments)
            .arg(test)
            .arg(input);
        command
    }

    /// How it calls itself.
    pub(crate) fn version(&self, program: &Path) -> String {
        let output = Command::new(program).arg("--version").output();
        output.map_or_else(|_| "unknown".into(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }
}
