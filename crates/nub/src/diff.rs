//! The difference between two files, in the format people are used to.

use nub_core::{Change, Diff, Granularity, binary::is_binary, changes};
use nub_syntax::Histogram;
use std::{fmt::Write as _, ops::Range};

/// How many equal lines are shown around a change.
const CONTEXT: usize = 3;
/// How many changes of binary data are shown, and how many bytes of each.
const SHOWN: (usize, usize) = (16, 16);

const BOLD: &[u8] = b"\x1b[1m";
const RED: &[u8] = b"\x1b[31m";
const GREEN: &[u8] = b"\x1b[32m";
const CYAN: &[u8] = b"\x1b[36m";
const REVERSE: &[u8] = b"\x1b[7m";
const NOT_REVERSE: &[u8] = b"\x1b[27m";
const RESET: &[u8] = b"\x1b[0m";

/// A unified diff as `patch` reads it, or a list of bytes for binary data. In colour, changes within a line are
/// highlighted.
pub fn unified(old: (&str, &[u8]), new: (&str, &[u8]), colours: bool) -> Vec<u8> {
    let mut out = Printer { text: vec![], colours };
    out.line(BOLD, format!("--- {}", old.0).as_bytes());
    out.line(BOLD, format!("+++ {}", new.0).as_bytes());
    if is_binary(old.1) || is_binary(new.1) {
        out.bytes(old.1, new.1);
        return out.text;
    }
    let lines = [old.1, new.1].map(|text| text.split_inclusive(|&byte| byte == b'\n').collect::<Vec<_>>());
    let hunks = Histogram.hunks(&lines[0], &lines[1]);
    // Hunks whose context overlaps or touches are merged.
    for group in hunks.chunk_by(|a, b| b.0.start - a.0.end <= 2 * CONTEXT) {
        out.hunk(group, [&lines[0], &lines[1]]);
    }
    out.text
}

struct Printer {
    text: Vec<u8>,
    colours: bool,
}

impl Printer {
    fn colour(&mut self, colour: &[u8]) {
        if self.colours {
            self.text.extend_from_slice(colour);
        }
    }

    fn line(&mut self, colour: &[u8], text: &[u8]) {
        self.colour(colour);
        self.text.extend_from_slice(text);
        self.colour(RESET);
        self.text.push(b'\n');
    }

    fn hunk(&mut self, group: &[(Range<usize>, Range<usize>)], lines: [&[&[u8]]; 2]) {
        let ([first, ..], [.., last]) = (group, group) else { return };
        let before = CONTEXT.min(first.0.start);
        let after = CONTEXT.min(lines[0].len() - last.0.end);
        let whole = [first.0.start - before..last.0.end + after, first.1.start - before..last.1.end + after];
        // An empty range is named by the line before it.
        let place = |range: &Range<usize>| match range.len() {
            1 => format!("{}", range.start + 1),
            n => format!("{},{n}", range.start + usize::from(n > 0)),
        };
        self.line(CYAN, format!("@@ -{} +{} @@", place(&whole[0]), place(&whole[1])).as_bytes());
        let mut done = whole[0].start;
        for (gone, come) in group {
            self.plain(&lines[0][done..gone.start]);
            done = gone.end;
            let (old, new) = (lines[0][gone.clone()].concat(), lines[1][come.clone()].concat());
            let marks = joined(changes(Granularity::Token, &Histogram, &old, &new));
            self.changed(b'-', RED, &lines[0][gone.clone()], &marks, |change| &change.old);
            self.changed(b'+', GREEN, &lines[1][come.clone()], &marks, |change| &change.new);
        }
        self.plain(&lines[0][done..whole[0].end]);
    }

    fn plain(&mut self, lines: &[&[u8]]) {
        for line in lines {
            self.text.push(b' ');
            self.text.extend_from_slice(line);
            self.end(line);
        }
    }

    fn changed(
        &mut self,
        sign: u8,
        colour: &[u8],
        lines: &[&[u8]],
        changes: &[Change],
        side: fn(&Change) -> &Range<usize>,
    ) {
        let mut start = 0;
        for line in lines {
            let end = start + line.len();
            self.colour(colour);
            self.text.push(sign);
            let mut at = start;
            // If the whole line changed, highlighting would add nothing.
            let marks =
                changes.iter().map(side).filter(|mark| mark.start < end && mark.end > start && !mark.is_empty());
            for mark in marks.filter(|mark| mark.start > start || mark.end < end) {
                let (from, to) = (mark.start.max(at), mark.end.clamp(at, end));
                self.body(&line[at - start..from - start]);
                self.colour(REVERSE);
                self.marked(&line[from - start..to - start]);
                self.colour(NOT_REVERSE);
                at = to;
            }
            self.body(&line[at - start..]);
            self.colour(RESET);
            self.text.push(b'\n');
            if !line.ends_with(b"\n") {
                self.no_newline();
            }
            start = end;
        }
    }

