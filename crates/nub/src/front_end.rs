//! Chooses the front end for the input, from the arguments or from the input itself.

use crate::{
    args::{AlgorithmArgs, GrammarArgs, Preset},
    grammar,
    settings::Usage,
};
use anyhow::{Context, Result};
use nub_core::{FrontEnd, PlainText, Unknown};
use nub_run::Fingerprint;
use nub_syntax::recorded::{self, RecordedTree};
use serde_json::{Value, json};
use std::{fs, path::Path, sync::Arc};

/// The front end for a reduction.
pub fn for_reduction(args: &AlgorithmArgs, input: &Path, bytes: &[u8]) -> Result<Arc<dyn FrontEnd>> {
    if let Some(path) = &args.tree {
        let json = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let tree =
            recorded::read(&json).with_context(|| format!("{} does not contain a tree in JSON", path.display()))?;
        return Ok(Arc::new(RecordedTree(tree)));
    }
    find(args.language.as_deref(), &args.grammar, args.preset, input, bytes)
}

/// The front end of the named language or of the user's grammar; otherwise detected from the input.
pub fn find(
    language: Option<&str>,
    grammar: &GrammarArgs,
    preset: Option<Preset>,
    input: &Path,
    bytes: &[u8],
) -> Result<Arc<dyn FrontEnd>> {
    grammar.check()?;
    if grammar.is_given() {
        return Ok(grammar::load(grammar, preset)?.front_end());
    }
    Ok(match language {
        None | Some("auto") => nub_syntax::front_end(Some(input), bytes),
        Some("none") => Arc::new(Unknown),
        Some("text") => Arc::new(PlainText),
        Some(name) => match nub_syntax::language(name) {
            Some(language) => language.front_end(),
            None => {
                let message = format!("unknown language {name:?}: `nub languages` lists the built-in ones");
                return Err(Usage(message).into());
            }
        },
    })
}

/// What determines the trees: a reduction that was started with one grammar must not continue with another.
pub fn grammar_settings(args: &GrammarArgs) -> Result<Value> {
    let mut files = vec![];
    let others = [&args.description, &args.yacc, &args.lex, &args.replacements, &args.predicates];
    for path in args.grammar.iter().chain(others.into_iter().flatten()) {
        let content = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        files.push(Fingerprint::of_bytes(&content).to_string());
    }
    Ok(json!({ "start": args.start, "files": files }))
}
