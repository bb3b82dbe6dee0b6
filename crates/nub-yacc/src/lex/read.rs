//! Splitting a lex file into its parts.

use super::{
    Act, LexRule, LexRules,
    action::{self, Context},
    pattern::{self, Definitions},
};
use crate::{
    code::{braced, comment, line_end, quoted},
    diagnostic::{Report, Source},
    grammar::Grammar,
};
use std::{collections::HashMap, ops::Range};

/// Reads a lex file whose tokens are declared in the grammar.
pub(crate) fn read(source: &Source, grammar: &Grammar, report: &mut Report<'_>) -> LexRules {
    let mut reader = Reader {
        text: &source.text,
        at: 0,
        definitions: Definitions::default(),
        conditions: HashMap::from([("INITIAL".to_owned(), 0), ("0".to_owned(), 0)]),
        exclusive: vec![false],
        found: vec![],
    };
    if source.text.contains("/*!re2c") {
        let hint = "define the tokens in the third section of the grammar instead";
        report.file_error("this is an re2c file, not a lex file", hint);
        return LexRules::default();
    }
    if reader.definitions(report) {
        reader.rules(report);
    } else {
        report.messages.clear();
        report.file_error("there are no rules", "the rules of a lex file come after a line with %%");
    }
    let Reader { text, conditions, exclusive, found, .. } = reader;
    let context = Context { grammar, conditions: &conditions, source: text };
    let mut rules = LexRules { conditions: exclusive.len(), ..LexRules::default() };
    // From last to first, because `|` means "the same action as the next rule".
    let mut next: Option<Act> = None;
    for Found { names, pattern, span, code } in found.into_iter().rev() {
        let act = match text[code.clone()].trim() {
            "|" => next.clone().unwrap_or(Act::SKIP),
            _ => action::understand(&context, pattern.as_ref(), &code, report),
        };
        next = Some(act.clone());
        let all = || (0..exclusive.len()).collect();
        let conditions: Vec<usize> = match &names {
            None => (0..exclusive.len()).filter(|&condition| !exclusive[condition]).collect(),
            Some(names) if names.iter().any(|name| name == "*") => all(),
            Some(names) => {
                let unknown = names.iter().find(|name| !conditions.contains_key(*name));
                if let Some(name) = unknown {
                    let hint = format!("declare it in the first section: `%x {name}`");
                    report.error(&span, format!("there is no start condition {name}"), hint);
                }
                names.iter().filter_map(|name| conditions.get(name).copied()).collect()
            }
        };
        match pattern {
            Some(pattern) => rules.rules.push(LexRule { conditions, pattern, act, span, shortest: None }),
            None => rules.at_end.extend(conditions.into_iter().map(|condition| (condition, act.clone()))),
        }
    }
    rules.rules.reverse();
    rules
}

/// A rule whose action has not been analysed yet.
struct Found {
    /// The start conditions that it names.
    names: Option<Vec<String>>,
    /// `None` for `<<EOF>>`.
    pattern: Option<super::Pattern>,
    span: Range<usize>,
    code: Range<usize>,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    definitions: Definitions,
    conditions: HashMap<String, usize>,
    exclusive: Vec<bool>,
    found: Vec<Found>,
}

