//! Evaluates simple expressions.

use super::expr::{Expr, Order};

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A number, a character or a type of token.
    Int(i64),
    /// A text.
    Text(String),
    /// A token, by index.
    Token(usize),
    /// Nothing.
    Null,
}

/// Resolves names and methods.
pub(crate) trait Scope {
    /// The value of a name.
    fn name(&mut self, name: &str) -> Option<Value>;
    /// The value of a call.
    fn call(&mut self, receiver: Option<Value>, name: &str, arguments: &[Value]) -> Option<Value>;
    /// The value of a property of a token.
    fn property(&mut self, token: usize, name: &str) -> Option<Value>;
    /// Sets a field.
    fn set(&mut self, name: &str, value: Value) -> Option<()>;
}

/// The value of an expression, if it has one.
pub(crate) fn evaluate(expr: &Expr, scope: &mut dyn Scope) -> Option<Value> {
    Some(match expr {
        Expr::Bool(value) => Value::Bool(*value),
        Expr::Int(value) => Value::Int(*value),
        Expr::Text(value) => Value::Text(value.clone()),
        Expr::Null => Value::Null,
        Expr::Name(name) => scope.name(name)?,
        // The class of a constant, or the stream of a method, is irrelevant: only the name counts.
        Expr::Field(of, name) => match evaluate(of, scope) {
            Some(Value::Token(token)) => scope.property(token, &super::expr::normalise(name))?,
            Some(Value::Text(text)) if name == "text" => Value::Text(text),
            _ => scope.name(name)?,
        },
        Expr::Call(receiver, name, arguments) => {
            let receiver = receiver.as_ref().and_then(|receiver| evaluate(receiver, scope));
            let arguments: Option<Vec<_>> = arguments.iter().map(|argument| evaluate(argument, scope)).collect();
            let arguments = arguments?;
            match &receiver {
                Some(Value::Token(token)) if arguments.is_empty() => scope.property(*token, getter(name))?,
                Some(Value::Text(text)) => text_method(text, name, &arguments)?,
                _ => scope.call(receiver, name, &arguments)?,
            }
        }
        Expr::Not(value) => Value::Bool(!truth(&evaluate(value, scope)?)?),
        Expr::And(left, right) => Value::Bool(truth(&evaluate(left, scope)?)? && truth(&evaluate(right, scope)?)?),
        Expr::Or(left, right) => Value::Bool(truth(&evaluate(left, scope)?)? || truth(&evaluate(right, scope)?)?),
        Expr::Compare(order, left, right) => {
            Value::Bool(compare(*order, &evaluate(left, scope)?, &evaluate(right, scope)?)?)
        }
        Expr::Sum(left, right, sign) => match (evaluate(left, scope)?, evaluate(right, scope)?) {
            (Value::Int(left), Value::Int(right)) => Value::Int(left.checked_add(right.checked_mul(*sign)?)?),
            _ => return None,
        },
        Expr::Set(name, value) => {
            let value = evaluate(value, scope)?;
            scope.set(name, value)?;
            Value::Null
        }
    })
}

/// The property that a getter reads.
fn getter(name: &str) -> &str {
    name.strip_prefix("get").unwrap_or(name)
}

pub(crate) fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(value) => Some(*value),
        Value::Null => Some(false),
        Value::Int(number) => Some(*number != 0),
        _ => None,
    }
}

fn text_method(text: &str, name: &str, arguments: &[Value]) -> Option<Value> {
    let other = match arguments.first() {
        Some(Value::Text(other)) => Some(other.as_str()),
        _ => None,
    };
    Some(match name {
        "equals" => Value::Bool(text == other?),
        "equalsignorecase" => Value::Bool(text.eq_ignore_ascii_case(other?)),
        "startswith" => Value::Bool(text.starts_with(other?)),
        "endswith" => Value::Bool(text.ends_with(other?)),
        "contains" | "includes" => Value::Bool(text.contains(other?)),
        "length" | "size" => Value::Int(i64::try_from(text.chars().count()).ok()?),
        "isempty" => Value::Bool(text.is_empty()),
        "tolowercase" | "lower" | "tolower" => Value::Text(text.to_lowercase()),
        "touppercase" | "upper" | "toupper" => Value::Text(text.to_uppercase()),
        "trim" | "strip" => Value::Text(text.trim().to_owned()),
        _ => return None,
    })
}

fn compare(order: Order, left: &Value, right: &Value) -> Option<bool> {
    use std::cmp::Ordering;
    let ordering = match (left, right) {
        (Value::Int(left), Value::Int(right)) => left.cmp(right),
        (Value::Text(left), Value::Text(right)) => left.cmp(right),
        (Value::Int(number), Value::Text(text)) => number.cmp(&character(text)?),
        (Value::Text(text), Value::Int(number)) => character(text)?.cmp(number),
        _ if left == right => Ordering::Equal,
        (Value::Bool(_), Value::Bool(_)) | (Value::Null, _) | (_, Value::Null) => Ordering::Less,
        _ => return None,
    };
    Some(match order {
        Order::Equal => ordering == Ordering::Equal,
        Order::Unequal => ordering != Ordering::Equal,
        Order::Less => ordering == Ordering::Less,
        Order::LessOrEqual => ordering != Ordering::Greater,
        Order::Greater => ordering == Ordering::Greater,
        Order::GreaterOrEqual => ordering != Ordering::Less,
    })
}

/// The code point of the only character of a text.
fn character(text: &str) -> Option<i64> {
    let mut characters = text.chars();
    let first = characters.next()?;
    characters.next().is_none().then_some(i64::from(u32::from(first)))
}
