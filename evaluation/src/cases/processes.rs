//! Ending all that a tool has started.
//!
//! A signal to its process group is not enough: some tools start each test in a session of its own, and when such a tool
//! is killed its tests go on. So this process asks to become the parent of all orphans below it ([`adopt`]); then what
//! is left of a tool are this process's descendants, wherever they have gone.

use anyhow::{Result, bail};
use rustix::param::clock_ticks_per_second;
use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, set_child_subreaper, waitpid};
use std::{fs, thread, time::Duration};

/// A line of the table of processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Process {
    id: i32,
    parent: i32,
    /// Dead, but nobody has asked yet how it ended.
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

/// From now on, a process below this one whose parent dies is this one's child.
pub(crate) fn adopt() -> Result<()> {
    Ok(set_child_subreaper(Some(getpid()))?)
}

/// Takes note of the death of all children but one; otherwise they would fill the table of processes.
pub(crate) fn reap_all_but(child: Pid) -> Result<()> {
    let me = getpid().as_raw_nonzero().get();
    for process in table()?.iter().filter(|process| process.parent == me && process.zombie) {
        if let Some(id) = Pid::from_raw(process.id).filter(|&id| id != child) {
            // Its death is all that there is to know of it.
            let _ = waitpid(Some(id), WaitOptions::NOHANG);
        }
    }
    Ok(())
}

/// Kills all descendants of this process, and says how many there were. Only when all its children have been waited for.
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

/// The processor time, in seconds, of all descendants that have ended: however busy the machine is with other things.
pub(crate) fn time_of_the_dead() -> Result<f64> {
    let ticks = ticks_of_the_dead(&fs::read_to_string("/proc/self/stat")?).unwrap_or(0);
    Ok(ticks as f64 / clock_ticks_per_second() as f64)
}

/// Of `/proc/self/stat`: the fields 16 and 17 as `proc(5)` counts them, of which the third is the first behind the name.
fn ticks_of_the_dead(stat: &str) -> Option<u64> {
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(13);
    Some(fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?)
}

fn table() -> Result<Vec<Process>> {
    let folders = fs::read_dir("/proc")?.filter_map(|entry| Some(entry.ok()?.path().join("stat")));
    // What has gone meanwhile has gone.
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
    fn time_is_that_of_programs_and_of_the_kernel_for_them() {
        let stat = "71 (a b) S 4 5 6 7 8 9 10 11 12 13 14 15 1600 17 18 19 20";
        assert_eq!(ticks_of_the_dead(stat), Some(1617));
    }

    #[test]
    fn descendants_at_any_depth() {
        let process = |id, parent| Process { id, parent, zombie: false };
        let table = [process(5, 4), process(2, 1), process(3, 2), process(4, 2), process(9, 8), process(1, 0)];
        let ids: Vec<i32> = descendants(2, &table).iter().map(|process| process.id).collect();
        assert_eq!(ids, [3, 4, 5]);
    }
}
