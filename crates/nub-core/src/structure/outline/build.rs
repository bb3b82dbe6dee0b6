//! From a text to its outline, from the outside in: paragraphs, blocks, lines, lists, words.

use super::{
    FINE, FINE_LONG_LINES, LINES, LONG_LINE, Outline, Shape,
    brackets::{self, NONE},
    lines::{self, Block, Line},
    tokens::{self, Token, TokenKind},
};
use crate::tree::{Kind, NodeId, Position, TreeBuilder};
use std::sync::Arc;

/// Lines that are indented in more lines than that are lines like any other.
const DEPTH: usize = 64;
/// What separates the elements of a list, the strongest first.
const SEPARATORS: [u8; 3] = [b';', b',', b'|'];
/// What a name before a colon may have in it besides words.
const IN_NAMES: &[u8] = b"-./@$%*";

pub(super) fn outline(text: &[u8]) -> Outline {
    let ends = text.iter().filter(|&&byte| byte == b'\n').count();
    let fine = if ends < text.len() / LONG_LINE { FINE_LONG_LINES } else { FINE };
    let (tokens, partners) = match text.len() <= fine {
        true => {
            let tokens = tokens::tokens(text);
            let partners = brackets::partners(text, &tokens);
            (tokens, partners)
        }
        false => (vec![], vec![]),
    };
    let tree = TreeBuilder::new(text);
    let mut builder = Builder { text, tokens, partners, tree, shapes: vec![], places: vec![] };
    let root = if text.len() <= fine {
        builder.sequence(0, builder.tokens.len(), 0)
    } else if ends < LINES {
        let lines = builder.plain_lines();
        builder.paragraphs(&lines, 0, text.len())
    } else {
        builder.chunks(ends.div_ceil(LINES))
    };
    let root = root.unwrap_or_else(|| builder.node("text", Shape::Free, vec![]));
    Outline { tree: Arc::new(builder.tree.finish(root)), shapes: builder.shapes, places: builder.places }
}

/// Builds an outline. Places are numbers of tokens; of bytes if there are no tokens because the text is too large.
struct Builder<'a> {
    text: &'a [u8],
    tokens: Vec<Token>,
    /// The partners of brackets.
    partners: Vec<u32>,
    tree: TreeBuilder,
    shapes: Vec<Shape>,
    places: Vec<u32>,
}

