//! The sets of recordings.

use crate::{
    Expected, Oracle, Recording,
    options::{cache, flag, granularities, list, phases},
    oracle::hex,
    recording::{Sequence, Subject},
    shared::{read, shared},
};
use anyhow::{Context as _, Result, ensure};
use nub_core::{
    Granularity, TextPhase,
    tree::{Kind, NodeId, Position, Tree, prepare},
};
use nub_run::{CacheKind, CacheSettings, RunSettings};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::{fs, io::Read as _, path::PathBuf, sync::Arc};

/// A set of runs with synthetic tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// ddmin and ddmin\* of the newest Picire.
    DdminHead,
    /// ddmin of an older release.
    Ddmin218,
    /// HDD, HDDr and hoisting on random trees.
    HddRandom,
}

impl Set {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::DdminHead, Self::Ddmin218, Self::HddRandom];

    /// The name of its file.
    pub fn name(self) -> &'static str {
        match self {
            Self::DdminHead => "ddmin_head",
            Self::Ddmin218 => "ddmin_21.8",
            Self::HddRandom => "hdd_random",
        }
    }

    fn data(self) -> &'static [u8] {
        match self {
            Self::DdminHead => include_bytes!("../data/ddmin_head.json.gz"),
            Self::Ddmin218 => include_bytes!("../data/ddmin_21.8.json.gz"),
            Self::HddRandom => include_bytes!("../data/hdd_random.json.gz"),
        }
    }
}

/// The runs of a set with synthetic tests.
///
/// # Errors
/// If the recordings are not what they should be.
pub fn synthetic(set: Set) -> Result<Vec<Recording>> {
    let mut text = String::new();
    flate2::read::GzDecoder::new(set.data()).read_to_string(&mut text)?;
    let json: Value = serde_json::from_str(&text)?;
    let cases = json["cases"].as_array().context("cases are missing")?;
    let recording = |(number, case): (usize, &Value)| {
        let recording = match set {
            Set::DdminHead => of_list(case, |kind| settings(kind, false, true, true)),
            Set::Ddmin218 => of_list(case, |kind| settings(kind, true, false, true)),
            Set::HddRandom => of_tree(case, &case["tree_json"].to_string()),
        };
        let recording = recording.with_context(|| format!("case {number} of {}", set.name()))?;
        Ok(Recording { case: number.to_string(), ..recording })
    };
    cases.iter().enumerate().map(recording).collect()
}

/// The runs on parse trees of real programs with synthetic tests; `None` without other people's material.
///
/// # Errors
/// If the recordings are not what they should be.
pub fn real_trees() -> Result<Option<Vec<Recording>>> {
    let Some(shared) = shared()? else { return Ok(None) };
    let json = read(&shared.join("fidelity/hdd_real.json"))?;
    let cases = json["cases"].as_array().context("cases are missing")?;
    let recording = |(number, case): (usize, &Value)| {
        let name = case["tree"].as_str().context("a tree has a name")?;
        let path = shared.join(format!("fidelity/trees/{name}.tree.json"));
        let tree = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let recording = of_tree(case, &tree).with_context(|| format!("case {number} of hdd_real"))?;
        Ok(Recording { case: format!("{name}-{number}"), ..recording })
    };
    cases.iter().enumerate().map(recording).collect::<Result<_>>().map(Some)
}

/// A failure of a JavaScript engine.
pub struct Case {
    /// Its number among the engine's issues.
    pub number: String,
    /// The program.
    pub input: String,
    /// A run for each algorithm.
    pub recordings: Vec<Recording>,
}

impl Case {
    /// The run of one algorithm.
    pub fn variant(&self, name: &str) -> Option<&Recording> {
        self.recordings.iter().find(|recording| recording.variant == name)
    }
}

/// The failures of a JavaScript engine, by number; `None` without other people's material.
///
/// # Errors
/// If the recordings are not what they should be.
pub fn javascript() -> Result<Option<Vec<Case>>> {
    let Some(shared) = shared()? else { return Ok(None) };
    let fidelity = shared.join("fidelity");
    let entries = fs::read_dir(fidelity.join("jrts"))?;
    let mut paths: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    let case = |path: &PathBuf| {
        let json = read(path)?;
        let text = |name: &str| json[name].as_str().with_context(|| format!("{name} is missing"));
        let (number, input) = (text("case")?.to_owned(), text("input")?.to_owned());
        let tree = fs::read_to_string(fidelity.join(text("tree")?))?;
        let variants = json["variants"].as_object().context("variants are missing")?;
        let recordings = variants
            .iter()
            .map(|(name, variant)| of_engine(&number, name, variant, &input, &tree))
            .collect::<Result<_>>()
            .with_context(|| path.display().to_string())?;
        Ok(Case { number, input, recordings })
    };
    paths.iter().map(case).collect::<Result<_>>().map(Some)
}

fn settings(kind: CacheKind, interesting: bool, evict: bool, ordered: bool) -> RunSettings {
    let cache = CacheSettings { kind, interesting, evict, per_phase: !ordered };
    RunSettings { jobs: 1, cache, ordered }
}

fn number(value: &Value, name: &str) -> Result<usize> {
    value[name].as_u64().map(|number| number as usize).with_context(|| format!("{name} is missing"))
}

