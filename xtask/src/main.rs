//! `cargo xtask COMMAND`: the handful of commands that people who work on nub need.
//!
//! Most of them start a script that CI starts as well, so that what works here works there.

mod licenses;
mod size;

use anyhow::{Context, Result, bail, ensure};
use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

/// A command: its name, a line of help, and what it does with the arguments behind its name.
type Task = (&'static str, &'static str, fn(&[String]) -> Result<()>);

const TASKS: &[Task] = &[
    ("ci", "everything that must hold before a change lands (.ci/run)", |args| script(".ci/run", args)),
    ("quick", "the tests to run while you work: less than a minute after the build", quick),
    ("docs", "the documentation of all crates, with warnings as errors; --open shows it", docs),
    ("demo", "records the terminal session of the README again", |args| script("docs/demo/record", args)),
    ("wheel", "builds the Python wheel and tries it in a fresh environment", |args| script("ci/wheel", args)),
    ("archive", "builds the release archive and tries it: archive [TARGET]", |args| script("ci/release-archive", args)),
    ("licenses", "writes the licences of everything in the binary: licenses FILE [TARGET]", licenses::main),
    ("size", "what the release binary is made of", size::main),
    ("evaluate", "makes the tables of evaluation/results again; --list shows which", |args| {
        script("evaluation/run", args)
    }),
];

/// The integration tests of `quick`, besides all unit tests: those that say most about a change for their time.
const QUICK: &[&str] = &["worked_examples", "determinism", "basics", "text"];

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let result = match arguments.split_first() {
        Some((name, rest)) => match TASKS.iter().find(|(task, ..)| task == name) {
            Some((.., run)) => run(rest),
            None if matches!(name.as_str(), "-h" | "--help" | "help") => {
                print!("{}", help());
                Ok(())
            }
            None => Err(anyhow::anyhow!("there is no command `{name}`\n\n{}", help())),
        },
        None => {
            print!("{}", help());
            Ok(())
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn help() -> String {
    let lines: String = TASKS.iter().map(|(name, line, _)| format!("  {name:<10}{line}\n")).collect();
    format!("cargo xtask COMMAND [ARGUMENTS]\n\n{lines}")
}

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_owned()
}

/// Runs a script of the repository.
fn script(path: &str, args: &[String]) -> Result<()> {
    let file = root().join(path);
    ensure!(file.is_file(), "{path} is missing: is this a complete checkout of nub?");
    run(Command::new(file).args(args))
}

/// The cargo that runs this program, at the root of the repository.
fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args);
    command
}

/// Runs a command at the root of the repository, with our terminal.
fn run(command: &mut Command) -> Result<()> {
    let status = command.current_dir(root()).status().with_context(|| format!("cannot start {}", name(command)))?;
    if !status.success() {
        bail!("{} failed: {status}", name(command));
    }
    Ok(())
}

/// What a command prints.
fn output(command: &mut Command) -> Result<String> {
    let output = command.current_dir(root()).output().with_context(|| format!("cannot start {}", name(command)))?;
    if !output.status.success() {
        bail!("{} failed: {}\n{}", name(command), output.status, String::from_utf8_lossy(&output.stderr).trim_end());
    }
    String::from_utf8(output.stdout).with_context(|| format!("{} printed something that is not UTF-8", name(command)))
}

fn name(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// One call of cargo for all of them: several would choose different features, and build the same crates again.
fn quick(args: &[String]) -> Result<()> {
    let mut command =
        cargo(&["test", "--quiet", "--locked", "--workspace", "--exclude", "nub-evaluation", "--lib", "--bins"]);
    for test in QUICK {
        command.args(["--test", test]);
    }
    run(command.args(args))
}

fn docs(args: &[String]) -> Result<()> {
    let mut command = cargo(&["doc", "--locked", "--workspace", "--no-deps"]);
    run(command.args(args).env("RUSTDOCFLAGS", "-D warnings"))
}
