//! nub's own plans.

use super::{AGAIN, Effort, Options, Plan, PlanError};
use crate::{Granularity, Knowledge};

/// For an input with a known grammar: the largest parts, then passes, until neither finds anything; then every single
/// node, token and character, and from the beginning if that helped.
const TREE: &str = "largest+unwrap+pairs+mentions+parameters+inline+merge+identifiers+numbers+strings+smallest+\
                    blanks+again+hddhr*+ddmin*+windows+digits+lower+again+tokens+again";

/// For text in no known language: the same with what its layout shows.
const TEXT: &str = "largest+unwrap+repeats+columns+numbers+identifiers+again+ddmin*+windows+digits+lower+again";

/// For binary data: blocks and bytes with everything around them repaired, then bytes as they are.
const BINARY: &str = "binary+ddmin*";

/// For bytes that nothing is known about.
const BYTES: &str = "ddmin*";

impl Plan {
    /// nub's plan for inputs about which this much is known.
    ///
    /// # Errors
    /// If the options [select](super::Selection) a step that the plan does not have.
    pub fn standard(knowledge: Knowledge, options: &Options) -> Result<Self, PlanError> {
        let mut names: Vec<&str> = Self::standard_names(knowledge).split('+').collect();
        match options.effort {
            Effort::Quick => {
                let round = names.iter().position(|&name| name == AGAIN).map_or(names.len(), |again| again + 1);
                names.truncate(round);
            }
            Effort::Normal => {}
            Effort::Thorough => {
                if let Some(windows) = names.iter().position(|&name| name == "windows") {
                    names.insert(windows + 1, "combinations");
                }
            }
        }
        let selection = &options.selection;
        if let Some(name) = selection
            .only
            .iter()
            .chain(&selection.without)
            .find(|name| *name == AGAIN || !names.contains(&name.as_str()))
        {
            let known = names.iter().filter(|name| **name != AGAIN).map(|&name| name.to_owned()).collect();
            return Err(PlanError::NotInPlan { name: name.clone(), known });
        }
        let lists = |list: &[String], name: &str| list.iter().any(|other| other == name);
        names.retain(|name| {
            let wanted = selection.only.is_empty() || lists(&selection.only, name) || *name == AGAIN;
            wanted && !lists(&selection.without, name)
        });
        Self::named(&names.join("+"), &Options { filter: true, ..options.clone() })
    }

    /// The names of the steps of [`standard`](Self::standard), joined by `+`.
    pub fn standard_names(knowledge: Knowledge) -> &'static str {
        match knowledge {
            Knowledge::Grammar => TREE,
            Knowledge::Layout => TEXT,
            Knowledge::Binary => BINARY,
            Knowledge::Tree | Knowledge::Nothing => BYTES,
        }
    }

    /// nub's plan for inputs with a known grammar.
    pub fn for_tree() -> Self {
        Self::default_for(Knowledge::Grammar)
    }

    /// nub's plan for text in no known language.
    pub fn for_text() -> Self {
        Self::default_for(Knowledge::Layout)
    }

    /// nub's plan for binary data.
    pub fn for_binary() -> Self {
        Self::default_for(Knowledge::Binary)
    }

    /// [`standard`](Self::standard) without options, which cannot fail.
    pub fn default_for(knowledge: Knowledge) -> Self {
        Self::standard(knowledge, &Options::default()).unwrap_or_else(|_| Self::of([]))
    }

    /// An algorithm of the literature, as it was published: on one line and character at a time, or on a tree, with the
    /// parameters of the experiments.
    ///
    /// # Errors
    /// If there is no such algorithm.
    pub fn published(name: &str) -> Result<Self, PlanError> {
        let granularities = Some(vec![Granularity::Line, Granularity::Char]);
        Self::named(name, &Options { smaller: false, granularities, ..Options::default() })
    }
}
