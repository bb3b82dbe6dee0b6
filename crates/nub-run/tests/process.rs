//! Tests as processes: what they see, what their endings mean, and what happens to the things they leave behind.

mod process_support;

use nub_run::{
    Outcome::{self, Interesting, Uninteresting},
    Unresolved,
    test::{Cancel, Limits, Predicate, ProcessTest, Setup, Stop, Test, Timeout, predicate},
};
use process_support::*;
use std::{
    ffi::{OsStr, OsString},
    fs,
    io::Write as _,
    os::unix::{ffi::OsStrExt as _, fs::PermissionsExt as _},
    process::Command,
    thread,
    time::{Duration, Instant},
};

const KILLED: Outcome = Outcome::Unresolved(Unresolved::Killed);
const TIMED_OUT: Outcome = Outcome::Unresolved(Unresolved::TimedOut);
const NOT_STARTED: Outcome = Outcome::Unresolved(Unresolved::NotStarted);

fn command(place: &Place, body: &str, predicate: Predicate) -> ProcessTest {
    ProcessTest::command(&place.setup(generous()), OsStr::new("sh"), &place.shell_args(body), predicate)
}

fn regex(pattern: &str) -> Vec<regex::bytes::Regex> {
    vec![predicate::parse_regex(pattern).unwrap()]
}

// What a test sees.

#[test]
fn exit_codes() {
    let place = Place::new();
    let test = place.script("exit $(cat \"$1\")");
    let cancel = Cancel::new().unwrap();
    for (text, expected) in [("0", Interesting), ("1", Uninteresting), ("139", Uninteresting), ("255", Uninteresting)] {
        let report = test.runner(0).unwrap().run(&text.as_bytes().to_vec(), &cancel).unwrap();
        assert_eq!(report.outcome, expected, "exit code {text}");
        assert!(report.details.is_none());
        place.check();
    }
    assert_eq!(outcome(&place.script("kill -SEGV $$"), b""), KILLED);
}

#[test]
fn exit_code_125_is_unresolved_if_requested() {
    let place = Place::new();
    let test = place.script("exit $(cat)");
    let skipped = Outcome::Unresolved(Unresolved::Skipped);
    for (code, usually, skipping) in
        [("0", Interesting, Interesting), ("1", Uninteresting, Uninteresting), ("125", Uninteresting, skipped)]
    {
        assert_eq!(outcome(&test, code.as_bytes()), usually);
        assert_eq!(outcome(&test.clone().skipping(), code.as_bytes()), skipping);
    }
}

