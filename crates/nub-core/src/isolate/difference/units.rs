//! Changes of lines, tokens, characters or bytes.

use super::{COMPARED, Change, Diff, Difference, pairs};
use crate::{Granularity, text::Cuts};
use std::{ops::Range, sync::Arc};

/// The changes between two inputs in units of this granularity.
pub(crate) fn between_units(granularity: Granularity, diff: &dyn Diff, old: Arc<[u8]>, new: Arc<[u8]>) -> Difference {
    let mut changes = vec![];
    if granularity == Granularity::Line {
        within(granularity, usize::MAX, diff, (&old, 0), (&new, 0), &mut changes);
    } else {
        // What is in equal lines is equal, and a line is the right place to look for its counterparts.
        for (gone, come) in hunks(Granularity::Line, usize::MAX, diff, &old, &new) {
            let sides = ((&old[gone.clone()], gone.start), (&new[come.clone()], come.start));
            within(granularity, COMPARED, diff, sides.0, sides.1, &mut changes);
        }
    }
    Difference::new(old, new, changes)
}

/// The parts of two texts that do not correspond, in bytes.
fn hunks(
    granularity: Granularity,
    most: usize,
    diff: &dyn Diff,
    old: &[u8],
    new: &[u8],
) -> Vec<(Range<usize>, Range<usize>)> {
    let mut changes = vec![];
    within(granularity, most, diff, (old, 0), (new, 0), &mut changes);
    // Units that follow each other belong to the same part.
    let mut hunks: Vec<(Range<usize>, Range<usize>)> = vec![];
    for Change { old, new } in changes {
        match hunks.last_mut() {
            Some((gone, come)) if gone.end == old.start && come.end == new.start => {
                (gone.end, come.end) = (old.end, new.end);
            }
            _ => hunks.push((old, new)),
        }
    }
    hunks
}

/// Adds the changes between two parts of the inputs, that begin at these offsets.
fn within(
    granularity: Granularity,
    most: usize,
    diff: &dyn Diff,
    (old, old_offset): (&[u8], usize),
    (new, new_offset): (&[u8], usize),
    changes: &mut Vec<Change>,
) {
    let cuts = [granularity.cut(old), granularity.cut(new)];
    let lens = cuts.each_ref().map(Cuts::len);
    let hunks = match lens[0].saturating_add(lens[1]) <= most {
        true => diff.hunks(&pieces(old, &cuts[0]), &pieces(new, &cuts[1])),
        false => vec![(0..lens[0], 0..lens[1])],
    };
    // Where a unit is, or where it would be.
    let place = |side: usize, unit: Option<usize>, at: &mut usize| {
        let start = cuts[side].start(unit.unwrap_or(*at) as u32);
        *at = unit.map_or(*at, |unit| unit + 1);
        start..cuts[side].start(*at as u32)
    };
    let shift = |range: Range<usize>, offset: usize| range.start + offset..range.end + offset;
    for (gone, come) in hunks {
        let mut at = (gone.start, come.start);
        for (i, j) in pairs(gone, come) {
            let (old, new) = (place(0, i, &mut at.0), place(1, j, &mut at.1));
            changes.push(Change { old: shift(old, old_offset), new: shift(new, new_offset) });
        }
    }
}

fn pieces<'a>(bytes: &'a [u8], cuts: &Cuts) -> Vec<&'a [u8]> {
    (0..cuts.len() as u32).map(|unit| &bytes[cuts.start(unit)..cuts.start(unit + 1)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares place by place.
    struct Places;

    impl Diff for Places {
        fn hunks(&self, old: &[&[u8]], new: &[&[u8]]) -> Vec<(Range<usize>, Range<usize>)> {
            assert!(old.len() + new.len() <= COMPARED || old.iter().all(|unit| unit.ends_with(b"\n")));
            (0..old.len()).filter(|&i| old[i] != new[i]).map(|i| (i..i + 1, i..i + 1)).collect()
        }
    }

    fn changes(granularity: Granularity, old: &[u8], new: &[u8]) -> Vec<Change> {
        between_units(granularity, &Places, old.into(), new.into()).changes
    }

    #[test]
    fn fine_changes_are_looked_for_in_lines_that_differ() {
        let found = changes(Granularity::Char, b"abc\nsame\nxyz\n", b"aBc\nsame\nxyZ\n");
        assert_eq!(found, [Change { old: 1..2, new: 1..2 }, Change { old: 11..12, new: 11..12 }]);
    }

    #[test]
    fn what_is_too_long_to_be_compared_is_all_different() {
        let (old, new) = ([&[b'a'; COMPARED][..], b"\n"].concat(), [&[b'b'; COMPARED][..], b"\n"].concat());
        assert_eq!(changes(Granularity::Byte, &old, &new).len(), COMPARED + 1);
        assert_eq!(changes(Granularity::Line, &old, &new).len(), 1);
    }
}
