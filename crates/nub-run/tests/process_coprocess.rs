//! Co-processes: outcomes, crashes, time-outs, and tests that talk too much.

mod process_support;

use nub_run::{
    Outcome::{self, Interesting, Uninteresting},
    Unresolved,
    test::{Cancel, CoprocessTest, Limits, Runner, Setup, Stop, Test},
};
use process_support::*;
use std::{
    ffi::OsStr,
    fs, thread,
    time::{Duration, Instant},
};

const NOT_STARTED: Outcome = Outcome::Unresolved(Unresolved::NotStarted);

/// A co-process that notes its start in `$N/starts` and runs `body` for each path in `$p`, whose content is in `$c`.
fn coprocess(place: &Place, body: &str, limits: Limits) -> CoprocessTest {
    let line = format!(
        "N='{}'; echo $$ >> \"$N/starts\"; while IFS= read -r p; do c=$(cat \"$p\"); {body}\ndone",
        place.notes.path().display()
    );
    CoprocessTest::new(&place.setup(limits), OsStr::new(&line)).unwrap()
}

fn ask(runner: &mut dyn Runner, candidate: &str) -> Outcome {
    runner.run(&candidate.as_bytes().to_vec(), &Cancel::new().unwrap()).unwrap().outcome
}

fn starts(place: &Place) -> usize {
    fs::read_to_string(place.note("starts")).unwrap_or_default().lines().count()
}

#[test]
fn outcomes_of_one_process() {
    let place = Place::new();
    let test = coprocess(
        &place,
        r#"[ "$(basename "$p")" = input.c ] || exit; [ "$(ls -A "$(dirname "$p")")" = input.c ] || exit; echo "$p" >> "$N/paths"; echo "$c""#,
        generous(),
    );
    {
        let mut runner = test.runner(0).unwrap();
        assert_eq!(starts(&place), 0, "started before it was needed");
        for (text, expected) in [
            ("1", Interesting),
            ("0", Uninteresting),
            ("?", NOT_STARTED),
            ("interesting", Interesting),
            ("uninteresting", Uninteresting),
            ("unresolved", NOT_STARTED),
        ] {
            assert_eq!(ask(&mut *runner, text), expected, "{text}");
            assert_eq!(place.files(), Vec::<std::path::PathBuf>::new());
        }
        assert_eq!(starts(&place), 1);
        let paths = place.read("paths");
        let unique: std::collections::HashSet<_> = paths.lines().collect();
        assert_eq!(unique.len(), 6);
        assert_ne!(place.left().len(), 0);
    }
    place.check();
}

#[test]
fn one_process_per_worker() {
    let place = Place::new();
    let test = coprocess(&place, "echo $((c % 2))", generous());
    thread::scope(|scope| {
        for worker in 0..3 {
            let test = &test;
            scope.spawn(move || {
                let mut runner = test.runner(worker).unwrap();
                for i in 0..20 {
                    let expected = if i % 2 == 1 { Interesting } else { Uninteresting };
                    assert_eq!(ask(&mut *runner, &i.to_string()), expected);
                }
            });
        }
    });
    assert_eq!(starts(&place), 3);
    place.check();
}

#[test]
fn a_crash_is_retried_once() {
    let place = Place::new();
    let body = r#"case $c in once) [ -e "$N/crashed" ] || { touch "$N/crashed"; exit 3; } ;; always) echo dying >&2; exit 4 ;; esac; echo 1"#;
    let test = coprocess(&place, body, generous());
    let mut runner = test.runner(0).unwrap();
    assert_eq!(ask(&mut *runner, "fine"), Interesting);
    assert_eq!(ask(&mut *runner, "once"), Interesting);
    assert_eq!(starts(&place), 2);
    let report = runner.run(&b"always".to_vec(), &Cancel::new().unwrap()).unwrap();
    assert_eq!(report.outcome, NOT_STARTED);
    let message = report.details.unwrap().not_started.unwrap();
    assert!(message.contains("exit code 4") && message.contains("dying"), "{message}");
    assert_eq!(starts(&place), 3);
    assert_eq!(ask(&mut *runner, "fine"), Interesting);
    assert_eq!(starts(&place), 4);
}

#[test]
fn a_hopeless_one_is_fatal() {
    let place = Place::new();
    let test = CoprocessTest::new(&place.setup(generous()), OsStr::new("/no/such/worker --flag")).unwrap();
    let mut runner = test.runner(0).unwrap();
    let mut asked = 0;
    let (what, message) = loop {
        asked += 1;
        match runner.run(&b"".to_vec(), &Cancel::new().unwrap()) {
            Ok(report) => assert_eq!(report.outcome, NOT_STARTED),
            Err(Stop::Fatal { what, source }) => break (what, source.to_string()),
            Err(Stop::Cancelled) => panic!(),
        }
    };
    assert_eq!(asked, 10);
    assert!(what.contains("20 times"), "{what}");
    assert!(message.contains("/no/such/worker --flag") && message.contains("not found"), "{message}");
}

