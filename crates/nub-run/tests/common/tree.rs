//! Trees in the format of the recordings: `k` kind, `name`, `replace`, `s` and `e` positions, `c` children, `text`.

use nub_core::tree::{Kind, NodeId, Position, Tree, TreeBuilder};
use serde_json::{Value, json};

pub(crate) fn read(json: &Value) -> Tree {
    let mut builder = TreeBuilder::new([]);
    let root = node(&mut builder, json);
    builder.finish(root)
}

fn node(builder: &mut TreeBuilder, json: &Value) -> NodeId {
    let text = |key: &str| json[key].as_str().unwrap();
    let position = |key: &str| {
        let number = |i: usize| json[key][i].as_u64().unwrap() as u32;
        Position { line: number(0), column: number(1) }
    };
    let positions = position("s")..position("e");
    let kind = match text("k") {
        "HDDRule" => Kind::Rule,
        "HDDQuantifier" => Kind::Quantified,
        "HDDToken" => Kind::Token,
        "HDDErrorToken" => Kind::Error,
        other => panic!("unknown kind {other}"),
    };
    if kind.is_token() {
        let bytes = builder.append(text("text").as_bytes());
        return builder.token(kind, text("name"), bytes, text("replace"), positions);
    }
    let children: Vec<NodeId> = json["c"].as_array().unwrap().iter().map(|child| node(builder, child)).collect();
    builder.rule(kind, text("name"), text("replace"), positions, children)
}

/// The canonical JSON of a prepared tree: sorted keys, no blanks, `"removed":true` on what is not a unit.
pub(crate) fn write(tree: &Tree) -> String {
    value(tree, tree.root()).to_string()
}

fn value(tree: &Tree, node: NodeId) -> Value {
    // The recordings do not distinguish further in prepared trees.
    let kind = if tree.kind(node).is_token() { "HDDToken" } else { "HDDRule" };
    let position = |position: Position| json!([position.line, position.column]);
    let mut json = json!({
        "k": kind,
        "name": tree.name(node),
        "replace": tree.replacement(node),
        "s": position(tree.start(node)),
        "e": position(tree.end(node)),
    });
    if tree.kind(node).is_token() {
        json["text"] = json!(std::str::from_utf8(tree.text(node)).unwrap());
    } else {
        json["c"] = tree.children(node).map(|child| value(tree, child)).collect();
    }
    if tree.is_skipped(node) {
        json["removed"] = json!(true);
    }
    json
}
