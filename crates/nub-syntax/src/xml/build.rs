//! From the items of a document to its tree.
//!
//! ```text
//! element:   "<" name attribute* ">" (element | text | …)* "<" "/" name ">"
//! attribute: " " name "=\"" word* "\""
//! name:      local | prefix ":" local
//! ```
//!
//! Every node knows whether it may [go](Going), and with what: so whatever goes, what is left is well-formed. The end tag
//! is `<` and `/` because `<a></a>` without `><` and one name is `<a/>`. Blanks between words and between tags lie in the
//! gaps between tokens; those that cannot go are part of tokens. An element that is not closed is its start tag, on its own,
//! and its content.
//!
//! A large document has larger units, so that its tree takes less memory: texts are cut into many words at a time, and
//! tags and attributes not into names and values, so that prefixes stay and nothing becomes `<a/>`. When it has become smaller, it is read again.

use super::{
    check::{Says, bom},
    encoding::Decoded,
    entities::entity_name,
    facts::{Element, EndTag, Facts, Going, Info, Set, What},
    items::{Attribute, Declaration, Item, Items, Start, reference},
    namespaces::{self, Scope},
    nesting::Nesting,
};
use crate::xml::cursor::is_blank;
use nub_core::tree::{Kind, NodeId, Position, Tree, TreeBuilder};
use std::{collections::HashMap, ops::Range};

/// From how many bytes on a document is large.
const LARGE: usize = 2_000_000;

/// How many parts the content of an element has before it is a node of its own: parts of such a list are single cuts.
const LONG: usize = 50;

/// How long a word of a large document is at least: often several.
const SHORTEST: usize = 500;

/// Builds the tree.
pub(super) fn build(input: &[u8], decoded: &Decoded<'_>, well_formed: bool) -> (Tree, Facts) {
    let mut builder = Builder::new(input, decoded, well_formed);
    let text: &[u8] = &decoded.text;
    let mut items = Items::new(text, bom(text));
    if bom(text) > 0 {
        let going = if builder.wide { Going::Fixed } else { Going::Free };
        let mark = builder.token("mark", 0..bom(text), What::Other, going);
        builder.push(mark);
    }
    while let Some(item) = items.next() {
        builder.item(item, &mut items);
    }
    builder.finish()
}

/// An element that is open.
struct Open {
    children: Vec<NodeId>,
    /// How many of the children are its start tag.
    tag: usize,
    /// The prefix in its start tag, and the colon.
    prefix: Option<[NodeId; 2]>,
    /// How many declarations held before it.
    scope: usize,
    declares: Set,
    free: Set,
}

pub(super) struct Builder<'a> {
    pub(super) text: &'a [u8],
    input: &'a [u8],
    decoded: &'a Decoded<'a>,
    /// Whether there must be a root.
    well_formed: bool,
    /// Whether the units are large.
    coarse: bool,
    /// Whether the input is UTF-16: then there are no gaps, because nothing may be cut but between characters.
    pub(super) wide: bool,
    tree: TreeBuilder,
    pub(super) facts: Facts,
    /// Where the last token ends, in the text; and in the input, as people count.
    end: usize,
    at: usize,
    position: Position,
    document: Vec<NodeId>,
    open: Vec<Open>,
    nesting: Nesting<'a>,
    scope: Scope<'a>,
    has_root: bool,
    has_doctype: bool,
    /// What the XML declaration says.
    utf8: bool,
    /// References that need a declaration, by their names.
    pub(super) references: HashMap<&'a [u8], Vec<NodeId>>,
    /// The document type, which is left open until all references are known.
    pub(super) pending: Option<super::dtd::Pending<'a>>,
}

impl<'a> Builder<'a> {
    fn new(input: &'a [u8], decoded: &'a Decoded<'a>, well_formed: bool) -> Self {
        let mut tree = TreeBuilder::new(input);
        tree.verbatim();
        Self {
            text: &decoded.text,
            input,
            decoded,
            well_formed,
            coarse: input.len() >= LARGE,
            wide: !decoded.is_ascii_based(),
            tree,
            facts: Facts::default(),
            end: 0,
            at: 0,
            position: Position { line: 1, column: 0 },
            document: vec![],
            open: vec![],
            nesting: Nesting::default(),
            scope: Scope::default(),
            has_root: false,
            has_doctype: false,
            utf8: true,
            references: HashMap::new(),
            pending: None,
        }
    }

