//! Direct left recursion: rules that begin with a call of themselves.
//!
//! A left-recursive rule becomes a choice of its other alternatives, followed by a loop over what may come after the
//! first call (Parr, Harwell and Fisher, *Adaptive LL(\*) parsing*, 2014, §C). Earlier alternatives bind tighter.

use crate::g4::ast::{Alternative, Element, ElementKind, Rule};

/// A rewritten rule.
pub(crate) struct Rewritten<'a> {
    /// How a match begins.
    pub(crate) primary: Vec<Part<'a>>,
    /// How it may continue: binary alternatives first, then suffixes, whatever their order in the grammar.
    pub(crate) operators: Vec<Part<'a>>,
}

/// The rest of an alternative.
pub(crate) struct Part<'a> {
    /// Its elements, without the first call of the rule.
    pub(crate) elements: &'a [Element],
    /// How tightly it binds.
    pub(crate) precedence: u32,
    /// The precedence of the last call, if that calls the rule itself.
    pub(crate) last: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Binary,
    Prefix,
    Suffix,
    Other,
}

/// Rewrites a rule; `None` if no alternative begins with a call of it.
pub(crate) fn rewrite(rule: &Rule) -> Option<Rewritten<'_>> {
    let name = &rule.name.text;
    let alternatives = &rule.block.alternatives;
    if !alternatives.iter().any(|alternative| begins_with_itself(name, alternative)) {
        return None;
    }
    let (mut primary, mut binary, mut suffix) = (Vec::new(), Vec::new(), Vec::new());
    let count = u32::try_from(alternatives.len()).unwrap_or(u32::MAX);
    for (alternative, precedence) in alternatives.iter().zip((1..=count).rev()) {
        let elements = &alternative.elements[..];
        match shape(name, elements) {
            Shape::Binary => {
                let last = if is_right_associative(alternative) { precedence } else { precedence + 1 };
                binary.push(Part { elements: &elements[1..], precedence, last });
            }
            Shape::Suffix => suffix.push(Part { elements: &elements[1..], precedence, last: 0 }),
            Shape::Prefix => primary.push(Part { elements, precedence, last: precedence }),
            Shape::Other => primary.push(Part { elements, precedence, last: 0 }),
        }
    }
    binary.append(&mut suffix);
    Some(Rewritten { primary, operators: binary })
}

/// Whether an alternative begins with a call of its rule.
pub(crate) fn begins_with_itself(name: &str, alternative: &Alternative) -> bool {
    alternative.elements.first().is_some_and(|first| calls(name, first))
}

fn is_right_associative(alternative: &Alternative) -> bool {
    let assoc = alternative.options.iter().find(|option| option.name.text == "assoc");
    assoc.is_some_and(|option| option.value.as_deref() == Some("right"))
}

fn calls(name: &str, element: &Element) -> bool {
    matches!(&element.kind, ElementKind::Rule { name: called, arguments: None } if called == name)
}

fn is_code(element: &Element) -> bool {
    matches!(element.kind, ElementKind::Action(_) | ElementKind::Predicate(_))
}

fn shape(name: &str, elements: &[Element]) -> Shape {
    let Some(first) = elements.first() else { return Shape::Other };
    let last = elements.iter().rposition(|element| !is_code(element)).filter(|&last| calls(name, &elements[last]));
    if calls(name, first) {
        return match last {
            Some(1..) => Shape::Binary,
            _ if elements.len() > 1 => Shape::Suffix,
            _ => Shape::Other,
        };
    }
    if last.is_some() { Shape::Prefix } else { Shape::Other }
}

/// How many rules the elements call, at any depth.
pub(crate) fn count_calls(elements: &[Element]) -> usize {
    let inner = |alternatives: &[Alternative]| {
        alternatives.iter().map(|alternative| count_calls(&alternative.elements)).sum::<usize>()
    };
    elements
        .iter()
        .map(|element| match &element.kind {
            ElementKind::Rule { .. } => 1,
            ElementKind::Block(block) | ElementKind::Quantified { block, .. } => inner(&block.alternatives),
            _ => 0,
        })
        .sum()
}