#[test]
fn a_hang_ends_with_the_time_out_and_is_not_retried() {
    let place = Place::new();
    let body = r#"[ "$c" = hang ] && { trap '' TERM; setsid sleep 1000 & sleep 1000; }; echo 0"#;
    let test = coprocess(&place, body, time_limit(1500));
    let mut runner = test.runner(0).unwrap();
    assert_eq!(ask(&mut *runner, "hang"), Outcome::Unresolved(Unresolved::TimedOut));
    place.check();
    assert_eq!(starts(&place), 1);
    assert_eq!(ask(&mut *runner, "fine"), Uninteresting);
    assert_eq!(starts(&place), 2);
}

#[test]
fn garbage_is_a_crash_with_the_line_in_the_message() {
    let place = Place::new();
    for (body, expected) in [
        ("echo maybe", "answered `maybe`"),
        ("echo", "answered ``"),
        ("echo 1; exec sleep 1000", ""),
        ("printf '1\\n0\\n'", "wrote `0`"),
        ("head -c 100000 /dev/zero | tr '\\0' x", "xxx…"),
        ("exec >&-; sleep 1000", "closed its standard output"),
        ("kill -SEGV $$", "SIGSEGV"),
    ] {
        let report = coprocess(&place, body, generous());
        let report = report.runner(0).unwrap().run(&b"".to_vec(), &Cancel::new().unwrap()).unwrap();
        if expected.is_empty() {
            assert_eq!(report.outcome, Interesting);
            continue;
        }
        assert_eq!(report.outcome, NOT_STARTED, "{body}");
        let message = report.details.unwrap().not_started.unwrap();
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn a_late_second_answer_is_not_taken_for_the_next() {
    let place = Place::new();
    let body = r#"echo 0; case $c in chatty) sleep 0.1; echo 1 ;; esac"#;
    let test = coprocess(&place, body, generous());
    let mut runner = test.runner(0).unwrap();
    assert_eq!(ask(&mut *runner, "chatty"), Uninteresting);
    thread::sleep(Duration::from_millis(500));
    assert_eq!(ask(&mut *runner, "next"), Uninteresting);
    assert_eq!(starts(&place), 2);
}

#[test]
fn noise_on_standard_error_does_not_block() {
    let place = Place::new();
    let test = coprocess(&place, "head -c 3000000 /dev/zero >&2; echo last words >&2; echo 1", generous()).detailed();
    let report = test.runner(0).unwrap().run(&b"".to_vec(), &Cancel::new().unwrap()).unwrap();
    assert_eq!(report.outcome, Interesting);
    let stderr = report.details.unwrap().stderr;
    assert!(stderr.len() < 10_000 && stderr.ends_with(b"last words\n"));
}

#[test]
fn a_cancelled_request_is_waited_for_if_it_is_short() {
    let place = Place::new();
    let body = r#"[ "$c" = slow ] && { touch "$N/slow"; sleep 0.02; }; [ "$c" = endless ] && { touch "$N/endless"; sleep 1000; }; echo 1"#;
    let test = coprocess(&place, body, generous());
    let mut runner = test.runner(0).unwrap();
    assert_eq!(ask(&mut *runner, "fine"), Interesting);
    let mut cancelled = |what: &str| {
        let cancel = Cancel::new().unwrap();
        thread::scope(|scope| {
            scope.spawn(|| {
                wait_until(what, || place.note(what).exists());
                cancel.cancel();
            });
            let result = runner.run(&what.as_bytes().to_vec(), &cancel);
            assert!(matches!(result, Err(Stop::Cancelled) | Ok(_)));
            assert!(what == "slow" || result.is_err());
        });
    };
    cancelled("slow");
    assert_eq!(starts(&place), 1, "killed for a few milliseconds");
    let start = Instant::now();
    cancelled("endless");
    assert!(start.elapsed() < Duration::from_secs(20));
    place.check();
    assert_eq!(ask(&mut *runner, "fine"), Interesting);
    assert_eq!(starts(&place), 2);
}

#[test]
fn one_that_does_not_want_to_go() {
    let place = Place::new();
    let line = "trap '' TERM HUP; while read p; do echo 1; done; setsid sleep 1000 & sleep 1000";
    let test = CoprocessTest::new(&place.setup(generous()), OsStr::new(line)).unwrap();
    let start = Instant::now();
    assert_eq!(outcome(&test, b""), Interesting);
    assert!(start.elapsed() < Duration::from_secs(20));
    place.check();
}

#[test]
fn line_breaks_in_names() {
    let place = Place::new();
    let setup = Setup::new(&place.run, &place.scratch, OsStr::new("a\nb.c"), generous());
    let line = r#"while IFS= read -r p; do case $p in *.c) echo $(cat "$p") ;; *) echo no ;; esac; done"#;
    let test = CoprocessTest::new(&setup, OsStr::new(line)).unwrap();
    assert_eq!(outcome(&test, b"1"), Interesting);
}

#[test]
fn temporary_files_live_as_long_as_the_process() {
    let place = Place::new();
    let body = r#"f=$TMPDIR/state; [ "$c" = crash ] && exit 1; [ -e "$f" ] && echo 1 || echo 0; touch "$f""#;
    let test = coprocess(&place, body, generous());
    let mut runner = test.runner(0).unwrap();
    assert_eq!(ask(&mut *runner, "a"), Uninteresting);
    assert_eq!(ask(&mut *runner, "b"), Interesting);
    assert_eq!(ask(&mut *runner, "crash"), NOT_STARTED);
    assert_eq!(ask(&mut *runner, "c"), Uninteresting);
}
