//! The best-so-far file, when something is wrong: nothing is lost, nothing is left behind, and the message helps.

mod namespace;

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    sync::Arc,
};

use nub_core::Content;
use nub_run::best::{BestError, BestFile, Durability, Intact};
use tempfile::TempDir;

const ORIGINAL: &[u8] = b"int a;\nint b;\n";

fn text(bytes: &[u8]) -> Arc<dyn Content> {
    Arc::new(bytes.to_vec())
}

fn in_place(input: &Path) -> Result<BestFile, BestError> {
    BestFile::in_place(input, text(ORIGINAL), true, Durability::Fsync)
}

fn output(input: &Path, output: &Path) -> Result<BestFile, BestError> {
    BestFile::output(input, output, Durability::Fsync)
}

fn directory_with_input() -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let input = directory.path().join("input.c");
    fs::write(&input, ORIGINAL).unwrap();
    (directory, input)
}

fn count(directory: &Path) -> usize {
    fs::read_dir(directory).unwrap().count()
}

fn assert_contains(error: &BestError, parts: &[&str]) {
    let message = error.to_string();
    for part in parts {
        assert!(message.contains(part), "`{part}` is not in: {message}");
    }
}

#[test]
fn a_foreign_backup_is_never_touched() {
    let (directory, input) = directory_with_input();
    let backup = directory.path().join("input.c.orig");
    for foreign in [&b"int a;\nint c;\n"[..], b"shorter", b""] {
        fs::write(&backup, foreign).unwrap();
        let error = in_place(&input).unwrap_err();
        assert_contains(&error, &["input.c.orig` exists and is not the same", "rename", "-o", "--no-backup"]);
        assert_eq!(fs::read(&backup).unwrap(), foreign);
    }
    fs::remove_file(&backup).unwrap();
    fs::create_dir(&backup).unwrap();
    assert!(matches!(in_place(&input), Err(BestError::ForeignBackup { .. })));
    fs::remove_dir(&backup).unwrap();
    symlink("nowhere", &backup).unwrap();
    assert!(matches!(in_place(&input), Err(BestError::ForeignBackup { .. })));
}

#[test]
fn a_backup_that_appears_during_the_run_is_never_touched_either() {
    let (directory, input) = directory_with_input();
    let mut best = in_place(&input).unwrap();
    let backup = directory.path().join("input.c.orig");
    fs::write(&backup, "foreign").unwrap();
    let error = best.write(&b"int".to_vec()).unwrap_err();
    assert!(matches!(error, BestError::ForeignBackup { .. }));
    assert_eq!((fs::read(&backup).unwrap(), fs::read(&input).unwrap()), (b"foreign".to_vec(), ORIGINAL.to_vec()));
    assert_eq!(count(directory.path()), 2);
    fs::remove_file(&backup).unwrap();
    best.write(&b"int".to_vec()).unwrap();
    assert_eq!((fs::read(&backup).unwrap(), fs::read(&input).unwrap()), (ORIGINAL.to_vec(), b"int".to_vec()));
}

#[test]
fn outputs_that_cannot_be_replaced_are_refused() {
    let (directory, input) = directory_with_input();
    let at = |name: &str| directory.path().join(name);
    fs::create_dir(at("directory")).unwrap();
    symlink("nowhere", at("dangling")).unwrap();
    symlink("input.c", at("link")).unwrap();
    fs::hard_link(&input, at("hard")).unwrap();

    assert_contains(&output(&input, &at("directory")).unwrap_err(), &["is a directory", "name a file"]);
    assert_contains(&output(&input, &at("new/")).unwrap_err(), &["is a directory"]);
    assert_contains(&output(&input, Path::new("")).unwrap_err(), &["name a file"]);
    assert_contains(&output(&input, Path::new("/dev/null")).unwrap_err(), &["/dev/null", "not a regular file", "-o -"]);
    assert_contains(&output(&input, &at("dangling")).unwrap_err(), &["dangling", "does not exist"]);
    for same in [input.clone(), at("link"), at("hard"), at("directory/../input.c")] {
        assert_contains(&output(&input, &same).unwrap_err(), &["is the input itself", "omit -o"]);
    }
    assert_contains(&output(&at("missing"), &at("out")).unwrap_err(), &["cannot open", "missing"]);
    assert_contains(&in_place(&at("missing")).unwrap_err(), &["cannot open", "missing", "No such file"]);
    assert_contains(&in_place(directory.path()).unwrap_err(), &["is a directory"]);
    assert_contains(&in_place(Path::new("/dev/null")).unwrap_err(), &["not a regular file"]);
    assert_eq!(count(directory.path()), 5);
}

