//! Inputs of every kind: a file is reduced correctly whatever its bytes and its name are.

mod common;

use common::{APPLE_AND_PEAR, FRUIT, Place, fruit, os, words};
use std::{fs, process::Command, time::Instant};

/// Reduces `input` with a condition on its bytes, in the language of `grep -aP`.
fn reduce_bytes(input: &[u8], pattern: &str) -> Vec<u8> {
    let place = Place::new("in.bin", input);
    place.script(&format!("LC_ALL=C grep -qzaP '{pattern}' \"$1\""));
    place.nub_ok(&["./test.sh", "in.bin", "--granularity", "line+char+byte"]);
    assert_eq!(place.read("in.bin.orig"), input);
    place.read("in.bin")
}

#[test]
fn bytes_that_are_not_text_are_kept_as_they_are() {
    assert_eq!(reduce_bytes(b"xay\n", "a"), b"a");
    assert_eq!(reduce_bytes(b"one\ntwo\nno end of line", "of"), b"of");
    assert_eq!(reduce_bytes(b"one\r\ntwo\r\nthree\r\n", "o\\r"), b"o\r");
    assert_eq!(reduce_bytes(b"x\r\ny\r\n", "x\\r\\n"), b"x\r\n");
    assert_eq!(reduce_bytes(b"ab\xff\xfe\x80cd\xc3\n\xe2\x82", "\\xff\\xfe"), b"\xff\xfe");
    assert_eq!(reduce_bytes("gr\u{fc}\u{df}e \u{1f600}!\n".as_bytes(), "\\xf0\\x9f"), b"\xf0\x9f");
    assert_eq!(reduce_bytes(b"\x01\x02\x1b[31m\x7f", "\\x1b"), b"\x1b");
}

#[test]
fn nul_bytes() {
    let place = Place::new("in.bin", b"abc\0\0def\0\nghi\0");
    place.script("[ \"$(tr -dc '\\000' < \"$1\" | wc -c)\" -ge 3 ]");
    place.nub_ok(&["./test.sh", "in.bin"]);
    assert_eq!(place.read("in.bin"), b"\0\0\0");
}

#[test]
fn an_empty_file_is_already_minimal() {
    let place = Place::new("in.txt", "");
    place.script("[ ! -s \"$1\" ]");
    let files = place.files();
    place.nub_ok(&["./test.sh", "in.txt"]).says(&["nothing could be removed"]);
    place.expect_untouched("in.txt", b"", &files);
    place.nub_ok(&["./test.sh", "in.txt", "-o", "out.txt"]);
    assert_eq!(place.read("out.txt"), b"");
    assert_eq!(place.nub_ok(&["./test.sh", "in.txt", "-o", "-"]).stdout, b"");
}

#[test]
fn an_input_of_which_nothing_can_be_removed() {
    let place = Place::new("in.txt", "7");
    place.script("[ \"$(cat \"$1\")\" = 7 ]");
    let files = place.files();
    place.nub_ok(&["./test.sh", "in.txt"]).says(&["nothing could be removed"]);
    place.expect_untouched("in.txt", b"7", &files);
    place.nub_ok(&["./test.sh", "in.txt", "-o", "out.txt"]);
    assert_eq!(place.read("out.txt"), b"7");
}

#[test]
fn file_names_of_every_kind() {
    let names: [&[u8]; 8] = [
        b"with blank.c",
        b"line\nbreak",
        b"\xff\xfe.txt",
        b"-dash.c",
        b"{}",
        b"quote's \"$HOME\"",
        b"*?[]",
        b"a\tb\x1b",
    ];
    for name in names {
        let place = Place::new(os(name), fruit(8));
        place.script(&format!("basename \"$1\" > \"$N/name\"\n{APPLE_AND_PEAR}"));
        // A name that begins with a dash would be an option.
        let argument = [b"./", name].concat();
        let ran = place.run(place.command(&words(&[b"./test.sh", &argument])));
        ran.expect(0);
        assert_eq!(place.read(os(name)), FRUIT);
        assert_eq!(place.read(os(&[name, b".orig"].concat())), fruit(8));
        assert_eq!(fs::read(place.note("name")).unwrap(), [name, b"\n"].concat());
        assert_eq!(place.files().len(), 3);

        // The same with a command, with a co-process, and with an original that is not interesting.
        place.write(os(name), fruit(8));
        let command = place.command(&words(&[&argument, b"-o", b"out", b"-q", b"--", b"grep", b"-q", b"pear", b"{}"]));
        place.run(command).expect(0);
        assert_eq!(place.read("out"), b"pear");
        place.script_named(
            "worker.sh",
            "while IFS= read -r path; do if grep -q apple \"$path\"; then echo 1; else echo 0; fi; done",
        );
        let command = place.command(&words(&[&argument, b"-o", b"out", b"-q", b"--worker", b"./worker.sh"]));
        place.run(command).expect(0);
        assert_eq!(place.read("out"), b"apple");
        let ran = place.run(place.command(&words(&[&argument, b"--", b"grep", b"-q", b"plum", b"{}"])));
        ran.expect(1);
        let command = ran.stderr.split_once("To reproduce this, run:\n").unwrap().1;
        let again = Command::new("bash").args(["-c", command]).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&again.stdout), "1\n", "{command}");
    }
}

