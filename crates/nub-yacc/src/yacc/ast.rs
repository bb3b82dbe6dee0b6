//! The contents of a YACC file.

use std::ops::Range;

/// A symbol as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Name {
    /// A name.
    Plain(String),
    /// The value of a character in apostrophes.
    Char(String),
    /// The value of a string in quotation marks.
    Text(String),
}

/// A symbol and its position.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) name: Name,
    pub(crate) span: Range<usize>,
}

/// How operators of the same precedence combine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Associativity {
    /// `%left`: the first two operands belong together.
    Left,
    /// `%right`: the last two operands belong together.
    Right,
    /// `%nonassoc`: combining them is an error.
    None,
    /// `%precedence`: unspecified, so it is a conflict.
    Undefined,
}

/// The declaration of a token.
#[derive(Clone, Debug)]
pub(crate) struct TokenDeclaration {
    pub(crate) token: Place,
    pub(crate) number: Option<i64>,
    /// Another name, usually the token's text.
    pub(crate) alias: Option<String>,
}

/// A part of an alternative.
#[derive(Clone, Debug)]
pub(crate) enum Element {
    Symbol(Place),
    Action(Range<usize>),
}

/// An alternative of a rule.
#[derive(Clone, Debug, Default)]
pub(crate) struct Alternative {
    pub(crate) elements: Vec<Element>,
    pub(crate) precedence: Option<Place>,
    pub(crate) span: Range<usize>,
}

/// A rule.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) name: String,
    pub(crate) span: Range<usize>,
    pub(crate) alternatives: Vec<Alternative>,
}

/// A file.
#[derive(Clone, Debug, Default)]
pub(crate) struct File {
    pub(crate) tokens: Vec<TokenDeclaration>,
    /// From the lowest precedence to the highest.
    pub(crate) precedences: Vec<(Associativity, Vec<TokenDeclaration>)>,
    pub(crate) start: Option<Place>,
    pub(crate) expect: Option<usize>,
    pub(crate) expect_rr: Option<usize>,
    pub(crate) glr: bool,
    pub(crate) rules: Vec<Rule>,
    /// The start of the third section, after its `%%`.
    pub(crate) trailer: Option<usize>,
}
