//! Writing a tree, in a given state, back as bytes.

use super::{Change, NodeId, State, Tree};

/// What to write between two tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Spacing {
    /// The text between them in the input. The unchanged tree is written as the input, byte for byte.
    #[default]
    Original,
    /// As Picireny does, for published runs: one line break or one blank between two children if there was at least one
    /// between their positions in the input, whatever has become of them. Comments and the amount of space are lost.
    Picireny,
}

/// The separator between `previous` and `child`, its next sibling.
fn separator(tree: &Tree, previous: NodeId, child: NodeId) -> &'static [u8] {
    let (end, start) = (tree.end(previous), tree.start(child));
    if start.line > end.line {
        b"\n"
    } else if start.column > end.column {
        // Only the columns are compared, even if the line numbers decrease: the reference tool's rule.
        b" "
    } else {
        b""
    }
}

/// The texts of children joined with their separators, as [`unparse`] writes them for their parent. `None` if one of
/// the texts is unknown, or if the result is longer than `longest`.
pub(super) fn join<'a>(
    tree: &Tree,
    children: &[NodeId],
    text: impl Fn(NodeId) -> Option<&'a [u8]>,
    longest: usize,
) -> Option<Vec<u8>> {
    let mut joined = Vec::new();
    for (i, &child) in children.iter().enumerate() {
        let text = text(child)?;
        if i > 0 && !text.is_empty() {
            joined.extend_from_slice(separator(tree, children[i - 1], child));
        }
        joined.extend_from_slice(text);
        if joined.len() > longest {
            return None;
        }
    }
    Some(joined)
}

/// Writes the text of the tree in a state, with a change tried on top of it.
///
/// A node hoisted by the change is written with the separators of the node it replaces; a node hoisted by the state has
/// its own. (The reference tool does the same, so what it commits can differ in blanks from what it tested.)
pub(super) fn unparse(tree: &Tree, state: &State, change: &Change, sink: &mut dyn FnMut(&[u8])) {
    let is_kept = |node: NodeId| state.is_kept(node) && change.removed.binary_search(&node).is_err();
    let mut writer = Writer { pending: vec![], sink };
    // The nodes whose children are being written: each with its next child, and with the number of separators that were
    // pending when it was entered.
    let mut stack: Vec<(NodeId, usize, usize)> = vec![];
    let mut next = Some((state.resolve(tree.root()), 0));
    loop {
        if let Some((node, pending)) = next.take() {
            let node = change.hoisted.get(&node).copied().unwrap_or(node);
            if !is_kept(node) {
                writer.write(tree.replacement(node).as_bytes());
                writer.leave(pending);
            } else if tree.kind(node).is_token() {
                writer.write(tree.text(node));
                writer.leave(pending);
            } else {
                stack.push((node, 0, pending));
            }
        }
        let Some((node, index, pending)) = stack.last_mut() else { return };
        let Some(child) = tree.child(*node, *index) else {
            writer.leave(*pending);
            stack.pop();
            continue;
        };
        let child = state.resolve(child);
        let before = writer.pending.len();
        if let Some(previous) = index.checked_sub(1).and_then(|previous| tree.child(*node, previous)) {
            writer.pending.push(separator(tree, state.resolve(previous), child));
        }
        *index += 1;
        next = Some((child, before));
    }
}

/// Writes text, and separators only if text follows them.
struct Writer<'a> {
    /// The separators of nodes that have been entered but have written nothing so far, the outermost first.
    pending: Vec<&'static [u8]>,
    sink: &'a mut dyn FnMut(&[u8]),
}

impl Writer<'_> {
    fn write(&mut self, text: &[u8]) {
        if !text.is_empty() {
            for separator in self.pending.drain(..).filter(|separator| !separator.is_empty()) {
                (self.sink)(separator);
            }
            (self.sink)(text);
        }
    }

    /// Drops the separators of a node that has written nothing.
    fn leave(&mut self, pending: usize) {
        self.pending.truncate(pending);
    }
}
