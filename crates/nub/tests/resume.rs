//! Interrupting and resuming reductions.

mod common;

use common::{APPLE_AND_PEAR, FRUIT, Place, Ran, Running, after, fruit, os, processes_called, words};
use rustix::process::Signal;
use std::{
    fs::{self, OpenOptions},
    io::Write as _,
    os::unix::process::ExitStatusExt as _,
    time::{Duration, Instant},
};

const LINES: usize = 30;

/// A test that is slow enough to be interrupted, and logs every run.
fn slow() -> String {
    format!("cksum < \"$1\" >> $N/log; sleep 0.015; {APPLE_AND_PEAR}")
}

fn slow_place() -> Place {
    let place = Place::new("in.txt", fruit(LINES));
    place.script(&slow());
    place
}

/// Starts a reduction and waits for its first result.
#[track_caller]
fn started(place: &Place, args: &[&str]) -> Running {
    let mut running = place.start(args);
    running.wait_for("a first result", || place.exists("in.txt.orig") && place.read("in.txt") != fruit(LINES));
    running
}

#[track_caller]
fn expect_good_best(place: &Place, name: &str) -> usize {
    let best = String::from_utf8(place.read(name)).unwrap();
    assert!(best.contains("apple") && best.contains("pear"), "{best}");
    best.len()
}

/// A place with an interrupted reduction, and nub's output.
#[track_caller]
fn interrupted_with(args: &[&str]) -> (Place, Ran) {
    let place = slow_place();
    let running = started(&place, args);
    running.signal(Signal::INT);
    let ran = running.wait();
    ran.expect(130);
    assert!(place.exists("in.txt.nub-journal"));
    (place, ran)
}

fn interrupted() -> (Place, Ran) {
    interrupted_with(&["./test.sh", "in.txt"])
}

#[test]
fn signals_end_a_reduction_with_the_best_in_place_and_a_command_to_continue() {
    let undisturbed = slow_place();
    undisturbed.nub_ok(&["./test.sh", "in.txt"]);
    for (signal, name, code) in
        [(Signal::INT, "SIGINT", 130), (Signal::TERM, "SIGTERM", 143), (Signal::HUP, "SIGHUP", 129)]
    {
        let place = slow_place();
        let running = started(&place, &["./test.sh", "in.txt"]);
        let start = Instant::now();
        running.signal(signal);
        let ran = running.wait();
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
        ran.expect(code).says(&[name, "stopped at", "to continue, run: "]);
        place.expect_clean();
        let best = expect_good_best(&place, "in.txt");
        assert!(best < fruit(LINES).len());
        assert_eq!(place.files(), ["in.txt", "in.txt.nub-journal", "in.txt.orig", "test.sh"]);

        let resumed = place.run(place.tagged("sh", &["-c", after(&ran.stderr, "to continue, run: ")]));
        resumed.expect(0).says(&["resumed at"]);
        assert_eq!(place.read("in.txt"), undisturbed.read("in.txt"));
        assert_eq!(place.read("in.txt.orig"), fruit(LINES));
        assert_eq!(place.files(), ["in.txt", "in.txt.orig", "test.sh"]);
    }
}

#[test]
fn no_test_is_run_twice_if_there_is_one_job() {
    let (place, _) = interrupted_with(&["./test.sh", "in.txt", "-j1"]);
    place.nub_ok(&["--resume", "./test.sh", "in.txt", "-j1"]);
    let undisturbed = slow_place();
    undisturbed.nub_ok(&["./test.sh", "in.txt", "-j1"]);
    let (log, expected) = (place.notes("log"), undisturbed.notes("log"));
    // The test that was running when the signal arrived may be repeated.
    let mut log: Vec<&str> = log.lines().collect();
    let expected: Vec<&str> = expected.lines().collect();
    if log.len() > expected.len() {
        let twice = log.windows(2).position(|pair| pair[0] == pair[1]).expect("a test was repeated");
        log.remove(twice);
    }
    assert_eq!(log, expected);
}

#[test]
fn a_signal_while_the_original_is_tested_changes_nothing() {
    let place = Place::new("in.txt", fruit(9));
    place.script("touch $N/started; sleep 51.25");
    let files = place.files();
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        let mut running = place.start(&["./test.sh", "in.txt"]);
        running.wait_for("the test", || place.note("started").exists());
        fs::remove_file(place.note("started")).unwrap();
        running.signal(signal);
        running.wait().expect(code).says(&["nothing was changed"]);
        place.expect_untouched("in.txt", &fruit(9), &files);
        place.expect_clean();
    }
    assert!(processes_called("sleep 51.25").is_empty());
}

