//! Removes a column of a table from all rows: comma-separated values, or any text with rows of equal length.

use super::{Alteration, Pass, Place, only};
use crate::{Structure, tree::Splice};
use std::ops::Range;

pub(super) const PASS: Pass =
    Pass { name: "columns", about: "removes columns of tables, from all rows at once", places, together: true };

/// The characters that may separate columns.
const SEPARATORS: [u8; 4] = [b',', b';', b'|', b'\t'];
/// The largest table, in cells. In a larger one, other searches must remove rows first.
const CELLS: usize = 1 << 18;

fn places(structure: &dyn Structure) -> Vec<Place> {
    let input = structure.tree().input();
    only(SEPARATORS.into_iter().flat_map(|separator| columns(input, separator)).collect())
}

/// The columns of a text, if all rows with this separator have the same number of columns.
fn columns(text: &[u8], separator: u8) -> Vec<Alteration> {
    let mut rows: Vec<Vec<usize>> = vec![];
    let (mut start, mut cells) = (0, 0);
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let content = line.len() - line.iter().rev().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let mut quoted = false;
        let inner = (start..).zip(&line[..content]).filter(|&(_, &byte)| {
            quoted ^= byte == b'"';
            byte == separator && !quoted
        });
        // The start of each column, and where one more column would start.
        let places: Vec<usize> =
            std::iter::once(start).chain(inner.map(|(at, _)| at + 1)).chain([start + content + 1]).collect();
        start += line.len();
        if places.len() > 2 {
            cells += places.len() - 1;
            rows.push(places);
        }
        if cells > CELLS || places_differ(&rows) {
            return vec![];
        }
    }
    let count = rows.first().map_or(0, |row| row.len() - 1);
    if rows.len() < 2 {
        return vec![];
    }
    // Each column is removed with the separator after it; the last one with the separator before it.
    let cell = |row: &[usize], column: usize| -> Range<usize> {
        let before = usize::from(column + 1 == count);
        row[column] - before..row[column + 1] - before
    };
    (0..count).map(|column| rows.iter().map(|row| Splice::cut(cell(row, column))).collect()).collect()
}

/// Whether the first and the last row have different numbers of columns.
fn places_differ(rows: &[Vec<usize>]) -> bool {
    rows.first().map(Vec::len) != rows.last().map(Vec::len)
}

#[cfg(test)]
mod tests {
    use super::columns;

    fn cut(text: &str, column: usize) -> String {
        let mut left = text.as_bytes().to_vec();
        for splice in columns(text.as_bytes(), b',')[column].iter().rev() {
            left.drain(splice.span.start as usize..splice.span.end as usize);
        }
        String::from_utf8(left).unwrap()
    }

    #[test]
    fn columns_of_a_table() {
        let table = "a,b,\"c,d\"\n\n1,,3\r\n";
        assert_eq!(cut(table, 0), "b,\"c,d\"\n\n,3\r\n");
        assert_eq!(cut(table, 1), "a,\"c,d\"\n\n1,3\r\n");
        assert_eq!(cut(table, 2), "a,b\n\n1,\r\n");
        assert!(columns(b"a,b\nc,d,e\n", b',').is_empty() && columns(b"a,b", b',').is_empty());
    }
}
