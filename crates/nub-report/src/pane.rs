//! A text in which the kept or the new parts are marked.
//!
//! Long stretches without marks are folded, and long lines are abbreviated, so that the page of a large input is not
//! large. Texts are shown line by line, and binary data as a dump.

use crate::{
    escape,
    numbers::{bytes, counted},
};
use std::{fmt::Write as _, ops::Range};

/// A text of at most this many bytes is shown completely.
const SMALL: usize = 4_000;

/// How many lines before and after a marked line are shown.
const CONTEXT: usize = 2;

/// How many bytes of a stretch within a line are shown: if it is plain, and if it is marked.
const PLAIN_STRETCH: usize = 160;
const MARKED_STRETCH: usize = 4_000;

/// The most HTML that is produced for one text.
const BUDGET: usize = 240_000;

/// How much of that may be folded.
const UNFOLD_BUDGET: usize = 120_000;

/// The number of bytes in a row of a dump: few enough for a phone.
const ROW: usize = 8;

/// The meaning of the marked ranges of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marked {
    /// They were kept; the rest was removed.
    Kept,
    /// They are new; the rest was there before.
    New,
}

/// Shows a text. `marks` are ranges in it, ascending.
pub(crate) fn pane(text: &[u8], marks: &[Range<usize>], marked: Marked, dump: bool) -> String {
    let rows = if dump { dump_rows(text) } else { lines(text) };
    let pane = Pane { text, marks, marked, dump };
    let visible = pane.visible(&rows);
    let (mut html, mut unfolded) = (String::new(), 0);
    let mut row = 0;
    while row < rows.len() {
        if html.len() > BUDGET {
            let rest = text.len() - rows[row].start;
            let _ = write!(html, "<div class=\"fold\">⋯ the rest, {}, is not shown</div>", bytes(rest));
            break;
        }
        if visible[row] {
            pane.row(&mut html, row, &rows[row]);
            row += 1;
            continue;
        }
        let end = visible[row..].iter().position(|visible| *visible).map_or(rows.len(), |len| row + len);
        unfolded += pane.fold(&mut html, row, &rows[row..end], UNFOLD_BUDGET - unfolded);
        row = end;
    }
    if text.is_empty() {
        html.push_str("<div class=\"fold\">empty</div>");
    }
    html
}

struct Pane<'a> {
    text: &'a [u8],
    marks: &'a [Range<usize>],
    marked: Marked,
    dump: bool,
}

impl Pane<'_> {
    /// Which rows are shown: those with marks, and some around them.
    fn visible(&self, rows: &[Range<usize>]) -> Vec<bool> {
        // Nothing has been removed from a result, so nothing is folded.
        if self.text.len() <= SMALL || self.marked == Marked::New {
            return vec![true; rows.len()];
        }
        let mut visible = vec![false; rows.len()];
        for (row, range) in rows.iter().enumerate() {
            if self.pieces(range).any(|(_, marked)| marked) {
                visible[row.saturating_sub(CONTEXT)..(row + CONTEXT + 1).min(rows.len())].fill(true);
            }
        }
        // Folding a single row would save nothing.
        for row in 1..rows.len().saturating_sub(1) {
            visible[row] |= visible[row - 1] && visible[row + 1];
        }
        visible
    }

    /// The pieces of a range, and whether they are marked.
    fn pieces(&self, range: &Range<usize>) -> impl Iterator<Item = (Range<usize>, bool)> {
        let Range { start: mut at, end } = *range;
        let mut next = self.marks.partition_point(|mark| mark.end <= at);
        std::iter::from_fn(move || {
            if at >= end {
                return None;
            }
            let mark = self.marks.get(next).map_or(end..end, |mark| mark.start.min(end)..mark.end.min(end));
            let piece = if at < mark.start {
                (at..mark.start, false)
            } else {
                next += 1;
                (at..mark.end, true)
            };
            at = piece.0.end;
            Some(piece)
        })
    }

    fn row(&self, html: &mut String, number: usize, range: &Range<usize>) {
        if self.dump {
            return self.dump_row(html, range);
        }
        let _ = write!(html, "<div class=\"l\" data-n=\"{}\">", number + 1);
        let end = range.end - usize::from(self.text[range.clone()].ends_with(b"\n"));
        for (piece, marked) in self.pieces(&(range.start..end)) {
            let shown = abbreviate(&self.text[piece], if marked { MARKED_STRETCH } else { PLAIN_STRETCH });
            self.mark(html, marked, &shown);
        }
        html.push_str("</div>");
    }

    fn mark(&self, html: &mut String, marked: bool, shown: &str) {
        let tag = if self.marked == Marked::Kept { "mark" } else { "ins" };
        let _ = if marked { write!(html, "<{tag}>{shown}</{tag}>") } else { write!(html, "{shown}") };
    }

    fn dump_row(&self, html: &mut String, range: &Range<usize>) {
        let _ = write!(html, "<div class=\"l x\" data-n=\"{:x}\">", range.start);
        for (piece, marked) in self.pieces(range) {
            let hex: Vec<String> = self.text[piece.clone()].iter().map(|byte| format!("{byte:02x}")).collect();
            self.mark(html, marked, &hex.join(" "));
            html.push(' ');
        }
        html.push_str(&"   ".repeat(ROW - range.len()));
        html.push(' ');
        for (piece, marked) in self.pieces(range) {
            let character = |&byte: &u8| if byte.is_ascii_graphic() || byte == b' ' { char::from(byte) } else { '·' };
            let characters: String = self.text[piece].iter().map(character).collect();
            self.mark(html, marked, &escape::Html(&characters).to_string());
        }
        html.push_str("</div>");
    }

    /// Says what is not shown, and adds it folded if it is not too long. Returns how much HTML that took.
    fn fold(&self, html: &mut String, first: usize, rows: &[Range<usize>], budget: usize) -> usize {
        let Some(range) = rows.first().zip(rows.last()).map(|(first, last)| first.start..last.end) else { return 0 };
        let what = if self.dump { String::new() } else { format!("{}, ", counted(rows.len(), "line")) };
        let title = format!("⋯ {what}{} removed", bytes(range.len()));
        let mut inside = String::new();
        for (row, range) in rows.iter().enumerate() {
            self.row(&mut inside, first + row, range);
            if inside.len() > budget {
                let _ = write!(html, "<div class=\"fold\">{title}</div>");
                return 0;
            }
        }
        let _ = write!(html, "<details><summary class=\"fold\">{title}</summary>{inside}</details>");
        inside.len()
    }
}

