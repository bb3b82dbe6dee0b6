//! Finding the program of a test, and explaining why it does not start.
//!
//! The system says "no such file or directory" about a script whose *interpreter* is missing, "exec format error" about
//! one without a `#!` line, and "permission denied" about a forgotten `chmod +x`. Each of these is a newcomer's first
//! experience with a reducer, and each has a remedy that we can name.

use rustix::{fs::Access, io::Errno};
use std::{
    env,
    ffi::{OsStr, OsString},
    fs::{self, File},
    io::{self, Read as _},
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

/// Where a program without a `/` in its name is looked up first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum First {
    /// Test scripts are usually in the working directory, and `nub test.sh input` means that one, even if it is called
    /// `test`.
    WorkingDirectory,
    /// A command is looked up as the shell would.
    SearchPath,
}

/// The absolute path of a program, since tests run in other directories. If there is no such program, the path where it
/// would be expected.
pub(super) fn resolve(program: &OsStr, first: First) -> PathBuf {
    let here = std::path::absolute(program).unwrap_or_else(|_| PathBuf::from(program));
    if program.as_bytes().contains(&b'/') || (first == First::WorkingDirectory && here.is_file()) {
        return here;
    }
    let path = env::var_os("PATH").unwrap_or_else(|| OsString::from("/usr/local/bin:/usr/bin:/bin"));
    let found = env::split_paths(&path)
        .filter_map(|directory| std::path::absolute(directory.join(program)).ok())
        .find(|candidate| candidate.is_file() && is_executable(candidate));
    found.unwrap_or(here)
}

fn is_executable(path: &Path) -> bool {
    rustix::fs::access(path, Access::EXEC_OK).is_ok()
}

/// Why a program could not be started, and what to do about it.
pub(super) fn diagnose(program: &Path, error: &io::Error) -> String {
    let name = quote(program.as_os_str());
    let metadata = match fs::metadata(program) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return format!("there is no {name}"),
        Err(error) => return format!("cannot access {name}: {error}"),
    };
    if metadata.is_dir() {
        return format!("{name} is a directory, not a program");
    }
    let start = read_start(program);
    let interpreter = start.strip_prefix(b"#!").map(|rest| {
        let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let line = line.trim_ascii_start();
        OsString::from_vec(line.split(|byte| matches!(byte, b' ' | b'\t')).next().unwrap_or_default().to_vec())
    });
    match Errno::from_io_error(error) {
        Some(Errno::ACCESS) if !is_executable(program) => format!("{name} is not executable; try: chmod +x {name}"),
        Some(Errno::ACCESS) => match interpreter {
            Some(interpreter) => format!(
                "{name} cannot be executed: its interpreter {} is not executable, or it is on a file system \
                 mounted with noexec",
                quote(&interpreter)
            ),
            None => format!("{name} cannot be executed: it is on a file system mounted with noexec"),
        },
        Some(Errno::NOENT) => match interpreter {
            Some(interpreter) if interpreter.as_bytes().ends_with(b"\r") => format!(
                "the lines of {name} end in CR LF, so its interpreter is not found; try: sed -i 's/\\r$//' {name}"
            ),
            Some(interpreter) => format!(
                "the interpreter in the first line of {name}, {}, does not exist; try #!/usr/bin/env followed by its name",
                quote(&interpreter)
            ),
            None => format!("{name} exists, but the dynamic loader it needs does not: it was built for another system"),
        },
        Some(Errno::NOEXEC) if start.is_empty() => format!("{name} is empty"),
        Some(Errno::NOEXEC) if start.starts_with(b"\x7fELF") => {
            format!("{name} was built for another kind of processor")
        }
        Some(Errno::NOEXEC) => {
            format!("{name} does not name its interpreter: its first line must be #!/bin/sh or similar")
        }
        Some(Errno::TXTBSY) => format!("{name} is open for writing in another program"),
        _ => format!("cannot start {name}: {error}"),
    }
}

