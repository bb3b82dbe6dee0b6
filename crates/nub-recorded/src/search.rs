//! The searches of recorded runs.

use nub_core::{Batch, Edit, Search, TextSearch, TreeSearch};

/// A search over a text or over a tree.
#[derive(Clone)]
pub enum RecordedSearch {
    /// ddmin.
    Text(TextSearch),
    /// HDD and hoisting.
    Tree(TreeSearch),
}

impl Search for RecordedSearch {
    type Proposal = Edit;

    fn propose(&mut self) -> Option<Batch<Edit>> {
        match self {
            Self::Text(search) => search.propose(),
            Self::Tree(search) => search.propose(),
        }
    }

    fn answer(&mut self, interesting: &[usize]) {
        match self {
            Self::Text(search) => search.answer(interesting),
            Self::Tree(search) => search.answer(interesting),
        }
    }

    fn current(&self) -> Edit {
        match self {
            Self::Text(search) => search.current(),
            Self::Tree(search) => search.current(),
        }
    }
}
