//! Kills everything that a tool has started.
//!
//! A signal to its process group is not enough: some tools start each test in a separate session, and when such a tool
//! is killed its tests continue. So this process asks to become the parent of all orphans below it ([`adopt`]); then
//! everything that is left of a tool is a descendant of this process.

use anyhow::{Result, bail};
use rustix::param::clock_ticks_per_second;
use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, set_child_subreaper, waitpid};
use std::{fs, thread, time::Duration};

/// An entry of the process table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Process {
    id: i32,
    parent: i32,
    /// Dead, but not waited for yet.
    zombie: bool,
}

impl Process {
    /// Reads `/proc/ID/stat`: the name, in parentheses, may contain anything.
    fn read(stat: &str) -> Option<Self> {
        let (id, rest) = stat.split_once(' ')?;
        let mut fields = rest.rsplit_once(')')?.1.split_whitespace();
        let zombie = matches!(fields.next()?, "Z" | "X");
        Some(Self { id: id.parse().ok()?, parent: fields.next()?.parse().ok()?, zombie })
    }
}

/// From now on, this process adopts every descendant whose parent dies.
pub(crate) fn adopt() -> Result<()> {
    Ok(set_child_subreaper(Some(getpid()))?)
}

/// Waits for all dead children but one; otherwise they would fill the process table.
pub(crate) fn reap_all_but(child: Pid) -> Result<()> {
    let me = getpid().as_raw_nonzero().get();
    for process in table()?.iter().filter(|process| process.parent == me && process.zombie) {
        if let Some(id) = Pid::from_raw(process.id).filter(|&id| id != child) {
            // How it ended does not matter.
            let _ = waitpid(Some(id), WaitOptions::NOHANG);
        }
    }
    Ok(())
}

/// Kills all descendants of this process, and returns how many there were. All its children must have been waited for.
pub(crate) fn sweep() -> Result<usize> {
    let me = getpid().as_raw_nonzero().get();
    let mut killed = 0;
    for _ in 0..500 {
        let left = descendants(me, &table()?);
        if left.is_empty() {
            return Ok(killed);
        }
        for process in left {
            let Some(id) = Pid::from_raw(process.id) else { continue };
            if process.zombie {
                let _ = waitpid(Some(id), WaitOptions::NOHANG);
            } else if kill_process(id, Signal::KILL).is_ok() {
                killed += 1;
            }
        }
        thread::sleep(Duration::from_millis(10));
    }
    bail!("some processes of a tool cannot be killed")
}

/// The processor time, in seconds, of all descendants that have ended, which does not depend on the load of the
/// machine.
pub(crate) fn time_of_dead_descendants() -> Result<f64> {
    let ticks = ticks_of_dead_descendants(&fs::read_to_string("/proc/self/stat")?).unwrap_or(0);
    Ok(ticks as f64 / clock_ticks_per_second() as f64)
}

/// Fields 16 and 17 of `/proc/self/stat` as `proc(5)` counts them; the first after the name is field 3.
fn ticks_of_dead_descendants(stat: &str) -> Option<u64> {
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(13);
    Some(fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?)
}

fn table() -> Result<Vec<Process>> {
    let folders = fs::read_dir("/proc")?.filter_map(|entry| Some(entry.ok()?.path().join("stat")));
    // Processes may have ended meanwhile.
    Ok(folders.filter_map(|path| Process::read(&fs::read_to_string(path).ok()?)).collect())
}

/// The children of a process, their children, and so on.
fn descendants(of: i32, table: &[Process]) -> Vec<Process> {
    let mut found: Vec<Process> = table.iter().filter(|process| process.parent == of).copied().collect();
    let mut next = 0;
    while let Some(parent) = found.get(next).map(|process| process.id) {
        found.extend(table.iter().filter(|process| process.parent == parent));
        next += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_look_like_fields() {
        let process = Process::read("71 (a) Z 1 (b) S 70 71 71 0 -1").unwrap();
        assert_eq!(process, Process { id: 71, parent: 70, zombie: false });
        assert!(Process::read("71 (a) Z 70 1").unwrap().zombie);
        assert_eq!(Process::read("71"), None);
    }

    #[test]
    fn time_includes_user_and_system_time() {
        let stat = "71 (a b) S 4 5 6 7 8 9 10 11 12 13 14 15 1600 17 18 19 20";
        assert_eq!(ticks_of_dead_descendants(stat), Some(1617));
    }

    #[test]
    fn descendants_at_any_depth() {
        let process = |id, parent| Process { id, parent, zombie: false };
        let table = [process(5, 4), process(2, 1), process(3, 2), process(4, 2), process(9, 8), process(1, 0)];
        let ids: Vec<i32> = descendants(2, &table).iter().map(|process| process.id).collect();
        assert_eq!(ids, [3, 4, 5]);
    }
}
