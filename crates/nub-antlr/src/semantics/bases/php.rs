//! PHP: tags and here documents.

use crate::{
    lexer::{Cursor, Looking},
    semantics::{LexerBase, Names, Value},
    token::{Origin, Token},
};

/// PHP in HTML, scripts in PHP, and text in both.
#[derive(Debug)]
pub(in crate::semantics) struct Lexer {
    names: Names,
    script_tag: bool,
    style_tag: bool,
    php_script: bool,
    inside_string: bool,
    html_name: String,
    here_doc: String,
    previous: i32,
}

impl Lexer {
    pub(in crate::semantics) fn new(names: &Names) -> Self {
        Self {
            names: names.clone(),
            script_tag: false,
            style_tag: false,
            php_script: false,
            inside_string: false,
            html_name: String::new(),
            here_doc: String::new(),
            previous: 0,
        }
    }

    fn is_mode(&self, cursor: &Cursor<'_>, name: &str) -> bool {
        self.names.mode(name) == Some(cursor.mode)
    }

    fn push(&self, cursor: &mut Cursor<'_>, name: &str) {
        if let Some(mode) = self.names.mode(name) {
            cursor.push_mode(mode);
        }
    }

    fn html_close(&mut self, cursor: &mut Cursor<'_>) {
        cursor.pop_mode();
        if self.script_tag {
            self.push(cursor, if self.php_script { "PHP" } else { "SCRIPT" });
            self.script_tag = false;
        } else if self.style_tag {
            self.push(cursor, "STYLE");
            self.style_tag = false;
        }
    }

    /// The end of a PHP section also ends a statement, unless the statement has already ended.
    fn php_end(&mut self, text: &str, cursor: &mut Cursor<'_>) {
        if self.is_mode(cursor, "SingleLineCommentMode") {
            cursor.pop_mode();
        }
        cursor.pop_mode();
        let ended = ["SemiColon", "Colon", "OpenCurlyBracket", "CloseCurlyBracket"];
        let ended = self.names.tokens(&ended).contains(&self.previous);
        let Some(token) = cursor.tokens.last_mut() else { return };
        if text == "</script>" {
            self.php_script = false;
            token.kind = self.names.token("HtmlScriptClose");
        } else if ended {
            token.channel = self.names.channel("SkipChannel").unwrap_or(1);
        } else {
            token.kind = self.names.token("SemiColon");
        }
    }

    fn here_doc(&mut self, kind: i32, text: &str, cursor: &mut Cursor<'_>) {
        if self.names.tokens(&["StartHereDoc", "StartNowDoc"]).contains(&kind) {
            text.get(3..).unwrap_or("").trim().replace('\'', "").clone_into(&mut self.here_doc);
        } else if kind == self.names.token("HereDocText") {
            let trimmed = text.trim();
            let (name, statement_ends) = match trimmed.strip_suffix(';') {
                Some(name) => (name, true),
                None => (trimmed, false),
            };
            if name != self.here_doc {
                return;
            }
            cursor.pop_mode();
            let Some(token) = cursor.tokens.last_mut() else { return };
            if statement_ends {
                token.kind = self.names.token("SemiColon");
            } else {
                token.origin = Origin::Skipped;
            }
        }
    }
}

impl LexerBase for Lexer {
    fn methods(&self) -> &'static [&'static str] {
        &[
            "shouldpushheredocmode",
            "hasasptags",
            "hasphpscripttag",
            "isnewlineorstart",
            "iscurlydollar",
            "pushmodeonhtmlclose",
            "popmodeoncurlybracketclose",
            "setinsidestring",
        ]
    }

    fn reset(&mut self) {
        *self = Self::new(&self.names);
    }

    fn predicate(&mut self, method: &str, arguments: &[Value], at: &Looking<'_, '_>) -> bool {
        let distance = match arguments.first() {
            Some(Value::Int(distance)) => isize::try_from(*distance).unwrap_or(1),
            _ => 1,
        };
        let next = at.ahead(distance);
        let breaks = [i32::from(b'\r'), i32::from(b'\n')].contains(&next);
        match method {
            "shouldpushheredocmode" => breaks,
            "isnewlineorstart" => breaks || next <= 0,
            "iscurlydollar" => next == i32::from(b'$'),
            "hasphpscripttag" => self.php_script,
            _ => true,
        }
    }

    fn action(&mut self, method: &str, _arguments: &[Value], cursor: &mut Cursor<'_>) {
        match method {
            "pushmodeonhtmlclose" => self.html_close(cursor),
            "popmodeoncurlybracketclose" if self.inside_string => {
                self.inside_string = false;
                cursor.channel = self.names.channel("SkipChannel").unwrap_or(1);
                cursor.pop_mode();
            }
            "setinsidestring" => self.inside_string = true,
            _ => {}
        }
    }

    fn set(&mut self, field: &str, value: &Value) -> bool {
        let flag = match field {
            "_scriptTag" => &mut self.script_tag,
            "_styleTag" => &mut self.style_tag,
            "_phpScript" => &mut self.php_script,
            "_insideString" => &mut self.inside_string,
            _ => return false,
        };
        *flag = *value == Value::Bool(true);
        true
    }

    fn emitted(&mut self, token: &Token, cursor: &mut Cursor<'_>) {
        let text = String::from_utf8_lossy(&cursor.input.bytes()[token.span()]).into_owned();
        if self.names.tokens(&["PHPEnd", "PHPEndSingleLineComment"]).contains(&token.kind) {
            self.php_end(&text, cursor);
        } else if token.kind == self.names.token("HtmlName") {
            self.html_name = text;
        } else if token.kind == self.names.token("HtmlDoubleQuoteString") {
            self.php_script |= text == "php" && self.html_name == "language";
        } else if self.is_mode(cursor, "HereDoc") {
            self.here_doc(token.kind, &text, cursor);
        } else if self.is_mode(cursor, "PHP") && token.channel != 1 {
            self.previous = token.kind;
        }
    }
}
