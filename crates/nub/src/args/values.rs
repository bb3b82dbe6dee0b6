//! Parsers for the values of options: names of methods, times, sizes.

use nub_core::{Effort, Hidden, HoistOrder, ListMinimizer, Order, Split, SplitFactor, Traversal, tree::Spacing};
use nub_run::{CacheKind, test::Timeout};
use std::time::Duration;

/// The name of an [`Order`]; the seed of the random order is a separate option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderName {
    Forward,
    Backward,
    Random,
    Skip,
}

impl OrderName {
    pub fn with_seed(self, seed: u64) -> Order {
        match self {
            Self::Forward => Order::Forward,
            Self::Backward => Order::Backward,
            Self::Random => Order::Random(seed),
            Self::Skip => Order::Skip,
        }
    }
}

pub(super) fn parse_order(text: &str) -> Result<OrderName, String> {
    match text {
        "forward" => Ok(OrderName::Forward),
        "backward" => Ok(OrderName::Backward),
        "random" => Ok(OrderName::Random),
        "skip" => Ok(OrderName::Skip),
        _ => Err("expected forward, backward, random or skip".to_owned()),
    }
}

pub(super) fn parse_traversal(text: &str) -> Result<Traversal, String> {
    let (pop_first, append_reversed) = match text {
        "bfs" => (true, false),
        "reversed-bfs" => (true, true),
        "reversed-dfs" => (false, false),
        "dfs" => (false, true),
        _ => return Err("expected dfs, reversed-dfs, bfs or reversed-bfs".to_owned()),
    };
    Ok(Traversal::Nodes { pop_first, append_reversed })
}

pub(super) fn parse_hoist_order(text: &str) -> Result<HoistOrder, String> {
    match text {
        "preorder" => Ok(HoistOrder::Preorder),
        "furthest" => Ok(HoistOrder::Furthest),
        _ => Err("expected preorder or furthest".to_owned()),
    }
}

pub(super) fn parse_hidden(text: &str) -> Result<Hidden, String> {
    match text {
        "gaps" => Ok(Hidden::Gaps),
        "nodes" => Ok(Hidden::Nodes),
        _ => Err("expected gaps or nodes".to_owned()),
    }
}

pub(super) fn parse_spacing(text: &str) -> Result<Spacing, String> {
    match text {
        "original" => Ok(Spacing::Original),
        "picireny" => Ok(Spacing::Picireny),
        _ => Err("expected original or picireny".to_owned()),
    }
}

pub(super) fn parse_split(text: &str) -> Result<Split, String> {
    match text {
        "zeller" => Ok(Split::Zeller),
        "balanced" => Ok(Split::Balanced),
        _ => Err("expected zeller or balanced".to_owned()),
    }
}

pub(super) fn parse_split_factor(text: &str) -> Result<SplitFactor, String> {
    let factor = match text {
        "inf" => SplitFactor::Infinite,
        _ => SplitFactor::By(text.parse().map_err(|_| "expected a number or inf")?),
    };
    if factor.is_valid() { Ok(factor) } else { Err("a part must be split into at least 2".to_owned()) }
}

pub(super) fn parse_effort(text: &str) -> Result<Effort, String> {
    Effort::ALL
        .into_iter()
        .find(|effort| effort.name() == text)
        .ok_or_else(|| format!("expected one of: {}", names(Effort::ALL.map(Effort::name))))
}

pub(super) fn parse_minimizer(text: &str) -> Result<ListMinimizer, String> {
    ListMinimizer::from_name(text)
        .ok_or_else(|| format!("expected one of: {}", names(ListMinimizer::ALL.map(ListMinimizer::name))))
}

pub(super) fn parse_cache(text: &str) -> Result<CacheKind, String> {
    CacheKind::from_name(text).ok_or_else(|| format!("expected one of: {}", names(CacheKind::ALL.map(CacheKind::name))))
}

/// Joins names for a message.
pub fn names<const N: usize>(names: [&str; N]) -> String {
    names.join(", ")
}

pub(super) fn parse_timeout(text: &str) -> Result<Timeout, String> {
    if text == "auto" {
        return Ok(Timeout::Adaptive);
    }
    const EXPECTED: &str = "expected seconds, a time with a unit (500ms, 2m), or auto";
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let seconds = match &text[digits.len()..] {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        unit if !digits.is_empty() => return Err(format!("unknown unit {unit:?}: use ms, s, m or h")),
        _ => return Err(EXPECTED.to_owned()),
    };
    let number: f64 = digits.parse().map_err(|_| EXPECTED)?;
    match Duration::try_from_secs_f64(number * seconds) {
        Ok(limit) if !limit.is_zero() => Ok(Timeout::Fixed(limit)),
        _ => Err("the time-out is zero, negative or too large".to_owned()),
    }
}

pub(super) fn parse_size(text: &str) -> Result<u64, String> {
    const EXPECTED: &str = "expected a number of bytes, or a size with a unit (512M, 2G)";
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit: u64 = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        "t" | "tb" | "tib" => 1 << 40,
        unit if !digits.is_empty() => return Err(format!("unknown unit {unit:?}: use K, M, G or T")),
        _ => return Err(EXPECTED.to_owned()),
    };
    let number: u64 = digits.parse().map_err(|_| EXPECTED)?;
    number.checked_mul(unit).filter(|&size| size > 0).ok_or_else(|| "the size is zero or too large".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes() {
        let seconds = |s| Ok(Timeout::Fixed(Duration::from_millis(s)));
        assert_eq!(parse_timeout("auto"), Ok(Timeout::Adaptive));
        assert_eq!(parse_timeout("3"), seconds(3000));
        assert_eq!(parse_timeout("0.5s"), seconds(500));
        assert_eq!(parse_timeout("250ms"), seconds(250));
        assert_eq!(parse_timeout("2m"), seconds(120_000));
        for wrong in ["", "0", "-1", "x", "1w", "nan", "inf", "1e300"] {
            assert!(parse_timeout(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse_size("512M"), Ok(512 << 20));
        assert_eq!(parse_size("1gib"), Ok(1 << 30));
        for wrong in ["", "0", "1X", "-5", "99999999999T"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }
}
