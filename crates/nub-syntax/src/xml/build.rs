//! From the items of a document to its tree.
//!
//! ```text
//! element:   "<" name attribute* ">" (element | text | …)* "<" "/" name ">"
//! attribute: " " name "=\"" word* "\""
//! name:      local | prefix ":" local
//! ```
//!
//! Every node knows whether it can be [removed](Removable), and with which others, so the document stays well-formed
//! after any removal. The end tag is split into `<` and `/` so that removing `><` and one name from `<a></a>` leaves
//! `<a/>`. Blanks between words and between tags lie in the gaps between tokens; blanks that cannot be removed are part
//! of tokens. An element that is not closed consists of its start tag, as a separate node, and its content.
//!
//! A large document has larger units, so that its tree takes less memory. Texts are cut into chunks of many words. Tags
//! and attributes are not split into names and values, so prefixes stay and nothing becomes `<a/>`. Once the document
//! is smaller, it is parsed again.

mod tags;

use super::{
    check::{Says, bom},
    encoding::Decoded,
    entities::entity_name,
    facts::{Facts, Info, Removable, What},
    items::{Declaration, Item, Items, reference},
    namespaces::{self, Scope},
    nesting::Nesting,
};
use crate::{positions::Positions, xml::cursor::is_blank};
use nub_core::tree::{Kind, NodeId, Tree, TreeBuilder};
use std::{collections::HashMap, ops::Range};
use tags::Open;

/// The size in bytes from which a document is large.
const LARGE: usize = 2_000_000;

/// The minimum length of a unit of text in a large document, which often contains several words.
const SHORTEST: usize = 500;

/// Builds the tree.
pub(super) fn build(input: &[u8], decoded: &Decoded<'_>, well_formed: bool) -> (Tree, Facts) {
    let mut builder = Builder::new(input, decoded, well_formed);
    let text: &[u8] = &decoded.text;
    let mut items = Items::new(text, bom(text));
    if bom(text) > 0 {
        let removable = if builder.wide { Removable::Fixed } else { Removable::Free };
        let mark = builder.token("mark", 0..bom(text), What::Other, removable);
        builder.push(mark);
    }
    while let Some(item) = items.next() {
        builder.item(item, &mut items);
    }
    builder.finish()
}

