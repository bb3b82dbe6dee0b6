//! Removes runs of tokens, wherever they start and whatever they are.

use super::{Pass, Place, only, tokens};
use crate::{Structure, tree::Splice};

pub(super) const PASS: Pass =
    Pass { name: "windows", about: "removes runs of two to eight tokens", places, together: false };

const LONGEST: usize = 8;
/// The largest input, in tokens. Anything larger is work for the other passes first.
const TOKENS: usize = 1000;

fn places(structure: &dyn Structure) -> Vec<Place> {
    let tokens = tokens(structure, TOKENS);
    let run = |run: &[std::ops::Range<usize>]| vec![Splice::cut(run[0].start..run[run.len() - 1].end)];
    only((2..=LONGEST).rev().flat_map(|length| tokens.windows(length).map(run)).collect())
}
