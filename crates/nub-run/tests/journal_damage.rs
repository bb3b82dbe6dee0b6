//! Whatever happens to the bytes of a journal, what can be read is a prefix of what was written, and it can be continued.

use std::{fs, path::Path, time::Duration};

use nub_run::{
    Fingerprint, Outcome, Unresolved,
    journal::{self, Contents, Decision, Event, Executed, Header, Journal, Known, Recording, Replayed, Source},
};
use proptest::{collection::vec, prelude::*, sample::Index};

/// One call of the writer.
#[derive(Clone, Debug)]
enum Step {
    Executed(u128, Outcome),
    Decided(Vec<(String, String, Option<Index>, u128)>),
    Session(Event, String),
}

fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        Just(Outcome::Interesting),
        Just(Outcome::Uninteresting),
        Just(Outcome::Unresolved(Unresolved::TimedOut)),
        Just(Outcome::Unresolved(Unresolved::Killed)),
        Just(Outcome::Unresolved(Unresolved::NotStarted)),
        Just(Outcome::Unresolved(Unresolved::Skipped)),
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z0-9_]{0,9}", "\\PC{0,5}", any::<String>()]
}

fn step() -> impl Strategy<Value = Step> {
    let event = prop_oneof![Just(Event::Resumed), Just(Event::Interrupted), Just(Event::Finished)];
    prop_oneof![
        (any::<u128>(), outcome()).prop_map(|(bits, outcome)| Step::Executed(bits, outcome)),
        vec((text(), "line|char|", any::<Option<Index>>(), any::<u128>()), 1..4).prop_map(Step::Decided),
        (event, text()).prop_map(|(event, reason)| Step::Session(event, reason)),
    ]
}

fn write(journal: &mut Journal, steps: &[Step], mut executed: usize) {
    for (number, step) in steps.iter().enumerate() {
        match step {
            Step::Executed(bits, outcome) => {
                let test = journal.executed(Executed {
                    fingerprint: Fingerprint::from_bits(*bits),
                    outcome: *outcome,
                    bytes: number,
                    started: Duration::from_millis(number as u64),
                    duration: Duration::from_micros(number as u64),
                });
                assert_eq!(test, executed);
                executed += 1;
            }
            Step::Decided(batch) => {
                let decisions: Vec<Decision<'_>> = batch
                    .iter()
                    .map(|(label, step, test, bits)| {
                        let cached =
                            Known { fingerprint: Fingerprint::from_bits(*bits), outcome: Outcome::Uninteresting };
                        let source = match test {
                            Some(test) if executed > 0 => Source::Executed(test.index(executed)),
                            _ => Source::Cached(cached),
                        };
                        Decision { label, step, units: number, bytes: number, source }
                    })
                    .collect();
                journal.decided(&decisions).unwrap();
            }
            Step::Session(event, reason) => {
                journal.session(*event, Duration::from_millis(number as u64), reason).unwrap();
            }
        }
    }
}

fn batches(recording: &Recording) -> Vec<Vec<Replayed>> {
    recording.batches().collect()
}

fn written(path: &Path, steps: &[Step]) -> (Contents, Recording) {
    let mut journal = Journal::create(path, &Header::new("input", b"")).unwrap();
    write(&mut journal, steps, 0);
    drop(journal);
    let contents = journal::read(path).unwrap();
    assert_eq!(contents.damage, None);
    let (_, recording, _) = Journal::resume(path).unwrap();
    assert_eq!(recording.damage(), None);
    (contents, recording)
}