pub(super) struct Builder<'a> {
    pub(super) text: &'a [u8],
    input: &'a [u8],
    decoded: &'a Decoded<'a>,
    /// Whether there must be a root element.
    well_formed: bool,
    /// Whether the units are large.
    coarse: bool,
    /// Whether the input is UTF-16. There are no gaps then, because cuts are only allowed between characters.
    pub(super) wide: bool,
    tree: TreeBuilder,
    pub(super) facts: Facts,
    /// The end of the last token, in the text.
    end: usize,
    /// Lines and columns in the input.
    positions: Positions,
    document: Vec<NodeId>,
    open: Vec<Open>,
    nesting: Nesting<'a>,
    scope: Scope<'a>,
    has_root: bool,
    has_doctype: bool,
    /// Whether the XML declaration says UTF-8, or nothing.
    utf8: bool,
    /// References that need a declaration, by name.
    pub(super) references: HashMap<&'a [u8], Vec<NodeId>>,
    /// The document type, which stays undecided until all references are known.
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
            positions: Positions::start(),
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

    fn leaf(&mut self, kind: Kind, name: &str, range: Range<usize>, what: What, removable: Removable) -> NodeId {
        let start = if self.wide { self.end.min(range.start) } else { range.start };
        self.end = range.end;
        let bytes = self.decoded.place(start)..self.decoded.place(range.end);
        let positions = self.positions.move_to(bytes.start, self.input)..self.positions.move_to(bytes.end, self.input);
        let node = self.tree.token(kind, name, bytes, "", positions);
        self.inform(node, what, removable)
    }

    pub(super) fn token(&mut self, name: &str, range: Range<usize>, what: What, removable: Removable) -> NodeId {
        self.leaf(Kind::Token, name, range, what, removable)
    }

    /// A token that cannot be removed.
    pub(super) fn mark(&mut self, range: Range<usize>) -> NodeId {
        self.token("markup", range, What::Other, Removable::Fixed)
    }

    fn junk(&mut self, range: Range<usize>) -> NodeId {
        self.leaf(Kind::Error, "ERROR", range, What::Other, Removable::Free)
    }

    pub(super) fn rule(&mut self, name: &str, children: Vec<NodeId>, what: What, removable: Removable) -> NodeId {
        self.replaced(name, "", children, what, removable)
    }

    fn replaced(&mut self, name: &str, by: &str, children: Vec<NodeId>, what: What, removable: Removable) -> NodeId {
        let node = self.tree.parent(Kind::Rule, name, by, children.iter().copied());
        for child in children {
            self.facts.infos[child.index()].parent = Some(node);
        }
        self.inform(node, what, removable)
    }

    /// A node whose children can each be removed independently.
    fn list(&mut self, name: &str, children: Vec<NodeId>) -> NodeId {
        let node = self.rule(name, children, What::Other, Removable::Free);
        self.facts.lists.insert(node);
        node
    }

    /// A node that must stay, but that this text can replace.
    pub(super) fn or_else(&mut self, name: &str, text: &str, children: Vec<NodeId>, what: What) -> NodeId {
        if self.wide {
            return self.rule(name, children, what, Removable::Fixed);
        }
        let node = self.replaced(name, text, children, what, Removable::Free);
        self.facts.infos[node.index()].removable = Removable::Fixed;
        node
    }

    fn inform(&mut self, node: NodeId, what: What, removable: Removable) -> NodeId {
        debug_assert_eq!(node.index(), self.facts.infos.len());
        self.facts.infos.push(Info { parent: None, removable, what });
        if removable != Removable::Free {
            self.tree.fix(node);
        }
        node
    }

    /// Makes a node removable only together with its companions.
    pub(super) fn couple(&mut self, node: NodeId, companions: Vec<NodeId>) {
        self.set(node, Removable::Coupled);
        self.facts.companions.insert(node, companions);
    }

    pub(super) fn set(&mut self, node: NodeId, removable: Removable) {
        self.facts.infos[node.index()].removable = removable;
        self.tree.fix(node);
    }

    /// Adds a node to the innermost open element.
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

    /// The words of a text or a value. In UTF-16, all of it is one word.
    fn words(&mut self, range: Range<usize>, name: &str, what: What) -> Vec<NodeId> {
        let mut words = vec![];
        let text = self.text;
        if self.wide {
            if !range.is_empty() {
                words.push(self.token(name, range, what, Removable::Free));
            }
            return words;
        }
        let Range { start: mut at, end } = trim(text, range);
        let shortest = if self.coarse { SHORTEST } else { 1 };
        while at < end {
            let least = end.min(at + shortest);
            let more = text[least..end].iter().take_while(|&&byte| !is_blank(byte)).count();
            words.push(self.token(name, trim(text, at..least + more), what, Removable::Free));
            let blanks = text[least + more..end].iter().take_while(|&&byte| is_blank(byte)).count();
            at = least + more + blanks;
        }
        words
    }

    pub(super) fn reference(&mut self, range: Range<usize>) -> NodeId {
        let name = entity_name(&self.text[range.clone()]);
        let node = self.token("reference", range, What::Other, Removable::Free);
        if let Some(name) = name {
            self.references.entry(name).or_default().push(node);
        }
        node
    }

    /// The words and references of an attribute's value.
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

    /// A node with a mark of the given length at each end. Its contents can be removed.
    pub(super) fn bracketed(&mut self, name: &str, range: Range<usize>, before: usize, after: usize) -> NodeId {
        let (start, end) = (range.start + before, range.end - after);
        let mut children = vec![self.mark(range.start..start)];
        if start < end {
            children.push(self.token("inside", start..end, What::Other, Removable::Free));
        }
        children.push(self.mark(end..range.end));
        self.rule(name, children, What::Other, Removable::Free)
    }

    /// `<?xml …?>`. Without it, a document is UTF-8, or UTF-16 if it has a byte-order mark.
    fn declaration(&mut self, declaration: &Declaration, says: &Says) -> NodeId {
        let Declaration { whole, version, encoding, standalone } = declaration;
        let encoding_removable = match self.wide {
            true => bom(self.text) > 0,
            false => says.utf8 || self.text[whole.end..].is_ascii(),
        };
        let removable_if = |condition: bool| if condition { Removable::Free } else { Removable::Fixed };
        let mut children = vec![self.mark(whole.start..version.whole.start), self.mark(version.whole.clone())];
        if let Some(part) = encoding {
            children.push(self.token("encoding", part.whole.clone(), What::Other, removable_if(encoding_removable)));
        }
        if let Some(part) = standalone {
            children.push(self.token("standalone", part.whole.clone(), What::Other, Removable::Free));
        }
        children.push(self.mark(whole.end - 2..whole.end));
        self.rule("declaration", children, What::Other, removable_if(encoding_removable && says.is_version_1_0))
    }

    /// A name, and if it has a prefix, the prefix and the colon.
    pub(super) fn name(
        &mut self,
        kind: &str,
        range: Range<usize>,
        removable: Removable,
    ) -> (NodeId, Option<[NodeId; 2]>) {
        let Some(colon) = namespaces::split(&self.text[range.clone()]) else {
            let what = self.name_or_not(&range);
            return (self.token(kind, range, what, removable), None);
        };
        let colon = range.start + colon;
        let what = self.name_or_not(&(range.start..colon));
        let prefix = self.token("prefix name", range.start..colon, what, removable);
        let colon_mark = self.token("markup", colon..colon + 1, What::Other, Removable::Follows);
        let local = self.token(kind, colon + 1..range.end, What::Name, Removable::Fixed);
        (self.rule("name", vec![prefix, colon_mark, local], What::Other, removable), Some([prefix, colon_mark]))
    }

    /// Names with a fixed meaning must not be changed.
    fn name_or_not(&self, range: &Range<usize>) -> What {
        if matches!(&self.text[range.clone()], b"xml" | b"xmlns") { What::Other } else { What::Name }
    }

    fn finish(mut self) -> (Tree, Facts) {
        self.unclosed(self.open.len());
        self.finish_doctype();
        let children = std::mem::take(&mut self.document);
        let root = self.rule("document", children, What::Other, Removable::Fixed);
        (self.tree.finish(root), self.facts)
    }
}

/// A range without the blanks around it.
fn trim(text: &[u8], Range { mut start, mut end }: Range<usize>) -> Range<usize> {
    while start < end && is_blank(text[start]) {
        start += 1;
    }
    while start < end && is_blank(text[end - 1]) {
        end -= 1;
    }
    start..end
}
