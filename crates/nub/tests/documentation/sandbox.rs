//! Where commands of the documentation run: a fresh directory with the examples, the files that the text takes for granted,
//! and `nub` on the path.

use crate::markdown::{Block, exchanges, root};
use std::{
    env,
    ffi::OsString,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// What separates the output of one command from that of the next, followed by its exit code.
const MARK: char = '\u{1e}';

/// Commands that are not run as they are written: building nub is what cargo has done before this test, and all tests are
/// what it is doing.
const PRELUDE: &str = r#"
cargo() {
    case "$*" in
    "run --release -p nub -- "*) shift 5; nub "$@" ;;
    "test --workspace") ;;
    *) echo "this test cannot run: cargo $*" >&2; return 1 ;;
    esac
}
"#;

pub(crate) struct Sandbox {
    directory: tempfile::TempDir,
    path: OsString,
}

impl Sandbox {
    /// A sandbox with these files besides the usual ones. Programs that the text makes up are on its path, but not those
    /// which are `real`.
    pub(crate) fn new(files: &[(String, String)], real: &[&str]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let work = directory.path().join("work");
        fs::create_dir(&work).unwrap();
        copy(&root().join("examples"), &work.join("examples"));
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documentation/fixtures");
        for (name, path) in entries(&fixtures) {
            if name != "bin" {
                copy(&path, &work.join(name));
            }
        }
        for (name, content) in files {
            fs::write(work.join(name), content).unwrap();
        }
        let programs = directory.path().join("bin");
        fs::create_dir(&programs).unwrap();
        for (name, path) in
            entries(&fixtures.join("bin")).into_iter().filter(|(name, _)| !real.contains(&name.as_str()))
        {
            symlink(path, programs.join(name)).unwrap();
        }
        symlink(env!("CARGO_BIN_EXE_nub"), programs.join("nub")).unwrap();
        let others = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths([programs].into_iter().chain(env::split_paths(&others))).unwrap();
        Self { directory, path }
    }

    fn work(&self) -> PathBuf {
        self.directory.path().join("work")
    }

    /// Runs a shell script. Its exit code, and what it printed on both outputs.
    pub(crate) fn run(&self, script: &str) -> (Option<i32>, String) {
        let file = self.directory.path().join("script");
        fs::write(&file, format!("exec 2>&1\n{PRELUDE}{script}")).unwrap();
        let mut shell = Command::new("sh");
        shell.arg(file).current_dir(self.work()).env("PATH", &self.path).env("LC_ALL", "C.UTF-8");
        // The environment of the test run may have settings for nub or its tests.
        shell.env_remove("NUB_UPDATE").env_remove("NO_COLOR").stdin(Stdio::null());
        let output = shell.output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Runs a block of commands that show no output.
    pub(crate) fn run_commands(&self, block: &Block) -> Result<(), String> {
        match self.run(&format!("set -e\n{}\n", block.lines.join("\n"))) {
            (Some(0), _) => Ok(()),
            (code, output) => Err(format!("the commands end with {code:?}:\n{output}")),
        }
    }

    /// Runs a session: for each command, what it really prints.
    pub(crate) fn run_session(&self, block: &Block) -> Result<Vec<Vec<String>>, String> {
        let commands: Vec<String> = exchanges(&block.lines).into_iter().map(|(command, _)| command).collect();
        let script: String = commands.iter().map(|command| format!("{command}\nprintf '\\036%d\\n' $?\n")).collect();
        let (_, output) = self.run(&script);
        let mut rest = output.as_str();
        let mut printed = vec![];
        for command in &commands {
            let (before, after) = rest.split_once(MARK).ok_or(format!("`{command}` ends the session:\n{output}"))?;
            let (code, after) = after.split_once('\n').unwrap_or((after, ""));
            if code != "0" {
                return Err(format!("`{command}` ends with {code}:\n{before}"));
            }
            printed.push(before.lines().map(|line| line.trim_end().to_owned()).collect());
            rest = after;
        }
        Ok(printed)
    }
}

fn entries(folder: &Path) -> Vec<(String, PathBuf)> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries.map(|entry| entry.unwrap().path()).map(|path| (name(&path), path)).collect()
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Copies a file or a folder, with its permissions.
fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir(to).unwrap();
        entries(from).into_iter().for_each(|(name, path)| copy(&path, &to.join(name)));
    } else {
        fs::copy(from, to).unwrap();
    }
}