impl Builder<'_> {
    /// Where a place is in the text.
    fn offset(&self, at: usize) -> usize {
        match self.tokens.get(at) {
            Some(token) => token.start as usize,
            None if self.tokens.is_empty() => at,
            None => self.text.len(),
        }
    }

    fn leaf(&mut self, name: &str, from: usize, to: usize) -> NodeId {
        self.shapes.push(Shape::Leaf);
        self.places.push(0);
        let bytes = self.offset(from)..self.offset(to);
        self.tree.token(Kind::Token, name, bytes, "", nowhere()..nowhere())
    }

    fn node(&mut self, name: &str, shape: Shape, children: Vec<NodeId>) -> NodeId {
        if let ([only], false) = (&children[..], matches!(shape, Shape::Around { .. })) {
            return *only;
        }
        for (place, child) in (0..).zip(&children) {
            self.places[child.index()] = place;
        }
        self.shapes.push(shape);
        self.places.push(0);
        self.tree.rule(Kind::Rule, name, "", nowhere()..nowhere(), children)
    }

    /// Something with what belongs to it on both sides.
    fn fixed(&mut self, name: &str, parts: [Option<NodeId>; 3]) -> NodeId {
        self.node(name, Shape::Fixed, parts.into_iter().flatten().collect())
    }

    fn blank(&mut self, from: usize, to: usize) -> Option<NodeId> {
        (from < to).then(|| self.leaf("blank", from, to))
    }

    fn kind(&self, at: usize) -> TokenKind {
        self.tokens[at].kind
    }

    fn first_byte(&self, at: usize) -> u8 {
        self.text[self.tokens[at].start as usize]
    }

    fn is_blank(&self, at: usize) -> bool {
        matches!(self.kind(at), TokenKind::Blank | TokenKind::LineEnd)
    }

    /// What follows an item: a token, or a bracket with all that is in it.
    fn after(&self, at: usize) -> usize {
        let partner = self.partners[at];
        if partner != NONE && partner as usize > at { partner as usize + 1 } else { at + 1 }
    }

    /// The items of a range that are tokens.
    fn items(&self, from: usize, to: usize) -> impl Iterator<Item = usize> {
        let next = move |&at: &usize| Some(self.after(at)).filter(|&at| at < to);
        std::iter::successors((from < to).then_some(from), next)
    }

    /// Without the blanks at both ends.
    fn trim(&self, mut from: usize, mut to: usize) -> (usize, usize) {
        while from < to && self.is_blank(from) {
            from += 1;
        }
        while from < to && self.is_blank(to - 1) {
            to -= 1;
        }
        (from, to)
    }

    /// What is between two brackets, or the whole text.
    fn sequence(&mut self, from: usize, to: usize, depth: usize) -> Option<NodeId> {
        let has = |wanted: u8| {
            self.items(from, to).any(|at| self.kind(at) == TokenKind::Other && self.first_byte(at) == wanted)
        };
        let several = self.items(from, to).any(|at| self.kind(at) == TokenKind::LineEnd);
        if depth > 0 && (!several || has(b',') && !has(b';')) {
            return self.list(from, to, depth);
        }
        let lines = self.logical_lines(from, to, depth);
        self.paragraphs(&lines, from, to)
    }

    /// Lines end where a line ends outside of brackets.
    fn logical_lines(&self, from: usize, to: usize, depth: usize) -> Vec<Line> {
        let mut found = vec![];
        let mut start = from;
        let mut headings = vec![];
        let ends: Vec<usize> = self.items(from, to).filter(|&at| self.kind(at) == TokenKind::LineEnd).collect();
        for end in ends.into_iter().map(|at| at + 1).chain([to]) {
            let (first, last) = self.trim(start, end);
            if first < last {
                let (indentation, _) = lines::indentation(&self.text[self.offset(start)..self.offset(first)]);
                let role = lines::role(&self.text[self.offset(first)..self.offset(last)]);
                // The heading of a section, as in the files that Windows has made popular: `[name]`.
                if depth == 0 && self.first_byte(first) == b'[' && self.after(first) == last && indentation == 0 {
                    headings.push(found.len());
                }
                found.push(Line { from: start, to: end, indentation, role });
            }
            start = end;
        }
        if let Some(&first) = headings.first() {
            found[first..].iter_mut().for_each(|line: &mut Line| line.indentation += 1);
            headings.into_iter().for_each(|heading| found[heading].indentation = 0);
        }
        found
    }

    /// The lines of a text without tokens.
    fn plain_lines(&self) -> Vec<Line> {
        let mut found = vec![];
        let mut start = 0;
        for line in self.text.split_inclusive(|&byte| byte == b'\n') {
            let (indentation, first) = lines::indentation(line);
            let from = start;
            start += line.len();
            if !line.trim_ascii().is_empty() {
                found.push(Line { from, to: start, indentation, role: lines::role(&line[first..]) });
            }
        }
        found
    }

    /// Several lines in one leaf, whatever they are.
    fn chunks(&mut self, lines: usize) -> Option<NodeId> {
        let mut leaves = vec![];
        let (mut start, mut at) = (0, 0);
        for (number, line) in (1..).zip(self.text.split_inclusive(|&byte| byte == b'\n')) {
            at += line.len();
            if number % lines == 0 || at == self.text.len() {
                leaves.push(self.leaf("lines", start, at));
                start = at;
            }
        }
        Some(self.node("text", Shape::Free, leaves))
    }

    /// All lines between two places, with the blank ones between them.
    fn paragraphs(&mut self, lines: &[Line], from: usize, to: usize) -> Option<NodeId> {
        let Some(first) = lines.first() else { return self.blank(from, to) };
        let before = self.blank(from, first.from);
        let level = self.level(lines, 0, lines.len(), to, 0);
        Some(self.node("text", Shape::Free, before.into_iter().chain([level]).collect()))
    }

    /// Lines of one level with everything below them, up to a place: paragraphs, if there are blank lines between them.
    fn level(&mut self, lines: &[Line], from: usize, to: usize, end: usize, depth: usize) -> NodeId {
        let blocks = match depth < DEPTH {
            true => lines::blocks(lines, from, to),
            false => (from..to).map(|at| Block { from: at, to: at + 1, ended: false }).collect(),
        };
        let mut paragraphs = vec![];
        let mut paragraph = vec![];
        for block in blocks {
            let gap = lines[block.to - 1].to..if block.to < to { lines[block.to].from } else { end };
            paragraph.push(self.block(lines, &block, depth));
            if !gap.is_empty() {
                let inner = self.node("paragraph", Shape::Free, std::mem::take(&mut paragraph));
                let gap = self.leaf("blank", gap.start, gap.end);
                paragraphs.push(self.node("paragraph", Shape::Around { inner: 0, mark: 0 }, vec![inner, gap]));
            }
        }
        if paragraphs.is_empty() {
            return self.node("lines", Shape::Free, paragraph);
        }
        if !paragraph.is_empty() {
            paragraphs.push(self.node("paragraph", Shape::Free, paragraph));
        }
        self.node("paragraphs", Shape::Free, paragraphs)
    }

    /// A line with what is below it.
    fn block(&mut self, lines: &[Line], block: &Block, depth: usize) -> NodeId {
        let head = self.line(lines[block.from]);
        let (first, last) = (block.from + 1, block.to - usize::from(block.ended));
        if first == last {
            return head;
        }
        let gap = self.blank(lines[block.from].to, lines[first].from);
        let head = self.fixed("head", [Some(head), gap, None]);
        let end = if block.ended { lines[last].from } else { lines[last - 1].to };
        let body = self.level(lines, first, last, end, depth + 1);
        let end = block.ended.then(|| self.line(lines[last]));
        let parts = [Some(head), Some(body), end].into_iter().flatten().collect();
        self.node("block", Shape::Around { inner: 1, mark: 0 }, parts)
    }

    fn line(&mut self, line: Line) -> NodeId {
        if self.tokens.is_empty() {
            return self.leaf("line", line.from, line.to);
        }
        let (from, to) = self.trim(line.from, line.to);
        let before = self.blank(line.from, from);
        let content = self.content(from, to);
        let after = self.blank(to, line.to);
        self.fixed("line", [before, Some(content), after])
    }

    /// What is on a line: a field, or a list.
    fn content(&mut self, from: usize, to: usize) -> NodeId {
        if let Some(value) = self.value(from, to) {
            let name = (from..value).map(|at| self.leaf(self.kind(at).name(), at, at + 1)).collect();
            let name = self.node("name", Shape::Fixed, name);
            if let Some(value) = self.list(value, to, 0) {
                return self.node("field", Shape::Around { inner: 1, mark: 0 }, vec![name, value]);
            }
        }
        self.list(from, to, 0).unwrap_or_else(|| self.leaf("blank", from, to))
    }

    /// Where the value of a field starts: after a name without blanks, and a colon or an equals sign.
    fn value(&self, from: usize, to: usize) -> Option<usize> {
        let named = (from..to).find(|&at| {
            let mark = self.kind(at) == TokenKind::Other && IN_NAMES.contains(&self.first_byte(at));
            !(mark || matches!(self.kind(at), TokenKind::Word | TokenKind::Number))
        })?;
        let mark = if self.is_blank(named) { named + 1 } else { named };
        let is_mark = |at: usize| at < to && self.kind(at) == TokenKind::Other && b":=>".contains(&self.first_byte(at));
        let after = (mark..to).find(|&at| !is_mark(at))?;
        let value = self.trim(after, to).0;
        (named > from && after > mark && value < to).then_some(value)
    }

    /// A list, by the strongest separator that it has.
    fn list(&mut self, from: usize, to: usize, depth: usize) -> Option<NodeId> {
        let (start, end) = (from, to);
        let (from, to) = self.trim(from, to);
        if from == to {
            return self.blank(start, end);
        }
        let before = self.blank(start, from);
        let is = |at: usize, wanted: u8| self.kind(at) == TokenKind::Other && self.first_byte(at) == wanted;
        let separator = SEPARATORS.into_iter().find(|&wanted| self.items(from, to).any(|at| is(at, wanted)));
        let list = match separator {
            Some(wanted) => {
                let at: Vec<usize> = self.items(from, to).filter(|&at| is(at, wanted)).collect();
                self.separated(from, to, &at, depth)
            }
            None => self.words(from, to, depth),
        };
        let after = self.blank(to, end);
        Some(self.fixed("list", [before, Some(list), after]))
    }

    /// Elements with separators at these places between them. Blanks around a separator are part of it, and so is a
    /// separator that follows without an element between them.
    fn separated(&mut self, from: usize, to: usize, separators: &[usize], depth: usize) -> NodeId {
        let mut children: Vec<NodeId> = vec![];
        // Where the separator before the next element starts.
        let mut separator = from;
        let mut start = from;
        for &at in separators.iter().chain([&to]) {
            let (first, last) = self.trim(start, at);
            start = at + 1;
            if first == last {
                continue;
            }
            if let Some(element) = self.list(first, last, depth) {
                if separator < first {
                    children.push(self.leaf("separator", separator, first));
                }
                children.push(element);
                separator = last;
            }
        }
        // A list may begin and end with a separator.
        let leading = children.len().is_multiple_of(2) && !children.is_empty();
        let before = leading.then(|| children.remove(0));
        let after = (separator < to).then(|| self.leaf("separator", separator, to));
        let list = (!children.is_empty()).then(|| self.node("list", Shape::Separated, children));
        self.fixed("list", [before, list, after])
    }

    fn words(&mut self, from: usize, to: usize, depth: usize) -> NodeId {
        let mut children = vec![];
        let mut at = from;
        while at < to {
            let start = at;
            let blank = self.is_blank(at);
            while at < to && self.is_blank(at) == blank {
                at = self.after(at);
            }
            children.push(if blank { self.leaf("blank", start, at) } else { self.word(start, at, depth) });
        }
        self.node("words", Shape::Separated, children)
    }

    /// Something without blanks: words, marks and brackets that touch.
    fn word(&mut self, from: usize, to: usize, depth: usize) -> NodeId {
        let items: Vec<usize> = self.items(from, to).collect();
        let items = items.into_iter().map(|at| self.item(at, depth)).collect();
        self.node("word", Shape::Free, items)
    }

    fn item(&mut self, at: usize, depth: usize) -> NodeId {
        let after = self.after(at);
        if after == at + 1 {
            return self.leaf(self.kind(at).name(), at, after);
        }
        let open = self.leaf("mark", at, at + 1);
        let inner = match self.kind(at) {
            TokenKind::Open => self.sequence(at + 1, after - 1, depth + 1),
            _ => self.list(at + 1, after - 1, depth),
        };
        let close = self.leaf("mark", after - 1, after);
        let mark = if self.kind(at) == TokenKind::Open { self.first_byte(at) } else { 0 };
        let place = if inner.is_some() { 1 } else { NONE };
        let parts = [Some(open), inner, Some(close)].into_iter().flatten().collect();
        self.node("brackets", Shape::Around { inner: place, mark }, parts)
    }
}

/// Lines and columns are for trees that are compared with those of others.
fn nowhere() -> Position {
    Position { line: 0, column: 0 }
}
