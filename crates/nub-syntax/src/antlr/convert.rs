//! From ANTLR's parse trees to the reducer's trees.

use super::{Language, Unit};
use nub_antlr::{
    NodeId, NodeKind, Origin, ParseOptions, ParseTree, Token,
    atn::{EOF, RuleId},
    format::Piece,
};
use nub_core::Hidden;
use nub_core::tree::{self, Kind, Position, TreeBuilder};
use std::ops::Range;

/// How deeply islands may nest. An island may contain itself.
const DEPTH: usize = 8;

/// Adds the tree of the builder's input, with all its bytes in tokens or between them. Returns the root and the number
/// of syntax errors.
pub(super) fn add(
    language: &Language,
    builder: &mut TreeBuilder,
    input: &[u8],
    hidden: Hidden,
) -> (tree::NodeId, usize) {
    let origin = Position { line: 1, column: 0 };
    let mut parts = Parts { language, input, hidden, builder, errors: 0 };
    let (root, _) = parts.add(0, language.start, 0..input.len(), origin, 0);
    (root, parts.errors)
}

/// A node of the reducer's tree, and the position of its text, if it has any.
type Placed = (tree::NodeId, Option<(Position, Position)>);

/// The parts of an input that have a grammar: the whole input and its islands.
struct Parts<'a> {
    language: &'a Language,
    input: &'a [u8],
    hidden: Hidden,
    builder: &'a mut TreeBuilder,
    errors: usize,
}

impl Parts<'_> {
    /// Adds a part of the input that begins at this position, inside `depth` islands.
    fn add(&mut self, unit: usize, rule: RuleId, span: Range<usize>, at: Position, depth: usize) -> Placed {
        let unit = &self.language.units[unit];
        let options = ParseOptions { quantifiers: true, ..ParseOptions::default() };
        let parsed = unit.engine().parse(rule, &self.input[span.clone()], &options);
        self.errors += parsed.errors().len();
        Walk { unit, parsed: &parsed, parts: self, offset: span.start, at, depth, next: 0 }.root()
    }
}

/// A walk over a parse tree. It uses an explicit stack, because inputs nest deeper than a thread's stack allows.
struct Walk<'a, 'p> {
    unit: &'a Unit,
    parsed: &'a ParseTree,
    parts: &'a mut Parts<'p>,
    /// The start of the parse tree in the input.
    offset: usize,
    at: Position,
    depth: usize,
    /// The first token that is not in the tree yet.
    next: usize,
}

impl Walk<'_, '_> {
    fn root(&mut self) -> Placed {
        // Nodes whose children are being visited, with the children so far.
        let mut open: Vec<(NodeId, Vec<Placed>)> = vec![];
        let mut next = Some(self.parsed.root());
        loop {
            let Some(node) = next else {
                let Some((node, mut children)) = open.pop() else { return self.close(None, vec![]) };
                let Some((_, siblings)) = open.last_mut() else {
                    children.extend(self.rest());
                    return self.close(Some(node), children);
                };
                siblings.push(self.close(Some(node), children));
                next = self.parsed.next_sibling(node);
                continue;
            };
            match self.parsed.kind(node) {
                NodeKind::Rule(_) | NodeKind::Quantifier(_) => {
                    open.push((node, vec![]));
                    next = self.parsed.first_child(node);
                }
                kind @ (NodeKind::Token(token) | NodeKind::Error(token)) => {
                    let tokens = self.token(token as usize, matches!(kind, NodeKind::Error(_)));
                    let Some((_, siblings)) = open.last_mut() else { return self.close(None, tokens) };
                    siblings.extend(tokens);
                    next = self.parsed.next_sibling(node);
                }
            }
        }
    }

    /// A rule or one iteration of a quantified part, with its children.
    fn close(&mut self, node: Option<NodeId>, children: Vec<Placed>) -> Placed {
        match node.and_then(|node| self.parsed.rule(node)) {
            None => self.group(Kind::Quantified, "", "", children),
            Some(rule) => {
                let name = &self.unit.grammar.compiled().parser.atn.rules[rule.index()].name;
                let replacement = self.unit.replacements.get(name).map_or("", String::as_str);
                self.group(Kind::Rule, name, replacement, children)
            }
        }
    }

    fn group(&mut self, kind: Kind, name: &str, replacement: &str, children: Vec<Placed>) -> Placed {
        // An empty node has no position: it must not stretch its parent.
        let first = children.iter().find_map(|child| child.1);
        let last = children.iter().rev().find_map(|child| child.1);
        let place = first.zip(last).map(|((start, _), (_, end))| (start, end));
        let (start, end) = place.unwrap_or((self.at, self.at));
        let ids = children.into_iter().map(|child| child.0);
        (self.parts.builder.rule(kind, name, replacement, start..end, ids), place)
    }