#[test]
fn a_second_signal_ends_nub_at_once_and_is_cleaned_up_after() {
    let place = slow_place();
    let running = started(&place, &["./test.sh", "in.txt"]);
    for _ in 0..10 {
        // It may have ended already.
        let _ = rustix::process::kill_process(rustix::process::Pid::from_child(&running.child), Signal::INT);
    }
    let ran = running.wait();
    assert!(ran.code() == 130 || ran.status.signal() == Some(2), "{ran:?}");
    place.expect_clean();
    expect_good_best(&place, "in.txt");
    place.nub_ok(&["./test.sh", "in.txt", "--resume"]);
    assert_eq!(place.read("in.txt"), FRUIT);
}

#[test]
fn starting_over_an_interrupted_run_is_refused_and_changes_nothing() {
    let (place, _) = interrupted();
    let (best, journal, files) = (place.read("in.txt"), place.read("in.txt.nub-journal"), place.files());
    place.nub(&["./test.sh", "in.txt"]).expect(5).says(&["interrupted", "--resume", "--restart"]);
    place.nub(&["./test.sh", "in.txt", "--no-backup"]).expect(5).says(&["interrupted", "--resume", "--restart"]);
    place.expect_untouched("in.txt", &best, &files);
    assert_eq!(place.read("in.txt.nub-journal"), journal);
}

#[test]
fn restart_keeps_the_true_original_even_if_it_is_interrupted_in_turn() {
    let (place, _) = interrupted();
    place.nub_ok(&["./test.sh", "in.txt", "--restart"]);
    assert_eq!(place.read("in.txt"), FRUIT);
    assert_eq!(place.read("in.txt.orig"), fruit(LINES));
    assert_eq!(place.files(), ["in.txt", "in.txt.orig", "test.sh"]);

    let (place, _) = interrupted();
    for _ in 0..2 {
        let before = place.read("in.txt");
        let mut again = place.start(&["./test.sh", "in.txt", "--restart"]);
        again.wait_for("another result", || place.read("in.txt") != before);
        again.signal(Signal::TERM);
        again.wait().expect(143).says(&["--resume"]);
        assert_eq!(place.read("in.txt.orig"), fruit(LINES));
    }
    place.nub_ok(&["./test.sh", "in.txt", "--resume"]);
    assert_eq!(place.read("in.txt"), FRUIT);
    assert_eq!(place.read("in.txt.orig"), fruit(LINES));
    assert_eq!(place.files(), ["in.txt", "in.txt.orig", "test.sh"]);
}

#[test]
fn other_settings_are_refused_by_name() {
    let (place, _) = interrupted();
    place.script_named("other.sh", APPLE_AND_PEAR);
    let (best, files) = (place.read("in.txt"), place.files());
    for (args, words) in [
        (&["./test.sh", "in.txt", "--algorithm", "greeddy"][..], "again\" and is now \"greeddy\""),
        (&["./test.sh", "in.txt", "--granularity", "char"], "granularity"),
        (&["./test.sh", "in.txt", "--cache", "none"], "cache"),
        (&["./other.sh", "in.txt"], "`test` was \"./test.sh\" and is now \"./other.sh\""),
        (&["in.txt", "--", "./test.sh", "{}"], "test"),
    ] {
        place.nub(&[&["--resume"], args].concat()).expect(5).says(&["other settings", words]);
        place.expect_untouched("in.txt", &best, &files);
    }
    place.nub_ok(&["--resume", "./test.sh", "in.txt"]);
}

#[test]
fn resume_needs_no_arguments_where_there_is_one_reduction() {
    let (place, _) = interrupted();
    place.nub_ok(&["--resume"]).says(&["resumed at"]);
    assert_eq!(place.read("in.txt"), FRUIT);
    assert_eq!(place.files(), ["in.txt", "in.txt.orig", "test.sh"]);
    place.nub(&["--resume"]).expect(2).says(&["no interrupted run in this directory"]);
    place.nub(&["--resume", "./test.sh", "in.txt"]).expect(5).says(&["cannot resume from", "in.txt.nub-journal"]);
}

#[test]
fn resume_with_the_input_only_also_from_another_directory() {
    let (place, _) = interrupted();
    place.write("b.nub-journal", "");
    place.nub(&["--resume"]).expect(2).says(&["in.txt.nub-journal", "b.nub-journal", "give the INPUT"]);
    fs::create_dir(place.path("elsewhere")).unwrap();
    // From another directory `./test.sh` does not exist; nub notices at once and does no harm.
    let mut command = place.command(&["--resume", "../in.txt"]);
    command.current_dir(place.path("elsewhere"));
    place.run(command).expect(5).says(&["can no longer be run", "--resume"]);
    place.nub_ok(&["--resume", "in.txt"]);
    assert_eq!(place.read("in.txt"), FRUIT);
}