    /// Moves on to a place in the input.
    fn move_to(&mut self, at: usize) -> Position {
        for &byte in &self.input[self.at.min(at)..at] {
            match byte {
                b'\n' => self.position = Position { line: self.position.line.saturating_add(1), column: 0 },
                // A byte that goes on with a character starts no column.
                0x80..0xc0 => {}
                _ => self.position.column = self.position.column.saturating_add(1),
            }
        }
        self.at = self.at.max(at);
        self.position
    }

    fn leaf(&mut self, kind: Kind, name: &str, range: Range<usize>, what: What, going: Going) -> NodeId {
        let start = if self.wide { self.end.min(range.start) } else { range.start };
        self.end = range.end;
        let bytes = self.decoded.place(start)..self.decoded.place(range.end);
        let positions = self.move_to(bytes.start)..self.move_to(bytes.end);
        let node = self.tree.token(kind, name, bytes, "", positions);
        self.inform(node, what, going)
    }

    /// A token.
    pub(super) fn token(&mut self, name: &str, range: Range<usize>, what: What, going: Going) -> NodeId {
        self.leaf(Kind::Token, name, range, what, going)
    }

    /// A token that stays.
    pub(super) fn mark(&mut self, range: Range<usize>) -> NodeId {
        self.token("markup", range, What::Other, Going::Fixed)
    }

    fn junk(&mut self, range: Range<usize>) -> NodeId {
        self.leaf(Kind::Error, "ERROR", range, What::Other, Going::Free)
    }

    /// A node with children.
    pub(super) fn rule(&mut self, name: &str, children: Vec<NodeId>, what: What, going: Going) -> NodeId {
        self.replaced(name, "", children, what, going)
    }

    fn replaced(&mut self, name: &str, by: &str, children: Vec<NodeId>, what: What, going: Going) -> NodeId {
        let node = self.tree.parent(Kind::Rule, name, by, children.iter().copied());
        for child in children {
            self.facts.infos[child.index()].parent = Some(node);
        }
        self.inform(node, what, going)
    }

    /// A node with children of which any may go, and nothing goes with them.
    fn list(&mut self, name: &str, children: Vec<NodeId>) -> NodeId {
        let node = self.rule(name, children, What::Other, Going::Free);
        self.facts.lists.insert(node);
        node
    }

    /// A node with children that must be there, but could be this text.
    pub(super) fn or_else(&mut self, name: &str, text: &str, children: Vec<NodeId>, what: What) -> NodeId {
        if self.wide {
            return self.rule(name, children, what, Going::Fixed);
        }
        let node = self.replaced(name, text, children, what, Going::Free);
        self.facts.infos[node.index()].going = Going::Fixed;
        node
    }

    fn inform(&mut self, node: NodeId, what: What, going: Going) -> NodeId {
        debug_assert_eq!(node.index(), self.facts.infos.len());
        self.facts.infos.push(Info { parent: None, going, what });
        if going != Going::Free {
            self.tree.fix(node);
        }
        node
    }

    /// Says that a node goes only with others; or never.
    pub(super) fn couple(&mut self, node: NodeId, companions: Vec<NodeId>) {
        self.set(node, Going::Coupled);
        self.facts.companions.insert(node, companions);
    }

    pub(super) fn set(&mut self, node: NodeId, going: Going) {
        self.facts.infos[node.index()].going = going;
        self.tree.fix(node);
    }

    /// Adds a child to what is open.
    fn push(&mut self, node: NodeId) {
        match self.open.last_mut() {
            Some(open) => open.children.push(node),
            None => self.document.push(node),
        }
    }

