//! Test-case reduction algorithms as pure state machines.
//!
//! A user has an input that makes a program fail, and a test that says whether a candidate still does. Which candidates
//! to try, in which order, and what to conclude from the outcomes: that is an algorithm, and this crate is where the
//! algorithms live. Running tests, in parallel, with caches, files and clocks, is not: see `nub-run`.
//!
//! # The shape of an algorithm
//!
//! A [`Search`] proposes a [`Batch`] of candidates, is told which of them are interesting, and proposes the next. That
//! is all. It never sees a test, so it cannot depend on how long one takes, how many run at once, or whether an outcome
//! came from a cache; and since it can be cloned cheaply, a scheduler may run ahead on a guess and come back.
//!
//! # From bytes to candidates and back
//!
//! 1. A [`Granularity`] cuts the input into *units*: lines, characters, bytes, tokens.
//! 2. A list minimiser ([`Ddmin`], [`Greeddy`], …; [`ListMinimizer`] has them by name) searches for a small
//!    [`Configuration`], a set of units. [`ListAlgorithm`] repeats it to a fixed point if asked to: ddmin\*.
//! 3. [`TextSearch`] turns configurations into [`Edit`]s, which can write their bytes, and runs one phase after another.
//!
//! ```
//! use nub_core::{drive, Granularity, ListAlgorithm, Search, TextPhase, TextSearch};
//!
//! let phase = TextPhase { granularity: Granularity::Token, algorithm: ListAlgorithm::default() };
//! let mut search = TextSearch::new([phase], *b"f(1, 2) + g(3)");
//! let tests = drive(&mut search, |candidate| {
//!     let text = String::from_utf8(candidate.what.content.to_vec()).unwrap();
//!     text.matches('(').count() == text.matches(')').count() && text.contains("g")
//! });
//! // Without either bracket alone it would not be balanced: the result is 1-minimal, not the smallest of all.
//! assert_eq!(search.current().content.to_vec(), b"g()");
//! assert!(tests < 30);
//! ```

pub mod binary;
mod isolate;
mod list;
pub mod passes;
mod plan;
mod search;
mod structure;
mod text;
pub mod tree;

pub use isolate::{Change, Dd, Diff, Isolation, Parts, changes};
pub use list::{
    Cdd, Configuration, Ddmin, Greeddy, Halving, HalvingOrder, Iterate, ListAlgorithm, ListMinimizer, ListSettings,
    OnePass, Order, ProbDd, Run, Split, SplitFactor, Unit, Wddmin, Weights,
};
pub use plan::{
    Effort, Entry, Input, Minimality, Needs, Options, Plan, PlanError, PlanSearch, Preparations, Selection, Started,
    Step, Validity, registry,
};
pub use search::{
    AnySearch, Batch, Candidate, Content, Edit, Label, Outcome, Patient, Scope, Search, Smaller, Taste, Unresolved,
    Valid, compare, drive,
};
pub use structure::{
    BinaryData, Closures, ClosuresStep, FrontEnd, Hidden, Knowledge, LargestFirst, LargestStep, Outline,
    PlainStructure, PlainText, Structure, Unknown, formatted,
};
pub use text::{Errors, Granularity, TextPhase, TextSearch, TextStep};
pub use tree::{Hoist, HoistOrder, Phase, Traversal, TreeSearch, hoistables};

/// The code in the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
