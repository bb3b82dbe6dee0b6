//! Real failures: how small does each tool make them, in how many tests, in how much time?
//!
//! Every run of a tool on a case is observed from outside, in the same way for all: the tool gets [`observe`] as its
//! test, which runs the real test and records the outcome. Runs that are on record are not repeated, so an interrupted
//! experiment continues where it was.

pub(crate) mod ablation;
pub(crate) mod case;
pub(crate) mod observe;
pub(crate) mod peers;
mod processes;
pub(crate) mod record;
mod run;
mod tool;

use crate::report::{Report, thousands};
use anyhow::{Result, bail, ensure};
use case::Case;
use record::Records;
use run::Programs;
use std::time::Duration;
use tool::{Nub, Tool};

/// The options after the name of the experiment.
struct Options {
    /// How long each run may take.
    limit: Duration,
    /// Only cases whose name contains this.
    case: Option<String>,
    /// Only tools whose name contains one of these, separated by commas.
    tool: Option<String>,
    /// Repeat runs that are on record.
    again: bool,
}

impl Options {
    fn read(words: &[String]) -> Result<Self> {
        let mut options = Self { limit: Duration::from_secs(300), case: None, tool: None, again: false };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().cloned().ok_or_else(|| anyhow::anyhow!("{word} needs a value"));
            match word.as_str() {
                "--seconds" => options.limit = Duration::from_secs(value()?.parse()?),
                "--case" => options.case = Some(value()?),
                "--tool" => options.tool = Some(value()?),
                "--again" => options.again = true,
                _ => bail!("unknown option {word}; there are --seconds N, --case NAME, --tool NAME, --again"),
            }
        }
        Ok(options)
    }

    fn wants_case(&self, case: &Case) -> bool {
        self.case.as_ref().is_none_or(|part| case.name.contains(part))
    }

    fn wants_tool(&self, tool: &dyn Tool) -> bool {
        self.tool.as_ref().is_none_or(|parts| parts.split(',').any(|part| tool.name().contains(part)))
    }
}

/// The algorithms of the papers on real failures.
pub(crate) fn run(report: &mut Report) -> Result<()> {
    let options = Options::read(report.options())?;
    let cases = Case::all()?;
    let programs = Programs::new()?;
    let tools = Nub::algorithms(&programs.nub);
    let mut records = Records::open("cases")?;
    let missing = measure(&options, &tools, &cases, &programs, &mut records)?;
    ensure!(missing.is_empty(), "{}", missing.join("; "));
    present(report, &tools, &cases, &records);
    Ok(())
}

/// Runs all selected tools on all selected cases that are not on record. A tool that cannot be used is left out;
/// returns which those are, and why.
fn measure(
    options: &Options,
    tools: &[Box<dyn Tool>],
    cases: &[Case],
    programs: &Programs,
    records: &mut Records,
) -> Result<Vec<String>> {
    let mut missing = vec![];
    for tool in tools.iter().filter(|tool| options.wants_tool(tool.as_ref())) {
        let open = |case: &&Case| options.again || records.find(&case.name, tool.name()).is_none();
        let fitting = cases.iter().filter(|case| options.wants_case(case) && tool.fits(case));
        let open: Vec<&Case> = fitting.filter(open).collect();
        if open.is_empty() {
            continue;
        }
        if let Err(error) = tool.install() {
            eprintln!("{} cannot be installed: {error:#}", tool.name());
            missing.push(format!("{}: {error:#}", tool.name()));
            continue;
        }
        for case in open {
            eprintln!("{} with {}", case.name, tool.name());
            match run::observed(case, tool.as_ref(), programs, options.limit) {
                Ok(record) => {
                    eprintln!("  {}", record.row().join(" | "));
                    records.add(record)?;
                }
                Err(error) => {
                    eprintln!("{} could not be observed: {error:#}", tool.name());
                    missing.push(format!("{} on {}: {error:#}", tool.name(), case.name));
                }
            }
        }
    }
    Ok(missing)
}

fn present(report: &mut Report, tools: &[Box<dyn Tool>], cases: &[Case], records: &Records) {
    report.text(
        "Each algorithm of the papers, with two jobs, and nub without options. *Size* is in non-blank bytes, because \
         blanks are a matter of taste; *tokens* are words, numbers and single other characters; *tests* are those \
         that were started, whatever their outcome; *half-way* is the time until the best was at most twice the size \
         of the final result. A run that was cut off is marked with >: its best so far counts. The runs were made at \
         different times, some beside other work: `cases.json` has the date, the time limit, the load and the result \
         of each. The last column is the number of tests that nub without options needs to be as small.",
    );
    let (mut soon, mut all) = (0, 0);
    for case in cases {
        report.section(&case.name);
        let language = case.language.as_deref().unwrap_or("none");
        report.text(&format!("{} non-blank bytes; language: {language}.", thousands(case.size)));
        let default = records.find(&case.name, "default");
        let mut rows = vec![];
        for record in tools.iter().filter_map(|tool| records.find(&case.name, tool.name())) {
            let mut row = record.row();
            let needed = default.and_then(|default| default.reached(record.size)).map(|(_, tests)| tests);
            row.push(needed.map_or_else(|| "never".to_owned(), thousands));
            rows.push(row);
            if record.tool != "default" {
                all += 1;
                soon += usize::from(needed.is_some_and(|needed| needed <= 2 * record.tests));
            }
        }
        report.table(&["algorithm", "size", "tokens", "tests", "seconds", "half-way, s", "nub, tests"], &rows);
    }
    report.goal(
        "no more than twice the tests of an algorithm of the papers to its size",
        "every algorithm and case",
        format!("{soon} of {all}"),
        soon == all,
    );
}
