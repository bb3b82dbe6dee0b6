//! The four grammars, from their files to trees. `NUB_UPDATE=1` rewrites the trees.

mod common;

use common::{GRAMMARS, grammar, input, lisp, path, single};

#[test]
fn trees_match_the_recorded_ones() {
    for (name, file) in GRAMMARS {
        let language = grammar(name);
        let input = input(file);
        let tree = language.parse(&input);
        assert!(tree.errors().is_empty(), "{name}: {:?}", tree.errors());
        let found = tree.to_lisp(language.grammar(), &input) + "\n";
        let golden = path(&format!("golden/{name}.txt"));
        if std::env::var_os("NUB_UPDATE").is_some() {
            std::fs::write(&golden, &found).unwrap();
        }
        assert_eq!(found, std::fs::read_to_string(&golden).unwrap_or_default(), "{name}");
    }
}

/// Worked out by hand: `*` binds tighter than `+`, and operators of equal precedence group to the left.
#[test]
fn arithmetic_by_hand() {
    let language = grammar("arithmetic");
    assert_eq!(lisp(&language, "1+2*3"), "(e (e 1) + (e (e 2) * (e 3)))");
    assert_eq!(lisp(&language, "1-2-3"), "(e (e (e 1) - (e 2)) - (e 3))");
    assert_eq!(lisp(&language, "(1+2)*3.5"), "(e (e ( (e (e 1) + (e 2)) )) * (e 3.5))");
    assert_eq!(language.conflict_counts(), (0, 0));
}

#[test]
fn one_file_works_like_two() {
    let text = std::fs::read_to_string(path("grammars/arithmetic.spec.y")).unwrap();
    let (one, two) = (single(&text), grammar("arithmetic"));
    for input in ["1", "1 + 2*(3/4)", "((1))"] {
        assert_eq!(lisp(&one, input), lisp(&two, input));
    }
}

#[test]
fn shortest_texts() {
    let check = |name: &str, token: &str, text: &str| {
        let language = grammar(name);
        let token = language.grammar().find_token(token).unwrap();
        assert_eq!(language.shortest(token), Some(text), "{name}");
    };
    check("arithmetic", "N", "0");
    check("json", "STRING", "\"\"");
    check("json", "NUMBER", "0");
    check("json", "NULL_VALUE", "null");
    check("lua", "NAME", "a");
    check("lua", "CONCAT", "..");
    check("c", "IDENTIFIER", "a");
    check("c", "CONSTANT", "0");
}

#[test]
fn keywords_are_spelled_out() {
    let lua = grammar("lua");
    let token = |name: &str| lua.grammar().find_token(name).unwrap();
    assert!(lua.is_spelled_out(token("WHILE")));
    assert!(!lua.is_spelled_out(token("NAME")));
    assert!(lua.is_spelled_out(lua.grammar().find_literal("(").unwrap()));
}