#[test]
fn resume_works_with_names_that_are_not_text() {
    let name = b"\xffin put\n.txt";
    let place = Place::new(os(name), fruit(LINES));
    place.script(&slow());
    let mut running = place.start_command(place.command(&words(&[b"./test.sh", name])));
    running.wait_for("a first result", || place.read(os(name)) != fruit(LINES));
    running.signal(Signal::INT);
    let ran = running.wait();
    ran.expect(130);
    place.nub_ok(&["--resume"]);
    assert_eq!(place.read(os(name)), FRUIT);
}

#[test]
fn the_number_of_jobs_may_change_from_session_to_session() {
    let place = slow_place();
    let mut size = fruit(LINES).len();
    for (session, jobs) in ["3", "1", "8", "2"].iter().enumerate() {
        let resume: &[&str] = if session == 0 { &[] } else { &["--resume"] };
        let mut running = place.start(&[&["./test.sh", "in.txt", "-q", "-j", jobs], resume].concat());
        running.wait_for("another result", || place.read("in.txt").len() < size);
        running.signal(Signal::TERM);
        running.wait().expect(143);
        size = expect_good_best(&place, "in.txt");
    }
    place.nub_ok(&["--resume", "./test.sh", "in.txt"]);
    assert_eq!(place.read("in.txt"), FRUIT);
}

#[test]
fn a_torn_journal_is_good_up_to_the_tear() {
    let (place, _) = interrupted();
    let (best, journal) = (place.read("in.txt"), place.read("in.txt.nub-journal"));
    place.script(APPLE_AND_PEAR);
    let header = journal.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    for cut in [1, 7, 40, (journal.len() - header) / 2, journal.len() - header] {
        place.write("in.txt", &best);
        place.write("in.txt.nub-journal", &journal[..journal.len() - cut]);
        place.nub_ok(&["--resume", "./test.sh", "in.txt"]);
        assert_eq!(place.read("in.txt"), FRUIT, "without the last {cut} bytes");
    }
    for garbage in [&b"\0\0\0\0\0\0\0\0"[..], b"x half a rec", b"d . 1 2 label 00000000\n", &[0xFF; 5000]] {
        place.write("in.txt", &best);
        place.write("in.txt.nub-journal", &journal);
        let mut file = OpenOptions::new().append(true).open(place.path("in.txt.nub-journal")).unwrap();
        file.write_all(garbage).unwrap();
        place.nub_ok(&["--resume", "./test.sh", "in.txt"]);
        assert_eq!(place.read("in.txt"), FRUIT, "with {garbage:?}");
    }
    // A journal without a complete first line is refused with its name.
    place.write("in.txt", &best);
    for useless in [&journal[..header / 2], b"", b"something else entirely\n"] {
        place.write("in.txt.nub-journal", useless);
        place.nub(&["--resume", "./test.sh", "in.txt"]).expect(5).says(&["in.txt.nub-journal"]);
        assert_eq!(place.read("in.txt"), best);
    }
}

#[test]
fn a_journal_without_its_original_is_refused() {
    let (place, _) = interrupted();
    fs::remove_file(place.path("in.txt.orig")).unwrap();
    let best = place.read("in.txt");
    place.nub(&["--resume"]).expect(5).says(&["original", "in.txt.orig"]);
    assert_eq!(place.read("in.txt"), best);
}

#[test]
fn results_elsewhere_can_be_resumed_too() {
    for output in ["out.txt", "-"] {
        let place = slow_place();
        let args = ["./test.sh", "in.txt", "-o", output];
        let mut running = place.start(&args);
        running.wait_for("some tests", || place.notes("log").lines().count() > 20);
        running.signal(Signal::INT);
        let ran = running.wait();
        ran.expect(130);
        let best = if output == "-" { ran.stdout.clone() } else { place.read(output) };
        assert!(best.len() < fruit(LINES).len() && String::from_utf8_lossy(&best).contains("pear"));
        assert_eq!(place.read("in.txt"), fruit(LINES));
        let ran = place.nub_ok(&[&["--resume"], &args[..]].concat());
        let result = if output == "-" { ran.stdout } else { place.read(output) };
        assert_eq!(result, FRUIT);
        assert!(!place.exists("in.txt.orig") && !place.exists("in.txt.nub-journal"));
    }
}

