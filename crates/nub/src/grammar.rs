//! Grammars that the user brings: loaded for a reduction, or checked on their own (`nub grammar check`).

use crate::{
    args::{GrammarArgs, Preset},
    exit,
};
use anyhow::{Context as _, Result, bail};
use nub_antlr::{
    Engine, Grammar, check,
    format::{Format, load_replacements},
    semantics::{Overrides, Semantics},
    shortest::{self, Replacements as Texts},
};
use nub_run::Fingerprint;
use nub_syntax::antlr::{Language, Replacements, Settings};
use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

/// The language that the arguments describe.
pub fn load(args: &GrammarArgs, preset: Option<Preset>) -> Result<Language> {
    let settings = Settings {
        start: args.start.clone(),
        replacements: match preset {
            Some(Preset::Papers) => Replacements::Reference,
            None => Replacements::Shortest,
        },
        own_replacements: args.replacements.as_deref().map(load_replacements).transpose()?.unwrap_or_default(),
        overrides: args.predicates.as_deref().map(read_overrides).transpose()?.unwrap_or_default(),
    };
    let language = match &args.description {
        Some(path) => Language::described(&Format::load(path)?, &settings),
        None => Language::load(&args.grammar, &settings),
    };
    let language = language.context("the grammar cannot be used")?;
    for warning in language.warnings() {
        eprintln!("nub: warning: {warning} (--predicates says otherwise)");
    }
    Ok(language)
}

/// What decides the trees: a reduction that was begun with one grammar must not go on with another.
pub fn settings(args: &GrammarArgs) -> Result<Value> {
    let mut files = vec![];
    for path in
        args.grammar.iter().chain([&args.description, &args.replacements, &args.predicates].into_iter().flatten())
    {
        let content = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        files.push(Fingerprint::of_bytes(&content).to_string());
    }
    Ok(json!({ "start": args.start, "files": files }))
}

/// Reads lines of `predicate = expression`; lines that begin with `#` are comments.
fn read_overrides(path: &Path) -> Result<Overrides> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut overrides = Overrides::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        // A predicate may contain `==`: what it means stands behind the last single `=`.
        let Some((predicate, expression)) = line.rsplit_once(" = ") else {
            bail!("{}:{number}: expected a predicate, ` = `, and true, false or an expression", path.display());
        };
        overrides
            .insert(predicate, expression.trim())
            .with_context(|| format!("{}:{number}: {expression:?} is no expression", path.display()))?;
    }
    Ok(overrides)
}

/// Says everything that is worth knowing about a grammar.
pub fn check_files(files: &[PathBuf], start: Option<&str>, predicates: Option<&Path>) -> ExitCode {
    let grammar = match Grammar::load(files) {
        Ok(grammar) => grammar,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(exit::FAILED);
        }
    };
    match describe(&grammar, start, predicates) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => exit::failed(&error),
    }
}

fn describe(grammar: &Grammar, start: Option<&str>, predicates: Option<&Path>) -> Result<String> {
    let overrides = predicates.map(read_overrides).transpose()?.unwrap_or_default();
    let mut engine = Engine::new(grammar.compiled(), Semantics::new(grammar.compiled(), &overrides));
    if let Some(start) = start
        && engine.rule(start).is_none()
    {
        bail!("the grammar has no parser rule {start:?}");
    }
    let mut text = String::new();
    for warning in grammar.warnings() {
        text += &format!("{warning}\n");
    }
    let texts = shortest::shortest(grammar, &mut engine, &Texts::new());
    for finding in check::findings(grammar, &mut engine, &texts, start) {
        text += &format!("{finding}\n");
    }
    let compiled = grammar.compiled();
    let (rules, tokens) = (compiled.parser.atn.rules.len(), compiled.lexer.atn.rules.len());
    text += &format!("{}: {rules} parser rules, {tokens} lexer rules\n", compiled.parser.name);
    Ok(text)
}
