//! Imports of other grammars.

use std::collections::HashSet;

use super::load::Loader;
use crate::g4::ast::{GrammarFile, GrammarType, Name, Rule};

/// Adds the imports of a grammar: its own rules take precedence over imported ones, and earlier imports over later
/// ones.
pub(crate) fn merge(root: GrammarFile, loader: &mut Loader<'_>) -> GrammarFile {
    let mut found = Vec::new();
    let mut seen = HashSet::from([root.name.text.clone()]);
    collect(&root, &mut vec![root.name.text.clone()], &mut seen, &mut found, loader);
    let mut root = root;
    for imported in found {
        add(&mut root, imported, loader);
    }
    root
}

/// All imports, each before its own imports.
fn collect(
    importer: &GrammarFile,
    path: &mut Vec<String>,
    seen: &mut HashSet<String>,
    found: &mut Vec<GrammarFile>,
    loader: &mut Loader<'_>,
) {
    for name in &importer.imports {
        if path.contains(&name.text) {
            let cycle = path.iter().skip_while(|&part| *part != name.text);
            let cycle: Vec<&str> = cycle.map(String::as_str).chain([&name.text[..]]).collect();
            let message = format!("the imports form a cycle: {}", cycle.join(" -> "));
            loader.report.error(loader.sources, name.span, message);
            continue;
        }
        if path.len() > 50 {
            loader.report.error(loader.sources, name.span, "imports are nested deeper than 50 levels");
            continue;
        }
        if !seen.insert(name.text.clone()) {
            continue;
        }
        let Some(file) = loader.import(name) else { continue };
        check_type(importer, name, &file, loader);
        found.push(file.clone());
        path.push(name.text.clone());
        collect(&file, path, seen, found, loader);
        path.pop();
    }
}

fn check_type(importer: &GrammarFile, name: &Name, file: &GrammarFile, loader: &mut Loader<'_>) {
    let what = |grammar_type| match grammar_type {
        GrammarType::Lexer => "lexer grammar",
        GrammarType::Parser => "parser grammar",
        GrammarType::Combined => "combined grammar",
    };
    let (outer, inner) = (importer.grammar_type, file.grammar_type);
    if outer != inner && outer != GrammarType::Combined {
        let message = format!("a {} cannot import the {} {}", what(outer), what(inner), name.text);
        loader.report.error(loader.sources, name.span, message);
    }
}

fn add(root: &mut GrammarFile, imported: GrammarFile, loader: &mut Loader<'_>) {
    if let Some(option) = imported.options.first() {
        let message = format!("options of the imported grammar {} are ignored", imported.name.text);
        loader.report.warning(loader.sources, option.name.span, message);
    }
    extend_names(&mut root.tokens, imported.tokens);
    extend_names(&mut root.channels, imported.channels);
    root.actions.extend(imported.actions);
    let mut known: HashSet<String> = root.rules.iter().map(|rule| rule.name.text.clone()).collect();
    let (in_modes, plain): (Vec<Rule>, Vec<Rule>) = imported.rules.into_iter().partition(|rule| rule.mode.is_some());
    for rule in in_modes.into_iter().chain(plain) {
        if known.insert(rule.name.text.clone()) {
            // After the first section of its mode, or in a new section at the end.
            let place = section_end(&root.rules, rule.mode.as_deref());
            root.rules.insert(place, rule);
        }
    }
}

fn section_end(rules: &[Rule], mode: Option<&str>) -> usize {
    let start = rules.iter().position(|rule| rule.mode.as_deref() == mode);
    // A grammar without plain rules still has the section of the default mode, at its start.
    let Some(start) = start else { return if mode.is_none() { 0 } else { rules.len() } };
    let length = rules[start..].iter().position(|rule| rule.mode.as_deref() != mode);
    length.map_or(rules.len(), |length| start + length)
}

fn extend_names(names: &mut Vec<Name>, more: Vec<Name>) {
    for name in more {
        if !names.iter().any(|known| known.text == name.text) {
            names.push(name);
        }
    }
}
