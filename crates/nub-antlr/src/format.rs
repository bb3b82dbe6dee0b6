//! Descriptions of inputs that need several grammars, in the JSON format of Picireny.
//!
//! ```json
//! {
//!   "start": "html:document",
//!   "grammars": {
//!     "html": {
//!       "files": ["HTMLLexer.g4", "HTMLParser.g4"],
//!       "islands": { "SCRIPT_BODY": "(?P<js:program>.*)</script>" },
//!       "replacements": { "TAG_NAME": "a" }
//!     },
//!     "js": { "files": ["JavaScriptLexer.g4", "JavaScriptParser.g4"] }
//!   }
//! }
//! ```
//!
//! Files are relative to the folder of the description.

mod island;

pub use island::{Island, Piece};

use crate::shortest::Replacements;
use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, MapAccess, Visitor},
};
use std::{
    collections::BTreeMap,
    fmt, fs,
    path::{Path, PathBuf},
};

/// An error in a description. Its message names the file, the error and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {message}\n  hint: {hint}")]
pub struct FormatError {
    /// The description, as it was named.
    pub file: String,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

/// A rule of one of several grammars: `grammar:rule`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Start {
    /// The name of the grammar in the description. The grammar of the command line is `""`.
    pub grammar: String,
    /// The rule.
    pub rule: String,
}

impl Start {
    /// Reads `grammar:rule`, or just `rule`.
    pub fn parse(text: &str) -> Self {
        let (grammar, rule) = text.split_once(':').unwrap_or(("", text));
        Self { grammar: grammar.to_owned(), rule: rule.to_owned() }
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.grammar, self.rule)
    }
}

/// One grammar of a description.
#[derive(Clone, Debug, Default)]
pub struct Described {
    /// The files of the grammar.
    pub files: Vec<PathBuf>,
    /// Helpers of generated parsers (`.py`, `.java`). Nothing is generated here, so they are unused.
    pub helpers: Vec<PathBuf>,
    /// By name of token: which parts of its text belong to other grammars.
    pub islands: BTreeMap<String, Island>,
    /// The user's replacement texts.
    pub replacements: Replacements,
}

/// A description.
#[derive(Clone, Debug, Default)]
pub struct Format {
    /// Where to begin, unless the command line says so.
    pub start: Option<Start>,
    /// The grammars by name.
    pub grammars: BTreeMap<String, Described>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Json {
    start: Option<String>,
    grammars: Unique<JsonGrammar>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonGrammar {
    files: Vec<PathBuf>,
    #[serde(default)]
    islands: Unique<String>,
    #[serde(default)]
    replacements: Unique<String>,
}

impl Format {
    /// Reads a description.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is not JSON, has unknown members, or names grammars that it does not describe.
    pub fn load(path: &Path) -> Result<Self, FormatError> {
        let text = read(path)?;
        Self::parse(&text, &path.display().to_string(), path.parent().unwrap_or(Path::new("")))
    }

    /// Reads a description from text. Its files are relative to `folder`.
    ///
    /// # Errors
    ///
    /// See [`load`](Self::load).
    ///
    /// ```
    /// use nub_antlr::format::Format;
    ///
    /// let json = r#"{"start": "g:s", "grammars": {"g": {"files": ["T.g4"]}}}"#;
    /// let format = Format::parse(json, "t.json", "grammars".as_ref())?;
    /// assert_eq!(format.start.unwrap().rule, "s");
    /// assert_eq!(format.grammars["g"].files, ["grammars/T.g4".as_ref() as &std::path::Path]);
    /// # Ok::<(), nub_antlr::format::FormatError>(())
    /// ```
    pub fn parse(text: &str, file: &str, folder: &Path) -> Result<Self, FormatError> {
        let fail = |message: String, hint: &str| FormatError { file: file.to_owned(), message, hint: hint.to_owned() };
        let json: Json = serde_json::from_str(text).map_err(|error| {
            fail(
                error.to_string(),
                "a description looks like {\"start\": \"g:rule\", \"grammars\": {\"g\": {\"files\": [\"G.g4\"]}}}",
            )
        })?;
        let mut format = Self { start: json.start.as_deref().map(Start::parse), grammars: BTreeMap::new() };
        for (name, grammar) in json.grammars.0 {
            if grammar.files.is_empty() {
                return Err(fail(format!("the grammar {name} has no files"), "list its .g4 files in \"files\""));
            }
            let paths = grammar.files.iter().map(|path| folder.join(path));
            let (files, helpers) =
                paths.partition(|path| path.extension().is_none_or(|end| end != "py" && end != "java"));
            let mut described = Described { files, helpers, ..Described::default() };
            for (token, pattern) in grammar.islands.0 {
                let island = Island::new(&pattern).map_err(|message| {
                    let message = format!("the island {token} of the grammar {name}: {message}");
                    fail(message, "an island looks like \"<(?P<grammar:rule>.*)>\"")
                })?;
                described.islands.insert(token, island);
            }
            described.replacements = grammar.replacements.0.into_iter().collect();
            format.grammars.insert(name, described);
        }
        format.check().map_err(|message| {
            let names: Vec<&str> = format.grammars.keys().map(String::as_str).collect();
            fail(message, &format!("the description has the grammars {}", names.join(", ")))
        })?;
        Ok(format)
    }

    /// Checks that all grammars that are referred to exist.
    fn check(&self) -> Result<(), String> {
        if let Some(start) = self.start.as_ref().filter(|start| !self.grammars.contains_key(&start.grammar)) {
            return Err(format!("\"start\" is {start}, but there is no grammar {}", start.grammar));
        }
        for (name, described) in &self.grammars {
            for (token, island) in &described.islands {
                if let Some(start) = island.starts().find(|start| !self.grammars.contains_key(&start.grammar)) {
                    let grammar = &start.grammar;
                    return Err(format!(
                        "the island {token} of the grammar {name} is {start}, but there is no grammar {grammar}"
                    ));
                }
            }
        }
        Ok(())
    }
}

/// Reads the user's replacement texts from a file: `{"NAME": "text"}`.
///
/// # Errors
///
/// If the file cannot be read or has another form.
pub fn load_replacements(path: &Path) -> Result<Replacements, FormatError> {
    let text = read(path)?;
    let entries: Unique<String> = serde_json::from_str(&text).map_err(|error| FormatError {
        file: path.display().to_string(),
        message: error.to_string(),
        hint: "replacements look like {\"NAME\": \"text\"}".to_owned(),
    })?;
    Ok(entries.0.into_iter().collect())
}

fn read(path: &Path) -> Result<String, FormatError> {
    fs::read_to_string(path).map_err(|error| FormatError {
        file: path.display().to_string(),
        message: format!("cannot be read: {error}"),
        hint: "is the path right?".to_owned(),
    })
}

/// An object with distinct names. A plain map would silently drop the first of two entries.
#[derive(Debug)]
struct Unique<T>(BTreeMap<String, T>);

impl<T> Default for Unique<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Unique<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
            type Value = Unique<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Unique<T>, A::Error> {
                let mut entries = BTreeMap::new();
                while let Some(name) = map.next_key::<String>()? {
                    if entries.contains_key(&name) {
                        map.next_value::<IgnoredAny>()?;
                        return Err(serde::de::Error::custom(format!("{name} appears twice")));
                    }
                    entries.insert(name, map.next_value()?);
                }
                Ok(Unique(entries))
            }
        }
        deserializer.deserialize_map(Entries(std::marker::PhantomData))
    }
}
