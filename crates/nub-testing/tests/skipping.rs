//! What happens to a test that misses something. The test program runs itself, because variables are those of a process.

use std::{
    env, fs,
    os::unix::fs::symlink,
    process::{Command, Output},
};

const INSIDE: &str = "NUB_TEST_INSIDE";

/// Needs a folder and a program; only for [`run`].
#[test]
fn needy() {
    if env::var_os(INSIDE).is_none() {
        return;
    }
    for _ in 0..2 {
        let (folder, program) = (nub_testing::shared("fidelity"), nub_testing::program("fish"));
        if folder.is_some() && program {
            println!("it runs");
        }
    }
}

/// Runs that test with other variables. Gives what it did, and the closing lines.
fn run(variables: &[(&str, &str)]) -> (Output, String) {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("list");
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", "needy", "--show-output"]).env(INSIDE, "1").env("NUB_SKIPPED", &list).env("PATH", "");
    command.env_remove("NUB_REQUIRE_SHARED").env_remove("NUB_REQUIRE_TOOLS").env_remove("CI");
    command.envs(variables.iter().copied());
    let output = command.output().unwrap();
    (output, fs::read_to_string(list).unwrap_or_default())
}

#[test]
fn a_test_that_misses_something_is_skipped_with_a_line_each() {
    for ci in [&[][..], &[("CI", "true"), ("NUB_REQUIRE_TOOLS", "0"), ("NUB_REQUIRE_SHARED", "")]] {
        let (output, list) = run(&[&[("NUB_SHARED", "/nonexistent")], ci].concat());
        assert!(output.status.success());
        let expected = [
            ("the shared folder, which is not at /nonexistent", "nub-testing::skipping::needy"),
            ("fish (Debian package fish)", "nub-testing::skipping::needy"),
        ];
        let lines = expected.map(|(needs, test)| format!("skipped: {test}: needs {needs}\n"));
        assert_eq!(String::from_utf8_lossy(&output.stderr), lines.concat());
        let entries = expected.map(|(needs, test)| format!("{needs}\t{test}\n"));
        assert_eq!(list, entries.concat());
    }
}

#[test]
fn a_test_that_has_all_is_not_skipped() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("fidelity")).unwrap();
    symlink(env::current_exe().unwrap(), folder.path().join("fish")).unwrap();
    let path = folder.path().to_str().unwrap();
    let variables = [("NUB_SHARED", path), ("PATH", path), ("NUB_REQUIRE_SHARED", "1"), ("NUB_REQUIRE_TOOLS", "1")];
    let (output, list) = run(&variables);
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).contains("it runs"));
    assert_eq!((String::from_utf8_lossy(&output.stderr).as_ref(), list.as_str()), ("", ""));
}

#[test]
fn what_is_required_must_be_there() {
    for (variable, needs) in [
        ("NUB_REQUIRE_SHARED", "needs the shared folder, which is not at /nonexistent"),
        ("NUB_REQUIRE_TOOLS", "needs fish (Debian package fish)"),
    ] {
        let (output, _) = run(&[("NUB_SHARED", "/nonexistent"), (variable, "1")]);
        assert!(!output.status.success());
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(printed.contains(needs) && printed.contains(variable), "{printed}");
    }
}
