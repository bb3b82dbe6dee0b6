//! From bytes to a tree.
//!
//! The parser's nodes become rules and tokens. Groups between them say which children can be removed together. Blanks
//! and, unless [requested](Hidden), comments are not nodes: they lie in the gaps between tokens, so tokens and gaps
//! together are always the whole input. Text that the parser's tree does not show but that is not blank (a hidden
//! token) becomes a token without a name.
//!
//! Where the input is not a sentence of the language, the parser leaves ERROR nodes, whose children form a plain list:
//! each of them can be removed. The rest of the tree is unaffected.

use super::{
    compiled::Compiled,
    language::Language,
    reparse::{self, count_errors},
    replacements,
    syntax::{Info, Syntax},
};
use crate::{
    grammar::{ChildKind, Group},
    positions::Positions,
};
use nub_core::{
    Hidden,
    tree::{Kind, NodeId, Position, Tree, TreeBuilder},
};
use std::{collections::BTreeMap, ops::Range, sync::Arc};
use tree_sitter::Node;

/// Why an input cannot be parsed.
#[derive(Debug, thiserror::Error)]
pub enum ParseError {
    /// Positions in the input are 32-bit numbers.
    #[error("the input has {0} bytes, which is more than a tree can hold (4 GiB)")]
    TooLarge(usize),
    /// The parser and its library are incompatible; a test rules this out.
    #[error("the parser of {0} cannot be used")]
    Parser(&'static str),
}

/// A parsed input.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The tree before any preparation.
    pub tree: Tree,
    /// The grammar's view of it.
    pub syntax: Arc<Syntax>,
    /// How many ERROR and MISSING nodes the parser had to insert.
    pub errors: usize,
    /// The number of nodes with children, not counting ERROR nodes.
    pub rules: usize,
    /// How many of these are known to be sentences of their rules.
    pub matched: usize,
}

/// Parses an input. Any bytes are accepted.
///
/// # Errors
/// If the input is too large, or the parser cannot be used: see [`ParseError`].
pub fn parse(language: &'static Language, input: &[u8]) -> Result<Parsed, ParseError> {
    parse_with(language, input, Hidden::Gaps)
}

/// Parses an input with a choice of how to treat comments.
///
/// # Errors
/// As for [`parse`].
pub fn parse_with(language: &'static Language, input: &[u8], hidden: Hidden) -> Result<Parsed, ParseError> {
    if u32::try_from(input.len()).is_err() {
        return Err(ParseError::TooLarge(input.len()));
    }
    let unusable = || ParseError::Parser(language.name);
    let compiled = language.compiled().ok_or_else(unusable)?;
    let parsed = reparse::full(language, input).ok_or_else(unusable)?;
    let errors = count_errors(parsed.root_node());
    let replacements = replacements::find(language, compiled, input, &parsed);
    let mut walk = Walk {
        compiled,
        input,
        hidden,
        builder: TreeBuilder::new(input),
        replacements,
        syntax: Syntax { language, compiled, infos: vec![], lists: vec![] },
        positions: Positions::start(),
        rules: 0,
        matched: 0,
    };
    let root = walk.tree(&parsed);
    let Walk { builder, syntax, rules, matched, .. } = walk;
    Ok(Parsed { tree: builder.finish(root), syntax: Arc::new(syntax), errors, rules, matched })
}

/// A finished node, to be added to its parent.
struct Entry {
    node: NodeId,
    positions: Range<Position>,
    role: Role,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// The rule mentions it.
    Child(ChildKind),
    /// It may occur anywhere, so it can be removed.
    Extra,
    /// Text that the parser's tree does not show.
    Hidden,
}

/// A parser node whose children are being built.
struct Frame<'a> {
    node: Node<'a>,
    entries: Vec<Entry>,
    /// The position up to which the input has been processed.
    end: usize,
}

struct Walk<'a> {
    compiled: &'static Compiled,
    input: &'a [u8],
    hidden: Hidden,
    builder: TreeBuilder,
    replacements: BTreeMap<ChildKind, (Arc<str>, bool)>,
    syntax: Syntax,
    positions: Positions,
    rules: usize,
    matched: usize,
}

