//! Trees in JSON, as built by the reference tool, for researchers who want to reduce with the trees of a recorded run.
//!
//! A node is an object: `k` is its kind (`HDDRule`, `HDDQuantifier`, `HDDToken`, `HDDErrorToken`), `name` its name,
//! `replace` its minimal replacement, `s` and `e` the `[line, column]` of its start and end (lines from 1, columns from
//! 0). A rule has its children in `c`, a token its text in `text`.

use nub_core::{
    FrontEnd, Hidden, Knowledge, Structure,
    tree::{Kind, NodeId, Position, Tree, TreeBuilder},
};
use serde::Deserialize;
use std::{sync::Arc, thread};

/// Real parse trees nest hundreds of levels deep, and every level of JSON takes stack space.
const STACK: usize = 512 << 20;

/// Why a text is not a tree.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It is not JSON of the expected shape.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// A node has an unknown kind.
    #[error("unknown node kind {0:?}: expected HDDRule, HDDQuantifier, HDDToken or HDDErrorToken")]
    Kind(String),
    /// The system cannot start a thread.
    #[error(transparent)]
    Thread(#[from] std::io::Error),
}

#[derive(Deserialize)]
struct Node {
    k: String,
    name: String,
    replace: String,
    s: (u32, u32),
    e: (u32, u32),
    #[serde(default)]
    c: Vec<Node>,
    #[serde(default)]
    text: String,
}

/// A recorded tree, as a front end: every input has this tree.
#[derive(Clone, Debug)]
pub struct RecordedTree(pub Tree);

impl FrontEnd for RecordedTree {
    fn name(&self) -> &str {
        "recorded tree"
    }

    fn knowledge(&self) -> Knowledge {
        Knowledge::Tree
    }

    /// A tree of the original says nothing about what is left of it.
    fn analyse(&self, _: &[u8], _: Hidden) -> Option<Arc<dyn Structure>> {
        None
    }

    fn tree(&self, _: &[u8], _: Hidden) -> Option<Tree> {
        Some(self.0.clone())
    }
}

/// Reads a tree.
///
/// # Errors
/// If the text is not a tree.
pub fn read(json: &str) -> Result<Tree, ReadError> {
    thread::scope(|scope| {
        let reader = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || {
            let mut json = serde_json::Deserializer::from_str(json);
            json.disable_recursion_limit();
            let root = Node::deserialize(&mut json)?;
            json.end()?;
            let mut builder = TreeBuilder::new([]);
            let root = add(&mut builder, &root)?;
            Ok(builder.finish(root))
        })?;
        reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn add(builder: &mut TreeBuilder, node: &Node) -> Result<NodeId, ReadError> {
    let position = |(line, column)| Position { line, column };
    let positions = position(node.s)..position(node.e);
    let kind = match node.k.as_str() {
        "HDDRule" => Kind::Rule,
        "HDDQuantifier" => Kind::Quantified,
        "HDDToken" => Kind::Token,
        "HDDErrorToken" => Kind::Error,
        other => return Err(ReadError::Kind(other.to_owned())),
    };
    if kind.is_token() {
        let bytes = builder.append(node.text.as_bytes());
        return Ok(builder.token(kind, &node.name, bytes, &node.replace, positions));
    }
    let children = node.c.iter().map(|child| add(builder, child)).collect::<Result<Vec<_>, _>>()?;
    Ok(builder.rule(kind, &node.name, &node.replace, positions, children))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_tree() {
        let json = r#"{"k":"HDDRule","name":"s","replace":"a","s":[1,0],"e":[1,2],"c":[
            {"k":"HDDToken","name":"A","replace":"a","s":[1,0],"e":[1,1],"text":"b"},
            {"k":"HDDQuantifier","name":"","replace":"","s":[1,1],"e":[1,2],"c":[]}]}"#;
        let tree = read(json).unwrap();
        let kinds: Vec<Kind> = tree.children(tree.root()).map(|child| tree.kind(child)).collect();
        assert_eq!(kinds, [Kind::Token, Kind::Quantified]);
        assert_eq!(&**tree.input(), b"b");
    }

    #[test]
    fn malformed_trees_are_rejected() {
        for wrong in ["", "[]", "{}", r#"{"k":"X","name":"","replace":"","s":[1,0],"e":[1,0]}"#] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
