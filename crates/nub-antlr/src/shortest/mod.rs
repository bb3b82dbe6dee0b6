//! The shortest texts of the rules of a grammar: what a reducer replaces a whole subtree with.

mod reference;

pub use reference::reference;

use std::collections::HashMap;

/// Texts by the name of a rule or token. Those of the user win over everything.
pub type Replacements = HashMap<String, String>;
