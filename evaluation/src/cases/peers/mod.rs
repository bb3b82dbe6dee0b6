//! nub and other reducers on the same cases, with the same test, time and number of jobs.

mod debian;
mod install;
mod picire;
mod shrinkray;
mod summary;
mod treereduce;

use super::{
    Options,
    case::Case,
    record::{Record, Records},
    run::Programs,
    tool::{Nub, Tool},
};
use crate::{
    chart::{Axis, Chart},
    report::{Report, thousands},
};
use anyhow::{Result, ensure};
use debian::{CReduce, CVise};
use picire::Picire;
use shrinkray::ShrinkRay;
use summary::{GOALS, Summary, near, summary};
use treereduce::TreeReduce;

/// Runs nub and other reducers on real failures.
pub(crate) fn run(report: &mut Report) -> Result<()> {
    let options = Options::read(report.options())?;
    let programs = Programs::new()?;
    let tools: Vec<Box<dyn Tool>> = vec![
        Box::new(ShrinkRay::new()?),
        Box::new(CReduce),
        Box::new(TreeReduce::new()?),
        Box::new(CVise),
        Box::new(Picire::new()?),
        Box::new(Nub::plain(&programs.nub)),
    ];
    let cases = Case::all()?;
    let mut records = Records::open("peers")?;
    let missing = super::measure(&options, &tools, &cases, &programs, &mut records)?;
    ensure!(!records.is_empty(), "nothing could be run: {}", missing.join("; "));
    present(report, &tools, &cases, &records);
    for line in missing {
        report.text(&format!("Missing when this was last run: {line}"));
    }
    Ok(())
}

fn present(report: &mut Report, tools: &[Box<dyn Tool>], cases: &[Case], records: &Records) {
    report.text(
        "nub without options and its peers, each with two jobs and the same test, which records what they test. \
         *Size* is in non-blank bytes, because blanks are a matter of taste; *tokens* are words, numbers and single \
         other characters; *tests* are those that were started, whatever their outcome. *Half-way* is the time until \
         the best was at most twice the size of the tool's own result; *near* is the time, and the number of tests, \
         until it was at most twice the size of the smallest result of any tool for this case: the two differ for a \
         tool that does not get far. A run that was cut off is marked with >: the best candidate that it had tested \
         counts. C-Reduce is for C only; treereduce does not support Python, JSON, XML or SQL, and its JavaScript is \
         used for TypeScript; Shrink Ray runs without its language model.",
    );
    report.text(
        "The runs were made at different times, most beside other work, so times are rough: `peers.json` has the \
         date, the time limit, the load before and after, every improvement and the result of each. *Processor* is \
         the processor time of a tool and its tests: with two jobs, up to twice the seconds if the machine is \
         otherwise idle. Shrink Ray's grammars were compiled from the sources of nub's own where they could not be \
         fetched.",
    );
    let all: Vec<(&Case, Vec<&Record>)> = cases
        .iter()
        .map(|case| (case, tools.iter().filter_map(|tool| records.find(&case.name, tool.name())).collect()))
        .collect();
    present_summary(report, &all);
    for (case, records) in &all {
        report.section(&case.name);
        let language = case.language.as_deref().unwrap_or("none");
        let sizes = (thousands(case.size), thousands(case.tokens));
        report.text(&format!("{} non-blank bytes, {} tokens; language: {language}.", sizes.0, sizes.1));
        let rows: Vec<Vec<String>> = records.iter().map(|record| row(record, near(records))).collect();
        let head = [
            "tool",
            "size",
            "tokens",
            "tests",
            "seconds",
            "half-way, s",
            "near, s",
            "near, tests",
            "processor, s",
            "load",
        ];
        report.table(&head, &rows);
        let title = format!("{}: remaining bytes over time", case.name);
        report.chart(
            &case.name,
            &Chart {
                title: &title,
                x: Axis { name: "seconds", logarithmic: true },
                y: Axis { name: "non-blank bytes", logarithmic: true },
                lines: records.iter().map(|record| (record.tool.clone(), record.curve())).collect(),
            },
        );
        for record in records {
            if let Some(message) = &record.failed {
                report.text(&format!("{} failed: `{}`", record.tool, message.replace('`', "'").trim()));
            }
        }
    }
    report.section("Versions");
    let versions = tools.iter().filter_map(|tool| {
        let record = cases.iter().find_map(|case| records.find(&case.name, tool.name()))?;
        Some(vec![record.tool.clone(), record.version.clone()])
    });
    report.table(&["tool", "version"], &versions.collect::<Vec<_>>());
}

/// The row of a tool in the table of a case.
fn row(record: &Record, near: usize) -> Vec<String> {
    let mut row = record.row();
    if record.failed.is_some() {
        row[0] += " (failed)";
    }
    let (seconds, tests) = match record.reached(near) {
        Some((seconds, tests)) => (format!("{seconds:.1}"), thousands(tests)),
        None => ("never".to_owned(), "never".to_owned()),
    };
    let first = |load: &str| load.split(',').next().unwrap_or_default().to_owned();
    let processor = record.processor.map_or_else(|| "?".to_owned(), |seconds| format!("{seconds:.1}"));
    row.extend([seconds, tests, processor, format!("{} to {}", first(&record.load), first(&record.load_after))]);
    row
}

fn present_summary(report: &mut Report, all: &[(&Case, Vec<&Record>)]) {
    let summaries: Vec<(&Case, Summary<'_>)> =
        all.iter().filter_map(|(case, records)| Some((*case, summary(case.size, records)?))).collect();
    report.section("Summary");
    report.text(
        "The peer with the smallest result, and nub. *Near* as below. The goals of nub: no more tokens (T) and no \
         more bytes (B) than any peer, fewer tests than the peer with the smallest result (t), and the shortest time \
         until near (s). A ? marks goals that were not measured, or that are meaningless because no tool removed \
         anything.",
    );
    let rows: Vec<Vec<String>> = summaries.iter().map(|(case, summary)| summary_row(case, summary)).collect();
    report.table(
        &[
            "case",
            "smallest peer",
            "size: peer",
            "nub",
            "tokens: peer",
            "nub",
            "tests: peer",
            "nub",
            "first near",
            "T",
            "B",
            "t",
            "s",
        ],
        &rows,
    );
    for (index, goal) in GOALS.iter().enumerate() {
        let measured: Vec<bool> = summaries.iter().filter_map(|(_, summary)| summary.met[index]).collect();
        let met = measured.iter().filter(|&&met| met).count();
        if !measured.is_empty() {
            let all = met == measured.len();
            report.goal(goal, "every case that counts", format!("{met} of {}", measured.len()), all);
        }
    }
}

fn summary_row(case: &Case, summary: &Summary<'_>) -> Vec<String> {
    let nub = |part: fn(&Record) -> usize| summary.nub.map_or_else(|| "?".to_owned(), |nub| thousands(part(nub)));
    let fastest = summary.fastest.map_or_else(
        || "none".to_owned(),
        |(record, seconds)| format!("{}, {seconds:.1} s (≤ {})", record.tool, thousands(summary.near)),
    );
    let mut row = vec![
        case.name.clone(),
        summary.peer.tool.clone(),
        thousands(summary.peer.size),
        nub(|record| record.size),
        thousands(summary.peer.tokens),
        nub(|record| record.tokens),
        thousands(summary.peer.tests),
        nub(|record| record.tests),
        fastest,
    ];
    row.extend(summary.met.map(|met| match met {
        Some(true) => "yes".to_owned(),
        Some(false) => "**no**".to_owned(),
        None => "?".to_owned(),
    }));
    row
}
