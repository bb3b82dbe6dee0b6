//! The cases: folders with an input, a test and the requirements of the test.

use anyhow::{Context as _, Result, ensure};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// A real failure.
pub(crate) struct Case {
    pub(crate) name: String,
    /// The test, which gets the path of a candidate.
    pub(crate) test: PathBuf,
    pub(crate) input: PathBuf,
    /// Size in non-blank bytes.
    pub(crate) size: usize,
    pub(crate) tokens: usize,
    /// Whether it is a text.
    pub(crate) text: bool,
    /// nub's name for the language; `None` if nub does not know the structure.
    pub(crate) language: Option<String>,
}

impl Case {
    /// All cases, copied to a folder where they may install their requirements.
    pub(crate) fn all() -> Result<Vec<Self>> {
        let source = nub_testing::shared_folder().join("cases");
        ensure!(source.is_dir(), "no cases at {}; set NUB_SHARED to the folder around them", source.display());
        // Beside the programs, with other generated files.
        let home = std::env::current_exe()?.with_file_name("cases");
        let mut folders: Vec<PathBuf> = fs::read_dir(&source)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
        folders.retain(|folder| folder.join("setup.sh").is_file());
        folders.sort();
        folders.iter().map(|folder| Self::prepare(folder, &home)).collect()
    }

    fn prepare(source: &Path, home: &Path) -> Result<Self> {
        let name = source.file_name().context("a folder")?.to_string_lossy().into_owned();
        let folder = home.join(&name);
        fs::create_dir_all(&folder)?;
        let mut input = None;
        for entry in fs::read_dir(source)? {
            let entry = entry?;
            let copy = folder.join(entry.file_name());
            fs::copy(entry.path(), &copy)?;
            if entry.file_name().to_string_lossy().starts_with("input.") {
                input = Some(copy);
            }
        }
        let input = input.with_context(|| format!("{name} has no input"))?;
        let setup = Command::new("sh").arg(folder.join("setup.sh")).stdout(Stdio::null()).status()?;
        ensure!(setup.success(), "the setup.sh of {name} failed");
        let bytes = fs::read(&input)?;
        let language = nub_syntax::detect(Some(&input), &bytes);
        Ok(Self {
            name,
            test: folder.join("test.sh"),
            size: non_blank(&bytes),
            tokens: tokens(&bytes),
            text: str::from_utf8(&bytes).is_ok(),
            input,
            language: language.map(|language| language.name.to_owned()),
        })
    }

    /// The name of the input, which some tools require.
    pub(crate) fn file_name(&self) -> String {
        self.input.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// The number of non-blank bytes.
pub(crate) fn non_blank(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| !byte.is_ascii_whitespace()).count()
}

/// The number of words, numbers and single other characters.
pub(crate) fn tokens(bytes: &[u8]) -> usize {
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    let mut before = b' ';
    let mut count = 0;
    for &byte in bytes {
        let continues = word(byte) && word(before);
        count += usize::from(!continues && !byte.is_ascii_whitespace());
        before = byte;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_independent_of_blanks() {
        for text in ["int f(){return a1+ -2;}", " int\nf ( ) { return a1 + - 2 ; } "] {
            assert_eq!((non_blank(text.as_bytes()), tokens(text.as_bytes())), (20, 12));
        }
    }
}
