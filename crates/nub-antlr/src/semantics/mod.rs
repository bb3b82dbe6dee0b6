//! The meaning of the predicates and actions of a grammar.
//!
//! Their code is never run. Instead, their meaning comes from, in this order: the user; built-in behaviour of the base
//! classes of public grammars; a small evaluator for inline expressions. Any other predicate is assumed to be true and
//! any other action does nothing; [`Semantics::describe`] lists these.

mod base;
mod bases;
mod eval;
mod expr;
mod lexer;
mod names;
mod parser;
mod treat;

pub use base::{LexerBase, ParserBase};
pub use eval::Value;
pub use names::Names;
pub use parser::ParserView;
pub use treat::{Description, Treatment};

pub(crate) use lexer::LexerSemantics;
pub(crate) use parser::ParserSemantics;

use crate::compiled::Compiled;
use std::{collections::HashMap, sync::Arc};
use treat::Rules;

/// The user's overrides of predicates and methods: the text or name of each, and an expression, in most cases `true` or
/// `false`.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    entries: HashMap<String, expr::Expr>,
}

/// An override that is not a simple expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an expression that can be evaluated")]
pub struct BadOverride(pub String);

impl Overrides {
    /// No overrides.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an override. The key is the text of a predicate (without braces) or the name of a method or variable.
    pub fn insert(&mut self, key: &str, expression: &str) -> Result<(), BadOverride> {
        let value = expr::expression(expression).ok_or_else(|| BadOverride(expression.to_owned()))?;
        self.entries.insert(key.trim().to_owned(), value.clone());
        self.entries.insert(expr::normalise(key.trim()), value);
        Ok(())
    }

    fn text(&self, text: &str) -> Option<&expr::Expr> {
        self.entries.get(text.trim())
    }

    fn name(&self, name: &str) -> Option<&expr::Expr> {
        self.entries.get(&expr::normalise(name))
    }
}

/// The meaning of the code in one grammar. An [`Engine`](crate::Engine) owns it, because base classes have state.
#[derive(Debug, Default)]
pub struct Semantics {
    pub(crate) lexer: LexerSemantics,
    pub(crate) parser: ParserSemantics,
    descriptions: Vec<Description>,
}

impl Semantics {
    /// The semantics of a grammar.
    pub fn new(grammar: &Compiled, overrides: &Overrides) -> Self {
        let names = Names::new(grammar);
        let overrides = Arc::new(overrides.clone());
        let lexer = {
            let class = class(grammar.lexer.super_class.as_deref(), &grammar.lexer.name);
            let base = base::lexer_base(&class, &names);
            let methods = base.as_ref().map_or(&[][..], |base| base.methods());
            let rules = Rules::new(&grammar.lexer.atn, &names, &overrides, (&class, methods));
            LexerSemantics::new(rules, base, names.clone(), Arc::clone(&overrides))
        };
        let parser = {
            let class = class(grammar.parser.super_class.as_deref(), &grammar.parser.name);
            let base = base::parser_base(&class, &names);
            let methods = base.as_ref().map_or(&[][..], |base| base.methods());
            let rules = Rules::new(&grammar.parser.atn, &names, &overrides, (&class, methods));
            ParserSemantics::new(rules, base, names, overrides)
        };
        let descriptions = lexer.rules().descriptions().chain(parser.rules().descriptions()).cloned().collect();
        Self { lexer, parser, descriptions }
    }

    /// How each predicate and action is treated, those of the lexer first.
    pub fn describe(&self) -> &[Description] {
        &self.descriptions
    }

    /// One warning for every predicate that is assumed to be true for lack of information.
    pub fn warnings(&self) -> impl Iterator<Item = String> + '_ {
        let mut seen = std::collections::HashSet::new();
        self.descriptions.iter().filter_map(move |code| {
            let unknown = code.predicate && code.treatment == Treatment::AssumedTrue;
            (unknown && seen.insert(code.text.as_str()))
                .then(|| format!("rule {}: the predicate {{{}}}? is assumed to be true", code.rule, code.text.trim()))
        })
    }
}

/// The class whose methods the code of a grammar calls.
fn class(super_class: Option<&str>, name: &str) -> String {
    super_class.map_or_else(|| format!("{name}Base"), str::to_owned)
}
