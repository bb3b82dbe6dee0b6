//! `nub TEST INPUT`, as a new user runs it.

mod common;

use common::{APPLE_AND_PEAR, FRUIT, Place, fruit};
use nub_testing::program;
use std::{fs, os::unix::fs::symlink, path::Path, process::Command};

#[test]
fn the_input_is_reduced_in_place_and_the_original_is_kept() {
    let place = Place::with_fruit(60);
    let ran = place.nub_ok(&["./test.sh", "in.txt"]);
    assert_eq!(place.read("in.txt"), FRUIT);
    assert_eq!(place.read("in.txt.orig"), fruit(60));
    assert_eq!(place.files(), ["in.txt", "in.txt.orig", "test.sh"]);
    assert!(ran.stdout.is_empty());
    ran.says(&["reduced", "-> 9 B", "tests", "result: in.txt"]);
}

#[test]
fn a_reduced_file_can_be_reduced_again() {
    let place = Place::with_fruit(10);
    place.nub_ok(&["./test.sh", "in.txt", "--granularity", "line"]);
    let lines = place.read("in.txt");
    assert_eq!(lines, b"an apple a day\na pear tree\n");
    // `in.txt.orig` is not the input of the second run, and nub never discards an original.
    place.nub(&["./test.sh", "in.txt"]).expect(5).says(&["in.txt.orig", "--no-backup", "-o FILE"]);
    assert_eq!(place.read("in.txt"), lines);
    place.nub_ok(&["./test.sh", "in.txt", "--no-backup"]);
    assert_eq!(place.read("in.txt"), FRUIT);
    assert_eq!(place.read("in.txt.orig"), fruit(10));
    place.nub_ok(&["./test.sh", "in.txt", "--no-backup"]).says(&["nothing could be removed"]);
}

#[test]
fn a_foreign_orig_is_refused_and_an_identical_one_is_accepted() {
    let place = Place::with_fruit(20);
    place.write("in.txt.orig", "precious");
    let files = place.files();
    place.nub(&["./test.sh", "in.txt"]).expect(5).says(&["in.txt.orig", "nothing was changed"]);
    place.expect_untouched("in.txt", &fruit(20), &files);
    assert_eq!(place.read("in.txt.orig"), b"precious");
    place.write("in.txt.orig", fruit(20));
    place.nub_ok(&["./test.sh", "in.txt"]);
    assert_eq!(place.read("in.txt"), FRUIT);
}

#[test]
fn the_result_goes_where_it_is_asked_for() {
    let place = Place::with_fruit(30);
    place.nub_ok(&["./test.sh", "in.txt", "-o", "small.txt"]);
    assert_eq!(place.read("small.txt"), FRUIT);
    assert_eq!(place.files(), ["in.txt", "small.txt", "test.sh"]);
    fs::remove_file(place.path("small.txt")).unwrap();

    let ran = place.nub_ok(&["./test.sh", "in.txt", "-o", "-"]);
    assert_eq!(ran.stdout, FRUIT);
    assert_eq!(place.files(), ["in.txt", "test.sh"]);
    assert_eq!(place.read("in.txt"), fruit(30));
}

#[test]
fn a_symbolic_link_is_kept() {
    let place = Place::with_fruit(20);
    fs::create_dir(place.path("elsewhere")).unwrap();
    fs::rename(place.path("in.txt"), place.path("elsewhere/real.txt")).unwrap();
    symlink("elsewhere/real.txt", place.path("in.txt")).unwrap();
    place.nub_ok(&["./test.sh", "in.txt"]);
    assert!(place.path("in.txt").is_symlink());
    assert_eq!(place.read("elsewhere/real.txt"), FRUIT);
    assert_eq!(place.read("in.txt.orig"), fruit(20));
}

#[test]
fn the_result_and_the_decisions_are_the_same_for_every_number_of_jobs() {
    let place = Place::new("in.txt", fruit(40));
    // Not monotone: the number of lines must be even, or the file short.
    let even = "n=0; while read -r line; do n=$((n + 1)); done < \"$1\"; [ $n -lt 4 ] || [ $((n % 2)) = 0 ] || exit 1";
    place.script(&format!("{even}\n{APPLE_AND_PEAR}"));
    let mut first = None;
    for jobs in ["1", "2", "3", "8"] {
        let ran = place.nub_ok(&["./test.sh", "in.txt", "-o", "out.txt", "--json", "-j", jobs]);
        let decisions: Vec<_> = ran
            .events()
            .into_iter()
            .filter(|event| event["event"] == "decide")
            .map(|event| (event["label"].clone(), event["outcome"].clone(), event["bytes"].clone()))
            .collect();
        let result = (place.read("out.txt"), decisions);
        assert!(first.get_or_insert_with(|| result.clone()) == &result, "-j{jobs} differs");
    }
}

