//! What is written to a journal comes back, in this session and the next.

use std::{fs, os::unix::ffi::OsStringExt, path::PathBuf, time::Duration};

use nub_run::{
    Fingerprint, Outcome, Unresolved,
    journal::{self, Decided, Decision, Event, Executed, Header, Journal, JournalError, Known, Reader, Record, Source},
};
use serde_json::json;
use tempfile::TempDir;

fn directory() -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("run.journal");
    (directory, path)
}

fn header() -> Header {
    Header { settings: json!({"algorithm": "ddmin", "cache": {"kind": "content"}}), ..Header::new("/a/b.c", b"text") }
}

fn executed(text: &str, outcome: Outcome) -> Executed {
    Executed {
        fingerprint: Fingerprint::of_bytes(text.as_bytes()),
        outcome,
        bytes: text.len(),
        started: Duration::from_millis(5),
        duration: Duration::from_micros(1234),
    }
}

fn decision<'a>(label: &'a str, step: &'a str, source: Source) -> Decision<'a> {
    Decision { label, step, units: 3, bytes: 30, source }
}

fn cached(text: &str, outcome: Outcome) -> Source {
    Source::Cached(known(text, outcome))
}

fn known(text: &str, outcome: Outcome) -> Known {
    Known { fingerprint: Fingerprint::of_bytes(text.as_bytes()), outcome }
}

const TIMED_OUT: Outcome = Outcome::Unresolved(Unresolved::TimedOut);

#[test]
fn everything_comes_back() {
    let (_directory, path) = directory();
    let mut journal = Journal::create(&path, &header()).unwrap();
    assert_eq!(journal.executed(executed("a", Outcome::Uninteresting)), 0);
    journal.decided(&[decision("r0_s0", "line", Source::Executed(0))]).unwrap();
    assert_eq!(journal.executed(executed("b", Outcome::Interesting)), 1);
    assert_eq!(journal.executed(executed("c", TIMED_OUT)), 2);
    journal
        .decided(&[
            decision("w 100%\n", "line", Source::Executed(1)),
            decision("", "odd step\r", cached("d", Outcome::Uninteresting)),
        ])
        .unwrap();
    journal.session(Event::Interrupted, Duration::from_secs(2), "SIGINT").unwrap();
    drop(journal);

    let contents = journal::read(&path).unwrap();
    assert_eq!(contents.header, header_created(contents.header.created));
    assert_eq!(contents.damage, None);
    let decided = |label: &str, source| Record::Decided(Decided { source, units: 3, bytes: 30, label: label.into() });
    let [records @ .., Record::Session(session)] = &contents.records[..] else { panic!("{:?}", contents.records) };
    assert_eq!(
        records,
        [
            Record::Executed(executed("a", Outcome::Uninteresting)),
            Record::Step("line".into()),
            decided("r0_s0", Source::Executed(0)),
            Record::Executed(executed("b", Outcome::Interesting)),
            Record::Executed(executed("c", TIMED_OUT)),
            Record::Batch(2),
            decided("w 100%\n", Source::Executed(1)),
            Record::Step("odd step\r".into()),
            decided("", cached("d", Outcome::Uninteresting)),
        ]
    );
    assert_eq!((session.event, session.reason.as_str()), (Event::Interrupted, "SIGINT"));
    assert_eq!(session.running, Duration::from_secs(2));
}

fn header_created(created: u64) -> Header {
    Header { created, ..header() }
}

#[test]
fn the_format_is_what_the_documentation_says() {
    let (_directory, path) = directory();
    let mut journal = Journal::create(&path, &header_created(1_700_000_000)).unwrap();
    journal.executed(executed("a", Outcome::Interesting));
    journal.executed(executed("b", TIMED_OUT));
    journal
        .decided(&[decision("r0_s0", "line", Source::Executed(0)), decision("r0_s1", "line", Source::Executed(1))])
        .unwrap();
    journal.decided(&[decision("r0_c1", "line", cached("a", Outcome::Interesting))]).unwrap();
    drop(journal);
    let text = fs::read_to_string(&path).unwrap();
    let bodies: Vec<&str> = text
        .lines()
        .map(|line| {
            let (body, checksum) = line.rsplit_once(' ').unwrap();
            assert_eq!(checksum, format!("{:08x}", crc32fast::hash(body.as_bytes())));
            body
        })
        .collect();
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        bodies,
        [
            &format!(
                r#"nub-journal 1 {{"nub":"{version}","created":1700000000,"input":"/a/b.c","input_len":4,"fingerprint":"{}","settings":{{"algorithm":"ddmin","cache":{{"kind":"content"}}}},"command":[],"output":"/a/b.c","in_place":true}}"#,
                Fingerprint::of_bytes(b"text")
            ),
            "x a96faf705af16834e6c632b61e964e1f I 1 5 1234",
            "x 4b2212e31ac97fd4575a0b1c44d8843f T 1 5 1234",
            "b 2",
            "p line",
            "d 0 3 30 r0_s0",
            "d . 3 30 r0_s1",
            "d =Ia96faf705af16834e6c632b61e964e1f 3 30 r0_c1",
        ]
    );
}