#[test]
fn without_a_backup_or_a_journal_no_resume_is_promised() {
    for option in ["--no-backup", "--no-journal"] {
        let place = slow_place();
        let mut running = place.start(&["./test.sh", "in.txt", option]);
        running.wait_for("a first result", || place.read("in.txt") != fruit(LINES));
        running.signal(Signal::INT);
        let ran = running.wait();
        ran.expect(130).says(&["stopped at"]);
        assert!(!ran.stderr.contains("to continue"), "{}", ran.stderr);
        expect_good_best(&place, "in.txt");
        assert!(!place.exists("in.txt.nub-journal"));
        assert_eq!(place.exists("in.txt.orig"), option == "--no-journal");
    }
}

#[test]
fn a_second_run_on_the_same_file_is_refused() {
    let place = slow_place();
    let running = started(&place, &["./test.sh", "in.txt"]);
    for option in [&[][..], &["--resume"], &["--restart"]] {
        place.nub(&[&["./test.sh", "in.txt"], option].concat()).expect(5).says(&["another nub"]);
    }
    running.wait().expect(0);
    assert_eq!(place.read("in.txt"), FRUIT);
}

#[test]
fn a_kept_journal_and_a_finished_one() {
    let place = slow_place();
    place.nub_ok(&["./test.sh", "in.txt", "--journal", "run.journal", "-o", "out.txt", "-q"]);
    assert!(place.exists("run.journal"));
    let tests = place.notes("log").lines().count();
    // All outcomes are known: only the result is tested.
    place.nub_ok(&["--resume", "./test.sh", "in.txt", "--journal", "run.journal", "-o", "out.txt", "-q"]);
    assert_eq!(place.read("out.txt"), FRUIT);
    assert_eq!(place.notes("log").lines().count(), tests + 1);
}

#[test]
fn the_resume_command_does_not_change_the_users_command() {
    let place = slow_place();
    let test = place.path("test.sh").display().to_string();
    let args = ["in.txt", "--", "sh", "-c", "\"$0\" \"$1\"", &test, "{}", "--resume", "it's"];
    let running = started(&place, &args);
    running.signal(Signal::INT);
    let ran = running.wait();
    let line = after(&ran.stderr, "to continue, run: ");
    assert!(line.ends_with(r"'{}' --resume 'it'\''s'"), "{line}");
    place.run(place.tagged("sh", &["-c", line])).expect(0);
    assert_eq!(place.read("in.txt"), FRUIT);
}

/// Trees are rebuilt from the journal: the same outcomes give the same phases.
#[test]
fn reductions_by_structure_continue_where_they_stopped() {
    let program: String =
        (0..40).map(|i| format!("int f{i}(int a) {{ if (a > {i}) {{ g{i}(a, {i}); }} }}\n")).collect();
    let grammar = "grammar P; p : f* EOF ; f : 'int' W '(' 'int' W ')' b ; b : '{' s* '}' ; \
                   s : 'if' '(' W '>' W ')' b | W '(' W ',' W ')' ';' ; W : [a-z0-9]+ ; B : [ \\n]+ -> skip ;";
    let test = "cksum < \"$1\" >> $N/log; sleep 0.01; grep -q 'g17(a, 17)' \"$1\" && grep -q f23 \"$1\"";
    for options in [&[][..], &["--grammar", "P.g4", "--start", "p"]] {
        let place = || {
            let place = Place::new("in.c", &program);
            place.write("P.g4", grammar);
            place.script(test);
            place
        };
        let args = [options, &["-j2", "./test.sh", "in.c"]].concat();
        let undisturbed = place();
        undisturbed.nub_ok(&args);

        let place = place();
        let mut size = program.len();
        for session in 0..3 {
            let resume: &[&str] = if session == 0 { &[] } else { &["--resume"] };
            let mut running = place.start(&[&args[..], resume].concat());
            running.wait_for("another result", || place.read("in.c").len() < size);
            running.signal(if session == 1 { Signal::KILL } else { Signal::INT });
            running.wait();
            size = place.read("in.c").len();
        }
        if !options.is_empty() {
            // The grammar is part of the settings: with another one there would be other trees.
            place.write("P.g4", format!("{grammar} // changed"));
            place.nub(&[&args[..], &["--resume"]].concat()).expect(5).says(&["grammar"]);
            place.write("P.g4", grammar);
        }
        place.nub_ok(&[&args[..], &["--resume"]].concat());
        assert_eq!(place.read("in.c"), undisturbed.read("in.c"), "{options:?}");
    }
}
