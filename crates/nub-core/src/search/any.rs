//! A search whose type is not known: what a list of steps, or of list minimisers, is made of.

use crate::{Batch, Search};
use std::fmt;

/// Any search with proposals of type `P`, in a box. Cloning it clones the search.
pub struct AnySearch<P>(Box<dyn Erased<P>>);

impl<P> AnySearch<P> {
    /// Puts a search in a box.
    pub fn new(search: impl Search<Proposal = P> + Send + Sync + 'static) -> Self {
        Self(Box::new(search))
    }
}

/// The methods of a search that do not name its type.
trait Erased<P>: Send + Sync {
    fn propose(&mut self) -> Option<Batch<P>>;
    fn answer(&mut self, interesting: &[usize]);
    fn current(&self) -> P;
    fn boxed_clone(&self) -> Box<dyn Erased<P>>;
}

impl<S: Search + Send + Sync + 'static> Erased<S::Proposal> for S {
    fn propose(&mut self) -> Option<Batch<S::Proposal>> {
        Search::propose(self)
    }

    fn answer(&mut self, interesting: &[usize]) {
        Search::answer(self, interesting);
    }

    fn current(&self) -> S::Proposal {
        Search::current(self)
    }

    fn boxed_clone(&self) -> Box<dyn Erased<S::Proposal>> {
        Box::new(self.clone())
    }
}

impl<P> Clone for AnySearch<P> {
    fn clone(&self) -> Self {
        Self(self.0.boxed_clone())
    }
}

impl<P> fmt::Debug for AnySearch<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AnySearch")
    }
}

impl<P> Search for AnySearch<P> {
    type Proposal = P;

    fn propose(&mut self) -> Option<Batch<P>> {
        self.0.propose()
    }

    fn answer(&mut self, interesting: &[usize]) {
        self.0.answer(interesting);
    }

    fn current(&self) -> P {
        self.0.current()
    }
}
