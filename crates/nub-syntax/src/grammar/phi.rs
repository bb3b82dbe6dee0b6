//! Phi: the shortest text of every symbol (Misherghi and Su, *HDD: hierarchical delta debugging*, ICSE 2006, §5).
//!
//! This is a fixed-point computation. At first no rule has a text. In every round, each rule gets the best
//! concatenation of its parts' texts so far. Options and repetitions contribute nothing; `x+` contributes one `x`. A
//! rule in a shortest derivation is never used inside itself, so nothing can change after as many rounds as there are
//! rules. A rule that still has no text has no finite sentence, or contains a token that only a program recognises; a
//! front end can supply texts for those (*overrides*).
//!
//! *Better* means: fewer characters; then, at the first difference, a letter before a punctuation mark before a digit;
//! then the smaller character. Letters come first because an identifier next to almost anything is still an identifier,
//! while `0` next to `.` is another number.
//!
//! A blank separates two tokens that would otherwise be read as one. This is decided heuristically ([`may_join`]), so a
//! front end checks the texts it is going to use and falls back on the [next best](Phi::candidates) one.

use super::{Expr, Grammar, RuleId, Text, word::shortest_word};
use nub_core::tree::may_join;
use std::{cmp::Ordering, collections::HashMap, sync::Arc};

/// The shortest texts of the rules of a grammar.
#[derive(Clone, Debug)]
pub struct Phi {
    rules: Vec<Option<Arc<str>>>,
    exprs: Vec<Option<Phrase>>,
    rounds: usize,
}

/// A text, and whether it must follow the text before it without a gap.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Phrase {
    text: Arc<str>,
    immediate: bool,
}

