//! A small file of every language.

use nub_syntax::treesitter::{Language, languages};
use std::path::Path;

/// The samples of the built-in languages.
pub(crate) fn samples() -> Vec<(&'static Language, Vec<u8>)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    let mut samples = vec![];
    for language in languages() {
        let path = language.extensions.iter().map(|extension| directory.join(format!("sample.{extension}")));
        let Some(text) = path.filter_map(|path| std::fs::read(path).ok()).next() else { continue };
        samples.push((language, text));
    }
    samples
}
