//! `kill -9` at any moment loses nothing that was decided.

use std::{
    env,
    io::{Read, Write},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use nub_run::{
    Fingerprint, Outcome,
    journal::{Decision, Event, Executed, Header, Journal, Source},
};

const INSIDE: &str = "NUB_TEST_JOURNAL";

/// Continues the journal for ever, and writes one byte to standard error after every decision.
fn work(path: &std::path::Path) -> ! {
    let (_, _, mut journal) = Journal::resume(path).unwrap();
    journal.session(Event::Resumed, Duration::ZERO, "").unwrap();
    loop {
        let (outcome, started, duration) = (Outcome::Uninteresting, Duration::ZERO, Duration::ZERO);
        let fingerprint = Fingerprint::of_bytes(b"x");
        let test = journal.executed(Executed { fingerprint, outcome, bytes: 1, started, duration });
        let source = Source::Executed(test);
        let decision = Decision { label: "c", step: "line", units: 1, bytes: 1, source };
        journal.decided(&[decision, decision]).unwrap();
        std::io::stderr().write_all(b".").unwrap();
    }
}

#[test]
fn kill_at_any_moment() {
    if let Some(path) = env::var_os(INSIDE) {
        work(path.as_ref());
    }
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    drop(Journal::create(&path, &Header::new("input", b"")).unwrap());
    let mut decided = 0;
    for delay in 0..20 {
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "kill_at_any_moment", "--nocapture"])
            .env(INSIDE, &path)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stderr = child.stderr.take().unwrap();
        let reports = thread::spawn(move || {
            let mut reports = Vec::new();
            stderr.read_to_end(&mut reports).unwrap();
            reports
        });
        thread::sleep(Duration::from_micros(3_000 + 777 * delay));
        child.kill().unwrap();
        child.wait().unwrap();
        let reports = reports.join().unwrap();
        assert!(reports.iter().all(|&byte| byte == b'.'), "{}", String::from_utf8_lossy(&reports));

        let (_, recording, _journal) = Journal::resume(&path).unwrap();
        assert!(recording.decided() >= decided + 2 * reports.len(), "a decision is lost");
        decided = recording.decided();
    }
    assert!(decided > 0, "the child never came to work");
}