impl Phi {
    /// The shortest texts of all rules, given the texts in `overrides`.
    pub fn new(grammar: &Grammar, overrides: &HashMap<String, String>) -> Self {
        let fixed: Vec<Option<Phrase>> = (grammar.rules())
            .map(|(_, rule)| {
                overrides.get(&*rule.name).map(|text| Phrase { text: text.as_str().into(), immediate: false })
            })
            .collect();
        let glued = glued(grammar);
        let mut words: Vec<Option<Phrase>> = grammar.exprs().iter().map(terminal).collect();
        let mut rules = fixed.clone();
        let mut rounds = 0;
        // One round more than there are rules, to see that nothing changes. Most grammars need five or six.
        while rounds <= rules.len() {
            rounds += 1;
            for i in 0..words.len() {
                if let Some(phrase) = compose(grammar, i, &words, &rules, glued[i]) {
                    words[i] = Some(phrase);
                }
            }
            let mut changed = false;
            for (id, rule) in grammar.rules() {
                let Some(phrase) = rule.body.and_then(|body| words[body.index()].as_ref()) else { continue };
                let old = rules[id.index()].as_ref();
                if fixed[id.index()].is_none() && old.is_none_or(|old| better(&phrase.text, &old.text)) {
                    rules[id.index()] = Some(phrase.clone());
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        Self { rules: rules.into_iter().map(|phrase| Some(phrase?.text)).collect(), exprs: words, rounds }
    }

    /// The shortest text of a rule; `None` if it has none.
    pub fn of(&self, rule: RuleId) -> Option<&Arc<str>> {
        self.rules[rule.index()].as_ref()
    }

    /// The number of rounds that were needed.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// The rules that have no text.
    pub fn undefined<'a>(&'a self, grammar: &'a Grammar) -> impl Iterator<Item = RuleId> + 'a {
        grammar.rules().map(|(id, _)| id).filter(|id| self.rules[id.index()].is_none())
    }

    /// Texts of a rule, best first: one for every alternative that it has itself or through hidden rules. At most
    /// `limit`.
    pub fn candidates(&self, grammar: &Grammar, rule: RuleId, limit: usize) -> Vec<Arc<str>> {
        let mut texts: Vec<Arc<str>> = self.of(rule).cloned().into_iter().collect();
        let mut seen = vec![false; grammar.rules().len()];
        let mut todo: Vec<_> = grammar.rule(rule).body.into_iter().collect();
        seen[rule.index()] = true;
        while let Some(expr) = todo.pop() {
            match grammar.expr(expr) {
                Expr::Choice(parts) => todo.extend(parts.iter()),
                &Expr::Optional(part) | &Expr::Repeat(part) | &Expr::Repeat1(part) => todo.push(part),
                &Expr::Reference(rule) if grammar.rule(rule).kind.is_none() && !seen[rule.index()] => {
                    seen[rule.index()] = true;
                    todo.extend(grammar.rule(rule).body);
                    texts.extend(self.of(rule).cloned());
                }
                _ => texts.extend(self.exprs[expr.index()].as_ref().map(|phrase| Arc::clone(&phrase.text))),
            }
        }
        texts.sort_by(|a, b| compare(a, b));
        texts.dedup();
        texts.truncate(limit);
        texts
    }
}

/// Which expressions are inside a token, where nothing can separate two parts.
fn glued(grammar: &Grammar) -> Vec<bool> {
    let mut glued = vec![false; grammar.exprs().len()];
    // From wholes to parts.
    for (i, expr) in grammar.exprs().iter().enumerate().rev() {
        match expr {
            Expr::Terminal { text: Text::Composite(part), .. } => glued[part.index()] = true,
            Expr::Sequence(parts) | Expr::Choice(parts) if glued[i] => {
                parts.iter().for_each(|part| glued[part.index()] = true);
            }
            &Expr::Repeat(part) | &Expr::Repeat1(part) | &Expr::Optional(part) if glued[i] => {
                glued[part.index()] = true;
            }
            _ => {}
        }
    }
    glued
}

/// The texts that do not depend on other expressions.
fn terminal(expr: &Expr) -> Option<Phrase> {
    match expr {
        Expr::Terminal { text, immediate, .. } => {
            let text = match text {
                Text::Literal(text) => Some(text.to_string()),
                Text::Pattern(pattern) => shortest_word(pattern),
                Text::Composite(_) => None,
            };
            text.map(|text| Phrase { text: text.into(), immediate: *immediate })
        }
        Expr::Empty | Expr::Optional(_) | Expr::Repeat(_) => Some(Phrase { text: "".into(), immediate: false }),
        _ => None,
    }
}

/// The text of an expression, given the texts of its parts and of all rules so far.
fn compose(
    grammar: &Grammar,
    expr: usize,
    words: &[Option<Phrase>],
    rules: &[Option<Phrase>],
    glued: bool,
) -> Option<Phrase> {
    match &grammar.exprs()[expr] {
        Expr::Sequence(parts) => {
            let mut whole = String::new();
            let mut immediate = None;
            for part in parts {
                let Phrase { text, immediate: here } = words[part.index()].as_ref()?;
                if !text.is_empty() {
                    immediate = immediate.or(Some(*here));
                    if !glued && !here && joins(whole.as_bytes(), text.as_bytes()) {
                        whole.push(' ');
                    }
                    whole.push_str(text);
                }
            }
            Some(Phrase { text: whole.into(), immediate: immediate == Some(true) })
        }
        Expr::Choice(parts) => {
            let texts = parts.iter().filter_map(|part| words[part.index()].as_ref());
            texts.reduce(|a, b| if better(&b.text, &a.text) { b } else { a }).cloned()
        }
        &Expr::Repeat1(part) => words[part.index()].clone(),
        Expr::Terminal { text: Text::Composite(part), immediate, .. } => {
            words[part.index()].as_ref().map(|Phrase { text, .. }| Phrase { text: text.clone(), immediate: *immediate })
        }
        &Expr::Reference(rule) | &Expr::Alias(rule, _) => rules[rule.index()].clone(),
        // Known from the start.
        Expr::Empty | Expr::Optional(_) | Expr::Repeat(_) | Expr::Terminal { .. } => None,
    }
}

/// Whether `a` is better than `b`, as the [module](self) defines it.
pub fn better(a: &str, b: &str) -> bool {
    compare(a, b) == Ordering::Less
}

/// The order from better to worse, as the [module](self) defines it.
pub fn compare(a: &str, b: &str) -> Ordering {
    let rank = |c: char| match c {
        'a'..='z' => 0,
        'A'..='Z' | '_' => 1,
        '!'..='~' if !c.is_ascii_digit() => 2,
        '0'..='9' => 3,
        _ => 4,
    };
    let key = |text: &str| text.chars().map(|c| (rank(c), c)).collect::<Vec<_>>();
    a.chars().count().cmp(&b.chars().count()).then_with(|| key(a).cmp(&key(b)))
}

/// Whether two adjacent texts would be read as something else without a gap.
pub fn joins(left: &[u8], right: &[u8]) -> bool {
    left.last().zip(right.first()).is_some_and(|(&left, &right)| may_join(left, right))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn none() -> HashMap<String, String> {
        HashMap::new()
    }

    /// HDD thesis, §5.3: `E := E*E | E/E | E+E | E-E | (E) | N`.
    #[test]
    fn arithmetic() {
        let mut g = Grammar::new("arithmetic");
        let kinds = [g.kind("E", true), g.kind("N", true)];
        let (e, n) = (g.declare("E", Some(kinds[0])), g.declare("N", Some(kinds[1])));
        let mut alternatives = vec![];
        for operator in ["*", "/", "+", "-"] {
            let parts = [g.add(Expr::Reference(e)), g.literal(operator), g.add(Expr::Reference(e))];
            alternatives.push(g.sequence(parts));
        }
        let parts = [g.literal("("), g.add(Expr::Reference(e)), g.literal(")")];
        alternatives.push(g.sequence(parts));
        alternatives.push(g.add(Expr::Reference(n)));
        let body = g.choice(alternatives);
        g.define(e, body);
        let digit = g.pattern("[0-9]+");
        g.define(n, digit);
        let phi = Phi::new(&g, &none());
        assert_eq!(phi.of(e).map(|text| &**text), Some("0"));
        assert_eq!(phi.of(n).map(|text| &**text), Some("0"));
        assert!(phi.rounds() <= 3);
        assert_eq!(phi.candidates(&g, e, 3).iter().map(|text| &**text).collect::<Vec<_>>(), ["0", "(0)", "0*0"]);
    }

    /// HDD thesis, §5.1: one cycle with a finite string, because one member has another alternative, and one without.
    #[test]
    fn cycles() {
        let mut g = Grammar::new("cycles");
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| g.declare(name, None));
        // a := b x ; b := a | y ; c := d ; d := c z
        let parts = [g.add(Expr::Reference(b)), g.literal("x")];
        let body = g.sequence(parts);
        g.define(a, body);
        let parts = [g.add(Expr::Reference(a)), g.literal("y")];
        let body = g.choice(parts);
        g.define(b, body);
        let body = g.add(Expr::Reference(d));
        g.define(c, body);
        let parts = [g.add(Expr::Reference(c)), g.literal("z")];
        let body = g.sequence(parts);
        g.define(d, body);
        let phi = Phi::new(&g, &none());
        assert_eq!(phi.of(b).map(|text| &**text), Some("y"));
        assert_eq!(phi.of(a).map(|text| &**text), Some("y x"));
        assert_eq!(phi.undefined(&g).collect::<Vec<_>>(), [c, d]);
        assert!(phi.rounds() <= 5);
    }

    /// A chain in the worst order takes as many rounds as it has rules, but no more.
    #[test]
    fn rounds_are_bounded() {
        let mut g = Grammar::new("chain");
        let rules: Vec<RuleId> = (0..50).map(|i| g.declare(&format!("r{i}"), None)).collect();
        for (i, &rule) in rules.iter().enumerate() {
            let body = match rules.get(i + 1) {
                Some(&next) => g.add(Expr::Reference(next)),
                None => g.literal("end"),
            };
            g.define(rule, body);
        }
        let phi = Phi::new(&g, &none());
        assert_eq!(phi.of(rules[0]).map(|text| &**text), Some("end"));
        assert!(phi.rounds() <= rules.len() + 1);
    }

    #[test]
    fn blanks_only_where_needed() {
        let mut g = Grammar::new("separators");
        let rule = g.declare("r", None);
        let parts = ["if", "a", "(", ")", "-", "-", "a"].map(|text| g.literal(text));
        let body = g.sequence(parts);
        g.define(rule, body);
        assert_eq!(Phi::new(&g, &none()).of(rule).map(|text| &**text), Some("if a()- -a"));
        let overrides = HashMap::from([("r".to_owned(), "x".to_owned())]);
        assert_eq!(Phi::new(&g, &overrides).of(rule).map(|text| &**text), Some("x"));
    }
}
