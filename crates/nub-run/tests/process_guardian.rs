//! The guardian cleans up after a nub that was killed.
//!
//! One program has three roles, chosen by an environment variable: the test itself; a small "nub" that starts a
//! guardian and a test and is killed; and the guardian.

mod process_support;

use nub_run::test::{Cancel, Guardian, Limits, ProcessTest, Run, Scratch, Setup, Test, guardian_main, processes_of};
use process_support::{is_alive, wait_until};
use std::{
    env,
    ffi::OsStr,
    fs,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{self, Child, Command, Stdio},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

const ROLE: &str = "NUB_TEST_ROLE";

/// This program in another role, entered through the "test" of this name.
fn in_role(role: &str) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", "another_role", "--nocapture"]).env(ROLE, role);
    command
}

#[test]
fn another_role() {
    match env::var(ROLE).as_deref() {
        Ok("guardian") => {
            let args: Vec<_> = env::args_os().collect();
            let [.., directory, run] = &args[..] else { process::exit(3) };
            assert_eq!(
                format!("{:?}", guardian_main(directory, run.to_str().unwrap())),
                format!("{:?}", process::ExitCode::SUCCESS)
            );
            process::exit(0);
        }
        Ok("nub") => small_nub(),
        _ => {}
    }
}

/// Prints the run, the directory and the process ID of the guardian; then runs a test that starts daemons and does not
/// end.
fn small_nub() {
    let run = Run::begin();
    let scratch = Arc::new(Scratch::create(None, 0).unwrap());
    let guardian = Guardian::start(in_role("guardian"), scratch.path(), run.id()).unwrap();
    let setup = Setup::new(&run, &scratch, OsStr::new("input.c"), Limits::default());
    let body = r#"
        (setsid sleep 1000 &)
        env -i "$(command -v setsid)" "$(command -v sleep)" 1000 &
        (setsid sh -c 'while :; do date > x 2> /dev/null; date > "$TMPDIR/x" 2> /dev/null; sleep 0.005; done' &)
        chmod 500 .
        echo "started $0"
        [ "$0" = orderly ] || sleep 1000
        "#;
    let mode = env::var("NUB_TEST_MODE").unwrap();
    let args = ["-c", body, &mode].map(Into::into).to_vec();
    let test = ProcessTest::script(&setup, OsStr::new("sh"), args).detailed();
    println!("run {}\nscratch {}\nguardian {}", run.id(), scratch.path().display(), guardian.id());
    let report = test.runner(0).unwrap().run(&b"text".to_vec(), &Cancel::new().unwrap()).unwrap();
    assert!(report.details.unwrap().stdout.starts_with(b"started"));
    drop((test, setup, run));
    drop(scratch);
    guardian.finish();
    process::exit(0);
}

struct SmallNub {
    process: Child,
    run: String,
    scratch: PathBuf,
    guardian: i32,
}

fn start(mode: &str) -> SmallNub {
    let mut process = in_role("nub").env("NUB_TEST_MODE", mode).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut value = |key: &str| lines.find_map(|line| line.strip_prefix(key).map(str::to_owned)).unwrap();
    let (run, scratch, guardian) = (value("run "), value("scratch "), value("guardian "));
    SmallNub { process, run, scratch: scratch.into(), guardian: guardian.parse().unwrap() }
}

#[test]
fn after_kill_9_everything_is_cleaned_up() {
    let mut nub = start("endless");
    wait_until("the test and its daemons", || processes_of(&nub.run).unwrap().len() >= 4);
    assert!(nub.scratch.exists() && is_alive(nub.guardian));
    nub.process.kill().unwrap();
    nub.process.wait().unwrap();
    let killed = Instant::now();
    wait_until("the end of all processes", || processes_of(&nub.run).unwrap().is_empty());
    wait_until("the end of the directory", || !nub.scratch.exists());
    wait_until("the end of the guardian", || !is_alive(nub.guardian));
    assert!(killed.elapsed() < Duration::from_secs(20), "{:?}", killed.elapsed());
    thread::sleep(Duration::from_millis(100));
    assert!(!nub.scratch.exists() && processes_of(&nub.run).unwrap().is_empty(), "something reappeared");
}

#[test]
fn an_orderly_end_leaves_nothing_behind() {
    let mut nub = start("orderly");
    assert!(nub.process.wait().unwrap().success());
    // Everything is gone by the time nub itself has exited.
    assert!(processes_of(&nub.run).unwrap().is_empty());
    assert!(!nub.scratch.exists());
    assert!(!is_alive(nub.guardian));
}

#[test]
fn after_an_orderly_end_it_touches_nothing() {
    let directory = tempfile::Builder::new().prefix("nub-").tempdir().unwrap();
    fs::write(directory.path().join("file"), "").unwrap();
    let run = Run::begin();
    let guardian = Guardian::start(in_role("guardian"), directory.path(), run.id()).unwrap();
    let pid = guardian.id() as i32;
    assert!(is_alive(pid));
    guardian.finish();
    assert!(!is_alive(pid));
    assert!(directory.path().join("file").exists());
}

#[test]
fn it_refuses_implausible_arguments() {
    let failure = format!("{:?}", process::ExitCode::from(2));
    assert_eq!(format!("{:?}", guardian_main(Path::new("relative").as_os_str(), "0123456")), failure);
    assert_eq!(format!("{:?}", guardian_main(Path::new("/tmp/nub-x").as_os_str(), "nonsense")), failure);
    for directory in ["/", "/home", "/tmp/x", "/tmp/nub-x/.."] {
        assert_eq!(format!("{:?}", guardian_main(OsStr::new(directory), "0123456")), failure);
    }
}
