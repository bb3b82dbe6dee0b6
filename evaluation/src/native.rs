//! The cheapest possible tests (small C programs, compiled on the spot), which make the overhead of nub visible, and
//! their inputs.

use anyhow::{Context as _, Result, ensure};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Compiles `source` to a program in `folder`.
pub(crate) fn compile(source: &str, folder: &Path, name: &str) -> Result<PathBuf> {
    let (file, program) = (folder.join(name).with_extension("c"), folder.join(name));
    fs::write(&file, source)?;
    let compile = |options: &[&str]| {
        let mut gcc = Command::new("gcc");
        gcc.args(options).arg(&file).arg("-o").arg(&program).output().context("cannot run gcc")
    };
    // A static program starts twice as fast; but not every system has the libraries for that.
    let mut output = compile(&["-O2", "-static"])?;
    if !output.status.success() {
        output = compile(&["-O2"])?;
    }
    ensure!(output.status.success(), "gcc: {}", String::from_utf8_lossy(&output.stderr));
    Ok(program)
}

/// Builds the real nub, optimised, and returns its path.
pub(crate) fn build_nub() -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--quiet", "--release", "--package", "nub", "--manifest-path"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .status()?;
    ensure!(built.success(), "nub does not compile");
    Ok(std::env::current_exe()?.with_file_name("nub"))
}

/// The source of a test that accepts files of exactly this size.
pub(crate) fn test_of_size(size: usize) -> String {
    format!(
        "#include <sys/stat.h>\n\
         int main(int n, char **arguments) {{\n\
             struct stat file;\n\
             return !(n > 1 && stat(arguments[n - 1], &file) == 0 && file.st_size == {size});\n\
         }}\n"
    )
}

/// The source of a co-process that rejects every candidate.
pub(crate) const COPROCESS: &str = "#include <unistd.h>\n\
    int main(void) {\n\
        char buffer[65536];\n\
        ssize_t n;\n\
        while ((n = read(0, buffer, sizeof buffer)) > 0)\n\
            for (ssize_t i = 0; i < n; i++)\n\
                if (buffer[i] == '\\n' && write(1, \"0\\n\", 2) != 2) return 1;\n\
        return 0;\n\
    }\n";

/// A text of exactly this size, in lines of ten bytes.
pub(crate) fn text(size: usize) -> Vec<u8> {
    (0..).flat_map(|line: usize| format!("line {line:04}\n").into_bytes()).take(size).collect()
}

/// The part of every test that any reducer needs: creates and removes a directory with the candidate.
pub(crate) fn make_and_remove(directory: &Path, candidate: &[u8]) -> Result<()> {
    let file = directory.join("input");
    fs::create_dir(directory)?;
    fs::write(&file, candidate)?;
    fs::remove_file(&file)?;
    Ok(fs::remove_dir(directory)?)
}
