//! A shortcut from a grammar to a tree.

use super::Grammar;
use crate::{
    Engine, ParseOptions, ParseTree,
    semantics::{Overrides, Semantics},
};

/// A start rule that the grammar does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the grammar has no parser rule `{0}`")]
pub struct NoSuchRule(pub String);

impl Grammar {
    /// Parses one input from a start rule.
    ///
    /// There is always a tree, and it covers the whole input; mistakes in the input are in [`ParseTree::errors`]. To
    /// parse many inputs, or to override predicates, use an [`Engine`], which keeps what it learnt from earlier inputs.
    ///
    /// # Errors
    ///
    /// If there is no such rule.
    ///
    /// ```
    /// let text = "grammar Sum; sum : NUMBER ('+' NUMBER)* EOF ; NUMBER : [0-9]+ ;";
    /// let grammar = nub_antlr::Grammar::from_sources(&[("Sum.g4", text)])?;
    /// assert_eq!(grammar.parse("sum", b"1+2")?.to_lisp(), "(sum 1 + 2 <EOF>)");
    /// assert!(grammar.parse("product", b"1+2").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse(&self, start: &str, source: &[u8]) -> Result<ParseTree, NoSuchRule> {
        let mut engine = self.engine();
        let start = engine.rule(start).ok_or_else(|| NoSuchRule(start.to_owned()))?;
        Ok(engine.parse(start, source, &ParseOptions::default()))
    }

    /// An engine for this grammar, with the built-in semantics of predicates and actions.
    pub fn engine(&self) -> Engine {
        Engine::new(self.compiled(), Semantics::new(self.compiled(), &Overrides::new()))
    }
}
