//! Parses the inline code of grammars if it is simple.
//!
//! Grammars contain code in Java, Python, C# or another language between their braces. Most of it is one call or a
//! comparison, which looks much the same in all of them.

/// A simple expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expr {
    Bool(bool),
    Int(i64),
    Text(String),
    Null,
    /// A name by itself; `$` is dropped.
    Name(String),
    /// A name after a dot.
    Field(Box<Expr>, String),
    /// A call. Calls on the recogniser itself (`this.`, `self.`, …) have no receiver.
    Call(Option<Box<Expr>>, String, Vec<Expr>),
    Not(Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Compare(Order, Box<Expr>, Box<Expr>),
    Sum(Box<Expr>, Box<Expr>, i64),
    /// An assignment to a field of the recogniser.
    Set(String, Box<Expr>),
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Word {
    Name(String),
    Int(i64),
    Text(String),
    Sign(&'static str),
}

const SIGNS: [&str; 23] = [
    "===", "!==", "==", "!=", "<=", ">=", "&&", "||", "->", "::", "(", ")", "[", "]", ".", ",", ";", "!", "<", ">",
    "+", "-", "=",
];

/// How the recogniser refers to itself in ANTLR's target languages.
const RECOGNISER: [&str; 10] = ["this", "self", "recog", "recognizer", "super", "base", "l", "p", "lexer", "parser"];

fn words(text: &str) -> Option<Vec<Word>> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if first.is_alphabetic() || first == '_' || first == '$' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').unwrap_or(rest.len());
            words.push(Word::Name(rest[..end].trim_start_matches('$').to_owned()));
            end
        } else if first.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
            let digits = rest[..end].trim_end_matches(['L', 'l']);
            let number = match digits.strip_prefix("0x") {
                Some(hex) => i64::from_str_radix(hex, 16),
                None => digits.parse(),
            };
            words.push(Word::Int(number.ok()?));
            end
        } else if first == '"' || first == '\'' {
            let (text, end) = quoted(rest, first)?;
            words.push(Word::Text(text));
            end
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign))?;
            words.push(Word::Sign(sign));
            sign.len()
        };
        rest = rest[length..].trim_start();
    }
    Some(words)
}

/// A quoted literal, and its length.
fn quoted(text: &str, quote: char) -> Option<(String, usize)> {
    let mut value = String::new();
    let mut characters = text.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => value.push(match characters.next()?.1 {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                other => other,
            }),
            _ if character == quote => return Some((value, at + 1)),
            _ => value.push(character),
        }
    }
    None
}

/// Reads statements separated by semicolons; `None` if one of them is not simple.
pub(crate) fn statements(text: &str) -> Option<Vec<Expr>> {
    let words = words(text)?;
    let mut reader = Reader { words, at: 0, depth: 0 };
    let mut statements = Vec::new();
    while reader.at < reader.words.len() {
        if reader.eat(";") {
            continue;
        }
        statements.push(reader.statement()?);
        if reader.at < reader.words.len() && !reader.eat(";") {
            return None;
        }
    }
    Some(statements)
}

/// Reads one expression.
pub(crate) fn expression(text: &str) -> Option<Expr> {
    let mut all = statements(text)?;
    if all.len() == 1 { all.pop() } else { None }
}

/// A name without capitals and underscores: languages spell the same method differently.
pub(crate) fn normalise(name: &str) -> String {
    name.chars().filter(|&c| c != '_').flat_map(char::to_lowercase).collect()
}

struct Reader {
    words: Vec<Word>,
    at: usize,
    depth: usize,
}

/// Code nested deeper than this does not count as simple.
const DEPTH: usize = 64;

impl Reader {
    fn eat(&mut self, sign: &str) -> bool {
        let found = self.words.get(self.at).is_some_and(|word| matches!(word, Word::Sign(s) if *s == sign));
        self.at += usize::from(found);
        found
    }

    fn eat_name(&mut self, name: &str) -> bool {
        let found = self.words.get(self.at).is_some_and(|word| matches!(word, Word::Name(n) if n == name));
        self.at += usize::from(found);
        found
    }

    fn statement(&mut self) -> Option<Expr> {
        let value = self.or()?;
        if !self.eat("=") {
            return Some(value);
        }
        let name = match value {
            Expr::Name(name) => name,
            Expr::Field(of, name) if is_recogniser(&of) => name,
            _ => return None,
        };
        Some(Expr::Set(name, Box::new(self.or()?)))
    }

    fn or(&mut self) -> Option<Expr> {
        self.depth += 1;
        if self.depth > DEPTH {
            return None;
        }
        let mut left = self.and()?;
        while self.eat("||") || self.eat_name("or") {
            left = Expr::Or(Box::new(left), Box::new(self.and()?));
        }
        self.depth -= 1;
        Some(left)
    }

