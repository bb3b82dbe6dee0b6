//! Candidates produced from well-formed documents are well-formed, according to an independent parser.
//!
//! `xmllint` of libxml2 reads 10,000 candidates of the tree algorithms, with random outcomes, on documents found on
//! this machine and on some of our own.

#[path = "common/documents.rs"]
mod documents;

use nub_core::{
    Edit, Effort, FrontEnd as _, Hidden, LargestFirst, ListAlgorithm, Options, Plan, PlanSearch, Search, Smaller,
    TreeSearch,
    passes::{PASSES, PassSearch},
    tree::{Spacing, prepare},
};
use nub_syntax::xml::{self, Xml};
use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

/// How many documents to take from this machine.
const DOCUMENTS: usize = 20;
/// The required number of candidates.
const CANDIDATES: usize = 10_000;
/// How many files one process reads.
const FILES: usize = 250;

/// XML files of a reasonable size below a directory, in order.
fn find(directory: &Path, found: &mut Vec<PathBuf>) {
    let extensions = ["xml", "svg", "xsl", "xslt", "xsd", "rng", "ui", "rdf", "page"];
    let mut waiting = vec![directory.to_path_buf()];
    let mut files = vec![];
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => waiting.push(path),
                Ok(kind) if kind.is_file() => {
                    let known = path.extension().is_some_and(|end| extensions.iter().any(|known| end == *known));
                    let size = entry.metadata().map_or(0, |data| data.len());
                    if known && (300..30_000).contains(&size) {
                        files.push(path);
                    }
                }
                _ => {}
            }
        }
    }
    files.sort();
    found.extend(files);
}

/// Runs `xmllint` on numbered files.
struct Linter {
    directory: tempfile::TempDir,
    names: Vec<String>,
    count: usize,
    /// Whether namespace errors count.
    namespaces: bool,
}

impl Linter {
    fn new(namespaces: bool) -> Self {
        Self { directory: tempfile::tempdir().expect("a place for files"), names: vec![], count: 0, namespaces }
    }

    /// The errors of a document.
    fn complaints(&self, document: &[u8]) -> String {
        let path = self.directory.path().join("one.xml");
        fs::write(&path, document).expect("written");
        self.run(&["one.xml".to_owned()])
    }

    /// The error lines.
    fn run(&self, names: &[String]) -> String {
        let output = Command::new("xmllint")
            .args(["--noout", "--nonet", "--nowarning"])
            .args(names)
            .current_dir(self.directory.path())
            .output()
            .expect("it runs");
        let output_text = String::from_utf8_lossy(&output.stderr);
        let counts = |line: &&str| {
            line.contains(": parser error : ") || self.namespaces && line.contains(": namespace error : ")
        };
        let lines: Vec<&str> = output_text.lines().filter(counts).collect();
        if lines.is_empty() && !output.status.success() {
            return format!("{}: {output_text}", output.status);
        }
        lines.join("\n")
    }

