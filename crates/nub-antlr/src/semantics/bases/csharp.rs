//! C#: interpolated strings.

use crate::{
    atn::EOF,
    lexer::{Cursor, Looking},
    semantics::{LexerBase, Names, ParserBase, ParserView, Value},
};

/// Nested interpolated strings.
#[derive(Debug)]
pub(in crate::semantics) struct Lexer {
    format_mode: Option<usize>,
    /// For each open interpolated string: whether it is verbatim.
    strings: Vec<bool>,
    /// For each open hole in a string: how many braces are open in it.
    braces: Vec<i64>,
}

impl Lexer {
    pub(in crate::semantics) fn new(names: &Names) -> Self {
        Self { format_mode: names.mode("INTERPOLATION_FORMAT"), strings: Vec::new(), braces: Vec::new() }
    }

    fn verbatim(&self) -> bool {
        self.strings.last().copied().unwrap_or(false)
    }

    fn close_brace(&mut self, cursor: &mut Cursor<'_>) {
        if self.strings.is_empty() {
            return;
        }
        if let Some(open) = self.braces.last_mut() {
            *open -= 1;
            if *open == 0 {
                self.braces.pop();
                cursor.skip();
                cursor.pop_mode();
            }
        }
    }

    /// A colon begins a format, unless another colon or a parenthesis comes before the brace.
    fn colon(&self, cursor: &mut Cursor<'_>) {
        let (false, Some(mode)) = (self.strings.is_empty(), self.format_mode) else { return };
        let stops = [b'}', b':', b')'].map(i32::from);
        let stop = (1..).map(|distance| cursor.ahead(distance)).find(|next| *next == EOF || stops.contains(next));
        if stop == Some(stops[0]) {
            cursor.mode = mode;
        }
    }
}

impl LexerBase for Lexer {
    fn methods(&self) -> &'static [&'static str] {
        &[
            "isregularcharinside",
            "isverbatiumdoublequoteinside",
            "oninterpolatedregularstringstart",
            "oninterpolatedverbatiumstringstart",
            "onopenbrace",
            "onclosebrace",
            "oncolon",
            "openbraceinside",
            "ondoublequoteinside",
            "onclosebraceinside",
        ]
    }

    fn reset(&mut self) {
        self.strings.clear();
        self.braces.clear();
    }

    fn predicate(&mut self, method: &str, _arguments: &[Value], _at: &Looking<'_, '_>) -> bool {
        match method {
            "isregularcharinside" => !self.verbatim(),
            "isverbatiumdoublequoteinside" => self.verbatim(),
            _ => true,
        }
    }

    fn action(&mut self, method: &str, _arguments: &[Value], cursor: &mut Cursor<'_>) {
        match method {
            "oninterpolatedregularstringstart" => self.strings.push(false),
            "oninterpolatedverbatiumstringstart" => self.strings.push(true),
            "onopenbrace" if !self.strings.is_empty() => {
                if let Some(open) = self.braces.last_mut() {
                    *open += 1;
                }
            }
            "onclosebrace" => self.close_brace(cursor),
            "oncolon" => self.colon(cursor),
            "openbraceinside" => self.braces.push(1),
            "ondoublequoteinside" => {
                self.strings.pop();
            }
            "onclosebraceinside" => {
                self.braces.pop();
            }
            _ => {}
        }
    }
}

/// Declarations of variables.
#[derive(Debug)]
pub(in crate::semantics) struct Parser;

impl ParserBase for Parser {
    fn methods(&self) -> &'static [&'static str] {
        &["islocalvariabledeclaration"]
    }

    /// A declaration with `var` needs a value; the base class looks for it in the node, which is still empty in
    /// prediction.
    fn predicate(&mut self, _method: &str, _arguments: &[Value], _view: &ParserView<'_>) -> bool {
        true
    }
}
