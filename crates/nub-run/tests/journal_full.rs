//! A journal on a disk that is full: the error names it, and when there is room again nothing is missing.

mod namespace;

use std::{fs, time::Duration};

use nub_run::{
    Fingerprint, Outcome,
    journal::{self, Decision, Event, Executed, Header, Journal, Source},
};

fn step(journal: &mut Journal) -> Result<(), journal::JournalError> {
    let (outcome, started, duration) = (Outcome::Uninteresting, Duration::ZERO, Duration::from_secs(1));
    let test =
        journal.executed(Executed { fingerprint: Fingerprint::of_bytes(b"x"), outcome, bytes: 1, started, duration });
    let source = Source::Executed(test);
    journal.decided(&[Decision { label: "c0", step: "line", units: 1, bytes: 1, source }])
}

#[test]
fn a_full_disk_loses_nothing() {
    namespace::on_tmpfs("a_full_disk_loses_nothing", "size=64k", |directory| {
        let path = directory.join("run.journal");
        let filler = directory.join("filler");
        fs::write(&filler, vec![0; 32 << 10]).unwrap();
        let mut journal = Journal::create(&path, &Header::new("input", b"")).unwrap();
        let mut steps = 1;
        let error = loop {
            match step(&mut journal) {
                Ok(()) => steps += 1,
                Err(error) => break error.to_string(),
            }
            assert!(steps < 10_000, "the disk never got full");
        };
        assert!(error.contains("cannot write the journal") && error.contains(path.to_str().unwrap()), "{error}");
        assert!(error.contains("No space left on device") && error.contains("make room"), "{error}");

        let contents = journal::read(&path).unwrap();
        assert_eq!(contents.damage, None, "half a record was left in the file");
        step(&mut journal).expect_err("still full");
        fs::remove_file(&filler).unwrap();
        step(&mut journal).unwrap();
        steps += 2;
        journal.session(Event::Interrupted, Duration::from_secs(9), "").unwrap();
        drop(journal);
        let (_, recording, _journal) = Journal::resume(&path).unwrap();
        assert_eq!((recording.executed(), recording.decided(), recording.damage()), (steps, steps, None));
    });
}

#[test]
fn no_room_for_the_first_line() {
    namespace::on_tmpfs("no_room_for_the_first_line", "size=8k", |directory| {
        fs::write(directory.join("filler"), vec![0; 8 << 10]).unwrap();
        let path = directory.join("run.journal");
        let error = Journal::create(&path, &Header::new("input", b"")).unwrap_err().to_string();
        assert!(error.contains("No space left on device") && error.contains("run.journal"), "{error}");
        assert!(!path.exists(), "it would be in the way of the next attempt");
    });
}

#[test]
fn read_only() {
    namespace::on_tmpfs("read_only", "ro", |directory| {
        let error =
            Journal::create(&directory.join("run.journal"), &Header::new("input", b"")).unwrap_err().to_string();
        assert!(error.contains("cannot create the journal") && error.contains("Read-only file system"), "{error}");
    });
}
