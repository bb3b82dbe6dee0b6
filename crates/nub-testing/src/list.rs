//! The list of the tests that one run of cargo has skipped.
//!
//! Each test program is a process of its own. What they have in common is the cargo that started them, so the list is a
//! file in the target directory that is named after that process.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    fmt::Write as _,
    fs::{self, File},
    io::Write as _,
    os::unix::process::parent_id,
    path::{Path, PathBuf},
};

/// Adds a test. If that fails, the line on the screen has to do.
pub(crate) fn add(test: &str, needs: &str) {
    let Some(path) = path() else { return };
    if let Some(folder) = path.parent() {
        let _ = fs::create_dir_all(folder);
    }
    // One write, because other processes may do the same.
    let line = format!("{needs}\t{test}\n");
    let _ = File::options().create(true).append(true).open(path).and_then(|mut file| file.write_all(line.as_bytes()));
}

/// What to print when all tests have run: those that were skipped, by what they need. Forgets the list.
pub fn closing_lines() -> String {
    let Some(path) = path() else { return summary("") };
    let list = fs::read_to_string(&path).unwrap_or_default();
    let _ = fs::remove_file(&path);
    if let (None, Some(folder)) = (env::var_os("NUB_SKIPPED"), path.parent()) {
        remove_old(folder);
    }
    summary(&list)
}

fn summary(list: &str) -> String {
    let mut needs: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (need, test) in list.lines().filter_map(|line| line.split_once('\t')) {
        needs.entry(need).or_default().insert(test);
    }
    let tests: BTreeSet<&str> = needs.values().flatten().copied().collect();
    let mut text = match tests.len() {
        0 => return "No test was skipped.\n".to_owned(),
        1 => "1 test was skipped.\n".to_owned(),
        count => format!("{count} tests were skipped.\n"),
    };
    for (need, tests) in needs {
        let _ = writeln!(text, "\nNeeds {need}:");
        tests.iter().for_each(|test| text.push_str(&format!("    {test}\n")));
    }
    text.push_str(
        "\nThe shared folder holds other projects' grammars, programs and recorded runs, which are not part of this repository.\n\
         Tests look for it beside the repository, or where NUB_SHARED says. With NUB_REQUIRE_SHARED=1 and NUB_REQUIRE_TOOLS=1,\n\
         tests fail instead of being skipped.\n",
    );
    text
}

/// The file of this run.
fn path() -> Option<PathBuf> {
    if let Some(path) = env::var_os("NUB_SKIPPED") {
        return Some(path.into());
    }
    // Test programs are in target/PROFILE/deps.
    let folder = env::current_exe().ok()?.parent()?.parent()?.join("skipped-tests");
    let (id, process) = cargo()?;
    Some(folder.join(format!("{id}-{}", process.start)))
}

/// A process as the system describes it.
struct Process {
    name: String,
    parent: u32,
    /// In ticks since the system was started. Tells apart processes that have had the same number.
    start: u64,
}

impl Process {
    fn find(id: u32) -> Option<Self> {
        Self::parse(&fs::read_to_string(format!("/proc/{id}/stat")).ok()?)
    }

    /// `ID (NAME) STATE PARENT …`, with the start as the 22nd field. A name may hold anything, also blanks and parentheses.
    fn parse(stat: &str) -> Option<Self> {
        let (name, rest) = stat.rsplit_once(") ")?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        Some(Self {
            name: name.split_once('(')?.1.to_owned(),
            parent: fields.get(1)?.parse().ok()?,
            start: fields.get(19)?.parse().ok()?,
        })
    }
}

/// The cargo that runs this test, also through another program (cargo's `runner`); without cargo, what started it.
fn cargo() -> Option<(u32, Process)> {
    let processes =
        std::iter::successors(Some(parent_id()), |&id| Some(Process::find(id)?.parent).filter(|&id| id != 0));
    let found = processes.filter_map(|id| Some((id, Process::find(id)?))).find(|(_, process)| process.name == "cargo");
    found.or_else(|| Some((parent_id(), Process::find(parent_id())?)))
}

/// Removes the lists of runs that have ended without closing lines, as those of a single package do.
fn remove_old(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let numbers = name.to_str().and_then(|name| name.split_once('-'));
        let is_running = numbers.is_some_and(|(id, start)| {
            let process = id.parse().ok().and_then(Process::find);
            process.is_some_and(|process| process.start.to_string() == start)
        });
        if !is_running {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_name_each_test_once() {
        let list =
            "gcc (install gcc)\ta::b\nthe shared folder\tc::d\ngcc (install gcc)\ta::b\ngcc (install gcc)\tc::d\n";
        let text = summary(list);
        let expected = "2 tests were skipped.\n\nNeeds gcc (install gcc):\n    a::b\n    c::d\n\nNeeds the shared folder:\n    c::d\n\n";
        assert!(text.starts_with(expected), "{text}");
        assert_eq!(summary(""), "No test was skipped.\n");
    }

    #[test]
    fn processes_are_described() {
        let fields: Vec<String> = (5..=52).map(|field| field.to_string()).collect();
        let process = Process::parse(&format!("7 (odd) name) S 4 {}\n", fields.join(" "))).unwrap();
        assert_eq!((process.name.as_str(), process.parent, process.start), ("odd) name", 4, 22));
        assert!(Process::find(std::process::id()).is_some_and(|process| process.parent == parent_id()));
    }

    #[test]
    fn lists_of_runs_that_have_ended_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let own = std::process::id();
        let start = Process::find(own).unwrap().start;
        let names =
            [format!("{own}-{start}"), format!("{own}-{}", start + 1), "4194999-1".to_owned(), "other".to_owned()];
        names.iter().for_each(|name| fs::write(folder.path().join(name), "").unwrap());
        remove_old(folder.path());
        let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, [names[0].as_str()]);
    }
}
