//! The same as `nub_testing::tool`, for as long as that crate is not there.

use std::{env, io::Write as _};

/// Whether what the current test needs is there. If not, it is skipped, visibly; with `NUB_REQUIRE_TOOLS=1` it fails.
#[track_caller]
pub(crate) fn tool(works: bool, needs: &str) -> bool {
    if !works {
        let required = env::var_os("NUB_REQUIRE_TOOLS").is_some_and(|value| !value.is_empty() && value != "0");
        assert!(!required, "needs {needs}; it would be skipped without NUB_REQUIRE_TOOLS");
        let _ = std::io::stderr().write_all(format!("skipped: documentation: needs {needs}\n").as_bytes());
    }
    works
}