    /// A token, preceded by the tokens before it that are not in the tree.
    fn token(&mut self, number: usize, error: bool) -> Vec<Placed> {
        let mut placed = self.before(number);
        let token = self.parsed.tokens()[number];
        if token.kind != EOF && token.origin != Origin::Missing {
            placed.push(self.place(&token, error));
        }
        self.next = self.next.max(number + 1);
        placed
    }

    /// The tokens before this one that belong to no rule: those that the lexer did not recognise and, if requested,
    /// hidden ones.
    fn before(&mut self, number: usize) -> Vec<Placed> {
        let skipped = self.next..number.max(self.next);
        self.next = skipped.end;
        let wanted = |token: &&Token| match token.origin {
            Origin::Error => true,
            // Leave out blanks. They are as numerous as all other tokens together.
            Origin::Matched | Origin::Skipped => {
                self.parts.hidden == Hidden::Nodes && token.kind != EOF && !self.is_blank(token)
            }
            Origin::Missing => false,
        };
        let tokens: Vec<Token> = self.parsed.tokens()[skipped].iter().filter(wanted).copied().collect();
        tokens.iter().map(|token| self.place(token, true)).collect()
    }

    /// Everything after the end of the start rule. No rule covers it, but it must not be lost.
    fn rest(&mut self) -> Vec<Placed> {
        let tokens = self.parsed.tokens();
        let wanted = |token: &&Token| token.kind != EOF && token.origin != Origin::Missing && !self.is_blank(token);
        let rest: Vec<Token> = tokens[self.next.min(tokens.len())..].iter().filter(wanted).copied().collect();
        rest.iter().map(|token| self.place(token, true)).collect()
    }

    fn is_blank(&self, token: &Token) -> bool {
        self.parsed.source()[token.span()].iter().all(u8::is_ascii_whitespace)
    }

    /// The position in the input of a position in the parse tree.
    fn position(&self, line: u32, column: u32) -> Position {
        let column = if line == 1 { self.at.column + column } else { column };
        Position { line: self.at.line + line - 1, column }
    }

    fn place(&mut self, token: &Token, error: bool) -> Placed {
        let span = token.start as usize + self.offset..token.end as usize + self.offset;
        let start = self.position(token.line, token.column);
        if error {
            return self.leaf(Kind::Error, "", "", span, start);
        }
        let (unit, text) = (self.unit, &self.parts.input[span.clone()]);
        let vocabulary = &unit.grammar.compiled().vocabulary;
        let name = usize::try_from(token.kind).ok().and_then(|kind| vocabulary.symbolic.get(kind)?.as_deref());
        // A literal without a lexer rule is its own replacement.
        let written = String::from_utf8_lossy(text);
        let replacement = name.and_then(|name| unit.replacements.get(name)).map_or(&*written, String::as_str);
        let name = name.unwrap_or(&written);
        match unit.islands.get(name) {
            Some(island) if self.depth < DEPTH => {
                let pieces = island.split(text);
                let children = pieces.iter().map(|piece| self.piece(piece, &span, start)).collect();
                self.group(Kind::Rule, name, replacement, children)
            }
            _ => self.leaf(Kind::Token, name, replacement, span, start),
        }
    }

    /// A piece of a token with islands.
    fn piece(&mut self, piece: &Piece, token: &Range<usize>, start: Position) -> Placed {
        let (Piece::Text(range) | Piece::Island(_, range)) = piece;
        let span = token.start + range.start..token.start + range.end;
        let at = after(start, &self.parts.input[token.start..span.start]);
        let island = match piece {
            Piece::Text(_) => None,
            Piece::Island(start, _) => self.unit.starts.get(start).copied(),
        };
        match island {
            Some((unit, rule)) => self.parts.add(unit, rule, span, at, self.depth + 1),
            None => {
                let text = String::from_utf8_lossy(&self.parts.input[span.clone()]);
                self.leaf(Kind::Token, "", &text, span, at)
            }
        }
    }

    fn leaf(&mut self, kind: Kind, name: &str, replacement: &str, span: Range<usize>, start: Position) -> Placed {
        let end = after(start, &self.parts.input[span.clone()]);
        let place = (!span.is_empty()).then_some((start, end));
        (self.parts.builder.token(kind, name, span, replacement, start..end), place)
    }
}

/// The position after a text. Only `
///
/// ` ends a line, as in the reference tool; columns count characters.
fn after(start: Position, text: &[u8]) -> Position {
    let lines = text.iter().filter(|&&byte| byte == b'\n').count() as u32;
    let last = text.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    let columns = last.utf8_chunks().map(|chunk| chunk.valid().chars().count() + chunk.invalid().len()).sum::<usize>();
    let column = if lines == 0 { start.column } else { 0 };
    Position { line: start.line + lines, column: column + columns as u32 }
}
