//! Labels of elements and of alternatives.

use std::collections::HashMap;

use crate::g4::{
    Report, Sources,
    ast::{Alternative, Block, ElementKind, Rule, Span},
};

/// Checks all labels of a parser.
pub(super) fn check(rules: &[Rule], names: &HashMap<&str, Span>, sources: &Sources, report: &mut Report) {
    let mut labels: HashMap<&str, &str> = HashMap::new();
    for rule in rules {
        elements(&rule.block, names, sources, report);
        let alternatives = &rule.block.alternatives;
        let labelled = alternatives.iter().filter_map(|alternative| alternative.label.as_ref());
        if let Some(missing) = alternatives.iter().find(|alternative| alternative.label.is_none())
            && labelled.clone().next().is_some()
        {
            let message = format!("rule {}: either all alternatives have labels or none", rule.name.text);
            report.error(sources, missing.span, message).hint("this alternative has no label");
        }
        for label in labelled {
            let name = &label.text[..];
            if names.contains_key(name) {
                report.error(sources, label.span, format!("{name} is both the label of an alternative and a rule"));
            }
            let owner = *labels.entry(name).or_insert(&rule.name.text);
            if owner != rule.name.text {
                let message = format!("the label {name} already belongs to alternatives of rule {owner}");
                report.error(sources, label.span, message);
            }
        }
    }
}

fn is_token_set(block: &Block) -> bool {
    let single = |alternative: &Alternative| match &alternative.elements[..] {
        [only] => {
            only.label.is_none()
                && matches!(only.kind, ElementKind::Token(_) | ElementKind::Eof | ElementKind::Literal(_))
        }
        _ => false,
    };
    block.alternatives.len() > 1 && block.alternatives.iter().all(single)
}

fn elements(block: &Block, names: &HashMap<&str, Span>, sources: &Sources, report: &mut Report) {
    for Alternative { elements: all, options, .. } in &block.alternatives {
        for option in options {
            let (name, value) = (&option.name.text[..], option.value.as_deref());
            if name != "assoc" {
                report.warning(sources, option.name.span, format!("an alternative has no option {name}"));
            } else if !matches!(value, Some("left" | "right")) {
                let problem = report.warning(sources, option.value_span, "assoc must be left or right");
                problem.hint("left is assumed");
            }
        }
        for element in all {
            if let Some(label) = &element.label
                && names.contains_key(&label.name.text[..])
            {
                let message = format!("{} is both the label of an element and a rule", label.name.text);
                report.error(sources, label.name.span, message).hint("choose another name for the label");
            }
            if let (Some(label), ElementKind::Block(inner)) = (&element.label, &element.kind)
                && !is_token_set(inner)
            {
                let message = format!("the label {} is on a block that is not just a set of tokens", label.name.text);
                report
                    .error(sources, label.name.span, message)
                    .hint("put the label on an element, or move the block to a rule");
            }
            let assoc = element.options.iter().find(|option| option.name.text == "assoc");
            if let Some(option) = assoc {
                let problem = report.warning(sources, option.name.span, "assoc on an element has no effect");
                problem.hint("put <assoc=right> at the start of the alternative");
            }
            if let ElementKind::Block(inner) | ElementKind::Quantified { block: inner, .. } = &element.kind {
                elements(inner, names, sources, report);
            }
        }
    }
}
