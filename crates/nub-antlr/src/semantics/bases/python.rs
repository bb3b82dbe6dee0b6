//! Python: indentation.

use crate::{
    atn::EOF,
    input::Input,
    lexer::{Cursor, Looking},
    semantics::{LexerBase, Names, ParserBase, ParserView, Value},
    token::{Origin, Token},
};

#[derive(Clone, Copy, Debug)]
struct Kinds {
    newline: i32,
    indent: i32,
    dedent: i32,
}

impl Kinds {
    fn new(names: &Names) -> Self {
        Self { newline: names.token("NEWLINE"), indent: names.token("INDENT"), dedent: names.token("DEDENT") }
    }
}

/// The width of indentation: tabs advance to the next multiple of eight.
fn width(text: impl Iterator<Item = i32>) -> usize {
    text.fold(0, |width, character| if character == i32::from(b'\t') { width + 8 - width % 8 } else { width + 1 })
}

/// Actions at line ends and brackets (`Python3LexerBase`). A match of the rule for line ends is split into the line end
/// and the indentation, so that both keep their own text.
#[derive(Debug)]
pub(in crate::semantics) struct Lexer {
    kinds: Kinds,
    indents: Vec<usize>,
    opened: i64,
}

impl Lexer {
    pub(in crate::semantics) fn new(names: &Names) -> Self {
        Self { kinds: Kinds::new(names), indents: Vec::new(), opened: 0 }
    }

    fn on_new_line(&mut self, cursor: &mut Cursor<'_>) {
        let breaks = |character: i32| [b'\r', b'\n', b'\x0c'].map(i32::from).contains(&character);
        let next = cursor.ahead(1);
        let blank = cursor.ahead(2) != EOF && (breaks(next) || next == i32::from(b'#'));
        if self.opened > 0 || blank {
            cursor.skip();
            return;
        }
        let (start, end) = (cursor.start.position, cursor.position);
        let spaces = (start..end).find(|&at| !breaks(cursor.input.at(at))).unwrap_or(end);
        cursor.pieces.push((Some(self.kinds.newline), spaces));
        let indent = width((spaces..end).map(|at| cursor.input.at(at)));
        let previous = self.indents.last().copied().unwrap_or(0);
        if indent > previous {
            self.indents.push(indent);
            cursor.pieces.push((Some(self.kinds.indent), end));
        } else if spaces < end {
            cursor.pieces.push((None, end));
        }
        while self.indents.last().is_some_and(|&open| open > indent) {
            self.indents.pop();
            cursor.pieces.push((Some(self.kinds.dedent), end));
        }
    }
}

impl LexerBase for Lexer {
    fn methods(&self) -> &'static [&'static str] {
        &["atstartofinput", "openbrace", "closebrace", "onnewline"]
    }

    fn reset(&mut self) {
        self.indents.clear();
        self.opened = 0;
    }

    fn predicate(&mut self, method: &str, _arguments: &[Value], at: &Looking<'_, '_>) -> bool {
        method != "atstartofinput" || at.position == 0
    }

    fn action(&mut self, method: &str, _arguments: &[Value], cursor: &mut Cursor<'_>) {
        match method {
            "openbrace" => self.opened += 1,
            "closebrace" => self.opened -= 1,
            "onnewline" => self.on_new_line(cursor),
            _ => {}
        }
    }

    fn at_end(&mut self, cursor: &mut Cursor<'_>) {
        if self.indents.is_empty() {
            return;
        }
        cursor.insert(self.kinds.newline);
        for _ in self.indents.drain(..) {
            cursor.insert(self.kinds.dedent);
        }
    }
}

/// Grammars without actions, whose base class filters the tokens (`PythonLexerBase`): line ends in brackets and of
/// blank lines are hidden, and changes of indentation become tokens.
#[derive(Debug)]
pub(in crate::semantics) struct Indentation {
    kinds: Kinds,
    white_space: i32,
    comment: i32,
    opening: Vec<i32>,
    closing: Vec<i32>,
}

impl Indentation {
    pub(in crate::semantics) fn new(names: &Names) -> Self {
        Self {
            kinds: Kinds::new(names),
            white_space: names.token("WS"),
            comment: names.token("COMMENT"),
            opening: names.tokens(&["LPAR", "LSQB", "LBRACE", "OPEN_PAREN", "OPEN_BRACK", "OPEN_BRACE"]),
            closing: names.tokens(&["RPAR", "RSQB", "RBRACE", "CLOSE_PAREN", "CLOSE_BRACK", "CLOSE_BRACE"]),
        }
    }

    /// Inserts the tokens of a new indentation before the next token.
    fn turn(&self, indents: &mut Vec<usize>, indent: usize, before: &Token, out: &mut Vec<Token>) {
        let mut insert = |kind| {
            let (start, end) = (before.start, before.start);
            out.push(Token { kind, channel: 0, start, end, origin: Origin::Matched, ..*before });
        };
        if indent > indents.last().copied().unwrap_or(0) {
            indents.push(indent);
            insert(self.kinds.indent);
        }
        while indents.last().is_some_and(|&open| open > indent) {
            indents.pop();
            insert(self.kinds.dedent);
        }
    }
}