impl Walk<'_> {
    fn tree(&mut self, tree: &tree_sitter::Tree) -> NodeId {
        let mut cursor = tree.walk();
        let root = cursor.node();
        let mut stack = vec![Frame { node: root, entries: vec![], end: 0 }];
        let mut more = cursor.goto_first_child();
        loop {
            if more {
                let node = cursor.node();
                if let Some(parent) = stack.last_mut() {
                    self.text_before(parent, node.start_byte());
                }
                if cursor.goto_first_child() {
                    stack.push(Frame { node, entries: vec![], end: node.start_byte() });
                    continue;
                }
                let entry = self.leaf(node, cursor.field_name());
                if let Some(parent) = stack.last_mut() {
                    parent.entries.extend(entry);
                    parent.end = parent.end.max(node.end_byte());
                }
            } else {
                // The top of the stack has all its children.
                let Some(mut frame) = stack.pop() else { return self.empty() };
                let end = if stack.is_empty() { self.input.len() } else { frame.node.end_byte() };
                self.text_before(&mut frame, end);
                let node = frame.node;
                let Some(parent) = stack.last_mut() else {
                    return self.close(frame, true).map_or_else(|| self.empty(), |entry| entry.node);
                };
                let entry = self.close(frame, false);
                parent.entries.extend(entry);
                parent.end = parent.end.max(node.end_byte());
                cursor.goto_parent();
            }
            more = cursor.goto_next_sibling();
        }
    }

    fn empty(&mut self) -> NodeId {
        let at = self.positions.here();
        self.rule("", "", at..at, vec![], Info::default())
    }

    /// Text between two children that is not blank.
    fn text_before(&mut self, frame: &mut Frame<'_>, end: usize) {
        let start = frame.end;
        if start >= end {
            return;
        }
        frame.end = end;
        let Some(range) = not_blank(self.input, start..end) else { return };
        let (kind, role) = match frame.node.is_error() {
            true => (Kind::Error, Role::Extra),
            false => (Kind::Token, Role::Hidden),
        };
        let text = std::str::from_utf8(&self.input[range.clone()]).unwrap_or_default();
        let replacement = if kind == Kind::Error { "" } else { text };
        frame.entries.push(self.token(kind, "", range, replacement, Info::default(), role));
    }

    fn leaf(&mut self, node: Node<'_>, place: Option<&str>) -> Option<Entry> {
        let range = node.byte_range();
        let Some(kind) = self.compiled.kind(node) else {
            let entry =
                |walk: &mut Self| walk.token(Kind::Error, "ERROR", range.clone(), "", Info::default(), Role::Extra);
            return (!range.is_empty()).then(|| entry(self));
        };
        if node.is_extra() {
            let shown = self.hidden == Hidden::Nodes && not_blank(self.input, range.clone()).is_some();
            let entry = |walk: &mut Self| {
                let info = Info { kind: Some(kind), ..Info::default() };
                walk.token(Kind::Token, node.kind(), range.clone(), "", info, Role::Extra)
            };
            return shown.then(|| entry(self));
        }
        // A token without a valid replacement stays as it is.
        let known = self.replacements.get(&kind).filter(|(_, valid)| *valid && node.is_named());
        let own = || (std::str::from_utf8(&self.input[range.clone()]).unwrap_or_default().into(), false);
        let (replacement, replaceable) = known.cloned().unwrap_or_else(own);
        // Almost all grammars use these field names for new names.
        let defines = matches!(place, Some("name" | "declarator" | "pattern"));
        let info = Info { kind: Some(kind), replaceable, defines, ..Info::default() };
        Some(self.token(Kind::Token, node.kind(), range, &replacement, info, Role::Child(kind)))
    }

    fn token(
        &mut self,
        kind: Kind,
        name: &str,
        bytes: Range<usize>,
        replacement: &str,
        info: Info,
        role: Role,
    ) -> Entry {
        let start = self.positions.move_to(bytes.start, self.input);
        let end = self.positions.move_to(bytes.end, self.input);
        let node = self.builder.token(kind, name, bytes, replacement, start..end);
        self.syntax.infos.push(Info { column: start.column, has_lines: start.line != end.line, ..info });
        Entry { node, positions: start..end, role }
    }

    fn rule(
        &mut self,
        name: &str,
        replacement: &str,
        positions: Range<Position>,
        children: Vec<NodeId>,
        info: Info,
    ) -> NodeId {
        self.syntax.infos.push(info);
        self.builder.rule(Kind::Rule, name, replacement, positions, children)
    }

    /// A removable group.
    fn group(&mut self, entries: &[Entry]) -> Option<Entry> {
        let positions = entries.first()?.positions.start..entries.last()?.positions.end;
        let children: Vec<NodeId> = entries.iter().map(|entry| entry.node).collect();
        self.syntax.infos.push(Info::default());
        let node = self.builder.rule(Kind::Quantified, "", "", positions.clone(), children);
        Some(Entry { node, positions, role: Role::Extra })
    }

    /// Completes a node that has all its children.
    fn close(&mut self, frame: Frame<'_>, is_root: bool) -> Option<Entry> {
        let Frame { node, entries, .. } = frame;
        let kind = self.compiled.kind(node);
        if entries.is_empty() && !is_root {
            // Nothing but comments, or MISSING: there is no text.
            let info = Info { kind, ..Info::default() };
            let at = self.positions.at().max(node.start_byte());
            return kind
                .filter(|_| !node.is_extra())
                .map(|kind| self.token(Kind::Token, node.kind(), at..at, "", info, Role::Child(kind)));
        }
        let here = self.positions.here();
        let positions = match (entries.first(), entries.last()) {
            (Some(first), Some(last)) => first.positions.start..last.positions.end,
            _ => here..here,
        };
        let Some(kind) = kind else { return self.close_error(&entries, positions) };
        self.rules += 1;
        let listed: Vec<(usize, NodeId, ChildKind)> = (entries.iter().enumerate())
            .filter_map(
                |(at, entry)| if let Role::Child(kind) = entry.role { Some((at, entry.node, kind)) } else { None },
            )
            .collect();
        let kinds: Vec<ChildKind> = listed.iter().map(|&(_, _, kind)| kind).collect();
        let children = &self.compiled.children;
        let sources = self.compiled.grammar().sources(kind);
        let found = sources.iter().find_map(|&rule| children.matches(rule, &kinds));
        self.matched += usize::from(found.is_some());
        let (replacement, replaceable) = self.replacements.get(&kind).cloned().unwrap_or_default();
        let first = self.syntax.lists.len() as u32;
        self.syntax.lists.extend(listed.iter().map(|&(_, node, _)| node));
        let list = (first, self.syntax.lists.len() as u32);
        let groups: Vec<Range<usize>> = match &found {
            Some(found) => {
                let needed =
                    |group: &Group| matches!(&kinds[group.range.clone()], &[kind] if self.compiled.is_needed(kind));
                let groups = found.groups.iter().filter(|group| !needed(group));
                groups.filter_map(|group| place(group, &listed, &entries)).collect()
            }
            None => vec![],
        };
        let info = Info {
            kind: Some(kind),
            column: positions.start.column,
            has_lines: positions.start.line != positions.end.line,
            list,
            automaton: found.as_ref().map(|found| found.automaton),
            replaceable,
            ..Info::default()
        };
        let grouped = self.nest(entries, &groups);
        let id = self.rule(node.kind(), &replacement, positions.clone(), grouped, info);
        let states = found.as_ref().and_then(|found| children.states(found.automaton, &kinds));
        for (index, &(_, child, _)) in listed.iter().enumerate() {
            let info = &mut self.syntax.infos[child.index()];
            info.parent = Some(id);
            info.index = index as u32;
            info.state = states.as_ref().and_then(|states| states.get(index).copied());
        }
        let role = if node.is_extra() { Role::Extra } else { Role::Child(kind) };
        let entry = Entry { node: id, positions, role };
        // A node that may occur anywhere can be removed.
        if role == Role::Extra { self.group(&[entry]) } else { Some(entry) }
    }

    /// An ERROR: each of its parts can be removed, or all of it.
    fn close_error(&mut self, entries: &[Entry], positions: Range<Position>) -> Option<Entry> {
        let mut children = vec![];
        for entry in entries {
            let alone = entry.role == Role::Extra;
            let group = if alone { None } else { self.group(std::slice::from_ref(entry)) };
            children.push(group.map_or(entry.node, |group| group.node));
        }
        let node = self.rule("ERROR", "", positions.clone(), children, Info::default());
        Some(Entry { node, positions, role: Role::Extra })
    }

    /// Wraps entries into groups. An outer group comes before the inner ones; otherwise they are in order.
    fn nest(&mut self, entries: Vec<Entry>, groups: &[Range<usize>]) -> Vec<NodeId> {
        let mut groups = groups.iter().peekable();
        let mut open: Vec<(usize, Vec<Entry>)> = vec![(usize::MAX, vec![])];
        for (at, entry) in entries.into_iter().enumerate() {
            while let Some(group) = groups.next_if(|group| group.start <= at) {
                open.push((group.end, vec![]));
            }
            if let Some((_, top)) = open.last_mut() {
                top.push(entry);
            }
            while open.len() > 1 && open.last().is_some_and(|&(end, _)| end <= at + 1) {
                let group = open.pop().and_then(|(_, entries)| self.group(&entries));
                if let Some((_, top)) = open.last_mut() {
                    top.extend(group);
                }
            }
        }
        open.into_iter().flat_map(|(_, entries)| entries).map(|entry| entry.node).collect()
    }
}

