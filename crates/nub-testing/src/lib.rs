//! What tests need from outside of the repository: other projects' material, and programs such as `gcc`.
//!
//! A test that misses something is skipped, and says so in a line that no test harness captures. The last lines of
//! `cargo test --workspace` list all skipped tests (`crates/zz-skipped-tests` prints them).
//!
//! ```no_run
//! # fn a_test() {
//! let Some(recordings) = nub_testing::shared("fidelity/jrts") else { return };
//! if !nub_testing::program("xmllint") {
//!     return;
//! }
//! # drop(recordings);
//! # }
//! ```
//!
//! | variable | effect |
//! |---|---|
//! | `NUB_SHARED` | the shared folder; a relative path starts at the root of the repository. Default: `shared` beside the repository |
//! | `NUB_REQUIRE_SHARED=1` | a test without its part of the shared folder fails |
//! | `NUB_REQUIRE_TOOLS=1` | a test without its program fails |
//! | `NUB_SKIPPED` | the file to which skipped tests are added. Default: one per run of cargo, in the target directory |

mod list;

use std::{
    collections::BTreeSet,
    env,
    ffi::OsStr,
    fs,
    io::{self, Write as _},
    os::unix::fs::PermissionsExt as _,
    panic::Location,
    path::{Path, PathBuf},
    sync::Mutex,
    thread,
};

pub use list::closing_lines;

/// The root of the repository.
pub fn repository() -> &'static Path {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this crate is in a folder");
    crates.parent().expect("that folder is in the repository")
}

/// The folder with other projects' grammars, programs and recorded runs, whether it is there or not.
pub fn shared_folder() -> PathBuf {
    match env::var_os("NUB_SHARED") {
        Some(path) => repository().join(path),
        None => repository().with_file_name("shared"),
    }
}

/// A file or folder of the [shared folder](shared_folder), if it is there; an empty `part` is the folder itself. For
/// measurements, which leave out what they cannot do, and for tests that can do without it.
pub fn find_shared(part: &str) -> Option<PathBuf> {
    Some(shared_folder().join(part)).filter(|path| path.exists())
}

/// A file or folder of the [shared folder](shared_folder) that the current test needs. `None` if the test has to be
/// skipped.
///
/// # Panics
/// If it is missing and `NUB_REQUIRE_SHARED=1`.
#[must_use]
#[track_caller]
pub fn shared(part: &str) -> Option<PathBuf> {
    let found = find_shared(part);
    if found.is_none() {
        let folder = shared_folder();
        let needs = match folder.is_dir() {
            true => format!("{part} in the shared folder {}", folder.display()),
            false => format!("the shared folder, which is not at {}", folder.display()),
        };
        skip(&needs, "NUB_REQUIRE_SHARED");
    }
    found
}

/// The programs that some tests need, and the Debian packages that have them.
const PROGRAMS: [(&str, &str); 10] = [
    ("bash", "bash"),
    ("chromium", "chromium"),
    ("fish", "fish"),
    ("gcc", "gcc"),
    ("javac", "default-jdk-headless"),
    ("node", "nodejs"),
    ("python3", "python3"),
    ("script", "bsdutils"),
    ("xmllint", "libxml2-utils"),
    ("zsh", "zsh"),
];

/// Whether there is a program that the current test needs. If not, the test has to be skipped.
///
/// # Panics
/// If it is missing and `NUB_REQUIRE_TOOLS=1`, or if this crate does not know where to get it.
#[must_use]
#[track_caller]
pub fn program(name: &str) -> bool {
    let package = PROGRAMS.iter().find(|(program, _)| *program == name).map(|(_, package)| package);
    let package = package.unwrap_or_else(|| panic!("{name} is not in the table of programs of nub-testing"));
    tool(is_installed(name, env::var_os("PATH").as_deref()), &format!("{name} (Debian package {package})"))
}

/// The same for what is more than a program on the path: the caller has found out whether it works.
///
/// # Panics
/// If it does not work and `NUB_REQUIRE_TOOLS=1`.
#[must_use]
#[track_caller]
pub fn tool(works: bool, needs: &str) -> bool {
    if !works {
        skip(needs, "NUB_REQUIRE_TOOLS");
    }
    works
}

fn is_installed(name: &str, path: Option<&OsStr>) -> bool {
    let is_executable = |path: PathBuf| {
        fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    };
    path.is_some_and(|path| env::split_paths(path).any(|folder| is_executable(folder.join(name))))
}

/// Says that the current test is skipped, once per reason.
#[track_caller]
fn skip(needs: &str, requirement: &str) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

    let test = current_test();
    let is_required = env::var_os(requirement).is_some_and(|value| !value.is_empty() && value != "0");
    assert!(!is_required, "{test} needs {needs}; it would be skipped without {requirement}");
    let line = format!("skipped: {test}: needs {needs}\n");
    if SAID.lock().expect("no panic while it is locked").insert(line.clone()) {
        // Not `eprint!`, which is captured, and in one piece, because other tests write as well. If standard error is
        // closed, there is still the list.
        let _ = io::stderr().write_all(line.as_bytes());
        list::add(&test, needs);
    }
}

/// `PACKAGE::TARGET::TEST`, from what cargo and the harness set: the package, the name of the program and of the thread.
#[track_caller]
fn current_test() -> String {
    let package = env::var("CARGO_PKG_NAME").ok();
    let program = env::current_exe().ok();
    let target = program.as_deref().and_then(Path::file_stem).map(|stem| {
        let stem = stem.to_string_lossy();
        stem.rsplit_once('-').map_or(&*stem, |(target, _hash)| target).to_owned()
    });
    // The unit tests of a package have its name.
    let target = target.filter(|target| package.as_ref().is_none_or(|package| package.replace('-', "_") != *target));
    let thread = thread::current();
    let caller = Location::caller();
    let test = match thread.name() {
        Some(name) if name != "main" => name.to_owned(),
        _ => format!("{}:{}", caller.file(), caller.line()),
    };
    [package, target, Some(test)].into_iter().flatten().collect::<Vec<_>>().join("::")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_an_executable_file_on_the_path() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("folder")).unwrap();
        for (name, mode) in [("program", 0o755), ("text", 0o644)] {
            fs::write(folder.path().join(name), "").unwrap();
            fs::set_permissions(folder.path().join(name), fs::Permissions::from_mode(mode)).unwrap();
        }
        let path = env::join_paths([Path::new("/nonexistent"), folder.path()]).unwrap();
        let found = ["program", "text", "folder", "missing"].map(|name| is_installed(name, Some(&path)));
        assert_eq!(found, [true, false, false, false]);
        assert!(!is_installed("program", None));
    }

    #[test]
    fn the_repository_is_that_of_this_crate() {
        assert_eq!(Path::new(env!("CARGO_MANIFEST_DIR")), repository().join("crates/nub-testing"));
    }

    #[test]
    fn a_test_has_the_names_of_its_package_and_function() {
        assert_eq!(current_test(), "nub-testing::tests::a_test_has_the_names_of_its_package_and_function");
        let unnamed = thread::scope(|scope| scope.spawn(current_test).join().unwrap());
        assert!(unnamed.starts_with("nub-testing::"), "{unnamed}");
        assert!(unnamed.contains(".rs:"), "{unnamed}");
    }
}
