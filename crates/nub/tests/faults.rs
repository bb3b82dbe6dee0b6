//! Tests that misbehave: nub survives each of them and leaves no process and no file behind.

mod common;

use common::{APPLE_AND_PEAR, FRUIT, Place, Ran, fruit, processes_called};
use std::{collections::HashSet, fs};

/// Reduces fruit with a test that runs `misdeed` for candidates without an apple, and behaves otherwise.
#[track_caller]
fn with_misdeed(misdeed: &str, more: &[&str]) -> (Place, Ran) {
    let place = Place::new("in.txt", fruit(9));
    place.script(&format!("if ! grep -q apple \"$1\"; then\n{misdeed}\nfi\n{APPLE_AND_PEAR}"));
    let ran = place.nub_ok(&[&["./test.sh", "in.txt", "--json"], more].concat());
    assert_eq!(place.read("in.txt"), FRUIT, "after: {misdeed}");
    place.expect_clean();
    (place, ran)
}

/// Runs slow misdeeds in the first tests only.
fn at_first(misdeed: &str) -> String {
    format!("echo x >> $N/misdeeds; if [ $(wc -l < $N/misdeeds) -le 3 ]; then\n{misdeed}\nfi")
}

const SOON: &[&str] = &["--timeout", "200ms", "--granularity", "line+token"];

