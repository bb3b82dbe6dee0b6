//! Built-in conditions: what most test scripts do, without a script.
//!
//! The usual test runs a command and greps in what it printed. Starting a shell and two greps costs several times as
//! much as starting the command, so nub can look by itself: `--signal SEGV`, `--stderr 'internal compiler error'`.
//!
//! All conditions that are given must hold. Without any, the command must exit with code 0, as a script would.
//!
//! What about a command that is killed by a signal nobody asked for? If the user gave a pattern, the pattern decides: a
//! crash that prints a message is what people most often reduce. If the user gave only an exit code, or nothing, the
//! command broke off before it could give the answer: unresolved. `SIGKILL` is never an answer unless asked for, since
//! it is how the system takes memory back.
//!
//! A shell reports a command that died from signal *n* as exit code 128 + *n*; `--signal` accepts both, so that it does
//! not matter whether the compiler is run directly, through `sh -c`, or by a driver script.

use crate::{Outcome, Unresolved};
use regex::bytes::{Regex, RegexBuilder};
use rustix::process::Signal;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It exited with this code.
    Exited(i32),
    /// This signal killed it.
    Killed(i32),
}

/// The conditions a command has to fulfil for its candidate to be interesting.
#[derive(Clone, Debug, Default)]
pub struct Predicate {
    /// The exit code.
    pub exit_code: Option<i32>,
    /// The number of the signal that killed it, directly or as reported by a shell.
    pub signal: Option<i32>,
    /// What must be found in standard output.
    pub stdout: Vec<Regex>,
    /// What must be found in standard error.
    pub stderr: Vec<Regex>,
    /// What must be found in one of the two.
    pub output: Vec<Regex>,
    /// What must be found in neither.
    pub not_output: Vec<Regex>,
    /// The exit code of what passes, where that matters: what is not interesting and ends otherwise is no answer.
    pub passes: Option<i32>,
}

impl Predicate {
    /// Whether standard output has to be read at all.
    pub fn needs_stdout(&self) -> bool {
        !(self.stdout.is_empty() && self.output.is_empty() && self.not_output.is_empty())
    }

    /// Whether standard error has to be read at all.
    pub fn needs_stderr(&self) -> bool {
        !(self.stderr.is_empty() && self.output.is_empty() && self.not_output.is_empty())
    }

    /// Whether the command has to exit with 0, and nothing else decides.
    pub fn is_success(&self) -> bool {
        let patterns = self.needs_stdout() || self.needs_stderr();
        self.signal.is_none() && !patterns && matches!(self.exit_code, None | Some(0))
    }

    /// The outcome on a command that ended like this and printed that.
    pub fn judge(&self, ending: Ending, stdout: &[u8], stderr: &[u8]) -> Outcome {
        if self.holds(ending, stdout, stderr) {
            return Outcome::Interesting;
        }
        let patterns = self.needs_stdout() || self.needs_stderr();
        match ending {
            Ending::Exited(code) if self.passes.is_some_and(|passes| code != passes) => {
                Outcome::Unresolved(Unresolved::Skipped)
            }
            Ending::Killed(_) if self.passes.is_some() => Outcome::Unresolved(Unresolved::Killed),
            Ending::Killed(signal) if self.signal == Some(signal) => Outcome::Uninteresting,
            Ending::Killed(signal) if signal == Signal::KILL.as_raw() => Outcome::Unresolved(Unresolved::Killed),
            Ending::Killed(_) if self.signal.is_none() && !patterns => Outcome::Unresolved(Unresolved::Killed),
            _ => Outcome::Uninteresting,
        }
    }

    fn holds(&self, ending: Ending, stdout: &[u8], stderr: &[u8]) -> bool {
        let unconditional =
            self.exit_code.is_none() && self.signal.is_none() && !self.needs_stdout() && !self.needs_stderr();
        let expected_code = if unconditional { Some(0) } else { self.exit_code };
        expected_code.is_none_or(|code| ending == Ending::Exited(code))
            && self.signal.is_none_or(|signal| {
                matches!(ending, Ending::Killed(s) if s == signal) || ending == Ending::Exited(128 + signal)
            })
            && self.stdout.iter().all(|regex| regex.is_match(stdout))
            && self.stderr.iter().all(|regex| regex.is_match(stderr))
            && self.output.iter().all(|regex| regex.is_match(stdout) || regex.is_match(stderr))
            && !self.not_output.iter().any(|regex| regex.is_match(stdout) || regex.is_match(stderr))
    }
}