#[test]
fn the_candidate_can_be_found_in_three_ways() {
    let place = Place::new();
    let test = place.script(
        r#"
        [ $# = 1 ] || exit 11
        [ "$(basename "$1")" = input.c ] || exit 12
        [ "$(dirname "$1")" = "$(pwd -P)" ] || exit 13
        [ "$(ls -A)" = input.c ] || exit 14
        [ "$(cat)" = text ] || exit 15
        [ "$(cat "$1")" = text ] || exit 16
        [ -d "$TMPDIR" ] && [ -z "$(ls -A "$TMPDIR")" ] || exit 17
        pwd >> "$N/directories"
        "#,
    );
    let detailed = test.detailed();
    for _ in 0..3 {
        let report = run(&detailed, b"text");
        assert_eq!(report.details.unwrap().exit_code, Some(0));
        assert_eq!(report.outcome, Interesting);
    }
    let directories = place.read("directories");
    let mut directories: Vec<_> = directories.lines().collect();
    directories.dedup();
    assert_eq!(directories.len(), 3, "a directory was used twice");
}

#[test]
fn details_tell_how_a_test_ended_and_what_it_printed() {
    let place = Place::new();
    let report = run(&place.script("echo out; echo err >&2; exit 3").detailed(), b"");
    let details = report.details.unwrap();
    assert_eq!((details.exit_code, details.signal), (Some(3), None));
    assert_eq!((&details.stdout[..], &details.stderr[..]), (&b"out\n"[..], &b"err\n"[..]));
    let details = run(&place.script("kill -ABRT $$").detailed(), b"").details.unwrap();
    assert_eq!((details.exit_code, details.signal), (None, Some(6)));
}

#[test]
fn the_path_replaces_braces_anywhere() {
    let place = Place::new();
    let body = r#"[ "$1" = --in="$(pwd)/input.c":"$(pwd)/input.c" ] && [ "$2" = plain ] && [ $# = 2 ]"#;
    let mut args = place.shell_args(body);
    args.extend(["--in={}:{}", "plain"].map(OsString::from));
    let test = ProcessTest::command(&place.setup(generous()), OsStr::new("sh"), &args, Predicate::default());
    assert_eq!(outcome(&test, b""), Interesting);
}

#[test]
fn names_may_be_arbitrary_bytes() {
    let place = Place::new();
    let name = OsStr::from_bytes(b"caf\xe9 'n\nl.c");
    let setup = Setup::new(&place.run, &place.scratch, name, generous());
    let script = r#"[ "$(cat "$1")" = text ] && [ "$(cat caf*)" = text ] && [ "$(cat)" = text ]"#;
    let test = ProcessTest::script(&setup, OsStr::new("sh"), place.shell_args(script));
    assert_eq!(outcome(&test, b"text"), Interesting);
    place.check();
}

#[test]
fn conditions() {
    let place = Place::new();
    let crash = "echo message; echo 'fatal: oops 17' >&2; kill -SEGV $$";
    let segv = Predicate { signal: Some(predicate::parse_signal("SEGV").unwrap()), ..Default::default() };
    assert_eq!(outcome(&command(&place, crash, segv.clone()), b""), Interesting);
    assert_eq!(outcome(&command(&place, "sh -c 'kill -SEGV $$'; exit $?", segv.clone()), b""), Interesting);
    assert_eq!(outcome(&command(&place, "exit 0", segv), b""), Uninteresting);
    let stderr = Predicate { stderr: regex(r"^fatal: \w+ \d+$"), ..Default::default() };
    assert_eq!(outcome(&command(&place, crash, stderr.clone()), b""), Interesting);
    assert_eq!(outcome(&command(&place, "echo 'fatal: oops 17'", stderr), b""), Uninteresting);
    let code = Predicate { exit_code: Some(3), not_output: regex("bad"), ..Default::default() };
    assert_eq!(outcome(&command(&place, "exit 3", code.clone()), b""), Interesting);
    assert_eq!(outcome(&command(&place, "echo bad >&2; exit 3", code), b""), Uninteresting);
}

#[test]
fn the_shell_command_reproduces_a_test() {
    let place = Place::new();
    let test =
        place.script(r#"[ "$(cat)" = text ] && [ "$(cat "$1")" = text ] && [ -e input.c ] && touch "$N/reproduced""#);
    let kept = nub_run::test::Scratch::keep(OsStr::new("input.c"), &b"text".to_vec()).unwrap();
    let status = Command::new("sh").arg("-c").arg(test.shell_command(&kept)).status().unwrap();
    fs::remove_dir_all(kept.parent().unwrap()).unwrap();
    assert!(status.success());
    assert!(place.note("reproduced").exists());
}

// What can go wrong.

#[test]
fn a_test_that_ignores_every_signal_it_can_times_out() {
    let place = Place::new();
    let test = place.script_with("trap '' TERM INT HUP QUIT; while :; do sleep 1000; done", time_limit(300));
    let start = Instant::now();
    let report = run(&test, b"");
    assert_eq!(report.outcome, TIMED_OUT);
    assert!(report.elapsed >= Duration::from_millis(300));
    assert!(start.elapsed() < Duration::from_secs(20));
    place.check();
}

#[test]
fn time_outs_are_unresolved_for_conditions_too() {
    let place = Place::new();
    let setup = place.setup(time_limit(500));
    let predicate = Predicate { stdout: regex("found"), ..Default::default() };
    let test = ProcessTest::command(&setup, OsStr::new("sh"), &place.shell_args("echo found; sleep 1000"), predicate);
    assert_eq!(outcome(&test, b""), TIMED_OUT);
}

#[test]
fn the_adaptive_limit_learns_from_runs() {
    let place = Place::new();
    let setup = place.setup(Limits::default());
    assert_eq!(setup.time_limit().current(), Duration::from_secs(300));
    let test = ProcessTest::script(&setup, OsStr::new("sh"), place.shell_args("[ -s \"$1\" ]"));
    assert_eq!(outcome(&test, b""), Uninteresting);
    assert_eq!(setup.time_limit().current(), Duration::from_secs(300));
    assert_eq!(outcome(&test, b"x"), Interesting);
    assert!(setup.time_limit().current() < Duration::from_secs(100));
}

#[test]
fn a_test_can_be_cancelled_from_another_thread() {
    let place = Place::new();
    let test = place.script("touch \"$N/started\"; (setsid sleep 1000 &); sleep 1000");
    let cancel = Cancel::new().unwrap();
    thread::scope(|scope| {
        let runner = scope.spawn(|| {
            let result = test.runner(0).unwrap().run(&b"".to_vec(), &cancel);
            (result, Instant::now())
        });
        wait_until("the start", || place.note("started").exists());
        let cancelled = Instant::now();
        cancel.cancel();
        let (result, ended) = runner.join().unwrap();
        assert!(matches!(result, Err(Stop::Cancelled)));
        assert!(ended - cancelled < Duration::from_secs(5), "{:?}", ended - cancelled);
        place.check();
    });
    assert!(matches!(test.runner(0).unwrap().run(&b"".to_vec(), &cancel), Err(Stop::Cancelled)), "cancelled before");
}

#[test]
fn cancellation_is_quick() {
    let place = Place::new();
    let test = place.script("sleep 1000");
    let mut fastest = Duration::MAX;
    for _ in 0..20 {
        let cancel = Cancel::new().unwrap();
        thread::scope(|scope| {
            let runner = scope.spawn(|| (test.runner(0).unwrap().run(&b"".to_vec(), &cancel).is_err(), Instant::now()));
            thread::sleep(Duration::from_millis(20));
            let cancelled = Instant::now();
            cancel.cancel();
            let (stopped, ended) = runner.join().unwrap();
            assert!(stopped);
            fastest = fastest.min(ended.saturating_duration_since(cancelled));
        });
    }
    assert!(fastest < Duration::from_millis(10), "{fastest:?}");
}

#[test]
fn endless_output_is_kept_in_bounded_memory() {
    let place = Place::new();
    let body = "echo start; head -c 200000000 /dev/zero | tr '\\0' x; echo; echo end; head -c 3000000 /dev/zero >&2";
    let details = run(&place.script(body).detailed(), b"").details.unwrap();
    assert_eq!(details.exit_code, Some(0));
    assert!(details.stdout.starts_with(b"start\nxxx") && details.stdout.ends_with(b"xxx\nend\n"));
    assert!(details.stdout.len() < 1_100_000 && details.stderr.len() < 1_100_000);
    assert!(String::from_utf8_lossy(&details.stdout).contains("bytes left out"));
}

#[test]
fn unread_output_does_not_block() {
    let place = Place::new();
    assert_eq!(outcome(&place.script("head -c 20000000 /dev/zero; head -c 20000000 /dev/zero >&2"), b""), Interesting);
}

#[test]
fn daemons_that_hold_the_pipes_open_or_write_for_ever_do_not_block() {
    let place = Place::new();
    let predicate = Predicate { output: regex("answer"), ..Default::default() };
    let start = Instant::now();
    assert_eq!(outcome(&command(&place, "setsid sleep 1000 & echo answer", predicate.clone()), b""), Interesting);
    assert_eq!(outcome(&command(&place, "echo answer; setsid yes &", predicate), b""), Interesting);
    assert!(start.elapsed() < Duration::from_secs(30));
    place.check();
}

#[test]
fn memory_limit() {
    let place = Place::new();
    let limits = Limits { memory: Some(200 << 20), ..generous() };
    // tail has to keep its whole last line.
    let body = |size: &str| {
        format!("head -c {size} /dev/zero | tail -n 1 | wc -c > \"$N/size\"; [ $(cat \"$N/size\") = {size} ]")
    };
    assert_eq!(outcome(&place.script_with(&body("1000000"), limits), b""), Interesting);
    assert_eq!(outcome(&place.script_with(&body("400000000"), limits), b""), Uninteresting);
    assert_eq!(outcome(&place.script(&body("400000000")), b""), Interesting);
}

#[test]
fn tests_that_cannot_be_started_are_explained() {
    let place = Place::new();
    let file = place.note("test.sh");
    let message = |name: &OsStr| {
        let report = run(&ProcessTest::script(&place.setup(generous()), name, vec![]), b"");
        assert_eq!(report.outcome, NOT_STARTED);
        report.details.unwrap().not_started.unwrap()
    };
    assert!(message(file.as_os_str()).contains("there is no"));
    assert!(message(OsStr::new("nub-no-such-test")).contains("there is no"));
    for (content, mode, expected) in [
        ("#!/bin/sh\nexit 0", 0o644, "chmod +x"),
        ("#!/no/interpreter\n", 0o755, "/no/interpreter"),
        ("exit 0", 0o755, "#!/bin/sh"),
    ] {
        fs::write(&file, content).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        let message = message(file.as_os_str());
        assert!(message.contains(expected), "{message}");
    }
    fs::write(&file, "#!/bin/sh\nexit 0").unwrap();
    assert_eq!(outcome(&ProcessTest::script(&place.setup(generous()), file.as_os_str(), vec![]), b""), Interesting);
}

// What a test leaves behind.

#[test]
fn files_are_removed_wherever_they_are() {
    let place = Place::new();
    let test = place.script(
        r#"
        [ "$(ls -A)" = input.c ] && [ -z "$(ls -A "$TMPDIR")" ] || exit 1
        case $(cat) in
        deletes) rm -rf "$(pwd)" ;;
        closes) mkdir -p d/e; touch d/e/f; chmod 000 d/e d; chmod 500 . ;;
        tmp) mktemp -d; mktemp; mkdir -p "$TMPDIR/a/b"; chmod 000 "$TMPDIR/a" ;;
        notmp) rmdir "$TMPDIR" ;;
        many) i=0; while [ $i -lt 500 ]; do mkdir -p $((i % 7))/$i; : > $((i % 7))/$i/file; i=$((i+1)); done ;;
        links) ln -s / root; ln -s nowhere broken; mkfifo pipe ;;
        replaces) rm input.c; mkdir -p input.c/x ;;
        esac
        exit 0
        "#,
    );
    let mut runner = test.runner(0).unwrap();
    let cancel = Cancel::new().unwrap();
    for what in ["", "deletes", "closes", "tmp", "notmp", "many", "links", "replaces", ""] {
        let report = runner.run(&what.as_bytes().to_vec(), &cancel).unwrap();
        assert_eq!(report.outcome, Interesting, "{what}");
        let candidates = || fs::read_dir(place.scratch.path().join("w0")).unwrap().count() - 1;
        assert!(candidates() <= 1, "{what}: only the files of the last candidate may still be there");
    }
    drop(runner);
    assert_eq!(place.files(), Vec::<std::path::PathBuf>::new());
}

