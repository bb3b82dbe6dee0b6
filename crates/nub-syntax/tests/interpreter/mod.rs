//! Runs small JavaScript programs in a single node process: thousands per second.

use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

pub(crate) struct Interpreter {
    node: Child,
    programs: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// The effects of a program.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) printed: String,
    /// The message of the exception that ended it.
    pub(crate) thrown: Option<String>,
}

impl Interpreter {
    /// `None` without node: then the test has to be skipped.
    pub(crate) fn start() -> Option<Self> {
        if !nub_testing::program("node") {
            return None;
        }
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/interpreter/run.js");
        let started = Command::new("node").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut node = started.expect("node starts");
        let programs = node.stdin.take().expect("a pipe");
        let answers = BufReader::new(node.stdout.take().expect("a pipe"));
        Some(Self { node, programs, answers })
    }

    pub(crate) fn run(&mut self, program: &str, input: &str) -> Ran {
        writeln!(self.programs, "{}", json!({ "program": program, "input": input })).expect("node listens");
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("node answers");
        let answer: Value = serde_json::from_str(&line).expect("the answer is JSON");
        Ran {
            printed: answer["printed"].as_str().unwrap_or_default().to_owned(),
            thrown: answer["thrown"].as_str().map(str::to_owned),
        }
    }
}

impl Drop for Interpreter {
    fn drop(&mut self) {
        // It may have exited already, which is fine.
        let _ = self.node.kill();
        let _ = self.node.wait();
    }
}
