//! Shared by the end-to-end tests: a place with an input and a test script, where the real `nub` runs.
#![allow(dead_code, unreachable_pub, reason = "every test file uses a part of it")]

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::{
    ffi::{OsStr, OsString},
    fs::{self, File},
    os::unix::{
        ffi::{OsStrExt, OsStringExt},
        process::ExitStatusExt,
    },
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

/// No run here takes that long, even on a machine that does twenty other things.
pub const DEADLINE: Duration = Duration::from_secs(300);

/// The environment variable that all processes of a [`Place`] inherit.
const TAG: &str = "NUB_TEST_PLACE";

/// The script that most tests use: a candidate is interesting if it contains both words.
pub const APPLE_AND_PEAR: &str = "grep -q apple \"$1\" && grep -q pear \"$1\"";

/// `count` lines; [`APPLE_AND_PEAR`] needs two of them.
pub fn fruit(count: usize) -> Vec<u8> {
    let line = |i| match i {
        _ if i == count / 3 => "an apple a day\n".to_owned(),
        _ if i == 2 * count / 3 => "a pear tree\n".to_owned(),
        _ => format!("line {i}\n"),
    };
    (0..count).map(line).collect::<String>().into_bytes()
}

/// The result of reducing [`fruit`].
pub const FRUIT: &[u8] = b"applepear";

/// A directory for one test: files are in `work`, nub's working directory, and candidates in `tmp`. When it is dropped,
/// no process of any run may be left, and nothing in `tmp` except the directories that nub keeps on purpose.
pub struct Place {
    root: tempfile::TempDir,
    tag: String,
    runs: AtomicUsize,
}

impl Place {
    /// A place with an input file.
    pub fn new(input: impl AsRef<OsStr>, content: impl AsRef<[u8]>) -> Self {
        // In memory if possible: these tests are about processes and files, not about disks.
        let shm = Path::new("/dev/shm");
        let root = if shm.is_dir() { tempfile::tempdir_in(shm) } else { tempfile::tempdir() };
        Self::in_directory(root.unwrap(), input, content)
    }

    /// The same on a disk, for inputs that are too large for memory.
    pub fn on_disk(input: &str, content: impl AsRef<[u8]>) -> Self {
        Self::in_directory(tempfile::tempdir().unwrap(), input, content)
    }

    fn in_directory(root: tempfile::TempDir, input: impl AsRef<OsStr>, content: impl AsRef<[u8]>) -> Self {
        static PLACES: AtomicUsize = AtomicUsize::new(0);
        let tag = format!("{}-{}", std::process::id(), PLACES.fetch_add(1, Ordering::Relaxed));
        let place = Self { root, tag, runs: AtomicUsize::new(0) };
        for directory in ["work", "tmp", "notes"] {
            fs::create_dir(place.root.path().join(directory)).unwrap();
        }
        place.write(input, content);
        place
    }

    /// The usual case: `in.txt` with fruit, and `test.sh` that looks for it.
    pub fn with_fruit(lines: usize) -> Self {
        let place = Self::new("in.txt", fruit(lines));
        place.script(APPLE_AND_PEAR);
        place
    }

    pub fn work(&self) -> PathBuf {
        self.root.path().join("work")
    }

    pub fn tmp(&self) -> PathBuf {
        self.root.path().join("tmp")
    }

    /// A file that scripts can write notes to; `$N` is its directory in scripts.
    pub fn note(&self, name: &str) -> PathBuf {
        self.root.path().join("notes").join(name)
    }

    pub fn notes(&self, name: &str) -> String {
        fs::read_to_string(self.note(name)).unwrap_or_default()
    }

    pub fn path(&self, name: impl AsRef<OsStr>) -> PathBuf {
        self.work().join(name.as_ref())
    }

    pub fn write(&self, name: impl AsRef<OsStr>, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    pub fn read(&self, name: impl AsRef<OsStr>) -> Vec<u8> {
        let path = self.path(name);
        fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    pub fn exists(&self, name: impl AsRef<OsStr>) -> bool {
        self.path(name).symlink_metadata().is_ok()
    }

    /// The names of all files in the working directory.
    pub fn files(&self) -> Vec<String> {
        list(&self.work())
    }

    /// Writes `test.sh`, a shell script that finds the candidate in `$1`.
    pub fn script(&self, body: &str) {
        self.script_named("test.sh", body);
    }

    pub fn script_named(&self, name: &str, body: &str) {
        let notes = self.root.path().join("notes");
        self.program(name, &format!("#!/bin/sh\nN='{}'\n{body}\n", notes.display()));
    }

    /// Writes an executable file.
    pub fn program(&self, name: &str, text: &str) {
        // Another process writes it: a copy of the descriptor in a concurrently forked child would make the file busy.
        let source = self.note(&format!("{name}.source"));
        fs::write(&source, text).unwrap();
        let done = Command::new("install").args(["-m", "755"]).arg(&source).arg(self.path(name)).status();
        assert!(done.unwrap().success());
        fs::remove_file(source).unwrap();
    }

    /// `nub` with these arguments, not yet started.
    pub fn command<S: AsRef<OsStr>>(&self, args: &[S]) -> Command {
        self.tagged(env!("CARGO_BIN_EXE_nub"), args)
    }

    /// Any program, in the working directory, with the tag that identifies its processes.
    pub fn tagged<S: AsRef<OsStr>>(&self, program: &str, args: &[S]) -> Command {
        let mut command = Command::new(program);
        command.args(args).current_dir(self.work()).env(TAG, &self.tag).env("TMPDIR", self.tmp()).stdin(Stdio::null());
        command
    }

    /// Runs nub to its end.
    #[track_caller]
    pub fn nub<S: AsRef<OsStr>>(&self, args: &[S]) -> Ran {
        self.run(self.command(args))
    }

    /// Runs nub to its end, which must be a success.
    #[track_caller]
    pub fn nub_ok<S: AsRef<OsStr>>(&self, args: &[S]) -> Ran {
        let ran = self.nub(args);
        ran.expect(0);
        ran
    }

    #[track_caller]
    pub fn run(&self, command: Command) -> Ran {
        self.start_command(command).wait()
    }

    pub fn start<S: AsRef<OsStr>>(&self, args: &[S]) -> Running {
        self.start_command(self.command(args))
    }

    pub fn start_command(&self, mut command: Command) -> Running {
        // Files rather than pipes, so that waiting does not require reading at the same time.
        let run = self.runs.fetch_add(1, Ordering::Relaxed);
        let (stdout, stderr) = (self.note(&format!("stdout.{run}")), self.note(&format!("stderr.{run}")));
        command.stdout(File::create(&stdout).unwrap()).stderr(File::create(&stderr).unwrap());
        Running { child: command.spawn().unwrap(), stdout, stderr }
    }

    /// The living processes of all runs of nub in this place, nub and its guardian included.
    pub fn processes(&self) -> Vec<(i32, String)> {
        let entry = format!("{TAG}={}", self.tag);
        processes_with(|process| {
            let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
            environment.split(|byte| *byte == 0).any(|variable| variable == entry.as_bytes())
        })
    }

    /// Waits for the guardian of a nub that was killed: no process is left, and no scratch directory.
    #[track_caller]
    pub fn wait_until_abandoned(&self) {
        let left = || list(&self.tmp()).into_iter().filter(|name| !name.starts_with("nub-kept-")).collect::<Vec<_>>();
        wait_until("no process is left", || self.processes().is_empty(), || format!("{:?}", self.processes()));
        wait_until("no scratch directory is left", || left().is_empty(), || format!("{:?}", left()));
    }

    /// Checks that no process and no temporary file is left. Guardians may need a moment.
    #[track_caller]
    pub fn expect_clean(&self) {
        self.wait_until_abandoned();
        let hidden = self.files().into_iter().filter(|name| name.contains(".nub-")).collect::<Vec<_>>();
        assert!(hidden.iter().all(|name| name.contains(".nub-journal")), "files left: {hidden:?}");
    }

    /// Checks that the input is unchanged and that there is no new file beside it.
    #[track_caller]
    pub fn expect_untouched(&self, input: &str, content: &[u8], files_before: &[String]) {
        assert!(self.read(input) == content, "{input} has been changed");
        assert_eq!(self.files(), files_before);
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if !thread::panicking() {
            self.expect_clean();
        }
        for (process, _) in self.processes() {
            let _ = kill_process(Pid::from_raw(process).unwrap(), Signal::KILL);
        }
    }
}

/// The sorted names of the entries of a directory.
pub fn list(directory: &Path) -> Vec<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().to_string_lossy().into_owned();
    let mut names: Vec<String> = fs::read_dir(directory).unwrap().map(name).collect();
    names.sort();
    names
}

/// A running nub.
pub struct Running {
    pub child: Child,
    stdout: PathBuf,
    stderr: PathBuf,
}

impl Running {
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// What it has printed so far.
    pub fn stdout(&self) -> String {
        String::from_utf8_lossy(&fs::read(&self.stdout).unwrap()).into_owned()
    }

    pub fn stderr(&self) -> String {
        String::from_utf8_lossy(&fs::read(&self.stderr).unwrap()).into_owned()
    }

    pub fn is_over(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Waits for a condition, which must hold before nub ends.
    #[track_caller]
    pub fn wait_for(&mut self, what: &str, mut condition: impl FnMut() -> bool) {
        let start = Instant::now();
        while !condition() {
            assert!(!self.is_over(), "nub ended before this: {what}\n{}{}", self.stdout(), self.stderr());
            assert!(start.elapsed() < DEADLINE, "waited too long: {what}\n{}{}", self.stdout(), self.stderr());
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Waits for its end.
    #[track_caller]
    pub fn wait(mut self) -> Ran {
        let start = Instant::now();
        let status = loop {
            match self.child.try_wait().unwrap() {
                Some(status) => break status,
                None if start.elapsed() < DEADLINE => thread::sleep(Duration::from_micros(500)),
                None => {
                    let said = (self.stdout(), self.stderr());
                    self.child.kill().unwrap();
                    panic!("nub does not end:\n{}\n{}", said.0, said.1);
                }
            }
        };
        let ran = Ran { status, stdout: fs::read(&self.stdout).unwrap(), stderr: self.stderr() };
        assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
        ran
    }
}

/// How a nub ended, and what it printed.
#[derive(Debug)]
pub struct Ran {
    pub status: ExitStatus,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Ran {
    /// What it printed on standard output.
    pub fn printed(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    pub fn code(&self) -> i32 {
        self.status.code().or_else(|| self.status.signal().map(|signal| 1000 + signal)).unwrap()
    }

    #[track_caller]
    pub fn expect(&self, code: i32) -> &Self {
        assert_eq!(self.code(), code, "{}\n{}", String::from_utf8_lossy(&self.stdout), self.stderr);
        self
    }

    /// Checks that standard error contains all of these.
    #[track_caller]
    pub fn says(&self, words: &[&str]) -> &Self {
        for word in words {
            assert!(self.stderr.contains(word), "{word:?} is not in:\n{}", self.stderr);
        }
        self
    }

    /// The events of `--json`.
    #[track_caller]
    pub fn events(&self) -> Vec<Value> {
        let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        std::str::from_utf8(&self.stdout).unwrap().lines().map(parse).collect()
    }

    /// The last event of `--json`, which must have this name.
    #[track_caller]
    pub fn last(&self, name: &str) -> Value {
        let last = self.events().pop().expect("no events");
        assert_eq!(last["event"], name, "{last}");
        last
    }
}

/// All living processes with some property: number and command line.
pub fn processes_with(property: impl Fn(i32) -> bool) -> Vec<(i32, String)> {
    let mut found = Vec::new();
    for name in list(Path::new("/proc")) {
        let Ok(process) = name.parse() else { continue };
        if property(process) && is_alive(process) {
            let words = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
            found.push((process, String::from_utf8_lossy(&words).replace('\0', " ")));
        }
    }
    found
}

/// The living processes whose command lines contain this text.
pub fn processes_called(text: &str) -> Vec<(i32, String)> {
    let mut found = processes_with(|_| true);
    found.retain(|(_, words)| words.contains(text));
    found
}

pub fn is_alive(process: i32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with(['Z', 'X']))
}

#[track_caller]
pub fn wait_until(what: &str, mut condition: impl FnMut() -> bool, describe: impl Fn() -> String) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < DEADLINE, "waited too long: {what}: {}", describe());
        thread::sleep(Duration::from_millis(2));
    }
}

/// The part of a text after a marker, up to the end of the line.
#[track_caller]
pub fn after<'a>(text: &'a str, marker: &str) -> &'a str {
    let (_, rest) = text.split_once(marker).unwrap_or_else(|| panic!("{marker:?} is not in:\n{text}"));
    rest.lines().next().unwrap()
}

/// Arguments that need not be UTF-8.
pub fn words(words: &[&[u8]]) -> Vec<OsString> {
    words.iter().map(|word| OsString::from_vec(word.to_vec())).collect()
}

pub fn os(bytes: &[u8]) -> &OsStr {
    OsStr::from_bytes(bytes)
}
