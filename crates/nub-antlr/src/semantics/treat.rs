//! How each piece of code is treated.

use super::{
    Names, Overrides,
    expr::{Expr, Order, statements},
};
use crate::atn::{Atn, Code, CodeId};

/// How a predicate or action is treated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Treatment {
    /// The user overrides it.
    Override,
    /// It does what the base class with this name does.
    BuiltIn(String),
    /// It is evaluated as a simple expression.
    Expression,
    /// An unknown predicate: assumed to be true.
    AssumedTrue,
    /// An unknown action: it does nothing.
    Ignored,
}

/// A predicate or action, and how it is treated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The rule that contains it.
    pub rule: String,
    /// Its text.
    pub text: String,
    /// Whether it is a predicate.
    pub predicate: bool,
    /// How it is treated.
    pub treatment: Treatment,
}

/// The code of one network.
#[derive(Debug, Default)]
pub(super) struct Rules {
    code: Vec<(Option<Vec<Expr>>, Description)>,
}

/// Methods that need no base class.
const CALLS: [&str; 19] = [
    "adjacent",
    "la",
    "lt",
    "getcharpositioninline",
    "getline",
    "gettext",
    "getcurrenttoken",
    "skip",
    "more",
    "pushmode",
    "popmode",
    "mode",
    "setmode",
    "settype",
    "setchannel",
    "getchar",
    "column",
    "index",
    "get",
];

/// Names that need no base class.
const FIELDS: [&str; 12] = [
    "text",
    "column",
    "line",
    "charPositionInLine",
    "_type",
    "_channel",
    "type",
    "channel",
    "_mode",
    "index",
    "pos",
    "stop",
];

impl Rules {
    pub(super) fn new(atn: &Atn, names: &Names, overrides: &Overrides, base: (&str, &[&str])) -> Self {
        let known = Known { names, overrides, methods: base.1 };
        let code = atn.code.iter().map(|code| {
            let (statements, treatment) = treat(code, &known, base.0);
            let rule = atn.rules.get(code.rule.index()).map_or_else(String::new, |rule| rule.name.clone());
            (statements, Description { rule, text: code.text.clone(), predicate: code.predicate, treatment })
        });
        Self { code: code.collect() }
    }

    /// The statements of a piece of code, if they are understood.
    pub(super) fn get(&self, code: CodeId) -> Option<&[Expr]> {
        self.code.get(code.index())?.0.as_deref()
    }

    pub(super) fn descriptions(&self) -> impl Iterator<Item = &Description> {
        self.code.iter().map(|(_, description)| description)
    }

    /// Whether any action has an effect.
    pub(super) fn acts(&self) -> bool {
        self.code.iter().any(|(statements, description)| !description.predicate && statements.is_some())
    }
}

fn treat(code: &Code, known: &Known<'_>, class: &str) -> (Option<Vec<Expr>>, Treatment) {
    if let Some(value) = known.overrides.text(&code.text) {
        return (Some(vec![value.clone()]), Treatment::Override);
    }
    let adjust = |all: Vec<Expr>| all.into_iter().map(adjacent_labels).collect::<Vec<_>>();
    let parsed = statements(&code.text).map(adjust).filter(|all| code.predicate == (all.len() == 1) || !code.predicate);
    match parsed.filter(|all| all.iter().all(|expr| known.expr(expr))) {
        Some(all) if all.is_empty() => (None, Treatment::Ignored),
        Some(all) => {
            let treatment = if all.iter().any(|expr| mentions(expr, &|name| known.overrides.name(name).is_some())) {
                Treatment::Override
            } else if all.iter().any(|expr| mentions(expr, &|name| known.methods.contains(&name))) {
                Treatment::BuiltIn(class.to_owned())
            } else {
                Treatment::Expression
            };
            (Some(all), treatment)
        }
        None if code.predicate => (None, Treatment::AssumedTrue),
        None => (None, Treatment::Ignored),
    }
}

/// `$a.index + 1 == $b.index`, with labels of the last two tokens, tests whether they are adjacent. The network does
/// not have labels, but it has the last two tokens.
fn adjacent_labels(expr: Expr) -> Expr {
    let label = |expr: &Expr| matches!(expr, Expr::Field(of, name) if name == "index" && matches!(**of, Expr::Name(_)));
    match &expr {
        Expr::Compare(Order::Equal, left, right) if label(right) => match &**left {
            Expr::Sum(first, one, 1) if label(first) && **one == Expr::Int(1) => {
                Expr::Call(None, "adjacent".to_owned(), Vec::new())
            }
            _ => expr,
        },
        _ => expr,
    }
}

struct Known<'a> {
    names: &'a Names,
    overrides: &'a Overrides,
    methods: &'a [&'a str],
}

impl Known<'_> {
    fn name(&self, name: &str) -> bool {
        FIELDS.contains(&name)
            || name == "serverVersion"
            || self.names.constant(name).is_some()
            || self.overrides.name(name).is_some()
    }

    /// Whether everything in an expression is understood.
    fn expr(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Bool(_) | Expr::Int(_) | Expr::Text(_) | Expr::Null => true,
            Expr::Name(name) => self.name(name),
            Expr::Field(of, name) => match &**of {
                Expr::Name(_) => self.name(name),
                of => self.expr(of),
            },
            Expr::Call(receiver, name, arguments) => {
                let receiver = match receiver.as_deref() {
                    // A stream or another helper object; only the name of the method matters.
                    None | Some(Expr::Name(_) | Expr::Field(..)) => self.call(name),
                    Some(Expr::Call(None, helper, _)) if helper.ends_with("stream") => self.call(name),
                    Some(receiver) => self.expr(receiver),
                };
                receiver && arguments.iter().all(|argument| self.expr(argument))
            }
            Expr::Not(value) => self.expr(value),
            Expr::And(left, right)
            | Expr::Or(left, right)
            | Expr::Compare(_, left, right)
            | Expr::Sum(left, right, _) => self.expr(left) && self.expr(right),
            Expr::Set(_, value) => self.expr(value),
        }
    }

    fn call(&self, name: &str) -> bool {
        CALLS.contains(&name) || self.methods.contains(&name) || self.overrides.name(name).is_some()
    }
}

/// Whether a name or method of an expression satisfies a condition.
fn mentions(expr: &Expr, which: &dyn Fn(&str) -> bool) -> bool {
    match expr {
        Expr::Bool(_) | Expr::Int(_) | Expr::Text(_) | Expr::Null => false,
        Expr::Name(name) => which(name),
        Expr::Field(of, name) => which(name) || mentions(of, which),
        Expr::Call(receiver, name, arguments) => {
            which(name)
                || receiver.as_ref().is_some_and(|receiver| mentions(receiver, which))
                || arguments.iter().any(|argument| mentions(argument, which))
        }
        Expr::Not(value) | Expr::Set(_, value) => mentions(value, which),
        Expr::And(left, right) | Expr::Or(left, right) | Expr::Compare(_, left, right) | Expr::Sum(left, right, _) => {
            mentions(left, which) || mentions(right, which)
        }
    }
}
