//! Runs a test on a file system of its own: a full one, or a read-only one.
//!
//! The tests may run as root, who ignores permission bits, so the errors of real disks are produced with a small
//! `tmpfs` in a private mount namespace. The test binary runs itself in there.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

const INSIDE: &str = "NUB_TEST_MOUNT";

/// Runs `body` with a directory on a `tmpfs` mounted with `options`. Must be the whole body of the test called `name`.
///
/// Without the permission to make namespaces the test is skipped.
pub(crate) fn on_tmpfs(name: &str, options: &str, body: impl FnOnce(&Path)) {
    if let Some(mount) = env::var_os(INSIDE) {
        return body(&PathBuf::from(mount));
    }
    if !nub_testing::tool(is_available(), "`unshare -rm` (user namespaces), to mount a file system") {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let status = Command::new("unshare")
        .args([
            "-rm",
            "sh",
            "-euc",
            "mount -t tmpfs -o \"$1\" tmpfs \"$2\"; exec \"$3\" --exact \"$4\" --nocapture",
            "sh",
        ])
        .arg(options)
        .arg(directory.path())
        .arg(env::current_exe().unwrap())
        .arg(name)
        .env(INSIDE, directory.path())
        .status()
        .unwrap();
    assert!(status.success(), "{name} failed inside the namespace: see above");
}

fn is_available() -> bool {
    let probe = Command::new("unshare").args(["-rm", "sh", "-c", "mount -t tmpfs tmpfs /tmp"]).output();
    probe.is_ok_and(|output| output.status.success())
}
