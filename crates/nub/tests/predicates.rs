//! Conditions on a command, co-processes, and the environment of a test.

mod common;

use common::{APPLE_AND_PEAR, FRUIT, Place, fruit};
use nub_testing::program;
use std::{collections::HashSet, process::Command};

const C_PROGRAM: &str = "#include <stdio.h>\nint unused(void) { return 1; }\n\nint main(void) {\n    int a = 1;\n    \
                         printf(\"%d\\n\", a);\n    return missing + a;\n}\n";

#[test]
fn a_condition_on_the_standard_error_of_a_compiler() {
    if !program("gcc") {
        return;
    }
    let place = Place::new("in.c", C_PROGRAM);
    let ran =
        place.nub_ok(&["in.c", "--granularity", "line", "--stderr", "undeclared", "--", "gcc", "-fsyntax-only", "{}"]);
    let result = String::from_utf8(place.read("in.c")).unwrap();
    assert!(result.contains("missing") && !result.contains("unused") && result.lines().count() <= 3, "{result}");
    ran.says(&["gcc -fsyntax-only '{}' --stderr"]);
}

/// A program that is killed by SIGSEGV if its input contains "boom", and prints to both outputs otherwise.
fn crasher(place: &Place) {
    let source = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <signal.h>\n\
        int main(int argc, char **argv) {\n  static char text[1 << 16];\n  FILE *file = fopen(argv[argc - 1], \"r\");\n\
        fread(text, 1, sizeof text - 1, file);\n  if (strstr(text, \"boom\")) raise(SIGSEGV);\n\
        if (strstr(text, \"seven\")) { puts(\"seven out\"); fputs(\"seven err\\n\", stderr); exit(7); }\n  return 0;\n}\n";
    place.write("crasher.c", source);
    let built = Command::new("gcc").args(["-w", "-o", "crasher", "crasher.c"]).current_dir(place.work()).status();
    assert!(built.unwrap().success());
}

#[test]
fn signals_and_exit_codes_directly_and_through_a_shell() {
    if !program("gcc") {
        return;
    }
    let text = "one\ntwo boom three\nfour seven five\n";
    for (command, condition, expected) in [
        (&["./crasher", "{}"][..], &["--signal", "SEGV"][..], "boom"),
        (&["./crasher", "{}"], &["--signal", "11"], "boom"),
        (&["sh", "-c", "\"$0\" \"$1\"; exit $?", "./crasher", "{}"], &["--signal", "sigsegv"], "boom"),
        (&["./crasher", "{}"], &["--exit-code", "7"], "seven"),
        (&["./crasher", "{}"], &["--stdout", "^seven out$"], "seven"),
        (&["./crasher", "{}"], &["--output-matches", "seven err", "--exit-code", "7"], "seven"),
        (&["sh", "-c", "cat; ./crasher \"$0\"", "{}"], &["--exit-code", "7", "--output-lacks", "one"], "seven"),
    ] {
        // With its first line, the input of the last case would be uninteresting.
        let text = if condition.contains(&"--output-lacks") { &text[4..] } else { text };
        let text = text.replace("boom", if expected == "boom" { "boom" } else { "bang" });
        let place = Place::new("in.txt", text);
        crasher(&place);
        // A command with a path is relative to the user's directory, and the tests run elsewhere.
        let here = place.work().display().to_string();
        let command: Vec<String> =
            command.iter().map(|word| word.replace("./crasher", &format!("{here}/crasher"))).collect();
        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        place.nub_ok(&[&["in.txt"], condition, &["--"], &command].concat());
        assert_eq!(String::from_utf8(place.read("in.txt")).unwrap(), expected, "{condition:?} {command:?}");
    }
}

#[test]
fn without_a_condition_the_exit_code_of_the_command_decides() {
    let place = Place::new("in.txt", fruit(10));
    place.nub_ok(&["in.txt", "--", "grep", "-q", "pear", "{}"]);
    assert_eq!(place.read("in.txt"), b"pear");
}

#[test]
fn a_command_may_be_relative_to_the_users_directory() {
    let place = Place::with_fruit(10);
    place.nub_ok(&["in.txt", "--exit-code", "0", "--", "./test.sh", "{}"]);
    assert_eq!(place.read("in.txt"), FRUIT);
}

#[test]
fn a_command_without_a_place_for_the_candidate_reads_it_from_standard_input() {
    let place = Place::new("in.txt", fruit(10));
    place.nub_ok(&["in.txt", "--stdout", "apple", "--", "cat"]);
    assert_eq!(place.read("in.txt"), b"apple");
}

#[test]
fn a_co_process_answers_for_many_candidates() {
    if !program("python3") {
        return;
    }
    let python = "import sys\nopen(sys.argv[1], 'a').write('start\\n')\nfor path in sys.stdin:\n    text = open(path[:-1]).read()\n    \
                  print(int('apple' in text and 'pear' in text), flush=True)\n";
    let place = Place::new("in.txt", fruit(40));
    place.write("worker.py", python);
    let worker = format!("python3 worker.py {}", place.note("starts").display());
    place.nub_ok(&["in.txt", "--worker", &worker, "-j2"]);
    assert_eq!(place.read("in.txt"), FRUIT);
    let starts = place.notes("starts").lines().count();
    assert!(starts <= 6, "{starts} starts");
}

#[test]
fn a_co_process_in_shell_that_crashes_and_hangs_now_and_then() {
    let place = Place::new("in.txt", fruit(24));
    // It crashes on candidates without line 2, and hangs on those with line 5 but without line 6.
    place.script_named(
        "worker.sh",
        "while read -r path; do\ntext=\"$(cat \"$path\")\"\ncase \"$text\" in *'line 2'*) ;; *) exit 9 ;; esac\n\
         case \"$text\" in *'line 6'*) ;; *'line 5'*) sleep 44.5 ;; esac\n\
         case \"$text\" in *apple*pear*) echo 1 ;; *) echo 0 ;; esac\ndone",
    );
    let args = ["in.txt", "--worker", "./worker.sh", "--timeout", "300ms", "--granularity", "line", "--json"];
    let ran = place.nub_ok(&args);
    let finish = ran.last("finish");
    assert!(finish["killed"].as_u64().max(finish["not_started"].as_u64()) > Some(0), "{finish}");
    assert!(finish["timed_out"].as_u64() > Some(0), "{finish}");
    let result = String::from_utf8(place.read("in.txt")).unwrap();
    for needed in ["line 2", "apple", "pear"] {
        assert!(result.contains(needed), "{result}");
    }
    assert!(result.lines().count() <= 4, "{result}");
    assert!(common::processes_called("sleep 44.5").is_empty());
}

#[test]
fn a_co_process_that_does_not_work_is_reported() {
    let place = Place::new("in.txt", fruit(5));
    let files = place.files();
    let ran = place.nub(&["in.txt", "--worker", "echo oops >&2; exit 3"]);
    assert!(matches!(ran.code(), 1 | 5), "{ran:?}");
    ran.says(&["oops"]);
    let ran = place.nub(&["in.txt", "--worker", "./no-such-worker"]);
    assert!(matches!(ran.code(), 1 | 5), "{ran:?}");
    ran.says(&["no-such-worker"]);
    place.expect_untouched("in.txt", &fruit(5), &files);
}

#[test]
fn a_test_finds_the_candidate_in_three_ways_and_nothing_else() {
    let place = Place::new("in put.txt", fruit(20));
    let check = r#"
fail() { echo "$1" >> "$N/broken"; exit 1; }
[ $# = 1 ] || fail "$# arguments"
[ "$(ls -A)" = "in put.txt" ] || fail "not alone: $(ls -A)"
[ "$1" = "$PWD/in put.txt" ] || fail "argument: $1"
cmp -s - "$1" || fail "standard input"
[ -d "$TMPDIR" ] && [ -z "$(ls -A "$TMPDIR")" ] || fail "TMPDIR: $(ls -A "$TMPDIR")"
case "$TMPDIR" in "$PWD"*) fail "TMPDIR is in the working directory" ;; esac
echo "$PWD" >> "$N/directories"
echo "+ $TMPDIR" >> "$N/tmps"
touch "$TMPDIR/left" left
"#;
    // While it runs, no other test may use either directory.
    let alone = "mkdir \"$TMPDIR/lock\" mine || fail shared; sleep 0.01";
    place.script(&format!("{check}\n{alone}\n{APPLE_AND_PEAR}"));
    place.nub_ok(&["./test.sh", "in put.txt", "-j3"]);
    assert_eq!(place.notes("broken"), "");
    assert_eq!(place.read("in put.txt"), FRUIT);
    let directories = place.notes("directories");
    let distinct: HashSet<&str> = directories.lines().collect();
    assert_eq!(distinct.len(), directories.lines().count(), "a directory was used twice");
    let tmps: HashSet<String> = place.notes("tmps").lines().map(str::to_owned).collect();
    assert!(tmps.len() <= 3, "{tmps:?}");
}
