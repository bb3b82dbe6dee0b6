//! `kill -9` at any moment: the file is intact and interesting, and `--resume` continues as if nothing had happened.

mod common;

use common::{Place, Running};
use nub_run::{
    Fingerprint,
    journal::{Reader, Record},
};
use rustix::process::Signal;
use serde_json::Value;
use std::{
    collections::HashSet,
    fs, thread,
    time::{Duration, Instant},
};

const KILLS: usize = 200;

/// A candidate is interesting if it contains these in this order. [`SCRIPT`] tests the same.
const NEEDED: [&str; 8] = ["k17", "k40", "k41", "k63", "k90", "k121", "k122", "k155"];

/// Uses only builtins of the shell, to be fast. Logs `$text`, the candidate with `/` for line breaks.
const SCRIPT: &str = "\
while IFS= read -r line; do text=\"$text$line/\"; done
text=\"$text$line\"
echo \"$text\" >> $N/log
case \"$text\" in *k17*k40*k41*k63*k90*k121*k122*k155*) exit 0 ;; esac
exit 1";

fn original() -> Vec<u8> {
    (0..160).map(|i| format!("k{i}\n")).collect::<String>().into_bytes()
}

fn is_interesting(text: &str) -> bool {
    let mut rest = text;
    NEEDED.iter().all(|needed| match rest.find(needed) {
        Some(at) => {
            rest = &rest[at + needed.len()..];
            true
        }
        None => false,
    })
}

/// A small generator that is the same everywhere: xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % end
    }
}

/// One reduction over many sessions, and everything that must hold after each.
struct Reduction<'a> {
    place: &'a Place,
    /// The smallest best that nub has reported.
    reported: usize,
    /// The candidates in the journal.
    recorded: HashSet<Fingerprint>,
    /// How much of the log has been checked.
    logged: usize,
    /// Candidates that nub also tests outside the search, so perhaps twice.
    own: [Vec<u8>; 3],
}

impl<'a> Reduction<'a> {
    fn new(place: &'a Place, end_result: &[u8]) -> Self {
        for name in ["in.txt.orig", "in.txt.nub-journal"] {
            let _ = fs::remove_file(place.path(name));
        }
        place.write("in.txt", original());
        fs::write(place.note("log"), "").unwrap();
        let own = [original(), Vec::new(), end_result.to_vec()];
        Self { place, reported: original().len(), recorded: HashSet::new(), logged: 0, own }
    }

    fn start(&self, jobs: &str) -> Running {
        let journal = self.place.path("in.txt.nub-journal");
        let how: &[&str] = match Reader::open(&journal) {
            Ok(_) => &["--resume"],
            // nub was killed while it wrote the first line.
            Err(_) if journal.exists() => &["--restart"],
            Err(_) => &[],
        };
        self.place.start(&[&["./test.sh", "in.txt", "--json", "-j", jobs], how].concat())
    }

    /// Checks what must hold whenever nub is dead.
    fn check(&mut self, events: &[Value]) {
        let best = self.place.read("in.txt");
        let text = String::from_utf8(best.clone()).unwrap();
        assert!(is_interesting(&text), "the file is not interesting: {text:?}");
        for event in events.iter().filter(|event| event["event"] == "best") {
            let bytes = event["bytes"].as_u64().unwrap() as usize;
            assert!(bytes < self.reported, "a best of {bytes} bytes after one of {}", self.reported);
            self.reported = bytes;
        }
        assert!(best.len() <= self.reported, "{} bytes in the file, {} reported", best.len(), self.reported);
        if best != original() {
            assert_eq!(self.place.read("in.txt.orig"), original());
        }
        self.check_log();
    }

    /// Checks that no candidate was tested whose outcome was already in the journal.
    fn check_log(&mut self) {
        let log = fs::read_to_string(self.place.note("log")).unwrap();
        for line in log[self.logged..].lines() {
            let candidate = line.replace('/', "\n").into_bytes();
            let known = self.recorded.contains(&Fingerprint::of_bytes(&candidate));
            assert!(!known || self.own.contains(&candidate), "tested again: {line:?}");
        }
        self.logged = log.len();
        let Ok(reader) = Reader::open(&self.place.path("in.txt.nub-journal")) else { return };
        self.recorded = HashSet::new();
        for record in reader {
            if let Record::Executed(test) = record.unwrap() {
                self.recorded.insert(test.fingerprint);
            }
        }
    }
}

fn events(printed: &str) -> Vec<Value> {
    // The last line may be torn.
    printed
        .split_inclusive('\n')
        .filter(|line| line.ends_with('\n'))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn two_hundred_kills_at_random_moments_lose_nothing() {
    let place = Place::new("in.txt", original());
    place.script(SCRIPT);
    place.nub_ok(&["./test.sh", "in.txt", "-q"]);
    let end_result = place.read("in.txt");
    assert_eq!(end_result, NEEDED.concat().as_bytes());
    let undisturbed = place.notes("log").lines().count();

    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut reduction = Reduction::new(&place, &end_result);
    let (mut kills, mut reductions, mut at_work, mut slowest) = (0, 0, 0, Duration::ZERO);
    while kills < KILLS {
        let jobs = ["1", "2", "3"][random.below(3) as usize];
        let mut running = reduction.start(jobs);
        // Count from its start, to hit whatever it does first; or from its first test, however slow the machine is.
        let (at_work_first, longest) =
            [(false, 8_000), (false, 60_000), (true, 60_000), (true, 60_000)][random.below(4) as usize];
        let delay = Duration::from_micros(random.below(longest));
        if at_work_first {
            while !running.stdout().contains("\"timeout\"") && !running.is_over() {
                thread::sleep(Duration::from_micros(200));
            }
        }
        let start = Instant::now();
        while start.elapsed() < delay && !running.is_over() {
            thread::sleep(Duration::from_micros(200));
        }
        if running.is_over() {
            let ran = running.wait();
            ran.expect(0);
            assert_eq!(place.read("in.txt"), end_result);
            reduction.check(&ran.events());
            assert_eq!(place.files(), ["in.txt", "in.txt.orig", "test.sh"]);
            (reduction, reductions) = (Reduction::new(&place, &end_result), reductions + 1);
            continue;
        }
        running.signal(Signal::KILL);
        running.child.wait().unwrap();
        let killed = Instant::now();
        kills += 1;
        place.wait_until_abandoned();
        slowest = slowest.max(killed.elapsed());
        let events = events(&running.stdout());
        at_work += usize::from(events.iter().any(|event| event["event"] == "decide"));
        assert!(!running.stderr().contains("panicked"), "{}", running.stderr());
        reduction.check(&events);
        // nub was killed after its work was done: there is nothing to resume.
        if events.iter().any(|event| event["event"] == "finish") && !place.exists("in.txt.nub-journal") {
            assert_eq!(place.read("in.txt"), end_result);
            (reduction, reductions) = (Reduction::new(&place, &end_result), reductions + 1);
        }
    }
    let ran = reduction.start("2").wait();
    ran.expect(0);
    reduction.check(&ran.events());
    assert_eq!(place.read("in.txt"), end_result);
    assert_eq!(place.read("in.txt.orig"), original());
    assert_eq!(place.files(), ["in.txt", "in.txt.orig", "test.sh"]);
    eprintln!(
        "{kills} kills, {at_work} of them at work, {reductions} reductions of {undisturbed} tests; cleaning up took \
         at most {slowest:?}"
    );
    assert!(at_work > KILLS / 4, "only {at_work} kills hit a nub at work");
    assert!(slowest < Duration::from_secs(2), "cleaning up took {slowest:?}");
}
