//! The space between tokens that were apart. A candidate is read as its tree says, even in languages where lines,
//! columns and blanks matter.

#![cfg(all(feature = "javascript", feature = "python", feature = "bash", feature = "kotlin"))]

mod common;

use common::{check, pre_order};
use nub_core::tree::{Change, NodeId, Spacing};
use nub_syntax::treesitter::Parsed;

fn find(parsed: &Parsed, text: &str) -> NodeId {
    let tree = &parsed.tree;
    let is = |node: &NodeId| &tree.input()[tree.span(*node)] == text.as_bytes();
    // The lowest node with this text: the node itself, not a group around it.
    pre_order(tree).into_iter().rfind(is).unwrap_or_else(|| panic!("{text:?} is a node"))
}

fn group(parsed: &Parsed, text: &str) -> NodeId {
    let tree = &parsed.tree;
    let is = |node: &NodeId| &tree.input()[tree.span(*node)] == text.as_bytes() && tree.replacement(*node).is_empty();
    pre_order(tree).into_iter().find(is).unwrap_or_else(|| panic!("{text:?} can be removed"))
}

fn write(parsed: &Parsed, change: &Change) -> String {
    let mut bytes = vec![];
    let sink = &mut |slice: &[u8]| bytes.extend_from_slice(slice);
    parsed.tree.unparse(&parsed.tree.initial_state(), change, Spacing::Original, sink);
    String::from_utf8(bytes).expect("it is text")
}

/// The input without this part.
fn without(language: &str, input: &str, part: &str) -> String {
    let parsed = check(language, input.as_bytes());
    write(&parsed, &Change { removed: vec![group(&parsed, part)], ..Change::default() })
}

/// The input with the inner text in place of the outer one.
fn hoisted(language: &str, input: &str, outer: &str, inner: &str) -> String {
    let parsed = check(language, input.as_bytes());
    let hoisted = [(find(&parsed, outer), find(&parsed, inner))].into();
    write(&parsed, &Change { hoisted, ..Change::default() })
}

#[test]
fn a_line_is_removed_as_a_whole() {
    assert_eq!(without("python", "a\nb # why\nc\n", "b"), "a # why\nc\n", "the comment after it stays");
    assert_eq!(without("python", "a\n# why\nb\nc\n", "b"), "a\nc\n", "the comment before it is removed");
    assert_eq!(without("python", "if a:\n    b\n    c\n", "b"), "if a:\n    c\n");
}

#[test]
fn tokens_after_the_first_of_a_line_stay_on_their_line() {
    assert_eq!(without("kotlin", "val a = 1\nprivate val b = 2\n", "private"), "val a = 1\nval b = 2\n");
    assert_eq!(without("kotlin", "class A {\n    private val b = 2\n}\n", "private"), "class A {\n    val b = 2\n}\n");
    let continued = "f a \\\n  b c\n";
    assert_eq!(without("bash", continued, "b"), "f a c\n", "a continued line is not a line of its own");
}

#[test]
fn a_hoisted_node_keeps_the_space_before_the_replaced_one() {
    assert_eq!(hoisted("python", "a\nf(g(x))\nb\n", "f(g(x))", "g(x)"), "a\ng(x)\nb\n");
    assert_eq!(hoisted("javascript", "a()\n\n// why\nf(g(x))\n", "f(g(x))", "g(x)"), "a()\n\n// why\ng(x)\n");
    assert_eq!(hoisted("javascript", "return_(f(\n  g(x)))", "f(\n  g(x))", "g(x)"), "return_(g(x))");
}

#[test]
fn tokens_do_not_merge() {
    assert_eq!(hoisted("javascript", "typeof(f(x));", "(f(x))", "f(x)"), "typeof f(x);");
    assert_eq!(hoisted("javascript", "x = a-(-b);", "(-b)", "-b"), "x = a- -b;");
}

#[test]
fn parts_of_a_string_stay_together() {
    let parsed = check("javascript", b"f(\"one\\ntwo\");");
    let escape = find(&parsed, "\\n");
    let text = write(&parsed, &Change { removed: vec![escape], ..Change::default() });
    assert_eq!(text.matches(' ').count(), 0, "{text}");
}
