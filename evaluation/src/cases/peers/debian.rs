//! [C-Reduce](https://github.com/csmith-project/creduce) and [C-Vise](https://github.com/marxin/cvise), from Debian.

use super::{
    super::{
        case::Case,
        tool::{Task, Tool, first_line},
    },
    install,
};
use anyhow::Result;
use std::process::Command;

/// For C and C++; it is not meant for anything else.
pub(super) struct CReduce;

impl Tool for CReduce {
    fn name(&self) -> &str {
        "creduce"
    }

    fn fits(&self, case: &Case) -> bool {
        case.language.as_deref() == Some("c")
    }

    fn install(&self) -> Result<()> {
        install::debian("creduce")
    }

    fn command(&self, task: &Task<'_>) -> Command {
        let mut command = Command::new("creduce");
        command.args(["--n", "2", "--tidy"]).arg(task.test).arg(task.case.file_name());
        command
    }

    fn version(&self) -> String {
        first_line(Command::new("creduce").arg("--version"))
    }
}

/// Has passes for C and for any text. Its passes for binary files are for those of gcov only.
pub(super) struct CVise;

impl Tool for CVise {
    fn name(&self) -> &str {
        "cvise"
    }

    fn fits(&self, _case: &Case) -> bool {
        true
    }

    fn install(&self) -> Result<()> {
        install::debian("cvise")
    }

    fn command(&self, task: &Task<'_>) -> Command {
        let mut command = Command::new("cvise");
        command.args(["--n", "2", "--tidy", "--skip-key-off"]);
        if task.case.language.as_deref() != Some("c") {
            command.arg("--not-c");
        }
        command.arg(task.test).arg(task.case.file_name());
        command
    }

    fn version(&self) -> String {
        first_line(Command::new("cvise").arg("--version"))
    }
}
