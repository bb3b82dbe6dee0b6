//! The messages when nub cannot do what it is asked to do; it then changes nothing.

mod common;
#[path = "../../nub-run/tests/namespace/mod.rs"]
mod namespace;

use common::{APPLE_AND_PEAR, FRUIT, Place, after, fruit, list};
use namespace::on_tmpfs;
use std::{fs, os::unix::fs::symlink, path::Path, process::Command};

#[test]
fn an_original_that_is_not_interesting_is_shown_with_a_command_to_reproduce_it() {
    let place = Place::new("in.txt", "no fruit at all\n");
    place.script("echo to the left; echo to the right >&2; pwd > $N/directory; cat > $N/stdin; exit 42");
    let (files, before) = (place.files(), fs::metadata(place.path("in.txt")).unwrap().modified().unwrap());
    let ran = place.nub(&["./test.sh", "in.txt"]);
    ran.expect(1).says(&["in.txt is not interesting", "exited with 42", "| to the left", "| to the right"]);
    place.expect_untouched("in.txt", b"no fruit at all\n", &files);
    assert_eq!(fs::metadata(place.path("in.txt")).unwrap().modified().unwrap(), before);

    let command = after(&ran.stderr, "To reproduce this, run:\n").trim();
    fs::remove_file(place.note("stdin")).unwrap();
    let again = Command::new("sh").args(["-c", command]).current_dir("/").output().unwrap();
    assert_eq!(String::from_utf8_lossy(&again.stdout), "to the left\n42\n", "{command}");
    assert_eq!(place.notes("stdin"), "no fruit at all\n");
    let kept = place.notes("directory").trim().to_owned();
    assert_eq!(list(Path::new(&kept)), ["in.txt"]);
    assert_eq!(list(&place.tmp()), [Path::new(&kept).file_name().unwrap().to_str().unwrap()], "one kept directory");
}

#[test]
fn a_condition_that_does_not_hold_is_reported_with_the_output() {
    let place = Place::new("in.txt", "text\n");
    let ran = place.nub(&["in.txt", "--stderr", "fruit", "--", "sh", "-c", "echo 'no such thing' >&2", "x", "{}"]);
    ran.expect(1).says(&["exited with 0, but the other conditions do not hold", "| no such thing"]);
    let command = after(&ran.stderr, "To reproduce this, run:\n").trim();
    let again = Command::new("sh").args(["-c", command]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&again.stderr), "no such thing\n");
    place.nub(&["in.txt", "--", "sh", "-c", "kill -ABRT $$"]).expect(1).says(&["ended by SIGABRT"]);
    let hung = place.nub(&["in.txt", "--timeout", "100ms", "--", "sleep", "31.5"]);
    hung.expect(1).says(&["still running", "--timeout"]);
}

#[test]
fn inputs_that_cannot_be_read() {
    let place = Place::with_fruit(5);
    symlink("nowhere", place.path("dangling")).unwrap();
    fs::create_dir(place.path("directory")).unwrap();
    let fifo = Command::new("mkfifo").arg(place.path("pipe")).status().unwrap();
    assert!(fifo.success());
    let files = place.files();
    for (input, words) in [
        ("missing.txt", "cannot read missing.txt: No such file"),
        ("dangling", "cannot read dangling: No such file"),
        ("no/such/directory/in.txt", "No such file"),
        ("in.txt/inside", "Not a directory"),
        ("directory", "is a directory"),
        ("pipe", "is not a regular file"),
        ("/dev/null", "is not a regular file"),
    ] {
        place.nub(&["./test.sh", input]).expect(5).says(&[words]);
        place.expect_untouched("in.txt", &fruit(5), &files);
    }
}

#[test]
fn tests_that_cannot_be_run() {
    let place = Place::with_fruit(5);
    place.write("plain.sh", "#!/bin/sh\nexit 0\n");
    place.program("headless.sh", "exit 0\n");
    place.program("windows.sh", "#!/bin/sh\r\nexit 0\r\n");
    place.program("lost.sh", "#!/no/such/interpreter\n");
    place.program("empty.sh", "");
    fs::create_dir(place.path("directory")).unwrap();
    let files = place.files();
    for (test, words) in [
        ("./plain.sh", "chmod +x"),
        ("plain.sh", "chmod +x"),
        ("./headless.sh", "#!/bin/sh"),
        ("./windows.sh", "CR LF"),
        ("./lost.sh", "/no/such/interpreter"),
        ("./empty.sh", "is empty"),
        ("./missing.sh", "there is no "),
        ("missing-program", "there is no "),
        ("./directory", "is a directory"),
    ] {
        let ran = place.nub(&[test, "in.txt"]);
        ran.expect(5).says(&["the test cannot be run", words]);
        assert!(!ran.stderr.contains("not interesting"), "{}", ran.stderr);
        place.expect_untouched("in.txt", &fruit(5), &files);
    }
    assert!(list(&place.tmp()).is_empty(), "there is nothing to reproduce, so nothing is kept");
}

