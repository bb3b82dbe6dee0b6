//! What is in a YACC file.

use std::ops::Range;

/// A symbol as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Name {
    /// A name.
    Plain(String),
    /// A character in apostrophes: what it stands for.
    Char(String),
    /// A string in quotation marks: what it stands for.
    Text(String),
}

/// A symbol, and where it is.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) name: Name,
    pub(crate) span: Range<usize>,
}

/// What happens between two operators of the same precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Associativity {
    /// `%left`: the first two belong together.
    Left,
    /// `%right`: the last two belong together.
    Right,
    /// `%nonassoc`: that is an error.
    None,
    /// `%precedence`: nothing is said, so that it is a conflict.
    Undefined,
}

/// A token that is declared.
#[derive(Clone, Debug)]
pub(crate) struct TokenDeclaration {
    pub(crate) token: Place,
    pub(crate) number: Option<i64>,
    /// Another name for it, which is usually its text.
    pub(crate) alias: Option<String>,
}

/// A part of an alternative.
#[derive(Clone, Debug)]
pub(crate) enum Element {
    Symbol(Place),
    Action(Range<usize>),
}

/// One of the things that a rule stands for.
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
    /// Where the third section begins, behind its `%%`.
    pub(crate) trailer: Option<usize>,
}
