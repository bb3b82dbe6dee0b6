//! Commands that are not run are read at least: their options, packages and files must exist.

use crate::markdown::root;
use std::{collections::BTreeSet, fs, process::Command};

/// Options in the prose that belong to other programs than nub.
const OTHERS: [&str; 12] = [
    // cargo's
    "--features",
    // evaluation/run's
    "--again",
    "--case",
    "--effects",
    "--fidelity",
    "--list",
    "--parsers",
    "--peers",
    "--scaling",
    "--seconds",
    "--speed",
    "--tool",
];

/// The words of a command, without quotation marks and without a comment.
pub(crate) fn words(command: &str) -> Vec<String> {
    let mut words = vec![];
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in command.chars() {
        match quote {
            Some(mark) if c == mark => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None if c == '#' && word.is_none() => break,
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// What is wrong with a command that is not run.
pub(crate) fn check(command: &str) -> Result<(), String> {
    let words = words(command);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["nub", ..] => check_nub(&words[1..]),
        ["cargo", "xtask", task, ..] => contains("xtask/src/main.rs", &format!("(\"{task}\",")),
        ["cargo", ..] => check_cargo(&words[1..]),
        ["evaluation/run", ref names @ ..] => names.iter().try_for_each(|name| check_experiment(name)),
        ["bash", script, ..] => exists(script),
        ["docker", ..] => exists("Dockerfile"),
        ["pip", "install", package] | ["uvx", "--from", package, ..] => {
            contains("pyproject.toml", &format!("name = \"{package}\""))
        }
        _ => Err(format!("unknown program: {}", words.first().unwrap_or(&""))),
    }
}

/// Whether nub understands the arguments: with `--help` it reads all that is before, and does nothing.
pub(crate) fn check_nub(args: &[&str]) -> Result<(), String> {
    let own = args.iter().position(|arg| *arg == "--").unwrap_or(args.len());
    let output = Command::new(env!("CARGO_BIN_EXE_nub")).args(&args[..own]).arg("--help").output().unwrap();
    match output.status.code() {
        Some(0) => Ok(()),
        _ => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

fn check_cargo(args: &[&str]) -> Result<(), String> {
    for pair in args.windows(2) {
        match pair {
            ["-p", package] => {
                let folders = ["evaluation".to_owned(), "xtask".to_owned(), format!("crates/{package}")];
                let names =
                    |folder: &String| contains(&format!("{folder}/Cargo.toml"), &format!("name = \"{package}\""));
                if !folders.iter().any(|folder| names(folder).is_ok()) {
                    return Err(format!("no package {package}"));
                }
            }
            ["--path", path] => exists(path)?,
            ["--features", feature] => contains("crates/nub/Cargo.toml", &format!("{feature} = "))?,
            ["--example", example] => {
                let place = |name: &str| exists(&format!("crates/{name}/examples/{example}.rs")).is_ok();
                if !["nub-antlr", "nub-yacc"].into_iter().any(place) {
                    return Err(format!("no example {example}"));
                }
            }
            _ => {}
        }
    }
    match args {
        ["run", "--release", "-p", "nub-evaluation", "--", name, ..] => check_experiment(name),
        ["run", "--release", "-p", "nub", "--", args @ ..] => check_nub(args),
        ["build" | "install" | "run" | "test" | "doc", ..] => Ok(()),
        _ => Err("which command of cargo?".to_owned()),
    }
}

fn check_experiment(name: &str) -> Result<(), String> {
    let known = |file| {
        contains(file, &format!("\"{name}\""))
            .or_else(|_| contains(file, &format!("\"{}\"", name.trim_start_matches("--"))))
    };
    known("evaluation/src/main.rs").or_else(|_| known("evaluation/src/batch.rs"))
}

fn exists(path: &str) -> Result<(), String> {
    if root().join(path).exists() { Ok(()) } else { Err(format!("{path} does not exist")) }
}

fn contains(path: &str, text: &str) -> Result<(), String> {
    let content = fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))?;
    if content.contains(text) { Ok(()) } else { Err(format!("{path} does not contain {text}")) }
}

/// All options of nub and its subcommands, from their help.
pub(crate) fn options() -> BTreeSet<String> {
    let subcommands: [&[&str]; 11] = [
        &[],
        &["completions"],
        &["man"],
        &["languages"],
        &["passes"],
        &["parse"],
        &["report"],
        &["compare"],
        &["simulate"],
        &["isolate"],
        &["grammar", "check"],
    ];
    let mut options: BTreeSet<String> = OTHERS.into_iter().map(String::from).collect();
    for subcommand in subcommands {
        let output = Command::new(env!("CARGO_BIN_EXE_nub")).args(subcommand).arg("--help").output().unwrap();
        assert!(output.status.success(), "{subcommand:?}");
        let help = String::from_utf8(output.stdout).unwrap();
        let words = help.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
        options.extend(words.filter(|word| word.starts_with("--") && word.len() > 2).map(String::from));
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_command() {
        assert_eq!(words("nub 'a b' \"c\"'d' -j1  # comment"), ["nub", "a b", "cd", "-j1"]);
        assert_eq!(words("x '' a#b"), ["x", "", "a#b"]);
    }

    #[test]
    fn mistakes_are_found() {
        for right in [
            "nub --resume",
            "nub --effort quick TEST INPUT",
            "nub INPUT --stderr x -- gcc --any-option {}",
            "cargo run --release -p nub-evaluation -- lists",
            "cargo install --path crates/nub --features full",
            "evaluation/run --fidelity greeddy",
        ] {
            assert_eq!(check(right), Ok(()), "{right}");
        }
        for wrong in [
            "nub --resumee",
            "nub --effort lazy TEST INPUT",
            "nub isolate --pass x",
            "cargo run -p nub-nonsense",
            "cargo run --release -p nub-evaluation -- bogus",
            "cargo xtask nonsense",
            "cargo install --path crates/nonsense",
            "cargo run --example nonsense",
            "evaluation/run --bogus",
            "rm -rf /",
        ] {
            assert!(check(wrong).is_err(), "{wrong}");
        }
    }
}
