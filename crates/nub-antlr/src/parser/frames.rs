//! The stack of rule calls.

use crate::{
    atn::{RuleId, StateId},
    predict::{
        context::{ContextId, Contexts, EMPTY},
        net::Net,
    },
    tree::NodeId,
};

/// Not computed yet.
pub(super) const UNKNOWN: u32 = u32::MAX;

/// A rule that is being matched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) rule: RuleId,
    /// Its node, and the sibling before it.
    pub(crate) node: NodeId,
    pub(super) before: Option<NodeId>,
    /// The state that called it; `None` for the start rule.
    pub(crate) call: Option<StateId>,
    pub(super) precedence: u32,
    /// How many quantifier nodes were open when it began.
    pub(super) marks: usize,
    /// The stack up to here as a context, and the number of its recovery set. Both are cached, so that deep stacks are
    /// not walked again and again.
    pub(super) context: ContextId,
    pub(crate) recovery: u32,
}

/// The context of a stack of frames. Return states are shortened as in the network.
pub(super) fn context(frames: &mut [Frame], contexts: &mut Contexts, net: &Net) -> ContextId {
    let known = frames.iter().rposition(|frame| frame.context != UNKNOWN).map_or(0, |known| known + 1);
    for at in known..frames.len() {
        let parent = if at == 0 { EMPTY } else { frames[at - 1].context };
        frames[at].context = match frames[at].call {
            None => EMPTY,
            Some(call) => {
                let (returns, tail) = net.returns(call);
                if tail && parent != EMPTY { parent } else { contexts.push(parent, returns) }
            }
        };
    }
    frames.last().map_or(EMPTY, |frame| frame.context)
}
