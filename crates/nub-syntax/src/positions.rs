//! Lines and columns of places in an input, for whoever goes through it once.

use nub_core::tree::Position;

/// Where somebody is in an input, who only moves on.
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

    /// How far it is by now.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The line and column there.
    pub(crate) fn here(&self) -> Position {
        self.position
    }

    /// Moves on to `at`, and says which line and column that is; what is behind stays where it was.
    pub(crate) fn move_to(&mut self, at: usize, input: &[u8]) -> Position {
        for &byte in &input[self.at.min(at)..at] {
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
