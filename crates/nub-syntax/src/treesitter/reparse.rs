//! Parsing, and reparsing after an edit.

use super::language::Language;
use std::{ops::Range, sync::Arc};
use tree_sitter::{InputEdit, Node, Parser, Point, Tree};

/// Parses a whole input; `None` if the parser cannot be used.
pub(super) fn full(language: &Language, input: &[u8]) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&language.parser()).ok()?;
    parser.parse(input, None)
}

/// The number of ERROR and MISSING nodes below a node. Only subtrees that contain some are visited.
pub(super) fn count_errors(root: Node<'_>) -> usize {
    if !root.has_error() {
        return 0;
    }
    let mut count = 0;
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        count += usize::from(node.is_error() || node.is_missing());
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return count;
            }
        }
    }
}

/// Parses edited versions of one text. Parts that an edit does not touch are not parsed again.
pub(super) struct Reparser<'a> {
    parser: Parser,
    text: &'a [u8],
    tree: &'a Tree,
    /// The starts of the lines.
    lines: Arc<[usize]>,
}

/// The starts of the lines of a text.
pub(super) fn lines(text: &[u8]) -> Arc<[usize]> {
    let starts = text.iter().enumerate().filter(|&(_, &byte)| byte == b'\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(starts).collect()
}

impl<'a> Reparser<'a> {
    /// `lines` are the line starts of the text.
    pub(super) fn new(language: &Language, text: &'a [u8], tree: &'a Tree, lines: Arc<[usize]>) -> Option<Self> {
        let mut parser = Parser::new();
        parser.set_language(&language.parser()).ok()?;
        Some(Self { parser, text, tree, lines })
    }

    fn point(&self, at: usize) -> Point {
        let row = self.lines.partition_point(|&start| start <= at) - 1;
        Point { row, column: at - self.lines[row] }
    }

    /// The tree of the text with these parts replaced. They must be in order and apart.
    pub(super) fn parse(&mut self, edits: &[(Range<usize>, &[u8])]) -> Option<Tree> {
        let mut tree = self.tree.clone();
        // From last to first, so that earlier positions stay those of the original.
        for (range, new) in edits.iter().rev() {
            let start_position = self.point(range.start);
            let new_end_position = match new.iter().rposition(|&byte| byte == b'\n') {
                Some(last) => {
                    let rows = new.iter().filter(|&&byte| byte == b'\n').count();
                    Point { row: start_position.row + rows, column: new.len() - last - 1 }
                }
                None => Point { column: start_position.column + new.len(), ..start_position },
            };
            tree.edit(&InputEdit {
                start_byte: range.start,
                old_end_byte: range.end,
                new_end_byte: range.start + new.len(),
                start_position,
                old_end_position: self.point(range.end),
                new_end_position,
            });
        }
        // The edited text in pieces, which the parser requests one by one.
        let mut pieces: Vec<(usize, &[u8])> = Vec::with_capacity(2 * edits.len() + 1);
        let (mut old, mut at) = (0, 0);
        for (range, new) in edits {
            for piece in [&self.text[old..range.start], new] {
                pieces.push((at, piece));
                at += piece.len();
            }
            old = range.end;
        }
        pieces.push((at, &self.text[old..]));
        let mut read = |offset: usize, _: Point| -> &[u8] {
            // The last piece that starts at or before the offset. Empty pieces come before those with text.
            let piece = pieces.partition_point(|&(start, _)| start <= offset) - 1;
            let (start, text) = pieces[piece];
            text.get(offset - start..).unwrap_or_default()
        };
        self.parser.parse_with_options(&mut read, Some(&tree), None)
    }
}
