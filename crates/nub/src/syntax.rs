//! `nub languages` and `nub parse`: the languages that nub can parse, and the tree of a file.

use crate::{
    args::{ParseArgs, TreeFormat},
    grammar,
    screen::bytes,
};
use anyhow::{Context, Result, bail};
use nub_core::{
    Hidden,
    tree::{Kind, NodeId, Tree},
};
use nub_syntax::Language;
use std::{
    fmt::Write as _,
    fs,
    io::{self, Write},
    path::Path,
};

/// Lists the built-in languages.
pub fn languages(out: &mut Vec<u8>) -> io::Result<()> {
    for language in nub_syntax::languages() {
        let Language { name, aliases, extensions, .. } = language;
        let extensions: Vec<String> = extensions.iter().map(|extension| format!(".{extension}")).collect();
        let aliases = if aliases.is_empty() { String::new() } else { format!(" (also {})", aliases.join(", ")) };
        writeln!(out, "{name:<14} {}{aliases}", extensions.join(" "))?;
    }
    Ok(())
}

/// Prints the tree of a file.
pub fn parse(args: &ParseArgs) -> Result<String> {
    let format = if args.tree { TreeFormat::Lisp } else { args.format };
    args.grammar.check()?;
    let Some(input) = &args.input else { bail!("the file to parse is missing: `nub parse [OPTIONS] INPUT`") };
    let text = fs::read(input).with_context(|| format!("cannot read {}", input.display()))?;
    let front_end = if args.grammar.is_given() {
        let language = grammar::load(&args.grammar, None)?;
        if format == TreeFormat::Lisp {
            let (tree, errors) = language.lisp(&text);
            for error in errors {
                eprintln!("{error}");
            }
            return Ok(tree + "\n");
        }
        language.front_end()
    } else if format == TreeFormat::Lisp {
        bail!("parse trees can be printed as nested lists only with your own grammar: give --grammar or --yacc");
    } else {
        find_language(input, &text, args.language.as_deref())?.front_end()
    };
    let Some(tree) = front_end.tree(&text, Hidden::default()) else {
        bail!(
            "cannot parse {} as {}: it is too large, or its encoding is not supported",
            input.display(),
            front_end.name()
        );
    };
    let (name, errors) = (front_end.name(), front_end.errors(&text));
    let (input, nodes) = (input.display(), tree.arena_len());
    eprintln!("nub: {input}: {name}, {}, {nodes} nodes, {errors} syntax errors", bytes(text.len()));
    Ok(match format {
        TreeFormat::Json => json(&tree),
        TreeFormat::Dot => dot(&tree),
        TreeFormat::Indented | TreeFormat::Lisp => indented(&tree),
    })
}

fn find_language(input: &Path, text: &[u8], name: Option<&str>) -> Result<&'static Language> {
    match name {
        Some(name) => nub_syntax::language(name)
            .with_context(|| format!("unknown language {name:?}: `nub languages` lists the built-in ones")),
        None => match nub_syntax::detect(Some(input), text) {
            Some(language) => Ok(language),
            None => bail!(
                "cannot detect the language of {}: give it with --language NAME (see `nub languages`)",
                input.display()
            ),
        },
    }
}

/// The label of a node: the name of a rule, a question mark for an optional part.
fn label(tree: &Tree, node: NodeId) -> String {
    let text = || format!("{:?}", String::from_utf8_lossy(tree.text(node)));
    match tree.kind(node) {
        Kind::Token if tree.name(node).as_bytes() == tree.text(node) => text(),
        Kind::Token => format!("{} {}", tree.name(node), text()),
        Kind::Error => format!("ERROR {}", text()),
        Kind::Rule if tree.name(node).is_empty() => "()".to_owned(),
        Kind::Rule => tree.name(node).to_owned(),
        Kind::Quantified => "?".to_owned(),
    }
}

/// Visits all nodes: a node with its depth on the way down, `None` on the way up.
fn visit(tree: &Tree, mut see: impl FnMut(Option<NodeId>, usize)) {
    let mut stack = vec![(Some(tree.root()), 0)];
    while let Some((node, depth)) = stack.pop() {
        see(node, depth);
        if let Some(node) = node {
            stack.push((None, depth));
            stack.extend(tree.children(node).rev().map(|child| (Some(child), depth + 1)));
        }
    }
}

fn indented(tree: &Tree) -> String {
    let mut out = String::new();
    visit(tree, |node, depth| {
        if let Some(node) = node {
            let replacement = match tree.replacement(node) {
                same if same.as_bytes() == tree.text(node) && tree.kind(node).is_token() => String::new(),
                _ if tree.is_fixed(node) => String::new(),
                other => format!("  -> {other:?}"),
            };
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{:1$}{2}{replacement}", "", 2 * depth, label(tree, node));
        }
    });
    out
}

fn json(tree: &Tree) -> String {
    let mut out = String::new();
    let mut first = true;
    visit(tree, |node, _| {
        let Some(node) = node else {
            out.push_str("]}");
            first = false;
            return;
        };
        if !first {
            out.push(',');
        }
        let span = tree.span(node);
        let object = serde_json::json!({
            "kind": format!("{:?}", tree.kind(node)).to_lowercase(),
            "name": tree.name(node),
            "replacement": tree.replacement(node),
            "start": span.start,
            "end": span.end,
        });
        out.push_str(object.to_string().trim_end_matches('}'));
        out.push_str(",\"children\":[");
        first = true;
    });
    out.push('\n');
    out
}

fn dot(tree: &Tree) -> String {
    let mut out = String::from("digraph tree {\n  node [shape=box, fontname=monospace];\n");
    let mut path: Vec<usize> = vec![];
    let mut next = 0;
    visit(tree, |node, _| {
        let Some(node) = node else {
            path.pop();
            return;
        };
        let text = label(tree, node).replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(out, "  n{next} [label=\"{text}\"];");
        if let Some(parent) = path.last() {
            let _ = writeln!(out, "  n{parent} -> n{next};");
        }
        path.push(next);
        next += 1;
    });
    out.push_str("}\n");
    out
}
