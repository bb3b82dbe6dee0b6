//! JavaScript and TypeScript.

use crate::{
    lexer::{Cursor, Looking},
    semantics::{LexerBase, Names, ParserBase, ParserView, Value},
    token::Token,
};

/// After one of these a `/` is a division.
const OPERAND_ENDS: [&str; 12] = [
    "Identifier",
    "NullLiteral",
    "BooleanLiteral",
    "This",
    "CloseBracket",
    "CloseParen",
    "OctalIntegerLiteral",
    "DecimalLiteral",
    "HexIntegerLiteral",
    "StringLiteral",
    "PlusPlus",
    "MinusMinus",
];

/// Regular expressions, strict mode, and braces in templates.
#[derive(Debug)]
pub(in crate::semantics) struct Lexer {
    operand_ends: Vec<i32>,
    open_brace: i32,
    typescript: bool,
    /// The last token that the parser will see.
    last: Option<i32>,
    strict: bool,
    scopes: Vec<bool>,
    /// How many braces are open, and at which of them an expression in a template began.
    braces: i64,
    templates: Vec<i64>,
    /// Older grammars only count open templates.
    template_depth: i64,
}

impl Lexer {
    pub(in crate::semantics) fn new(names: &Names, typescript: bool) -> Self {
        Self {
            operand_ends: names.tokens(&OPERAND_ENDS),
            open_brace: names.token("OpenBrace"),
            typescript,
            last: None,
            strict: false,
            scopes: Vec::new(),
            braces: 0,
            templates: Vec::new(),
            template_depth: 0,
        }
    }
}

impl LexerBase for Lexer {
    fn methods(&self) -> &'static [&'static str] {
        &[
            "isregexpossible",
            "isstartoffile",
            "isintemplatestring",
            "isstrictmode",
            "processopenbrace",
            "processclosebrace",
            "processtemplateopenbrace",
            "processtemplateclosebrace",
            "processstringliteral",
            "increasetemplatedepth",
            "decreasetemplatedepth",
            "starttemplatestring",
        ]
    }

    fn reset(&mut self) {
        (self.last, self.strict, self.braces, self.template_depth) = (None, false, 0, 0);
        self.scopes.clear();
        self.templates.clear();
    }

    fn predicate(&mut self, method: &str, _arguments: &[Value], _at: &Looking<'_, '_>) -> bool {
        match method {
            "isregexpossible" => self.last.is_none_or(|last| !self.operand_ends.contains(&last)),
            "isstartoffile" => self.last.is_none(),
            "isstrictmode" => self.strict,
            "isintemplatestring" => {
                let counted = self.template_depth > 0 && (!self.typescript || self.braces == 0);
                counted || self.templates.last() == Some(&self.braces)
            }
            _ => true,
        }
    }

    fn action(&mut self, method: &str, _arguments: &[Value], cursor: &mut Cursor<'_>) {
        match method {
            "processopenbrace" => {
                self.braces += 1;
                self.strict = self.scopes.last().copied().unwrap_or(false);
                self.scopes.push(self.strict);
            }
            "processclosebrace" => {
                self.braces -= 1;
                self.strict = self.scopes.pop().unwrap_or(false);
            }
            "processtemplateopenbrace" => {
                self.braces += 1;
                self.templates.push(self.braces);
            }
            "processtemplateclosebrace" => {
                self.templates.pop();
                self.braces -= 1;
            }
            "processstringliteral" => {
                let first = self.last.is_none_or(|last| last == self.open_brace);
                if first && matches!(cursor.text().as_str(), "\"use strict\"" | "'use strict'") {
                    self.scopes.pop();
                    self.strict = true;
                    self.scopes.push(true);
                }
            }
            "increasetemplatedepth" => self.template_depth += 1,
            "decreasetemplatedepth" => self.template_depth -= 1,
            "starttemplatestring" => self.braces = 0,
            _ => {}
        }
    }

    fn emitted(&mut self, token: &Token, _cursor: &mut Cursor<'_>) {
        if token.channel == 0 {
            self.last = Some(token.kind);
        }
    }
}

/// Line ends that terminate statements, and contextual keywords.
#[derive(Debug)]
pub(in crate::semantics) struct Parser {
    line_terminator: i32,
    white_spaces: i32,
    comment: i32,
    open_brace: i32,
    close_brace: i32,
    function: i32,
    interface: i32,
    /// Grammars of 2022 and before look only at the token immediately before.
    old: bool,
}

impl Parser {
    pub(in crate::semantics) fn new(names: &Names) -> Self {
        let either = |one: &str, two: &str| match names.token(one) {
            i32::MIN => names.token(two),
            kind => kind,
        };
        Self {
            line_terminator: names.token("LineTerminator"),
            white_spaces: names.token("WhiteSpaces"),
            comment: names.token("MultiLineComment"),
            open_brace: names.token("OpenBrace"),
            close_brace: names.token("CloseBrace"),
            function: either("Function_", "Function"),
            interface: names.token("Interface"),
            old: names.token("TemplateCloseBrace") == i32::MIN,
        }
    }

    fn line_terminator_ahead(&self, view: &ParserView<'_>) -> bool {
        let Some(mut at) = view.before(view.current()) else { return false };
        let mut token = &view.tokens[at];
        if token.channel != 1 {
            return false;
        }
        if token.kind == self.white_spaces {
            let Some(before) = view.before(at) else { return false };
            at = before;
            token = &view.tokens[at];
        }
        let breaks = |text: &[u8]| text.contains(&b'\n') || text.contains(&b'\r');
        token.kind == self.line_terminator || token.kind == self.comment && breaks(&view.source[token.span()])
    }

    fn right_after_line_terminator(&self, view: &ParserView<'_>) -> bool {
        let token = view.before(view.current()).map(|before| &view.tokens[before]);
        token.is_some_and(|token| token.channel == 1 && token.kind == self.line_terminator)
    }
}

impl ParserBase for Parser {
    fn methods(&self) -> &'static [&'static str] {
        &[
            "notlineterminator",
            "lineterminatorahead",
            "closebrace",
            "n",
            "next",
            "p",
            "prev",
            "notopenbraceandnotfunction",
            "notopenbraceandnotfunctionandnotinterface",
        ]
    }

    fn predicate(&mut self, method: &str, arguments: &[Value], view: &ParserView<'_>) -> bool {
        let is = |distance: isize| match arguments.first() {
            Some(Value::Text(text)) => view.text_at(distance) == *text,
            _ => true,
        };
        match method {
            "notlineterminator" if self.old => !self.right_after_line_terminator(view),
            "notlineterminator" => !self.line_terminator_ahead(view),
            "lineterminatorahead" => self.line_terminator_ahead(view),
            "closebrace" => view.kind(1) == self.close_brace,
            "n" | "next" => is(1),
            "p" | "prev" => is(-1),
            "notopenbraceandnotfunction" => ![self.open_brace, self.function].contains(&view.kind(1)),
            "notopenbraceandnotfunctionandnotinterface" => {
                ![self.open_brace, self.function, self.interface].contains(&view.kind(1))
            }
            _ => true,
        }
    }
}
