//! Lines, and how they form blocks.

use super::brackets::width;

/// First words of lines that end a block. `end`, `endmodule`, `END IF` and the like are recognised by their first three
/// letters.
const LAST: [&[u8]; 4] = [b"fi", b"done", b"esac", b"od"];
/// First words of lines that continue a block.
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
    /// Where it starts and ends: token indices, or byte offsets.
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) indentation: u32,
    pub(super) role: Role,
}

/// The role of a line in a block, judged by its first word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Usual,
    /// It continues the block that a line of the same indentation has started.
    Middle,
    /// It ends that block.
    Last,
}

/// The role of a line, given from its first byte that is not blank.
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

/// The indentation of a line, and where it ends.
pub(super) fn indentation(line: &[u8]) -> (u32, usize) {
    let end = line.iter().position(|byte| !matches!(byte, b' ' | b'\t')).unwrap_or(line.len());
    (width(&line[..end]), end)
}

/// A line with the lines that belong to it: those with deeper indentation, and the line that ends the block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// The range of its lines.
    pub(super) from: usize,
    pub(super) to: usize,
    /// Whether its last line explicitly ends the block.
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
