//! Sets of tokens.

/// Sets of small numbers, stored side by side.
#[derive(Clone, Debug)]
pub(super) struct BitSets {
    words: Vec<u64>,
    width: usize,
}

impl BitSets {
    pub(super) fn new(sets: usize, members: usize) -> Self {
        let width = members.div_ceil(64);
        Self { words: vec![0; sets * width], width }
    }

    pub(super) fn insert(&mut self, set: usize, member: usize) {
        self.words[set * self.width + member / 64] |= 1 << (member % 64);
    }

    /// Adds all members of one set to another.
    pub(super) fn add(&mut self, from: usize, to: usize) {
        for word in 0..self.width {
            self.words[to * self.width + word] |= self.words[from * self.width + word];
        }
    }

    /// Adds all members of a set in `others` to a set in this collection.
    pub(super) fn add_from(&mut self, others: &Self, from: usize, to: usize) {
        for word in 0..self.width {
            self.words[to * self.width + word] |= others.words[from * self.width + word];
        }
    }

    pub(super) fn members(&self, set: usize) -> impl Iterator<Item = usize> + '_ {
        let words = &self.words[set * self.width..(set + 1) * self.width];
        words.iter().enumerate().flat_map(|(at, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
                left &= left - 1;
                Some(at * 64 + bit)
            })
        })
    }
}