#[test]
fn swapped_arguments_are_noticed() {
    let place = Place::with_fruit(5);
    let script = place.read("test.sh");
    let files = place.files();
    place.nub(&["in.txt", "./test.sh"]).expect(5).says(&["other way round", "TEST comes first"]);
    place.expect_untouched("test.sh", &script, &files);
}

#[test]
fn a_test_that_accepts_everything_is_probably_wrong() {
    let place = Place::new("in.txt", fruit(5));
    place.script("exit 0");
    let files = place.files();
    place.nub(&["./test.sh", "in.txt"]).expect(3).says(&["empty input is interesting", "--allow-empty"]);
    place.expect_untouched("in.txt", &fruit(5), &files);
    place.nub_ok(&["./test.sh", "in.txt", "--allow-empty"]).says(&["-> 0 B"]);
    assert_eq!(place.read("in.txt"), b"");
    assert_eq!(place.read("in.txt.orig"), fruit(5));
    assert_eq!(place.nub_ok(&["./test.sh", "in.txt.orig", "--allow-empty", "-o", "-"]).stdout, b"");
}

#[test]
fn places_where_no_result_can_be_written() {
    let place = Place::with_fruit(5);
    fs::create_dir(place.path("directory")).unwrap();
    symlink("nowhere", place.path("dangling")).unwrap();
    symlink("in.txt", place.path("alias")).unwrap();
    let files = place.files();
    for (output, words) in [
        ("no/such/out.txt", "create it first"),
        ("directory", "is a directory"),
        ("/dev/null", "is not a regular file"),
        ("dangling", "does not exist"),
        ("in.txt", "is the input itself"),
        ("./alias", "is the input itself"),
        ("in.txt/out", "in.txt"),
    ] {
        place.nub(&["./test.sh", "in.txt", "-o", output]).expect(5).says(&[words]);
        place.expect_untouched("in.txt", &fruit(5), &files);
    }
    place.nub(&["./test.sh", "in.txt", "--journal", "no/such/journal"]).expect(5).says(&["journal"]);
    place.expect_untouched("in.txt", &fruit(5), &files);
    place.nub(&["./test.sh", "in.txt", "--temp-dir", "no/such"]).expect(5).says(&["--temp-dir"]);
    place.expect_untouched("in.txt", &fruit(5), &files);
}

#[test]
fn a_result_that_cannot_be_printed_is_an_error() {
    let place = Place::with_fruit(5);
    let nub = |redirected: &str| {
        let line = format!("\"$0\" ./test.sh in.txt {redirected}");
        place.run(place.tagged("sh", &["-c", &line, env!("CARGO_BIN_EXE_nub")]))
    };
    let ran = nub("-o - > /dev/full");
    ran.expect(5).says(&["cannot write the result", "No space left"]);
    let again = place.run(place.tagged("sh", &["-c", after(&ran.stderr, "without running tests again, run: ")]));
    assert_eq!(again.stdout, FRUIT);
    assert_eq!(place.files(), ["in.txt", "test.sh"]);
    // A reader of events that stops reading does not stop the reduction.
    nub("--json > /dev/full").expect(0);
    assert_eq!(place.read("in.txt"), FRUIT);
}

#[test]
fn a_read_only_directory() {
    on_tmpfs("a_read_only_directory", "ro", |mount| {
        let place = Place::with_fruit(5);
        let output = mount.join("out.txt").display().to_string();
        place.nub(&["./test.sh", "in.txt", "-o", &output]).expect(5).says(&["make it writable", "-o"]);
        let journal = mount.join("journal").display().to_string();
        place.nub(&["./test.sh", "in.txt", "--journal", &journal]).expect(5).says(&["journal"]);
        let temp = mount.display().to_string();
        place.nub(&["./test.sh", "in.txt", "--temp-dir", &temp]).expect(5).says(&["--temp-dir"]);
        assert_eq!(place.files(), ["in.txt", "test.sh"]);
        assert_eq!(place.read("in.txt"), fruit(5));
    });
}

