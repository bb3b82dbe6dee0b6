//! Recognising the processes of a test, wherever they are.
//!
//! A process can leave its group and its session, lose its parent and change its name. To find it nevertheless, every
//! test is marked twice with the number of its run and its own number:
//!
//! - with the environment variable `NUB_TEST=<run>.<test>`. It is set from the start, but programs can clear it (`env
//!   -i`, `sudo`) or overwrite it (daemons that change their title), and it is briefly invisible while a process
//!   executes another program;
//! - with a *resource limit*. Limits are inherited by all descendants, through `fork`, `exec` and `setsid`, and almost
//!   no program touches the limit on "CPU time without a blocking call under real-time scheduling", which is unlimited
//!   everywhere. Set to a number of microseconds in the order of 180 000 years, it limits nothing; its lower digits are
//!   our mark. It is readable in `/proc/PID/limits` even for a zombie.
//!
//! When a test runs nub itself, the variable of the inner nub's tests is `<outer>/<inner>`: each nub finds its own
//! tests.

use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};
use std::{
    env,
    ffi::{OsStr, OsString},
    fs::{self, File},
    io::{self, Read as _},
    os::unix::ffi::OsStrExt,
    path::PathBuf,
    sync::LazyLock,
};

/// The name of the environment variable.
pub(super) const VARIABLE: &str = "NUB_TEST";

/// 28 bits each for the run and the test, below a byte that identifies a mark.
const BITS: u32 = 28;
const MASK: u32 = (1 << BITS) - 1;
const MAGIC: u64 = 0x4E << 56;

/// The test that a process belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Mark {
    pub(super) run: u32,
    pub(super) test: u32,
}

impl Mark {
    pub(super) fn new(run: u32, test: u32) -> Self {
        Self { run: run & MASK, test: test & MASK }
    }

    /// The resource limit that carries the mark.
    fn to_limit(self) -> u64 {
        MAGIC | u64::from(self.run) << BITS | u64::from(self.test)
    }

    #[allow(clippy::cast_possible_truncation)]
    fn from_limit(limit: u64) -> Option<Self> {
        (limit & 0xFF << 56 == MAGIC).then(|| Self::new((limit >> BITS) as u32, limit as u32))
    }

    /// The value of the environment variable, appended to its value in our own environment.
    pub(super) fn to_tag(self) -> OsString {
        let mut tag = env::var_os(VARIABLE).filter(|outer| !outer.is_empty()).unwrap_or_default();
        if !tag.is_empty() {
            tag.push("/");
        }
        tag.push(format!("{}.{}", run_id(self.run), self.test));
        tag
    }
}

/// The name of a run in tags and on the command line of the guardian.
pub(super) fn run_id(run: u32) -> String {
    format!("{:07x}", run & MASK)
}

fn parse_run_id(id: &str) -> Option<u32> {
    u32::from_str_radix(id, 16).ok().filter(|run| *run <= MASK && *id == run_id(*run))
}

/// Marks a process and everything it will start. Does nothing if that limit is not unlimited.
pub(super) fn set(process: Pid, mark: Mark) {
    static UNLIMITED: LazyLock<bool> = LazyLock::new(|| getrlimit(Resource::Rttime).maximum.is_none());
    if *UNLIMITED {
        // Fails for programs that run as another user (setuid), but we could not kill those either.
        let _ = prlimit(Some(process), Resource::Rttime, Rlimit { current: Some(mark.to_limit()), maximum: None });
    }
}

/// The mark with which this process was itself started, if it is part of a test of an outer nub.
pub(super) fn own() -> Option<Mark> {
    getrlimit(Resource::Rttime).current.and_then(Mark::from_limit)
}

/// The mark in the limits of a process, dead or alive.
pub(super) fn of_limits(process: i32) -> Option<Mark> {
    let limits = read(process, "limits")?;
    let line = limits.split(|byte| *byte == b'\n').find(|line| line.starts_with(b"Max realtime timeout"))?;
    let soft = std::str::from_utf8(line).ok()?.split_ascii_whitespace().nth(3)?;
    Mark::from_limit(soft.parse().ok()?)
}

/// The mark of `run` in the environment of a process. A zombie has none.
pub(super) fn of_environment(process: i32, run: u32) -> Option<Mark> {
    let environment = read(process, "environ")?;
    let id = run_id(run);
    environment
        .split(|byte| *byte == 0)
        .filter_map(|entry| entry.strip_prefix(VARIABLE.as_bytes())?.strip_prefix(b"="))
        .flat_map(|tags| tags.split(|byte| *byte == b'/'))
        .filter_map(|tag| std::str::from_utf8(tag).ok()?.split_once('.'))
        .find_map(|(run_part, test)| (run_part == id).then(|| test.parse().ok())?)
        .map(|test| Mark::new(run, test))
}

/// The mark of `run` that a process carries in either way.
pub(super) fn of(process: i32, run: u32) -> Option<Mark> {
    // The limit first: it is cheaper to read and harder to lose.
    of_limits(process).filter(|mark| mark.run == run).or_else(|| of_environment(process, run))
}

/// All living processes on this system that belong to tests of a run.
pub fn processes_of(run_id: &str) -> io::Result<Vec<i32>> {
    let wrong = || io::Error::new(io::ErrorKind::InvalidInput, format!("`{run_id}` is not a run number"));
    let run = parse_run_id(run_id).ok_or_else(wrong)?;
    let me = rustix::process::getpid().as_raw_pid();
    let mut found = all_processes()?;
    found.retain(|process| *process != me && of(*process, run).is_some() && !is_dead(*process));
    Ok(found)
}

