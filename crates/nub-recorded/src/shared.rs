//! The folder with other people's material, which is not part of the repository.

use anyhow::{Context as _, Result};
use nub_testing::find_shared;
use serde::Deserialize as _;
use serde_json::Value;
use std::{fs, path::Path};

/// The tables of the thesis; `None` without the folder.
///
/// # Errors
/// If they cannot be read.
pub fn published() -> Result<Option<Value>> {
    find_shared("fidelity/published.json").map(|path| read(&path)).transpose()
}

/// Reads a JSON file. Parse trees of real programs are nested deeper than the parser allows by default.
pub(crate) fn read(path: &Path) -> Result<Value> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut json = serde_json::Deserializer::from_str(&text);
    json.disable_recursion_limit();
    Value::deserialize(&mut json).with_context(|| format!("{} is not JSON", path.display()))
}