/// Why a condition could not be understood.
#[derive(Debug, thiserror::Error)]
pub enum PredicateError {
    /// Not an exit code.
    #[error("`{0}` is not an exit code: a number from 0 to 255 is needed")]
    ExitCode(String),
    /// Not a signal.
    #[error("`{0}` is not a signal: give a name such as SEGV, SIGABRT or FPE, or a number from 1 to 64")]
    Signal(String),
    /// Not a regular expression.
    #[error(
        "`{pattern}` is not a regular expression: {source}\n(to search for the text itself, put a \\ before each of \\.+*?()|[]{{}}^$)"
    )]
    Regex {
        /// What was given.
        pattern: String,
        /// What is wrong with it.
        source: Box<regex::Error>,
    },
}

/// Reads an exit code.
pub fn parse_exit_code(text: &str) -> Result<i32, PredicateError> {
    text.trim().parse::<u8>().map(i32::from).map_err(|_| PredicateError::ExitCode(text.to_owned()))
}

/// Reads a signal: `SEGV`, `sigsegv` or `11`.
pub fn parse_signal(text: &str) -> Result<i32, PredicateError> {
    let wrong = || PredicateError::Signal(text.to_owned());
    let upper = text.trim().to_ascii_uppercase();
    if let Ok(number) = upper.parse::<i32>() {
        return if (1..=64).contains(&number) { Ok(number) } else { Err(wrong()) };
    }
    let name = upper.strip_prefix("SIG").unwrap_or(&upper);
    SIGNALS.iter().find(|(known, _)| *known == name).map(|(_, signal)| signal.as_raw()).ok_or_else(wrong)
}

/// What a signal is called, for messages: `SIGSEGV`, or `signal 40` if it has no name.
pub fn signal_name(number: i32) -> String {
    match SIGNALS.iter().find(|(_, signal)| signal.as_raw() == number) {
        Some((name, _)) => format!("SIG{name}"),
        None => format!("signal {number}"),
    }
}

/// Compiles a pattern; `^` and `$` match at the ends of lines.
pub fn parse_regex(pattern: &str) -> Result<Regex, PredicateError> {
    RegexBuilder::new(pattern)
        .multi_line(true)
        .build()
        .map_err(|source| PredicateError::Regex { pattern: pattern.to_owned(), source: Box::new(source) })
}

/// From rustix and not as numbers, since these differ between architectures. Where a signal has two names, the first is
/// the one shown.
const SIGNALS: &[(&str, Signal)] = &[
    ("HUP", Signal::HUP),
    ("INT", Signal::INT),
    ("QUIT", Signal::QUIT),
    ("ILL", Signal::ILL),
    ("TRAP", Signal::TRAP),
    ("ABRT", Signal::ABORT),
    ("ABORT", Signal::ABORT),
    ("IOT", Signal::ABORT),
    ("BUS", Signal::BUS),
    ("FPE", Signal::FPE),
    ("KILL", Signal::KILL),
    ("USR1", Signal::USR1),
    ("SEGV", Signal::SEGV),
    ("USR2", Signal::USR2),
    ("PIPE", Signal::PIPE),
    ("ALRM", Signal::ALARM),
    ("TERM", Signal::TERM),
    ("CHLD", Signal::CHILD),
    ("CONT", Signal::CONT),
    ("STOP", Signal::STOP),
    ("TSTP", Signal::TSTP),
    ("TTIN", Signal::TTIN),
    ("TTOU", Signal::TTOU),
    ("URG", Signal::URG),
    ("XCPU", Signal::XCPU),
    ("XFSZ", Signal::XFSZ),
    ("VTALRM", Signal::VTALARM),
    ("PROF", Signal::PROF),
    ("WINCH", Signal::WINCH),
    ("IO", Signal::IO),
    ("POLL", Signal::IO),
    ("PWR", Signal::POWER),
    ("SYS", Signal::SYS),
];

#[cfg(test)]
mod tests {
    use super::*;
    use Ending::{Exited, Killed};

    const SEGV: i32 = 11;
    const KILLED: Outcome = Outcome::Unresolved(Unresolved::Killed);

    fn regexes(patterns: &[&str]) -> Vec<Regex> {
        patterns.iter().map(|p| parse_regex(p).unwrap()).collect()
    }

    #[test]
    fn without_conditions_the_exit_code_decides() {
        let p = Predicate::default();
        assert!(!p.needs_stdout() && !p.needs_stderr());
        assert_eq!(p.judge(Exited(0), b"", b""), Outcome::Interesting);
        assert_eq!(p.judge(Exited(1), b"", b""), Outcome::Uninteresting);
        assert_eq!(p.judge(Killed(SEGV), b"", b""), KILLED);
    }

