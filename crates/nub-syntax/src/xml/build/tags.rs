//! Tags: elements with their attributes, and the dependencies between their prefixes.

use super::{
    super::{
        facts::{Element, EndTag, Removable, Set, What},
        items::{Attribute, Start},
        namespaces,
    },
    Builder,
};
use nub_core::tree::NodeId;
use std::ops::Range;

/// Content with more children than this becomes a node of its own: any run of the children of such a list can be removed
/// with a single cut.
const LONG: usize = 50;

/// An open element.
pub(super) struct Open {
    pub(super) children: Vec<NodeId>,
    /// How many of the children belong to the start tag.
    tag: usize,
    /// The prefix in the start tag, and the colon.
    prefix: Option<[NodeId; 2]>,
    /// How many declarations were in scope before it.
    scope: usize,
    declares: Set,
    free: Set,
}

/// A start tag that is being read.
struct Tag {
    children: Vec<NodeId>,
    declares: Set,
    /// Prefixed attributes.
    prefixed: Vec<Prefixed>,
    /// Prefixed names that are part of larger tokens, and their positions.
    whole_names: Vec<(NodeId, usize)>,
}

/// The name of an attribute with a prefix.
struct Prefixed {
    prefix: NodeId,
    colon: NodeId,
    at: usize,
    /// Whether another attribute has the same name without the prefix.
    clashes: bool,
}

