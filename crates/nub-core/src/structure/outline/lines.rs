//! Lines, and which of them belong together.

use super::brackets::width;

/// Words that a line may start with that ends what a line above it has begun: `end`, `endmodule`, `END IF` and the like are
/// found by their first letters.
const LAST: [&[u8]; 4] = [b"fi", b"done", b"esac", b"od"];
/// Words that a line may start with that goes on with what a line above it has begun.
const MIDDLE: [&[u8]; 12] = [
    b"begin",
    b"else",
    b"elsif",
    b"elif",
    b"elseif",
    b"then",
    b"do",
    b"except",
    b"exception",
    b"finally",
    b"catch",
    b"contains",
];

/// A line that is not blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Where it starts and ends: tokens, or bytes.
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) indentation: u32,
    pub(super) role: Role,
}

/// What the first word of a line says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Usual,
    /// It goes on with what a line of the same indentation has begun.
    Middle,
    /// It ends it.
    Last,
}

/// The role of a line, from its first byte that is not blank on.
pub(super) fn role(text: &[u8]) -> Role {
    let word = text.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(text.len()).min(10);
    let word = text[..word].to_ascii_lowercase();
    let last =
        word.starts_with(b"end") || LAST.contains(&&word[..]) || text.starts_with(b"\\end") || text.starts_with(b"</");
    match text.first() {
        Some(b')' | b']' | b'}') => Role::Last,
        _ if last => Role::Last,
        _ if MIDDLE.contains(&&word[..]) => Role::Middle,
        _ => Role::Usual,
    }
}

/// The indentation of a line, and where it is over.
pub(super) fn indentation(line: &[u8]) -> (u32, usize) {
    let end = line.iter().position(|byte| !matches!(byte, b' ' | b'\t')).unwrap_or(line.len());
    (width(&line[..end]), end)
}

/// A line with those that belong to it: those that are indented deeper, and what ends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// The lines, by their numbers.
    pub(super) from: usize,
    pub(super) to: usize,
    /// Whether the last of them ends the block.
    pub(super) ended: bool,
}

/// The blocks of some lines.
pub(super) fn blocks(lines: &[Line], from: usize, to: usize) -> Vec<Block> {
    let mut blocks: Vec<Block> = vec![];
    for (at, line) in (from..to).zip(&lines[from..to]) {
        if let Some(block) = blocks.last_mut()
            && !block.ended
        {
            let first = &lines[block.from];
            let same = line.indentation == first.indentation && block.to - block.from > 1;
            if line.indentation > first.indentation || same && line.role != Role::Usual {
                block.to = at + 1;
                block.ended = same && line.role == Role::Last;
                continue;
            }
        }
        blocks.push(Block { from: at, to: at + 1, ended: false });
    }
    blocks
}
