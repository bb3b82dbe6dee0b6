//! Test helpers.
#![allow(dead_code, reason = "every test uses some of them")]

pub(crate) mod compare;
pub(crate) mod golden;
pub(crate) mod interp;

use std::path::{Path, PathBuf};

/// The directory of the test data.
pub(crate) fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// The grammars that are shared between projects. They are not part of this one: without them, a test is skipped,
/// except in continuous integration, where it fails.
pub(crate) fn shared_grammars() -> Option<PathBuf> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/grammars"));
    if path.is_dir() {
        return Some(path.to_owned());
    }
    assert!(std::env::var("CI").as_deref() != Ok("true"), "{} is missing", path.display());
    eprintln!("skipped: {} is missing", path.display());
    None
}
