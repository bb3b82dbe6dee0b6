//! `nub TEST INPUT`: the smallest input that still fails.
//!
//! This crate is thin: it turns the arguments into a search and a test, lets `nub-run` run the search with the test, and
//! shows what happens.
#![allow(unreachable_pub, reason = "a binary has no public interface: `pub` means visible to other modules")]

mod algorithm;
mod args;
mod check;
mod compare;
mod diff;
mod exit;
mod front_end;
mod grammar;
mod isolate;
mod job;
mod record;
mod reduce;
mod report;
mod screen;
mod session;
mod settings;
mod signals;
mod simulate;
mod syntax;

use args::{Cli, Command, GrammarCommand};
use clap::CommandFactory;
use std::{ffi::OsStr, io, process::ExitCode};

/// The hidden first argument that makes this process the guardian of another nub.
const GUARDIAN: &str = "__guardian";

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == GUARDIAN) {
        let directory = arguments.next().unwrap_or_default();
        let run = arguments.next().unwrap_or_default();
        return nub_run::test::guardian_main(&directory, &run.to_string_lossy());
    }
    let cli = Cli::read();
    match cli.command {
        None => reduce::main(&cli.reduce),
        Some(Command::Completions { shell }) => print(|out| {
            clap_complete::generate(shell, &mut Cli::command(), "nub", out);
            Ok(())
        }),
        Some(Command::Isolate(args)) => isolate::main(&args),
        Some(Command::Languages) => print(syntax::languages),
        Some(Command::Passes) => print(algorithm::passes),
        Some(Command::Report { journal, output }) => report::main(&journal, output.as_deref()),
        Some(Command::Compare(args)) => compare::main(&args),
        Some(Command::Simulate(args)) => print_or_fail(simulate::main(&args)),
        Some(Command::Parse(args)) => print_or_fail(syntax::parse(&args)),
        Some(Command::Grammar { command: GrammarCommand::Check { files, yacc, lex, start, predicates } }) => match yacc
        {
            Some(yacc) => grammar::check_yacc(&yacc, lex.as_deref(), start.as_deref()),
            None => grammar::check_files(&files, start.as_deref(), predicates.as_deref()),
        },
        Some(Command::Man) => print(|out| clap_mangen::Man::new(Cli::command()).render(out)),
    }
}

/// Prints a text or an error.
fn print_or_fail(text: anyhow::Result<String>) -> ExitCode {
    match text {
        Ok(text) => print(|out| {
            out.extend_from_slice(text.as_bytes());
            Ok(())
        }),
        Err(error) => job::fail(&error),
    }
}

/// Prints output that is built in memory first. A closed pipe is not an error.
fn print(make: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> ExitCode {
    let mut text = Vec::new();
    let result = make(&mut text).and_then(|()| io::Write::write_all(&mut io::stdout(), &text));
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => exit::failed(&error.into()),
        _ => ExitCode::SUCCESS,
    }
}

/// The command that starts this program as a guardian.
fn guardian_command() -> io::Result<std::process::Command> {
    let mut command = std::process::Command::new(std::env::current_exe()?);
    command.arg(OsStr::new(GUARDIAN));
    Ok(command)
}
