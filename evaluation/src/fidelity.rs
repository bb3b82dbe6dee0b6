//! The runs of the reference tools that somebody has recorded, repeated candidate by candidate.

use crate::report::{Report, thousands};
use anyhow::{Context as _, Result};
use nub_recorded::{Recording, Set, javascript, published, real_trees, synthetic};
use serde_json::Value;

/// The algorithms of the recorded cases: what the recordings and the thesis call them.
pub(crate) const TREE_VARIANTS: [(&str, &str); 16] = [
    ("hdd", "HDD\\*"),
    ("hoist_hdd", "Hoist\\*+HDD\\*"),
    ("hddh", "HDDH\\*"),
    ("hoist_hddh", "Hoist\\*+HDDH\\*"),
    ("hddr", "HDDr\\*"),
    ("hoist_hddr", "Hoistr\\*+HDDr\\*"),
    ("hddrh", "HDDHr\\*"),
    ("hoist_hddrh", "Hoistr\\*+HDDHr\\*"),
    ("coarse_hdd", "Coarse HDD\\*"),
    ("hoist_coarse_hdd", "Hoist\\*+Coarse HDD\\*"),
    ("coarse_hddh", "Coarse HDDH\\*"),
    ("hoist_coarse_hddh", "Hoist\\*+Coarse HDDH\\*"),
    ("coarse_hddr", "Coarse HDDr\\*"),
    ("hoist_coarse_hddr", "Hoistr\\*+Coarse HDDr\\*"),
    ("coarse_hddrh", "Coarse HDDHr\\*"),
    ("hoist_coarse_hddrh", "Hoistr\\*+Coarse HDDHr\\*"),
];

const LIST_VARIANTS: [(&str, &str); 6] = [
    ("ddmin_line", "ddmin, lines"),
    ("ddminstar_line", "ddmin\\*, lines"),
    ("ddmin_both", "ddmin, lines and characters"),
    ("ddminstar_both", "ddmin\\*, lines and characters"),
    ("ddmin_char", "ddmin, characters"),
    ("ddminstar_char", "ddmin\\*, characters"),
];

/// What is published of a run: tests and size.
pub(crate) type Published = (Option<usize>, Option<usize>);

/// What the thesis has of a case and a variant.
pub(crate) fn in_thesis(published: &Value, case: &str, variant: &str) -> Published {
    let number = |value: &Value| value.as_u64().map(|number| number as usize);
    let row = |table: &str| &published[table][format!("jerry-{case}")];
    if let Some((algorithm, granularity)) = variant.split_once('_').filter(|(name, _)| name.starts_with("ddmin")) {
        let (table, size) = match granularity {
            "line" => ("5.2 line: ddmin, ddmin*", "nonws"),
            "both" => ("5.3 line then char: ddmin, ddmin*", "nonws"),
            _ => ("5.1 char: ddmin, ddmin*", "chars"),
        };
        let column = if algorithm == "ddmin" { "ddmin" } else { "star" };
        let row = row(table);
        return (number(&row[format!("{column}_tests")]), number(&row[format!("{column}_{size}")]));
    }
    let Some((tables, column)) = tables(variant) else { return (None, None) };
    (number(&row(tables.1)[column]), number(&row(tables.0)[column]))
}

