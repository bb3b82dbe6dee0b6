//! Which declaration a prefix belongs to.
//!
//! A prefix that is not declared is an error for most parsers, so a declaration goes only together with the prefix wherever
//! it is used. (*Namespaces in XML 1.0*, sections 3 and 6.)

use nub_core::tree::NodeId;
use std::collections::HashMap;

/// `xmlns:prefix="…"`
#[derive(Debug)]
pub(super) struct Declaration<'a> {
    pub(super) prefix: &'a [u8],
    /// The attribute.
    pub(super) attribute: NodeId,
    /// The prefix in it.
    pub(super) name: NodeId,
    /// The colon before that.
    pub(super) colon: NodeId,
    /// Where the prefix is used.
    pub(super) uses: Vec<NodeId>,
    /// Whether one of the uses cannot do without it.
    pub(super) needed: bool,
    /// Whether the element that declares the prefix is not the only one that uses it.
    pub(super) used_inside: bool,
}

/// The declarations that hold at a place.
#[derive(Debug, Default)]
pub(super) struct Scope<'a> {
    declarations: Vec<Declaration<'a>>,
    by_prefix: HashMap<&'a [u8], Vec<usize>>,
    numbers: HashMap<&'a [u8], u32>,
    names: Vec<&'a [u8]>,
}

impl<'a> Scope<'a> {
    /// How many declarations hold here.
    pub(super) fn len(&self) -> usize {
        self.declarations.len()
    }

    pub(super) fn declare(&mut self, declaration: Declaration<'a>) {
        let at = self.declarations.len();
        self.by_prefix.entry(declaration.prefix).or_default().push(at);
        self.declarations.push(declaration);
    }

    /// The declaration that a prefix belongs to here, and its number.
    pub(super) fn find(&mut self, prefix: &[u8]) -> Option<(usize, &mut Declaration<'a>)> {
        let at = *self.by_prefix.get(prefix)?.last()?;
        Some((at, &mut self.declarations[at]))
    }

    /// Ends the scope of the last declaration.
    pub(super) fn pop(&mut self) -> Option<Declaration<'a>> {
        let declaration = self.declarations.pop()?;
        if let Some(stack) = self.by_prefix.get_mut(declaration.prefix) {
            stack.pop();
        }
        Some(declaration)
    }

    /// The number of a prefix.
    pub(super) fn number(&mut self, prefix: &'a [u8]) -> u32 {
        let next = self.names.len() as u32;
        *self.numbers.entry(prefix).or_insert_with(|| {
            self.names.push(prefix);
            next
        })
    }

    /// The prefix of a number.
    pub(super) fn name(&self, number: u32) -> &'a [u8] {
        self.names[number as usize]
    }
}

/// Where the colon is in a name that has a prefix and a local part.
pub(super) fn split(name: &[u8]) -> Option<usize> {
    let colon = name.iter().position(|&byte| byte == b':')?;
    let local = &name[colon + 1..];
    let starts = local.first().is_some_and(|&byte| super::cursor::starts_name(byte));
    (colon > 0 && starts && !local.contains(&b':')).then_some(colon)
}