/// The same for tests that run into the time-out, with fewer units to save time.
#[track_caller]
fn with_hanging(misdeed: &str, sleep: &str) {
    let place = Place::new("in.txt", "1\n2\napple\n3\npear\n");
    place.script(&format!("if ! grep -q apple \"$1\"; then\n{misdeed}\nfi\n{APPLE_AND_PEAR}"));
    let ran = place.nub_ok(&[&["./test.sh", "in.txt", "--json"], SOON].concat());
    assert_eq!(place.read("in.txt"), b"applepear", "after: {misdeed}");
    let finish = ran.last("finish");
    assert!(finish["timed_out"].as_u64() > Some(0), "{finish}");
    let timed_out = ran.events().iter().filter(|e| e["event"] == "test" && e["outcome"] == "timed_out").count() as u64;
    assert_eq!(finish["timed_out"], timed_out);
    let left = processes_called(sleep);
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn tests_that_hang_are_killed() {
    with_hanging("sleep 71.25", "sleep 71.25");
}

#[test]
fn tests_that_ignore_signals_are_killed() {
    with_hanging("trap '' TERM INT HUP QUIT; sleep 72.25; sleep 72.25; sleep 72.25", "sleep 72.25");
}

#[test]
fn tests_that_stop_themselves_are_killed() {
    with_hanging("sleep 73.25 & kill -STOP $$", "sleep 73.25");
}

#[test]
fn tests_that_loop_forever_are_killed() {
    with_hanging("while :; do :; done", "no such process");
}

#[test]
fn daemons_do_not_outlive_their_test() {
    with_misdeed("setsid sleep 61.25 & (setsid sh -c 'sleep 61.25 & exit' &)", &[]);
    assert!(processes_called("sleep 61.25").is_empty());
    with_hanging("setsid sleep 62.25 & setsid --fork sleep 62.25; sleep 62.25", "sleep 62.25");
}

#[test]
fn daemons_without_environment_do_not_outlive_their_test() {
    with_misdeed(
        "env -i setsid --fork sleep 63.25; (env -i setsid sh -c 'exec -a x sleep 63.25 & sleep 63.25 & exit' &)",
        &[],
    );
    assert!(processes_called("sleep 63.25").is_empty());
}

#[test]
fn families_do_not_outlive_their_test() {
    let many = "i=0; while [ $i -lt 20 ]; do (sleep 64.25 & (sleep 64.25 &) ) & i=$((i + 1)); done";
    with_misdeed(many, &["--granularity", "line+token"]);
    assert!(processes_called("sleep 64.25").is_empty());
}

#[test]
fn endless_output_is_not_kept() {
    with_misdeed(&at_first("head -c 200000000 /dev/zero; head -c 200000000 /dev/zero >&2"), &[]);
    // With a condition nub has to read the output, and finds the text at its end.
    let place = Place::new("in.txt", "apple\na pear tree\nplum\n");
    let shell = "head -c 200000000 /dev/zero; cat \"$0\"";
    let args = ["in.txt", "--granularity", "line", "--stdout", "pear tree", "--", "sh", "-c", shell, "{}"];
    place.nub_ok(&args);
    assert_eq!(place.read("in.txt"), b"a pear tree\n");
}

#[test]
fn large_files_are_removed() {
    with_misdeed("truncate -s 1G sparse $TMPDIR/sparse", &[]);
    with_misdeed(&at_first("head -c 200000000 /dev/zero > large; cp large $TMPDIR/large"), &[]);
}

#[test]
fn a_test_may_delete_anything_of_its_own() {
    with_misdeed("rm \"$1\"", &[]);
    with_misdeed("rm -rf \"$PWD\"", &[]);
    with_misdeed("rm -rf \"$PWD\" \"$TMPDIR\"", &[]);
    with_misdeed("rm -rf \"$PWD\" \"$TMPDIR\" \"${PWD%/*}\"", &[]);
    with_misdeed("mv \"$PWD\" \"$TMPDIR/moved\"", &[]);
    with_misdeed("rm \"$1\"; mkdir \"$1\"; touch \"$1/inside\"", &[]);
    with_misdeed("rm \"$1\"; ln -s /etc/passwd \"$1\"", &[]);
}

#[test]
fn a_test_may_lock_its_directory() {
    with_misdeed("mkdir -p a/b; touch a/b/c; chmod 000 a/b a . \"$TMPDIR\"", &[]);
    with_misdeed("mkdir -m 000 x; chmod 000 \"$1\"", &[]);
}

#[test]
fn a_test_may_make_a_deep_tree() {
    let deep = "mkdir -p \"$(printf 'd/%.0s' $(seq 1500))\"; mkdir $TMPDIR/many; cd $TMPDIR/many; touch $(seq 2000)";
    with_misdeed(&at_first(deep), &[]);
}

#[test]
fn a_test_that_changes_the_candidate_does_not_change_the_result() {
    let place = Place::new("in.txt", fruit(20));
    place.script(&format!("{APPLE_AND_PEAR}; code=$?\necho changed > \"$1\"; echo more >> \"$1\"; exit $code"));
    place.nub_ok(&["./test.sh", "in.txt"]);
    assert_eq!(place.read("in.txt"), FRUIT);
    assert_eq!(place.read("in.txt.orig"), fruit(20));
}

#[test]
fn tests_that_are_killed_are_counted() {
    let (_place, ran) = with_misdeed("kill -SEGV $$", &["-j1"]);
    let finish = ran.last("finish");
    assert!(finish["killed"].as_u64() > Some(0), "{finish}");
    let ran = with_misdeed("kill -KILL $$", &[]).1;
    assert!(ran.last("finish")["killed"].as_u64() > Some(0));
}

#[test]
fn a_test_cannot_kill_the_reduction_by_killing_its_group() {
    with_misdeed("kill -KILL 0", &[]);
    with_misdeed("kill -INT 0", &[]);
}

#[test]
fn a_flaky_test_is_reported_and_the_result_was_interesting_once() {
    let mut flaky = 0;
    for seed in 0..4 {
        let place = Place::new("in.txt", fruit(30));
        // It requires an apple, but is sometimes wrong at random.
        let random = "n=$(od -An -N1 -tu1 /dev/urandom)";
        let outcome = "if [ $n -lt 40 ] && [ -s \"$1\" ]; then v=0; elif [ $n -lt 60 ]; then v=1; elif grep -q apple \"$1\"; then v=0; else v=1; fi";
        let first =
            format!("[ -e $N/first.{seed} ] || {{ touch $N/first.{seed}; cksum < \"$1\" >> $N/interesting; exit 0; }}");
        place.script(&format!("{first}\n{random}\n{outcome}\n[ $v = 1 ] || cksum < \"$1\" >> $N/interesting\nexit $v"));
        let ran = place.nub(&["./test.sh", "in.txt"]);
        assert!(matches!(ran.code(), 0 | 4), "{ran:?}");
        if ran.code() == 4 {
            flaky += 1;
            ran.says(&["warning", "flaky"]);
        }
        let sum = place.run(place.tagged("sh", &["-c", "cksum < in.txt"])).stdout;
        let sum = String::from_utf8(sum).unwrap();
        let interesting: HashSet<String> = place.notes("interesting").lines().map(str::to_owned).collect();
        assert!(interesting.contains(sum.trim()), "the result was never interesting");
        assert_eq!(place.read("in.txt.orig"), fruit(30));
    }
    eprintln!("{flaky} of 4 were found out");
}

#[test]
fn a_test_that_contradicts_itself_about_the_result_gives_exit_code_4() {
    let place = Place::new("in.txt", "a\nb\n");
    // Each candidate is interesting once, if it has an `a`.
    place.script("grep -q a \"$1\" || exit 1; mkdir \"$N/$(cksum < \"$1\" | tr -d ' ')\"");
    let ran = place.nub(&["./test.sh", "in.txt"]);
    ran.expect(4).says(&["warning", "flaky"]);
    assert_eq!(place.read("in.txt"), b"a");
}

#[test]
fn a_test_that_disappears_stops_the_reduction_and_spoils_nothing() {
    let place = Place::new("in.txt", fruit(60));
    place.script(&format!("echo x >> $N/count; [ $(wc -l < $N/count) -lt 20 ] || rm -f \"$0\"\n{APPLE_AND_PEAR}"));
    let ran = place.nub(&["./test.sh", "in.txt"]);
    ran.expect(5).says(&["can no longer be run", "there is no", "--resume"]);
    let best = String::from_utf8(place.read("in.txt")).unwrap();
    assert!(best.contains("apple") && best.contains("pear"));
    assert_eq!(place.read("in.txt.orig"), fruit(60));
    place.script(APPLE_AND_PEAR);
    place.nub_ok(&["--resume", "./test.sh", "in.txt"]);
    assert_eq!(place.read("in.txt"), FRUIT);
    assert_eq!(place.files(), ["in.txt", "in.txt.orig", "test.sh"]);
}

#[test]
fn a_removed_scratch_directory_is_reported() {
    let place = Place::new("in.txt", fruit(60));
    place.script(&format!(
        "echo x >> $N/count; [ $(wc -l < $N/count) != 20 ] || rm -rf \"${{PWD%/*/*}}\"\n{APPLE_AND_PEAR}"
    ));
    let ran = place.nub(&["./test.sh", "in.txt"]);
    // Either nub creates a new one or it says what is missing.
    match ran.code() {
        0 => assert_eq!(place.read("in.txt"), FRUIT),
        _ => drop(ran.expect(5).says(&["No such file"])),
    }
}

#[test]
fn a_removed_result_is_written_again() {
    let place = Place::new("in.txt", fruit(30));
    let file = place.path("in.txt").display().to_string();
    place.script(&format!("echo x >> $N/count; [ $(wc -l < $N/count) != 20 ] || rm '{file}'\n{APPLE_AND_PEAR}"));
    place.nub_ok(&["./test.sh", "in.txt"]);
    assert_eq!(place.read("in.txt"), FRUIT);
    assert_eq!(fs::read(place.path("in.txt.orig")).unwrap(), fruit(30));
}

#[test]
fn a_test_that_runs_nub_itself() {
    let place = Place::new("in.txt", fruit(6));
    let nub = env!("CARGO_BIN_EXE_nub");
    place.script_named("inner.sh", APPLE_AND_PEAR);
    let inner = place.path("inner.sh").display().to_string();
    place.script(&format!(
        "cp \"$1\" copy && '{nub}' -q -j1 -o copy '{inner}' \"$1\" && [ \"$(cat copy)\" = applepear ]"
    ));
    place.nub_ok(&["./test.sh", "in.txt", "--granularity", "line"]);
    assert_eq!(place.read("in.txt"), b"an apple a day\na pear tree\n");
}
