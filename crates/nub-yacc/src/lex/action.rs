//! What an action of a lex file does, determined without running it.
//!
//! Most actions are `return NAME;` after some assignments that do not matter here. The other common forms are
//! recognised as well: `return yytext[0];`, `BEGIN(STATE);`, `yymore()`, `yyless(2)`, a macro around a token, a
//! function in the same file that returns one. Everything else gets a message that says what to do.

use super::{Act, Begin, Pattern, Returned};
use crate::{
    code::{bare, braced},
    diagnostic::Report,
    grammar::{Grammar, TokenId},
};
use std::{collections::HashMap, ops::Range};

/// What the names in actions mean.
pub(crate) struct Context<'a> {
    pub(crate) grammar: &'a Grammar,
    pub(crate) conditions: &'a HashMap<String, usize>,
    /// The whole file, for functions that actions call.
    pub(crate) source: &'a str,
}

/// A word of C.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Word {
    Name(String),
    Char(String),
    Number(i64),
    Other(char),
}

fn words(code: &str) -> Vec<Word> {
    let mut words = vec![];
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let length = |wanted: fn(char) -> bool| rest.find(|c: char| !wanted(c)).unwrap_or(rest.len());
        let taken = if first.is_ascii_alphabetic() || first == '_' {
            let end = length(|c| c.is_ascii_alphanumeric() || c == '_');
            words.push(Word::Name(rest[..end].to_owned()));
            end
        } else if first.is_ascii_digit() {
            let end = length(|c| c.is_ascii_alphanumeric());
            words.push(Word::Number(rest[..end].parse().unwrap_or(-1)));
            end
        } else if first == '\'' {
            let end = crate::code::quoted(rest.as_bytes(), 0).unwrap_or(1);
            words.push(Word::Char(crate::code::unescape(rest.get(1..end.max(2) - 1).unwrap_or_default())));
            end
        } else {
            if !first.is_whitespace() {
                words.push(Word::Other(first));
            }
            first.len_utf8()
        };
        rest = rest.get(taken..).unwrap_or_default();
    }
    words
}

/// Analyses an action. Without a pattern, it is the action at the end of the input.
pub(crate) fn understand(
    context: &Context<'_>,
    pattern: Option<&Pattern>,
    span: &Range<usize>,
    report: &mut Report<'_>,
) -> Act {
    let code = &context.source[span.clone()];
    // lrlex's format: the name of the token in quotation marks, or just a semicolon.
    if let Some(name) = code.trim().strip_prefix(['"', '\'']).and_then(|rest| rest.strip_suffix(['"', '\''])) {
        let token = context.grammar.find_token(name).or_else(|| context.grammar.find_literal(name));
        if token.is_none() {
            report.warning(span, format!("the grammar has no token {name:?}"), "");
        }
        return Act { returned: token.map_or(Returned::Unknown, Returned::Token), ..Act::SKIP };
    }
    let words = words(&bare(code));
    let mut act = Act { begin: begin(context, &words, span, report), ..Act::SKIP };
    act.more = calls(&words, "yymore").is_some();
    act.less = calls(&words, "yyless").and_then(|arguments| match arguments {
        [Word::Number(number)] => usize::try_from(*number).ok(),
        _ => None,
    });
    if calls(&words, "yyless").is_some() && act.less.is_none() {
        report.warning(span, "the argument of yyless() is not a constant: the call is ignored", "");
    }
    if has(&words, "REJECT") {
        report.warning(span, "REJECT is ignored: the longest match always wins", "");
    }
    act.returned = returned(context, pattern, &words, span, report);
    if act.returned == Returned::Nothing
        && act.begin.is_none()
        && let Some(pattern) = pattern
    {
        act.until = reads_on(context, pattern, &words, span, report);
    }
    act
}

fn has(words: &[Word], name: &str) -> bool {
    words.iter().any(|word| matches!(word, Word::Name(found) if found == name))
}

/// The arguments of a call.
fn calls<'a>(words: &'a [Word], name: &str) -> Option<&'a [Word]> {
    let at = words.iter().position(|word| matches!(word, Word::Name(found) if found == name))?;
    (words.get(at + 1) == Some(&Word::Other('('))).then(|| arguments(&words[at + 1..]))
}

/// The tokens inside the first parentheses.
fn arguments(words: &[Word]) -> &[Word] {
    let mut depth = 0;
    for (at, word) in words.iter().enumerate() {
        match word {
            Word::Other('(') => depth += 1,
            Word::Other(')') => {
                depth -= 1;
                if depth == 0 {
                    return &words[1..at];
                }
            }
            _ => {}
        }
    }
    words.get(1..).unwrap_or_default()
}

