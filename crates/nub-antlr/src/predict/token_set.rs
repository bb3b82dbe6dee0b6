//! Sets of token types as bits.

/// A set of token types, which may include the end of the input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct TokenSet {
    words: Vec<u64>,
}

impl TokenSet {
    /// The empty set, with room for types up to `max_token`.
    pub(crate) fn new(max_token: i32) -> Self {
        Self { words: vec![0; slot(max_token) / 64 + 1] }
    }

    pub(crate) fn insert(&mut self, token: i32) {
        let slot = slot(token);
        if slot / 64 >= self.words.len() {
            self.words.resize(slot / 64 + 1, 0);
        }
        self.words[slot / 64] |= 1 << (slot % 64);
    }

    #[inline]
    pub(crate) fn contains(&self, token: i32) -> bool {
        let slot = slot(token);
        self.words.get(slot / 64).is_some_and(|word| word >> (slot % 64) & 1 != 0)
    }

    pub(crate) fn extend(&mut self, other: &Self) {
        if other.words.len() > self.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }

    /// The types in it, in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = i32> + '_ {
        (0..self.words.len() * 64)
            .filter(|slot| self.words[slot / 64] >> (slot % 64) & 1 != 0)
            .map(|slot| i32::try_from(slot).unwrap_or(i32::MAX) - 1)
    }
}

/// EOF is -1, so types are shifted by one.
#[inline]
fn slot(token: i32) -> usize {
    usize::try_from(token + 1).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_a_member_like_others() {
        let mut set = TokenSet::new(100);
        for token in [70, -1, 3] {
            set.insert(token);
        }
        assert_eq!(set.iter().collect::<Vec<_>>(), [-1, 3, 70]);
        assert!(set.contains(-1) && !set.contains(0) && !set.contains(1000));
    }
}
