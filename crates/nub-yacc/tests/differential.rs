//! A comparison with the tables of another library, on random grammars and all short inputs.
//!
//! `lrtable` builds LR(1) tables with Pager's algorithm. Where our LALR(1) tables have no conflict, the grammar is
//! LR(1) too, and both parsers have to accept the same inputs with the same productions in the same order.

mod common;

use cfgrammar::yacc::{YaccGrammar, YaccKind, YaccOriginalActionKind};
use lrtable::{Action, Minimiser, StateTable, from_yacc};
use nub_yacc::{Language, NodeKind};
use proptest::prelude::*;

type Grammar = Vec<Vec<Vec<u8>>>;

/// Three rules over three tokens. Symbols below 3 are tokens, the others rules.
fn grammars() -> impl Strategy<Value = Grammar> {
    let alternative = prop::collection::vec(0..6u8, 0..4);
    prop::collection::vec(prop::collection::vec(alternative, 1..4), 3)
}

fn written(grammar: &Grammar) -> String {
    let symbol = |&symbol: &u8| match symbol {
        0..3 => format!("'{}'", (b'a' + symbol) as char),
        _ => format!("r{}", symbol - 3),
    };
    let rules = grammar.iter().enumerate().map(|(rule, alternatives)| {
        let alternatives: Vec<String> =
            alternatives.iter().map(|symbols| symbols.iter().map(symbol).collect::<Vec<_>>().join(" ")).collect();
        format!("r{rule}: {};\n", alternatives.join(" | "))
    });
    format!("%start r0\n%%\n{}", rules.collect::<String>())
}

/// The productions that the other parser reduces, in order; `None` if it rejects the input.
fn reductions(grammar: &YaccGrammar<u32>, table: &StateTable<u32>, input: &str) -> Option<Vec<String>> {
    let mut stack = vec![table.start_state()];
    let mut found = vec![];
    let mut rest = input.chars().map(|c| grammar.token_idx(&c.to_string()));
    let mut token = rest.next();
    for _ in 0..1000 {
        let ahead = match token {
            None => grammar.eof_token_idx(),
            Some(token) => token?,
        };
        match table.action(*stack.last()?, ahead) {
            Action::Shift(state) => {
                stack.push(state);
                token = rest.next();
            }
            Action::Reduce(production) => {
                let rule = grammar.prod_to_rule(production);
                let length = grammar.prod(production).len();
                stack.truncate(stack.len() - length);
                stack.push(table.goto(*stack.last()?, rule)?);
                found.push(format!("{}/{length}", grammar.rule_name_str(rule)));
            }
            Action::Accept => return Some(found),
            Action::Error => return None,
        }
    }
    None
}

/// The same from our trees: an LR parser reduces in post-order.
fn ours(language: &Language, input: &str) -> Option<Vec<String>> {
    let tree = language.parse(input.as_bytes());
    if !tree.errors().is_empty() {
        return None;
    }
    let mut found = vec![];
    let mut stack = vec![(tree.root(), false)];
    while let Some((node, done)) = stack.pop() {
        let NodeKind::Rule(production) = tree.kind(node) else { continue };
        if done {
            let production = language.grammar().production(production);
            let name = &language.grammar().rule(production.rule).name;
            found.push(format!("{name}/{}", production.symbols.len()));
        } else {
            stack.push((node, true));
            stack.extend(tree.children(node).iter().rev().map(|&child| (child, false)));
        }
    }
    Some(found)
}

fn inputs() -> Vec<String> {
    let mut all = vec![String::new()];
    let mut from = 0;
    for _ in 0..5 {
        let end = all.len();
        for at in from..end {
            for c in ["a", "b", "c"] {
                all.push(all[at].clone() + c);
            }
        }
        from = end;
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, max_global_rejects: 100_000, ..ProptestConfig::default() })]

    #[test]
    fn the_same_language_and_the_same_trees(grammar in grammars()) {
        let text = written(&grammar);
        let lexer = "%%\n[abc] return yytext[0];\n";
        let Ok(language) = Language::from_sources(("r.y", &text), Some(("r.l", lexer)), None) else {
            return Err(TestCaseError::reject("no finite text"));
        };
        prop_assume!(language.conflict_counts() == (0, 0));
        let kind = YaccKind::Original(YaccOriginalActionKind::NoAction);
        // The libraries disagree about useless rules.
        let Ok(theirs) = YaccGrammar::<u32>::new_with_storaget(kind, &text) else {
            return Err(TestCaseError::reject("rejected by the other library"));
        };
        let Ok((_, table)) = from_yacc(&theirs, Minimiser::Pager) else {
            return Err(TestCaseError::reject("rejected by the other library"));
        };
        prop_assume!(language.grammar().productions().iter().all(|production| production.useful));
        prop_assert!(table.conflicts().is_none());
        for input in inputs() {
            prop_assert_eq!(ours(&language, &input), reductions(&theirs, &table, &input), "{}\n{:?}", text, input);
        }
    }
}