impl LexerBase for Indentation {
    fn methods(&self) -> &'static [&'static str] {
        &[]
    }

    fn reset(&mut self) {}

    fn filter(&mut self, tokens: Vec<Token>, input: &Input<'_>) -> Vec<Token> {
        let mut out: Vec<Token> = Vec::with_capacity(tokens.len() + tokens.len() / 8);
        let mut indents: Vec<usize> = Vec::new();
        let mut opened = 0_i64;
        // The start of the input counts as a line end: the first line may be indented.
        let mut line_start = true;
        let mut last_visible = 0;
        for at in 0..tokens.len() {
            let mut token = tokens[at];
            let ends = token.kind == EOF;
            if ends {
                if last_visible != 0 && last_visible != self.kinds.newline {
                    out.push(Token { kind: self.kinds.newline, ..token });
                }
                self.turn(&mut indents, 0, &token, &mut out);
            } else if token.kind == self.kinds.newline && token.origin == Origin::Matched {
                let blank = line_start || last_visible == 0;
                if opened > 0 || blank {
                    token.channel = 1;
                }
                line_start = opened <= 0;
            } else if token.visible() && token.kind != self.white_space && token.kind != self.comment {
                if line_start {
                    let indent = match at.checked_sub(1).map(|before| &tokens[before]) {
                        Some(before) if before.kind == self.white_space => {
                            width(input.bytes()[before.span()].iter().map(|&byte| i32::from(byte)))
                        }
                        _ => 0,
                    };
                    self.turn(&mut indents, indent, &token, &mut out);
                    line_start = false;
                }
                opened += i64::from(self.opening.contains(&token.kind));
                opened -= i64::from(self.closing.contains(&token.kind));
            }
            if token.visible() && token.kind != self.white_space && token.kind != self.comment {
                last_visible = token.kind;
            }
            out.push(token);
        }
        out
    }
}

/// Predicates that always hold.
#[derive(Debug)]
pub(in crate::semantics) struct Parser;

impl ParserBase for Parser {
    fn methods(&self) -> &'static [&'static str] {
        &["cannotbeplusminus", "cannotbedotlpeq"]
    }

    fn predicate(&mut self, _method: &str, _arguments: &[Value], _view: &ParserView<'_>) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens of an input, by type: names (1), line ends (2), INDENT (3), DEDENT (4).
    fn kinds(source: &str) -> Vec<(i32, String)> {
        let names = Names::of_tokens(&["NAME", "NEWLINE", "INDENT", "DEDENT"]);
        let mut base = Lexer::new(&names);
        let input = Input::new(source.as_bytes());
        let mut cursor = Cursor::new(&input, 0);
        while !cursor.at_end() {
            let ends = |at: usize| input.at(at) == i32::from(b'\n');
            let mut end = cursor.position + 1;
            if ends(cursor.position) {
                while input.at(end) == i32::from(b' ') {
                    end += 1;
                }
                cursor.advance(end);
                cursor.kind = 2;
                base.action("onnewline", &[], &mut cursor);
            } else {
                while end < input.len() && !ends(end) {
                    end += 1;
                }
                cursor.advance(end);
                cursor.kind = 1;
            }
            cursor.emit();
        }
        base.at_end(&mut cursor);
        let text = |token: &Token| String::from_utf8_lossy(&source.as_bytes()[token.span()]).into_owned();
        cursor.tokens.iter().filter(|token| token.visible()).map(|token| (token.kind, text(token))).collect()
    }

    #[test]
    fn indentation_becomes_tokens_with_their_own_text() {
        let found = kinds("a\n  b\n\n  c\nd");
        let expected = [(1, "a"), (2, "\n"), (3, "  "), (1, "b"), (2, "\n"), (1, "c"), (2, "\n"), (4, ""), (1, "d")];
        assert_eq!(found, expected.map(|(kind, text)| (kind, text.to_owned())));
        let kinds_only: Vec<i32> = kinds("a\n  b").into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(kinds_only, [1, 2, 3, 1, 2, 4]);
    }

    #[test]
    fn a_filter_finds_the_same_structure() {
        let names = Names::of_tokens(&["NAME", "NEWLINE", "INDENT", "DEDENT", "WS", "LPAR", "RPAR"]);
        let source = b"a\n  b(\n)\n\n c\n";
        let kinds = [(1, 1), (2, 1), (5, 2), (1, 1), (6, 1), (2, 1), (7, 1), (2, 1), (2, 1), (5, 1), (1, 1), (2, 1)];
        let mut at = 0;
        let mut tokens: Vec<Token> = Vec::new();
        for (kind, length) in kinds {
            let channel = u32::from(kind == 5);
            let (start, end, origin) = (at, at + length, Origin::Matched);
            tokens.push(Token { kind, channel, start, end, line: 1, column: start, origin });
            at = end;
        }
        tokens.push(Token::end_of_input(at, 1, at));
        let found = Indentation::new(&names).filter(tokens, &Input::new(source));
        let visible: Vec<i32> = found.iter().filter(|token| token.visible()).map(|token| token.kind).collect();
        assert_eq!(visible, [1, 2, 3, 1, 6, 7, 2, 4, 1, 2, EOF]);
    }
}