    fn item(&mut self, item: Item, items: &mut Items<'_>) {
        let inside = !self.open.is_empty();
        let node = match item {
            Item::Text(range) if inside => match self.words(range, "text", What::Word) {
                words if words.len() > 1 => self.list("text", words),
                words => match words.first() {
                    Some(&word) => word,
                    None => return,
                },
            },
            Item::Text(range) => {
                let trimmed = trim(self.text, range);
                if trimmed.is_empty() {
                    return;
                }
                self.junk(trimmed)
            }
            Item::Reference(range) if inside => self.reference(range),
            Item::Comment(range) => self.bracketed("comment", range, 4, 3),
            Item::CData(range) if inside => self.bracketed("cdata", range, 9, 3),
            Item::Instruction { whole, target } => {
                let before = target.end - whole.start;
                self.bracketed("instruction", whole, before, 2)
            }
            Item::Declaration(declaration) => {
                let says = Says::new(self.text, &declaration);
                self.utf8 = says.utf8;
                if !says.utf8 {
                    items.any_names();
                }
                self.declaration(&declaration, &says)
            }
            Item::Doctype(doctype) if !inside && !self.has_doctype && !self.has_root => {
                self.has_doctype = true;
                self.doctype(*doctype)
            }
            Item::Doctype(doctype) => self.junk(doctype.whole),
            Item::Start(start) => return self.start(&start, &items.attributes),
            Item::End { whole, name } => match self.nesting.leave(&self.text[name.clone()]) {
                Some(unclosed) => {
                    self.unclosed(unclosed);
                    return self.end(whole, name);
                }
                None => self.junk(whole),
            },
            Item::Reference(range) | Item::CData(range) | Item::Junk(range) => self.junk(range),
        };
        self.push(node);
    }

    /// The words of a text or a value. Whoever reads UTF-16 gets all of it as one.
    fn words(&mut self, range: Range<usize>, name: &str, what: What) -> Vec<NodeId> {
        let mut words = vec![];
        let text = self.text;
        if self.wide {
            if !range.is_empty() {
                words.push(self.token(name, range, what, Going::Free));
            }
            return words;
        }
        let Range { start: mut at, end } = trim(text, range);
        let shortest = if self.coarse { SHORTEST } else { 1 };
        while at < end {
            let least = end.min(at + shortest);
            let more = text[least..end].iter().take_while(|&&byte| !is_blank(byte)).count();
            words.push(self.token(name, trim(text, at..least + more), what, Going::Free));
            let blanks = text[least + more..end].iter().take_while(|&&byte| is_blank(byte)).count();
            at = least + more + blanks;
        }
        words
    }

    pub(super) fn reference(&mut self, range: Range<usize>) -> NodeId {
        let name = entity_name(&self.text[range.clone()]);
        let node = self.token("reference", range, What::Other, Going::Free);
        if let Some(name) = name {
            self.references.entry(name).or_default().push(node);
        }
        node
    }

    /// The words and references of the value of an attribute.
    fn value(&mut self, range: Range<usize>) -> Vec<NodeId> {
        let mut nodes = vec![];
        let mut at = range.start;
        while let Some(next) = self.text[at..range.end].iter().position(|&byte| byte == b'&') {
            nodes.extend(self.words(at..at + next, "value", What::ValueWord));
            let found = reference(&self.text[..range.end], at + next).unwrap_or(at + next..at + next + 1);
            at = found.end;
            nodes.push(self.reference(found));
        }
        nodes.extend(self.words(at..range.end, "value", What::ValueWord));
        nodes
    }

    /// Something between marks of these lengths, which may go without them.
    pub(super) fn bracketed(&mut self, name: &str, range: Range<usize>, before: usize, after: usize) -> NodeId {
        let (start, end) = (range.start + before, range.end - after);
        let mut children = vec![self.mark(range.start..start)];
        if start < end {
            children.push(self.token("inside", start..end, What::Other, Going::Free));
        }
        children.push(self.mark(end..range.end));
        self.rule(name, children, What::Other, Going::Free)
    }

    /// `<?xml …?>`: without it, a document is UTF-8, or UTF-16 if it has a mark.
    fn declaration(&mut self, declaration: &Declaration, says: &Says) -> NodeId {
        let Declaration { whole, version, encoding, standalone } = declaration;
        let encoding_goes = match self.wide {
            true => bom(self.text) > 0,
            false => says.utf8 || self.text[whole.end..].is_ascii(),
        };
        let going = |goes: bool| if goes { Going::Free } else { Going::Fixed };
        let mut children = vec![self.mark(whole.start..version.whole.start), self.mark(version.whole.clone())];
        if let Some(part) = encoding {
            children.push(self.token("encoding", part.whole.clone(), What::Other, going(encoding_goes)));
        }
        if let Some(part) = standalone {
            children.push(self.token("standalone", part.whole.clone(), What::Other, Going::Free));
        }
        children.push(self.mark(whole.end - 2..whole.end));
        self.rule("declaration", children, What::Other, going(encoding_goes && says.is_version_1_0))
    }

