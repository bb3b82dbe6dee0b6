//! Ctrl-C, SIGTERM and SIGHUP stop the run and leave its best result in place.

use nub_run::{Interrupt, test::Cancel};
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    iterator::Signals,
};
use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicI32, Ordering},
    },
    thread,
};

/// Stops the run when a signal arrives.
#[derive(Clone)]
pub struct Brake {
    /// Stops the search.
    pub interrupt: Interrupt,
    /// Stops a test that nub runs outside the search.
    pub cancel: Arc<Cancel>,
    signal: Arc<AtomicI32>,
}

impl Brake {
    /// Starts to listen for signals. The first signal stops the run in an orderly way; the second ends the process at
    /// once, and its guardian cleans up.
    pub fn install() -> io::Result<Self> {
        let brake =
            Self { interrupt: Interrupt::new(), cancel: Arc::new(Cancel::new()?), signal: Arc::new(AtomicI32::new(0)) };
        let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
        let shared = brake.clone();
        thread::Builder::new().name("signals".to_owned()).spawn(move || {
            for signal in signals.forever() {
                if shared.signal.swap(signal, Ordering::SeqCst) != 0 {
                    std::process::exit(128 + signal);
                }
                shared.cancel.cancel();
                shared.interrupt.trigger();
            }
        })?;
        Ok(brake)
    }

    /// The signal that arrived.
    pub fn signal(&self) -> Option<i32> {
        Some(self.signal.load(Ordering::SeqCst)).filter(|&signal| signal != 0)
    }
}