#[test]
fn a_missing_directory_is_noticed_early() {
    let (directory, input) = directory_with_input();
    let missing = output(&input, &directory.path().join("missing/out.c")).unwrap();
    let error = missing.check_writable().unwrap_err();
    assert_contains(&error, &["cannot write to the directory", "missing", "No such file", "create it first"]);
    assert!(!error.to_string().contains(".nub-"), "{error}");
    // A file in the place of the directory.
    let error = output(&input, &input.join("out.c")).unwrap_err();
    assert_contains(&error, &["cannot open", "input.c/out.c", "Not a directory"]);
    assert_eq!(count(directory.path()), 1);
}

#[test]
fn a_directory_that_disappears_costs_only_the_new_result() {
    let (directory, input) = directory_with_input();
    let outputs = directory.path().join("outputs");
    fs::create_dir(&outputs).unwrap();
    let mut best = output(&input, &outputs.join("out.c")).unwrap();
    best.write(&b"one".to_vec()).unwrap();
    let aside = directory.path().join("aside");
    fs::rename(&outputs, &aside).unwrap();
    let error = best.write(&b"two".to_vec()).unwrap_err();
    assert_contains(&error, &["cannot write the result to", "outputs/out.c"]);
    fs::rename(&aside, &outputs).unwrap();
    assert_eq!(fs::read(outputs.join("out.c")).unwrap(), b"one");
    best.write(&b"three".to_vec()).expect("a later result can be written again");
}

#[test]
fn an_output_that_becomes_a_directory_is_an_error() {
    let (directory, input) = directory_with_input();
    let path = directory.path().join("out.c");
    let mut best = output(&input, &path).unwrap();
    fs::create_dir(&path).unwrap();
    let error = best.write(&b"one".to_vec()).unwrap_err();
    assert_contains(&error, &["cannot write the result to", "nothing was written"]);
    assert_eq!((count(directory.path()), count(&path)), (2, 0), "the temporary file was left behind");
}

#[test]
fn a_full_disk_leaves_the_best_so_far() {
    namespace::on_tmpfs("a_full_disk_leaves_the_best_so_far", "size=64k", |directory| {
        let input = directory.join("input.c");
        let big = vec![b'x'; 20 << 10];
        fs::write(&input, &big).unwrap();
        let mut best = BestFile::in_place(&input, text(&big), true, Durability::Fsync).unwrap();
        let filler = directory.join("filler");
        fs::write(&filler, vec![0; 30 << 10]).unwrap();
        let error = best.write(&big[1..].to_vec()).unwrap_err();
        assert_contains(
            &error,
            &["cannot keep the original as", "input.c.orig", "No space left", "input.c` is as it was"],
        );
        assert_eq!(count(directory), 2);
        fs::remove_file(&filler).unwrap();

        best.write(&big[..16].to_vec()).unwrap();
        fs::write(&filler, vec![0; 30 << 10]).unwrap();
        let error = best.write(&big).unwrap_err();
        assert!(matches!(&error, BestError::Write { intact: Intact::Best(path), .. } if *path == input));
        assert_contains(&error, &["input.c`: No space left", "best result so far is intact in"]);
        assert_eq!(fs::read(&input).unwrap(), &big[..16]);
        assert_eq!(fs::read(directory.join("input.c.orig")).unwrap(), big);
        assert_eq!(count(directory), 3, "the temporary file was left behind");
    });
}

#[test]
fn a_read_only_file_system_is_noticed_early() {
    namespace::on_tmpfs("a_read_only_file_system_is_noticed_early", "ro", |directory| {
        let (_elsewhere, input) = directory_with_input();
        let mut best = output(&input, &directory.join("out.c")).unwrap();
        assert_contains(&best.check_writable().unwrap_err(), &["Read-only file system", "-o"]);
        assert_contains(&best.write(&b"x".to_vec()).unwrap_err(), &["Read-only file system", "nothing was written"]);
    });
}
