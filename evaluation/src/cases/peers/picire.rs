//! [Picire](https://github.com/renatahodovan/picire), from PyPI: lines first, then characters.

use super::{
    super::{
        case::Case,
        tool::{Task, Tool, first_line},
    },
    install,
};
use anyhow::Result;
use std::{path::PathBuf, process::Command};

pub(super) struct Picire {
    home: PathBuf,
}

impl Picire {
    pub(super) fn new() -> Result<Self> {
        Ok(Self { home: install::home("picire")? })
    }

    fn program(&self) -> Command {
        Command::new(self.home.join("bin/picire"))
    }
}

impl Tool for Picire {
    fn name(&self) -> &str {
        "picire"
    }

    fn fits(&self, _case: &Case) -> bool {
        true
    }

    fn install(&self) -> Result<()> {
        let python = install::environment(&self.home, 8)?;
        if !self.program().arg("--version").output().is_ok_and(|output| output.status.success()) {
            // It uses a part of setuptools that newer versions do not have.
            install::pip(&python, &["picire", "setuptools<81"])?;
        }
        Ok(())
    }

    fn command(&self, task: &Task<'_>) -> Command {
        let mut command = self.program();
        // In Latin-1 every byte is a character, and vice versa.
        let encoding = if task.case.text { "utf-8" } else { "latin-1" };
        command
            .args(["--quiet", "--parallel", "--jobs", "2", "--atom", "both", "--cache", "content"])
            .args(["--encoding", encoding, "--out", "picire-out", "--input"])
            .arg(task.input)
            .arg("--test")
            .arg(task.test);
        command
    }

    fn version(&self) -> String {
        first_line(self.program().arg("--version"))
    }
}