#[test]
fn sessions_continue_each_other() {
    let (_directory, path) = directory();
    let mut journal = Journal::create(&path, &header()).unwrap();
    journal.executed(executed("a", Outcome::Uninteresting));
    journal.executed(executed("ahead", Outcome::Interesting));
    journal.decided(&[decision("c0", "line", Source::Executed(0))]).unwrap();
    drop(journal); // killed: no closing record, so its time ends with its last test

    let (read_header, recording, mut journal) = Journal::resume(&path).unwrap();
    assert_eq!(read_header, header_created(read_header.created));
    assert_eq!(recording.running(), Duration::from_micros(6234));
    let leftovers: Vec<_> = recording.leftovers().map(|left| (left.test, left.known)).collect();
    assert_eq!(leftovers, [(1, known("ahead", Outcome::Interesting))]);
    assert!(!recording.is_finished());
    journal.session(Event::Resumed, Duration::ZERO, "").unwrap();
    journal.decided(&[decision("c1", "line", Source::Executed(1))]).unwrap();
    assert_eq!(journal.executed(executed("b", TIMED_OUT)), 2);
    journal
        .decided(&[
            decision("c2", "char", Source::Executed(2)),
            decision("c3", "char", cached("a", Outcome::Uninteresting)),
        ])
        .unwrap();
    journal.session(Event::Finished, Duration::from_secs(10), "").unwrap();
    drop(journal);

    let (_, recording, _journal) = Journal::resume(&path).unwrap();
    let batches: Vec<Vec<_>> =
        recording.batches().map(|batch| batch.iter().map(|r| (r.known, r.test)).collect()).collect();
    assert_eq!(
        batches,
        [
            vec![(known("a", Outcome::Uninteresting), Some(0))],
            vec![(known("ahead", Outcome::Interesting), Some(1))],
            vec![(known("b", TIMED_OUT), Some(2)), (known("a", Outcome::Uninteresting), None)],
        ]
    );
    assert_eq!(recording.leftovers().count(), 0);
    assert_eq!((recording.executed(), recording.decided(), recording.cached()), (3, 4, 1));
    assert_eq!(recording.outcomes().collect::<Vec<_>>(), [Outcome::Uninteresting, Outcome::Interesting, TIMED_OUT]);
    assert_eq!(recording.step(), Some("char"));
    assert!(recording.is_finished());
    // The running time is kept in milliseconds: 6 of the first session, and the 10 seconds of the second.
    assert_eq!(recording.running(), Duration::from_millis(10_006));
    // The step was known from the first session and is not repeated.
    let steps = Reader::open(&path).unwrap().filter(|r| matches!(r, Ok(Record::Step(_)))).count();
    assert_eq!(steps, 2);
}

#[test]
fn what_is_decided_is_in_the_file_at_once() {
    let (_directory, path) = directory();
    let mut journal = Journal::create(&path, &header()).unwrap();
    let quick = Executed { duration: Duration::from_micros(3), ..executed("a", Outcome::Uninteresting) };
    journal.executed(quick);
    assert_eq!(journal::read(&path).unwrap().records.len(), 0, "not worth a write of its own");
    journal.decided(&[decision("c0", "line", Source::Executed(0))]).unwrap();
    assert_eq!(journal::read(&path).unwrap().records.len(), 3);
    journal.executed(executed("slow", Outcome::Uninteresting));
    assert_eq!(journal::read(&path).unwrap().records.len(), 4, "too dear to lose");
}

