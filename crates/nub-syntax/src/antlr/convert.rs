//! From ANTLR's trees to those of the reducer.

use super::{Hidden, Replacements, Settings};
use nub_antlr::{Engine, Grammar, NodeId, NodeKind, Origin, ParseTree, Token, atn::EOF, shortest};
use nub_core::tree::{self, Kind, Position, Tree, TreeBuilder};
use std::collections::HashMap;

/// The minimal replacements of all rules and tokens that have one.
pub(super) fn replacements(grammar: &Grammar, _engine: &mut Engine, settings: &Settings) -> HashMap<String, String> {
    match settings.replacements {
        Replacements::Reference => shortest::reference(grammar, &settings.own_replacements),
        Replacements::Shortest => shortest::reference(grammar, &settings.own_replacements),
    }
}

/// The tree of an input: all its bytes are in its tokens or between them.
pub(super) fn tree(parsed: &ParseTree, replacements: &HashMap<String, String>, hidden: Hidden) -> Tree {
    let builder = TreeBuilder::new(parsed.source());
    let mut walk = Walk { parsed, replacements, hidden, builder, next: 0 };
    let root = walk.root();
    walk.builder.finish(root)
}

/// A walk over a parse tree. Explicit, because inputs nest deeper than the stack of a thread.
struct Walk<'a> {
    parsed: &'a ParseTree,
    replacements: &'a HashMap<String, String>,
    hidden: Hidden,
    builder: TreeBuilder,
    /// The first token that is not part of the tree so far.
    next: usize,
}

/// A node of the reducer's tree, and where its text is, if it has any.
type Placed = (tree::NodeId, Option<(Position, Position)>);

impl Walk<'_> {
    fn root(&mut self) -> tree::NodeId {
        let mut open: Vec<(NodeId, Vec<Placed>, Option<NodeId>)> = vec![];
        let mut next = Some(self.parsed.root());
        loop {
            if let Some(node) = next {
                match self.parsed.kind(node) {
                    NodeKind::Token(token) | NodeKind::Error(token) => {
                        let error = matches!(self.parsed.kind(node), NodeKind::Error(_));
                        let tokens = self.token(token as usize, error);
                        next = self.parsed.next_sibling(node);
                        match open.last_mut() {
                            Some((_, children, _)) => children.extend(tokens),
                            // A tree of one token: it has no rule.
                            None => return self.close(None, tokens).0,
                        }
                    }
                    NodeKind::Rule(_) | NodeKind::Quantifier(_) => {
                        let sibling = self.parsed.next_sibling(node);
                        open.push((node, vec![], sibling));
                        next = self.parsed.first_child(node);
                    }
                }
                continue;
            }
            let Some((node, mut children, sibling)) = open.pop() else { return self.close(None, vec![]).0 };
            match open.last_mut() {
                Some(_) => {
                    let closed = self.close(Some(node), children);
                    if let Some((_, siblings, _)) = open.last_mut() {
                        siblings.push(closed);
                    }
                    next = sibling;
                }
                None => {
                    children.extend(self.rest());
                    return self.close(Some(node), children).0;
                }
            }
        }
    }

    /// A rule or one round of a quantified part, with its children.
    fn close(&mut self, node: Option<NodeId>, children: Vec<Placed>) -> Placed {
        let nowhere = Position { line: 1, column: 0 };
        // What is empty is nowhere: it must not stretch what it belongs to.
        let first = children.iter().find_map(|child| child.1);
        let last = children.iter().rev().find_map(|child| child.1);
        let place = first.zip(last).map(|((start, _), (_, end))| (start, end));
        let (start, end) = place.unwrap_or((nowhere, nowhere));
        let rule = node.and_then(|node| self.parsed.rule(node));
        let (kind, name) = match rule {
            Some(rule) => (Kind::Rule, self.parsed.grammar().parser.atn.rules[rule.index()].name.as_str()),
            None => (Kind::Quantified, ""),
        };
        let replacement = self.replacements.get(name).map_or("", String::as_str);
        let ids = children.into_iter().map(|child| child.0);
        (self.builder.rule(kind, name, replacement, start..end, ids), place)
    }

    /// A token, after what is before it and not in the tree.
    fn token(&mut self, token: usize, error: bool) -> Vec<Placed> {
        let mut placed = self.before(token);
        let tokens = self.parsed.tokens();
        if tokens[token].kind != EOF && tokens[token].origin != Origin::Missing {
            placed.push(self.place(&tokens[token], error));
        }
        self.next = self.next.max(token + 1);
        placed
    }

    /// The tokens before this one that no rule has: those that the lexer did not recognise, and hidden ones if they are
    /// wanted.
    fn before(&mut self, token: usize) -> Vec<Placed> {
        let range = self.next..token.max(self.next);
        self.next = range.end;
        let wanted = |token: &&Token| match token.origin {
            Origin::Error => true,
            Origin::Matched | Origin::Skipped => self.hidden == Hidden::Nodes && token.kind != EOF,
            Origin::Missing => false,
        };
        let tokens: Vec<Token> = self.parsed.tokens()[range].iter().filter(wanted).copied().collect();
        tokens.iter().map(|token| self.place(token, true)).collect()
    }

    /// Everything behind the end of the start rule: text that nobody has asked about, but that must not be lost.
    fn rest(&mut self) -> Vec<Placed> {
        let tokens: Vec<Token> = self.parsed.tokens()[self.next.min(self.parsed.tokens().len())..].to_vec();
        let wanted = |token: &&Token| {
            token.kind != EOF && token.origin != Origin::Missing && (token.visible() || token.origin == Origin::Error)
        };
        tokens.iter().filter(wanted).map(|token| self.place(token, true)).collect()
    }

    fn place(&mut self, token: &Token, error: bool) -> Placed {
        let text = &self.parsed.source()[token.span()];
        let start = Position { line: token.line, column: token.column };
        let end = after(start, text);
        let vocabulary = &self.parsed.grammar().vocabulary;
        let name = usize::try_from(token.kind).ok().and_then(|kind| vocabulary.symbolic.get(kind)?.as_deref());
        let written = String::from_utf8_lossy(text);
        let (kind, replacement) = match name.and_then(|name| self.replacements.get(name)) {
            _ if error => (Kind::Error, ""),
            Some(replacement) => (Kind::Token, replacement.as_str()),
            // A literal that no lexer rule defines is what it is.
            None => (Kind::Token, &*written),
        };
        let name = name.unwrap_or(&written);
        let place = (!text.is_empty()).then_some((start, end));
        (self.builder.token(kind, name, token.span(), replacement, start..end), place)
    }
}

/// Where one is after a text: only `\n` ends a line, as in the reference tool; columns are characters.
fn after(start: Position, text: &[u8]) -> Position {
    let lines = text.iter().filter(|&&byte| byte == b'\n').count() as u32;
    let last = text.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    let columns = last.utf8_chunks().map(|chunk| chunk.valid().chars().count() + chunk.invalid().len()).sum::<usize>();
    let column = if lines == 0 { start.column } else { 0 };
    Position { line: start.line + lines, column: column + columns as u32 }
}
