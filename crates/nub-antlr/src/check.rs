//! Remarks about a grammar that works.

mod code;
mod reach;
mod shadow;

use crate::{
    Engine, Grammar,
    g4::ast::{Rule, Span},
    shortest::{Shortest, Trust},
};
use std::fmt;

/// How much a [`Finding`] matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Good to know.
    Note,
    /// Probably not what the author wants, or something that makes trees different from ANTLR's.
    Warning,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Note => "note",
            Self::Warning => "warning",
        })
    }
}

/// Something worth knowing about a rule of a grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How much it matters.
    pub level: Level,
    /// The rule, if it is about one.
    pub rule: Option<String>,
    /// The place of the rule's name, if it is written somewhere.
    pub span: Option<Span>,
    /// The message.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Finding {
    fn new(level: Level, message: impl Into<String>) -> Self {
        Self { level, rule: None, span: None, message: message.into(), hint: None }
    }

    fn about(mut self, rule: &Rule) -> Self {
        self.rule = Some(rule.name.text.clone());
        self.span = Some(rule.name.span);
        self
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The line of its [`span`](Self::span), from 1, in the text of that file.
    pub fn line(&self, text: &str) -> Option<usize> {
        let start = self.span?.start as usize;
        Some(text.as_bytes().get(..start)?.iter().filter(|&&byte| byte == b'\n').count() + 1)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.level, self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\n  hint: {hint}"),
            None => Ok(()),
        }
    }
}

/// Looks for rules that are unreachable, rules without a finite text, rules that can be empty, tokens that are never
/// produced, and code that cannot be run. `start` is the rule that inputs begin with; without it, every rule that no
/// other rule calls is taken as a start.
///
/// ```
/// use nub_antlr::{Engine, Grammar, check, semantics::{Overrides, Semantics}, shortest};
///
/// let source = "grammar T; s : A ; u : A u ; A : 'a' ; B : 'a' ;";
/// let grammar = Grammar::from_sources(&[("T.g4", source)])?;
/// let mut engine = Engine::new(grammar.compiled(), Semantics::new(grammar.compiled(), &Overrides::new()));
/// let texts = shortest::shortest(&grammar, &mut engine, &shortest::Replacements::new());
/// let findings = check::findings(&grammar, &mut engine, &texts, Some("s"));
/// let messages: Vec<&str> = findings.iter().map(|finding| &finding.message[..]).collect();
/// assert!(messages.contains(&"rule u cannot be reached from s"));
/// assert!(messages.contains(&"rule u has no finite text"));
/// assert!(messages.contains(&"token B is never produced: \"a\" is A"));
/// # Ok::<(), nub_antlr::LoadError>(())
/// ```
pub fn findings(grammar: &Grammar, engine: &mut Engine, texts: &Shortest, start: Option<&str>) -> Vec<Finding> {
    let mut findings = reach::unreachable(grammar, start);
    findings.extend(endless(grammar, texts));
    findings.extend(shadow::never_made(grammar, engine, texts));
    findings.extend(empty(grammar, texts));
    findings.extend(code::treatment(grammar, engine.semantics()));
    // Stable, so that related findings stay together.
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.level));
    findings
}

fn endless(grammar: &Grammar, texts: &Shortest) -> Vec<Finding> {
    let rules = grammar.rules().filter(|rule| texts.endless().contains(&rule.name.text));
    let finding = |rule: &Rule| {
        let finding = Finding::new(Level::Warning, format!("rule {} has no finite text", rule.name.text)).about(rule);
        finding.hint("every alternative contains a rule without a finite text, or an empty set")
    };
    rules.map(finding).collect()
}

fn empty(grammar: &Grammar, texts: &Shortest) -> Vec<Finding> {
    let is_empty = |rule: &&Rule| {
        texts.get(&rule.name.text).is_some_and(|short| short.text.is_empty() && short.trust == Trust::Verified)
    };
    let rules = grammar.parser_rules().iter().filter(is_empty);
    rules.map(|rule| Finding::new(Level::Note, format!("rule {} can be empty", rule.name.text)).about(rule)).collect()
}
