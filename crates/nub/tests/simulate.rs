//! `nub simulate JOURNAL`: a recorded run with other numbers of workers.

mod common;

use common::Place;
use serde_json::Value;

/// A place with the journal of a finished reduction, and its events.
fn reduced(options: &[&str]) -> (Place, Vec<Value>) {
    let place = Place::with_fruit(200);
    let ran = place.nub_ok(&[options, &["--json", "--journal", "run.journal", "./test.sh", "in.txt"]].concat());
    (place, events(&ran.printed()))
}

fn simulated(place: &Place, jobs: &str) -> Vec<Value> {
    events(&place.nub_ok(&["simulate", "--json", "--jobs", jobs, "run.journal"]).printed())
}

fn events(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn one_worker_runs_the_same_tests_as_the_recorded_run() {
    for options in [&[][..], &["--algorithm", "ddmin*", "--granularity", "line+char"]] {
        let (place, events) = reduced(&[options, &["-j1"]].concat());
        let [one, four] = &simulated(&place, "1,4")[..] else { panic!("two lines") };
        assert_eq!(one["tests"], events[events.len() - 1]["tests"], "{options:?}");
        // The same from a run with several jobs, whatever speculation tested ahead of time.
        let (several, _) = reduced(&[options, &["-j3"]].concat());
        assert_eq!(simulated(&several, "1")[0]["tests"], one["tests"], "{options:?}");
        assert_eq!((&one["wasted"], &one["cancelled"], &one["unknown"]), (&0.into(), &0.into(), &0.into()));
        assert!(four["speed_up"].as_f64() > Some(0.9), "{four}");
    }
}

#[test]
fn a_table_for_people() {
    let (place, _) = reduced(&["-j1"]);
    let text = place.nub_ok(&["simulate", "run.journal"]).printed();
    assert_eq!(text.lines().count(), 8, "{text}");
    assert!(text.starts_with("workers  seconds  speed-up   tests   wasted  idle\n"), "{text}");
}

#[test]
fn impossible_simulations_are_explained() {
    let (place, _) = reduced(&["-j1"]);
    let fails = |message: &str| {
        let ran = place.nub(&["simulate", "run.journal"]);
        ran.expect(5);
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    };
    // The journal of an interrupted run lacks the last record.
    let journal = place.read("run.journal");
    let text = String::from_utf8(journal.clone()).unwrap();
    let cut: Vec<&str> = text.lines().collect();
    place.write("run.journal", cut[..cut.len() - 1].join("\n") + "\n");
    fails("unfinished reduction");
    place.write("run.journal", journal);
    // In place, the original is in the backup.
    place.write("in.txt.orig", "something else");
    fails("no longer exist");
    place.nub(&["simulate", "--slower", "0", "run.journal"]).expect(2);
    place.write("run.journal", "nonsense");
    fails("run.journal");
}