/// Puts `bytes` in the place of the journal, and checks that it reads as a prefix of the whole and can be continued.
fn check_prefix(path: &Path, bytes: &[u8], whole: &Contents, whole_recording: &Recording, more: &[Step]) {
    fs::write(path, bytes).unwrap();
    let Ok(contents) = journal::read(path) else {
        // Only a damaged first line is fatal, and then nothing is touched.
        assert!(Journal::resume(path).is_err());
        assert_eq!(fs::read(path).unwrap(), bytes);
        return;
    };
    assert_eq!(contents.header, whole.header);
    assert!(whole.records.starts_with(&contents.records), "{:?}", contents.records);
    let (_, recording, mut journal) = Journal::resume(path).unwrap();
    let prefix = batches(&recording);
    assert!(batches(whole_recording).starts_with(&prefix));
    assert!(recording.executed() + recording.decided() <= contents.records.len());
    write(&mut journal, more, recording.executed());
    drop(journal);
    assert_eq!(journal::read(path).unwrap().damage, None);
    let (_, continued, _journal) = Journal::resume(path).unwrap();
    assert_eq!(continued.damage(), None);
    assert!(batches(&continued).starts_with(&prefix));
    let decided: usize = more.iter().map(|step| if let Step::Decided(batch) = step { batch.len() } else { 0 }).sum();
    assert_eq!(continued.decided(), recording.decided() + decided);
    assert!(continued.running() >= recording.running());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_truncation_is_a_prefix(steps in vec(step(), 0..6), more in vec(step(), 1..4)) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal");
        let (whole, recording) = written(&path, &steps);
        let bytes = fs::read(&path).unwrap();
        // Every length within the records; in the long first line some.
        let first = bytes.iter().position(|&b| b == b'\n').unwrap();
        for len in (0..first).step_by(50).chain(first..=bytes.len()) {
            check_prefix(&path, &bytes[..len], &whole, &recording, &more);
        }
    }

    #[test]
    fn every_changed_byte_is_noticed(
        steps in vec(step(), 0..12),
        more in vec(step(), 1..4),
        changes in vec((any::<Index>(), 1..=255u8), 50),
    ) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal");
        let (whole, recording) = written(&path, &steps);
        let bytes = fs::read(&path).unwrap();
        for (at, flip) in changes {
            let at = at.index(bytes.len());
            let mut changed = bytes.clone();
            changed[at] ^= flip;
            fs::write(&path, &changed).unwrap();
            let noticed = journal::read(&path).map_or(true, |contents| contents.damage.is_some());
            prop_assert!(noticed, "change {:#x} at {} went unnoticed", flip, at);
            check_prefix(&path, &changed, &whole, &recording, &more);
        }
    }

    #[test]
    fn garbage_at_the_end_is_cut(
        steps in vec(step(), 0..12),
        more in vec(step(), 1..4),
        keep in any::<Index>(),
        garbage in prop_oneof![vec(any::<u8>(), 0..200), vec(Just(0u8), 0..5000), vec(Just(b'\n'), 0..5)],
    ) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal");
        let (whole, recording) = written(&path, &steps);
        let mut bytes = fs::read(&path).unwrap();
        bytes.truncate(keep.index(bytes.len() + 1));
        bytes.extend_from_slice(&garbage);
        check_prefix(&path, &bytes, &whole, &recording, &more);
    }

    /// Right checksums, wrong contents: nothing that nub writes, and no reason to panic.
    #[test]
    fn nonsense_with_right_checksums_is_harmless(
        lines in vec("[xpbds] ([0-9=.IU]{0,4} ){0,6}[a-z%\\PC]{0,4}|b [0-9]{1,20}|d [.0-9] [0-9]{1,20} 1 a|x [0-9a-f]{32} [IUTKN] [0-9]{1,20} [0-9]{1,20} [0-9]{1,20}", 0..20),
    ) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal");
        drop(Journal::create(&path, &Header::new("input", b"")).unwrap());
        let mut text = fs::read(&path).unwrap();
        for line in &lines {
            text.extend_from_slice(format!("{line} {:08x}\n", crc32fast::hash(line.as_bytes())).as_bytes());
        }
        fs::write(&path, &text).unwrap();
        let records = journal::read(&path).unwrap().records.len();
        let (_, recording, mut journal) = Journal::resume(&path).unwrap();
        prop_assert!(recording.executed() <= records);
        prop_assert_eq!(recording.batches().map(|batch| batch.len()).sum::<usize>(), recording.decided());
        journal.session(Event::Resumed, Duration::from_secs(1), "").unwrap();
        drop(journal);
        let (_, recording, _journal) = Journal::resume(&path).unwrap();
        prop_assert_eq!(recording.damage(), None);
    }
}