#[test]
fn records_of_later_versions_are_skipped_and_kept() {
    let (_directory, path) = directory();
    let mut journal = Journal::create(&path, &header()).unwrap();
    journal.executed(executed("a", Outcome::Interesting));
    drop(journal);
    let mut text = fs::read(&path).unwrap();
    let body = "z something new";
    text.extend_from_slice(format!("{body} {:08x}\n", crc32fast::hash(body.as_bytes())).as_bytes());
    fs::write(&path, &text).unwrap();
    let (_, recording, mut journal) = Journal::resume(&path).unwrap();
    assert_eq!((recording.executed(), recording.damage()), (1, None));
    journal.decided(&[decision("c0", "line", Source::Executed(0))]).unwrap();
    drop(journal);
    assert!(fs::read(&path).unwrap().starts_with(&text));
    assert_eq!(journal::read(&path).unwrap().records.len(), 3);
}

#[test]
fn paths_that_are_not_utf8_survive() {
    let (_directory, path) = directory();
    let odd = PathBuf::from(std::ffi::OsString::from_vec(b"/tmp/\xff\xfe.c".to_vec()));
    for output in [None, Some(odd.clone()), Some("/out.c".into())] {
        let header = Header { output, ..Header::new(&odd, b"") };
        drop(Journal::create(&path, &header).unwrap());
        assert_eq!(journal::read(&path).unwrap().header, header);
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn a_journal_is_never_overwritten() {
    let (_directory, path) = directory();
    fs::write(&path, "precious").unwrap();
    let error = Journal::create(&path, &header()).unwrap_err();
    assert!(matches!(error, JournalError::Exists { .. }));
    assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
    assert_eq!(fs::read(&path).unwrap(), b"precious");
}

#[test]
fn two_writers_are_refused() {
    let (_directory, path) = directory();
    let journal = Journal::create(&path, &header()).unwrap();
    let error = Journal::resume(&path).unwrap_err();
    assert!(matches!(error, JournalError::Busy { .. }));
    assert!(error.to_string().starts_with("another nub is working on it"), "{error}");
    drop(journal);
    let (_, _, _journal) = Journal::resume(&path).unwrap();
    assert!(matches!(Journal::resume(&path), Err(JournalError::Busy { .. })));
    journal::read(&path).expect("reading is always allowed");
}

#[test]
fn other_files_are_refused_and_left_alone() {
    let (directory, path) = directory();
    let cases: [(&[u8], &str); 6] = [
        (b"", "missing (the file is empty)"),
        (b"nub-jou", "incomplete"),
        (b"nub-journal 1 {\"nub\":", "incomplete"),
        (b"nub-journal 2 !entirely new!\n", "format 2"),
        (b"int main() {}\n", "not a nub journal"),
        (b"\x7fELF\0\0\0\xff", "not a nub journal"),
    ];
    for (bytes, message) in cases {
        fs::write(&path, bytes).unwrap();
        let error = Journal::resume(&path).unwrap_err().to_string();
        assert!(error.contains(message) && error.contains("run.journal"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
    let sealed = |body: &str| format!("{body} {:08x}\n", crc32fast::hash(body.as_bytes()));
    for body in ["nub-journal 1 {}", "nub-journal 1", "nub-journal x", &"[".repeat(100_000)] {
        fs::write(&path, sealed(body)).unwrap();
        assert!(Journal::resume(&path).is_err());
    }
    let missing = Journal::resume(&directory.path().join("none")).unwrap_err().to_string();
    assert!(missing.contains("none`: No such file"), "{missing}");
    assert!(Journal::resume(directory.path()).unwrap_err().to_string().contains("directory"));
    assert!(Reader::open(directory.path()).is_err());
}

#[test]
fn other_settings_are_refused_by_name() {
    let header = header();
    let journal = PathBuf::from("run.journal");
    header.check_settings(&journal, &header.settings).unwrap();
    let other = json!({"algorithm": "hdd", "cache": {"kind": "none"}, "new": 1});
    let error = header.check_settings(&journal, &other).unwrap_err().to_string();
    for part in ["`algorithm` was \"ddmin\" and is \"hdd\" now", "`cache.kind`", "`new` was not set", "run.journal"] {
        assert!(error.contains(part), "{error}");
    }
    let error = header.check_settings(&journal, &json!({"algorithm": "ddmin"})).unwrap_err().to_string();
    assert!(error.contains("`cache` was {\"kind\":\"content\"} and is not set now"), "{error}");
}
