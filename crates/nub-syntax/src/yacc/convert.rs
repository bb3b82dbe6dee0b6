//! From the YACC parser's trees to the reducer's trees.

use super::{
    Language,
    model::{Elements, List, is_visible},
    structure::{Info, Syntax},
};
use crate::positions::Positions;
use nub_core::{
    Hidden,
    tree::{self, Kind, Position, TreeBuilder},
};
use nub_yacc::{
    Lexeme, NodeId, NodeKind, Origin, ParseTree, Place,
    grammar::{RuleId, Symbol, TokenId},
};
use std::{cmp::Reverse, collections::HashMap, ops::Range, sync::Arc};

/// Builds the tree of an input, with all its bytes in tokens or between them.
pub(super) fn convert(language: &Language, input: &[u8], hidden: Hidden) -> (tree::Tree, Syntax, usize) {
    let parsed = language.language.parse(input);
    let visible = parsed.lexemes().iter().filter(|lexeme| lexeme.origin == Origin::Matched);
    let ahead: Vec<Option<TokenId>> = visible.map(|lexeme| lexeme.token).collect();
    let mut walk = Walk {
        language,
        parsed: &parsed,
        input,
        hidden,
        builder: TreeBuilder::new(input),
        syntax: Syntax::default(),
        smallest: smallest(language, &parsed),
        replacements: HashMap::new(),
        ahead,
        next: 0,
        seen: 0,
        positions: Positions::start(),
    };
    let root = walk.root();
    let Walk { builder, syntax, .. } = walk;
    (builder.finish(root), syntax, parsed.errors().len())
}

/// A finished node, to be added to its parent.
struct Entry {
    node: tree::NodeId,
    span: Range<usize>,
    positions: Range<Position>,
    role: Role,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It belongs to this symbol of the production or, in a list, to this element.
    Child(Symbol, usize),
    /// It may occur anywhere, so it can be removed.
    Extra,
}

impl Role {
    /// The list element that it belongs to.
    fn element(self) -> Option<usize> {
        match self {
            Self::Child(_, at) => Some(at),
            Self::Extra => None,
        }
    }
}

/// A parser node whose children are being built.
struct Frame {
    node: NodeId,
    /// The children, each with the index of its symbol or element.
    children: Vec<(NodeId, usize)>,
    done: usize,
    entries: Vec<Entry>,
    /// The number of elements, if it is a list.
    elements: Option<usize>,
    /// Whether all children are as the grammar says.
    whole: bool,
}

/// A list without its entries.
struct Listed {
    rule: RuleId,
    elements: usize,
    /// Whether it can be removed as a whole.
    optional: bool,
    /// Whether all of it is as the grammar says.
    whole: bool,
}

struct Walk<'a> {
    language: &'a Language,
    parsed: &'a ParseTree,
    input: &'a [u8],
    hidden: Hidden,
    builder: TreeBuilder,
    syntax: Syntax,
    /// The shortest text of every rule in the input.
    smallest: HashMap<RuleId, Range<usize>>,
    replacements: HashMap<(RuleId, u64, Option<TokenId>), Arc<str>>,
    /// The tokens that the parser saw.
    ahead: Vec<Option<TokenId>>,
    /// The first lexeme that is not in the tree yet.
    next: usize,
    /// How many tokens are in the tree already.
    seen: usize,
    positions: Positions,
}

