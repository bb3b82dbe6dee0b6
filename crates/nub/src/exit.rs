//! Exit codes. They are part of the interface: `nub --help` and the README list them.

use std::process::ExitCode;

/// The original input is not interesting.
pub const NOT_INTERESTING: u8 = 1;
/// The command line is wrong (clap uses the same code).
pub const USAGE: u8 = 2;
/// The empty input is interesting, so the test is probably wrong.
pub const TRIVIAL: u8 = 3;
/// The result was interesting but is not when it is tested again.
pub const FLAKY: u8 = 4;
/// Something outside nub failed: a file, a disk, a process.
pub const FAILED: u8 = 5;

/// Ended by a signal, as the shell reports it.
pub fn signal(number: i32) -> u8 {
    u8::try_from(128 + number).unwrap_or(FAILED)
}

/// Prints why nub failed.
pub fn failed(error: &anyhow::Error) -> ExitCode {
    eprintln!("nub: error: {error:#}");
    ExitCode::from(FAILED)
}
