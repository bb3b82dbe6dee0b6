//! Keeps "text file busy" away from candidates that are programs.
//!
//! The system refuses to execute a file that somebody has open for writing. A child process has copies of all our
//! descriptors from the moment it is forked until it executes its program (close-on-exec means *exec*), so while one
//! worker starts its test, the half-written candidate of another worker is open in the new process as well. If that
//! candidate is closed, handed to its test and executed before the first child has come to its `exec`, the test sees
//! `ETXTBSY`: a wrong outcome that depends on timing and on the number of jobs.
//!
//! The cure: a worker that has written a candidate which looks executable waits until all starts that were under way
//! when it closed the file are over. All others pay for an uncontended read lock, some 20 ns.

use std::sync::{PoisonError, RwLock, RwLockReadGuard};

static STARTING: RwLock<()> = RwLock::new(());

/// To be held while a process is started.
pub(super) fn starting() -> RwLockReadGuard<'static, ()> {
    STARTING.read().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until no process is between fork and exec that was forked before this call.
pub(super) fn wait_for_starts() {
    drop(STARTING.write().unwrap_or_else(PoisonError::into_inner));
}

/// Whether a file that begins like this may well be executed directly.
pub(super) fn looks_executable(start: &[u8]) -> bool {
    start.starts_with(b"#!") || start.starts_with(b"\x7fELF")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        sync::atomic::{AtomicBool, Ordering},
        thread,
        time::Duration,
    };

    #[test]
    fn starts_that_are_under_way_are_waited_for() {
        let over = AtomicBool::new(false);
        let start = starting();
        thread::scope(|scope| {
            let writer = scope.spawn(|| {
                wait_for_starts();
                over.load(Ordering::SeqCst)
            });
            thread::sleep(Duration::from_millis(50));
            over.store(true, Ordering::SeqCst);
            drop(start);
            assert!(writer.join().unwrap());
        });
    }

    #[test]
    fn programs_and_scripts() {
        assert!(looks_executable(b"#!/bin/sh") && looks_executable(b"\x7fELF\x02"));
        assert!(!looks_executable(b"") && !looks_executable(b"#") && !looks_executable(b"int main"));
    }
}
