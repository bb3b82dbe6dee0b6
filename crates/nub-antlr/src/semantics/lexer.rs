//! Code in lexers.

use super::{
    LexerBase, Names, Overrides, Value,
    eval::{Scope, evaluate, truth},
    treat::Rules,
};
use crate::{
    atn::CodeId,
    input::Input,
    lexer::{Cursor, Looking, MORE},
    token::{Origin, Token},
};
use std::sync::Arc;

/// The meaning of predicates and actions of a lexer.
#[derive(Debug, Default)]
pub(crate) struct LexerSemantics {
    rules: Rules,
    base: Option<Box<dyn LexerBase>>,
    names: Names,
    overrides: Arc<Overrides>,
}

impl LexerSemantics {
    pub(super) fn new(rules: Rules, base: Option<Box<dyn LexerBase>>, names: Names, overrides: Arc<Overrides>) -> Self {
        Self { rules, base, names, overrides }
    }

    pub(super) fn rules(&self) -> &Rules {
        &self.rules
    }

    pub(crate) fn reset(&mut self) {
        if let Some(base) = &mut self.base {
            base.reset();
        }
    }

    pub(crate) fn predicate(&mut self, code: CodeId, at: &Looking<'_, '_>) -> bool {
        let Some([statement]) = self.rules.get(code) else { return true };
        let (base, names, overrides) = (self.base.as_deref_mut(), &self.names, &*self.overrides);
        let mut scope = Reading { base, names, overrides, at, depth: 0 };
        evaluate(statement, &mut scope).and_then(|value| truth(&value)).unwrap_or(true)
    }

    pub(crate) fn action(&mut self, code: CodeId, cursor: &mut Cursor<'_>) {
        let Some(statements) = self.rules.get(code) else { return };
        let (base, names) = (self.base.as_deref_mut(), &self.names);
        let mut scope = Acting { base, names, cursor };
        for statement in statements {
            evaluate(statement, &mut scope);
        }
    }

    pub(crate) fn emitted(&mut self, token: &Token, cursor: &mut Cursor<'_>) {
        if let (Some(base), Origin::Matched) = (&mut self.base, token.origin) {
            base.emitted(token, cursor);
        }
    }

    pub(crate) fn at_end(&mut self, cursor: &mut Cursor<'_>) {
        if let Some(base) = &mut self.base {
            base.at_end(cursor);
        }
    }

    pub(crate) fn filter(&mut self, tokens: Vec<Token>, input: &Input<'_>) -> Vec<Token> {
        match &mut self.base {
            Some(base) => base.filter(tokens, input),
            None => tokens,
        }
    }
}

/// How deeply overrides may refer to each other.
pub(super) const DEPTH: usize = 8;

/// A predicate being evaluated.
struct Reading<'s, 'c, 'a> {
    base: Option<&'s mut (dyn LexerBase + 'static)>,
    names: &'s Names,
    overrides: &'s Overrides,
    at: &'s Looking<'c, 'a>,
    depth: usize,
}

impl Reading<'_, '_, '_> {
    fn overridden(&mut self, name: &str) -> Option<Value> {
        let value = self.overrides.name(name).filter(|_| self.depth < DEPTH)?;
        self.depth += 1;
        let value = evaluate(value, self);
        self.depth -= 1;
        value
    }
}

impl Scope for Reading<'_, '_, '_> {
    fn name(&mut self, name: &str) -> Option<Value> {
        if let Some(value) = self.overridden(name) {
            return Some(value);
        }
        Some(match name {
            "text" => Value::Text(self.at.text()),
            "column" | "charPositionInLine" => Value::Int(self.at.place().column.into()),
            "line" => Value::Int(self.at.place().line.into()),
            "serverVersion" => Value::Int(SERVER_VERSION),
            _ => Value::Int(self.names.constant(name)?),
        })
    }

    fn call(&mut self, _receiver: Option<Value>, name: &str, arguments: &[Value]) -> Option<Value> {
        if let Some(value) = self.overridden(name) {
            return Some(value);
        }
        if let Some(base) = self.base.as_deref_mut().filter(|base| base.methods().contains(&name)) {
            return Some(Value::Bool(base.predicate(name, arguments, self.at)));
        }
        Some(match (name, arguments) {
            ("la", [Value::Int(distance)]) => Value::Int(self.at.ahead(isize::try_from(*distance).ok()?).into()),
            ("getcharpositioninline" | "column", _) => Value::Int(self.at.place().column.into()),
            ("getline", _) => Value::Int(self.at.place().line.into()),
            ("gettext", _) => Value::Text(self.at.text()),
            ("index", _) => Value::Int(i64::try_from(self.at.position).ok()?),
            _ => return None,
        })
    }

    fn property(&mut self, _token: usize, _name: &str) -> Option<Value> {
        None
    }

    fn set(&mut self, _name: &str, _value: Value) -> Option<()> {
        None
    }
}

/// The newest server version in grammars with version checks.
pub(super) const SERVER_VERSION: i64 = 80_400;

/// An action being run.
struct Acting<'s, 'a> {
    base: Option<&'s mut (dyn LexerBase + 'static)>,
    names: &'s Names,
    cursor: &'s mut Cursor<'a>,
}

impl Scope for Acting<'_, '_> {
    fn name(&mut self, name: &str) -> Option<Value> {
        Some(match name {
            "text" => Value::Text(self.cursor.text()),
            _ => Value::Int(self.names.constant(name)?),
        })
    }

    fn call(&mut self, _receiver: Option<Value>, name: &str, arguments: &[Value]) -> Option<Value> {
        if let Some(base) = self.base.as_deref_mut().filter(|base| base.methods().contains(&name)) {
            base.action(name, arguments, self.cursor);
            return Some(Value::Null);
        }
        let number = match arguments.first() {
            Some(Value::Int(number)) => Some(*number),
            _ => None,
        };
        match name {
            "skip" => self.cursor.skip(),
            "more" => self.cursor.kind = MORE,
            "popmode" => self.cursor.pop_mode(),
            "pushmode" => self.cursor.push_mode(usize::try_from(number?).ok()?),
            "mode" | "setmode" => self.cursor.mode = usize::try_from(number?).ok()?,
            "settype" => self.cursor.kind = i32::try_from(number?).ok()?,
            "setchannel" => self.cursor.channel = u32::try_from(number?).ok()?,
            "gettext" => return Some(Value::Text(self.cursor.text())),
            "la" => return Some(Value::Int(self.cursor.ahead(isize::try_from(number?).ok()?).into())),
            _ => return None,
        }
        Some(Value::Null)
    }

    fn property(&mut self, _token: usize, _name: &str) -> Option<Value> {
        None
    }

    fn set(&mut self, name: &str, value: Value) -> Option<()> {
        if self.base.as_deref_mut().is_some_and(|base| base.set(name, &value)) {
            return Some(());
        }
        let Value::Int(number) = value else { return None };
        match name {
            "_type" | "type" => self.cursor.kind = i32::try_from(number).ok()?,
            "_channel" | "channel" => self.cursor.channel = u32::try_from(number).ok()?,
            "_mode" => self.cursor.mode = usize::try_from(number).ok()?,
            _ => return None,
        }
        Some(())
    }
}