    fn and(&mut self) -> Option<Expr> {
        let mut left = self.not()?;
        while self.eat("&&") || self.eat_name("and") {
            left = Expr::And(Box::new(left), Box::new(self.not()?));
        }
        Some(left)
    }

    fn not(&mut self) -> Option<Expr> {
        let mut negations = 0;
        // In Python `not` binds more weakly than a comparison, elsewhere `!` binds more strongly. The operand of `!` is
        // then a call or in parentheses, so the caller reads the comparison after it.
        while self.eat_name("not") {
            negations += 1;
        }
        let mut value = self.comparison()?;
        for _ in 0..negations {
            value = Expr::Not(Box::new(value));
        }
        Some(value)
    }

    fn comparison(&mut self) -> Option<Expr> {
        let left = self.sum()?;
        let orders = [
            ("===", Order::Equal),
            ("==", Order::Equal),
            ("!==", Order::Unequal),
            ("!=", Order::Unequal),
            ("<=", Order::LessOrEqual),
            (">=", Order::GreaterOrEqual),
            ("<", Order::Less),
            (">", Order::Greater),
        ];
        for (sign, order) in orders {
            if self.eat(sign) {
                return Some(Expr::Compare(order, Box::new(left), Box::new(self.sum()?)));
            }
        }
        Some(left)
    }

    fn sum(&mut self) -> Option<Expr> {
        let mut left = self.unary()?;
        loop {
            let sign = if self.eat("+") {
                1
            } else if self.eat("-") {
                -1
            } else {
                return Some(left);
            };
            left = Expr::Sum(Box::new(left), Box::new(self.unary()?), sign);
        }
    }

    fn unary(&mut self) -> Option<Expr> {
        self.depth += 1;
        if self.depth > DEPTH {
            return None;
        }
        let value = if self.eat("!") {
            Expr::Not(Box::new(self.unary()?))
        } else if self.eat("-") {
            Expr::Sum(Box::new(Expr::Int(0)), Box::new(self.unary()?), -1)
        } else {
            self.postfix()?
        };
        self.depth -= 1;
        Some(value)
    }

    fn postfix(&mut self) -> Option<Expr> {
        let mut value = self.primary()?;
        loop {
            if self.eat(".") || self.eat("->") || self.eat("::") {
                let Some(Word::Name(name)) = self.words.get(self.at).cloned() else { return None };
                self.at += 1;
                value = Expr::Field(Box::new(value), name);
            } else if self.eat("(") {
                let arguments = self.arguments()?;
                value = match value {
                    Expr::Name(name) => Expr::Call(None, normalise(&name), arguments),
                    Expr::Field(of, name) if is_recogniser(&of) => Expr::Call(None, normalise(&name), arguments),
                    Expr::Field(of, name) => Expr::Call(Some(of), normalise(&name), arguments),
                    _ => return None,
                };
            } else {
                return Some(value);
            }
        }
    }

    fn arguments(&mut self) -> Option<Vec<Expr>> {
        let mut arguments = Vec::new();
        while !self.eat(")") {
            arguments.push(self.or()?);
            if !self.eat(",") && !matches!(self.words.get(self.at), Some(Word::Sign(")"))) {
                return None;
            }
        }
        Some(arguments)
    }

    fn primary(&mut self) -> Option<Expr> {
        if self.eat("(") {
            let value = self.or()?;
            return self.eat(")").then_some(value);
        }
        let word = self.words.get(self.at)?.clone();
        self.at += 1;
        Some(match word {
            Word::Int(number) => Expr::Int(number),
            Word::Text(text) => Expr::Text(text),
            Word::Name(name) => match name.as_str() {
                "true" | "True" | "TRUE" => Expr::Bool(true),
                "false" | "False" | "FALSE" => Expr::Bool(false),
                "null" | "None" | "nil" | "nullptr" | "undefined" => Expr::Null,
                _ => Expr::Name(name),
            },
            Word::Sign(_) => return None,
        })
    }
}

fn is_recogniser(expr: &Expr) -> bool {
    matches!(expr, Expr::Name(name) if RECOGNISER.contains(&name.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_spell_one_call_in_many_ways() {
        let call = Some(Expr::Call(None, "isstrictmode".to_owned(), Vec::new()));
        for text in ["this.IsStrictMode()", " self.isStrictMode() ", "this->is_strict_mode();", "IsStrictMode()"] {
            assert_eq!(expression(text), call, "{text}");
        }
        let negated = call.map(|call| Expr::Not(Box::new(call)));
        assert_eq!(expression("not self.isStrictMode()"), negated);
        assert_eq!(expression("!this.IsStrictMode()"), negated);
    }

    #[test]
    fn code_that_is_not_simple_is_rejected() {
        for text in ["if (x) { y(); }", "x ? y : z", "int i = 0;", "f(", "'", "a b"] {
            assert_eq!(statements(text), None, "{text}");
        }
        assert_eq!(statements(""), Some(Vec::new()));
        assert_eq!(expression(&"(".repeat(10_000)), None);
    }
}