/// `BEGIN(NAME)`, `BEGIN NAME`, `yy_push_state(NAME)`, `yy_pop_state()`
fn begin(context: &Context<'_>, words: &[Word], span: &Range<usize>, report: &mut Report<'_>) -> Option<Begin> {
    let mut found = None;
    for (at, word) in words.iter().enumerate() {
        let Word::Name(name) = word else { continue };
        let push = match name.as_str() {
            "BEGIN" | "yybegin" => false,
            "yy_push_state" => true,
            "yy_pop_state" => {
                found = Some(Begin::Pop);
                continue;
            }
            _ => continue,
        };
        let target = words[at + 1..].iter().find(|word| **word != Word::Other('('));
        let condition = match target {
            Some(Word::Name(name)) => context.conditions.get(name).copied(),
            Some(Word::Number(0)) => Some(0),
            _ => None,
        };
        match condition {
            Some(condition) => found = Some(if push { Begin::Push(condition) } else { Begin::To(condition) }),
            None => report.warning(
                span,
                "the start condition that this enters is not a constant: INITIAL is used instead",
                "for another one, write BEGIN(NAME)",
            ),
        }
        if condition.is_none() {
            found = Some(Begin::To(0));
        }
    }
    found
}

/// The value of an expression.
enum Value {
    Is(Returned),
    /// One of these.
    Several(Vec<TokenId>),
    /// The end of the input.
    End,
    /// A token that the grammar does not have.
    NoSuchToken(String),
    /// It cannot be determined.
    Open,
}

fn returned(
    context: &Context<'_>,
    pattern: Option<&Pattern>,
    words: &[Word],
    span: &Range<usize>,
    report: &mut Report<'_>,
) -> Returned {
    let values: Vec<Value> = returns(words).map(|expression| value(context, expression, true)).collect();
    if values.is_empty() {
        return in_macro(context, words, span, report);
    }
    let name = |token: TokenId| &context.grammar.token(token).name;
    let mut found: Vec<Returned> = vec![];
    for value in values {
        match value {
            Value::Is(returned) => found.push(returned),
            Value::Several(tokens) => found.extend(tokens.into_iter().map(Returned::Token)),
            Value::End if pattern.is_none() => found.push(Returned::Nothing),
            Value::End => {
                report.warning(span, "the lexer ends the input here; nub continues reading", "");
                found.push(Returned::Nothing);
            }
            Value::NoSuchToken(name) => {
                let hint = format!("it is a syntax error everywhere unless the grammar declares `%token {name}`");
                report.warning(span, format!("the grammar has no token {name}"), hint);
                found.push(Returned::Unknown);
            }
            // A single character is usually its own token.
            Value::Open if pattern.is_some_and(|pattern| pattern.main.properties().maximum_len() == Some(1)) => {
                let message = "the value that this action returns is not known: the character itself is assumed";
                report.warning(span, message, "if that is wrong, write `return NAME;`");
                found.push(Returned::FirstByte);
            }
            Value::Open => {
                let message = "the token that this action returns is not known";
                report.warning(span, message, "write `return NAME;`, with the token it returns most often");
                found.push(Returned::Unknown);
            }
        }
    }
    found.dedup();
    // The choice depends on conditions. The last token is usually the one returned when nothing special was found.
    let known: Vec<&str> = (found.iter())
        .filter_map(|returned| match returned {
            Returned::Token(token) => Some(name(*token).as_str()),
            _ => None,
        })
        .collect();
    let last = found.iter().rev().find(|returned| matches!(returned, Returned::Token(_)));
    let chosen = last.or(found.last()).cloned().unwrap_or(Returned::Nothing);
    if found.len() > 1
        && known.len() > 1
        && let Returned::Token(token) = chosen
    {
        let message =
            format!("this action returns {} depending on a condition: {} is assumed", known.join(" or "), name(token));
        report.warning(span, message, "");
    }
    chosen
}

/// The expressions after `return`.
fn returns(words: &[Word]) -> impl Iterator<Item = &[Word]> {
    let starts = words.iter().enumerate().filter(|(_, word)| matches!(word, Word::Name(name) if name == "return"));
    starts.map(|(at, _)| {
        let rest = &words[at + 1..];
        let end = rest.iter().position(|word| *word == Word::Other(';')).unwrap_or(rest.len());
        &rest[..end]
    })
}

