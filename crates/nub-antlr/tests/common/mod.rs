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
