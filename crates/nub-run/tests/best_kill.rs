//! `kill -9` at any moment leaves a complete result.

use std::{
    env, fs,
    path::Path,
    process::{Command, Stdio},
    sync::Arc,
    thread,
    time::Duration,
};

use nub_run::best::{BestFile, Durability};

const INSIDE: &str = "NUB_TEST_BEST";

fn open(input: &Path) -> BestFile {
    BestFile::in_place(input, Arc::new(vec![b'o'; 100_000]), true, Durability::None).unwrap()
}

#[test]
fn kill_at_any_moment() {
    if let Some(input) = env::var_os(INSIDE) {
        let mut best = open(input.as_ref());
        for letter in (b'a'..=b'z').cycle() {
            best.write(&vec![letter; 10_000 * usize::from(letter - b'a' + 1)]).unwrap();
        }
    }
    let directory = tempfile::tempdir().unwrap();
    let input = directory.path().join("input");
    for delay in 0..25 {
        fs::write(&input, vec![b'o'; 100_000]).unwrap();
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "kill_at_any_moment"])
            .env(INSIDE, &input)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // Long enough to start, and a little different each time.
        thread::sleep(Duration::from_micros(3_000 + 777 * delay));
        child.kill().unwrap();
        child.wait().unwrap();

        let best = fs::read(&input).unwrap();
        let letter = best[0];
        let len =
            if letter == b'o' && best.len() == 100_000 { 100_000 } else { 10_000 * usize::from(letter - b'a' + 1) };
        assert!(best.len() == len && best.iter().all(|&byte| byte == letter), "torn: {} of {letter}", best.len());
        let is_kept = fs::read(directory.path().join("input.orig")).is_ok_and(|kept| kept == vec![b'o'; 100_000]);
        assert!(is_kept || letter == b'o', "the input was replaced before the original was saved");
        drop(open(&input));
        let left: Vec<_> = fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert!(left.len() <= 2, "left behind: {left:?}");
    }
}
