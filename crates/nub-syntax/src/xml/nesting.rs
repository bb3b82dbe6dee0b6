//! The open elements.

use std::collections::HashMap;

/// The names of the open elements, from the outside in.
#[derive(Debug, Default)]
pub(super) struct Nesting<'a> {
    names: Vec<&'a [u8]>,
    /// How often each name is open. Only maintained from the first mismatched end tag on, because most documents have
    /// none.
    open: Option<HashMap<&'a [u8], usize>>,
}

impl<'a> Nesting<'a> {
    pub(super) fn depth(&self) -> usize {
        self.names.len()
    }

    pub(super) fn enter(&mut self, name: &'a [u8]) {
        self.names.push(name);
        if let Some(open) = &mut self.open {
            *open.entry(name).or_default() += 1;
        }
    }

    /// Handles an end tag. Returns the number of unclosed elements inside its element; `None` if no element of this
    /// name is open.
    pub(super) fn leave(&mut self, name: &[u8]) -> Option<usize> {
        if self.open.is_none() && self.names.last() == Some(&name) {
            self.names.pop();
            return Some(0);
        }
        let open = self.open.get_or_insert_with(|| {
            let mut open = HashMap::new();
            for &name in &self.names {
                *open.entry(name).or_default() += 1;
            }
            open
        });
        open.get(name).filter(|&&count| count > 0)?;
        let mut unclosed = 0;
        while let Some(inner) = self.names.pop() {
            if let Some(count) = open.get_mut(inner) {
                *count -= 1;
            }
            if inner == name {
                break;
            }
            unclosed += 1;
        }
        Some(unclosed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn end_tags_close_inner_elements() {
        let mut nesting = Nesting::default();
        for name in [b"a", b"b", b"c", b"b"] {
            nesting.enter(name);
        }
        assert_eq!(nesting.leave(b"b"), Some(0));
        assert_eq!(nesting.leave(b"x"), None);
        assert_eq!(nesting.leave(b"b"), Some(1));
        assert_eq!((nesting.leave(b"c"), nesting.depth()), (None, 1));
        assert_eq!((nesting.leave(b"a"), nesting.depth()), (Some(0), 0));
    }
}
