//! Resolving prefixes to their declarations.
//!
//! An undeclared prefix is an error for most parsers, so a declaration can only be removed together with all uses of
//! the prefix. (*Namespaces in XML 1.0*, sections 3 and 6.)

use nub_core::tree::NodeId;
use std::collections::HashMap;

/// `xmlns:prefix="…"`
#[derive(Debug)]
pub(super) struct Declaration<'a> {
    pub(super) prefix: &'a [u8],
    /// The attribute.
    pub(super) attribute: NodeId,
    /// The prefix in the attribute.
    pub(super) name: NodeId,
    /// The colon before the prefix.
    pub(super) colon: NodeId,
    /// Where the prefix is used.
    pub(super) uses: Vec<NodeId>,
    /// Whether one of the uses cannot lose the prefix.
    pub(super) needed: bool,
    /// Whether other elements than the declaring one use the prefix.
    pub(super) used_inside: bool,
}

/// The declarations in scope.
#[derive(Debug, Default)]
pub(super) struct Scope<'a> {
    declarations: Vec<Declaration<'a>>,
    by_prefix: HashMap<&'a [u8], Vec<usize>>,
    numbers: HashMap<&'a [u8], u32>,
    names: Vec<&'a [u8]>,
}

impl<'a> Scope<'a> {
    /// The number of declarations in scope.
    pub(super) fn len(&self) -> usize {
        self.declarations.len()
    }

    pub(super) fn declare(&mut self, declaration: Declaration<'a>) {
        let at = self.declarations.len();
        self.by_prefix.entry(declaration.prefix).or_default().push(at);
        self.declarations.push(declaration);
    }

    /// The declaration that a prefix refers to, and its index.
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

    /// The prefix with this number.
    pub(super) fn name(&self, number: u32) -> &'a [u8] {
        self.names[number as usize]
    }
}

/// The position of the colon in a name with a prefix and a local part.
pub(super) fn split(name: &[u8]) -> Option<usize> {
    let colon = name.iter().position(|&byte| byte == b':')?;
    let local = &name[colon + 1..];
    let starts = local.first().is_some_and(|&byte| super::cursor::starts_name(byte));
    (colon > 0 && starts && !local.contains(&b':')).then_some(colon)
}
