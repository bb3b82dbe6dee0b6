//! Large XML documents, reduced by the real nub, with a test that only searches.
//!
//! The documents have three shapes: many elements with attributes, prefixes and references; one element with one long
//! text; deeply nested elements. Each contains two places that are needed, at a third and at two thirds.

use crate::{
    native,
    report::{Report, thousands},
};
use anyhow::{Context as _, Result, ensure};
use nub_syntax::xml;
use std::{
    fmt::Write as _,
    fs,
    os::unix::fs::PermissionsExt as _,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// The size of a document.
const SIZE: usize = 10_000_000;
/// The depth of the nested document.
const DEPTH: usize = 100_000;
/// How often the memory of a process is read.
const PERIOD: Duration = Duration::from_millis(20);
/// The test, which needs both places.
const TEST: &str = "#!/bin/sh\ngrep -q 'first needle' \"$1\" && grep -q 'second needle' \"$1\"\n";

pub(crate) fn run(report: &mut Report) -> Result<()> {
    report.text(
        "`nub TEST INPUT` with no options but `--jobs 1 --no-backup`. The test is a script that searches for two \
         texts with `grep`, one at a third of the document and one at two thirds. *Parse* is from the bytes to the \
         tree with its structure. *Peak* is nub's peak memory (VmHWM), with its ratio to the size of the input in \
         brackets.",
    );
    let nub = native::build_nub()?;
    let folder = tempfile::tempdir()?;
    let test = folder.path().join("test.sh");
    fs::write(&test, TEST)?;
    fs::set_permissions(&test, fs::Permissions::from_mode(0o755))?;
    let mut rows = vec![];
    for (name, document) in [("many elements", elements()), ("one text", text()), ("deep", deep())] {
        ensure!(xml::errors(document.as_bytes()) == 0, "the document is not well-formed");
        let start = Instant::now();
        let parsed = xml::parse(document.as_bytes()).context("the document is not UTF-8")?;
        let parsing = start.elapsed().as_secs_f64();
        let nodes = parsed.tree.arena_len();
        drop(parsed);
        let input = folder.path().join("input.xml");
        fs::write(&input, &document)?;
        let start = Instant::now();
        let (peak, tests) = reduce(&nub, &test, &input)?;
        let elapsed = start.elapsed().as_secs_f64();
        let result = fs::read_to_string(&input)?;
        let times = peak / document.len() as f64;
        rows.push(vec![
            name.to_owned(),
            format!("{:.1} MB", document.len() as f64 / 1e6),
            thousands(nodes),
            format!("{parsing:.2} s"),
            thousands(tests),
            format!("{elapsed:.0} s"),
            format!("{:.0} MB ({times:.0})", peak / 1e6),
            format!("{} B", result.trim_end().len()),
        ]);
        report.goal(&format!("{name}: peak memory"), "< 1 GB", format!("{:.0} MB", peak / 1e6), peak < 1e9);
    }
    report.table(&["document", "input", "nodes", "parse", "tests", "time", "peak", "result"], &rows);
    Ok(())
}

/// Runs nub. Returns its peak memory, in bytes, and the number of tests.
fn reduce(nub: &Path, test: &Path, input: &Path) -> Result<(f64, usize)> {
    let log = input.with_extension("log");
    let mut child = Command::new(nub)
        .args(["--jobs", "1", "--no-backup"])
        .args([test, input])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(fs::File::create(&log)?)
        .spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0.0_f64;
    while child.try_wait()?.is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<f64>().ok());
        peak = peak.max(kilobytes.unwrap_or(0.0) * 1024.0);
        thread::sleep(PERIOD);
    }
    let said = fs::read_to_string(&log)?;
    ensure!(child.wait()?.success(), "nub failed: {said}");
    let words: Vec<&str> = said.split_whitespace().collect();
    let at = words.iter().rposition(|word| word.starts_with("tests")).context("nub does not say how many tests")?;
    let tests = at.checked_sub(1).and_then(|at| words[at].replace(',', "").parse().ok());
    Ok((peak, tests.with_context(|| format!("no number of tests in: {said}"))?))
}

fn elements() -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<catalog xmlns:x=\"urn:x\">\n");
    let mut number = 0;
    let mut needles = ["second needle", "first needle"].to_vec();
    while text.len() < SIZE {
        let at = SIZE / 3 * (3 - needles.len());
        let name = if text.len() > at { needles.pop().unwrap_or("product") } else { "product" };
        let _ = write!(
            text,
            "  <product id=\"p{number}\" x:price=\"{}.50\" stock=\"{}\">\n    <name>{name} {number} &amp; more</name>\n    \
             <x:tags><x:tag>t{}</x:tag><x:tag/></x:tags>\n    <!-- no comment -->\n    \
             <description>Some words about it, which are not many.</description>\n  </product>\n",
            number % 97,
            number % 1000,
            number % 13,
        );
        number += 1;
    }
    text + "</catalog>\n"
}

fn text() -> String {
    let words = |from: usize| (from..).map(|number| format!("word{number} ")).flat_map(String::into_bytes);
    let part = |from| String::from_utf8_lossy(&words(from).take(SIZE / 3).collect::<Vec<u8>>()).into_owned();
    format!("<text>{} first needle {} second needle {}</text>\n", part(0), part(1_000_000), part(2_000_000))
}

fn deep() -> String {
    let filler = |level: usize| {
        format!("<level number=\"{level}\">and some text to fill it, at {level:06}, with words and words")
    };
    let mut text = String::new();
    for level in 0..DEPTH {
        text += &filler(level);
        match level {
            _ if level == DEPTH / 3 => text += " first needle ",
            _ if level == 2 * DEPTH / 3 => text += " second needle ",
            _ => {}
        }
    }
    text + &"</level>".repeat(DEPTH) + "\n"
}
