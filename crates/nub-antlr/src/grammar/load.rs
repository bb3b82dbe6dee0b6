//! Loading the files of a grammar.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};

use crate::g4::{
    self, Diagnostic, Report, Source, Sources,
    ast::{GrammarFile, Name},
};

/// A grammar could not be loaded. Its `Display` lists all messages, one per paragraph.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}", .diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct LoadError {
    diagnostics: Vec<Diagnostic>,
}

impl LoadError {
    pub(crate) fn new(diagnostics: Vec<Diagnostic>) -> Self {
        Self { diagnostics }
    }

    /// All messages: errors and warnings.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

/// Where other files are searched.
pub(crate) enum Library {
    /// Beside each file, and in `lib/` beside it.
    Files,
    /// Texts by file name.
    Texts(HashMap<String, String>),
}

/// A file that has been read.
struct Found {
    /// Its name in messages.
    name: String,
    text: String,
}

impl Library {
    fn find(&self, importer: &str, file: &str) -> Result<Found, Vec<String>> {
        match self {
            Self::Texts(texts) => {
                let text = texts.get(file).cloned();
                text.map(|text| Found { name: file.to_owned(), text }).ok_or_else(|| vec![file.to_owned()])
            }
            Self::Files => {
                let beside = Path::new(importer).parent().unwrap_or(Path::new(""));
                let paths: Vec<PathBuf> = vec![beside.join(file), beside.join("lib").join(file)];
                for path in &paths {
                    if let Ok(bytes) = fs::read(path) {
                        let text = String::from_utf8_lossy(&bytes).into_owned();
                        return Ok(Found { name: path.display().to_string(), text });
                    }
                }
                Err(paths.iter().map(|path| path.display().to_string()).collect())
            }
        }
    }
}

/// Reads and parses files.
pub(crate) struct Loader<'a> {
    pub(crate) library: &'a Library,
    pub(crate) sources: &'a mut Sources,
    pub(crate) report: &'a mut Report,
    /// The grammars parsed so far, by name.
    pub(crate) parsed: HashMap<String, GrammarFile>,
}

impl Loader<'_> {
    /// Parses a text.
    pub(crate) fn add(&mut self, name: String, text: String) -> Option<GrammarFile> {
        if u32::try_from(text.len()).is_err() {
            self.report.file_error(name, "the file is too large");
            return None;
        }
        let id = self.sources.add(Source::new(name, text));
        let file = g4::parse(self.sources, id, self.report)?;
        self.check_file_name(id, &file);
        self.parsed.entry(file.name.text.clone()).or_insert_with(|| file.clone());
        Some(file)
    }

    fn check_file_name(&mut self, id: u32, file: &GrammarFile) {
        let path = Path::new(self.sources.get(id).name());
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if stem != file.name.text {
            let message = format!("the grammar {} is in a file with another name", file.name.text);
            let hint = format!("other grammars look for it in {}.g4", file.name.text);
            self.report.warning(self.sources, file.name.span, message).hint(hint);
        }
    }

    /// The grammar that another one imports.
    pub(crate) fn import(&mut self, name: &Name) -> Option<GrammarFile> {
        if let Some(known) = self.parsed.get(&name.text) {
            return Some(known.clone());
        }
        match self.find(name, &format!("{}.g4", name.text)) {
            Ok(found) => self.add(found.name, found.text),
            Err(looked) => {
                let message = format!("the grammar {} is missing", name.text);
                let problem = self.report.error(self.sources, name.span, message);
                problem.hint(format!("looked for {}", looked.join(" and ")));
                None
            }
        }
    }

    /// The lexer grammar that `tokenVocab` names, if it exists.
    pub(crate) fn vocabulary_grammar(&mut self, name: &Name) -> Result<Option<GrammarFile>, Vec<String>> {
        if let Some(known) = self.parsed.get(&name.text) {
            return Ok(Some(known.clone()));
        }
        let found = self.find(name, &format!("{}.g4", name.text))?;
        Ok(self.add(found.name, found.text))
    }

    /// The text of the `.tokens` file that `tokenVocab` names.
    pub(crate) fn tokens_file(&self, name: &Name) -> Result<(String, String), Vec<String>> {
        let found = self.find(name, &format!("{}.tokens", name.text))?;
        Ok((found.name, found.text))
    }

    fn find(&self, name: &Name, file: &str) -> Result<Found, Vec<String>> {
        self.library.find(self.sources.get(name.span.file).name(), file)
    }
}