#[test]
fn daemons_die_with_their_test() {
    let place = Place::new();
    let plain = r#"setsid sleep 1000 & echo $! > "$N/plain""#;
    let double = r#"(setsid sh -c 'sleep 1000 & echo $! > "$0/double"; exec sleep 1000' "$N" &); while [ ! -s "$N/double" ]; do sleep 0.01; done"#;
    let bare = r#"env -i "$(command -v setsid)" "$(command -v sleep)" 1000 & echo $! > "$N/bare""#;
    let group = r#"sleep 1000 & echo $! > "$N/group""#;
    for (name, body) in [("plain", plain), ("double", double), ("bare", bare), ("group", group)] {
        for (ending, expected) in [("exit 0", Interesting), ("exit 1", Uninteresting), ("kill -9 $$", KILLED)] {
            let _ = fs::remove_file(place.note(name));
            assert_eq!(outcome(&place.script(&format!("{body}\n{ending}")), b""), expected, "{name}");
            let daemon = place.process(name);
            assert!(!is_alive(daemon), "{name} is still alive after {ending}");
            place.check();
        }
        let hangs = place.script_with(&format!("{body}\nsleep 1000"), time_limit(1000));
        assert_eq!(outcome(&hangs, b""), TIMED_OUT, "{name}");
        assert!(!is_alive(place.process(name)), "{name} is still alive after a time-out");
        place.check();
    }
}

