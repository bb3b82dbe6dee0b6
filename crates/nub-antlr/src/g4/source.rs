//! The source texts that spans refer to.

/// A file of a grammar.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    name: String,
    text: String,
}

/// Where a message points to.
pub(crate) struct Place<'a> {
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) length: u32,
    pub(crate) text: &'a str,
}

impl Source {
    pub(crate) fn new(name: String, text: String) -> Self {
        Self { name, text }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The line and the columns of a byte range, cut off at the end of its first line.
    pub(crate) fn place(&self, start: u32, end: u32) -> Place<'_> {
        let start = self.boundary(start as usize);
        let end = self.boundary(end as usize).max(start);
        let line_start = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line = self.text[..line_start].matches('\n').count() + 1;
        let line_text = self.text[line_start..].split('\n').next().unwrap_or_default().trim_end_matches('\r');
        let line_end = (line_start + line_text.len()).max(start);
        Place {
            line: count(line),
            column: count(self.text[line_start..start].chars().count() + 1),
            length: count(self.text[start..end.min(line_end)].chars().count()),
            text: line_text,
        }
    }

    fn boundary(&self, at: usize) -> usize {
        let mut at = at.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// All files of a grammar, by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sources {
    files: Vec<Source>,
}

impl Sources {
    pub(crate) fn add(&mut self, source: Source) -> u32 {
        self.files.push(source);
        count(self.files.len() - 1)
    }

    pub(crate) fn get(&self, file: u32) -> &Source {
        &self.files[file as usize]
    }

    /// The text of a place.
    pub(crate) fn text(&self, span: super::ast::Span) -> &str {
        self.get(span.file).text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }
}
