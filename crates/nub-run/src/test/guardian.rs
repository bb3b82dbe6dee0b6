//! A second process that cleans up when nub cannot.
//!
//! A process killed with `kill -9`, by the out-of-memory killer, or by a bug, cleans up nothing: its tests would
//! continue to run, and its scratch directory would stay in memory until the next boot. So nub starts a small second
//! process, itself in another role, that only reads from a pipe whose other end nub holds. When nub ends, for whatever
//! reason, the pipe is closed. If nub has not reported by then that it has cleaned up, the guardian kills everything
//! marked as a test of that run and removes the directory.
//!
//! It has its own process group, so that Ctrl-C, which the terminal sends to nub's whole group, does not reach it.

use super::{
    descendants,
    mark::{self, Stat},
    remove,
};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use std::{
    ffi::OsStr,
    io::{self, Read as _, Write as _},
    os::unix::{ffi::OsStrExt as _, process::CommandExt as _},
    path::Path,
    process::{Child, ChildStdin, Command, ExitCode, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Written by nub when it has cleaned up itself.
const DONE: u8 = b'.';
/// How long the guardian keeps trying when processes do not die or the directory cannot be removed.
const PATIENCE: Duration = Duration::from_secs(30);

/// The guardian of a run, as nub sees it.
#[derive(Debug)]
pub struct Guardian {
    process: Child,
    pipe: Option<ChildStdin>,
}

impl Guardian {
    /// Starts the guardian. `command` must call [`guardian_main`] with the two arguments that are appended to it: the
    /// directory and the number of the run. The executable should be named by an absolute path
    /// ([`std::env::current_exe`]).
    pub fn start(mut command: Command, scratch: &Path, run_id: &str) -> io::Result<Self> {
        command.arg(scratch).arg(run_id).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        command.process_group(0);
        let mut process = descendants::spawn_protected(&mut command)?;
        let pipe = process.stdin.take();
        Ok(Self { process, pipe })
    }

    /// Tells the guardian that there is nothing left to do, and waits for it to exit. Call this after the scratch
    /// directory and the tests are gone. Dropping it does the same.
    pub fn finish(self) {}

    /// Its process ID.
    pub fn id(&self) -> u32 {
        self.process.id()
    }
}

impl Drop for Guardian {
    fn drop(&mut self) {
        if let Some(mut pipe) = self.pipe.take() {
            let _ = pipe.write_all(&[DONE]);
        }
        descendants::end_protected(&mut self.process, Duration::from_secs(2));
    }
}

/// The whole life of the guardian: waits on standard input for the end of nub, then cleans up what is left of the run
/// `run_id` with the scratch directory `directory`.
pub fn guardian_main(directory: &OsStr, run_id: &str) -> ExitCode {
    let directory = Path::new(directory);
    // So that the guardian does not keep a file system from being unmounted.
    let _ = std::env::set_current_dir("/");
    // It removes the directory that it is given, so make sure that it is one of ours.
    let plausible = directory.is_absolute() && directory.file_name().is_some_and(|n| n.as_bytes().starts_with(b"nub-"));
    if !plausible || mark::processes_of(run_id).is_err() {
        return ExitCode::from(2);
    }
    let mut said = Vec::new();
    // An error counts as the end, too.
    let _ = io::stdin().lock().read_to_end(&mut said);
    if said.contains(&DONE) {
        return ExitCode::SUCCESS;
    }
    let deadline = Instant::now() + PATIENCE;
    let mut pause = Duration::from_millis(1);
    // Remove the directory only when the tests are dead, and check again afterwards: they may start others meanwhile.
    while !(kill_all(run_id, directory)
        && remove::remove(directory).is_ok()
        && kill_all(run_id, directory)
        && !directory.exists())
    {
        if Instant::now() >= deadline {
            return ExitCode::FAILURE;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(100));
    }
    ExitCode::SUCCESS
}

/// Kills what is left of a run; returns whether nothing was left.
fn kill_all(run_id: &str, directory: &Path) -> bool {
    let belongs = |process: i32| {
        // A daemon without a mark still has the working directory in which it was started. So may a shell of a user who
        // looks at what happens there, but that has a terminal.
        let works_there = || {
            mark::directory_of(process).is_some_and(|here| here.starts_with(directory))
                && Stat::of(process).is_some_and(|stat| !stat.has_terminal)
        };
        mark::belongs(process, run_id) || works_there()
    };
    let Ok(processes) = mark::all_processes() else { return false };
    let mut none = true;
    for process in processes {
        // Its number may pass to another process at any time, so first get hold of the process, then check whether it
        // belongs to the run.
        if let Some(pid) = Pid::from_raw(process)
            && let Ok(pidfd) = pidfd_open(pid, PidfdFlags::empty())
            && belongs(process)
            && !mark::is_dead(process)
        {
            let _ = pidfd_send_signal(&pidfd, Signal::KILL);
            none = false;
        }
    }
    none
}
