//! Types of tokens.

use std::collections::HashMap;

use crate::{
    Vocabulary,
    atn::EOF,
    g4::ast::{ElementKind, Rule},
};

/// Types of tokens by name and by literal.
#[derive(Clone, Debug, Default)]
pub(crate) struct TokenTypes {
    names: HashMap<String, i32>,
    literals: HashMap<String, i32>,
    max: i32,
}

impl TokenTypes {
    pub(crate) fn max(&self) -> i32 {
        self.max
    }

    pub(crate) fn of_name(&self, name: &str) -> Option<i32> {
        if name == "EOF" { Some(EOF) } else { self.names.get(name).copied() }
    }

    pub(crate) fn of_literal(&self, written: &str) -> Option<i32> {
        self.literals.get(written).copied()
    }

    /// The type of a name, which is created if it has none.
    pub(crate) fn define(&mut self, name: &str) -> i32 {
        if let Some(known) = self.of_name(name) {
            return known;
        }
        self.max += 1;
        self.names.insert(name.to_owned(), self.max);
        self.max
    }

    /// Defines the types of lexer rules, in the order of the rules, and the literals that are aliases of them.
    ///
    /// A rule whose matches never become tokens of that rule gets no type, unless it defines a literal, as in ANTLR.
    pub(crate) fn define_lexer_rules(&mut self, rules: &[Rule]) {
        for rule in rules.iter().filter(|rule| !rule.fragment && !has_type_or_more(rule)) {
            self.define(&rule.name.text);
        }
        let mut twice = Vec::new();
        for (rule, literal) in rules.iter().filter_map(|rule| Some((rule, alias(rule)?))) {
            if self.literals.contains_key(literal) {
                twice.push(literal);
            } else {
                let token_type = self.define(&rule.name.text);
                self.literals.insert(literal.to_owned(), token_type);
            }
        }
        for literal in twice {
            self.literals.remove(literal);
        }
    }

    /// Reads a `.tokens` file: lines of `NAME=1` and `'literal'=1`. The error is the number of the first wrong line.
    pub(crate) fn read(&mut self, text: &str) -> Result<(), usize> {
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let parts = line.trim().rsplit_once('=');
            let parsed = parts.and_then(|(name, number)| Some((name.trim(), number.trim().parse::<i32>().ok()?)));
            let Some((name, token_type)) = parsed else { return Err(index + 1) };
            // These numbers determine the size of tables: a wrong one must not make them huge.
            if !(-1..=1_000_000).contains(&token_type) {
                return Err(index + 1);
            }
            let map = if name.starts_with('\'') { &mut self.literals } else { &mut self.names };
            map.entry(name.to_owned()).or_insert(token_type);
            self.max = self.max.max(token_type);
        }
        Ok(())
    }

    pub(crate) fn vocabulary(&self) -> Vocabulary {
        let size = usize::try_from(self.max).unwrap_or(0) + 1;
        let table = |map: &HashMap<String, i32>| {
            let mut table: Vec<Option<String>> = vec![None; size];
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort();
            for (name, &token_type) in entries {
                if let Some(entry) = usize::try_from(token_type).ok().filter(|&t| t > 0).and_then(|t| table.get_mut(t))
                {
                    entry.get_or_insert_with(|| name.clone());
                }
            }
            table
        };
        Vocabulary { symbolic: table(&self.names), literal: table(&self.literals) }
    }
}

fn has_type_or_more(rule: &Rule) -> bool {
    let mut commands = rule.block.alternatives.iter().flat_map(|alternative| &alternative.commands);
    commands.any(|command| command.name.text == "type" || command.name.text == "more")
}

/// The literal that a rule is an alias of: it consists of just this literal, and has no more than two commands, only
/// one of them with an argument. The last condition is a gap in ANTLR that grammars may depend on.
pub(crate) fn alias(rule: &Rule) -> Option<&str> {
    let [only] = &rule.block.alternatives[..] else { return None };
    if rule.fragment || !rule.options.is_empty() || !only.options.is_empty() {
        return None;
    }
    if only.elements.iter().any(|element| !element.options.is_empty()) {
        return None;
    }
    let (literal, code) = match &only.elements[..] {
        [literal] => (literal, false),
        [literal, code] => {
            let is_code = matches!(code.kind, ElementKind::Action(_) | ElementKind::Predicate(_));
            (literal, is_code.then_some(true)?)
        }
        _ => return None,
    };
    let with_argument = only.commands.iter().filter(|command| command.argument.is_some()).count();
    let fits = if code { only.commands.is_empty() } else { only.commands.len() <= 2 && with_argument <= 1 };
    let ElementKind::Literal(literal) = &literal.kind else { return None };
    // `skip, mode(X)` is accepted, and so is `mode(X), skip`.
    fits.then_some(literal.written.as_str())
}
