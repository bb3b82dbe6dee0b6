//! The display on a terminal: one progress line that is cleared at the end.

mod common;

use common::{APPLE_AND_PEAR, FRUIT, Place, fruit};
use nub_testing::program;

/// Runs nub on a terminal, and returns what it wrote there.
fn on_a_terminal(place: &Place, args: &str) -> String {
    let line = format!("stty cols 150; exec '{}' {args}", env!("CARGO_BIN_EXE_nub"));
    let mut script = place.tagged("script", &["-qec", &line, "/dev/null"]);
    script.env("TERM", "xterm");
    let ran = place.run(script);
    ran.expect(0);
    String::from_utf8(ran.stdout).unwrap()
}

#[test]
fn one_progress_line_that_is_cleared_at_the_end() {
    if !program("script") {
        return;
    }
    let place = Place::new("in.txt", fruit(50));
    place.script(&format!("sleep 0.03; {APPLE_AND_PEAR}"));
    let screen = on_a_terminal(&place, "./test.sh in.txt");
    assert_eq!(place.read("in.txt"), FRUIT);
    let updates: Vec<&str> = screen.split('\r').filter(|text| text.contains(" left (")).collect();
    assert!(updates.len() >= 3, "{screen:?}");
    for words in ["B left (", " %)", "characters", "tests", "/s", "cached"] {
        assert!(updates.iter().any(|update| update.contains(words)), "{words}: {screen:?}");
    }
    // It stays one line: nothing is printed below it before the end.
    let (progress, end) = screen.rsplit_once(" left (").unwrap();
    assert!(!progress[progress.find(" left (").unwrap()..].contains('\n'), "{screen:?}");
    let (cleared, summary) = end.split_once("nub: reduced").expect(&screen);
    assert!(cleared.contains("\u{1b}[2K") || cleared.contains("\u{1b}[J"), "{cleared:?}");
    assert!(summary.contains("-> 9 B") && summary.contains("result: in.txt"), "{summary:?}");
}

#[test]
fn messages_and_the_progress_line_do_not_mix() {
    if !program("script") {
        return;
    }
    let place = Place::new("in.txt", "nothing\n");
    place.script("sleep 0.3; exit 7");
    let line = format!("'{}' ./test.sh in.txt; echo code $?", env!("CARGO_BIN_EXE_nub"));
    let ran = place.run(place.tagged("script", &["-qec", &line, "/dev/null"]));
    let screen = String::from_utf8(ran.stdout).unwrap();
    assert!(screen.contains("testing the original"), "{screen:?}");
    assert!(screen.contains("exited with 7") && screen.contains("code 1"), "{screen:?}");
    let after_message = screen.split_once("in.txt is not interesting").unwrap().1;
    assert!(!after_message.contains("testing the original"), "{screen:?}");
}

#[test]
fn quiet_is_quiet_on_a_terminal_too() {
    if !program("script") {
        return;
    }
    let place = Place::with_fruit(10);
    assert_eq!(on_a_terminal(&place, "-q ./test.sh in.txt"), "");
}
