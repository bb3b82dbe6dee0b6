//! Installs other people's programs from PyPI, Debian and crates.io. Existing ones are not fetched again.

use anyhow::{Context as _, Result, bail, ensure};
use std::{
    env,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The folder of a peer, beside the programs of this repository, with other generated files.
pub(super) fn home(peer: &str) -> Result<PathBuf> {
    Ok(env::current_exe()?.with_file_name("peers").join(peer))
}

/// A program with a time limit of a quarter of an hour and no standard input.
pub(super) fn patient(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("timeout");
    command.args(["--kill-after=10", "900"]).arg(program).stdin(Stdio::null());
    command
}

/// Runs a command, twice if necessary, because networks are unreliable. `what` names it in messages, without its path.
pub(super) fn succeed(what: &str, command: &mut Command) -> Result<Vec<u8>> {
    let mut said = String::new();
    for _ in 0..2 {
        let output = command.output().with_context(|| format!("cannot start {what}"))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        said = String::from_utf8_lossy(&output.stderr).trim().lines().last().unwrap_or_default().to_owned();
    }
    bail!("{what} failed: {said}")
}

/// The programs of Debian packages.
pub(super) fn debian(package: &str) -> Result<()> {
    let there = Command::new("dpkg").args(["-s", package]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !there.is_ok_and(|status| status.success()) {
        succeed("apt-get install", patient("apt-get").args(["install", "-y", "--no-install-recommends", package]))?;
    }
    Ok(())
}

/// Creates a virtual environment in a folder, with Python 3.`minor` or newer. Returns its Python.
pub(super) fn environment(folder: &Path, minor: u32) -> Result<PathBuf> {
    let python = folder.join("bin/python3");
    if !python.exists() {
        fs::create_dir_all(folder)?;
        succeed("creating a virtual environment", patient(find_python(minor)?).args(["-m", "venv"]).arg(folder))?;
    }
    Ok(python)
}

/// Installs packages in a virtual environment.
pub(super) fn pip(python: &Path, arguments: &[&str]) -> Result<()> {
    succeed("pip install", patient(python).args(["-m", "pip", "install", "--quiet", "--retries", "5"]).args(arguments))
        .map(drop)
}

/// Searches the path and the versions of pyenv.
fn find_python(minor: u32) -> Result<PathBuf> {
    let mut candidates: Vec<PathBuf> = (minor..20).rev().map(|minor| format!("python3.{minor}").into()).collect();
    candidates.push("python3".into());
    let pyenv = env::var_os("PYENV_ROOT").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".pyenv")));
    if let Some(folders) = pyenv.and_then(|pyenv| fs::read_dir(pyenv.join("versions")).ok()) {
        candidates.extend(folders.filter_map(|folder| Some(folder.ok()?.path().join("bin/python3"))));
    }
    let check = format!("import sys; sys.exit(sys.version_info < (3, {minor}))");
    let fits = |python: &PathBuf| {
        let mut command = Command::new(python);
        command.args(["-c", &check]).stdin(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    candidates.into_iter().find(fits).with_context(|| format!("no Python 3.{minor} or newer on the path or in pyenv"))
}

/// Where cargo keeps the source of a package that this workspace depends on.
pub(super) fn source_of(package: &str) -> Result<PathBuf> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let text = succeed(
        "cargo metadata",
        patient(cargo).args(["metadata", "--format-version", "1", "--manifest-path", manifest]),
    )?;
    let metadata: serde_json::Value = serde_json::from_slice(&text)?;
    let packages = metadata["packages"].as_array().context("no packages")?;
    let found = packages.iter().find(|found| found["name"] == package);
    let manifest = found.and_then(|found| found["manifest_path"].as_str());
    let folder = manifest.and_then(|manifest| Path::new(manifest).parent());
    Ok(folder.with_context(|| format!("no dependency {package}"))?.to_owned())
}

/// Installs a program from crates.io, with its author's versions of the dependencies.
pub(super) fn cargo(root: &Path, package: &str) -> Result<PathBuf> {
    let program = root.join("bin").join(package);
    if !program.exists() {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        succeed(
            "cargo install",
            patient(cargo).args(["install", "--quiet", "--locked", "--root"]).arg(root).arg(package),
        )?;
    }
    ensure!(program.exists(), "{package} has no program of that name");
    Ok(program)
}
