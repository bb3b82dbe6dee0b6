//! Test-case reduction algorithms as pure state machines.

mod configuration;
mod ddmin;
mod edit;
mod granularity;
mod greeddy;
mod list;
mod order;
mod search;
mod split;
mod text;

pub use configuration::{Configuration, Run, Unit};
pub use ddmin::Ddmin;
pub use edit::{Content, Edit};
pub use granularity::Granularity;
pub use greeddy::Greeddy;
pub use list::{Iterate, ListAlgorithm, ListMinimizer, ListSearch, ListSettings};
pub use order::Order;
pub use search::{Batch, Candidate, Label, Search, drive};
pub use split::{Split, SplitFactor};
pub use text::{TextPass, TextSearch};
