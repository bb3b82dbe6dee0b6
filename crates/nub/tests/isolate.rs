//! `nub isolate`, end to end: from two files to two others that hardly differ.

mod common;

use common::{Place, Running, os};
use nub_run::journal::Reader;
use nub_testing::program;
use rustix::process::Signal;
use serde_json::Value;
use std::{fs, path::Path, thread, time::Duration};

/// Fails with a pear after an apple, is unresolved with a worm, and passes otherwise. `-` is a line break.
const SCRIPT: &str = "\
while IFS= read -r line; do text=\"$text$line-\"; done
text=\"$text$line\"
echo \"$text\" >> $N/log
case \"$text\" in *worm*) exit 125 ;; *apple*pear*) exit 0 ;; esac
exit 1";

/// `count` lines, some of them replaced.
fn lines(count: usize, replaced: &[(usize, &str)]) -> Vec<u8> {
    let line = |i| replaced.iter().find(|(at, _)| *at == i).map_or(format!("line {i}"), |(_, text)| (*text).to_owned());
    (0..count).map(|i| line(i) + "\n").collect::<String>().into_bytes()
}

/// `old.txt` has an apple; `new.txt` also has a pear, and other changed lines.
fn orchard() -> Place {
    let place = Place::new("old.txt", lines(40, &[(5, "an apple")]));
    let new =
        [(2, "two"), (5, "an apple"), (9, "nine"), (20, "no worry"), (28, "one pear tree"), (31, ""), (39, "end")];
    place.write("new.txt", lines(40, &new));
    place.script(SCRIPT);
    place
}

const ARGS: [&str; 6] = ["isolate", "--passing", "old.txt", "--failing", "new.txt", "./test.sh"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&ARGS[..], more].concat()
}

fn text(place: &Place, name: &str) -> String {
    String::from_utf8(place.read(name)).unwrap()
}

#[test]
fn two_files_that_differ_in_one_token() {
    let place = orchard();
    let (old, new) = (place.read("old.txt"), place.read("new.txt"));
    let ran = place.nub_ok(&with(&[]));
    ran.says(&["isolated the difference: 6 lines -> 1 token", "passes: new.txt.passing", "fails: new.txt.failing"]);
    // From `line 28` to `one pear tree`: with `one` and the blank before it, `pear` makes the difference.
    let diff = ran.printed();
    assert!(diff.starts_with("--- new.txt.passing\n+++ new.txt.failing\n@@ -26,7 +26,7 @@\n line 25\n"), "{diff}");
    let changed: Vec<&str> = diff.lines().skip(2).filter(|line| line.starts_with(['-', '+'])).collect();
    assert!(matches!(changed[..], [gone, come] if !gone.contains("pear") && come.contains("pear")), "{diff}");
    assert_eq!((place.read("old.txt"), place.read("new.txt")), (old, new), "the inputs are not touched");
    let files = ["new.txt", "new.txt.failing", "new.txt.passing", "old.txt", "test.sh"];
    assert_eq!(place.files(), files, "nothing else is left");
    assert!(!text(&place, "new.txt.passing").contains("pear") && text(&place, "new.txt.failing").contains("pear"));
}

#[test]
fn the_result_is_the_same_for_every_number_of_jobs() {
    let place = orchard();
    let mut results = vec![];
    for jobs in ["1", "2", "5"] {
        for granularity in ["line", "line+token", "token", "char", "byte"] {
            place.nub_ok(&with(&["-q", "-o", "out", "-j", jobs, "--granularity", granularity]));
            results.push((granularity, place.read("out.passing"), place.read("out.failing")));
        }
    }
    let (first, others) = results.split_at(5);
    assert!(others.chunks(5).all(|other| other == first));
    let line = String::from_utf8(first[0].2.clone()).unwrap();
    assert!(line.contains("one pear tree\n"), "a whole line: {line}");
}