impl Reader<'_> {
    fn bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn line(&self) -> &str {
        &self.text[self.at..line_end(self.bytes(), self.at)]
    }

    fn next_line(&mut self) {
        self.at = (line_end(self.bytes(), self.at) + 1).min(self.text.len());
    }

    /// Skips `%{ … %}`.
    fn skip_code(&mut self) {
        let end = self.rest().find("\n%}").map_or(self.text.len(), |end| self.at + end + 1);
        self.at = end;
        self.next_line();
    }

    /// The first section. Returns whether there is a second one.
    fn definitions(&mut self, report: &mut Report<'_>) -> bool {
        while self.at < self.text.len() {
            let line = self.line().to_owned();
            if line.starts_with("%%") {
                self.next_line();
                return true;
            }
            if line.starts_with("%{") {
                self.skip_code();
            } else if let Some(rest) = line.strip_prefix("%top") {
                let open = self.at + "%top".len() + rest.find('{').unwrap_or(0);
                self.at = braced(self.bytes(), open).unwrap_or(self.text.len());
                self.next_line();
            } else if line.starts_with("/*") {
                self.at = comment(self.bytes(), self.at).unwrap_or(self.text.len());
                self.next_line();
            } else if let Some(directive) = line.strip_prefix('%') {
                self.directive(directive);
                self.next_line();
            } else if line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
                self.definition(&line, report);
                self.next_line();
            } else {
                // Indented lines are code, which may begin a multi-line comment.
                let indent = line.len() - line.trim_start().len();
                match comment(self.bytes(), self.at + indent) {
                    Some(end) if line[indent..].starts_with("/*") => self.at = end,
                    _ => {}
                }
                self.next_line();
            }
        }
        false
    }

    fn directive(&mut self, directive: &str) {
        let mut words = directive.split_ascii_whitespace();
        let Some(name) = words.next() else { return };
        match name {
            "option" => {
                let insensitive = ["case-insensitive", "caseless"];
                self.definitions.ignore_case |= words.any(|word| insensitive.contains(&word));
            }
            // `%s`, `%start` and `%S` mean the same.
            _ if name.starts_with(['s', 'S', 'x', 'X']) => {
                for word in words.flat_map(|word| word.split(',')).filter(|word| !word.is_empty()) {
                    let next = self.exclusive.len();
                    if *self.conditions.entry(word.to_owned()).or_insert(next) == next {
                        self.exclusive.push(name.starts_with(['x', 'X']));
                    }
                }
            }
            // Table sizes, %array, %pointer: all about the generated program.
            _ => {}
        }
    }

    fn definition(&mut self, line: &str, report: &mut Report<'_>) {
        let end = line.find(|c: char| c.is_ascii_whitespace()).unwrap_or(line.len());
        let (name, text) = (&line[..end], line[end..].trim());
        let text = without_comment(text);
        if text.is_empty() {
            let hint = "a definition is a name, a blank and a regular expression";
            report.error(&(self.at..self.at + end), format!("the definition of {name} is empty"), hint);
        }
        self.definitions.texts.insert(name.to_owned(), text.to_owned());
    }

    /// The second section.
    fn rules(&mut self, report: &mut Report<'_>) {
        // The start conditions of the open `<NAME>{ … }` blocks.
        let mut blocks: Vec<Vec<String>> = vec![];
        while self.at < self.text.len() {
            let line = self.line();
            let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
            let trimmed = line.trim();
            if trimmed.is_empty() {
                self.next_line();
            } else if line.starts_with("%%") {
                return;
            } else if trimmed.starts_with("%{") {
                self.skip_code();
            } else if trimmed.starts_with("/*") || trimmed.starts_with("//") {
                self.at = comment(self.bytes(), self.at + indent).unwrap_or(self.text.len());
                self.next_line();
            } else if trimmed.starts_with('}') && !blocks.is_empty() {
                blocks.pop();
                // Often followed by a comment that says what ends here, perhaps on several lines.
                self.at += indent + 1;
                self.at += self.line().len() - self.line().trim_start().len();
                self.at = comment(self.bytes(), self.at).unwrap_or(self.at);
                self.next_line();
            } else if indent > 0 && blocks.is_empty() {
                // Code before the first rule, or code outside any rule.
                self.next_line();
            } else {
                self.at += indent;
                self.rule(&mut blocks, report);
            }
        }
    }

    fn rule(&mut self, blocks: &mut Vec<Vec<String>>, report: &mut Report<'_>) {
        let start = self.at;
        let mut names = blocks.last().cloned();
        if self.rest().starts_with('<') && !self.rest().starts_with("<<") {
            let Some(end) = self.line().find('>') else {
                report.error(
                    &(start..start + 1),
                    "this list of start conditions is never closed",
                    "`<NAME>expression`",
                );
                return self.next_line();
            };
            let list = self.text[start + 1..start + end].split(',').map(|name| name.trim().to_owned());
            names.get_or_insert_default().extend(list);
            self.at = start + end + 1;
            // `<A>{` opens a block, but `<A>{name}` is a definition.
            let rest = self.rest();
            if rest.starts_with('{') && !rest[1..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
                blocks.push(names.unwrap_or_default());
                return self.next_line();
            }
        }
        if self.rest().starts_with("<<EOF>>") {
            self.at += "<<EOF>>".len();
            let span = start..self.at;
            let code = self.code();
            self.found.push(Found { names, pattern: None, span, code });
            return;
        }
        match pattern::parse(self.text, self.at, &self.definitions) {
            Ok((pattern, end)) => {
                let span = start..end;
                self.at = end;
                let code = self.code();
                self.found.push(Found { names, pattern: Some(pattern), span, code });
            }
            Err((at, message)) => {
                report.error(&(at..at + 1), message, "");
                // The start of the action is unknown. The next blank is the best guess.
                let blank = self.line().find([' ', '\t']);
                self.at += blank.unwrap_or(0);
                self.code();
            }
        }
    }

    /// The action: the rest of the line, and further lines while braces are open.
    fn code(&mut self) -> Range<usize> {
        let text = self.text.as_bytes();
        let mut at = self.at;
        while matches!(text.get(at), Some(b' ' | b'\t')) {
            at += 1;
        }
        let start = at;
        if text[start..].starts_with(b"%{") {
            self.at = start;
            self.skip_code();
            return start + 2..self.at.max(start + 2);
        }
        while let Some(&byte) = text.get(at) {
            match byte {
                b'\n' => break,
                b'{' => at = braced(text, at).unwrap_or(text.len()),
                b'"' | b'\'' => at = quoted(text, at).unwrap_or(at + 1),
                b'/' => at = comment(text, at).unwrap_or(at + 1),
                _ => at += 1,
            }
        }
        let end = at.min(text.len());
        self.at = end;
        self.next_line();
        start..end
    }
}

/// A definition without a trailing comment.
fn without_comment(text: &str) -> &str {
    match text.find("/*") {
        // `/*` may also be part of the expression, quoted or escaped.
        Some(at) if at > 0 && text[..at].ends_with([' ', '\t']) && text.ends_with("*/") => text[..at].trim_end(),
        _ => text,
    }
}
