//! [treereduce](https://github.com/langston-barrett/treereduce), from crates.io: one program for each language.

use super::{
    super::{
        case::Case,
        tool::{Task, Tool, first_line},
    },
    install,
};
use anyhow::Result;
use std::{path::PathBuf, process::Command};

/// Its programs that are useful for the cases. It has none for TypeScript; the one for JavaScript keeps what it does
/// not understand, and reduces the rest.
const PROGRAMS: [(&str, &str); 3] =
    [("c", "treereduce-c"), ("rust", "treereduce-rust"), ("typescript", "treereduce-javascript")];

pub(super) struct TreeReduce {
    home: PathBuf,
}

impl TreeReduce {
    pub(super) fn new() -> Result<Self> {
        Ok(Self { home: install::home("treereduce")? })
    }

    fn program(&self, name: &str) -> PathBuf {
        self.home.join("bin").join(name)
    }
}

fn program_for(case: &Case) -> Option<&'static str> {
    let language = case.language.as_deref()?;
    PROGRAMS.iter().find(|(name, _)| *name == language).map(|(_, program)| *program)
}

impl Tool for TreeReduce {
    fn name(&self) -> &str {
        "treereduce"
    }

    fn fits(&self, case: &Case) -> bool {
        program_for(case).is_some()
    }

    fn install(&self) -> Result<()> {
        PROGRAMS.iter().try_for_each(|(_, package)| install::cargo(&self.home, package).map(drop))
    }

    fn command(&self, task: &Task<'_>) -> Command {
        let mut command = Command::new(self.program(program_for(task.case).unwrap_or_default()));
        // Until nothing more can be removed, however small.
        command.args(["--quiet", "--slow", "--jobs", "2", "--output", "treereduce.out", "--source"]).arg(task.input);
        command.arg("--").arg(task.test).arg("@@");
        command
    }

    fn version(&self) -> String {
        first_line(Command::new(self.program(PROGRAMS[0].1)).arg("--version")).replace("treereduce-c", "treereduce")
    }
}