    #[test]
    fn exit_code() {
        let p = Predicate { exit_code: Some(3), ..Default::default() };
        assert_eq!(p.judge(Exited(3), b"", b""), Outcome::Interesting);
        assert_eq!(p.judge(Exited(0), b"", b""), Outcome::Uninteresting);
        assert_eq!(p.judge(Killed(3), b"", b""), KILLED);
    }

    #[test]
    fn signal_directly_or_through_a_shell() {
        let p = Predicate { signal: Some(SEGV), ..Default::default() };
        assert_eq!(p.judge(Killed(SEGV), b"", b""), Outcome::Interesting);
        assert_eq!(p.judge(Exited(139), b"", b""), Outcome::Interesting);
        assert_eq!(p.judge(Exited(11), b"", b""), Outcome::Uninteresting);
        assert_eq!(p.judge(Killed(6), b"", b""), Outcome::Uninteresting);
        assert_eq!(p.judge(Killed(9), b"", b""), KILLED);
        assert_eq!(
            Predicate { signal: Some(9), ..Default::default() }.judge(Killed(9), b"", b""),
            Outcome::Interesting
        );
    }

    #[test]
    fn patterns_decide_about_crashes() {
        let p = Predicate { stderr: regexes(&["^internal error$"]), ..Default::default() };
        assert!(p.needs_stderr() && !p.needs_stdout());
        assert_eq!(p.judge(Killed(6), b"", b"x\ninternal error\ny"), Outcome::Interesting);
        assert_eq!(p.judge(Exited(1), b"", b"internal error\n"), Outcome::Interesting);
        assert_eq!(p.judge(Killed(6), b"", b"not internal error"), Outcome::Uninteresting);
        assert_eq!(p.judge(Killed(6), b"internal error", b""), Outcome::Uninteresting);
        assert_eq!(p.judge(Killed(9), b"", b""), KILLED);
    }

    #[test]
    fn all_conditions_must_hold() {
        let p = Predicate {
            exit_code: Some(1),
            stdout: regexes(&["a", "b"]),
            output: regexes(&["c"]),
            not_output: regexes(&["d"]),
            ..Default::default()
        };
        assert!(p.needs_stderr() && p.needs_stdout());
        assert_eq!(p.judge(Exited(1), b"ab", b"c"), Outcome::Interesting);
        assert_eq!(p.judge(Exited(1), b"abc", b"\xff"), Outcome::Interesting);
        for (code, stdout, stderr) in
            [(0, &b"ab"[..], &b"c"[..]), (1, b"a", b"bc"), (1, b"ab", b""), (1, b"abd", b"c"), (1, b"ab", b"cd")]
        {
            assert_eq!(p.judge(Exited(code), stdout, stderr), Outcome::Uninteresting);
        }
    }

    #[test]
    fn what_neither_fails_nor_passes_is_no_answer() {
        let p = Predicate { stderr: regexes(&["internal error"]), passes: Some(0), ..Default::default() };
        assert_eq!(p.judge(Exited(1), b"", b"internal error"), Outcome::Interesting);
        assert_eq!(p.judge(Exited(0), b"", b""), Outcome::Uninteresting);
        assert_eq!(p.judge(Exited(1), b"", b"syntax error"), Outcome::Unresolved(Unresolved::Skipped));
        assert_eq!(p.judge(Killed(SEGV), b"", b""), KILLED);
    }

    #[test]
    fn parsing() {
        assert_eq!(parse_signal("SEGV").unwrap(), SEGV);
        assert_eq!(parse_signal("sigsegv").unwrap(), SEGV);
        assert_eq!(parse_signal(" 11").unwrap(), SEGV);
        assert_eq!(parse_signal("abrt").unwrap(), 6);
        assert_eq!(signal_name(6), "SIGABRT");
        assert_eq!(signal_name(40), "signal 40");
        for wrong in ["", "SIG", "0", "65", "-1", "SEGFAULT"] {
            assert!(parse_signal(wrong).unwrap_err().to_string().contains("SIGABRT"), "{wrong}");
        }
        assert_eq!(parse_exit_code("255").unwrap(), 255);
        assert!(parse_exit_code("256").unwrap_err().to_string().contains("0 to 255"));
        let error = parse_regex("foo(").unwrap_err().to_string();
        assert!(error.contains("`foo(`") && error.contains("unclosed group"), "{error}");
    }
}