#[test]
fn unresolved_candidates_do_not_pass() {
    // The pear without the new line is unresolved; the other lines pass, so only the pear is left.
    let place = Place::new("old.txt", "apple\n");
    place.write("new.txt", "apple\npear\nnew\nother\n");
    place.script("grep -q pear \"$1\" || exit 1; grep -q new \"$1\" || exit 125; grep -q apple \"$1\"");
    let ran = place.nub_ok(&with(&["--granularity", "line", "-j1"]));
    assert_eq!(text(&place, "new.txt.passing"), "apple\nnew\nother\n");
    assert_eq!(text(&place, "new.txt.failing"), "apple\npear\nnew\nother\n");
    assert!(ran.stderr.contains("1 skipped"), "{}", ran.stderr);

    // With a second test for passing, the pear without the other line is unresolved.
    place.script("grep -q pear \"$1\" && grep -q other \"$1\"");
    place.script_named("works.sh", "grep -q apple \"$1\" && ! grep -q 'pear\\|other\\|new' \"$1\"");
    let ran = place.nub_ok(&with(&["-o", "out", "--granularity", "line", "--passes-if", "./works.sh"]));
    assert_eq!(text(&place, "out.passing"), "apple\n");
    assert_eq!(text(&place, "out.failing"), "apple\npear\nother\n", "{}", ran.stderr);
    ran.says(&["minimal: candidates with any single change more or less are unresolved", "skipped"]);
}

#[test]
fn candidates_pass_if_the_command_succeeds() {
    let place = Place::new("old.txt", "a\n");
    place.write("new.txt", "a\nb\nc\n");
    // b ends with 3, c with 4 and a message.
    let command =
        ["sh", "-c", "if grep -q c \"$1\"; then echo oops; exit 4; fi; ! grep -q b \"$1\" || exit 3", "x", "{}"];
    let args = |more: &[&'static str]| {
        [&ARGS[..5], &["-o", "out", "--granularity", "line", "--stdout", "oops"], more, &["--"], &command].concat()
    };
    place.nub_ok(&args(&[]));
    assert_eq!((text(&place, "out.passing"), text(&place, "out.failing")), ("a\n".to_owned(), "a\nc\n".to_owned()));
    place.nub_ok(&args(&["--passes-exit-code", "any"]));
    assert_eq!(
        (text(&place, "out.passing"), text(&place, "out.failing")),
        ("a\nb\n".to_owned(), "a\nb\nc\n".to_owned())
    );
    place.nub(&args(&["--passes-exit-code", "3"])).expect(1).says(&["old.txt is unresolved", "--passes-exit-code"]);
    place.nub(&args(&["--passes-exit-code", "-3"])).expect(2);
    // Without a condition, a candidate fails if the command exits with 0, and passes otherwise.
    place.nub_ok(&[&ARGS[..5], &["-o", "out", "--granularity", "line", "--", "grep", "-q", "c", "{}"]].concat());
    assert_eq!(text(&place, "out.failing"), "a\nb\nc\n");
}

#[test]
fn the_passing_input_may_be_empty() {
    let place = orchard();
    place.write("empty", "");
    for nothing in ["/dev/null", "empty"] {
        place.nub_ok(&["isolate", "--passing", nothing, "--failing", "new.txt", "./test.sh", "-q", "-o", "out"]);
        let (passing, failing) = (text(&place, "out.passing"), text(&place, "out.failing"));
        assert!(
            failing.contains("apple") && failing.contains("pear") && !passing.contains("pear"),
            "{passing}{failing}"
        );
        assert!(failing.len() > passing.len());
    }
}

