//! Test-case reduction algorithms as pure state machines.
//!
//! A user has an input that makes a program fail, and a test that says whether a candidate still does. Which candidates
//! to try, in which order, and what to conclude from the outcomes: that is an algorithm, and this crate is where the
//! algorithms live. Running tests, in parallel, with caches, files and clocks, is not: see `nub-run`.
//!
//! # The shape of an algorithm
//!
//! A [`Search`] proposes a [`Batch`] of candidates, is told which of them are interesting, and proposes the next. That
//! is all. It never sees a test, so it cannot depend on how long one takes, how many run at once, or whether a outcome
//! came from a cache; and since it can be cloned cheaply, whoever drives it may run ahead on a guess and come back.
//!
//! # From bytes to candidates and back
//!
//! 1. A [`Granularity`] cuts the input into *units*: lines, characters, bytes, tokens.
//! 2. A list minimiser ([`Ddmin`], [`Greeddy`], …; [`ListMinimizer`] has them by name) searches for a small
//!    [`Configuration`], a set of units. [`ListAlgorithm`] repeats it to a fixed point if asked to: ddmin\*.
//! 3. [`TextSearch`] turns configurations into [`Edit`]s, which can write their bytes, and strings passes together.
//!
//! ```
//! use nub_core::{drive, Granularity, ListAlgorithm, Search, TextPhase, TextSearch};
//!
//! let pass = TextPhase { granularity: Granularity::Token, algorithm: ListAlgorithm::default() };
//! let mut search = TextSearch::new([pass], *b"f(1, 2) + g(3)");
//! let tests = drive(&mut search, |candidate| {
//!     let text = String::from_utf8(candidate.what.content.to_vec()).unwrap();
//!     text.matches('(').count() == text.matches(')').count() && text.contains("g")
//! });
//! // Without either bracket alone it would not be balanced: the result is 1-minimal, not the smallest of all.
//! assert_eq!(search.current().content.to_vec(), b"g()");
//! assert!(tests < 30);
//! ```

pub mod binary;
mod cdd;
mod closures;
mod configuration;
mod dd;
mod ddmin;
mod difference;
mod edit;
mod format;
mod granularity;
mod greeddy;
mod halving;
mod hdd;
mod hoist;
mod isolate;
mod largest;
mod list;
mod onepass;
mod order;
mod outcome;
mod outline;
pub mod passes;
mod patience;
mod probdd;
mod search;
mod smaller;
mod split;
mod stages;
mod structure;
mod text;
pub mod tree;
mod valid;
mod wddmin;
mod weights;

pub use cdd::Cdd;
pub use closures::Closures;
pub use configuration::{Configuration, Run, Unit};
pub use dd::Dd;
pub use ddmin::Ddmin;
pub use difference::{Change, Diff, changes};
pub use edit::{Content, Edit};
pub use format::formatted;
pub use granularity::Granularity;
pub use greeddy::Greeddy;
pub use halving::{Halving, HalvingOrder};
pub use hdd::{Phase, Traversal, TreeSearch};
pub use hoist::{Hoist, HoistOrder, hoistables};
pub use isolate::{Isolation, Parts};
pub use largest::LargestFirst;
pub use list::{Iterate, ListAlgorithm, ListMinimizer, ListSearch, ListSettings};
pub use onepass::OnePass;
pub use order::Order;
pub use outcome::{Outcome, Unresolved};
pub use outline::{Outline, PlainText};
pub use patience::Patient;
pub use probdd::ProbDd;
pub use search::{Batch, Candidate, Label, Search, drive};
pub use smaller::{Smaller, compare};
pub use split::{Split, SplitFactor};
pub use stages::{Effort, Parser, Stage, Stages};
pub use structure::{Analyse, PlainStructure, Structure};
pub use text::{TextPhase, TextSearch};
pub use valid::{Taste, Valid};
pub use wddmin::Wddmin;
pub use weights::Weights;