/// A text as HTML, without its middle if it is long.
fn abbreviate(text: &[u8], most: usize) -> String {
    if text.len() <= most {
        return escape::bytes(text);
    }
    let boundary = |mut at: usize| {
        // Continuation bytes of UTF-8 begin with 10; in bytes that are not UTF-8, three steps are enough, too.
        for _ in 0..3 {
            at -= usize::from(text[at] & 0xc0 == 0x80);
        }
        at
    };
    let (head, tail) = (boundary(most * 2 / 3), boundary(text.len() - most / 4));
    let (before, after) = (escape::bytes(&text[..head]), escape::bytes(&text[tail..]));
    format!("{before}<i> ⋯ {} ⋯ </i>{after}", bytes(tail - head))
}

fn lines(text: &[u8]) -> Vec<Range<usize>> {
    let (starts, _) = crate::tokens::lines(text);
    starts.windows(2).map(|pair| pair[0]..pair[1]).collect()
}

fn dump_rows(text: &[u8]) -> Vec<Range<usize>> {
    (0..text.len()).step_by(ROW).map(|start| start..text.len().min(start + ROW)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn kept(text: &str, marks: &[Range<usize>]) -> String {
        pane(text.as_bytes(), marks, Marked::Kept, false)
    }

    #[test]
    fn a_small_text_is_shown_completely() {
        assert_eq!(
            kept("a<b\ncd\n", &[2..5]),
            "<div class=\"l\" data-n=\"1\">a&lt;<mark>b</mark></div><div class=\"l\" data-n=\"2\"><mark>c</mark>d</div>"
        );
        assert_eq!(kept("", &[]), "<div class=\"fold\">empty</div>");
        assert_eq!(pane(b"a b", &[2..3], Marked::New, false), "<div class=\"l\" data-n=\"1\">a <ins>b</ins></div>");
    }

    #[test]
    fn long_stretches_are_folded() {
        let text: String = (0..2000).map(|i| format!("line number {i}\n")).collect();
        let at = text.find("number 1000\n").unwrap();
        let html = kept(&text, &[at..at + 6]);
        assert!(html.contains("<div class=\"l\" data-n=\"999\">line number 998</div>"), "{html}");
        assert!(html.contains("data-n=\"1001\">line <mark>number</mark> 1000</div>"), "{html}");
        assert!(html.contains("<summary class=\"fold\">⋯ 998 lines, 15.9 kB removed</summary>"), "{html}");
        assert_eq!(html.matches("<details>").count(), 2);
    }

    #[test]
    fn a_page_stays_small() {
        let text = "x".repeat(5_000_000);
        assert!(kept(&text, &[]).len() < 2_000);
        assert!(kept(&text, &[0..1, 4_999_999..5_000_000]).contains("<mark>x</mark>"));
        let text = "<".repeat(99) + "\n";
        let text = text.repeat(50_000);
        assert!(kept(&text, &[]).len() < BUDGET + UNFOLD_BUDGET);
        let every_other: Vec<Range<usize>> = (0..text.len() / 2).map(|i| 2 * i..2 * i + 1).collect();
        let html = kept(&text, &every_other);
        assert!(html.len() < BUDGET + UNFOLD_BUDGET && html.contains("is not shown"));
    }

    #[test]
    fn binary_data_is_dumped() {
        assert_eq!(
            pane(b"\0asm<", &[1..2], Marked::Kept, true),
            "<div class=\"l x\" data-n=\"0\">00 <mark>61</mark> 73 6d 3c           ·<mark>a</mark>sm&lt;</div>"
        );
    }

    proptest! {
        #[test]
        fn tags_are_balanced_for_any_bytes_and_marks(text in proptest::collection::vec(any::<u8>(), 0..6000), cuts in proptest::collection::vec(0usize..6000, 0..20), dump: bool) {
            let mut cuts: Vec<usize> = cuts.into_iter().filter(|cut| *cut <= text.len()).collect();
            cuts.sort_unstable();
            cuts.dedup();
            let marks: Vec<Range<usize>> = cuts.chunks_exact(2).map(|pair| pair[0]..pair[1]).collect();
            let html = pane(&text, &marks, Marked::Kept, dump);
            prop_assert_eq!(html.matches("<mark>").count(), html.matches("</mark>").count());
            prop_assert_eq!(html.matches("<div").count(), html.matches("</div>").count());
        }
    }
}