    fn add(&mut self, document: &[u8]) {
        let name = format!("{}.xml", self.count);
        fs::write(self.directory.path().join(&name), document).expect("written");
        self.count += 1;
        self.names.push(name);
        if self.names.len() == FILES {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if self.names.is_empty() {
            return;
        }
        let complaints = self.run(&self.names);
        if let Some(line) = complaints.lines().next() {
            let name = line.split(':').next().unwrap_or_default();
            let document = fs::read(self.directory.path().join(name)).unwrap_or_default();
            panic!("{line}\n{}", String::from_utf8_lossy(&document));
        }
        for name in self.names.drain(..) {
            fs::remove_file(self.directory.path().join(name)).expect("removed");
        }
    }
}

/// Pseudo-random numbers (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}

/// The first candidates of a search with random outcomes: one of `one_of` is interesting.
fn candidates<S: Search<Proposal = Edit>>(mut search: S, most: usize, one_of: u64, seed: u64) -> Vec<Vec<u8>> {
    let mut random = Random(seed);
    let mut found = vec![];
    while let Some(batch) = search.propose() {
        found.extend(batch.iter().map(|candidate| candidate.what.content.to_vec()));
        if found.len() >= most {
            break;
        }
        let interesting: Vec<usize> =
            (0..batch.len()).filter(|_| random.next().is_multiple_of(one_of)).take(1).collect();
        search.answer(&interesting);
    }
    found
}

/// Documents without complaints from `xmllint`: a spread of those on this machine, and our own.
fn inputs(linter: &Linter) -> Vec<(String, Vec<u8>)> {
    let mut paths = vec![];
    find(Path::new("/usr/share"), &mut paths);
    if let Some(shared) = nub_testing::find_shared("") {
        find(&shared, &mut paths);
    }
    let step = (paths.len() / DOCUMENTS).max(1);
    // First a sample from everywhere, then the rest.
    let order = (0..step).flat_map(|first| (first..paths.len()).step_by(step));
    let mut found = vec![];
    for at in order {
        let Ok(document) = fs::read(&paths[at]) else { continue };
        if found.len() < DOCUMENTS && linter.complaints(&document).is_empty() {
            assert_eq!(xml::errors(&document), 0, "{} is well-formed", paths[at].display());
            found.push((paths[at].display().to_string(), document));
        }
    }
    if found.len() < DOCUMENTS {
        eprintln!("only {} documents found on this machine", found.len());
    }
    for (name, document) in documents::documents() {
        assert_eq!(linter.complaints(&document), "", "{name}");
        found.push((name, document));
    }
    found
}

#[test]
fn ten_thousand_candidates_are_well_formed() {
    if !nub_testing::program("xmllint") {
        return;
    }
    let (mut strict, mut plain) = (Linter::new(true), Linter::new(false));
    let inputs = inputs(&strict);
    let share = CANDIDATES / inputs.len() / 2 + 1;
    let mut seen: HashSet<Vec<u8>> = HashSet::new();
    let list = ListAlgorithm::default();
    let (mut refused, mut filtered) = (0, 0);
    for (round, (name, document)) in (0..).zip(inputs.iter().cycle()) {
        if seen.len() >= CANDIDATES {
            break;
        }
        assert!(round < 100 * inputs.len() as u64, "not enough candidates can be found");
        let structure = Xml.analyse(document, Hidden::Gaps).expect("an encoding that is known");
        assert!(structure.is_strict(), "{name} is well-formed");
        // Candidates that are correct by construction: with namespaces, and almost always (`]]` and `>` may meet) even
        // before a check.
        let mut made = vec![];
        made.extend(candidates(LargestFirst::new(Arc::clone(&structure)), share / 2, 2 + round % 5, round));
        let mut tree = xml::parse(document).expect("as before").tree;
        prepare::all(&mut tree);
        let tree = Arc::new(tree);
        for algorithm in ["hddr", "hddh", "coarse-hdd"] {
            let recursive = nub_core::Traversal::Nodes { pop_first: false, append_reversed: false };
            let phases =
                nub_core::Phase::named(algorithm, list, nub_core::HoistOrder::default(), recursive).expect("a phase");
            let search = TreeSearch::new(phases, Arc::clone(&tree), Spacing::Original);
            made.extend(candidates(search, share / 6, 2 + round % 3, round));
        }
        for pass in PASSES.into_iter().filter(|pass| ["unwrap", "identifiers", "blanks"].contains(&pass.name)) {
            let search = Smaller::new(PassSearch::new(pass, Arc::clone(&structure)));
            made.extend(candidates(search, share / 12, 3, round));
        }
        for document in made {
            if xml::errors(&document) > 0 {
                refused += 1;
            } else if seen.insert(document.clone()) {
                strict.add(&document);
            }
        }
        // The steps that use the structure. Each runs alone, so that patience does not end it at once and no step
        // takes the whole share.
        let names = ["largest", "hddh*"].into_iter().chain(PASSES.map(|pass| pass.name));
        for name in names {
            let options = Options { effort: Effort::Quick, ..Options::default() };
            let plan = Plan::named(name, &options).expect("a step");
            let search = PlanSearch::new(plan, Arc::new(Xml), document.as_slice());
            for document in candidates(search, share / 12, 2 + round % 7, round) {
                if seen.insert(document.clone()) {
                    filtered += 1;
                    plain.add(&document);
                }
            }
        }
    }
    strict.flush();
    plain.flush();
    assert!(refused * 100 < strict.count, "{refused} of {} were not well-formed by construction", strict.count);
    assert!(strict.count >= CANDIDATES / 4 && filtered >= CANDIDATES / 4, "{} {filtered}", strict.count);
    let (made, inputs) = (strict.count, inputs.len());
    eprintln!("{made} + {filtered} candidates from {inputs} documents are well-formed; {refused} were left out");
}