/// The entries of a group of children. `None` if there is hidden text next to it, which may or may not belong to the
/// group.
fn place(group: &Group, listed: &[(usize, NodeId, ChildKind)], entries: &[Entry]) -> Option<Range<usize>> {
    let (start, end) = (listed.get(group.range.start)?.0, listed.get(group.range.end.checked_sub(1)?)?.0 + 1);
    let hidden = |at: Option<usize>| at.and_then(|at| entries.get(at)).is_some_and(|entry| entry.role == Role::Hidden);
    (!hidden(start.checked_sub(1)) && !hidden(Some(end))).then_some(start..end)
}

/// A range without the blanks around it. A backslash at the end of a line counts as blank.
fn not_blank(input: &[u8], range: Range<usize>) -> Option<Range<usize>> {
    let text = &input[range.clone()];
    let is_blank = |at: usize| {
        let continued = text[at] == b'\\' && matches!(&text[at + 1..], [b'\n', ..] | [b'\r', b'\n', ..]);
        text[at].is_ascii_whitespace() || text[at] == 0x0b || continued
    };
    let start = (0..text.len()).find(|&at| !is_blank(at))?;
    let end = (start..text.len()).rev().find(|&at| !is_blank(at))? + 1;
    Some(range.start + start..range.start + end)
}