#[test]
fn impossible_isolations_are_explained_and_nothing_is_changed() {
    let place = orchard();
    fs::create_dir(place.path("directory")).unwrap();
    place.write("neither.txt", "worm\n");
    let files = place.files();
    let cases: [(&[&str], i32, &[&str]); 13] = [
        (&["--passing", "new.txt", "--failing", "new.txt", "./test.sh"], 1, &["are the same"]),
        (
            &["--passing", "new.txt", "--failing", "old.txt", "./test.sh"],
            1,
            &["old.txt does not fail", "wrong way round", "exited with 1"],
        ),
        (
            &["--passing", "new.txt", "--failing", "neither.txt", "./test.sh"],
            1,
            &["neither.txt is unresolved", "exited with 125"],
        ),
        (
            &["--passing", "neither.txt", "--failing", "new.txt", "./test.sh"],
            1,
            &["neither.txt is unresolved", "clearly passes"],
        ),
        (
            &["--passing", "old.txt", "--failing", "new.txt", "--", "true"],
            1,
            &["old.txt fails, too", "To reproduce this, run"],
        ),
        (&["--passing", "missing.txt", "--failing", "new.txt", "./test.sh"], 5, &["cannot read missing.txt"]),
        (&["--passing", "old.txt", "--failing", "directory", "./test.sh"], 5, &["directory is a directory"]),
        (
            &["--passing", "old.txt", "--failing", "new.txt", "./missing.sh"],
            5,
            &["the test cannot be run", "there is no"],
        ),
        (&["--passing", "old.txt", "--failing", "new.txt"], 2, &["the TEST is missing"]),
        (&["--failing", "new.txt", "./test.sh"], 2, &["the passing input is missing"]),
        (&["--passing", "old.txt", "./test.sh"], 2, &["the failing input is missing"]),
        (&["--passing", "old.txt", "--failing", "new.txt", "./test.sh", "--granularity", "tree"], 2, &["--language"]),
        (&["--passing", "old.txt", "--failing", "new.txt", "./test.sh", "-o", "-"], 2, &["two results"]),
    ];
    for (args, code, words) in cases {
        place.nub(&[&["isolate"], args].concat()).expect(code).says(words);
        assert_eq!(place.files(), files, "{args:?}");
    }
    place.write("new.txt.passing", "precious");
    place.nub(&with(&[])).expect(5).says(&["new.txt.passing already exists", "-o PREFIX"]);
    assert_eq!(text(&place, "new.txt.passing"), "precious");
    // An input is never replaced, not even on request.
    fs::rename(place.path("old.txt"), place.path("x.passing")).unwrap();
    let ran = place.nub(&["isolate", "--passing", "x.passing", "--failing", "new.txt", "./test.sh", "-o", "x"]);
    ran.expect(5).says(&["one of the inputs"]);
}

#[test]
fn inputs_may_have_any_bytes() {
    let place = Place::new("x", "");
    // The inputs fail because of the z.
    let cases: [(&str, &[u8], &[u8], &str); 5] = [
        ("crlf", b"a\r\nb\r\n", b"a\nb\nz\n", "z"),
        ("no newline at the end", b"a\nb", b"a\nz", "z"),
        ("not UTF-8", b"\xff\xfe a\n\xc3\n", b"\xff b\n\xc3z\n", "z"),
        ("binary", b"\0\x01\x02\x03\x04\x05", b"\0\x09\x02z\x04\0\x05", "z"),
        ("one side empty", b"", b"z", "z"),
    ];
    for (name, old, new, word) in cases {
        place.write("old.txt", old);
        place.write("new.txt", new);
        place.script(&format!("LC_ALL=C grep -qa {word} \"$1\""));
        let ran = place.nub_ok(&with(&["-o", "out"]));
        let (passing, failing) = (place.read("out.passing"), place.read("out.failing"));
        assert!(!passing.contains(&b'z') && failing.contains(&b'z'), "{name}: {passing:?} {failing:?}");
        assert!(ran.printed().contains("--- out.passing\n+++ out.failing\n@@"), "{name}: {}", ran.printed());
    }
    place.write(os(b"n\xffw"), "z");
    let ran = place.run({
        let mut command = place.command(&["isolate", "--passing", "old.txt", "./test.sh", "--failing"]);
        command.arg(os(b"n\xffw"));
        command
    });
    ran.expect(0);
    assert_eq!(place.read(os(b"n\xffw.failing")), b"z");
}

#[test]
fn a_test_that_hangs_or_crashes_is_unresolved() {
    let place = Place::new("old.txt", "a\nb\nc\nd\n");
    place.write("new.txt", "A\nB\nC\nD\n");
    // B alone hangs, C alone crashes, D without both fails differently; all of them fail.
    place.script(
        "t=$(tr -d '\\n' < \"$1\"); case $t in abcd) exit 1 ;; ABCD|aBCd) exit 0 ;; *B*C*) exit 125 ;; *B*) sleep 77 ;; *C*) kill -SEGV $$ ;; *) exit 1 ;; esac",
    );
    let ran = place.nub_ok(&with(&["--granularity", "line", "--timeout", "3"]));
    assert_eq!(text(&place, "new.txt.passing").to_uppercase(), "A\nB\nC\nD\n");
    ran.says(&["timed out", "killed"]);
    let (passing, failing) = (text(&place, "new.txt.passing"), text(&place, "new.txt.failing"));
    assert!(failing.contains("B\nC") && passing.contains("b\nc"), "{passing}{failing}");
}

