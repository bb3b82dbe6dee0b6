//! From tree-sitter's `grammar.json` to the grammar model.
//!
//! Whether a symbol is shown or hidden depends on many rules of tree-sitter's generator:
//!
//! - A rule is hidden if its name starts with `_`, or if it is a *supertype* or *inline*.
//! - A literal is shown unless it is a rule's entire body. It then takes the name of the rule, and the parser has no
//!   token of its own for it, so the parser can tell.
//! - An alias of several symbols renames each of them (`alias(seq('is', 'not'), 'is not')` gives two children `is
//!   not`), but a repetition becomes one node.
//! - An alias of an inline rule renames the contents of the rule.
//! - The generator renames a symbol for good if it always has the same alias. That does not matter here, because a node
//!   may come from any rule that is shown under its name: [`Grammar::sources`].
//!
//! Precedences, fields and reserved words do not affect which children a node may have.

use crate::grammar::{ChildKind, Expr, ExprId, Grammar, RuleId, Shown, Text};
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::Value;
use std::{collections::HashSet, fmt};

/// A grammar file that cannot be understood.
#[derive(Debug, thiserror::Error)]
#[error("grammar.json: {0}")]
pub struct ConvertError(#[from] serde_json::Error);

#[derive(Deserialize)]
struct RawGrammar {
    name: String,
    rules: Rules,
    #[serde(default)]
    extras: Vec<Raw>,
    #[serde(default)]
    externals: Vec<Raw>,
    #[serde(default)]
    inline: Vec<String>,
    #[serde(default)]
    supertypes: Vec<String>,
}

/// The rules in file order: the first one is the start rule.
struct Rules(Vec<(String, Raw)>);

impl<'de> Deserialize<'de> for Rules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Rules;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("rules by name")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Rules, A::Error> {
                let mut rules = vec![];
                while let Some(rule) = map.next_entry()? {
                    rules.push(rule);
                }
                Ok(Rules(rules))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum Type {
    Blank,
    String,
    Pattern,
    Symbol,
    Seq,
    Choice,
    Repeat,
    Repeat1,
    Alias,
    Token,
    ImmediateToken,
    /// Precedences, fields, reserved words: only their contents matter.
    #[serde(other)]
    Wrapper,
}

#[derive(Deserialize)]
struct Raw {
    r#type: Type,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    value: Value,
    #[serde(default)]
    flags: Option<String>,
    #[serde(default)]
    named: bool,
    #[serde(default)]
    members: Vec<Raw>,
    #[serde(default)]
    content: Option<Box<Raw>>,
}

/// Converts a grammar. `is_token` says whether the parser has a token with this name.
pub(super) fn convert(json: &[u8], is_token: impl Fn(&str) -> bool) -> Result<Grammar, ConvertError> {
    let raw: RawGrammar = serde_json::from_slice(json)?;
    let RawGrammar { name, rules: Rules(rules), extras, externals, inline, supertypes } = raw;
    let inline: HashSet<String> = inline.into_iter().collect();
    let supertypes: HashSet<String> = supertypes.into_iter().collect();
    let mut grammar = Grammar::new(&name);
    let external = externals.iter().filter(|external| external.r#type == Type::Symbol);
    let names = rules.iter().map(|(name, _)| name).chain(external.filter_map(|external| external.name.as_ref()));
    for name in names {
        let hidden = name.starts_with('_') || supertypes.contains(name) || inline.contains(name);
        let kind = (!hidden).then(|| grammar.kind(name, true));
        let rule = grammar.declare(name, kind);
        if supertypes.contains(name) {
            grammar.mark_supertype(rule);
        }
    }
    for extra in extras.iter().filter_map(|extra| extra.name.as_ref()) {
        if let Some(rule) = grammar.find(extra) {
            grammar.mark_extra(rule);
        }
    }
    let mut converter = Converter { grammar, rules: &rules, inline: &inline, is_token: &is_token, depth: 0 };
    for (name, raw) in &rules {
        let body = converter.expr(raw, None);
        let rule = converter.grammar.declare(name, None);
        converter.grammar.define(rule, body);
    }
    Ok(converter.grammar)
}

/// Recursive, but `serde_json` limits the nesting of a file to 128, and the depth of inline rules is counted.
struct Converter<'a> {
    grammar: Grammar,
    rules: &'a [(String, Raw)],
    inline: &'a HashSet<String>,
    is_token: &'a dyn Fn(&str) -> bool,
    depth: usize,
}

impl Converter<'_> {
    /// Converts an expression. `alias` is the name under which its children are shown, if not their own.
    fn expr(&mut self, raw: &Raw, alias: Option<ChildKind>) -> ExprId {
        match raw.r#type {
            Type::Blank => self.grammar.add(Expr::Empty),
            Type::String => self.literal(raw.value.as_str().unwrap_or_default(), alias, false),
            Type::Pattern => {
                let text = pattern(raw);
                let shown = Shown::Hidden(self.grammar.hidden_token(&text));
                self.terminal(Expr::Terminal { text: Text::Pattern(text.into()), shown, immediate: false }, alias)
            }
            Type::Token | Type::ImmediateToken => {
                let immediate = raw.r#type == Type::ImmediateToken;
                let Some(content) = content(raw) else { return self.grammar.add(Expr::Empty) };
                if content.r#type == Type::String {
                    return self.literal(content.value.as_str().unwrap_or_default(), alias, immediate);
                }
                let part = self.part_of_token(content);
                // Equal tokens need not be recognised as equal. That only makes answers more cautious.
                let shown = Shown::Hidden(self.grammar.hidden_token(&format!("token {}", part.index())));
                self.terminal(Expr::Terminal { text: Text::Composite(part), shown, immediate }, alias)
            }
            Type::Symbol => self.symbol(raw.name.as_deref().unwrap_or_default(), alias),
            Type::Seq => {
                let parts: Vec<ExprId> = raw.members.iter().map(|member| self.expr(member, alias)).collect();
                self.grammar.sequence(parts)
            }
            Type::Choice => {
                let some = raw.members.iter().filter(|member| member.r#type != Type::Blank);
                let parts: Vec<ExprId> = some.map(|member| self.expr(member, alias)).collect();
                let optional = parts.len() < raw.members.len();
                let choice = if let &[only] = parts.as_slice() { only } else { self.grammar.choice(parts) };
                if optional { self.grammar.add(Expr::Optional(choice)) } else { choice }
            }
            Type::Repeat | Type::Repeat1 => {
                let Some(content) = content(raw) else { return self.grammar.add(Expr::Empty) };
                let part = self.expr(content, None);
                let Some(kind) = alias else {
                    let repeat = if raw.r#type == Type::Repeat { Expr::Repeat(part) } else { Expr::Repeat1(part) };
                    return self.grammar.add(repeat);
                };
                let node = self.node(part, kind);
                if raw.r#type == Type::Repeat { self.grammar.add(Expr::Optional(node)) } else { node }
            }
            Type::Alias => {
                let kind = self.grammar.kind(raw.value.as_str().unwrap_or_default(), raw.named);
                self.content(raw, Some(kind))
            }
            Type::Wrapper => self.content(raw, alias),
        }
    }

    fn content(&mut self, raw: &Raw, alias: Option<ChildKind>) -> ExprId {
        match &raw.content {
            Some(content) => self.expr(content, alias),
            None => self.grammar.add(Expr::Empty),
        }
    }

    fn symbol(&mut self, name: &str, alias: Option<ChildKind>) -> ExprId {
        let rules = self.rules;
        if let Some(kind) = alias
            && self.inline.contains(name)
            && self.depth < 50
            && let Some((_, raw)) = rules.iter().find(|(rule, _)| rule == name)
        {
            self.depth += 1;
            let expr = self.expr(raw, Some(kind));
            self.depth -= 1;
            return expr;
        }
        let rule = self.grammar.declare(name, None);
        self.grammar.add(alias.map_or(Expr::Reference(rule), |kind| Expr::Alias(rule, kind)))
    }

    fn literal(&mut self, text: &str, alias: Option<ChildKind>, immediate: bool) -> ExprId {
        let shown = match alias.is_none() && (self.is_token)(text) {
            true => Shown::As(self.grammar.kind(text, false)),
            false => Shown::Hidden(self.grammar.hidden_token(text)),
        };
        self.terminal(Expr::Terminal { text: Text::Literal(text.into()), shown, immediate }, alias)
    }

    /// A terminal, wrapped in a rule of its own if it is shown under another name.
    fn terminal(&mut self, terminal: Expr, alias: Option<ChildKind>) -> ExprId {
        let body = self.grammar.add(terminal);
        let Some(kind) = alias else { return body };
        let rule = self.grammar.declare(&format!("(token {})", body.index()), None);
        self.grammar.define(rule, body);
        self.grammar.add(Expr::Alias(rule, kind))
    }

    /// A repetition as a node of its own.
    fn node(&mut self, part: ExprId, kind: ChildKind) -> ExprId {
        let rule: RuleId = self.grammar.declare(&format!("(repetition {})", part.index()), None);
        let body = self.grammar.add(Expr::Repeat1(part));
        self.grammar.define(rule, body);
        self.grammar.add(Expr::Alias(rule, kind))
    }

    /// The inside of a token is never shown.
    fn part_of_token(&mut self, raw: &Raw) -> ExprId {
        match raw.r#type {
            Type::String | Type::Pattern => {
                let text = match raw.r#type {
                    Type::String => Text::Literal(raw.value.as_str().unwrap_or_default().into()),
                    _ => Text::Pattern(pattern(raw).into()),
                };
                let shown = Shown::Hidden(self.grammar.hidden_token("part of a token"));
                self.grammar.add(Expr::Terminal { text, shown, immediate: true })
            }
            Type::Symbol => self.symbol(raw.name.as_deref().unwrap_or_default(), None),
            Type::Seq => {
                let parts: Vec<ExprId> = raw.members.iter().map(|member| self.part_of_token(member)).collect();
                self.grammar.sequence(parts)
            }
            Type::Choice => {
                let parts: Vec<ExprId> = raw.members.iter().map(|member| self.part_of_token(member)).collect();
                self.grammar.choice(parts)
            }
            _ => {
                let Some(content) = &raw.content else { return self.grammar.add(Expr::Empty) };
                let part = self.part_of_token(content);
                match raw.r#type {
                    Type::Repeat => self.grammar.add(Expr::Repeat(part)),
                    Type::Repeat1 => self.grammar.add(Expr::Repeat1(part)),
                    _ => part,
                }
            }
        }
    }
}

/// The contents of an expression, without wrappers.
fn content(raw: &Raw) -> Option<&Raw> {
    let mut content = raw.content.as_deref()?;
    while content.r#type == Type::Wrapper {
        content = content.content.as_deref()?;
    }
    Some(content)
}

fn pattern(raw: &Raw) -> String {
    let pattern = raw.value.as_str().unwrap_or_default();
    match raw.flags.as_deref() {
        Some(flags) if flags.contains('i') => format!("(?i:{pattern})"),
        _ => pattern.to_owned(),
    }
}
