//! The user's grammars: loading them for a reduction, and checking them (`nub grammar check`).

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
use nub_core::FrontEnd;
use nub_syntax::{
    antlr::{self, Antlr, Replacements, Settings},
    yacc::{self, Yacc},
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

/// A language that is defined by a grammar of the user.
#[derive(Clone, Debug)]
pub enum Brought {
    Antlr(Arc<antlr::Language>),
    Yacc(Arc<yacc::Language>),
}

impl Brought {
    /// The parse tree of an input as nested lists, and the syntax errors.
    pub fn lisp(&self, input: &[u8]) -> (String, Vec<String>) {
        match self {
            Self::Antlr(language) => {
                let tree = language.parse_tree(input);
                (tree.to_lisp(), tree.errors().iter().map(ToString::to_string).collect())
            }
            Self::Yacc(language) => {
                let tree = language.parse_tree(input);
                let errors = tree.errors().iter().map(ToString::to_string).collect();
                (tree.to_lisp(language.language().grammar(), input), errors)
            }
        }
    }

    /// The front end for this language.
    pub fn front_end(&self) -> Arc<dyn FrontEnd> {
        match self {
            Self::Antlr(language) => Arc::new(Antlr(Arc::clone(language))),
            Self::Yacc(language) => Arc::new(Yacc(Arc::clone(language))),
        }
    }
}

/// The language that the arguments describe.
pub fn load(args: &GrammarArgs, preset: Option<Preset>) -> Result<Brought> {
    match &args.yacc {
        Some(grammar) => Ok(Brought::Yacc(Arc::new(load_yacc(grammar, args)?))),
        None => Ok(Brought::Antlr(Arc::new(load_antlr(args, preset)?))),
    }
}

fn load_yacc(grammar: &Path, args: &GrammarArgs) -> Result<yacc::Language> {
    let settings = yacc::Settings {
        start: args.start.clone(),
        own_replacements: args.replacements.as_deref().map(load_replacements).transpose()?.unwrap_or_default(),
    };
    let language = yacc::Language::load(grammar, args.lex.as_deref(), &settings).context("cannot use the grammar")?;
    for warning in language.language().warnings() {
        eprintln!("nub: {warning}");
    }
    let (shift_reduce, reduce_reduce) = language.language().conflict_counts();
    let expected = language.language().grammar().expected;
    if shift_reduce > expected.0.unwrap_or(0) || reduce_reduce > expected.1.unwrap_or(0) {
        eprintln!(
            "nub: warning: the grammar has {shift_reduce} shift/reduce and {reduce_reduce} reduce/reduce conflicts, which nub \
             resolves as YACC does: `nub grammar check` explains them"
        );
    }
    Ok(language)
}

fn load_antlr(args: &GrammarArgs, preset: Option<Preset>) -> Result<antlr::Language> {
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
        Some(path) => antlr::Language::described(&Format::load(path)?, &settings),
        None => antlr::Language::load(&args.grammar, &settings),
    };
    let language = language.context("cannot use the grammar")?;
    for warning in language.warnings() {
        eprintln!("nub: warning: {warning} (--predicates can define it)");
    }
    Ok(language)
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
        // A predicate may contain `==`, so its value is what follows the last ` = `.
        let Some((predicate, expression)) = line.rsplit_once(" = ") else {
            bail!("{}:{number}: expected `PREDICATE = true`, `= false` or `= EXPRESSION`", path.display());
        };
        overrides
            .insert(predicate, expression.trim())
            .with_context(|| format!("{}:{number}: {expression:?} is not an expression", path.display()))?;
    }
    Ok(overrides)
}

/// Prints everything worth knowing about an ANTLR grammar.
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
        bail!("the grammar has no parser rule {start:?}: give --start a rule of the grammar");
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

/// Prints everything worth knowing about a YACC grammar. If no lexer is given, the grammar alone is checked.
pub fn check_yacc(grammar: &Path, lex: Option<&Path>, start: Option<&str>) -> ExitCode {
    let with_tokens = nub_yacc::Language::load(grammar, lex, start);
    let (language, note) = match with_tokens {
        Ok(language) => (Ok(language), ""),
        Err(error) if lex.is_some() => (Err(error), ""),
        Err(error) => match nub_yacc::Language::load_grammar(grammar, start) {
            Ok(language) => (Ok(language), "; no file defines its tokens, so only the grammar was checked"),
            Err(_) => (Err(error), ""),
        },
    };
    let language = match language {
        Ok(language) => language,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(exit::FAILED);
        }
    };
    let warnings = language.warnings().iter().map(ToString::to_string);
    for finding in warnings.chain(nub_yacc::check::findings(&language)) {
        println!("{finding}");
    }
    let grammar = language.grammar();
    let rules = grammar.rules().iter().skip(1).filter(|rule| !rule.is_action()).count();
    let (shift_reduce, reduce_reduce) = language.conflict_counts();
    println!(
        "{}: {rules} rules, {} productions, {} tokens, {} states, {shift_reduce} shift/reduce and {reduce_reduce} \
         reduce/reduce conflicts{note}",
        language.name(),
        grammar.productions().len() - 1,
        grammar.tokens().len() - 2,
        language.states(),
    );
    ExitCode::SUCCESS
}