impl Builder<'_> {
    pub(super) fn start(&mut self, start: &Start, attributes: &[Attribute]) {
        let scope = self.scope.len();
        let (children, prefix) = if self.coarse {
            (vec![self.mark(start.whole.start..start.name.end)], None)
        } else {
            let mark = self.mark(start.whole.start..start.name.start);
            let (name, prefix) = self.name("tag name", start.name.clone(), Removable::Fixed);
            (vec![mark, name], prefix)
        };
        let mut tag = Tag { children, declares: Set::EMPTY, prefixed: vec![], whole_names: vec![] };
        if self.coarse && namespaces::split(&self.text[start.name.clone()]).is_some() {
            tag.whole_names.push((tag.children[0], start.name.start));
        }
        for at in 0..attributes.len() {
            self.attribute_of(&mut tag, attributes, at);
        }
        let close = start.close..start.whole.end;
        let removable = if start.empty || self.coarse { Removable::Fixed } else { Removable::Close };
        tag.children.push(self.token("markup", close, What::Other, removable));
        // The tag may use its own declarations.
        let mut free = Set::EMPTY;
        if let Some([prefix, colon]) = prefix {
            free = self.usage(free, prefix, start.name.start, scope, false);
            self.couple(prefix, vec![colon]);
        }
        let Tag { children, declares, prefixed, whole_names } = tag;
        free = self.usages(free, &whole_names, prefixed, scope);
        let tag = children.len();
        let empty = start.empty;
        if !empty {
            self.nesting.enter(&self.text[start.name.clone()]);
        }
        self.open.push(Open { children, tag, prefix, scope, declares, free });
        if empty {
            self.close(None, None);
        }
    }

    /// Adds an attribute to its tag.
    fn attribute_of(&mut self, tag: &mut Tag, attributes: &[Attribute], at: usize) {
        let text = self.text;
        let attribute = &attributes[at];
        let name = &text[attribute.name.clone()];
        let Some(value) = attribute.value.clone() else {
            tag.children.push(self.junk(attribute.name.clone()));
            return;
        };
        let declares_prefix = name.starts_with(b"xmlns:");
        if self.coarse && !declares_prefix && !text[value.clone()].contains(&b'&') {
            let node = self.token("attribute", attribute.whole.clone(), What::Other, Removable::Free);
            tag.children.push(node);
            if namespaces::split(name).is_some() {
                tag.whole_names.push((node, attribute.name.start));
            }
            return;
        }
        let before = self.token("blank", attribute.whole.start..attribute.name.start, What::Blank, Removable::Fixed);
        let declared = name.strip_prefix(b"xmlns:").filter(|prefix| !matches!(*prefix, b"" | b"xml"));
        let node = if declared.is_some() && namespaces::split(name).is_some() {
            let default = attributes.iter().any(|other| &text[other.name.clone()] == b"xmlns");
            let (node, prefix) = self.namespace(attribute, value, before, default);
            tag.declares = self.facts.prefixes.with(tag.declares, prefix);
            node
        } else if name == b"xmlns" {
            let name = self.mark(attribute.name.clone());
            self.attribute(attribute, value, vec![before, name])
        } else {
            let (name_node, prefix) = self.name("attribute name", attribute.name.clone(), Removable::Fixed);
            if let Some([prefix, colon]) = prefix {
                let same =
                    |(other, it): (usize, &Attribute)| other != at && local(&text[it.name.clone()]) == local(name);
                let clashes = local(name) == b"xmlns" || attributes.iter().enumerate().any(same);
                tag.prefixed.push(Prefixed { prefix, colon, at: attribute.name.start, clashes });
            }
            self.attribute(attribute, value, vec![before, name_node])
        };
        tag.children.push(node);
    }

    /// Records the uses of prefixes in the attributes of a tag. A prefix stays if its attribute's name would clash.
    fn usages(&mut self, mut free: Set, whole_names: &[(NodeId, usize)], prefixed: Vec<Prefixed>, scope: usize) -> Set {
        for &(token, at) in whole_names {
            free = self.usage(free, token, at, scope, true);
        }
        for Prefixed { prefix, colon, at, clashes } in prefixed {
            free = self.usage(free, prefix, at, scope, clashes);
            match clashes {
                true => self.set(prefix, Removable::Fixed),
                false => self.couple(prefix, vec![colon]),
            }
        }
        free
    }

    /// Records the use of a prefix, which the same tag or an outer element may declare.
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

    /// An attribute, given its blank and its name.
    fn attribute(&mut self, attribute: &Attribute, value: Range<usize>, mut children: Vec<NodeId>) -> NodeId {
        children.push(self.token("equals", attribute.name.end..value.start, What::Equals, Removable::Fixed));
        children.extend(self.value(value.clone()));
        children.push(self.mark(value.end..attribute.whole.end));
        self.rule("attribute", children, What::Other, Removable::Free)
    }

    /// `xmlns:prefix="…"`, and the number of the prefix. The value must not be empty, so it stays.
    fn namespace(&mut self, attribute: &Attribute, value: Range<usize>, blank: NodeId, default: bool) -> (NodeId, u32) {
        let colon_at = attribute.name.start + b"xmlns".len();
        let xmlns = self.mark(attribute.name.start..colon_at);
        let colon = self.token("markup", colon_at..colon_at + 1, What::Other, Removable::Follows);
        let name = self.token("prefix name", colon_at + 1..attribute.name.end, What::Declared, Removable::Fixed);
        let whole_name = self.rule("name", vec![xmlns, colon, name], What::Other, Removable::Fixed);
        let equals = self.token("equals", attribute.name.end..value.start, What::Equals, Removable::Fixed);
        let mut children = vec![blank, whole_name, equals];
        if !value.is_empty() {
            children.push(self.token("namespace", value.clone(), What::Other, Removable::Fixed));
        }
        children.push(self.mark(value.end..attribute.whole.end));
        let node = self.rule("attribute", children, What::Other, Removable::Fixed);
        let prefix = &self.text[colon_at + 1..attribute.name.end];
        let (attribute, uses) = (node, vec![]);
        let number = self.scope.number(prefix);
        // As the default namespace, it would be declared twice.
        let (needed, used_inside) = (false, false);
        self.scope.declare(namespaces::Declaration { prefix, attribute, name, colon, uses, needed, used_inside });
        if default {
            self.facts.companions.insert(name, vec![]);
        }
        (node, number)
    }

    /// Ends the scope of the last element's declarations. Returns whether its content uses any of them.
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

    /// The end tag of the innermost open element.
    pub(super) fn end(&mut self, whole: Range<usize>, name: Range<usize>) {
        if self.coarse {
            let tag = self.mark(whole);
            let Some(open) = self.open.last_mut() else { return };
            open.children.push(tag);
            let first = open.children.len() - 1;
            return self.close(Some(first), None);
        }
        let opening = self.token("markup", whole.start..whole.start + 1, What::Other, Removable::Follows);
        let slash = self.mark(whole.start + 1..whole.start + 2);
        let name_end = name.end;
        let (name, prefix) = self.name("tag name", name, Removable::Follows);
        let blank = name_end..whole.end - 1;
        let blank = (!blank.is_empty()).then(|| self.token("blank", blank, What::Other, Removable::Free));
        let closing = self.mark(whole.end - 1..whole.end);
        let Some(open) = self.open.last_mut() else { return };
        let first = open.children.len();
        open.children.extend([opening, slash, name].into_iter().chain(blank).chain([closing]));
        if let (Some([start, start_colon]), Some([end, end_colon])) = (open.prefix, prefix) {
            self.couple(start, vec![start_colon, end, end_colon]);
            self.couple(end, vec![end_colon, start, start_colon]);
            self.facts.infos[end.index()].removable = Removable::Twin;
        }
        self.close(Some(first), Some(([opening, name], blank)));
    }

    /// Completes the innermost open element. `first` is the index of its end tag among its children, if it has one, and
    /// `end` holds the parts to remove with the `>` of its start tag.
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
            false => self.rule(&name, children, What::Element, Removable::Free),
        };
        self.facts.elements.insert(node, Element { content, end, free, declares, binds, is_root });
        self.has_root |= is_root;
        if let Some(outer) = self.open.last_mut() {
            outer.free = self.facts.prefixes.union(outer.free, free);
        }
        self.push(node);
    }

    /// The name of an element's node. Algorithms that only compare names then replace an element only by one that uses
    /// the same prefixes, which are declared there.
    fn element_name(&self, free: Set) -> String {
        if free == Set::EMPTY {
            return "element".to_owned();
        }
        let prefixes = self.facts.prefixes.of(free).iter();
        let names: Vec<_> = prefixes.map(|&number| String::from_utf8_lossy(self.scope.name(number))).collect();
        format!("element using {}", if free == Set::MANY { "many prefixes".to_owned() } else { names.join(", ") })
    }

    /// Handles the innermost `count` open elements as unclosed.
    pub(super) fn unclosed(&mut self, count: usize) {
        let frames = self.open.split_off(self.open.len().saturating_sub(count));
        for open in frames.iter().rev() {
            self.end_scope(open.scope);
        }
        // From the outside in, so that no node is moved twice.
        for Open { mut children, tag, free, .. } in frames {
            let content = children.split_off(tag);
            if let Some(&close) = children.last() {
                self.set(close, Removable::Fixed);
            }
            let tag = self.rule("unclosed", children, What::Other, Removable::Free);
            self.push(tag);
            for node in content {
                self.push(node);
            }
            if let Some(outer) = self.open.last_mut() {
                outer.free = self.facts.prefixes.union(outer.free, free);
            }
        }
    }
}

/// A name without its prefix.
fn local(name: &[u8]) -> &[u8] {
    name.iter().rposition(|&byte| byte == b':').map_or(name, |colon| &name[colon + 1..])
}
