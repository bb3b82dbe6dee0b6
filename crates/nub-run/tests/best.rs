//! The best-so-far file, when all goes well.

use std::{
    ffi::OsString,
    fs::{self, File, Permissions},
    os::unix::{
        ffi::OsStringExt,
        fs::{MetadataExt, PermissionsExt, symlink},
    },
    path::{Path, PathBuf},
    sync::Arc,
};

use nub_core::Content;
use nub_run::{
    Fingerprint,
    best::{BestFile, Durability, original},
};
use tempfile::TempDir;

const ORIGINAL: &[u8] = b"int a;\nint b;\n";

fn text(bytes: &[u8]) -> Arc<dyn Content> {
    Arc::new(bytes.to_vec())
}

fn in_place(input: &Path) -> BestFile {
    BestFile::in_place(input, text(ORIGINAL), true, Durability::Fsync).unwrap()
}

fn directory_with_input() -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let input = directory.path().join("input.c");
    fs::write(&input, ORIGINAL).unwrap();
    (directory, input)
}

fn names(directory: &Path) -> Vec<OsString> {
    let mut names: Vec<_> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    names
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

#[test]
fn the_input_is_replaced_and_the_original_is_saved() {
    let (directory, input) = directory_with_input();
    let mut best = in_place(&input);
    best.check_writable().unwrap();
    assert_eq!(names(directory.path()), ["input.c"], "nothing is created before the first result");
    best.write(&b"int a;\n".to_vec()).unwrap();
    assert_eq!(names(directory.path()), ["input.c", "input.c.orig"]);
    assert_eq!(fs::read(&input).unwrap(), b"int a;\n");
    best.write(&b"int".to_vec()).unwrap();
    best.write(&Vec::new()).unwrap();
    assert_eq!(fs::read(&input).unwrap(), b"");
    assert_eq!(fs::read(best.backup_path().unwrap()).unwrap(), ORIGINAL);
    assert_eq!(names(directory.path()), ["input.c", "input.c.orig"]);
}

#[test]
fn without_a_backup_another_file_called_orig_is_left_alone() {
    let (directory, input) = directory_with_input();
    fs::write(directory.path().join("input.c.orig"), "another file").unwrap();
    let mut best = BestFile::in_place(&input, text(ORIGINAL), false, Durability::None).unwrap();
    best.write(&b"int".to_vec()).unwrap();
    assert_eq!(fs::read(&input).unwrap(), b"int");
    assert_eq!(fs::read(directory.path().join("input.c.orig")).unwrap(), b"another file");
    assert_eq!(best.backup_path(), None);
}

#[test]
fn large_and_scattered_contents_are_written_completely() {
    struct Scattered;
    impl Content for Scattered {
        fn write(&self, sink: &mut dyn FnMut(&[u8])) {
            for i in 0..200_000u32 {
                sink(&i.to_le_bytes()[..(i % 5) as usize]);
            }
            sink(&[7; 300_000]);
        }
        fn identify(&self, sink: &mut dyn FnMut(&[u8])) {
            self.write(sink);
        }
    }
    let (_directory, input) = directory_with_input();
    in_place(&input).write(&Scattered).unwrap();
    assert!(fs::read(&input).unwrap() == Scattered.to_vec());
}

#[test]
fn the_output_is_written_and_the_input_is_not() {
    let (directory, input) = directory_with_input();
    fs::set_permissions(&input, Permissions::from_mode(0o755)).unwrap();
    let output = directory.path().join("out.c");
    let mut best = BestFile::output(&input, &output, Durability::Fsync).unwrap();
    best.check_writable().unwrap();
    assert_eq!(names(directory.path()), ["input.c"]);
    best.write(&b"one".to_vec()).unwrap();
    best.write(&b"two".to_vec()).unwrap();
    assert_eq!(fs::read(&output).unwrap(), b"two");
    assert_eq!(fs::read(&input).unwrap(), ORIGINAL);
    assert_eq!(names(directory.path()), ["input.c", "out.c"]);
    // Like a copy: executable like the input, subject to the umask.
    let reference = directory.path().join("reference");
    fs::write(&reference, "").unwrap();
    assert_eq!(mode(&output) & 0o666, mode(&reference) & 0o644);
    assert_eq!(mode(&output) & 0o100, 0o100);
}

#[test]
fn an_existing_output_is_replaced_at_the_first_result() {
    let (directory, input) = directory_with_input();
    let (real, link) = (directory.path().join("real.c"), directory.path().join("out.c"));
    fs::write(&real, "old").unwrap();
    fs::set_permissions(&real, Permissions::from_mode(0o640)).unwrap();
    symlink("real.c", &link).unwrap();
    let mut best = BestFile::output(&input, &link, Durability::Fsync).unwrap();
    assert_eq!(fs::read(&real).unwrap(), b"old");
    best.write(&b"new".to_vec()).unwrap();
    assert_eq!((fs::read(&real).unwrap(), mode(&real)), (b"new".to_vec(), 0o640));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
}

#[test]
fn a_link_stays_a_link() {
    let (directory, link) = directory_with_input();
    let elsewhere = directory.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let real = elsewhere.join("real.c");
    fs::rename(&link, &real).unwrap();
    symlink("elsewhere/real.c", &link).unwrap();
    let mut best = in_place(&link);
    best.check_writable().unwrap();
    best.write(&b"int".to_vec()).unwrap();
    assert_eq!(fs::read_link(&link).unwrap(), Path::new("elsewhere/real.c"));
    assert_eq!(fs::read(&real).unwrap(), b"int");
    assert_eq!(names(directory.path()), ["elsewhere", "input.c", "input.c.orig"], "the backup is where the user looks");
    assert_eq!(names(&elsewhere), ["real.c"]);
    assert_eq!(original(&link, true, Fingerprint::of_bytes(ORIGINAL)).unwrap(), ORIGINAL);
}

#[test]
fn permissions_and_owner_are_kept() {
    for bits in [0o600, 0o644, 0o777, 0o444, 0o4751] {
        let (_directory, input) = directory_with_input();
        // Only root can give a file away; for others, the test checks that trying does no harm.
        let _ = std::os::unix::fs::chown(&input, Some(12345), Some(23456));
        fs::set_permissions(&input, Permissions::from_mode(bits)).unwrap();
        let before = fs::metadata(&input).unwrap();
        let mut best = in_place(&input);
        best.write(&b"int".to_vec()).unwrap();
        best.write(&b"in".to_vec()).unwrap();
        for path in [&input, best.backup_path().unwrap()] {
            let after = fs::metadata(path).unwrap();
            assert_eq!(
                (after.mode(), after.uid(), after.gid()),
                (before.mode(), before.uid(), before.gid()),
                "{}",
                path.display()
            );
        }
    }
}

#[test]
fn names_may_be_long_or_not_utf8() {
    let directory = tempfile::tempdir().unwrap();
    for name in [b"\xff\xfe \n.c".to_vec(), b"-".to_vec(), vec![b'n'; 250], "é".repeat(125).into_bytes()] {
        let input = directory.path().join(OsString::from_vec(name));
        fs::write(&input, ORIGINAL).unwrap();
        let mut best = in_place(&input);
        best.check_writable().unwrap();
        best.write(&b"int".to_vec()).unwrap();
        assert_eq!(fs::read(&input).unwrap(), b"int");
        assert_eq!(names(directory.path()).len(), 2);
        fs::remove_file(best.backup_path().unwrap()).unwrap();
        fs::remove_file(input).unwrap();
    }
}

#[test]
fn an_identical_backup_is_accepted_and_left_alone() {
    let (_directory, input) = directory_with_input();
    let backup = input.with_file_name("input.c.orig");
    fs::write(&backup, ORIGINAL).unwrap();
    let inode = fs::metadata(&backup).unwrap().ino();
    // As when a run is resumed: the input already holds a result.
    fs::write(&input, "int a;").unwrap();
    in_place(&input).write(&b"int".to_vec()).unwrap();
    assert_eq!(fs::metadata(&backup).unwrap().ino(), inode);
}

#[test]
fn stale_files_are_removed_and_others_are_not() {
    let (directory, input) = directory_with_input();
    let file = |name: &str| fs::write(directory.path().join(name), "").unwrap();
    file(".input.c.nub-abcdefGH1234");
    file(".input.c.orig.nub-abcdefGH1234");
    let foreign = [
        ".input.c.nub-backup",
        ".input.c.nub-abcdefGH123_",
        ".input.c.nub-abcdefGH12345",
        ".other.c.nub-abcdefGH1234",
        "input.c.nub-abcdefGH1234",
    ];
    foreign.iter().for_each(|name| file(name));
    fs::create_dir(directory.path().join(".input.c.nub-directory123")).unwrap();
    symlink("input.c", directory.path().join(".input.c.nub-symlink12345")).unwrap();
    // Another nub is writing at this moment.
    let busy = File::create(directory.path().join(".input.c.nub-inuse1234567")).unwrap();
    busy.try_lock().unwrap();
    drop(in_place(&input));
    let mut expected: Vec<&str> = foreign.to_vec();
    expected.extend([".input.c.nub-directory123", ".input.c.nub-symlink12345", ".input.c.nub-inuse1234567", "input.c"]);
    expected.sort_unstable();
    assert_eq!(names(directory.path()), expected);
}

#[test]
fn the_original_is_found_again() {
    let (_directory, input) = directory_with_input();
    let fingerprint = Fingerprint::of_bytes(ORIGINAL);
    assert_eq!(original(&input, false, fingerprint).unwrap(), ORIGINAL);
    assert_eq!(original(&input, true, fingerprint).unwrap(), ORIGINAL, "killed before the first result");
    in_place(&input).write(&b"int".to_vec()).unwrap();
    assert_eq!(original(&input, true, fingerprint).unwrap(), ORIGINAL);

    let error = original(&input, false, fingerprint).unwrap_err().to_string();
    assert!(error.contains("input.c` has other contents; put the original back"), "{error}");
    fs::write(input.with_file_name("input.c.orig"), "edited").unwrap();
    let error = original(&input, true, fingerprint).unwrap_err().to_string();
    assert!(error.contains("input.c.orig` has other contents, and"), "{error}");
    fs::remove_file(input.with_file_name("input.c.orig")).unwrap();
    let error = original(&input, true, fingerprint).unwrap_err().to_string();
    assert!(error.contains("input.c.orig` does not exist, and"), "{error}");
    assert!(error.contains("start over"), "{error}");
}
