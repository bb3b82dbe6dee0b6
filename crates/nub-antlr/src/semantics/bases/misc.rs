//! C++ and Java: small predicates.

use crate::semantics::{Names, ParserBase, ParserView, Value};

/// `= 0` is allowed only after a member function.
#[derive(Debug)]
pub(in crate::semantics) struct Cpp;

impl ParserBase for Cpp {
    fn methods(&self) -> &'static [&'static str] {
        &["ispurespecifierallowed"]
    }

    fn predicate(&mut self, _method: &str, _arguments: &[Value], view: &ParserView<'_>) -> bool {
        view.descendant(&[0, 0, 0, 1]).is_some_and(|rule| rule == "parametersAndQualifiers")
    }
}

/// Named arguments of annotations, and records.
#[derive(Debug)]
pub(in crate::semantics) struct Java {
    assign: i32,
    identifiers: Vec<i32>,
}

impl Java {
    pub(in crate::semantics) fn new(names: &Names) -> Self {
        let identifiers = [
            "IDENTIFIER",
            "MODULE",
            "OPEN",
            "REQUIRES",
            "EXPORTS",
            "OPENS",
            "TO",
            "USES",
            "PROVIDES",
            "WHEN",
            "WITH",
            "TRANSITIVE",
            "YIELD",
            "SEALED",
            "PERMITS",
            "RECORD",
            "VAR",
        ];
        Self { assign: names.token("ASSIGN"), identifiers: names.tokens(&identifiers) }
    }
}

impl ParserBase for Java {
    fn methods(&self) -> &'static [&'static str] {
        &["isnotidentifierassign", "dolastrecordcomponent"]
    }

    /// Only the last component of a record may be variadic, but a reducer gains nothing from rejecting others.
    fn predicate(&mut self, method: &str, _arguments: &[Value], view: &ParserView<'_>) -> bool {
        method != "isnotidentifierassign" || !self.identifiers.contains(&view.kind(1)) || view.kind(2) != self.assign
    }
}
