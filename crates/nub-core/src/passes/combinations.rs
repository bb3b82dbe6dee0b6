//! Removes some of a few neighbouring tokens, in all combinations: the local exhaustive patterns of Vulcan (Xu et al.,
//! *Pushing the limit of 1-minimality of language-agnostic program reduction*, OOPSLA 2023), on tokens.

use super::{Pass, Place, only, tokens};
use crate::{Structure, tree::Splice};

pub(super) const PASS: Pass = Pass {
    name: "combinations",
    about: "removes some of five neighbouring tokens, in all combinations",
    places,
    together: false,
};

const WINDOW: usize = 5;
/// The largest input, in tokens. Anything larger is work for the other passes first.
const TOKENS: usize = 300;

fn places(structure: &dyn Structure) -> Vec<Place> {
    let tokens = tokens(structure, TOKENS);
    let combinations = (0..tokens.len()).flat_map(|start| {
        // At the end of the input, windows are shorter.
        let window = &tokens[start..tokens.len().min(start + WINDOW)];
        (0_u32..1 << window.len()).filter(|&pattern| is_new(pattern)).map(move |pattern| {
            let removed = (0..window.len()).filter(|token| pattern >> token & 1 == 1);
            removed.map(|token| Splice::cut(window[token].clone())).collect()
        })
    });
    only(combinations.collect())
}

/// Whether no other window and no other pass covers this pattern: it starts at the start of the window and has a gap.
fn is_new(pattern: u32) -> bool {
    let run = (pattern + 1).is_power_of_two();
    pattern & 1 == 1 && !run
}

#[cfg(test)]
mod tests {
    use super::{WINDOW, is_new};

    #[test]
    fn patterns_with_a_gap() {
        let patterns: Vec<u32> = (0..1 << WINDOW).filter(|&pattern| is_new(pattern)).collect();
        assert_eq!(
            patterns,
            [0b101, 0b1001, 0b1011, 0b1101, 0b10001, 0b10011, 0b10101, 0b10111, 0b11001, 0b11011, 0b11101]
        );
    }
}