#[test]
fn nothing_is_left_in_shared_memory_either() {
    let place = Place::new("in.txt", fruit(15));
    place.script(&format!("pwd >> $N/directories; echo $TMPDIR >> $N/directories; {APPLE_AND_PEAR}"));
    let mut command = place.command(&["./test.sh", "in.txt"]);
    command.env_remove("TMPDIR");
    place.run(command).expect(0);
    let directories = place.notes("directories");
    assert!(directories.lines().count() > 20);
    for directory in directories.lines() {
        // …/nub-x7Kq2A/w0/c17
        let scratch = Path::new(directory).ancestors().nth(2).unwrap();
        assert!(scratch.file_name().unwrap().to_str().unwrap().starts_with("nub-"), "{directory}");
        assert!(!scratch.exists(), "{} is left", scratch.display());
    }
}

#[test]
fn wrong_usage_gives_exit_code_2_with_a_hint() {
    let place = Place::with_fruit(5);
    let files = place.files();
    for (args, words) in [
        (&[][..], "nub TEST INPUT"),
        (&["./test.sh"], "nub TEST INPUT"),
        (&["./test.sh", "in.txt", "more"], "more"),
        (&["./test.sh", "in.txt", "--nonsense"], "--nonsense"),
        (&["./test.sh", "in.txt", "-j0"], "1..=1024"),
        (&["./test.sh", "in.txt", "--timeout", "soon"], "500ms"),
        (&["./test.sh", "in.txt", "--timeout", "0"], "zero, negative or too large"),
        (&["./test.sh", "in.txt", "--memory-limit", "much"], "512M"),
        (&["./test.sh", "in.txt", "--algorithm", "magic"], "ddmin, greeddy"),
        (&["./test.sh", "in.txt", "--granularity", "word"], "token"),
        (&["./test.sh", "in.txt", "--split-factor", "1"], "at least 2"),
        (&["./test.sh", "in.txt", "--cache", "all"], "content-hash"),
        (&["./test.sh", "in.txt", "--exit-code", "1"], "COMMAND"),
        (&["./test.sh", "in.txt", "--json", "-o", "-"], "standard output"),
        (&["./test.sh", "in.txt", "--resume", "--restart"], "--restart"),
        (&["./test.sh", "in.txt", "--", "cat"], "only one of TEST, --worker and -- COMMAND"),
        (&["in.txt", "--exit-code", "256", "--", "cat"], "0 to 255"),
        (&["in.txt", "--signal", "SEGFAULT", "--", "cat"], "SIGABRT"),
        (&["in.txt", "--stderr", "a(", "--", "cat"], "unclosed group"),
    ] {
        place.nub(args).expect(2).says(&[words]);
        place.expect_untouched("in.txt", &fruit(5), &files);
    }
}