    /// A name, and if it has a prefix, that and the colon.
    pub(super) fn name(&mut self, kind: &str, range: Range<usize>, going: Going) -> (NodeId, Option<[NodeId; 2]>) {
        let Some(colon) = namespaces::split(&self.text[range.clone()]) else {
            let what = self.name_or_not(&range);
            return (self.token(kind, range, what, going), None);
        };
        let colon = range.start + colon;
        let what = self.name_or_not(&(range.start..colon));
        let prefix = self.token("prefix name", range.start..colon, what, going);
        let colon_mark = self.token("markup", colon..colon + 1, What::Other, Going::Follows);
        let local = self.token(kind, colon + 1..range.end, What::Name, Going::Fixed);
        (self.rule("name", vec![prefix, colon_mark, local], What::Other, going), Some([prefix, colon_mark]))
    }

    /// Some names cannot be others.
    fn name_or_not(&self, range: &Range<usize>) -> What {
        if matches!(&self.text[range.clone()], b"xml" | b"xmlns") { What::Other } else { What::Name }
    }

    fn start(&mut self, start: &Start, attributes: &[Attribute]) {
        let text = self.text;
        let scope = self.scope.len();
        let (mut children, prefix) = if self.coarse {
            (vec![self.mark(start.whole.start..start.name.end)], None)
        } else {
            let mark = self.mark(start.whole.start..start.name.start);
            let (name, prefix) = self.name("tag name", start.name.clone(), Going::Fixed);
            (vec![mark, name], prefix)
        };
        let tag = children[0];
        // Attributes with prefixes, and whether they could do without.
        let mut prefixed = vec![];
        // Names with prefixes that are part of larger tokens.
        let mut whole_names = vec![];
        if self.coarse && namespaces::split(&text[start.name.clone()]).is_some() {
            whole_names.push((tag, start.name.start));
        }
        let mut declares = Set::EMPTY;
        for (at, attribute) in attributes.iter().enumerate() {
            let name = &text[attribute.name.clone()];
            let Some(value) = attribute.value.clone() else {
                children.push(self.junk(attribute.name.clone()));
                continue;
            };
            let declares_prefix = name.starts_with(b"xmlns:");
            if self.coarse && !declares_prefix && !text[value.clone()].contains(&b'&') {
                let node = self.token("attribute", attribute.whole.clone(), What::Other, Going::Free);
                children.push(node);
                if namespaces::split(name).is_some() {
                    whole_names.push((node, attribute.name.start));
                }
                continue;
            }
            let before = self.token("blank", attribute.whole.start..attribute.name.start, What::Blank, Going::Fixed);
            let declared = name.strip_prefix(b"xmlns:").filter(|prefix| !matches!(*prefix, b"" | b"xml"));
            let node = if declared.is_some() && namespaces::split(name).is_some() {
                let default = attributes.iter().any(|other| &text[other.name.clone()] == b"xmlns");
                let (node, prefix) = self.namespace(attribute, value, before, default);
                declares = self.facts.prefixes.with(declares, prefix);
                node
            } else if name == b"xmlns" {
                let name = self.mark(attribute.name.clone());
                self.attribute(attribute, value, vec![before, name])
            } else {
                let (name_node, prefix) = self.name("attribute name", attribute.name.clone(), Going::Fixed);
                if let Some([prefix, colon]) = prefix {
                    let local = local(name);
                    let clashes = local == b"xmlns"
                        || attributes
                            .iter()
                            .enumerate()
                            .any(|(other, it)| other != at && self::local(&text[it.name.clone()]) == local);
                    prefixed.push((prefix, colon, attribute.name.start, clashes));
                }
                self.attribute(attribute, value, vec![before, name_node])
            };
            children.push(node);
        }
        let close = start.close..start.whole.end;
        let going = if start.empty || self.coarse { Going::Fixed } else { Going::Close };
        children.push(self.token("markup", close, What::Other, going));
        // The tag may use what it declares.
        let mut free = Set::EMPTY;
        if let Some([prefix, colon]) = prefix {
            free = self.usage(free, prefix, start.name.start, scope, false);
            self.couple(prefix, vec![colon]);
        }
        for (token, at) in whole_names {
            free = self.usage(free, token, at, scope, true);
        }
        for (prefix, colon, at, clashes) in prefixed {
            free = self.usage(free, prefix, at, scope, clashes);
            match clashes {
                true => self.set(prefix, Going::Fixed),
                false => self.couple(prefix, vec![colon]),
            }
        }
        let tag = children.len();
        let empty = start.empty;
        if !empty {
            self.nesting.enter(&text[start.name.clone()]);
        }
        self.open.push(Open { children, tag, prefix, scope, declares, free });
        if empty {
            self.close(None, None);
        }
    }

