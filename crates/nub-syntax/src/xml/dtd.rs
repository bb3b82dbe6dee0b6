//! The tree of a document type declaration.
//!
//! The declaration of an entity is removed with all references to it, and the document type with all references that
//! need it. So what can be removed is decided only when the whole document is known.

use super::{
    build::Builder,
    cursor::Cursor,
    doctype::{self, Doctype},
    entities::{entity_name, references},
    facts::{Removable, What},
    items::reference,
};
use nub_core::tree::NodeId;
use std::{collections::HashMap, ops::Range};

/// What remains to be decided.
#[derive(Debug, Default)]
pub(super) struct Pending<'a> {
    doctype: Option<NodeId>,
    external: Option<NodeId>,
    subset: Option<NodeId>,
    /// Entity declarations, by name.
    entities: Vec<(&'a [u8], NodeId)>,
    /// The same for parameter entities, and the references to them.
    parameters: Vec<(&'a [u8], NodeId)>,
    parameter_references: HashMap<&'a [u8], Vec<NodeId>>,
    /// Entities used in places where the reference cannot be removed.
    needed: Vec<&'a [u8]>,
}

impl<'a> Builder<'a> {
    pub(super) fn doctype(&mut self, doctype: Doctype) -> NodeId {
        let mut pending = Pending::default();
        let Doctype { whole, name, external, subset } = doctype;
        let mut children = vec![self.mark(whole.start..name.start), self.name("tag name", name, Removable::Fixed).0];
        if let Some(external) = external {
            let node = self.token("external", external, What::Other, Removable::Free);
            pending.external = Some(node);
            children.push(node);
        }
        let mut end = whole.end - 1;
        if let Some(subset) = subset {
            let mut list = vec![self.mark(subset.whole.start..subset.inside.start)];
            for declaration in subset.declarations {
                list.push(self.markup_declaration(declaration, &mut pending));
            }
            list.push(self.mark(subset.inside.end..subset.whole.end));
            let node = self.rule("declarations", list, What::Other, Removable::Free);
            pending.subset = Some(node);
            children.push(node);
            end = end.max(subset.whole.end);
        }
        children.push(self.mark(end..whole.end));
        let node = self.rule("doctype", children, What::Other, Removable::Free);
        pending.doctype = Some(node);
        self.pending = Some(pending);
        node
    }

    fn markup_declaration(&mut self, declaration: doctype::Declaration, pending: &mut Pending<'a>) -> NodeId {
        let doctype::Declaration { whole, what } = declaration;
        let text = self.text;
        let last = whole.end - 1..whole.end;
        match what {
            doctype::What::Other | doctype::What::Junk => {
                self.token("declaration", whole, What::Other, Removable::Free)
            }
            doctype::What::Parameter(name) => {
                let node = self.token("reference", whole, What::Other, Removable::Free);
                pending.parameter_references.entry(&text[name]).or_default().push(node);
                node
            }
            doctype::What::Entity { name, is_parameter, value, .. } => {
                let mut children = vec![];
                match value.filter(|value| !value.is_empty()) {
                    Some(value) => {
                        children.push(self.mark(whole.start..value.start));
                        let inside = self.entity_value(value.clone());
                        children.push(self.rule("value", inside, What::Other, Removable::Free));
                        children.push(self.mark(value.end..whole.end));
                    }
                    None => children.push(self.mark(whole.clone())),
                }
                let node = self.rule("entity", children, What::Other, Removable::Free);
                let list = if is_parameter { &mut pending.parameters } else { &mut pending.entities };
                list.push((&text[name], node));
                node
            }
            doctype::What::Element { name, model } => {
                let head = self.mark(whole.start..name.start);
                let name_end = name.end;
                let name = self.name("tag name", name, Removable::Fixed).0;
                let blank = self.mark(name_end..model.start);
                let inside = self.model(model.clone());
                let model_node = self.or_else("model", "ANY", inside, What::Other);
                let children = vec![head, name, blank, model_node, self.mark(model.end..whole.end)];
                self.rule("declaration", children, What::Other, Removable::Free)
            }
            doctype::What::Attributes { name, definitions } => {
                let mut children =
                    vec![self.mark(whole.start..name.start), self.name("tag name", name, Removable::Fixed).0];
                for definition in definitions {
                    let mut cursor = Cursor::new(text, definition.start);
                    cursor.blanks();
                    let blank = self.mark(definition.start..cursor.at);
                    let Some(name) = cursor.name() else { continue };
                    let name = self.name("attribute name", name, Removable::Fixed).0;
                    let rest = self.mark(cursor.at..definition.end);
                    pending.needed.extend(references(text, cursor.at..definition.end).filter_map(entity_name));
                    children.push(self.rule("definition", vec![blank, name, rest], What::Other, Removable::Free));
                }
                children.push(self.mark(last));
                self.rule("declaration", children, What::Other, Removable::Free)
            }
        }
    }

    /// The value of an entity is removed as a whole, because it may be markup. References in it can be removed
    /// separately.
    fn entity_value(&mut self, range: Range<usize>) -> Vec<NodeId> {
        let mut nodes = vec![];
        let mut at = range.start;
        let mut from = at;
        while let Some(next) = self.text[at..range.end].iter().position(|&byte| byte == b'&') {
            let Some(found) = reference(&self.text[..range.end], at + next) else { break };
            if entity_name(&self.text[found.clone()]).is_some() {
                if from < found.start {
                    nodes.push(self.mark(from..found.start));
                }
                nodes.push(self.reference(found.clone()));
                from = found.end;
            }
            at = found.end;
        }
        if from < range.end {
            nodes.push(self.mark(from..range.end));
        }
        nodes
    }

    /// The names in a content model.
    fn model(&mut self, range: Range<usize>) -> Vec<NodeId> {
        let mut nodes = vec![];
        let mut cursor = Cursor::new(&self.text[..range.end], range.start);
        let mut from = range.start;
        while cursor.at < range.end {
            if cursor.literal(b"#PCDATA") {
                continue;
            }
            match cursor.name().filter(|name| !matches!(&cursor.text[name.clone()], b"EMPTY" | b"ANY")) {
                Some(name) => {
                    if from < name.start {
                        nodes.push(self.mark(from..name.start));
                    }
                    from = name.end;
                    nodes.push(self.name("tag name", name, Removable::Fixed).0);
                }
                None => cursor.at += 1,
            }
        }
        if from < range.end {
            nodes.push(self.mark(from..range.end));
        }
        nodes
    }

    /// Decides what can be removed, and together with what.
    pub(super) fn finish_doctype(&mut self) {
        let Some(pending) = self.pending.take() else { return };
        let declared = |name: &[u8]| pending.entities.iter().any(|(known, _)| *known == name);
        let mut names: Vec<&[u8]> = self.references.keys().copied().collect();
        names.sort_unstable();
        let of = |names: &mut dyn Iterator<Item = &&'a [u8]>| -> Vec<NodeId> {
            names.flat_map(|name| self.references[name].iter().copied()).collect()
        };
        let all = of(&mut names.iter());
        let elsewhere = of(&mut names.iter().filter(|name| !declared(name)));
        for (name, node) in &pending.entities {
            match self.references.get(name) {
                _ if pending.needed.contains(name) => self.set(*node, Removable::Fixed),
                Some(references) => self.couple(*node, references.clone()),
                None => {}
            }
        }
        // A parameter entity may declare entities that are not declared here.
        for (name, node) in &pending.parameters {
            match pending.parameter_references.get(name) {
                Some(_) if !elsewhere.is_empty() => self.set(*node, Removable::Fixed),
                Some(references) => self.couple(*node, references.clone()),
                None => {}
            }
        }
        if !elsewhere.is_empty() {
            for &node in pending.parameter_references.values().flatten() {
                self.set(node, Removable::Fixed);
            }
        }
        if let Some(external) = pending.external.filter(|_| !elsewhere.is_empty()) {
            self.couple(external, elsewhere);
        }
        if !all.is_empty() {
            for node in pending.subset.into_iter().chain(pending.doctype) {
                self.couple(node, all.clone());
            }
        }
    }
}
