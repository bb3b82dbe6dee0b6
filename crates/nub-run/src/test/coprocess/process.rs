//! A running co-process: one question and one answer at a time.

use super::{
    super::{
        Cancel,
        capture::{Captured, HeadTail, set_nonblocking},
        descendants::{Children, Family, StartError, poll_until},
    },
    CoprocessTest, SHELL,
};
use crate::{Outcome, Unresolved};
use rustix::{
    event::{PollFd, PollFlags},
    io::Errno,
};
use std::{
    io,
    os::fd::{AsFd as _, OwnedFd},
    path::Path,
    process::{Command, Stdio},
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

/// How long a co-process may take, at least, to finish a candidate whose outcome is no longer needed.
const GRACE: Duration = Duration::from_millis(100);
/// The same for one that has not given an outcome yet, when it is not known how long a start takes.
const FIRST_GRACE: Duration = Duration::from_secs(10);
/// How many bytes of its standard error are kept.
const STDERR: usize = 8 << 10;
/// No answer is this long.
const LONGEST_LINE: usize = 4096;
/// How often to reap orphans during a long test.
const HOUSEKEEPING: Duration = Duration::from_secs(1);

/// A question about a candidate.
pub(super) struct Question<'a> {
    /// The line to send.
    pub(super) request: &'a [u8],
    pub(super) cancel: &'a Cancel,
    pub(super) asked: Instant,
    /// How long the answer may take.
    pub(super) limit: Duration,
    /// How long it may take once it is no longer needed.
    pub(super) grace: Duration,
}

/// The result of a question.
pub(super) enum Answer {
    Outcome(Outcome),
    TimedOut,
    /// `busy`: whether the process is still working on it.
    Cancelled {
        busy: bool,
    },
    Crashed(Crash),
}

/// Why a co-process can no longer be used.
pub(super) enum Crash {
    /// It ended, or closed its output.
    Ended,
    /// It broke the protocol.
    Said(String),
    NotStarted(String),
}

/// Which of the descriptors have something to say.
struct Ready {
    stdout: bool,
    process: bool,
    stderr: bool,
    cancel: bool,
}

/// A running process.
pub(super) struct Coprocess {
    /// `None` once it has been told to exit.
    pub(super) stdin: Option<OwnedFd>,
    stdout: OwnedFd,
    pub(super) stderr: Captured,
    pub(super) family: Family,
    line: Vec<u8>,
    pub(super) started: Instant,
    /// Whether it has not given an outcome yet.
    pub(super) fresh: bool,
}

impl Coprocess {
    pub(super) fn start(test: &CoprocessTest, tmp: &Path) -> Result<Self, StartError> {
        let started = Instant::now();
        let mut command = Command::new(SHELL);
        command.arg("-c").arg(&test.command).env("TMPDIR", tmp);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut family = Family::start(&test.setup.run, &mut command, None, test.setup.memory)?;
        let head = family.head();
        let (Some(stdin), Some(stdout), Some(stderr)) = (head.stdin.take(), head.stdout.take(), head.stderr.take())
        else {
            return Err(StartError::System(io::Error::other("no pipes")));
        };
        let (stdin, stdout) = (OwnedFd::from(stdin), OwnedFd::from(stdout));
        let stderr = set_nonblocking(&stdin)
            .and_then(|()| set_nonblocking(&stdout))
            .and_then(|()| Captured::keeping(stderr, HeadTail::new(0, STDERR)))
            .map_err(StartError::System)?;
        Ok(Self { stdin: Some(stdin), stdout, stderr, family, line: Vec::new(), started, fresh: true })
    }

    /// How long to wait for an outcome that is not needed.
    pub(super) fn grace(&self, startup: &AtomicU64) -> Duration {
        match (self.fresh, Duration::from_nanos(startup.load(Ordering::Relaxed))) {
            (true, Duration::ZERO) => FIRST_GRACE,
            (true, startup) => (2 * startup).max(GRACE),
            (false, startup) => startup.max(GRACE),
        }
    }

    /// Asks about a candidate, and waits for the outcome.
    pub(super) fn ask(
        &mut self,
        question: &Question<'_>,
        children: &mut Children,
        buffer: &mut [u8],
    ) -> io::Result<Answer> {
        let &Question { request, cancel, asked, limit, grace } = question;
        self.line.clear();
        if let Some(crash) = self.spoke_unasked(buffer)? {
            return Ok(Answer::Crashed(crash));
        }
        let mut unsent = request;
        let mut cancelled: Option<Duration> = None;
        let mut housekeeping = HOUSEKEEPING;
        loop {
            if !self.send(&mut unsent)? {
                return Ok(Answer::Crashed(Crash::Ended));
            }
            let elapsed = asked.elapsed();
            let until = cancelled.map_or(limit, |since| limit.min(since + grace));
            if elapsed >= until {
                return Ok(if cancelled.is_some() { Answer::Cancelled { busy: true } } else { Answer::TimedOut });
            }
            if elapsed >= housekeeping {
                self.family.housekeeping(children);
                housekeeping = elapsed + HOUSEKEEPING;
            }
            let timeout = until.min(housekeeping).saturating_sub(elapsed);
            let ready = self.wait(cancelled.is_none().then_some(cancel), !unsent.is_empty(), timeout)?;
            if (ready.stdout || ready.process)
                && let Some(answer) = self.receive(ready.process, unsent.is_empty(), buffer)?
            {
                let stale = cancelled.is_some() && matches!(answer, Answer::Outcome(_));
                return Ok(if stale { Answer::Cancelled { busy: false } } else { answer });
            }
            if ready.stderr {
                self.stderr.take(buffer);
            }
            if ready.cancel && cancelled.is_none() && cancel.is_cancelled() {
                cancelled = Some(asked.elapsed());
            }
        }
    }