#[test]
fn quiet_prints_nothing_and_verbose_prints_more() {
    let place = Place::with_fruit(12);
    let lines = |flags: &[&str]| {
        let ran = place.nub_ok(&[&["./test.sh", "in.txt", "-o", "out.txt"], flags].concat());
        assert!(ran.stdout.is_empty());
        ran.stderr.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(lines(&["--quiet"]).is_empty());
    let sober = lines(&[]);
    assert!((3..=15).contains(&sober.len()), "{sober:?}");
    let verbose = lines(&["-v"]);
    let all = lines(&["-vv"]);
    assert!(sober.len() < verbose.len() && verbose.len() < all.len(), "{sober:#?} {verbose:#?} {all:#?}");
    assert!(verbose.iter().any(|line| line.contains("original: interesting")));
    assert!(all.iter().any(|line| line.contains("uninteresting")));
    assert!(all.iter().all(|line| line.starts_with("nub: ")), "{all:#?}");
}

#[test]
fn the_time_out_adapts_and_is_shown() {
    let place = Place::with_fruit(5);
    place.nub_ok(&["./test.sh", "in.txt", "-o", "a"]).says(&["time-out 5.0 s (adaptive)"]);
    let fixed = place.nub_ok(&["./test.sh", "in.txt", "-o", "a", "-v", "--timeout", "7"]);
    fixed.says(&["time-out 7.0 s"]);
}

#[test]
fn the_manual_page_and_the_completions_are_well_formed() {
    let place = Place::new("in.txt", "");
    let man = String::from_utf8(place.nub_ok(&["man"]).stdout).unwrap();
    assert!(man.contains(".TH nub 1") && man.contains("\\-\\-algorithm") && man.contains("Exit codes"), "{man}");
    for shell in ["bash", "zsh", "fish"] {
        let script = place.nub_ok(&["completions", shell]).stdout;
        assert!(String::from_utf8_lossy(&script).contains("granularity"));
    }
    place.nub(&["completions", "cmd.exe"]).expect(2);
}

/// Lets the shell itself parse its completion script.
fn check_completions(shell: &str) {
    if !program(shell) {
        return;
    }
    let place = Place::new("in.txt", "");
    place.write(shell, place.nub_ok(&["completions", shell]).stdout);
    assert!(Command::new(shell).arg("-n").arg(place.path(shell)).status().unwrap().success());
}

#[test]
fn bash_reads_its_completions() {
    check_completions("bash");
}

#[test]
fn zsh_reads_its_completions() {
    check_completions("zsh");
}

#[test]
fn fish_reads_its_completions() {
    check_completions("fish");
}

#[test]
fn a_test_is_found_by_its_name_alone() {
    let place = Place::with_fruit(8);
    place.nub_ok(&["test.sh", "in.txt"]);
    assert_eq!(place.read("in.txt"), FRUIT);
    // The program in this directory is preferred to the one in PATH.
    place.script_named("test", "exec \"${0%/test}/test.sh\" \"$1\"");
    place.nub_ok(&["test", "in.txt.orig", "-o", "out"]);
    assert_eq!(place.read("out"), FRUIT);
}

#[test]
fn all_algorithms_and_granularities_give_an_interesting_result() {
    let place = Place::with_fruit(12);
    for algorithm in ["ddmin", "ddmin*", "greeddy", "greeddy*", "greeddy+ddmin*"] {
        for granularity in ["line", "token", "char", "byte", "line+token+char"] {
            let args =
                ["./test.sh", "in.txt", "-o", "out", "-q", "--algorithm", algorithm, "--granularity", granularity];
            place.nub_ok(&args);
            let result = String::from_utf8(place.read("out")).unwrap();
            assert!(result.contains("apple") && result.contains("pear"), "{algorithm} {granularity}: {result}");
            assert!(result.len() < 40, "{algorithm} {granularity}: {result}");
        }
    }
    for minimizer in ["onepass", "probdd", "wprobdd", "cdd", "wddmin", "dfs", "bfs", "heaviest"] {
        place.nub_ok(&["./test.sh", "in.txt", "-o", "out", "-q", "--list-minimizer", minimizer]);
        assert_eq!(place.read("out"), FRUIT, "{minimizer}");
    }
    for more in [
        &["--split", "balanced", "--subsets", "forward", "--complements", "random", "--seed", "7"][..],
        &["--split-factor", "inf", "--complements-first", "--subsets", "backward", "--complements", "forward"],
        &["--cache", "none", "--list-minimizer", "greeddy", "--window", "2"],
        &["--cache", "config", "--cache-interesting", "--no-cache-eviction"],
        &["--cache", "content"],
    ] {
        place.nub_ok(&[&["./test.sh", "in.txt", "-o", "out", "-q"], more].concat());
        assert_eq!(place.read("out"), FRUIT, "{more:?}");
    }
}

#[test]
fn the_memory_limit_is_enforced() {
    if !program("python3") {
        return;
    }
    let place = Place::new("in.txt", fruit(6));
    place.program(
        "test.py",
        "#!/usr/bin/env python3\nimport sys\ntext = open(sys.argv[1]).read()\nif 'pear' not in text: sys.exit(1)\nx = bytearray(1 << 30)\n",
    );
    place.nub(&["./test.py", "in.txt", "--memory-limit", "500M"]).expect(1).says(&["MemoryError"]);
}

#[test]
fn nub_does_not_wait_for_background_processes_of_a_test() {
    let place = Place::new("in.txt", fruit(6));
    place.script(&format!("sleep 999.25 & {APPLE_AND_PEAR}"));
    // It has to end before the deadline, which is sooner than the sleep.
    place.nub_ok(&["./test.sh", "in.txt"]);
    assert!(common::processes_called("sleep 999.25").is_empty());
}