    /// Part of a line, without the line break.
    fn body(&mut self, part: &[u8]) {
        self.text.extend_from_slice(part.strip_suffix(b"\n").unwrap_or(part));
    }

    /// A highlighted part of a line. A carriage return is made visible.
    fn marked(&mut self, part: &[u8]) {
        if !self.colours {
            return self.body(part);
        }
        for &byte in part {
            match byte {
                b'\r' => self.text.extend_from_slice(b"^M"),
                b'\n' => {}
                byte => self.text.push(byte),
            }
        }
    }

    fn end(&mut self, line: &[u8]) {
        if !line.ends_with(b"\n") {
            self.text.push(b'\n');
            self.no_newline();
        }
    }

    fn no_newline(&mut self) {
        self.text.extend_from_slice(b"\\ No newline at end of file\n");
    }

    /// The changed bytes of binary data.
    fn bytes(&mut self, old: &[u8], new: &[u8]) {
        let changes = joined(changes(Granularity::Byte, &Histogram, old, new));
        for change in changes.iter().take(SHOWN.0) {
            self.line(CYAN, format!("@@ byte {} of {} @@", change.old.start, old.len()).as_bytes());
            for (sign, colour, bytes) in [('-', RED, &old[change.old.clone()]), ('+', GREEN, &new[change.new.clone()])]
            {
                if !bytes.is_empty() {
                    self.line(colour, hex(sign, bytes).as_bytes());
                }
            }
        }
        if changes.len() > SHOWN.0 {
            self.line(b"", format!("({} more changes)", changes.len() - SHOWN.0).as_bytes());
        }
    }
}

/// Merges adjacent changes.
fn joined(changes: Vec<Change>) -> Vec<Change> {
    let mut joined: Vec<Change> = vec![];
    for change in changes {
        match joined.last_mut() {
            Some(last) if last.old.end == change.old.start && last.new.end == change.new.start => {
                (last.old.end, last.new.end) = (change.old.end, change.new.end);
            }
            _ => joined.push(change),
        }
    }
    joined
}

fn hex(sign: char, bytes: &[u8]) -> String {
    let mut text = sign.to_string();
    for byte in bytes.iter().take(SHOWN.1) {
        // Writing to a string cannot fail.
        let _ = write!(text, " {byte:02x}");
    }
    if bytes.len() > SHOWN.1 {
        let _ = write!(text, " … ({} bytes)", bytes.len());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(old: &str, new: &str) -> String {
        let diff = unified(("a", old.as_bytes()), ("b", new.as_bytes()), false);
        String::from_utf8(diff).unwrap().strip_prefix("--- a\n+++ b\n").unwrap().to_owned()
    }

    #[test]
    fn hunks_are_the_same_as_those_of_other_tools() {
        let numbers = |n: usize| (1..=n).map(|i| format!("{i}\n")).collect::<String>();
        let changed = numbers(30).replace("\n9\n", "\nnine\n").replace("\n20\n", "\n");
        assert_eq!(
            plain(&numbers(30), &changed),
            "@@ -6,7 +6,7 @@\n 6\n 7\n 8\n-9\n+nine\n 10\n 11\n 12\n@@ -17,7 +17,6 @@\n 17\n 18\n 19\n-20\n 21\n 22\n 23\n"
        );
        assert_eq!(plain("", "a\n"), "@@ -0,0 +1 @@\n+a\n");
        assert_eq!(plain("a\nb\n", ""), "@@ -1,2 +0,0 @@\n-a\n-b\n");
        assert_eq!(plain("a\nb", "a\nb\n"), "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n");
        assert_eq!(plain("x", "x"), "");
        assert_eq!(plain("a\nz", "b\nz"), "@@ -1,2 +1,2 @@\n-a\n+b\n z\n\\ No newline at end of file\n");
    }

    #[test]
    fn changes_within_a_line_are_highlighted() {
        let diff = unified(("a", b"port = 80;\n"), ("b", b"port = 8080;\n"), true);
        let diff = String::from_utf8(diff).unwrap();
        assert!(diff.contains("\x1b[31m-port = \x1b[7m80\x1b[27m;\x1b[0m\n"), "{diff:?}");
        assert!(diff.contains("\x1b[32m+port = \x1b[7m8080\x1b[27m;\x1b[0m\n"), "{diff:?}");
        let diff = String::from_utf8(unified(("a", b"x\n"), ("b", b"x\r\n"), true)).unwrap();
        assert!(diff.contains("+x\x1b[7m^M"), "{diff:?}");
    }

    #[test]
    fn binary_data_is_shown_as_bytes() {
        let diff = unified(("a", b"\0\x01\x02\x03"), ("b", b"\0\x01\xff\xfe\x03"), false);
        assert_eq!(String::from_utf8(diff).unwrap(), "--- a\n+++ b\n@@ byte 2 of 4 @@\n- 02\n+ ff fe\n");
    }
}