    /// Output before the question is not an answer.
    fn spoke_unasked(&self, buffer: &mut [u8]) -> io::Result<Option<Crash>> {
        match rustix::io::read(&self.stdout, &mut *buffer) {
            Ok(0) => Ok(Some(Crash::Ended)),
            Ok(n) => Ok(Some(Crash::Said(unasked(&buffer[..n])))),
            Err(Errno::AGAIN | Errno::INTR) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Sends what fits into the pipe. False if the process no longer reads.
    fn send(&self, unsent: &mut &[u8]) -> io::Result<bool> {
        let Some(stdin) = &self.stdin else { return Ok(false) };
        if !unsent.is_empty() {
            match rustix::io::write(stdin, unsent) {
                Ok(n) => *unsent = &unsent[n..],
                Err(Errno::AGAIN | Errno::INTR) => {}
                Err(Errno::PIPE) => return Ok(false),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(true)
    }

    /// Waits until something happens. `cancel` is `None` if the question is cancelled already.
    fn wait(&self, cancel: Option<&Cancel>, sending: bool, timeout: Duration) -> io::Result<Ready> {
        // A descriptor that is not needed is replaced by the process's, to keep the positions.
        let polled = |fd| PollFd::from_borrowed_fd(fd, PollFlags::IN);
        let process = self.family.pidfd();
        let mut fds = [
            polled(self.stdout.as_fd()),
            polled(process),
            polled(self.stderr.fd().unwrap_or(process)),
            polled(cancel.map_or(process, Cancel::fd)),
            self.stdin
                .as_ref()
                .map_or(polled(process), |stdin| PollFd::from_borrowed_fd(stdin.as_fd(), PollFlags::OUT)),
        ];
        let count = if sending { 5 } else { 4 };
        poll_until(&mut fds[..count], Some(timeout))?;
        let [stdout, process, stderr, cancel, _] = fds.map(|fd| !fd.revents().is_empty());
        Ok(Ready { stdout, process, stderr, cancel })
    }

    /// Reads some output, and returns the answer once a line is complete. `ended`: whether the process has; `asked`:
    /// whether the whole question has been sent.
    fn receive(&mut self, ended: bool, asked: bool, buffer: &mut [u8]) -> io::Result<Option<Answer>> {
        match rustix::io::read(&self.stdout, &mut *buffer) {
            Ok(0) => return Ok(Some(Answer::Crashed(Crash::Ended))),
            Ok(n) => self.line.extend_from_slice(&buffer[..n]),
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) if ended => return Ok(Some(Answer::Crashed(Crash::Ended))),
            Err(Errno::AGAIN) => {}
            Err(error) => return Err(error.into()),
        }
        let said = |what: String| Some(Answer::Crashed(Crash::Said(what)));
        let Some(end) = self.line.iter().position(|byte| *byte == b'\n') else {
            return Ok(if self.line.len() > LONGEST_LINE { said(not_an_outcome(&self.line)) } else { None });
        };
        Ok(match parse(&self.line[..end]) {
            _ if end + 1 < self.line.len() => said(unasked(&self.line[end + 1..])),
            _ if !asked => said(unasked(&self.line)),
            None => said(not_an_outcome(&self.line[..end])),
            Some(outcome) => Some(Answer::Outcome(outcome)),
        })
    }
}

fn parse(line: &[u8]) -> Option<Outcome> {
    match line.trim_ascii() {
        b"1" | b"interesting" => Some(Outcome::Interesting),
        b"0" | b"uninteresting" => Some(Outcome::Uninteresting),
        // It ran but has no answer; `NotStarted` is the closest variant.
        b"?" | b"unresolved" => Some(Outcome::Unresolved(Unresolved::NotStarted)),
        _ => None,
    }
}

fn not_an_outcome(line: &[u8]) -> String {
    format!("it answered `{}`, which is not 1, 0 or ?", excerpt(line))
}

fn unasked(bytes: &[u8]) -> String {
    format!("it wrote `{}` to its standard output without being asked", excerpt(bytes))
}

fn excerpt(bytes: &[u8]) -> String {
    let shown = &bytes[..bytes.len().min(200)];
    format!("{}{}", shown.trim_ascii().escape_ascii(), if shown.len() < bytes.len() { "…" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes() {
        assert_eq!(parse(b" 1\r"), Some(Outcome::Interesting));
        assert_eq!(parse(b"uninteresting"), Some(Outcome::Uninteresting));
        assert_eq!(parse(b"?"), Some(Outcome::Unresolved(Unresolved::NotStarted)));
        for wrong in [&b""[..], b"2", b"01", b"yes", b"\xff"] {
            assert_eq!(parse(wrong), None);
        }
    }
}
