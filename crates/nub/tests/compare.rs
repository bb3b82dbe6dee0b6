//! `nub compare`: two ways to reduce the same input.

mod common;

use common::{Place, fruit};
use rustix::process::Signal;
use serde_json::Value;

fn compare(place: &Place, a: &str, b: &str) -> Value {
    let files = place.files();
    let ran = place.nub_ok(&["compare", "--json", a, b, "--test", "./test.sh", "in.txt"]);
    place.expect_untouched("in.txt", &fruit(60), &files);
    serde_json::from_slice(&ran.stdout).unwrap()
}

#[test]
fn the_same_way_twice_is_the_same() {
    let place = Place::with_fruit(60);
    let mut compared = compare(&place, "ddmin*", "--algorithm ddmin*");
    assert_eq!(compared["identical"], true);
    assert_eq!(compared["bytes_before"], fruit(60).len());
    for way in ["a", "b"] {
        assert!(compared[way]["seconds"].as_f64().unwrap() > 0.0);
        compared[way]["seconds"] = 0.into();
        compared[way]["name"] = "".into();
    }
    assert_eq!(compared["a"], compared["b"]);
    // The other size is reached with the last commit at the latest.
    assert!(compared["a"]["tests_to_other"].as_u64() <= compared["a"]["tests"].as_u64());
}

#[test]
fn the_numbers_are_those_of_a_reduction() {
    let place = Place::with_fruit(60);
    let compared = compare(&place, "default", "--granularity line");
    let (a, b) = (&compared["a"], &compared["b"]);
    assert_eq!((&compared["identical"], &a["bytes"], &a["tokens"]), (&false.into(), &9.into(), &1.into()));
    // Whole lines stay: an apple a day, a pear tree.
    assert_eq!((&b["bytes"], &b["tokens"]), (&27.into(), &7.into()));
    assert!(a["tests_to_other"].as_u64() < a["tests"].as_u64());
    assert_eq!(b["tests_to_other"], Value::Null, "it never gets as small");

    let ran = place.nub_ok(&["-j1", "--json", "--granularity", "line", "-o", "out", "./test.sh", "in.txt"]);
    let finish = ran.last("finish");
    for field in ["tests", "decisive", "cache_hits"] {
        assert_eq!(b[field], finish[field], "{field}");
    }
    assert_eq!(b["bytes"], finish["bytes_after"]);

    let ran = place.nub_ok(&["compare", "default", "--granularity line", "--test", "./test.sh", "in.txt"]);
    let text = ran.printed();
    for words in ["--granularity line", "tests to the other's size", "never", "The results differ."] {
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn failed_comparisons_leave_nothing_behind() {
    let place = Place::with_fruit(60);
    let files = place.files();
    place.nub(&["compare", "nonsense", "default", "--test", "./test.sh", "in.txt"]).expect(2).says(&["nonsense"]);
    place.nub(&["compare", "default", "ddmin", "--test", "./test.sh", "missing"]).expect(5).says(&["missing"]);
    place.nub(&["compare", "default", "ddmin", "in.txt"]).expect(2).says(&["--test"]);
    place.script(
        "echo >> $N/count; [ $(wc -l < $N/count) -gt 20 ] && touch $N/reached && sleep 30; grep -q apple \"$1\"",
    );
    for signal in [Signal::INT, Signal::TERM] {
        let _ = std::fs::remove_file(place.note("reached"));
        let _ = std::fs::remove_file(place.note("count"));
        let mut running = place.start(&["compare", "default", "ddmin", "--test", "./test.sh", "in.txt"]);
        running.wait_for("twenty tests", || place.note("reached").exists());
        // The signal goes only to `nub compare`, as with `kill`; it ends the reduction.
        running.signal(signal);
        let ran = running.wait();
        ran.expect(128 + signal.as_raw()).says(&["nothing was compared"]);
        place.expect_untouched("in.txt", &fruit(60), &files);
    }
}
