//! For any grammar and any input: no panic, and nothing is lost.

mod common;

use common::{GRAMMARS, grammar, input, path};
use nub_yacc::{Language, NodeKind, Origin, ParseTree};
use proptest::prelude::*;
use std::sync::LazyLock;

static LANGUAGES: LazyLock<Vec<(Language, Vec<u8>)>> =
    LazyLock::new(|| GRAMMARS.iter().map(|(name, file)| (grammar(name), input(file))).collect());

static SOURCES: LazyLock<Vec<(String, String, Vec<u8>)>> = LazyLock::new(|| {
    let read = |name: String| std::fs::read_to_string(path(&name)).unwrap();
    let sources = GRAMMARS
        .iter()
        .map(|(name, file)| (read(format!("grammars/{name}.y")), read(format!("grammars/{name}.l")), input(file)));
    sources.chain([(read("grammars/arithmetic.spec.y".to_owned()), String::new(), b"1 + 2".to_vec())]).collect()
});

/// The lexemes cover the input. The tokens of the tree are in order, and none occurs twice.
fn check(tree: &ParseTree, input: &[u8]) {
    let mut at = 0;
    for lexeme in tree.lexemes() {
        assert_eq!(lexeme.span.start, at);
        assert!(!lexeme.span.is_empty());
        at = lexeme.span.end;
    }
    assert_eq!(at, input.len());
    let mut last = None;
    let mut seen = 0;
    let mut stack = vec![tree.root()];
    while let Some(node) = stack.pop() {
        if let NodeKind::Token(lexeme) = tree.kind(node) {
            assert!(last < Some(lexeme));
            last = Some(lexeme);
            seen += 1;
        }
        stack.extend(tree.children(node).iter().rev());
    }
    if tree.errors().is_empty() {
        let visible = tree.lexemes().iter().filter(|lexeme| lexeme.origin == Origin::Matched).count();
        assert_eq!(seen, visible, "without errors every token is in the tree");
    }
}

/// Applies some changes to a text.
fn mutate(text: &[u8], changes: &[(usize, u8, Vec<u8>)]) -> Vec<u8> {
    let mut text = text.to_vec();
    for (at, what, new) in changes {
        let at = at % (text.len() + 1);
        match what % 4 {
            0 => drop(text.splice(at..at, new.iter().copied())),
            1 => drop(text.drain(at..(at + new.len()).min(text.len()))),
            2 => text.truncate(at.max(text.len() / 4)),
            _ => {
                let copy = text[at..(at + 20).min(text.len())].to_vec();
                text.splice(at..at, copy);
            }
        }
    }
    text
}

fn changes() -> impl Strategy<Value = Vec<(usize, u8, Vec<u8>)>> {
    let words = prop_oneof![
        "[a-z%{}:;|'\"<>()=\\[\\]\\\\/*+$^.&\n -]{0,6}".prop_map(String::into_bytes),
        prop::collection::vec(any::<u8>(), 0..4),
        Just(b"%%".to_vec()),
        Just(b"error".to_vec()),
        Just(b"%prec".to_vec()),
    ];
    prop::collection::vec((any::<usize>(), any::<u8>(), words), 1..5)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_input(which in 0..4usize, bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let (language, _) = &LANGUAGES[which];
        check(&language.parse(&bytes), &bytes);
    }

    #[test]
    fn changed_inputs(which in 0..4usize, changes in changes()) {
        let (language, input) = &LANGUAGES[which];
        let bytes = mutate(input, &changes);
        check(&language.parse(&bytes), &bytes);
    }

    #[test]
    fn changed_grammars(which in 0..5usize, yacc in changes(), lex in changes(), only in 0..3u8) {
        let (y, l, input) = &SOURCES[which];
        let y = if only == 1 { y.clone() } else { String::from_utf8_lossy(&mutate(y.as_bytes(), &yacc)).into_owned() };
        let l = if only == 2 { l.clone() } else { String::from_utf8_lossy(&mutate(l.as_bytes(), &lex)).into_owned() };
        let lex = (!l.is_empty()).then_some(("x.l", l.as_str()));
        match Language::from_sources(("x.y", &y), lex, None) {
            Ok(language) => {
                check(&language.parse(input), input);
                nub_yacc::check::findings(&language);
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}