    /// Notes that a prefix is used. What it belongs to may be declared by the same tag, or outside.
    fn usage(&mut self, free: Set, node: NodeId, at: usize, scope: usize, needed: bool) -> Set {
        let length = self.text[at..].iter().position(|&byte| byte == b':').unwrap_or(0);
        let prefix = &self.text[at..at + length];
        let Some((declared, declaration)) = self.scope.find(prefix) else { return free };
        declaration.uses.push(node);
        declaration.needed |= needed;
        declaration.used_inside |= declared < scope;
        let number = self.scope.number(prefix);
        self.facts.prefixes.with(free, number)
    }

    /// An attribute, of which the blank and the name are there.
    fn attribute(&mut self, attribute: &Attribute, value: Range<usize>, mut children: Vec<NodeId>) -> NodeId {
        children.push(self.token("equals", attribute.name.end..value.start, What::Equals, Going::Fixed));
        children.extend(self.value(value.clone()));
        children.push(self.mark(value.end..attribute.whole.end));
        self.rule("attribute", children, What::Other, Going::Free)
    }

    /// `xmlns:prefix="…"`, and the number of the prefix. The value may not be empty, so it stays.
    fn namespace(&mut self, attribute: &Attribute, value: Range<usize>, blank: NodeId, default: bool) -> (NodeId, u32) {
        let colon_at = attribute.name.start + b"xmlns".len();
        let xmlns = self.mark(attribute.name.start..colon_at);
        let colon = self.token("markup", colon_at..colon_at + 1, What::Other, Going::Follows);
        let name = self.token("prefix name", colon_at + 1..attribute.name.end, What::Declared, Going::Fixed);
        let whole_name = self.rule("name", vec![xmlns, colon, name], What::Other, Going::Fixed);
        let equals = self.token("equals", attribute.name.end..value.start, What::Equals, Going::Fixed);
        let mut children = vec![blank, whole_name, equals];
        if !value.is_empty() {
            children.push(self.token("namespace", value.clone(), What::Other, Going::Fixed));
        }
        children.push(self.mark(value.end..attribute.whole.end));
        let node = self.rule("attribute", children, What::Other, Going::Fixed);
        let prefix = &self.text[colon_at + 1..attribute.name.end];
        let (attribute, uses) = (node, vec![]);
        let number = self.scope.number(prefix);
        // As the default, it would be there twice.
        let (needed, used_inside) = (false, false);
        self.scope.declare(namespaces::Declaration { prefix, attribute, name, colon, uses, needed, used_inside });
        if default {
            self.facts.companions.insert(name, vec![]);
        }
        (node, number)
    }

    /// Ends the scope of what the last element declares. Whether its content uses any of it.
    fn end_scope(&mut self, scope: usize) -> bool {
        let mut binds = false;
        while self.scope.len() > scope {
            let Some(declaration) = self.scope.pop() else { break };
            binds |= declaration.used_inside;
            let default = self.facts.companions.remove(&declaration.name).is_some();
            if declaration.needed {
                continue;
            }
            if !default {
                let mut companions = declaration.uses.clone();
                companions.push(declaration.colon);
                self.couple(declaration.name, companions);
            }
            self.couple(declaration.attribute, declaration.uses);
        }
        binds
    }