/// Whether a process belongs to a test of a run.
pub(super) fn belongs(process: i32, run_id: &str) -> bool {
    parse_run_id(run_id).is_some_and(|run| of(process, run).is_some())
}

/// The numbers of all processes.
pub(super) fn all_processes() -> io::Result<Vec<i32>> {
    let mut processes = Vec::new();
    for entry in fs::read_dir("/proc")? {
        let name = entry?.file_name();
        if let Some(process) = std::str::from_utf8(name.as_bytes()).ok().and_then(|name| name.parse().ok()) {
            processes.push(process);
        }
    }
    Ok(processes)
}

/// A file in `/proc` about a process. Reads it in one piece, since the standard library starts with 32 bytes at a time.
fn read(process: i32, what: &str) -> Option<Vec<u8>> {
    let mut file = File::open(format!("/proc/{process}/{what}")).ok()?;
    let mut text = vec![0; 4096];
    let mut filled = 0;
    loop {
        match file.read(&mut text[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
        if filled == text.len() {
            text.resize(2 * filled, 0);
        }
    }
    text.truncate(filled);
    Some(text)
}

/// Some fields of `/proc/PID/stat`.
pub(super) struct Stat {
    state: u8,
    pub(super) parent: i32,
    /// Whether it has a controlling terminal, and so perhaps a user.
    pub(super) has_terminal: bool,
}

impl Stat {
    pub(super) fn of(process: i32) -> Option<Self> {
        let stat = read(process, "stat")?;
        // The name of the program, in parentheses, may contain anything, including parentheses and spaces.
        let after_name = &stat[stat.iter().rposition(|byte| *byte == b')')? + 1..];
        let fields: Vec<_> = std::str::from_utf8(after_name).ok()?.split_ascii_whitespace().take(5).collect();
        let [state, parent, _group, _session, terminal] = fields[..] else { return None };
        Some(Self { state: *state.as_bytes().first()?, parent: parent.parse().ok()?, has_terminal: terminal != "0" })
    }
}

/// The children that the main thread of a process started.
pub(super) fn children_of(process: i32) -> Vec<i32> {
    let list = read(process, &format!("task/{process}/children")).unwrap_or_default();
    list.split(|byte| *byte == b' ').filter_map(|pid| std::str::from_utf8(pid).ok()?.parse().ok()).collect()
}

/// The working directory of a process, even if it has been removed.
pub(super) fn directory_of(process: i32) -> Option<PathBuf> {
    let directory = fs::read_link(format!("/proc/{process}/cwd")).ok()?;
    match directory.as_os_str().as_bytes().strip_suffix(b" (deleted)") {
        Some(before) => Some(PathBuf::from(OsStr::from_bytes(before))),
        None => Some(directory),
    }
}

pub(super) fn is_dead(process: i32) -> bool {
    Stat::of(process).is_none_or(|stat| matches!(stat.state, b'Z' | b'X' | b'x'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn limits_carry_marks() {
        for mark in [Mark::new(0, 0), Mark::new(MASK, 1), Mark::new(0x0123_4567, MASK), Mark::new(u32::MAX, u32::MAX)] {
            assert_eq!(Mark::from_limit(mark.to_limit()), Some(mark));
            assert_eq!(parse_run_id(&run_id(mark.run)), Some(mark.run));
        }
        for limit in [0, 1, 200_000, u64::MAX, u64::MAX >> 1] {
            assert_eq!(Mark::from_limit(limit), None);
        }
        for id in ["", "1", "xxxxxxx", "12345678", "+123456"] {
            assert_eq!(parse_run_id(id), None, "{id}");
        }
    }

    #[test]
    fn both_marks_are_found_and_only_those_of_the_run() {
        // A number that another copy of this test on the same machine does not use.
        let run = std::process::id();
        let mark = Mark::new(run, 77);
        let mut tagged =
            Command::new("sleep").arg("100").env(VARIABLE, format!("0000001.3/{}.77/x", run_id(run))).spawn().unwrap();
        let mut limited = Command::new("sleep").arg("100").env_remove(VARIABLE).spawn().unwrap();
        set(Pid::from_raw(limited.id() as i32).unwrap(), mark);
        // The environment of a process that is just being started is not visible yet.
        while of(tagged.id() as i32, run).is_none() {
            std::thread::yield_now();
        }
        for process in [tagged.id() as i32, limited.id() as i32] {
            assert_eq!(of(process, run), Some(mark));
            assert_eq!(of(process, run + 1), None);
        }
        let mut found = processes_of(&run_id(run)).unwrap();
        found.sort_unstable();
        let mut expected = vec![tagged.id() as i32, limited.id() as i32];
        expected.sort_unstable();
        assert_eq!(found, expected);
        tagged.kill().unwrap();
        limited.kill().unwrap();
        while !is_dead(limited.id() as i32) {
            std::thread::yield_now();
        }
        assert_eq!(of(limited.id() as i32, run), Some(mark), "a zombie keeps its limits");
        tagged.wait().unwrap();
        limited.wait().unwrap();
        assert!(processes_of(&run_id(run)).unwrap().is_empty());
    }
}
