//! The events of `--json`: documented, parseable, consistent.

mod common;

use common::{APPLE_AND_PEAR, Place, Ran, fruit};
use rustix::process::Signal;
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

type Fields = BTreeMap<String, BTreeSet<String>>;

fn documentation() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json-events.md")).unwrap()
}

/// The fields of every event in the documentation.
fn documented() -> Fields {
    let quoted = |text: &str| text.trim().strip_prefix('`')?.strip_suffix('`').map(str::to_owned);
    let mut fields = Fields::new();
    let mut event = None;
    for line in documentation().lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            event = quoted(heading);
            fields.extend(event.clone().map(|event| (event, BTreeSet::new())));
        }
        let field = line.strip_prefix("| ").and_then(|row| quoted(row.split('|').next()?));
        if let (Some(event), Some(field)) = (&event, field) {
            fields.get_mut(event).unwrap().insert(field);
        }
    }
    fields
}

/// The fields of every event in a stream.
fn add_fields(fields: &mut Fields, events: &[Value]) {
    for event in events {
        let mut names: BTreeSet<String> = event.as_object().unwrap().keys().cloned().collect();
        assert!(names.remove("event"));
        let name = event["event"].as_str().unwrap().to_owned();
        let known = fields.entry(name).or_insert_with(|| names.clone());
        assert_eq!(*known, names, "an event always has the same fields");
    }
}

fn count(events: &[Value], name: &str) -> usize {
    events.iter().filter(|event| event["event"] == name).count()
}

fn number(event: &Value, field: &str) -> usize {
    event[field].as_u64().unwrap_or_else(|| panic!("{field} in {event}")) as usize
}

/// Checks what must hold in the events of one complete session.
fn check_consistency(place: &Place, ran: &Ran, output: &str) {
    let events = ran.events();
    let finish = ran.last("finish");
    let bests: Vec<&Value> = events.iter().filter(|event| event["event"] == "best").collect();
    let sizes: Vec<usize> = bests.iter().map(|best| number(best, "bytes")).collect();
    assert!(sizes.is_sorted_by(|a, b| a > b), "every best is smaller: {sizes:?}");
    assert_eq!(sizes.last(), Some(&number(&finish, "bytes_after")));
    assert_eq!(place.read(output).len(), number(&finish, "bytes_after"));
    assert_eq!(number(&events[0], "bytes"), number(&finish, "bytes_before"));
    assert_eq!(count(&events, "test"), number(&finish, "tests"));
    assert_eq!(count(&events, "decide"), number(&finish, "decisive"));
    let cached = events.iter().filter(|event| event["cached"] == true).count();
    assert_eq!(cached, number(&finish, "cache_hits"));
    let interesting = |event: &&Value| event["event"] == "decide" && event["outcome"] == "interesting";
    // Of several interesting candidates in a batch, one becomes the best.
    assert!(events.iter().filter(interesting).count() >= bests.len());
    let numbers: Vec<usize> =
        events.iter().filter(|event| event["event"] == "test").map(|event| number(event, "number")).collect();
    assert_eq!(numbers, (0..numbers.len()).collect::<Vec<_>>());
    assert_eq!(events[0]["event"], "start");
    assert_eq!(finish["complete"], true);
    // The counts of a best are those at the time of the event.
    for (index, event) in events.iter().enumerate().filter(|(_, event)| event["event"] == "best") {
        assert_eq!(count(&events[..index], "test"), number(event, "tests"));
        assert_eq!(count(&events[..index], "decide"), number(event, "decisive"));
    }
}

#[test]
fn the_numbers_agree_with_each_other_and_with_the_file() {
    let place = Place::with_fruit(40);
    for (jobs, algorithm) in [("1", "ddmin*"), ("3", "ddmin"), ("2", "greeddy*")] {
        let args = ["./test.sh", "in.txt", "--json", "-o", "out.txt", "-j", jobs, "--algorithm", algorithm];
        check_consistency(&place, &place.nub_ok(&args), "out.txt");
    }
    let ran = place.nub_ok(&["./test.sh", "in.txt", "--json"]);
    assert_eq!(ran.stderr, "");
    check_consistency(&place, &ran, "in.txt");
}

#[test]
fn the_documentation_lists_exactly_the_printed_events_and_fields() {
    let documented = documented();
    let mut printed = Fields::new();
    let place = Place::new("in.txt", fruit(40));
    place.script(&format!("sleep 0.01; {APPLE_AND_PEAR}"));
    let mut running = place.start(&["./test.sh", "in.txt", "--json"]);
    running.wait_for("a best", || place.exists("in.txt.orig"));
    running.signal(Signal::INT);
    let ran = running.wait();
    ran.expect(130);
    assert_eq!(ran.last("finish")["complete"], false);
    add_fields(&mut printed, &ran.events());
    let ran = place.nub_ok(&["--resume", "--json"]);
    assert_eq!(count(&ran.events(), "resume"), 1);
    assert_eq!(number(&ran.last("finish"), "bytes_after"), place.read("in.txt").len());
    add_fields(&mut printed, &ran.events());
    let ran = place.nub(&["in.txt", "--json", "-o", "out.txt", "--", "false"]);
    ran.expect(1);
    assert!(ran.last("warning")["message"].as_str().unwrap().contains("not interesting"));
    add_fields(&mut printed, &ran.events());
    let place = Place::new("broken.json", "[1, }}]");
    place.script("grep -q 1 \"$1\"");
    add_fields(&mut printed, &place.nub_ok(&["./test.sh", "broken.json", "--json"]).events());
    place.write("whole.json", "[1, 2, 3]");
    let isolate = ["isolate", "--passing", "/dev/null", "--failing", "whole.json", "./test.sh", "--json"];
    add_fields(&mut printed, &place.nub_ok(&isolate).events());
    assert_eq!(printed, documented);
}

#[test]
fn the_example_in_the_documentation_is_what_nub_prints() {
    let text = documentation();
    let (_, rest) = text.split_once("```json\n").unwrap();
    let (example, _) = rest.split_once("```").unwrap();
    let place = Place::new("fruit.txt", "one\ntwo\nan apple\n");
    place.script_named("has-an-apple.sh", "grep -q apple \"$1\"");
    let ran = place.nub_ok(&["--json", "--granularity", "line", "-j1", "./has-an-apple.sh", "fruit.txt"]);
    let timeless = |mut event: Value| {
        event.as_object_mut().unwrap().remove("seconds");
        event
    };
    let expected: Vec<Value> = example.lines().map(|line| timeless(serde_json::from_str(line).unwrap())).collect();
    let printed: Vec<Value> = ran.events().into_iter().map(timeless).collect();
    assert_eq!(printed, expected);
}