fn read_start(program: &Path) -> Vec<u8> {
    let mut start = Vec::new();
    if let Ok(file) = File::open(program) {
        let _ = file.take(256).read_to_end(&mut start);
    }
    start
}

/// A word as it would be typed in a shell.
pub fn quote(text: &OsStr) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+=:,@%".contains(&byte);
    if !text.is_empty() && text.as_bytes().iter().all(|byte| plain(*byte)) {
        return text.to_string_lossy().into_owned();
    }
    match text.to_str() {
        Some(text) if !text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t')) => {
            format!("'{}'", text.replace('\'', r"'\''"))
        }
        // Characters that cannot be typed (bash, ksh, zsh and the current POSIX).
        _ => {
            let mut quoted = String::from("$'");
            for byte in text.as_bytes() {
                match byte {
                    b'\'' | b'\\' => quoted.extend(['\\', char::from(*byte)]),
                    b' '..=b'~' => quoted.push(char::from(*byte)),
                    _ => quoted.push_str(&format!("\\{byte:03o}")),
                }
            }
            quoted.push('\'');
            quoted
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{os::unix::fs::PermissionsExt, process::Command};

    #[test]
    fn programs_are_found() {
        assert_eq!(resolve(OsStr::new("sh"), First::SearchPath).file_name().unwrap(), "sh");
        assert!(resolve(OsStr::new("sh"), First::WorkingDirectory).is_file());
        assert!(resolve(OsStr::new("./x/y"), First::SearchPath).is_absolute());
        let missing = resolve(OsStr::new("nub-no-such-program"), First::SearchPath);
        assert_eq!(missing, env::current_dir().unwrap().join("nub-no-such-program"));
    }

    #[test]
    fn messages_name_the_remedy() {
        let base = tempfile::tempdir().unwrap();
        let file = base.path().join("test.sh");
        let message = |content: &[u8], mode: u32| {
            // Write it in another process: a copy of the open file in a concurrently forked child would make it busy.
            let mut cp = Command::new("sh")
                .args(["-c", "cat > \"$0\""])
                .arg(&file)
                .stdin(std::process::Stdio::piped())
                .spawn()
                .unwrap();
            io::Write::write_all(&mut cp.stdin.take().unwrap(), content).unwrap();
            cp.wait().unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            diagnose(&file, &Command::new(&file).spawn().unwrap_err())
        };
        for (content, mode, expected) in [
            (&b"#!/bin/sh\n"[..], 0o644, "chmod +x"),
            (b"#!/no/such/interpreter -x\n", 0o755, "/no/such/interpreter, does not exist"),
            (b"#!/bin/sh\r\nexit\r\n", 0o755, "CR LF"),
            (b"exit 0\n", 0o755, "#!/bin/sh"),
            (b"", 0o755, "empty"),
            (b"\x7fELFxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 0o755, "processor"),
        ] {
            let message = message(content, mode);
            assert!(message.contains(expected) && message.contains("test.sh"), "{message}");
        }
        let missing = base.path().join("nothing");
        assert!(diagnose(&missing, &Command::new(&missing).spawn().unwrap_err()).contains("there is no"));
        assert!(diagnose(base.path(), &Command::new(base.path()).spawn().unwrap_err()).contains("directory"));
    }

    #[test]
    fn quoting_is_undone_by_the_shell() {
        for text in [&b"plain-1.c"[..], b"", b"a b", b"it's", b"$x `y` \"z\" \\", b"*?[]{}~!#&;|<>()", b"a\n\tb"] {
            let printed =
                Command::new("sh").arg("-c").arg(format!("printf %s {}", quote(OsStr::from_bytes(text)))).output();
            assert_eq!(printed.unwrap().stdout, text);
        }
        assert_eq!(quote(OsStr::from_bytes(b"a\xff'\n\\")), r"$'a\377\'\012\\'");
    }
}