/// Whether what is shown is what was printed, apart from times: any number with a decimal point that is not a size or a
/// percentage, and any number of seconds. With `any_number`, no number matters. A line `…` stands for any lines.
pub(crate) fn agrees(shown: &[String], printed: &[String], any_number: bool) -> bool {
    let shown: Vec<String> = shown.iter().map(|line| comparable(line, any_number)).collect();
    let printed: Vec<String> = printed.iter().map(|line| comparable(line, any_number)).collect();
    matches(&shown, &printed)
}

fn matches(shown: &[String], printed: &[String]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((line, rest)) if line == "…" => (0..=printed.len()).any(|skip| matches(rest, &printed[skip..])),
        Some((line, rest)) => {
            printed.split_first().is_some_and(|(first, others)| line == first && matches(rest, others))
        }
    }
}

/// What was printed, with its beginning left out if that is left out now.
pub(crate) fn shortened(shown: &[String], printed: &[String]) -> Vec<String> {
    match shown.split_first() {
        Some((line, rest)) if line == "…" && rest.len() < printed.len() => {
            [line.clone()].into_iter().chain(printed[printed.len() - rest.len()..].iter().cloned()).collect()
        }
        _ => printed.to_vec(),
    }
}

/// A line without times, and without the blanks that align its columns.
fn comparable(line: &str, any_number: bool) -> String {
    let mut result = String::new();
    let mut rest = line.split_whitespace().collect::<Vec<_>>().join(" ");
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let end = rest[start..].find(|c: char| !c.is_ascii_digit() && c != '.').map_or(rest.len(), |end| start + end);
        let number = rest[start..end].trim_end_matches('.').to_owned();
        let after = rest[start + number.len()..].to_owned();
        let unit: String = after.trim_start().chars().take_while(|c| c.is_alphabetic() || *c == '%').collect();
        let is_time = unit == "s" || number.contains('.') && !matches!(unit.as_str(), "kB" | "MB" | "%");
        result.push_str(&rest[..start]);
        result.push_str(if is_time || any_number { "#" } else { &number });
        rest = after;
    }
    result + &rest
}

#[cfg(test)]
mod tests {
    #[test]
    fn times_do_not_matter_and_everything_else_does() {
        let agrees = |a: &str, b: &str, any: bool| {
            let lines = |text: &str| text.lines().map(String::from).collect::<Vec<_>>();
            super::agrees(&lines(a), &lines(b), any)
        };
        assert!(agrees("in 2.6 s, 6 tests", "in 12.4 s, 6 tests", false));
        assert!(agrees("seconds   0.39  0.41", "seconds  0.4   10.11", false));
        assert!(agrees("after 3 s", "after 12 s", false));
        assert!(!agrees("in 2.6 s, 6 tests", "in 2.6 s, 7 tests", false));
        assert!(agrees("in 2.6 s, 6 tests", "in 2.6 s, 7 tests", true));
        assert!(!agrees("2.3 kB (1.24 %)", "2.4 kB (1.24 %)", false));
        assert!(!agrees("2.3 kB (1.24 %)", "2.3 kB (1.25 %)", false));
        assert!(agrees("a\n…\nd", "a\nb\nc\nd", false));
        assert!(agrees("a\n…\nd", "a\nd", false));
        assert!(!agrees("a\n…\nd", "a\nb", false));
        assert!(!agrees("a", "a\nb", false));
        let lines = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
        let shortened = |shown: &[&str], printed: &[&str]| super::shortened(&lines(shown), &lines(printed));
        assert_eq!(shortened(&["…", "x"], &["a", "b", "c"]), ["…", "c"]);
        assert_eq!(shortened(&["x"], &["a", "b", "c"]), ["a", "b", "c"]);
    }
}
