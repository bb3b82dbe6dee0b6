//! The options of a recorded run, by their names in the reference tools.

use anyhow::{Context as _, Result, bail};
use nub_core::{
    Granularity, HoistOrder, ListAlgorithm, ListMinimizer, ListSettings, Order, Phase, Split, SplitFactor, Traversal,
};
use nub_run::CacheKind;
use serde_json::Value;

/// The list minimiser, with `star` as the name of the option that repeats it.
pub(crate) fn list(options: &Value, star: &str) -> Result<ListAlgorithm> {
    let settings = ListSettings {
        split: match options["split"].as_str() {
            Some("zeller") | None => Split::Zeller,
            Some("balanced") => Split::Balanced,
            Some(other) => bail!("unknown split {other}"),
        },
        split_factor: match options["granularity"].as_u64() {
            Some(factor) => SplitFactor::By(factor as usize),
            None => SplitFactor::Infinite,
        },
        subsets: order(&options["subset_iterator"])?,
        complements: order(&options["complement_iterator"])?,
        complements_first: options["subset_first"] == false,
        window: 1,
    };
    Ok(ListAlgorithm { minimizer: ListMinimizer::Ddmin, star: flag(options, star)?, settings })
}

/// The phases over a tree, with `star` as the name of the option that repeats each.
pub(crate) fn phases(options: &Value, star: &str) -> Result<Vec<Phase>> {
    let traversal = match options["hdd"].as_str() {
        Some("hdd") => Traversal::Levels,
        Some("hddr") => Traversal::Nodes { pop_first: false, append_reversed: false },
        other => bail!("unknown traversal {other:?}"),
    };
    // The star belongs to the phase; subsets come first regardless of the options.
    let list = ListAlgorithm { star: false, ..list(options, star)? };
    let list = ListAlgorithm { settings: ListSettings { complements_first: false, ..list.settings }, ..list };
    let star = flag(options, star)?;
    let phase = |name: &Value| {
        let name = name.as_str().context("a phase is a name")?;
        Ok(Phase {
            traversal,
            prune: name.contains("prune").then_some(list),
            hoist: name.contains("hoist").then_some(HoistOrder::Preorder),
            coarse: name.contains("coarse"),
            star,
        })
    };
    options["phases"].as_array().context("phases are missing")?.iter().map(phase).collect()
}

/// The granularities of a run over a text; `None` for a run over a tree.
pub(crate) fn granularities(options: &Value) -> Option<Vec<Granularity>> {
    match options["atom"].as_str()? {
        "line" => Some(vec![Granularity::Line]),
        "char" => Some(vec![Granularity::Char]),
        "both" => Some(vec![Granularity::Line, Granularity::Char]),
        _ => None,
    }
}

pub(crate) fn cache(name: &Value) -> Result<CacheKind> {
    name.as_str().and_then(CacheKind::from_name).with_context(|| format!("unknown cache {name}"))
}

pub(crate) fn flag(options: &Value, name: &str) -> Result<bool> {
    options[name].as_bool().with_context(|| format!("{name} must be true or false"))
}

fn order(name: &Value) -> Result<Order> {
    Ok(match name.as_str() {
        Some("forward") => Order::Forward,
        Some("backward") => Order::Backward,
        Some("skip") => Order::Skip,
        _ => bail!("unknown iterator {name}"),
    })
}
