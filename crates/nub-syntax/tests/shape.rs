//! The shape of trees, and the grammar's view of their nodes.

#![cfg(all(feature = "c", feature = "json"))]

mod common;

use common::{check, pre_order};
use nub_core::Hidden;
use nub_core::tree::{Change, Kind, NodeId, Spacing};
use nub_syntax::treesitter::{Parsed, TextEdit, language, parse_with};

/// The tree in one line: rules by name, groups in brackets, tokens by text.
fn shape(parsed: &Parsed, node: NodeId) -> String {
    let tree = &parsed.tree;
    let children: Vec<String> = tree.children(node).map(|child| shape(parsed, child)).collect();
    match tree.kind(node) {
        Kind::Quantified => format!("[{}]", children.join(" ")),
        Kind::Rule => format!("{}({})", tree.name(node), children.join(" ")),
        Kind::Token | Kind::Error => String::from_utf8_lossy(tree.text(node)).into_owned(),
    }
}

fn find(parsed: &Parsed, name: &str, text: &str) -> NodeId {
    let tree = &parsed.tree;
    let is = |node: &NodeId| tree.name(*node) == name && &tree.input()[tree.span(*node)] == text.as_bytes();
    pre_order(tree).into_iter().find(is).expect("it is there")
}

#[test]
fn elements_are_groups_with_their_commas() {
    let parsed = check("json", b"[1, 2 /* c */, {}]");
    let expected = "document([array(< [1 [, 2] [, object({ })]] >)])".replace('<', "[").replace('>', "]");
    assert_eq!(shape(&parsed, parsed.tree.root()), expected);
    let array = find(&parsed, "array", "[1, 2 /* c */, {}]");
    assert_eq!(parsed.syntax.children(array).len(), 7);
    let one = find(&parsed, "number", "1");
    let removed = parsed.syntax.removal(array, &[one]).expect("it can be removed");
    assert_eq!(removed.len(), 2, "with the comma after it");
}

#[test]
fn comments_are_nodes_on_request() {
    let json = language("json").expect("built in");
    let input = b"[1 /* one */, 2]";
    let parsed = parse_with(json, input, Hidden::Nodes).expect("it can be parsed");
    let comment = find(&parsed, "comment", "/* one */");
    let mut left = vec![];
    let change = Change { removed: vec![comment], ..Change::default() };
    let sink = &mut |bytes: &[u8]| left.extend_from_slice(bytes);
    parsed.tree.unparse(&parsed.tree.initial_state(), &change, Spacing::Original, sink);
    assert_eq!(left, b"[1, 2]");
    let usual = check("json", input).tree;
    assert!(pre_order(&usual).into_iter().all(|node| usual.name(node) != "comment"));
}

/// The worked example of the hoisting paper: the inner call may replace the outer one, but the called name may not.
#[test]
fn hoisting() {
    let parsed = check("c", b"int main(void) { if (1) { outer(inner(3), 4); } }");
    let syntax = &parsed.syntax;
    let (outer, inner) =
        (find(&parsed, "call_expression", "outer(inner(3), 4)"), find(&parsed, "call_expression", "inner(3)"));
    assert!(syntax.may_replace(outer, inner));
    assert!(syntax.may_replace(outer, find(&parsed, "number_literal", "4")));
    let body = find(&parsed, "compound_statement", "{ if (1) { outer(inner(3), 4); } }");
    let block = find(&parsed, "compound_statement", "{ outer(inner(3), 4); }");
    assert!(syntax.may_replace(body, block));
    assert!(!syntax.may_replace(body, find(&parsed, "if_statement", "if (1) { outer(inner(3), 4); }")));
    assert!(!syntax.may_replace(body, inner));
    assert!(!syntax.may_replace(parsed.tree.root(), body), "the root is never replaced");
}

#[test]
fn replacements_are_phi() {
    let parsed = check("c", b"int f(int long_name) { return long_name + 12; }");
    let replacement = |name: &str, text: &str| parsed.tree.replacement(find(&parsed, name, text)).to_owned();
    assert_eq!(replacement("identifier", "long_name"), "a");
    assert_eq!(replacement("binary_expression", "long_name + 12"), "a%a");
    assert_eq!(replacement("compound_statement", "{ return long_name + 12; }"), "{}");
    assert_eq!(replacement(";", ";"), ";");
}

#[test]
fn blanks_are_added_where_tokens_would_join() {
    let replace = |input: &str, range: std::ops::Range<usize>, text: &str| {
        String::from_utf8(TextEdit::replacing(input.as_bytes(), range, text).text).expect("it is text")
    };
    assert_eq!(replace("return(1);", 6..9, "a"), " a");
    assert_eq!(replace("a-(-b)", 2..6, "-b"), " -b");
    assert_eq!(replace("a b", 1..2, ""), " ");
    assert_eq!(replace("\"text\"", 1..5, "a"), "a", "the text was next to the quotation marks before");
    assert_eq!(replace("f(x)", 2..3, ""), "");
    assert_eq!(replace("", 0..0, "x"), "x");
}