#[test]
fn a_daemon_lives_as_long_as_its_own_test() {
    let place = Place::new();
    for clean in ["", "env -i"] {
        let body = format!(
            r#"
            ({clean} "$(command -v setsid)" "$(command -v sleep)" 1000 & echo $! > "$N/$(cat).pid")
            [ "$(cat "$1")" = short ] && exit 0
            while [ ! -e "$N/go" ]; do sleep 0.01; done
            "#
        );
        let test = place.script(&body);
        thread::scope(|scope| {
            let long = scope
                .spawn(|| test.runner(0).unwrap().run(&b"long".to_vec(), &Cancel::new().unwrap()).unwrap().outcome);
            wait_until("the long test", || fs::read(place.note("long.pid")).is_ok_and(|text| text.ends_with(b"\n")));
            let long_daemon = place.process("long.pid");
            for _ in 0..5 {
                let short = test.runner(1).unwrap().run(&b"short".to_vec(), &Cancel::new().unwrap()).unwrap();
                assert_eq!(short.outcome, Interesting);
                assert!(!is_alive(place.process("short.pid")));
                assert!(is_alive(long_daemon), "killed with the wrong test");
            }
            fs::write(place.note("go"), "").unwrap();
            assert_eq!(long.join().unwrap(), Interesting);
            assert!(!is_alive(long_daemon));
        });
        place.check();
        fs::remove_file(place.note("go")).unwrap();
        fs::remove_file(place.note("long.pid")).unwrap();
    }
}

#[test]
fn many_processes_in_many_sessions_are_all_killed() {
    let place = Place::new();
    let test = place.script(
        r#"i=0; while [ $i -lt 60 ]; do (setsid sh -c 'sleep 1000 & setsid sleep 1000 & (sleep 1000 &) ; wait' &); i=$((i+1)); done; exit 0"#,
    );
    assert_eq!(outcome(&test, b""), Interesting);
    place.check();
}

