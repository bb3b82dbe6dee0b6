//! Real files in as many languages as a machine has.

use anyhow::Result;
use nub_syntax::{detect, treesitter::Language};
use std::{
    collections::{BTreeMap, HashMap},
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
};

const MOST_FILES: usize = 60;
/// Per folder, for the sake of variety.
const MOST_SIBLINGS: usize = 8;
const SIZES: std::ops::Range<u64> = 200..60_000;

/// Files of each language, some from every kind of package on the machine. They are chosen by the hashes of their
/// paths, so that another run on the same machine chooses the same. Searches `folders`, or else the usual places.
pub(super) fn choose(folders: &[PathBuf]) -> Result<BTreeMap<&'static str, Vec<(&'static Language, PathBuf)>>> {
    let folders = if folders.is_empty() { usual() } else { folders.to_vec() };
    let mut paths: Vec<PathBuf> = vec![];
    let mut todo = folders;
    while let Some(path) = todo.pop() {
        let Ok(kind) = fs::symlink_metadata(&path) else { continue };
        if kind.is_dir() {
            todo.extend(fs::read_dir(&path).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())));
        } else if kind.is_file() && SIZES.contains(&kind.len()) && path.extension().is_some() {
            paths.push(path);
        }
    }
    paths.sort_unstable_by_key(|path| (hash(path), path.clone()));
    paths.dedup();
    let mut chosen: BTreeMap<&str, Vec<(&Language, PathBuf)>> = BTreeMap::new();
    let mut siblings: HashMap<(&str, PathBuf), usize> = HashMap::new();
    for path in paths {
        // The extension alone at first, because reading all files of a machine would take too long.
        let Some(language) = detect(Some(&path), b"")
            .and_then(nub_syntax::Language::tree_sitter)
            .filter(|language| chosen.get(language.name).is_none_or(|files| files.len() < MOST_FILES))
        else {
            continue;
        };
        let beside = siblings.entry((language.name, path.parent().unwrap_or(&path).to_owned())).or_default();
        *beside += 1;
        if *beside > MOST_SIBLINGS {
            continue;
        }
        let language =
            fs::read(&path).ok().and_then(|text| detect(Some(&path), &text)?.tree_sitter()).unwrap_or(language);
        chosen.entry(language.name).or_default().push((language, path));
    }
    Ok(chosen)
}

/// What is installed, the sources of packages, other people's material, and our own samples of every language.
fn usual() -> Vec<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let packages =
        std::env::var_os("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from).join("registry/src");
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/nub-syntax/tests/samples");
    let shared = ["grammars", "cases"].into_iter().filter_map(nub_testing::find_shared);
    [PathBuf::from("/usr"), packages, samples].into_iter().chain(shared).collect()
}

fn hash(path: &Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    path.file_name().hash(&mut hasher);
    hasher.finish()
}
