//! Does each pass earn its place? Runs nub without it, on the cases whose language is known.

use super::{
    Options,
    case::Case,
    measure,
    record::{Record, Records},
    run::Programs,
    tool::{Nub, Tool},
};
use crate::report::{Report, thousands};
use anyhow::{Result, ensure};
use nub_core::passes::PASSES;

/// Passes that are not in the plan for known languages.
const ELSEWHERE: [&str; 3] = ["repeats", "columns", "combinations"];

/// Runs the plan, and the plan without each of its passes.
pub(crate) fn run(report: &mut Report) -> Result<()> {
    let options = Options::read(report.options())?;
    let mut cases = Case::all()?;
    cases.retain(|case| case.language.is_some());
    let programs = Programs::new()?;
    let passes = PASSES.iter().map(|pass| pass.name).filter(|name| !ELSEWHERE.contains(name));
    let names = ["largest"].into_iter().chain(passes).chain(["hddhr*", "ddmin*"]);
    let without = names.map(|name| Nub::without(&programs.nub, name));
    let tools: Vec<Box<dyn Tool>> = [Nub::plain(&programs.nub)]
        .into_iter()
        .chain(without)
        .map(|tool| -> Box<dyn Tool> { Box::new(tool) })
        .collect();
    let mut records = Records::open("ablation")?;
    let missing = measure(&options, &tools, &cases, &programs, &mut records)?;
    ensure!(missing.is_empty(), "{}", missing.join("; "));
    cases.retain(|case| tools.iter().any(|tool| records.find(&case.name, tool.name()).is_some()));
    present(report, &tools, &cases, &records);
    Ok(())
}

fn present(report: &mut Report, tools: &[Box<dyn Tool>], cases: &[Case], records: &Records) {
    report.text(
        "The results and the number of tests of the plan for known languages on each case, and of the plan without \
         each of its passes: non-blank bytes / tests. A run that was cut off is marked with >. A pass earns its place \
         if the results without it are larger, or if the same results need more tests.",
    );
    let heads: Vec<&str> = ["plan"].into_iter().chain(cases.iter().map(|case| case.name.as_str())).collect();
    let cell = |record: &Record| {
        let cut_off = if record.cut_off { "> " } else { "" };
        format!("{} / {cut_off}{}", thousands(record.size), thousands(record.tests))
    };
    let row = |tool: &dyn Tool| {
        let cells = cases.iter().map(|case| records.find(&case.name, tool.name()).map_or_else(|| "-".to_owned(), cell));
        [tool.name().to_owned()].into_iter().chain(cells).collect()
    };
    let rows: Vec<Vec<String>> = tools.iter().map(|tool| row(tool.as_ref())).collect();
    report.table(&heads, &rows);
}
