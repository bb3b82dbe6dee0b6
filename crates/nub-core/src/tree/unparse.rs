//! From a tree and what was done to it back to bytes.

use super::{Change, NodeId, State, Tree};

/// What comes between two tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Spacing {
    /// What stood there in the input; the untouched tree is the input, byte for byte.
    #[default]
    Original,
    /// As Picireny does it, for published runs: a line break or a blank between two children if there was one or more
    /// between their places in the input, whatever has become of them; the amount and the comments are lost.
    Picireny,
}

/// The separator before `child`, whose elder sibling is `previous`.
fn separator(tree: &Tree, previous: NodeId, child: NodeId) -> &'static [u8] {
    let (end, start) = (tree.end(previous), tree.start(child));
    if start.line > end.line {
        b"\n"
    } else if start.column > end.column {
        // Only the columns are compared, even where the lines go backwards: the reference tool's rule.
        b" "
    } else {
        b""
    }
}

/// The texts of children joined with their separators: what [`unparse`] writes for their parent. `None` if one of them
/// is unknown, or if the result is longer than `longest`.
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
/// What the change hoists is written at the place, and with the separators, of the node whose place it takes; what the
/// state has hoisted has separators of its own. (The reference tool does the same, so that what it commits can differ in
/// blanks from what it tested.)
pub(super) fn unparse(tree: &Tree, state: &State, change: &Change, sink: &mut dyn FnMut(&[u8])) {
    let is_kept = |node: NodeId| state.is_kept(node) && change.removed.binary_search(&node).is_err();
    let mut writer = Writer { pending: vec![], sink };
    // Nodes whose children are being written: the node, the next child, and the number of separators that were pending
    // when it was entered.
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
    /// Separators of the nodes that have been entered and have written nothing so far, the outermost first.
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

    /// Forgets the separators of a node that has written nothing.
    fn leave(&mut self, pending: usize) {
        self.pending.truncate(pending);
    }
}