#[test]
fn an_input_elsewhere_is_reduced_there() {
    let place = Place::with_fruit(8);
    fs::create_dir_all(place.path("deep/er")).unwrap();
    fs::rename(place.path("in.txt"), place.path("deep/er/in.txt")).unwrap();
    place.nub_ok(&["./test.sh", "deep/er/in.txt"]);
    assert_eq!(common::list(&place.path("deep/er")), ["in.txt", "in.txt.orig"]);
    assert_eq!(place.read("deep/er/in.txt"), FRUIT);
}

#[test]
fn permissions_stay() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::with_fruit(5);
    fs::set_permissions(place.path("in.txt"), fs::Permissions::from_mode(0o751)).unwrap();
    place.nub_ok(&["./test.sh", "in.txt"]);
    for name in ["in.txt", "in.txt.orig"] {
        assert_eq!(fs::metadata(place.path(name)).unwrap().permissions().mode() & 0o7777, 0o751);
    }
}

#[test]
fn a_hundred_megabytes() {
    // Lines of a megabyte each; only the last one is needed.
    let mut content = vec![b'x'; 100 << 20];
    content.iter_mut().skip((1 << 20) - 1).step_by(1 << 20).for_each(|byte| *byte = b'\n');
    content.extend_from_slice(b"needle\n");
    let place = Place::on_disk("in.txt", &content);
    // Cheap however large the candidate is: only its end is checked.
    place.script("[ \"$(tail -c 7 \"$1\")\" = needle ]");
    let start = Instant::now();
    place.nub_ok(&["./test.sh", "in.txt", "--granularity", "line"]);
    eprintln!("100 MB took {:?}", start.elapsed());
    assert_eq!(place.read("in.txt"), b"needle\n");
    assert!(fs::metadata(place.path("in.txt.orig")).unwrap().len() == content.len() as u64);
}

#[test]
fn a_line_of_a_megabyte() {
    let content = [&vec![b'a'; 600_000][..], b"needle", &vec![b'b'; 400_000]].concat();
    let place = Place::new("in.txt", &content);
    place.script("grep -q needle \"$1\"");
    place.nub_ok(&["./test.sh", "in.txt"]);
    assert_eq!(place.read("in.txt"), b"needle");
}

#[test]
fn a_million_lines() {
    let content: String = (0..1_000_000).map(|i| format!("{i}\n")).collect();
    let place = Place::new("in.txt", content.as_bytes());
    place.nub_ok(&["in.txt", "--granularity", "line", "--", "grep", "-q", "-x", "765432", "{}"]);
    assert_eq!(String::from_utf8(place.read("in.txt")).unwrap(), "765432\n");
}

#[test]
fn names_that_are_nearly_too_long() {
    // With `.orig` or a temporary suffix the name must still fit in 255 bytes.
    let name = "n".repeat(230);
    let place = Place::new(&name, fruit(5));
    place.script(APPLE_AND_PEAR);
    place.nub_ok(&["./test.sh", &name]);
    assert_eq!(place.read(&name), FRUIT);
    let name = "n".repeat(255);
    let place = Place::new(&name, fruit(5));
    place.script(APPLE_AND_PEAR);
    place.nub(&["./test.sh", &name]).expect(5).says(&["too long"]);
    place.nub_ok(&["./test.sh", &name, "-o", "out.txt"]);
    assert_eq!(place.read("out.txt"), FRUIT);
}
