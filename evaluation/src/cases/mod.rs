//! Real failures: how small does what get them, in how many tests, in how much time?
//!
//! Every run of a tool on a case is observed from outside, the same way for all: the test that the tool is given is
//! [`observe`], which runs the real test and writes down what came of it. Runs that are on record are not repeated, so
//! an interrupted experiment goes on where it was.

mod case;
pub(crate) mod observe;
mod record;
mod run;
mod tool;

use crate::report::{Report, thousands};
use anyhow::{Result, bail};
use case::Case;
use record::{Record, Records};
use run::Programs;
use std::time::Duration;
use tool::{ALGORITHMS, Tool};

/// What the user may say behind the name of the experiment.
struct Options {
    /// How long each run may take.
    limit: Duration,
    /// Only cases whose name contains this.
    case: Option<String>,
    /// Only tools whose name contains this.
    tool: Option<String>,
    /// Repeats what is on record.
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

    fn wants(&self, case: &Case, tool: &Tool) -> bool {
        let named = |name: &str, part: &Option<String>| part.as_ref().is_none_or(|part| name.contains(part));
        named(&case.name, &self.case) && named(tool.name, &self.tool)
    }
}

/// The algorithms of the papers on real failures.
pub(crate) fn run(report: &mut Report) -> Result<()> {
    let options = Options::read(report.options())?;
    let cases = Case::all()?;
    let programs = Programs::build()?;
    let mut records = Records::open("cases")?;
    for case in &cases {
        for tool in ALGORITHMS.iter().filter(|tool| options.wants(case, tool) && tool.fits(case)) {
            if !options.again && records.find(&case.name, tool.name).is_some() {
                continue;
            }
            eprintln!("{} with {}", case.name, tool.name);
            records.add(run::observed(case, tool, &programs, options.limit)?)?;
        }
    }
    present(report, &cases, &records);
    Ok(())
}

fn present(report: &mut Report, cases: &[Case], records: &Records) {
    report.text(
        "Each algorithm of the papers, with two jobs, and nub as it is without options. *Size* is in bytes that are not \
         blank, because blanks are a matter of taste; *tokens* are words, numbers and single other characters; *tests* are \
         those that were started, wherever they led; *half-way* is the time until the best was at most twice the size of \
         the final result. A run that was cut off is marked with >: its best so far counts. The runs were not all made in one \
         go, and some beside other work: `cases.json` has the date, the limit and the load of each, and what was left.",
    );
    for case in cases {
        report.section(&case.name);
        let language = case.language.as_deref().unwrap_or("none");
        report.text(&format!("{} bytes that are not blank; language: {language}.", thousands(case.size)));
        let rows: Vec<Vec<String>> =
            ALGORITHMS.iter().filter_map(|tool| records.find(&case.name, tool.name)).map(Record::row).collect();
        report.table(&["algorithm", "size", "tokens", "tests", "seconds", "half-way, s"], &rows);
    }
}
