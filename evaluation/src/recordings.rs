//! Recorded runs on real inputs: other people's material, which lies in a folder beside the repository.

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The folder of what others have made, if there is one. In continuous integration there must be.
pub(crate) fn shared() -> Result<Option<PathBuf>> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let path = std::env::var_os("NUB_SHARED").map_or(beside, PathBuf::from);
    if path.is_dir() {
        return Ok(Some(path));
    }
    ensure!(std::env::var("CI").as_deref() != Ok("true"), "no recordings at {}; set NUB_SHARED", path.display());
    Ok(None)
}

/// The recordings in it.
fn folder() -> Result<Option<PathBuf>> {
    Ok(shared()?.map(|shared| shared.join("fidelity")).filter(|path| path.is_dir()))
}

fn read(path: &Path) -> Result<Value> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is not JSON", path.display()))
}

/// The published tables; `None` without recordings.
pub(crate) fn published() -> Result<Option<Value>> {
    folder()?.map(|folder| read(&folder.join("published.json"))).transpose()
}

/// The runs on failures of a JavaScript engine, in the order of their numbers; `None` without recordings.
pub(crate) fn javascript() -> Result<Option<Vec<Value>>> {
    let Some(folder) = folder()? else { return Ok(None) };
    let mut paths = vec![];
    for entry in fs::read_dir(folder.join("jrts"))? {
        paths.push(entry?.path());
    }
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    paths.iter().map(|path| read(path)).collect::<Result<Vec<_>>>().map(Some)
}

/// What a table says in place of the recordings.
pub(crate) const MISSING: &str = "*Left out: the recordings are not there (set `NUB_SHARED`).*";
