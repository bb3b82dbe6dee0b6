//! Go: package names.

use crate::{
    atn::EOF,
    semantics::{Names, ParserBase, ParserView, Value},
};
use std::collections::HashSet;

/// Whether a qualified name is an operand or a type depends on the imports.
#[derive(Debug)]
pub(in crate::semantics) struct Parser {
    packages: HashSet<String>,
    identifier: i32,
    dot: i32,
    open: i32,
    star: i32,
    receive: i32,
    closing: Vec<i32>,
}

impl Parser {
    pub(in crate::semantics) fn new(names: &Names) -> Self {
        let mut closing = names.tokens(&["R_PAREN", "R_CURLY"]);
        closing.push(EOF);
        Self {
            packages: HashSet::new(),
            identifier: names.token("IDENTIFIER"),
            dot: names.token("DOT"),
            open: names.token("L_PAREN"),
            star: names.token("STAR"),
            receive: names.token("RECEIVE"),
            closing,
        }
    }

    /// Adds the name that an import introduces: its alias, or the last part of the path.
    fn import(&mut self, view: &ParserView<'_>) {
        if view.rule_name() != "importSpec" {
            return;
        }
        let named = view.child_text("packageName");
        let path = view.child_text("importPath").unwrap_or_default().replace('"', "").replace('\\', "/");
        let last = path.rsplit('/').next().and_then(|last| last.rsplit('.').next()).unwrap_or("").to_owned();
        self.packages.insert(named.unwrap_or(last));
    }

    fn takes_type(&self, view: &ParserView<'_>) -> bool {
        view.kind(-2) == self.identifier && matches!(view.text_at(-2).as_str(), "make" | "new")
    }
}

impl ParserBase for Parser {
    fn methods(&self) -> &'static [&'static str] {
        &[
            "closingbracket",
            "isnotreceive",
            "isoperand",
            "isconversion",
            "ismethodexpr",
            "istypeargument",
            "isexpressionargument",
            "istype",
            "myreset",
            "addimportspec",
        ]
    }

    fn reset(&mut self) {
        self.packages.clear();
    }

    fn predicate(&mut self, method: &str, _arguments: &[Value], view: &ParserView<'_>) -> bool {
        match method {
            "closingbracket" => self.closing.contains(&view.kind(1)),
            "isnotreceive" => view.kind(2) != self.receive,
            "isoperand" => {
                view.kind(1) != self.identifier
                    || view.kind(2) != self.dot
                    || view.kind(3) == self.open
                    || view.text_at(1) == "err"
                    || self.packages.contains(&view.text_at(1))
            }
            "isconversion" | "istype" => view.kind(1) != self.identifier,
            "ismethodexpr" => {
                view.kind(1) == self.star
                    || view.kind(1) == self.identifier && !self.packages.contains(&view.text_at(1))
            }
            "istypeargument" => self.takes_type(view),
            "isexpressionargument" => !self.takes_type(view),
            _ => true,
        }
    }

    fn action(&mut self, method: &str, _arguments: &[Value], view: &ParserView<'_>) {
        match method {
            "myreset" => self.packages.clear(),
            "addimportspec" => self.import(view),
            _ => {}
        }
    }
}
