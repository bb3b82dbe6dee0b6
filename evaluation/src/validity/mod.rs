//! Are edits that the grammar allows really valid? Single edits of real files, written as a search writes them, and
//! parsed again.

mod files;

use crate::{
    random::Random,
    report::{Report, thousands},
};
use anyhow::Result;
use nub_core::tree::{Change, NodeId, Spacing, Tree, prepare};
use nub_syntax::treesitter::{ChangeKind, Checker, Language, Syntax, parse, single_changes};
use std::{fs, ops::Range, path::PathBuf};

/// Per kind and file.
const EDITS: usize = 40;
/// How many characters of an edit are shown.
const SHOWN: usize = 200;
/// In percent.
const GOAL: f64 = 99.9;

pub(crate) fn run(report: &mut Report) -> Result<()> {
    report.text(
        "A search over a tree proposes three kinds of edits that should leave a file well-formed: a part that the \
         grammar makes optional is removed (*part*), a node is replaced by the shortest text of its symbol \
         (*replacement*), a node is replaced by a descendant of the same symbol (*hoist*). Here a few of each, drawn \
         at random from every file (only those that make it smaller, as in a search), are written as a search writes \
         them, and parsed again: an edit is valid if the result has no more ERROR or MISSING nodes than the file had. \
         The files are those on the machine, at most 60 for each language, chosen pseudo-randomly; where there are \
         none, a sample of our own. Files that are not well-formed themselves are counted separately (*files with \
         errors*): macros of C, templates, dialects. `--verbose LANGUAGE` shows the edits that are not valid; folders \
         after the name are searched instead of the usual ones.",
    );
    let mut options = report.options().to_vec();
    let verbose = options.iter().position(|option| option == "--verbose").map(|at| {
        options.remove(at);
        if at < options.len() { options.remove(at) } else { String::new() }
    });
    let folders: Vec<PathBuf> = options.iter().map(PathBuf::from).collect();
    let (mut rows, mut all, mut languages) = (vec![], Count::default(), 0);
    for (name, files) in files::choose(&folders)? {
        if verbose.as_ref().is_some_and(|wanted| wanted != name) {
            continue;
        }
        let mut row = Row::default();
        for (language, path) in files {
            let text = fs::read(&path)?;
            row.file(language, &text, verbose.is_some());
        }
        all.add(row.clean.total());
        languages += usize::from(row.clean.total().tried > 0);
        rows.push(row.cells(name));
    }
    let head = [
        "language",
        "files",
        "KB",
        "understood",
        "part",
        "replacement",
        "hoist",
        "**valid**",
        "files with errors",
        "valid there",
    ];
    report.table(&head, &rows);
    let what = format!("edits of {languages} languages that are valid");
    report.goal(&what, "≥ 99.9 %", format!("{} of {}", all.share(), thousands(all.tried)), all.percent() >= GOAL);
    report.goal("languages", "≥ 12", languages.to_string(), languages >= 12);
    Ok(())
}

/// How many edits were tried, and how many were valid.
#[derive(Clone, Copy, Default)]
struct Count {
    tried: usize,
    valid: usize,
}

impl Count {
    fn add(&mut self, other: Self) {
        self.tried += other.tried;
        self.valid += other.valid;
    }

    fn percent(self) -> f64 {
        100.0 * self.valid as f64 / self.tried as f64
    }

    fn share(self) -> String {
        if self.tried == 0 { "–".to_owned() } else { format!("{:.2} %", self.percent()) }
    }
}

/// By kind of edit.
#[derive(Default)]
struct Counts([Count; ChangeKind::ALL.len()]);

impl Counts {
    fn total(&self) -> Count {
        let mut total = Count::default();
        self.0.iter().for_each(|&count| total.add(count));
        total
    }
}

/// The results for a language.
#[derive(Default)]
struct Row {
    files: usize,
    bytes: usize,
    rules: usize,
    matched: usize,
    /// Of files without errors.
    clean: Counts,
    files_with_errors: usize,
    with_errors: Counts,
}

impl Row {
    fn file(&mut self, language: &'static Language, text: &[u8], verbose: bool) {
        let (Ok(mut parsed), Ok(checker)) = (parse(language, text), Checker::new(language, text)) else { return };
        prepare::all(&mut parsed.tree);
        self.files += 1;
        self.bytes += text.len();
        self.rules += parsed.rules;
        self.matched += parsed.matched;
        self.files_with_errors += usize::from(parsed.errors > 0);
        let file = File { language, tree: &parsed.tree, syntax: &parsed.syntax, checker };
        let counts = if parsed.errors == 0 { &mut self.clean } else { &mut self.with_errors };
        let mut changes = single_changes(&parsed.tree, &parsed.syntax);
        changes.retain(|(_, _, change)| file.write(change).len() < text.len());
        let mut random = Random::new(text.len() as u64);
        for (count, kind) in counts.0.iter_mut().zip(ChangeKind::ALL) {
            let some: Vec<_> = changes.iter().filter(|(other, ..)| *other == kind).collect();
            for _ in 0..EDITS.min(some.len()) {
                let (_, node, change) = some[random.below(some.len())];
                let valid = file.is_valid(change);
                count.add(Count { tried: 1, valid: usize::from(valid) });
                if verbose && !valid && parsed.errors == 0 {
                    file.show(kind, *node, change);
                }
            }
        }
    }

    fn cells(&self, name: &str) -> Vec<String> {
        let kinds = self.clean.0.iter().map(|count| count.share());
        let understood = Count { tried: self.rules, valid: self.matched };
        [name.to_owned(), self.files.to_string(), (self.bytes / 1000).to_string(), understood.share()]
            .into_iter()
            .chain(kinds)
            .chain([
                format!("{} of {}", self.clean.total().share(), thousands(self.clean.total().tried)),
                self.files_with_errors.to_string(),
                self.with_errors.total().share(),
            ])
            .collect()
    }
}

struct File<'a> {
    language: &'static Language,
    tree: &'a Tree,
    syntax: &'a Syntax,
    checker: Checker,
}

impl File<'_> {
    fn write(&self, change: &Change) -> Vec<u8> {
        let mut text = vec![];
        let sink = &mut |bytes: &[u8]| text.extend_from_slice(bytes);
        self.tree.unparse(&self.tree.initial_state(), change, Spacing::Original, sink);
        text
    }

    /// A parser that starts from an older tree may be stuck with its errors, so invalid results are parsed from
    /// scratch.
    fn is_valid(&self, change: &Change) -> bool {
        let text = self.write(change);
        let fresh = |text| Checker::new(self.language, text).is_ok_and(|new| new.errors() <= self.checker.errors());
        self.checker.accepts(&text) || fresh(text)
    }

    /// Prints the change with some context.
    fn show(&self, kind: ChangeKind, node: NodeId, change: &Change) {
        let (old, new) = (self.checker.text(), self.write(change));
        let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let rest = old.len().min(new.len()) - start;
        let end = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
        let part = |text: &[u8], range: Range<usize>| {
            let range = range.start.saturating_sub(40)..text.len().min(range.end + 20);
            String::from_utf8_lossy(&text[range]).chars().take(SHOWN).collect::<String>()
        };
        let name = |node: NodeId| self.tree.name(node);
        let parent = self.syntax.parent(node).map(name);
        eprintln!("{} of {:?} in {parent:?}:", kind.name(), name(node));
        eprintln!("    {:?}", part(old, start..old.len() - end));
        eprintln!("    {:?}", part(&new, start..new.len() - end));
    }
}
