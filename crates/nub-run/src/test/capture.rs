//! The output of a process, in bounded memory.
//!
//! A test may print a gigabyte; it must neither block on a full pipe nor fill our memory. People look for something
//! either at the start (the first error) or at the end (the stack trace), so both are kept and the middle is dropped.

use rustix::{
    fs::{OFlags, fcntl_getfl, fcntl_setfl},
    io::Errno,
};
use std::{
    borrow::Cow,
    io,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
};

/// How many bytes are kept from the start and from the end of the output.
const HEAD: usize = 512 << 10;
const TAIL: usize = 512 << 10;

/// The largest pipe that an ordinary user can create, hence the most that it can hold when its writer is dead. Reading
/// more than this after the end would mean following a daemon that keeps writing.
const FULL_PIPE: usize = 1 << 20;

/// The start and the end of a stream of bytes.
#[derive(Debug)]
pub(super) struct HeadTail {
    head: Vec<u8>,
    tail: Vec<u8>,
    /// The position of the oldest byte in `tail`, once that is full.
    oldest: usize,
    dropped: u64,
    head_size: usize,
    tail_size: usize,
}

impl HeadTail {
    pub(super) fn new(head_size: usize, tail_size: usize) -> Self {
        Self { head: Vec::new(), tail: Vec::new(), oldest: 0, dropped: 0, head_size, tail_size }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        let to_head = bytes.len().min(self.head_size - self.head.len());
        let (head, bytes) = bytes.split_at(to_head);
        self.head.extend_from_slice(head);
        let skipped = bytes.len().saturating_sub(self.tail_size);
        self.dropped += skipped as u64;
        let mut bytes = &bytes[skipped..];
        let to_grow = bytes.len().min(self.tail_size - self.tail.len());
        self.tail.extend_from_slice(&bytes[..to_grow]);
        bytes = &bytes[to_grow..];
        self.dropped += bytes.len() as u64;
        while !bytes.is_empty() {
            let here = bytes.len().min(self.tail.len() - self.oldest);
            self.tail[self.oldest..self.oldest + here].copy_from_slice(&bytes[..here]);
            self.oldest = (self.oldest + here) % self.tail.len();
            bytes = &bytes[here..];
        }
    }

    /// The start, a note about what is missing, and the end.
    pub(super) fn text(&self) -> Cow<'_, [u8]> {
        if self.tail.is_empty() {
            return Cow::Borrowed(&self.head);
        }
        let mut text = self.head.clone();
        if self.dropped > 0 {
            text.extend_from_slice(format!("\n[... {} bytes left out ...]\n", self.dropped).as_bytes());
        }
        text.extend_from_slice(&self.tail[self.oldest..]);
        text.extend_from_slice(&self.tail[..self.oldest]);
        Cow::Owned(text)
    }
}

/// The reading end of a pipe from a process, and what was read from it.
#[derive(Debug)]
pub(super) struct Captured {
    pipe: OwnedFd,
    open: bool,
    pub(super) kept: HeadTail,
}

impl Captured {
    /// Keeps as much as conditions and people may want to see.
    pub(super) fn new(pipe: impl Into<OwnedFd>) -> io::Result<Self> {
        Self::keeping(pipe, HeadTail::new(HEAD, TAIL))
    }

    pub(super) fn keeping(pipe: impl Into<OwnedFd>, kept: HeadTail) -> io::Result<Self> {
        let pipe = pipe.into();
        set_nonblocking(&pipe)?;
        Ok(Self { pipe, open: true, kept })
    }

    /// The descriptor to poll, unless the other end is closed.
    pub(super) fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.open.then(|| self.pipe.as_fd())
    }

    /// Reads what is available, at most one buffer full, so that a fast writer cannot keep us from checking the time.
    pub(super) fn take(&mut self, buffer: &mut [u8]) -> usize {
        loop {
            match rustix::io::read(&self.pipe, &mut *buffer) {
                Ok(n) if n > 0 => {
                    self.kept.push(&buffer[..n]);
                    return n;
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return 0,
                _ => {
                    self.open = false;
                    return 0;
                }
            }
        }
    }

    /// Reads everything that was written before the process ended, without waiting for others that still hold the pipe
    /// open.
    pub(super) fn finish(&mut self, buffer: &mut [u8]) {
        let mut taken = 0;
        while self.open && taken < FULL_PIPE {
            match self.take(buffer) {
                0 => break,
                n => taken += n,
            }
        }
    }
}

pub(super) fn set_nonblocking(fd: &OwnedFd) -> io::Result<()> {
    Ok(fcntl_setfl(fd, fcntl_getfl(fd)? | OFlags::NONBLOCK)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(head: usize, tail: usize, chunks: &[&[u8]]) -> String {
        let mut h = HeadTail::new(head, tail);
        for chunk in chunks {
            h.push(chunk);
        }
        String::from_utf8(h.text().to_vec()).unwrap()
    }

    #[test]
    fn output_that_fits_is_kept_unchanged() {
        assert_eq!(kept(4, 4, &[]), "");
        assert_eq!(kept(4, 4, &[b"abcdefgh"]), "abcdefgh");
        assert_eq!(kept(4, 4, &[b"abc", b"def", b"gh"]), "abcdefgh");
    }

    #[test]
    fn the_middle_is_dropped() {
        let expected = |n: usize, tail: &str| format!("abcd\n[... {n} bytes left out ...]\n{tail}");
        assert_eq!(kept(4, 4, &[b"abcdefghi"]), expected(1, "fghi"));
        assert_eq!(kept(4, 4, &[b"abcd", b"efg", b"hijk", b"lm"]), expected(5, "jklm"));
        assert_eq!(kept(4, 4, &[b"abcdefghijklmnopqrstuvwxyz"]), expected(18, "wxyz"));
        assert_eq!(kept(0, 3, &[b"abcde"]), "\n[... 2 bytes left out ...]\ncde");
    }

    #[test]
    fn agrees_with_the_obvious_implementation() {
        for step in 1..40usize {
            let all: Vec<u8> = (0..200u8).collect();
            let mut h = HeadTail::new(17, 29);
            for chunk in all.chunks(step) {
                h.push(chunk);
            }
            let mut expected = all[..17].to_vec();
            expected.extend_from_slice(format!("\n[... {} bytes left out ...]\n", 200 - 17 - 29).as_bytes());
            expected.extend_from_slice(&all[200 - 29..]);
            assert_eq!(*h.text(), expected);
        }
    }
}