fn string(value: &Value, name: &str) -> Result<String> {
    value[name].as_str().map(str::to_owned).with_context(|| format!("{name} is missing"))
}

/// Units are the characters of a text, or lines that spell their own numbers.
fn of_list(case: &Value, settings: impl Fn(CacheKind) -> RunSettings) -> Result<Recording> {
    let text = case["text"].as_str();
    let unit_text = |unit: usize| match text {
        Some(text) => text.chars().nth(unit).map(String::from).unwrap_or_default(),
        None => format!("{unit}\n"),
    };
    let granularity = if text.is_some() { Granularity::Char } else { Granularity::Line };
    let input: String = (0..number(case, "n")?).map(unit_text).collect();
    let expect = &case["expect"];
    let result = expect["result"].as_array().context("the result is missing")?;
    let output: String = result.iter().filter_map(|unit| unit.as_u64().map(|unit| unit_text(unit as usize))).collect();
    Ok(Recording {
        case: String::new(),
        variant: if flag(case, "star")? { "ddmin*" } else { "ddmin" }.to_owned(),
        oracle: Oracle::of_list(case)?,
        expected: Expected {
            tests: number(expect, "tests")?,
            cache_hits: number(expect, "cache_hits")?,
            output: output.into_bytes(),
            sequence: Sequence::Labels(string(expect, "sha256")?),
        },
        subject: Subject::Text {
            input: input.into_bytes().into(),
            passes: vec![TextPhase { granularity, algorithm: list(case, "star")? }],
        },
        settings: settings(cache(&case["cache"])?),
    })
}

fn of_tree(case: &Value, tree: &str) -> Result<Recording> {
    let (options, expect) = (&case["options"], &case["expect"]);
    let tree =
        prepared(tree, [flag(options, "flatten")?, flag(options, "squeeze")?, flag(options, "skip_unremovable")?])?;
    let written = hex(&Sha256::digest(value(&tree, tree.root()).to_string()));
    ensure!(written == string(expect, "preprocessed_sha256")?, "the prepared tree is not the recorded one");
    Ok(Recording {
        case: String::new(),
        variant: string(options, "hdd")?,
        oracle: Oracle::of_tree(&case["oracle"])?,
        expected: Expected {
            tests: number(expect, "tests")?,
            cache_hits: number(expect, "cache_hits")?,
            output: string(expect, "result")?.into_bytes(),
            sequence: Sequence::Texts(string(expect, "sha256")?),
        },
        subject: Subject::Tree { tree: Arc::new(tree), phases: phases(options, "star")? },
        settings: settings(cache(&options["cache"])?, true, false, false),
    })
}

fn of_engine(case: &str, name: &str, variant: &Value, input: &str, tree: &str) -> Result<Recording> {
    let options = &variant["options"];
    let (subject, settings) = match granularities(options) {
        Some(granularities) => {
            let algorithm = list(options, "dd_star")?;
            let passes = granularities.into_iter().map(|granularity| TextPhase { granularity, algorithm }).collect();
            let input = input.as_bytes().into();
            (Subject::Text { input, passes }, settings(CacheKind::ContentHash, false, true, true))
        }
        None => {
            let preparations =
                ["flatten_recursion", "squeeze_tree", "skip_unremovable"].map(|name| flag(options, name));
            let [flatten, squeeze, skip] = preparations;
            let tree = Arc::new(prepared(tree, [flatten?, squeeze?, skip?])?);
            let phases = phases(options, "hdd_star")?;
            (Subject::Tree { tree, phases }, settings(cache(&options["cache"])?, true, false, false))
        }
    };
    let sequence = string(variant, "sequence")?;
    Ok(Recording {
        case: case.to_owned(),
        variant: name.to_owned(),
        oracle: Oracle::of_sequence(&sequence),
        expected: Expected {
            tests: number(variant, "tests")?,
            cache_hits: number(variant, "cache_hits")?,
            output: string(variant, "output")?.into_bytes(),
            sequence: Sequence::Words(sequence),
        },
        subject,
        settings,
    })
}

fn prepared(json: &str, [flatten, squeeze, skip_unremovable]: [bool; 3]) -> Result<Tree> {
    let mut tree = nub_syntax::recorded::read(json)?;
    if flatten {
        prepare::flatten_recursion(&mut tree);
    }
    if squeeze {
        prepare::squeeze(&mut tree);
    }
    if skip_unremovable {
        prepare::skip_unremovable(&mut tree);
    }
    Ok(tree)
}

/// The canonical JSON of a prepared tree: sorted keys, no blanks, `"removed":true` on what is not a unit.
fn value(tree: &Tree, node: NodeId) -> Value {
    // The recordings do not distinguish further in prepared trees.
    let is_token = Kind::is_token(tree.kind(node));
    let position = |position: Position| json!([position.line, position.column]);
    let mut json = json!({
        "k": if is_token { "HDDToken" } else { "HDDRule" },
        "name": tree.name(node),
        "replace": tree.replacement(node),
        "s": position(tree.start(node)),
        "e": position(tree.end(node)),
    });
    if is_token {
        json["text"] = json!(String::from_utf8_lossy(tree.text(node)));
    } else {
        json["c"] = tree.children(node).map(|child| value(tree, child)).collect();
    }
    if tree.is_skipped(node) {
        json["removed"] = json!(true);
    }
    json
}
