//! The folder with other people's material, which is not part of the repository.

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize as _;
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The folder of shared material, if it exists. In continuous integration it must.
///
/// # Errors
/// If it is missing in continuous integration.
pub fn shared() -> Result<Option<PathBuf>> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let path = std::env::var_os("NUB_SHARED").map_or(beside, PathBuf::from);
    if path.join("fidelity").is_dir() {
        return Ok(Some(path));
    }
    ensure!(std::env::var("CI").as_deref() != Ok("true"), "no recordings at {}; set NUB_SHARED", path.display());
    eprintln!("left out: no recordings at {}; set NUB_SHARED", path.display());
    Ok(None)
}

/// The tables of the thesis; `None` without the folder.
///
/// # Errors
/// If they cannot be read.
pub fn published() -> Result<Option<Value>> {
    shared()?.map(|shared| read(&shared.join("fidelity/published.json"))).transpose()
}

/// Reads a JSON file. Parse trees of real programs are nested deeper than the parser allows by default.
pub(crate) fn read(path: &Path) -> Result<Value> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut json = serde_json::Deserializer::from_str(&text);
    json.disable_recursion_limit();
    Value::deserialize(&mut json).with_context(|| format!("{} is not JSON", path.display()))
}