impl Walk<'_> {
    fn root(&mut self) -> tree::NodeId {
        let mut stack = vec![self.open(self.parsed.root())];
        loop {
            let Some(frame) = stack.last_mut() else { return self.nothing() };
            if let Some(&(child, at)) = frame.children.get(frame.done) {
                frame.done += 1;
                match self.parsed.kind(child) {
                    NodeKind::Rule(_) | NodeKind::Error => {
                        let opened = self.open(child);
                        stack.push(opened);
                    }
                    NodeKind::Missing(_) | NodeKind::End => frame.whole = false,
                    NodeKind::Token(lexeme) => {
                        let inside = matches!(self.parsed.kind(frame.node), NodeKind::Rule(_));
                        let entries = self.token(lexeme as usize, inside.then_some((child, at)));
                        frame.entries.extend(entries);
                    }
                }
                continue;
            }
            let Some(mut frame) = stack.pop() else { return self.nothing() };
            let Some(parent) = stack.last_mut() else {
                frame.entries.extend(self.before(self.parsed.lexemes().len(), true));
                return self.close(frame, false).map_or_else(|| self.nothing(), |entry| entry.node);
            };
            let at = parent.children[parent.done - 1].1;
            let optional = self.is_option(parent, at);
            parent.whole &= self.parsed.kind(frame.node) != NodeKind::Error;
            let entry = self.close(frame, optional).map(|entry| match entry.role {
                Role::Child(symbol, _) => Entry { role: Role::Child(symbol, at), ..entry },
                Role::Extra => entry,
            });
            parent.entries.extend(entry);
        }
    }

    fn nothing(&mut self) -> tree::NodeId {
        let here = self.positions.here();
        self.rule(Kind::Rule, "", "", here..here, vec![], Info::default())
    }

    fn rule_of(&self, node: NodeId) -> Option<RuleId> {
        match self.parsed.kind(node) {
            NodeKind::Rule(production) => Some(self.language.language.rule_of(production)),
            _ => None,
        }
    }

    /// Begins a node. A list is flattened: all its elements become children of the topmost node.
    fn open(&self, node: NodeId) -> Frame {
        let grammar = self.language.language.grammar();
        let rule = self.rule_of(node);
        let list = rule.and_then(|rule| self.language.shapes.lists[rule.index()]);
        let mut frame = Frame { node, children: vec![], done: 0, entries: vec![], elements: None, whole: true };
        let has_text = |child: NodeId| match self.parsed.kind(child) {
            NodeKind::End => false,
            NodeKind::Rule(production) => !grammar.rule(self.language.language.rule_of(production)).is_action(),
            NodeKind::Token(_) | NodeKind::Missing(_) | NodeKind::Error => true,
        };
        let own = |node: NodeId| self.parsed.children(node).iter().copied().filter(move |&child| has_text(child));
        let Some((side, _)) = list else {
            frame.children = own(node).enumerate().map(|(at, child)| (child, at)).collect();
            return frame;
        };
        // From the topmost node down to the one that ends the list, each with its part of the list.
        let mut parts: Vec<Vec<NodeId>> = vec![];
        let mut next = Some(node);
        while let Some(node) = next {
            let mut part: Vec<NodeId> = own(node).collect();
            let inner = match side {
                List::Left => part.first(),
                List::Right => part.last(),
            };
            next = inner.copied().filter(|&inner| self.continues(node, inner, rule));
            match (next, side) {
                (Some(_), List::Left) => drop(part.remove(0)),
                (Some(_), List::Right) => drop(part.pop()),
                (None, _) => {}
            }
            parts.push(part);
        }
        if side == List::Left {
            parts.reverse();
        }
        frame.elements = Some(parts.len());
        frame.children = parts
            .into_iter()
            .enumerate()
            .flat_map(|(at, part)| part.into_iter().map(move |child| (child, at)))
            .collect();
        frame
    }

    /// Whether a child continues the list of its parent: it has the same rule, and the production is not an `error`
    /// production.
    fn continues(&self, node: NodeId, child: NodeId, rule: Option<RuleId>) -> bool {
        let NodeKind::Rule(production) = self.parsed.kind(node) else { return false };
        let grammar = self.language.language.grammar();
        let has_error = grammar.production(production).symbols.contains(&Symbol::Token(TokenId::ERROR));
        !has_error && self.rule_of(child) == rule
    }

    /// Whether a child of a node can be removed by itself.
    fn is_option(&self, parent: &Frame, at: usize) -> bool {
        let NodeKind::Rule(production) = self.parsed.kind(parent.node) else { return true };
        parent.elements.is_none() && self.language.shapes.options[production.index()].contains(&(at..at + 1))
    }

    /// The next token of the parser.
    fn lookahead(&self) -> Option<TokenId> {
        self.ahead.get(self.seen).copied().unwrap_or(Some(TokenId::END))
    }

    /// A token, preceded by the lexemes before it that are not in the tree.
    fn token(&mut self, number: usize, child: Option<(NodeId, usize)>) -> Vec<Entry> {
        let mut entries = self.before(number, false);
        let lexeme = self.parsed.lexemes()[number].clone();
        self.next = number + 1;
        self.seen += 1;
        let known = child.zip(lexeme.token);
        let Some(((node, at), token)) = known else {
            entries.push(self.leaf(Kind::Error, "", lexeme.span, "", Info::default(), Role::Extra));
            return entries;
        };
        let language = &self.language.language;
        let symbol = Symbol::Token(token);
        let name = &language.grammar().token(token).name;
        let text = String::from_utf8_lossy(&self.input[lexeme.span.clone()]).into_owned();
        let spelled_out = self.language.shapes.is_spelled_out(symbol);
        let own = self.language.own.get(name).map(String::as_str);
        let short = own.or_else(|| language.shortest(token).filter(|_| !spelled_out)).unwrap_or(&text);
        let place = Some(language.place(self.parsed, node));
        let info = Info { symbol: Some(symbol), place, next: self.lookahead(), ..Info::default() };
        entries.push(self.leaf(Kind::Token, name, lexeme.span, short, info, Role::Child(symbol, at)));
        entries
    }

    /// The lexemes before this one that are not in the tree: those that the lexer or the parser could not make sense of
    /// and, if requested, hidden ones.
    fn before(&mut self, number: usize, at_end: bool) -> Vec<Entry> {
        let skipped = self.next..number.max(self.next);
        self.next = skipped.end;
        let mut entries = vec![];
        let parsed = self.parsed;
        for lexeme in &parsed.lexemes()[skipped] {
            self.seen += usize::from(lexeme.origin == Origin::Matched);
            if self.is_wanted(lexeme, at_end) {
                entries.push(self.leaf(Kind::Error, "", lexeme.span.clone(), "", Info::default(), Role::Extra));
            }
        }
        entries
    }

    fn is_wanted(&self, lexeme: &Lexeme, at_end: bool) -> bool {
        match lexeme.origin {
            Origin::Matched | Origin::Unknown => true,
            // Leave out blanks. They are as numerous as all other lexemes together.
            Origin::Skipped => {
                (self.hidden == Hidden::Nodes || at_end)
                    && !self.input[lexeme.span.clone()].iter().all(u8::is_ascii_whitespace)
            }
        }
    }

    fn leaf(&mut self, kind: Kind, name: &str, span: Range<usize>, replacement: &str, info: Info, role: Role) -> Entry {
        let start = self.positions.move_to(span.start, self.input);
        let end = self.positions.move_to(span.end, self.input);
        let node = self.builder.token(kind, name, span.clone(), replacement, start..end);
        self.syntax.infos.push(info);
        Entry { node, span, positions: start..end, role }
    }

    fn rule(
        &mut self,
        kind: Kind,
        name: &str,
        replacement: &str,
        positions: Range<Position>,
        children: Vec<tree::NodeId>,
        info: Info,
    ) -> tree::NodeId {
        self.syntax.infos.push(info);
        self.builder.rule(kind, name, replacement, positions, children)
    }

    /// Completes a node that has all its children. `optional` says whether it can be removed.
    fn close(&mut self, mut frame: Frame, optional: bool) -> Option<Entry> {
        let NodeKind::Rule(production) = self.parsed.kind(frame.node) else { return self.close_error(frame.entries) };
        let language = self.language;
        let grammar = language.language.grammar();
        let rule = language.language.rule_of(production);
        let symbol = Symbol::Rule(rule);
        let (place, next) = (language.language.place(self.parsed, frame.node), self.lookahead());
        let name = grammar.rule(rule).name.clone();
        let mut info = Info { symbol: Some(symbol), place: Some(place), next, ..Info::default() };
        let listed: Vec<tree::NodeId> =
            frame.entries.iter().filter(|entry| entry.role != Role::Extra).map(|entry| entry.node).collect();
        // An empty node has no position and must not stretch its parent. The grammar still needs to know about it.
        frame.entries.retain(|entry| !entry.span.is_empty());
        let Some((span, positions)) = extent(&frame.entries) else {
            let at = self.positions.at();
            return Some(self.leaf(Kind::Token, &name, at..at, "", info, Role::Child(symbol, 0)));
        };
        let first = self.syntax.lists.len() as u32;
        self.syntax.lists.extend_from_slice(&listed);
        info.list = (first, self.syntax.lists.len() as u32);
        let symbols = grammar.production(production).symbols.iter();
        let has_error = symbols.clone().any(|&symbol| symbol == Symbol::Token(TokenId::ERROR));
        let count = symbols.filter(|&&symbol| is_visible(grammar, symbol)).count();
        info.matched = frame.whole && !has_error && (frame.elements.is_some() || listed.len() == count);
        let groups: Vec<Range<usize>> = match frame.elements {
            Some(elements) => {
                let list = Listed { rule, elements, optional, whole: info.matched };
                let kept = self.kept_element(&list, &mut frame.entries);
                (0..elements).filter(|&at| Some(at) != kept).map(|at| at..at + 1).collect()
            }
            None if info.matched => language.shapes.options[production.index()].clone(),
            // Something is missing, so it is a plain list.
            None => (0..count).map(|at| at..at + 1).collect(),
        };
        let replacement = self.replacement(rule, place, next);
        let children = self.nest(frame.entries, &groups);
        let node = self.rule(Kind::Rule, &name, &replacement, positions.clone(), children, info);
        for (index, child) in listed.into_iter().enumerate() {
            let info = &mut self.syntax.infos[child.index()];
            info.parent = Some(node);
            info.index = index as u32;
        }
        Some(Entry { node, span, positions, role: Role::Child(symbol, 0) })
    }

    /// The list element that must stay: the one that is different or, where one of several is needed, the largest,
    /// because it is the least likely to be removable. Separators then belong to the elements that can be removed.
    fn kept_element(&self, list: &Listed, entries: &mut [Entry]) -> Option<usize> {
        let &Listed { rule, elements, optional, whole } = list;
        let (side, common) = self.language.shapes.lists[rule.index()]?;
        let mut sizes = vec![0; elements];
        for entry in entries.iter() {
            if let Role::Child(_, at) = entry.role {
                sizes[at] = entry.span.len().max(sizes[at]);
            }
        }
        let largest = (0..elements).max_by_key(|&at| (sizes[at], Reverse(at)));
        match common {
            Elements::Alike if optional => None,
            Elements::Alike => largest,
            Elements::Separated if whole => {
                move_separators(side, largest?, entries);
                largest
            }
            Elements::Separated | Elements::Different => Some(if side == List::Left { 0 } else { elements - 1 }),
        }
    }

    /// An error: each of its parts can be removed, or all of it.
    fn close_error(&mut self, entries: Vec<Entry>) -> Option<Entry> {
        let (span, positions) = extent(&entries)?;
        let mut children = vec![];
        for entry in entries.into_iter().filter(|entry| !entry.span.is_empty()) {
            let alone = entry.role == Role::Extra;
            children.push(if alone { entry.node } else { self.group(&[entry])?.node });
        }
        let node = self.rule(Kind::Rule, "ERROR", "", positions.clone(), children, Info::default());
        Some(Entry { node, span, positions, role: Role::Extra })
    }

    /// A removable group.
    fn group(&mut self, entries: &[Entry]) -> Option<Entry> {
        let (span, positions) = extent(entries)?;
        let children: Vec<tree::NodeId> = entries.iter().map(|entry| entry.node).collect();
        let node = self.rule(Kind::Quantified, "", "", positions.clone(), children, Info::default());
        Some(Entry { node, span, positions, role: Role::Extra })
    }

    /// Wraps the entries of symbols into groups. An outer group comes before the inner ones; otherwise they are in
    /// order.
    fn nest(&mut self, entries: Vec<Entry>, groups: &[Range<usize>]) -> Vec<tree::NodeId> {
        let mut waiting = groups.iter().peekable();
        let mut open: Vec<(usize, Vec<Entry>)> = vec![(usize::MAX, vec![])];
        for entry in entries {
            if let Role::Child(_, at) = entry.role {
                while open.len() > 1 && open.last().is_some_and(|&(end, _)| end <= at) {
                    self.close_group(&mut open);
                }
                while let Some(group) = waiting.next_if(|group| group.start <= at) {
                    if group.end > at {
                        open.push((group.end, vec![]));
                    }
                }
            }
            if let Some((_, top)) = open.last_mut() {
                top.push(entry);
            }
        }
        while open.len() > 1 {
            self.close_group(&mut open);
        }
        open.into_iter().flat_map(|(_, entries)| entries).map(|entry| entry.node).collect()
    }

    fn close_group(&mut self, open: &mut Vec<(usize, Vec<Entry>)>) {
        let group = open.pop().and_then(|(_, entries)| self.group(&entries));
        if let Some((_, top)) = open.last_mut() {
            top.extend(group);
        }
    }

    /// The replacement of a node: the shortest text that the parser accepts for its rule at this very position.
    fn replacement(&mut self, rule: RuleId, place: Place, next: Option<TokenId>) -> Arc<str> {
        let language = self.language;
        let name = &language.language.grammar().rule(rule).name;
        if let Some(own) = language.own.get(name) {
            return own.as_str().into();
        }
        let key = (rule, language.language.place_number(place), next);
        if let Some(known) = self.replacements.get(&key) {
            return Arc::clone(known);
        }
        let fits = |text: &str| next.is_some_and(|next| language.fits(place, rule, text, next));
        let found = language.shapes.texts(rule).into_iter().find(|text| fits(text));
        let found = found.or_else(|| {
            let smallest = std::str::from_utf8(self.input.get(self.smallest.get(&rule)?.clone())?).ok()?;
            fits(smallest).then(|| smallest.into())
        });
        // Nothing is known to fit, which happens next to errors. Then the shortest text is as good as any.
        let found = found.or_else(|| language.shapes.texts(rule).into_iter().next()).unwrap_or_default();
        self.replacements.insert(key, Arc::clone(&found));
        found
    }
}

