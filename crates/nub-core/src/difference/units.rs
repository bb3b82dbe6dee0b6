//! Changes of lines, tokens, characters or bytes.

use super::{Change, Diff, Difference, pairs};
use crate::{Granularity, granularity::Cuts};
use std::{ops::Range, sync::Arc};

/// The changes between two inputs in units of this granularity.
pub(crate) fn between_units(granularity: Granularity, diff: &dyn Diff, old: Arc<[u8]>, new: Arc<[u8]>) -> Difference {
    let cuts = [granularity.cut(&old), granularity.cut(&new)];
    let hunks = diff.hunks(&pieces(&old, &cuts[0]), &pieces(&new, &cuts[1]));
    let span = |side: usize, unit: usize| cuts[side].start(unit as u32)..cuts[side].start(unit as u32 + 1);
    let mut changes = vec![];
    for (gone, come) in hunks {
        // Where the units that go or come alone would be in the other input.
        let mut at = [gone.start, come.start].map(|unit| unit as u32);
        let mut place = |side: usize, unit: Option<usize>| -> Range<usize> {
            match unit {
                Some(unit) => {
                    at[side] = unit as u32 + 1;
                    span(side, unit)
                }
                None => cuts[side].start(at[side])..cuts[side].start(at[side]),
            }
        };
        for (old, new) in pairs(gone, come) {
            changes.push(Change { old: place(0, old), new: place(1, new) });
        }
    }
    Difference::new(old, new, changes)
}

fn pieces<'a>(bytes: &'a [u8], cuts: &Cuts) -> Vec<&'a [u8]> {
    (0..cuts.len() as u32).map(|unit| &bytes[cuts.start(unit)..cuts.start(unit + 1)]).collect()
}