/// Fills a file system except for some bytes.
fn fill(mount: &Path, leave: usize) {
    let _ = Command::new("sh").args(["-c", "cat /dev/zero > filler 2> /dev/null"]).current_dir(mount).status();
    let filler = fs::metadata(mount.join("filler")).unwrap().len();
    fs::File::options().write(true).open(mount.join("filler")).unwrap().set_len(filler - leave as u64).unwrap();
}

#[test]
fn no_space_for_the_journal() {
    on_tmpfs("no_space_for_the_journal", "size=64k", |mount| {
        let place = Place::with_fruit(400);
        let journal = mount.join("journal").display().to_string();
        let args = ["./test.sh", "in.txt", "--granularity", "line", "--journal", &journal];
        fill(mount, 0);
        place.nub(&args).expect(5).says(&["journal", "No space left"]);
        assert_eq!(place.read("in.txt"), fruit(400), "it stops before it changes anything");
        assert_eq!(place.files(), ["in.txt", "test.sh"]);

        fs::remove_file(mount.join("filler")).unwrap();
        fill(mount, 4096);
        let ran = place.nub(&args);
        ran.expect(5).says(&["journal", "No space left", "cannot continue", "best result so far", "--resume"]);
        let best = String::from_utf8(place.read("in.txt")).unwrap();
        assert!(best.contains("apple") && best.contains("pear") && best.len() < fruit(400).len());
        assert_eq!(place.read("in.txt.orig"), fruit(400));
        fs::remove_file(mount.join("filler")).unwrap();
        let resume = after(&ran.stderr, "once this is fixed, run: ").to_owned();
        place.run(place.tagged("sh", &["-c", &resume])).expect(0);
        assert_eq!(place.read("in.txt"), b"an apple a day\na pear tree\n");
    });
}

#[test]
fn no_space_for_the_result() {
    on_tmpfs("no_space_for_the_result", "size=64k", |mount| {
        let place = Place::with_fruit(1000);
        let input = fruit(1000);
        fs::write(mount.join("in.txt"), &input).unwrap();
        let journal = place.note("journal").display().to_string();
        let path = mount.join("in.txt").display().to_string();
        // There is room for the empty file that nub creates first, but not for a copy of the original.
        fill(mount, 4096);
        let args = ["./test.sh", &path, "--journal", &journal];
        let ran = place.nub(&args);
        ran.expect(5).says(&["cannot keep the original", "No space left", "is as it was"]);
        assert_eq!(fs::read(mount.join("in.txt")).unwrap(), input);
        assert_eq!(list(mount), ["filler", "in.txt"]);
        fs::remove_file(&journal).unwrap();

        // With room for the copy and nothing else, a best result that was written stays intact.
        fs::remove_file(mount.join("filler")).unwrap();
        fill(mount, 16 << 10);
        place.script(&format!(
            "echo x >> $N/count; [ $(wc -l < $N/count) -lt 20 ] || cat /dev/zero >> '{}'\n{APPLE_AND_PEAR}",
            mount.join("filler").display()
        ));
        let ran = place.nub(&args);
        let best = String::from_utf8(fs::read(mount.join("in.txt")).unwrap()).unwrap();
        assert!(best.contains("apple") && best.contains("pear"), "{best}");
        if ran.code() == 5 {
            ran.says(&["No space left", "--resume"]);
            fs::remove_file(mount.join("filler")).unwrap();
            place.script(APPLE_AND_PEAR);
            place.nub_ok(&[&args[..], &["--resume"]].concat());
        } else {
            ran.expect(0);
        }
        assert_eq!(fs::read(mount.join("in.txt")).unwrap(), FRUIT);
    });
}

#[test]
fn no_space_for_candidates() {
    on_tmpfs("no_space_for_candidates", "size=16k", |mount| {
        let place = Place::with_fruit(5000);
        let temp = mount.display().to_string();
        let ran = place.nub(&["./test.sh", "in.txt", "--temp-dir", &temp]);
        ran.expect(5).says(&["No space left", "in.txt"]);
        assert_eq!(place.read("in.txt"), fruit(5000));
        assert_eq!(place.files(), ["in.txt", "test.sh"]);
        assert!(list(mount).is_empty(), "{:?}", list(mount));

        // The tests themselves fill it, after a while.
        place.write("in.txt", fruit(40));
        place.script(&format!(
            "echo x >> $N/count; [ $(wc -l < $N/count) -lt 20 ] || cat /dev/zero > filler\n{APPLE_AND_PEAR}"
        ));
        place.nub_ok(&["./test.sh", "in.txt", "--temp-dir", &temp, "-j1"]);
        assert_eq!(place.read("in.txt"), FRUIT);
        assert!(list(mount).is_empty(), "{:?}", list(mount));
    });
}