/// The shortest non-empty text of every rule in the input.
fn smallest(language: &Language, parsed: &ParseTree) -> HashMap<RuleId, Range<usize>> {
    const LONGEST: usize = 200;
    let mut smallest: HashMap<RuleId, Range<usize>> = HashMap::new();
    for (node, span) in parsed.spans() {
        if let NodeKind::Rule(production) = parsed.kind(node)
            && !span.is_empty()
            && span.len() <= LONGEST
        {
            let best = smallest.entry(language.language.rule_of(production)).or_insert_with(|| span.clone());
            if span.len() < best.len() {
                *best = span;
            }
        }
    }
    smallest
}

/// The range that entries cover together; `None` if there are none.
fn extent(entries: &[Entry]) -> Option<(Range<usize>, Range<Position>)> {
    let (first, last) = (entries.first()?, entries.last()?);
    Some((first.span.start..last.span.end, first.positions.start..last.positions.end))
}

/// Assigns the separators between elements to those that can be removed. In a left-recursive list, each element has the
/// separator before it, so the elements before the one that stays need the separator after them instead. A
/// right-recursive list is the mirror image.
fn move_separators(side: List, kept: usize, entries: &mut [Entry]) {
    let mut last = None;
    let mut give = |entry: &mut Entry| {
        let Role::Child(symbol, at) = entry.role else { return };
        // In this direction, the first entry of an element is its separator.
        let is_separator = last != Some(at);
        last = Some(at);
        match side {
            List::Left if is_separator && (1..=kept).contains(&at) => entry.role = Role::Child(symbol, at - 1),
            List::Right if is_separator && at >= kept => entry.role = Role::Child(symbol, at + 1),
            _ => {}
        }
    };
    match side {
        List::Left => entries.iter_mut().for_each(give),
        List::Right => {
            // The last element has no separator.
            let count = entries.iter().filter_map(|entry| entry.role.element()).max().unwrap_or(0);
            let others = entries.iter_mut().rev().filter(|entry| entry.role.element() != Some(count));
            others.for_each(&mut give);
        }
    }
}