#[test]
fn a_test_that_contradicts_itself_is_called_flaky() {
    let place = orchard();
    // The sixth run, which tests the result again, contradicts the earlier ones.
    place.script("echo >> $N/count; grep -q pear \"$1\" && [ $(wc -l < $N/count) -lt 6 ]");
    let ran = place.nub(&with(&["-j1", "--granularity", "line"]));
    ran.expect(4).says(&["the failing side was interesting when it was found and is uninteresting now", "flaky"]);
}

#[test]
fn events() {
    let place = orchard();
    let ran = place.nub_ok(&with(&["--json", "-j1"]));
    let start = &ran.events()[0];
    assert_eq!(
        (&start["passing"], &start["input"], &start["algorithm"]),
        (&"old.txt".into(), &"new.txt".into(), &"dd".into())
    );
    let end = ran.last("isolated");
    assert_eq!((&end["differences"], &end["units"], &end["complete"]), (&1.into(), &"token".into(), &true.into()));
    assert!(end["diff"].as_str().unwrap().contains("+++ new.txt.failing"), "{end}");
    let narrowed: Vec<u64> = ran
        .events()
        .iter()
        .filter(|event| event["event"] == "narrow" && event["step"] == "line")
        .map(|event| event["differences"].as_u64().unwrap())
        .collect();
    assert!(narrowed.windows(2).all(|pair| pair[1] < pair[0]) && narrowed.last() == Some(&1), "{narrowed:?}");
}

fn is_coloured(ran: &common::Ran) -> bool {
    ran.printed().contains("\x1b[31m-")
}

#[test]
fn a_diff_in_a_file_is_coloured_on_demand_only() {
    let place = orchard();
    assert!(!is_coloured(&place.nub_ok(&with(&["-o", "out"]))));
    assert!(is_coloured(&place.nub_ok(&with(&["-o", "out", "--color", "always"]))));
}

#[test]
fn a_diff_on_a_terminal_is_coloured_unless_the_user_says_no() {
    if !program("script") {
        return;
    }
    let place = orchard();
    for (variable, expected) in [("", true), ("NO_COLOR=1", false)] {
        let line = format!("env {variable} '{}' {} -o out", env!("CARGO_BIN_EXE_nub"), ARGS.join(" "));
        let mut script = place.tagged("script", &["-qec", &line, "/dev/null"]);
        script.env("TERM", "xterm").env_remove("NO_COLOR");
        assert_eq!(is_coloured(&place.run(script)), expected, "{variable}");
    }
}

fn start(place: &Place, jobs: &str) -> Running {
    let journal = place.path("out.failing.nub-journal");
    let how: &[&str] = match Reader::open(&journal) {
        Ok(_) => &["--resume"],
        Err(_) if journal.exists() => &["--restart"],
        Err(_) => &[],
    };
    place.start(&with(&[&["-o", "out", "--json", "-j", jobs], how].concat()))
}

