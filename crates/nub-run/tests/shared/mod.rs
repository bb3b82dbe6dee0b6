//! The folder with other people's material (recorded runs on real inputs), which is not part of the repository.

use std::path::{Path, PathBuf};

/// Where it is. Without it the tests that need it do nothing, except in continuous integration, where they fail.
pub(crate) fn shared() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let path = std::env::var_os("NUB_SHARED").map_or(beside, PathBuf::from);
    if path.join("fidelity").is_dir() {
        return Some(path);
    }
    assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "no recordings at {}; set NUB_SHARED", path.display());
    eprintln!("skipped: no recordings at {}; set NUB_SHARED", path.display());
    None
}