/// The tables of sizes and tests of a variant, and its column in them.
pub(crate) fn tables(variant: &str) -> Option<((&'static str, &'static str), &'static str)> {
    let (hoist, rest) = match variant.strip_prefix("hoist_") {
        Some(rest) => (true, rest),
        None => (false, variant),
    };
    let (coarse, rest) = match rest.strip_prefix("coarse_") {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let (recursive, interlaced) = match rest {
        "hdd" => (false, false),
        "hddh" => (false, true),
        "hddr" => (true, false),
        "hddrh" => (true, true),
        _ => return None,
    };
    let tables = match (coarse, recursive) {
        (false, false) => ("7.3 hdd size", "7.4 hdd tests"),
        (false, true) => ("7.5 hddr size", "7.6 hddr tests"),
        (true, false) => ("7.7 coarse hdd size", "7.8 coarse hdd tests"),
        (true, true) => ("7.9 coarse hddr size", "7.10 coarse hddr tests"),
    };
    let column = match (hoist, interlaced) {
        (false, false) => "base",
        (true, false) => "hoist+base",
        (false, true) => "interlaced",
        (true, true) => "hoist+interlaced",
    };
    Some((tables, column))
}

/// Size as the thesis counts it: all characters for ddmin with characters, those that are not blank otherwise.
pub(crate) fn size(variant: &str, output: &[u8]) -> usize {
    let text = String::from_utf8_lossy(output);
    text.chars().filter(|c| variant.ends_with("_char") || !c.is_whitespace()).count()
}

pub(crate) fn run(report: &mut Report) -> Result<()> {
    report.text(
        "Every recorded run of Picire and Picireny, repeated with nub's own implementation and the recorded outcomes. *Identical* \
         means: the same candidates in the same order, the same number of tests and of cache hits, the same result, byte for byte.",
    );
    let mut sets: Vec<(String, Vec<Recording>)> = vec![];
    for set in Set::ALL {
        sets.push((set.name().to_owned(), synthetic(set)?));
    }
    let real = real_trees()?;
    let cases = javascript()?;
    let found = real.is_some();
    sets.extend(real.map(|recordings| ("hdd_real".to_owned(), recordings)));
    if let Some(cases) = &cases {
        let recordings = cases.iter().flat_map(|case| &case.recordings).cloned().collect();
        sets.push(("jrts".to_owned(), recordings));
    }
    let mut rows = vec![];
    let (mut identical, mut all) = (0, 0);
    for (name, recordings) in &sets {
        eprintln!("{name}: {} runs", recordings.len());
        let mut same = 0;
        let mut tests = 0;
        for recording in recordings {
            let repetition = recording.repeat(1)?;
            tests += repetition.tests;
            same += usize::from(repetition.differences.is_empty());
            for difference in
                repetition.differences.iter().map(|difference| difference.chars().take(200).collect::<String>())
            {
                eprintln!("  {} {}: {difference}", recording.case, recording.variant);
            }
        }
        rows.push(vec![name.clone(), thousands(recordings.len()), thousands(same), thousands(tests)]);
        identical += same;
        all += recordings.len();
    }
    rows.push(vec!["**all**".to_owned(), thousands(all), thousands(identical), String::new()]);
    report.goal("recorded runs that are identical", "all", format!("{identical} of {all}"), identical == all);
    report.table(&["set", "runs", "identical", "tests"], &rows);
    if !found {
        report.left_out();
    }
    let (Some(cases), Some(published)) = (cases, published()?) else { return Ok(()) };
    report.section("The tables of the thesis");
    report.text(
        "Tests / size of our runs on the failures of a JavaScript engine that were recorded, and in brackets what the thesis \
         has (Tables 5.1–5.3 and 7.3–7.10), where that is different. Size is in characters that are not blank; for ddmin on \
         characters, in all characters. Case 3376 depends on the length of a file name, so that the variants which begin with a \
         hoist phase cannot be as published; the rows of 3299 and 3361 are exchanged in Table 7.9; that table lacks a column.",
    );
    let (mut equal, mut comparable) = (0, 0);
    let heads: Vec<&str> = ["algorithm"].into_iter().chain(cases.iter().map(|case| case.number.as_str())).collect();
    let mut rows = vec![];
    for (variant, name) in TREE_VARIANTS.into_iter().chain(LIST_VARIANTS) {
        let mut row = vec![name.to_owned()];
        for case in &cases {
            let Some(recording) = case.variant(variant) else {
                row.push("–".to_owned());
                continue;
            };
            let repetition = recording.repeat(1).with_context(|| format!("{} {variant}", case.number))?;
            let ours = (repetition.tests, size(variant, &repetition.output));
            let thesis = in_thesis(&published, &case.number, variant);
            let same = thesis.0.is_none_or(|tests| tests == ours.0) && thesis.1.is_none_or(|size| size == ours.1);
            comparable += usize::from(thesis != (None, None));
            equal += usize::from(thesis != (None, None) && same);
            let or_dash = |number: Option<usize>| number.map_or_else(|| "–".to_owned(), |number| number.to_string());
            let note = if same { String::new() } else { format!(" [{}/{}]", or_dash(thesis.0), or_dash(thesis.1)) };
            row.push(format!("{}/{}{note}", ours.0, ours.1));
        }
        rows.push(row);
    }
    report.table(&heads, &rows);
    report.text(&format!("{equal} of {comparable} runs that have a published counterpart are as published."));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_have_their_tables() {
        assert_eq!(
            tables("hoist_coarse_hddrh"),
            Some((("7.9 coarse hddr size", "7.10 coarse hddr tests"), "hoist+interlaced"))
        );
        assert_eq!(tables("hdd"), Some((("7.3 hdd size", "7.4 hdd tests"), "base")));
        assert_eq!(tables("coarsehoist_coarse_hdd"), None);
        assert!(TREE_VARIANTS.iter().all(|(variant, _)| tables(variant).is_some()));
    }
}
