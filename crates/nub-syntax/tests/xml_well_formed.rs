//! Whatever is made of a well-formed document is well-formed: an independent parser says so.
//!
//! 10,000 candidates of the tree algorithms, with random outcomes, on documents of the machine and on some of our own, read
//! by `xmllint` of libxml2.

#[path = "common/documents.rs"]
mod documents;

use nub_core::{
    Analyse as _, Edit, Effort, LargestFirst, ListAlgorithm, Parser, Search, Smaller, Stage, Stages, Structure,
    TreeSearch,
    passes::{PASSES, PassSearch},
    tree::{Spacing, Tree, prepare},
};
use nub_syntax::xml::{self, Analyser};
use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

/// How many documents of the machine are looked for.
const DOCUMENTS: usize = 20;
/// How many candidates there have to be.
const CANDIDATES: usize = 10_000;
/// How many files one process reads.
const FILES: usize = 250;

/// Whether `xmllint` is there. In continuous integration it has to be.
fn has_xmllint() -> bool {
    let found = Command::new("xmllint").arg("--version").output().is_ok();
    assert!(found || std::env::var("CI").as_deref() != Ok("true"), "no xmllint: install libxml2-utils");
    if !found {
        eprintln!("skipped: no xmllint; install libxml2-utils");
    }
    found
}

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

/// What `xmllint` says about files, by number.
struct Linter {
    directory: tempfile::TempDir,
    names: Vec<String>,
    count: usize,
    /// Whether errors of namespaces count.
    namespaces: bool,
}

impl Linter {
    fn new(namespaces: bool) -> Self {
        Self { directory: tempfile::tempdir().expect("a place for files"), names: vec![], count: 0, namespaces }
    }

    /// What is wrong with a document.
    fn complaints(&self, document: &[u8]) -> String {
        let path = self.directory.path().join("one.xml");
        fs::write(&path, document).expect("written");
        self.run(&["one.xml".to_owned()])
    }

    /// The lines about errors.
    fn run(&self, names: &[String]) -> String {
        let output = Command::new("xmllint")
            .args(["--noout", "--nonet", "--nowarning"])
            .args(names)
            .current_dir(self.directory.path())
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr);
        let counts = |line: &&str| {
            line.contains(": parser error : ") || self.namespaces && line.contains(": namespace error : ")
        };
        let lines: Vec<&str> = said.lines().filter(counts).collect();
        if lines.is_empty() && !output.status.success() {
            return format!("{}: {said}", output.status);
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
        let said = self.run(&self.names);
        if let Some(line) = said.lines().next() {
            let name = line.split(':').next().unwrap_or_default();
            let document = fs::read(self.directory.path().join(name)).unwrap_or_default();
            panic!("{line}\n{}", String::from_utf8_lossy(&document));
        }
        for name in self.names.drain(..) {
            fs::remove_file(self.directory.path().join(name)).expect("removed");
        }
    }
}

/// Numbers that look random (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, 2014).
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

/// The first candidates of a search with random outcomes, one of so many interesting.
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

struct XmlParser;

impl Parser for XmlParser {
    fn parse(&self, bytes: &[u8]) -> Option<Tree> {
        let mut tree = xml::parse(bytes)?.tree;
        prepare::all(&mut tree);
        Some(tree)
    }

    fn checker(&self, bytes: &[u8]) -> Option<Arc<dyn Structure>> {
        Analyser.analyse(bytes)
    }
}

/// Documents that `xmllint` has nothing to say about: of the machine, spread over all that there are, and our own.
fn inputs(linter: &Linter) -> Vec<(String, Vec<u8>)> {
    let mut paths = vec![];
    find(Path::new("/usr/share"), &mut paths);
    find(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), &mut paths);
    let step = (paths.len() / DOCUMENTS).max(1);
    // First some from everywhere, then whatever there is.
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
        eprintln!("only {} documents of this machine", found.len());
    }
    for (name, document) in documents::documents() {
        assert_eq!(linter.complaints(&document), "", "{name}");
        found.push((name, document));
    }
    found
}

#[test]
fn ten_thousand_candidates_are_well_formed() {
    if !has_xmllint() {
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
        assert!(round < 100 * inputs.len() as u64, "so many candidates cannot be found");
        let structure = Analyser.analyse(document).expect("an encoding that is known");
        assert!(structure.is_strict(), "{name} is well-formed");
        // What is right because of how it is made: also with namespaces, and almost always (`]]` and `>` may meet) before
        // anybody has looked at it.
        let mut made = vec![];
        made.extend(candidates(LargestFirst::new(Arc::clone(&structure)), share / 2, 2 + round % 5, round));
        let tree = Arc::new(XmlParser.parse(document).expect("as before"));
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
        // The whole plan, as far as it works on the structure.
        let analyser: Arc<dyn nub_core::Analyse> = Arc::new(Analyser);
        let mut stages = vec![Stage::Largest(Arc::clone(&analyser))];
        stages.extend(PASSES.map(|pass| Stage::Pass(pass, Arc::clone(&analyser))));
        let phases = vec![nub_core::Phase {
            traversal: nub_core::Traversal::Levels,
            prune: Some(list),
            hoist: Some(nub_core::HoistOrder::default()),
            coarse: false,
            star: true,
        }];
        let (parser, phases) = (Arc::new(XmlParser), phases.into());
        stages.push(Stage::Tree { parser, phases, spacing: Spacing::Original, smaller: true });
        // Patience must not end a stage at once, and a pass must not take all.
        for stage in stages {
            let search = Stages::new([stage], document.as_slice()).with_effort(Effort::Quick);
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
    assert!(refused * 100 < strict.count, "{refused} of {} were not well-formed when they were made", strict.count);
    assert!(strict.count >= CANDIDATES / 4 && filtered >= CANDIDATES / 4, "{} {filtered}", strict.count);
    let (made, inputs) = (strict.count, inputs.len());
    eprintln!("{made} + {filtered} candidates of {inputs} documents are well-formed; {refused} were left out");
}
