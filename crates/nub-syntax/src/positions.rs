//! Lines and columns of positions in an input that is read once, front to back.

use nub_core::tree::Position;

/// A position that only moves forward.
#[derive(Debug)]
pub(crate) struct Positions {
    at: usize,
    position: Position,
}

impl Positions {
    /// The beginning.
    pub(crate) fn start() -> Self {
        Self { at: 0, position: Position { line: 1, column: 0 } }
    }

    /// The current offset.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The current line and column.
    pub(crate) fn here(&self) -> Position {
        self.position
    }

    /// Moves forward to `at` and returns its line and column. Does nothing if `at` is behind the current offset.
    pub(crate) fn move_to(&mut self, at: usize, input: &[u8]) -> Position {
        for &byte in &input[self.at.min(at)..at] {
            match byte {
                b'\n' => self.position = Position { line: self.position.line.saturating_add(1), column: 0 },
                // A continuation byte of a character does not start a column.
                0x80..0xc0 => {}
                _ => self.position.column = self.position.column.saturating_add(1),
            }
        }
        self.at = self.at.max(at);
        self.position
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_characters() {
        let (input, mut positions) = ("aä\nb".as_bytes(), Positions::start());
        let found =
            [1, 3, 4, 5].map(|at| positions.move_to(at, input)).map(|position| (position.line, position.column));
        assert_eq!(found, [(1, 1), (1, 2), (2, 0), (2, 1)]);
    }
}
