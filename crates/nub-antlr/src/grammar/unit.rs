//! A lexer or a parser, with all its imports.

use std::collections::HashSet;

use super::{options, tokens};
use crate::g4::ast::{
    Alternative, Block, Element, ElementKind, GrammarFile, GrammarOption, GrammarType, Literal, Name, Rule,
};

/// The input for building a network.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    pub(crate) name: Name,
    pub(crate) options: Vec<GrammarOption>,
    pub(crate) case_insensitive: bool,
    /// `tokens { … }`
    pub(crate) tokens: Vec<Name>,
    /// By number, including the two that always exist.
    pub(crate) channels: Vec<String>,
    /// By number; the first is the default one.
    pub(crate) modes: Vec<String>,
    pub(crate) rules: Vec<Rule>,
    /// Whether it is part of a combined grammar.
    pub(crate) combined: bool,
}

/// The name of the mode in which a lexer begins.
pub(crate) const DEFAULT_MODE: &str = "DEFAULT_MODE";

impl Unit {
    /// A lexer grammar or parser grammar.
    pub(crate) fn new(file: GrammarFile) -> Self {
        let is_lexer = file.grammar_type == GrammarType::Lexer;
        let mut modes = vec![DEFAULT_MODE.to_owned()];
        for mode in file.rules.iter().filter_map(|rule| rule.mode.as_ref()) {
            if is_lexer && !modes.contains(mode) {
                modes.push(mode.clone());
            }
        }
        let mut channels = vec!["DEFAULT_TOKEN_CHANNEL".to_owned(), "HIDDEN".to_owned()];
        for channel in file.channels {
            if !channels.contains(&channel.text) {
                channels.push(channel.text);
            }
        }
        Self {
            case_insensitive: options::case_insensitive(&file.options).unwrap_or(false),
            name: file.name,
            options: file.options,
            tokens: file.tokens,
            channels,
            modes,
            rules: file.rules,
            combined: false,
        }
    }

    /// Splits a combined grammar into its lexer and its parser. Literals of the parser that no lexer rule defines
    /// become the first rules of the lexer, so that keywords take precedence over identifiers.
    pub(crate) fn split(file: GrammarFile) -> (Self, Self) {
        let mut parser = Self { combined: true, ..Self::new(file) };
        let mut lexer = parser.clone();
        // Types of `tokens { … }` follow those of the lexer, and the base class is the parser's.
        lexer.tokens.clear();
        lexer.options.retain(|option| !matches!(&option.name.text[..], "superClass" | "tokenVocab" | "TokenLabelType"));
        lexer.name.text.push_str("Lexer");
        lexer.rules.retain(Rule::is_lexer_rule);
        parser.rules.retain(|rule| !rule.is_lexer_rule());
        let mut known: HashSet<String> = lexer.rules.iter().filter_map(tokens::alias).map(str::to_owned).collect();
        let mut implicit = Vec::new();
        for rule in &parser.rules {
            implicit_rules(&rule.block, &mut known, &mut implicit);
        }
        lexer.rules.splice(0..0, implicit);
        (lexer, parser)
    }
}

fn implicit_rules(block: &Block, known: &mut HashSet<String>, rules: &mut Vec<Rule>) {
    for element in block.alternatives.iter().flat_map(|alternative| &alternative.elements) {
        match &element.kind {
            ElementKind::Literal(literal) => implicit_rule(element, literal, known, rules),
            ElementKind::Block(block) | ElementKind::Quantified { block, .. } => implicit_rules(block, known, rules),
            ElementKind::Not(members) => {
                for member in members {
                    if let ElementKind::Literal(literal) = &member.kind {
                        implicit_rule(member, literal, known, rules);
                    }
                }
            }
            _ => {}
        }
    }
}

fn implicit_rule(element: &Element, literal: &Literal, known: &mut HashSet<String>, rules: &mut Vec<Rule>) {
    if !known.insert(literal.written.clone()) {
        return;
    }
    let element =
        Element { kind: ElementKind::Literal(literal.clone()), label: None, options: Vec::new(), span: element.span };
    let span = element.span;
    let alternative = Alternative { elements: vec![element], span, ..Alternative::default() };
    rules.push(Rule {
        name: Name { text: format!("T__{}", rules.len()), span },
        fragment: false,
        mode: None,
        options: Vec::new(),
        arguments: None,
        returns: None,
        locals: None,
        throws: Vec::new(),
        actions: Vec::new(),
        block: Block { alternatives: vec![alternative] },
        handlers: Vec::new(),
    });
}