    /// The end tag of the innermost element that is open.
    fn end(&mut self, whole: Range<usize>, name: Range<usize>) {
        if self.coarse {
            let tag = self.mark(whole);
            let Some(open) = self.open.last_mut() else { return };
            open.children.push(tag);
            let first = open.children.len() - 1;
            return self.close(Some(first), None);
        }
        let opening = self.token("markup", whole.start..whole.start + 1, What::Other, Going::Follows);
        let slash = self.mark(whole.start + 1..whole.start + 2);
        let name_end = name.end;
        let (name, prefix) = self.name("tag name", name, Going::Follows);
        let blank = name_end..whole.end - 1;
        let blank = (!blank.is_empty()).then(|| self.token("blank", blank, What::Other, Going::Free));
        let closing = self.mark(whole.end - 1..whole.end);
        let Some(open) = self.open.last_mut() else { return };
        let first = open.children.len();
        open.children.extend([opening, slash, name].into_iter().chain(blank).chain([closing]));
        if let (Some([start, start_colon]), Some([end, end_colon])) = (open.prefix, prefix) {
            self.couple(start, vec![start_colon, end, end_colon]);
            self.couple(end, vec![end_colon, start, start_colon]);
            self.facts.infos[end.index()].going = Going::Twin;
        }
        self.close(Some(first), Some(([opening, name], blank)));
    }

    /// The innermost element that is open is complete: where its end tag is among its children, if it has one, and what
    /// goes with its start tag.
    fn close(&mut self, first: Option<usize>, end: Option<EndTag>) {
        let Some(Open { mut children, tag, scope, declares, free, .. }) = self.open.pop() else { return };
        let free = self.facts.prefixes.minus(free, declares);
        let binds = self.end_scope(scope);
        let mut last = first.unwrap_or(tag);
        if last - tag > LONG {
            let content = children.drain(tag..last).collect();
            let content = self.list("content", content);
            children.insert(tag, content);
            last = tag + 1;
        }
        let content = tag as u32..last as u32;
        let is_root = self.open.is_empty();
        let name = self.element_name(free);
        let node = match is_root && self.well_formed {
            true => self.or_else(&name, "<a/>", children, What::Element),
            false => self.rule(&name, children, What::Element, Going::Free),
        };
        self.facts.elements.insert(node, Element { content, end, free, declares, binds, is_root });
        self.has_root |= is_root;
        if let Some(outer) = self.open.last_mut() {
            outer.free = self.facts.prefixes.union(outer.free, free);
        }
        self.push(node);
    }

    /// What an element is called. Algorithms that know only names put an element only in the place of one that uses the
    /// same prefixes: those are declared there.
    fn element_name(&self, free: Set) -> String {
        if free == Set::EMPTY {
            return "element".to_owned();
        }
        let prefixes = self.facts.prefixes.of(free).iter();
        let names: Vec<_> = prefixes.map(|&number| String::from_utf8_lossy(self.scope.name(number))).collect();
        format!("element using {}", if free == Set::MANY { "many prefixes".to_owned() } else { names.join(", ") })
    }

    /// The innermost elements that are open, so many of them, are not closed.
    fn unclosed(&mut self, count: usize) {
        let frames = self.open.split_off(self.open.len().saturating_sub(count));
        for open in frames.iter().rev() {
            self.end_scope(open.scope);
        }
        // From the outside in, so that nothing is moved twice.
        for Open { mut children, tag, free, .. } in frames {
            let content = children.split_off(tag);
            if let Some(&close) = children.last() {
                self.set(close, Going::Fixed);
            }
            let tag = self.rule("unclosed", children, What::Other, Going::Free);
            self.push(tag);
            for node in content {
                self.push(node);
            }
            if let Some(outer) = self.open.last_mut() {
                outer.free = self.facts.prefixes.union(outer.free, free);
            }
        }
    }

    fn finish(mut self) -> (Tree, Facts) {
        self.unclosed(self.open.len());
        self.finish_doctype();
        let children = std::mem::take(&mut self.document);
        let root = self.rule("document", children, What::Other, Going::Fixed);
        (self.tree.finish(root), self.facts)
    }
}

/// What is left of a range without the blanks around it.
fn trim(text: &[u8], Range { mut start, mut end }: Range<usize>) -> Range<usize> {
    while start < end && is_blank(text[start]) {
        start += 1;
    }
    while start < end && is_blank(text[end - 1]) {
        end -= 1;
    }
    start..end
}

/// A name without its prefix.
fn local(name: &[u8]) -> &[u8] {
    name.iter().rposition(|&byte| byte == b':').map_or(name, |colon| &name[colon + 1..])
}
