//! Everything that can be a step, by name.

use super::{AGAIN, Item, Needs, Options, Plan, PlanError, Step};
use crate::{
    Granularity, ListMinimizer, Phase,
    binary::BinaryStep,
    passes::{PASSES, Pass, PassStep},
    structure::{ClosuresStep, LargestStep},
    text::{Errors, TextStep},
    tree::TreeStep,
};
use std::sync::{Arc, LazyLock};

/// A name that can occur in a plan.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name, without `*` and `coarse-`.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// What it needs to know about the input.
    pub needs: Needs,
    make: Make,
}

/// How steps are made from a name.
#[derive(Clone, Copy, Debug)]
enum Make {
    /// One of a kind.
    Own(fn(&Options) -> Vec<Arc<dyn Step>>),
    Pass(Pass),
    List(ListMinimizer),
    /// A phase on a tree; those that follow each other work on one tree.
    Tree,
}

/// Steps that are one of a kind.
const OWN: [Entry; 4] = [
    own("largest", LargestStep::ABOUT, Needs::Structure, |_| vec![Arc::new(LargestStep)]),
    own("closures", ClosuresStep::ABOUT, Needs::Structure, |_| vec![Arc::new(ClosuresStep)]),
    own("tokens", "removes tokens and runs of tokens, even if the result does not parse", Needs::Structure, tokens),
    own("binary", BinaryStep::ABOUT, Needs::Bytes, |options| vec![Arc::new(BinaryStep(options.inner_list(true)))]),
];

const fn own(name: &'static str, about: &'static str, needs: Needs, make: fn(&Options) -> Vec<Arc<dyn Step>>) -> Entry {
    Entry { name, about, needs, make: Make::Own(make) }
}

/// Few tokens can be removed this late, and one-pass DD wastes the fewest tests on finding that out. What is left of a
/// statement without its tokens is removed as a run, before anything is parsed again.
fn tokens(options: &Options) -> Vec<Arc<dyn Step>> {
    let algorithm = options.list(options.minimizer.unwrap_or(ListMinimizer::OnePass), true);
    let text = TextStep { algorithm, granularities: vec![Granularity::Token], errors: Errors::Probed };
    let mut steps: Vec<Arc<dyn Step>> = vec![Arc::new(text)];
    let windows = PASSES.into_iter().find(|pass| pass.name == "windows");
    steps.extend(windows.map(|pass| Arc::new(PassStep { pass, unparsable: true }) as Arc<dyn Step>));
    steps
}

/// All names: one line each here, in [`PASSES`], in [`ListMinimizer::ALL`] or in [`Phase::NAMES`].
pub fn registry() -> &'static [Entry] {
    static REGISTRY: LazyLock<Vec<Entry>> = LazyLock::new(|| {
        let pass =
            |pass: Pass| Entry { name: pass.name, about: pass.about, needs: Needs::Structure, make: Make::Pass(pass) };
        let list = |list: ListMinimizer| Entry {
            name: list.name(),
            about: list.about(),
            needs: Needs::Bytes,
            make: Make::List(list),
        };
        let tree = |(name, about)| Entry { name, about, needs: Needs::Tree, make: Make::Tree };
        let passes = PASSES.into_iter().map(pass);
        OWN.into_iter().chain(passes).chain(ListMinimizer::ALL.map(list)).chain(Phase::NAMES.map(tree)).collect()
    });
    &REGISTRY
}

impl Entry {
    /// Whether it is a list minimiser.
    pub fn is_list(&self) -> bool {
        matches!(self.make, Make::List(_))
    }

    /// Whether it is a published tree algorithm.
    pub fn is_tree(&self) -> bool {
        matches!(self.make, Make::Tree)
    }

    /// The entry of a name that may have a `*`, or begin with `coarse-`.
    fn find(name: &str) -> Option<&'static Self> {
        let bare = name.strip_suffix('*').unwrap_or(name);
        let tree = bare.strip_prefix("coarse-").unwrap_or(bare);
        registry().iter().find(|entry| match entry.make {
            Make::Own(_) | Make::Pass(_) => entry.name == name,
            Make::List(_) => entry.name == bare,
            Make::Tree => entry.name == tree,
        })
    }
}

/// The plan with these names, joined by `+`.
pub(super) fn plan(names: &str, options: &Options) -> Result<Plan, PlanError> {
    let unknown = |name: &str| PlanError::Unknown { name: name.to_owned() };
    let mut entries = vec![];
    for name in names.split('+').filter(|&name| name != AGAIN) {
        entries.push(Entry::find(name).ok_or_else(|| unknown(name))?);
    }
    let granularities = options.granularities.clone().unwrap_or_else(|| default_granularities(&entries));
    // Without a structure nothing tells errors.
    let structured = entries.iter().any(|entry| entry.needs != Needs::Bytes);
    let errors = if options.filter && structured { Errors::Filtered } else { Errors::Tested };
    let mut items = vec![];
    let mut phases: Option<TreeStep> = None;
    for name in names.split('+') {
        let entry = if name == AGAIN { None } else { Some(Entry::find(name).ok_or_else(|| unknown(name))?) };
        if let Some(Entry { make: Make::Tree, .. }) = entry {
            let list = options.inner_list(false);
            let more = Phase::named(name, list, options.hoist_order, options.traversal).ok_or_else(|| unknown(name))?;
            phases.get_or_insert_with(|| TreeStep::new(options)).push(name, more);
            continue;
        }
        items.extend(phases.take().map(|step| Item::Step(Arc::new(step))));
        match entry.map(|entry| entry.make) {
            None => items.push(Item::Again),
            Some(Make::Own(make)) => items.extend(make(options).into_iter().map(Item::Step)),
            Some(Make::Pass(pass)) => items.push(Item::Step(Arc::new(PassStep { pass, unparsable: false }))),
            Some(Make::List(minimizer)) => {
                if let Some(other) = options.minimizer.filter(|&other| other != minimizer) {
                    return Err(PlanError::Contradiction { name: name.to_owned(), other: other.name() });
                }
                let algorithm = options.list(minimizer, name.ends_with('*'));
                let granularities = granularities.clone();
                items.push(Item::Step(Arc::new(TextStep { algorithm, granularities, errors })));
            }
            Some(Make::Tree) => {}
        }
    }
    items.extend(phases.take().map(|step| Item::Step(Arc::new(step))));
    Ok(Plan { items, name: names.to_owned(), granularities, effort: options.effort, hidden: options.hidden })
}

/// What a text is cut into if the user does not say.
fn default_granularities(entries: &[&Entry]) -> Vec<Granularity> {
    if entries.iter().any(|entry| entry.needs != Needs::Bytes) {
        vec![Granularity::Token, Granularity::Char]
    } else if entries.iter().any(|entry| entry.name == "binary") {
        vec![Granularity::Byte]
    } else {
        vec![Granularity::Line, Granularity::Char]
    }
}
