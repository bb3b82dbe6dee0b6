//! The golden data: what ANTLR's own Java parsers say about files (`tests/golden`, made by `tests/oracle`).

use flate2::read::GzDecoder;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
};

/// A line of `index.json`.
#[derive(Debug, Deserialize)]
pub(crate) struct Golden {
    pub(crate) grammar: String,
    /// In `shared/grammars/GRAMMAR`.
    pub(crate) files: Vec<String>,
    pub(crate) start: String,
    /// In `shared`, or in `tests/golden`; `FILE#MEMBER` is the text in a member of a JSON file.
    pub(crate) input: String,
    pub(crate) lexer_errors: usize,
    pub(crate) parser_errors: usize,
    /// The first few.
    pub(crate) messages: Vec<String>,
    pub(crate) length: usize,
    pub(crate) sha256: String,
    /// In `tests/golden/trees`; none if the tree is too large to be kept.
    pub(crate) tree: Option<String>,
}

impl Golden {
    /// All of them, by grammar.
    pub(crate) fn all() -> Vec<Self> {
        let index = fs::read_to_string(golden_folder().join("index.json")).unwrap();
        serde_json::from_str(&index).unwrap()
    }

    pub(crate) fn errors(&self) -> usize {
        self.lexer_errors + self.parser_errors
    }

    pub(crate) fn grammar_files(&self, shared: &Path) -> Vec<PathBuf> {
        let folder = shared.join("grammars").join(&self.grammar);
        self.files.iter().map(|file| folder.join(file)).collect()
    }

    /// The file of the input, as the oracle wants it: with `#MEMBER` if it has one.
    pub(crate) fn input_path(&self, shared: &Path) -> PathBuf {
        match self.input.strip_prefix("shared/") {
            Some(path) => shared.join(path),
            None => golden_folder().join(&self.input),
        }
    }

    pub(crate) fn input_bytes(&self, shared: &Path) -> Vec<u8> {
        let path = self.input_path(shared);
        let Some((stem, member)) = path.to_str().unwrap().split_once(".json#") else { return read(&path) };
        let json: serde_json::Value = serde_json::from_slice(&read(Path::new(&format!("{stem}.json")))).unwrap();
        json[member].as_str().unwrap_or_else(|| panic!("{}: no such text", path.display())).as_bytes().to_vec()
    }

    /// The golden tree, if it is kept.
    pub(crate) fn tree(&self) -> Option<String> {
        let compressed = read(&golden_folder().join("trees").join(self.tree.as_ref()?));
        let mut text = String::new();
        GzDecoder::new(&compressed[..]).read_to_string(&mut text).unwrap();
        Some(text)
    }

    pub(crate) fn is_tree(&self, lisp: &str) -> bool {
        let sum: String = Sha256::digest(lisp).iter().map(|byte| format!("{byte:02x}")).collect();
        lisp.len() == self.length && sum == self.sha256
    }
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub(crate) fn golden_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// The folder with other projects' grammars and inputs. `None` if the test has to be skipped.
pub(crate) fn shared() -> Option<PathBuf> {
    nub_testing::shared("grammars").map(|_| nub_testing::shared_folder())
}
