//! What says whether a candidate is interesting.

use anyhow::{Context as _, Result};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;

/// The test of a recorded run.
#[derive(Clone, Debug)]
pub enum Oracle {
    /// Lines that spell numbers: all of `keep` must be there, and with the first of a pair its second.
    Units {
        /// What must be there.
        keep: Vec<u32>,
        /// What needs what.
        deps: Vec<(u32, u32)>,
    },
    /// Texts that must occur at least so often.
    Occurrences(Vec<(String, usize)>),
    /// Texts that must occur in what is left without blanks, perhaps with balanced brackets.
    Substrings {
        /// The texts.
        need: Vec<String>,
        /// Whether brackets must balance.
        balanced: bool,
    },
    /// The outcomes of a real engine, by the beginning of the candidate's hash.
    Outcomes(HashMap<String, bool>),
}

impl Oracle {
    /// The outcome; `None` if nobody has asked the real engine.
    pub fn is_interesting(&self, candidate: &[u8]) -> Option<bool> {
        let text = || String::from_utf8_lossy(candidate);
        Some(match self {
            Self::Units { keep, deps } => {
                let kept: Vec<u32> = text().lines().filter_map(|line| line.parse().ok()).collect();
                let has = |unit: &u32| kept.contains(unit);
                keep.iter().all(has) && deps.iter().all(|(needs, needed)| !has(needs) || has(needed))
            }
            Self::Occurrences(need) => {
                let text = text();
                need.iter().all(|(part, times)| text.matches(part.as_str()).count() >= *times)
            }
            Self::Substrings { need, balanced } => {
                let text: String = text().split_whitespace().collect();
                need.iter().all(|part| text.contains(part)) && (!balanced || is_balanced(&text))
            }
            Self::Outcomes(outcomes) => return outcomes.get(&word(candidate)).copied(),
        })
    }

    /// The test of a synthetic run of ddmin.
    pub(crate) fn of_list(case: &Value) -> Result<Self> {
        let array = |name: &str| case[name].as_array().with_context(|| format!("{name} is missing"));
        if case["text"].is_string() {
            let need = |pair: &Value| Some((pair[0].as_str()?.to_owned(), pair[1].as_u64()? as usize));
            let needs: Option<Vec<_>> = array("need")?.iter().map(need).collect();
            return Ok(Self::Occurrences(needs.context("texts and numbers")?));
        }
        let unit = |value: &Value| value.as_u64().map(|unit| unit as u32);
        let keep: Option<Vec<u32>> = array("keep")?.iter().map(unit).collect();
        let deps: Option<Vec<_>> = array("deps")?.iter().map(|pair| Some((unit(&pair[0])?, unit(&pair[1])?))).collect();
        Ok(Self::Units { keep: keep.context("units")?, deps: deps.context("pairs of units")? })
    }

    /// The test of a synthetic run on a tree.
    pub(crate) fn of_tree(oracle: &Value) -> Result<Self> {
        let need = oracle["need"].as_array().context("what is needed")?;
        let need: Option<Vec<String>> = need.iter().map(|text| text.as_str().map(str::to_owned)).collect();
        Ok(Self::Substrings { need: need.context("texts")?, balanced: oracle["balanced"] != false })
    }

    /// The outcomes of a recorded sequence.
    pub(crate) fn of_sequence(sequence: &str) -> Self {
        let outcome = |word: &str| {
            let (hash, letter) = word.split_at_checked(16)?;
            Some((hash.to_owned(), letter == "F"))
        };
        Self::Outcomes(sequence.split_whitespace().filter_map(outcome).collect())
    }
}

/// A candidate in a recorded sequence, without its outcome.
pub(crate) fn word(candidate: &[u8]) -> String {
    hex(&Sha256::digest(candidate)[..8])
}

/// Bytes as the recordings spell them.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn is_balanced(text: &str) -> bool {
    let mut open = vec![];
    for c in text.chars() {
        match c {
            '(' => open.push(')'),
            '[' => open.push(']'),
            '{' => open.push('}'),
            ')' | ']' | '}' if open.pop() != Some(c) => return false,
            _ => {}
        }
    }
    open.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_of_synthetic_tests() {
        let units = Oracle::Units { keep: vec![1], deps: vec![(2, 3)] };
        let outcomes = ["1\n", "0\n", "1\n2\n", "1\n2\n3\n"].map(|text| units.is_interesting(text.as_bytes()));
        assert_eq!(outcomes, [true, false, false, true].map(Some));
        let substrings = Oracle::Substrings { need: vec!["ab".to_owned()], balanced: true };
        let outcomes = ["a b", "(ab", "(a)b", "[ab]", "[ab)"].map(|text| substrings.is_interesting(text.as_bytes()));
        assert_eq!(outcomes, [true, false, false, true, false].map(Some));
    }

    #[test]
    fn nobody_has_asked() {
        let oracle = Oracle::of_sequence("ba7816bf8f01cfeaF cb8379ac2098aa16P");
        assert_eq!(["abc", "x"].map(|text| oracle.is_interesting(text.as_bytes())), [Some(true), None]);
    }
}