fn value(context: &Context<'_>, expression: &[Word], follow: bool) -> Value {
    let grammar = context.grammar;
    let names = || {
        expression.iter().filter_map(|word| match word {
            Word::Name(name) => Some(name.as_str()),
            _ => None,
        })
    };
    let mut tokens: Vec<TokenId> = names().filter_map(|name| grammar.find_token(name)).collect();
    let characters = expression.iter().filter_map(|word| match word {
        Word::Char(text) => grammar.find_literal(text),
        _ => None,
    });
    tokens.extend(characters);
    tokens.dedup();
    match tokens.as_slice() {
        [] => {}
        &[token] => return Value::Is(Returned::Token(token)),
        _ => return Value::Several(tokens),
    }
    let called = expression.windows(2).any(|two| matches!(two, [Word::Name(_), Word::Other('(')]));
    let first = expression.windows(3).any(|three| three == [Word::Other('['), Word::Number(0), Word::Other(']')]);
    // `yytext[0]`, perhaps as an argument; `*yytext`; and `yyget_text(scanner)[0]`, with any prefix.
    let text = names().any(|name| name == "yytext" && (first || !called) || name.ends_with("get_text") && first);
    if text {
        return Value::Is(Returned::FirstByte);
    }
    let numbers = expression.iter().filter(|word| !matches!(word, Word::Other('(' | ')')));
    if let [Word::Number(number)] = numbers.collect::<Vec<_>>().as_slice() {
        return match number {
            0 => Value::End,
            _ => match grammar.find_number(*number) {
                Some(token) => Value::Is(Returned::Token(token)),
                None => Value::NoSuchToken(number.to_string()),
            },
        };
    }
    if let Some(Word::Char(text)) = expression.iter().find(|word| matches!(word, Word::Char(_))) {
        return Value::NoSuchToken(format!("'{}'", text.escape_debug()));
    }
    let called = expression.windows(2).find_map(|two| match two {
        [Word::Name(name), Word::Other('(')] => Some(name),
        _ => None,
    });
    if let Some(name) = called {
        // Only one level deep: a function that calls another is not understood.
        let Some(body) = function(context.source, name).filter(|_| follow) else { return Value::Open };
        let body = words(&bare(body));
        let mut found: Vec<TokenId> = vec![];
        for expression in returns(&body) {
            match value(context, expression, false) {
                Value::Is(Returned::Token(token)) => found.push(token),
                Value::Is(Returned::FirstByte) => return Value::Is(Returned::FirstByte),
                Value::Several(tokens) => found.extend(tokens),
                _ => {}
            }
        }
        found.dedup();
        return match found.as_slice() {
            [] => Value::Open,
            &[token] => Value::Is(Returned::Token(token)),
            _ => Value::Several(found),
        };
    }
    let constant = |name: &&str| name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    match names().find(constant) {
        Some(name) => Value::NoSuchToken(name.to_owned()),
        None if expression.is_empty() => Value::Is(Returned::Nothing),
        None => Value::Open,
    }
}

/// Names followed by parentheses that are not macros around a token.
const NO_MACROS: [&str; 11] =
    ["BEGIN", "yybegin", "yy_push_state", "yyless", "if", "while", "for", "switch", "sizeof", "printf", "fprintf"];

/// The token in a macro that hides a `return`: `TOKEN(IF);`
fn in_macro(context: &Context<'_>, words: &[Word], span: &Range<usize>, report: &mut Report<'_>) -> Returned {
    for (at, word) in words.iter().enumerate() {
        let Word::Name(name) = word else { continue };
        if words.get(at + 1) != Some(&Word::Other('(')) || NO_MACROS.contains(&name.as_str()) {
            continue;
        }
        let inside = arguments(&words[at + 1..]).iter().find_map(|word| match word {
            Word::Name(name) => context.grammar.find_token(name),
            Word::Char(text) => context.grammar.find_literal(text),
            _ => None,
        });
        if let Some(token) = inside {
            let token_name = &context.grammar.token(token).name;
            // Once per macro: whole lexers are written like this.
            let start = format!("{name}(…) is assumed to be a macro that returns its token");
            if !report.messages.iter().any(|message| message.message.starts_with(&start)) {
                report.warning(span, format!("{start}, here {token_name}"), "");
            }
            return Returned::Token(token);
        }
    }
    Returned::Nothing
}

/// The body of a function in the file.
fn function<'a>(source: &'a str, name: &str) -> Option<&'a str> {
    let text = source.as_bytes();
    let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    source.match_indices(name).find_map(|(at, _)| {
        let mut end = at + name.len();
        if at > 0 && is_word(text.get(at - 1)) || is_word(text.get(end)) {
            return None;
        }
        let blanks = |mut at: usize| {
            while text.get(at).is_some_and(u8::is_ascii_whitespace) {
                at += 1;
            }
            at
        };
        end = blanks(end);
        if text.get(end) != Some(&b'(') {
            return None;
        }
        let close = end + source.get(end..)?.find(')')?;
        let open = blanks(close + 1);
        (text.get(open) == Some(&b'{')).then(|| braced(text, open).and_then(|close| source.get(open..close)))?
    })
}

/// How far an action that starts a comment reads with `input()`, as in the oldest lex files.
fn reads_on(
    context: &Context<'_>,
    pattern: &Pattern,
    words: &[Word],
    span: &Range<usize>,
    report: &mut Report<'_>,
) -> Option<&'static str> {
    let reads = |words: &[Word]| ["input", "yyinput"].iter().any(|name| calls(words, name).is_some());
    let by_function = words.iter().enumerate().any(|(at, word)| match word {
        Word::Name(name) if words.get(at + 1) == Some(&Word::Other('(')) => {
            name.contains("comment")
                || function(context.source, name).is_some_and(|body| reads(&self::words(&bare(body))))
        }
        _ => false,
    });
    if !reads(words) && !by_function {
        return None;
    }
    let until = match pattern.main.to_string().as_str() {
        r"(?:/\*)" => "*/",
        "(?://)" => "\n",
        _ => {
            let message = "this action reads more input by itself, and how much is not known: only the text that the \
                           expression matches is skipped";
            report.warning(span, message, "write an expression that matches all of it");
            return None;
        }
    };
    Some(until)
}
