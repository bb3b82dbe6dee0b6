//! The syntax tree of a grammar.

use crate::atn::{IntervalSet, Quantifier};

/// A place: a byte range of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The index of the file, in loading order.
    pub file: u32,
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// From the start of this place to the end of another.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { end: other.end.max(self.start), ..self }
    }
}

/// A name and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where it is written.
    pub span: Span,
}

/// The declared kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrammarType {
    /// `lexer grammar`
    Lexer,
    /// `parser grammar`
    Parser,
    /// `grammar`: both in one.
    Combined,
}

/// One file.
#[derive(Clone, Debug)]
pub struct GrammarFile {
    /// Its declared kind.
    pub grammar_type: GrammarType,
    /// Its declared name.
    pub name: Name,
    /// `options { … }`
    pub options: Vec<GrammarOption>,
    /// `import …;`
    pub imports: Vec<Name>,
    /// `tokens { … }`
    pub tokens: Vec<Name>,
    /// `channels { … }`
    pub channels: Vec<Name>,
    /// `@header { … }` and the like.
    pub actions: Vec<NamedAction>,
    /// `mode …;`, in order; a mode may appear more than once.
    pub modes: Vec<Name>,
    /// All rules, in order.
    pub rules: Vec<Rule>,
}

/// `name = value`, in `options { … }` or in `< … >`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrammarOption {
    /// The name.
    pub name: Name,
    /// The value, without quotes or braces; `None` for a bare name.
    pub value: Option<String>,
    /// Where the value is written.
    pub value_span: Span,
}

/// `@name { … }` or `@scope::name { … }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedAction {
    /// The scope, before `::`.
    pub scope: Option<Name>,
    /// The name.
    pub name: Name,
    /// The text between the braces.
    pub code: String,
}

/// A rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name.
    pub name: Name,
    /// Whether it is a `fragment`.
    pub fragment: bool,
    /// The mode it belongs to, if that is not the default one.
    pub mode: Option<String>,
    /// `options { … }` of the rule.
    pub options: Vec<GrammarOption>,
    /// The arguments: the text between the brackets after the name.
    pub arguments: Option<String>,
    /// The text between the brackets of `returns`.
    pub returns: Option<String>,
    /// The text between the brackets of `locals`.
    pub locals: Option<String>,
    /// The names after `throws`.
    pub throws: Vec<Name>,
    /// `@init`, `@after` and the like.
    pub actions: Vec<NamedAction>,
    /// The alternatives, as written.
    pub block: Block,
    /// The code of `catch` and `finally`.
    pub handlers: Vec<String>,
}

impl Rule {
    /// Whether it is a lexer rule, by its name.
    pub fn is_lexer_rule(&self) -> bool {
        is_token_name(&self.name.text)
    }
}

/// Whether a name is a token or lexer rule: it begins with a capital letter.
pub fn is_token_name(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase)
}

/// A list of alternatives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// The alternatives, in order.
    pub alternatives: Vec<Alternative>,
}

/// An alternative.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alternative {
    /// Its elements; empty if it matches nothing.
    pub elements: Vec<Element>,
    /// `# label`
    pub label: Option<Name>,
    /// Options at its start, such as `<assoc = right>`.
    pub options: Vec<GrammarOption>,
    /// `-> skip, channel(HIDDEN)`
    pub commands: Vec<Command>,
    /// Where it is written.
    pub span: Span,
}

/// A command of a lexer rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// Its name.
    pub name: Name,
    /// Its argument, in parentheses.
    pub argument: Option<Name>,
}

/// `x = …` or `xs += …`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The name.
    pub name: Name,
    /// Whether it is `+=`.
    pub list: bool,
}

/// An element of an alternative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// Its kind.
    pub kind: ElementKind,
    /// Its label.
    pub label: Option<Label>,
    /// The options after it, `< … >`.
    pub options: Vec<GrammarOption>,
    /// Where it is written.
    pub span: Span,
}

/// The kind of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ElementKind {
    /// A token; in a lexer rule, another lexer rule.
    Token(String),
    /// A parser rule.
    Rule {
        /// Its name.
        name: String,
        /// The text in the brackets after it.
        arguments: Option<String>,
    },
    /// `EOF`
    Eof,
    /// `'text'`
    Literal(Literal),
    /// `'a'..'z'`
    Range(Literal, Literal),
    /// `[a-z]`
    CharSet(CharSet),
    /// `~x` or `~(x | y)`; the members are tokens, literals, ranges and sets.
    Not(Vec<Element>),
    /// `.`
    Wildcard,
    /// `( … )`
    Block(Block),
    /// `x?`, `x*`, `x+`; `x` is wrapped in a block unless it is one.
    Quantified {
        /// The repeated block.
        block: Block,
        /// The quantifier.
        quantifier: Quantifier,
        /// False for `??`, `*?`, `+?`.
        greedy: bool,
    },
    /// `{ … }`
    Action(String),
    /// `{ … }?`
    Predicate(String),
}

/// A literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal {
    /// As written, with quotes and escapes.
    pub written: String,
    /// The code points it stands for. A lone surrogate is possible and matches nothing.
    pub code_points: Vec<u32>,
}

impl Literal {
    /// The text it stands for.
    pub fn text(&self) -> String {
        self.code_points.iter().map(|&c| char::from_u32(c).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    }

    /// Its only character, if it has just one. Two escaped surrogates count as two: ANTLR makes no set of them.
    pub fn single(&self) -> Option<u32> {
        let escaped = self.written.starts_with("'\\u") && !self.written.starts_with("'\\u{");
        match self.code_points[..] {
            [only] if escaped && only > 0xFFFF => None,
            [only] => Some(only),
            _ => None,
        }
    }
}

/// A character set in brackets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CharSet {
    /// As written, with the brackets.
    pub written: String,
    /// Characters and ranges, as written.
    pub ranges: Vec<(u32, u32)>,
    /// The union of its Unicode properties.
    pub properties: IntervalSet,
}

impl CharSet {
    /// The characters it matches when case matters.
    pub fn set(&self) -> IntervalSet {
        let ranges = self.ranges.iter().map(|&(low, high)| (code_point(low), code_point(high)));
        ranges.chain(self.properties.intervals().iter().copied()).collect()
    }
}

/// A code point as a label in the network.
pub(crate) fn code_point(c: u32) -> i32 {
    i32::try_from(c).unwrap_or(i32::MAX)
}