#[test]
fn orphans_that_die_early_are_reaped_during_the_test() {
    let place = Place::new();
    let body = r#"
        i=0; while [ $i -lt 100 ]; do (setsid true &); i=$((i+1)); done
        sleep 2.5
        ps -o stat=,args= --ppid $PPID | grep -c '^Z.*true' > "$N/zombies"
        exit 0"#;
    assert_eq!(outcome(&place.script(body), b""), Interesting);
    // Those of other tests in this process may be among them.
    assert!(place.read("zombies").parse::<u32>().unwrap() < 90, "{}", place.read("zombies"));
}

#[test]
fn many_workers_do_not_interfere() {
    let place = Place::new();
    let test = place.script(
        r#"
        [ "$(ls -A)" = input.c ] || exit 50
        setsid sleep 1000 &
        env -i "$(command -v setsid)" "$(command -v sleep)" 1000 &
        echo junk > "$TMPDIR/junk"
        exit $(cat)
        "#,
    );
    thread::scope(|scope| {
        for worker in 0..6 {
            let test = &test;
            scope.spawn(move || {
                let mut runner = test.runner(worker).unwrap();
                let cancel = Cancel::new().unwrap();
                for i in 0..15 {
                    let code = (i + worker) % 2;
                    let report = runner.run(&code.to_string().into_bytes(), &cancel).unwrap();
                    assert_eq!(report.outcome, if code == 0 { Interesting } else { Uninteresting });
                }
            });
        }
    });
    place.check();
}

#[test]
fn candidates_can_be_executed() {
    let place = Place::new();
    let test = place.script("chmod +x \"$1\"; \"$1\"; [ $? = 3 ]");
    thread::scope(|scope| {
        for worker in 0..4 {
            let test = &test;
            scope.spawn(move || {
                let mut runner = test.runner(worker).unwrap();
                for _ in 0..40 {
                    let report = runner.run(&b"#!/bin/sh\nexit 3\n".to_vec(), &Cancel::new().unwrap()).unwrap();
                    assert_eq!(report.outcome, Interesting);
                }
            });
        }
    });
}

#[test]
fn unrelated_children_are_neither_killed_nor_reaped() {
    let place = Place::new();
    // A child whose thread has ended belongs to the main thread, as orphans do.
    let spawn = |body: &'static str| {
        thread::spawn(move || {
            Command::new("sh").arg("-c").arg(body).stdin(std::process::Stdio::piped()).spawn().unwrap()
        })
        .join()
        .unwrap()
    };
    let mut living = spawn("read line; exit 5");
    let mut session = spawn("exec setsid sh -c 'read line; exit 6'");
    let mut dead = spawn("exit 7");
    let test = place.script("setsid sleep 1000 & exit 0");
    for _ in 0..10 {
        assert_eq!(outcome(&test, b""), Interesting);
    }
    assert!(living.try_wait().unwrap().is_none());
    assert!(session.try_wait().unwrap().is_none());
    assert_eq!(dead.wait().unwrap().code(), Some(7));
    living.stdin.take().unwrap().write_all(b"\n").unwrap();
    session.stdin.take().unwrap().write_all(b"\n").unwrap();
    assert_eq!(living.wait().unwrap().code(), Some(5));
    assert_eq!(session.wait().unwrap().code(), Some(6));
}

#[test]
fn the_tests_of_two_runs_do_not_interfere() {
    let (one, two) = (Place::new(), Place::new());
    let first = one.script(r#"(setsid sleep 1000 & echo $! > "$N/pid"); while [ ! -e "$N/go" ]; do sleep 0.01; done"#);
    thread::scope(|scope| {
        let long = scope.spawn(|| outcome(&first, b""));
        wait_until("the first run", || fs::read(one.note("pid")).is_ok_and(|text| text.ends_with(b"\n")));
        for _ in 0..5 {
            assert_eq!(outcome(&two.script("setsid sleep 1000 & exit 0"), b""), Interesting);
        }
        drop(two);
        assert!(is_alive(one.process("pid")));
        fs::write(one.note("go"), "").unwrap();
        assert_eq!(long.join().unwrap(), Interesting);
    });
}

#[test]
fn the_fixed_limit_can_be_the_longest_duration() {
    let place = Place::new();
    let limits = Limits { timeout: Timeout::Fixed(Duration::MAX), memory: None };
    assert_eq!(outcome(&place.script_with("exit 0", limits), b""), Interesting);
}