#[test]
fn kills_at_any_moment_lose_nothing() {
    // Twenty changed lines; the input fails with both the 6th and the 14th, and most mixtures are unresolved.
    let place = Place::new("old.txt", lines(20, &[]));
    let new: Vec<(usize, String)> = (0..20).map(|i| (i, format!("new {i}"))).collect();
    let new: Vec<(usize, &str)> = new.iter().map(|(i, text)| (*i, &**text)).collect();
    place.write("new.txt", lines(20, &new));
    place.script(
        "while IFS= read -r line; do text=\"$text/$line\"; done; echo \"$text/\" >> $N/log
        case \"$text/\" in */new\\ 3/*line\\ 4/*|*/line\\ 3/*new\\ 4/*|*/new\\ 16/*line\\ 17/*) exit 125 ;; */new\\ 6/*new\\ 14/*) exit 0 ;; esac; exit 1",
    );
    let outcome = |bytes: &[u8]| {
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        text.contains("new 6\n") && text.contains("new 14\n")
    };
    place.nub_ok(&with(&["-q", "-o", "out", "-j1"]));
    let expected = [place.read("out.passing"), place.read("out.failing")];
    let undisturbed = place.notes("log").lines().count();
    let (mut kills, mut seed) = (0, 7u64);
    while kills < 40 {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let mut running = start(&place, ["1", "3"][(seed >> 40) as usize % 2]);
        // A run is short, so kill it after it has printed a certain number of lines.
        let events = (seed >> 33) as usize % 40;
        while running.stdout().lines().count() < events && !running.is_over() {
            thread::sleep(Duration::from_micros(200));
        }
        if running.is_over() {
            running.wait().expect(0);
            assert_eq!([place.read("out.passing"), place.read("out.failing")], expected);
            for side in ["out.passing", "out.failing"] {
                fs::remove_file(place.path(side)).unwrap();
            }
            continue;
        }
        running.signal(Signal::KILL);
        running.child.wait().unwrap();
        kills += 1;
        place.wait_until_abandoned();
        let begun = running
            .stdout()
            .lines()
            .any(|line| serde_json::from_str::<Value>(line).is_ok_and(|event| event["event"] == "timeout"));
        if begun {
            assert!(!outcome(&place.read("out.passing")) && outcome(&place.read("out.failing")));
        }
    }
    start(&place, "2").wait().expect(0);
    assert_eq!([place.read("out.passing"), place.read("out.failing")], expected);
    assert!(!place.exists("out.failing.nub-journal"));
    assert!(undisturbed > 5);
}

#[test]
fn an_interrupted_isolation_is_continued_without_repeating_a_test() {
    let place = orchard();
    place.script(&format!("{}\n", SCRIPT.replace("case", "sleep 0.2; case")));
    place.nub_ok(&with(&["-q", "-o", "whole", "-j1"]));
    let undisturbed = place.notes("log").lines().count();
    fs::remove_file(place.note("log")).unwrap();

    let mut running = place.start(&with(&["-j1", "-v"]));
    running.wait_for("something is known", || place.notes("log").lines().count() > 4);
    running.signal(Signal::INT);
    let ran = running.wait();
    ran.expect(130).says(&["to continue, run:", "isolate --resume"]);
    place.nub(&["--resume"]).expect(5).says(&["nub isolate --resume"]);
    place.nub(&with(&[])).expect(5).says(&["--resume", "--restart"]);
    place.write("old.txt.new", "other");
    let other = ["isolate", "--passing", "old.txt.new", "--failing", "new.txt", "./test.sh", "--resume"];
    place.nub(&other).expect(5).says(&["recorded with other settings", "`passing`"]);
    place.nub_ok(&["isolate", "--resume", "-j1"]);
    for side in ["passing", "failing"] {
        assert_eq!(place.read(format!("new.txt.{side}")), place.read(format!("whole.{side}")));
    }
    // The test that was interrupted runs twice.
    assert!(place.notes("log").lines().count() <= undisturbed + 1);
}

fn example(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)).unwrap()
}

#[test]
fn the_example_of_a_configuration() {
    if !program("python3") {
        return;
    }
    let place = Place::new("old.conf", example("isolate-config/old.conf"));
    place.write("new.conf", example("isolate-config/new.conf"));
    place.write("import.py", example("isolate-config/import.py"));
    place.program("test.sh", &String::from_utf8(example("isolate-config/test.sh")).unwrap());
    let ran = place.nub_ok(&["isolate", "--passing", "old.conf", "--failing", "new.conf", "./test.sh"]);
    ran.says(&["14 lines -> 1 token"]);
    assert!(ran.printed().contains("\n-dates = %Y-%m-%d\n+dates = %d-%m-%d\n"), "{}", ran.printed());
}

#[test]
fn the_example_of_a_program() {
    if !program("python3") {
        return;
    }
    let place = Place::new("old.py", example("isolate-program/old.py"));
    place.write("new.py", example("isolate-program/new.py"));
    let args = ["isolate", "--passing", "old.py", "--failing", "new.py", "--stderr", "NoneType", "--", "python3", "{}"];
    let ran = place.nub_ok(&args);
    ran.says(&["15 nodes -> 1 token", "candidates that are not valid python"]);
    let printed = ran.printed();
    let changed: Vec<&str> = printed.lines().skip(2).filter(|line| line.starts_with(['-', '+'])).collect();
    assert!(
        matches!(changed[..], [gone, come] if !gone.contains("discount") && come.contains("\"discount\": None")),
        "{printed}"
    );
}
