//! Telling a running test that nobody needs its outcome any more.

use rustix::event::{EventfdFlags, eventfd};
use std::{
    io,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    sync::atomic::{AtomicBool, Ordering},
};

/// A flag that can be waited for: a worker blocked in `poll` on its child wakes up at once when it is set.
#[derive(Debug)]
pub struct Cancel {
    set: AtomicBool,
    event: OwnedFd,
}

impl Cancel {
    /// A flag that is not set.
    pub fn new() -> io::Result<Self> {
        Ok(Self { set: AtomicBool::new(false), event: eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)? })
    }

    /// Sets the flag and wakes whoever polls [`fd`](Self::fd). Can be called any number of times.
    pub fn cancel(&self) {
        self.set.store(true, Ordering::Release);
        // The counter cannot overflow in practice, and a full counter is readable, which is all that is needed.
        let _ = rustix::io::write(&self.event, &1u64.to_ne_bytes());
    }

    /// Clears the flag, for the next test of the same worker.
    pub fn reset(&self) {
        if self.set.swap(false, Ordering::AcqRel) {
            let _ = rustix::io::read(&self.event, &mut [0u8; 8]);
        }
    }

    /// Whether the flag is set.
    pub fn is_cancelled(&self) -> bool {
        self.set.load(Ordering::Acquire)
    }

    /// Becomes readable when the flag is set.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.event.as_fd()
    }
}
