//! Inputs of the thesis with a real engine as the test: compares nub with the algorithms of the thesis.

use crate::{
    cases::{case::non_blank, record::reached},
    native,
    report::{Report, thousands},
};
use anyhow::{Context as _, Result, ensure};
use nub_recorded::javascript;
use serde_json::Value;
use std::{fs, os::unix::fs::PermissionsExt as _, path::Path, process::Command};

/// The message of Node.js about each input: the part that has to stay, which no other error has.
const MESSAGES: [(&str, &str); 8] = [
    ("3299", "print is not defined"),
    ("3361", "print is not defined"),
    ("3376", "id_1 is not defined"),
    ("3431", "object is not iterable"),
    ("3433", "has already been declared"),
    ("3483", "Unexpected identifier"),
    ("3506", "assert is not defined"),
    ("3534", "is not a function"),
];

/// A run: the size of its result in non-blank bytes, and how it got there.
struct Run {
    size: usize,
    tests: usize,
    /// Milliseconds, tests and sizes in all bytes.
    improvements: Vec<(u64, usize, usize)>,
    bytes: usize,
}

pub(crate) fn run(report: &mut Report) -> Result<()> {
    report.text(
        "The JavaScript inputs of the thesis, with Node.js as the test: a candidate is interesting if the engine \
         gives the same error as for the input. (Two of the ten recorded inputs run without an error.) All runs are \
         nub's, with one job: HDDr\\*, which needs the fewest tests of the fine-grained algorithms, Hoist\\*+HDDH\\*, \
         which has the smallest results, and nub without options. Cells show size in non-blank bytes / tests. *After \
         as many* is nub's size, in all bytes, after as many tests as HDDr\\* makes in total, beside the final size \
         of Hoist\\*+HDDH\\* in all bytes.",
    );
    let Some(cases) = javascript()? else {
        report.left_out();
        return Ok(());
    };
    let nub = native::build_nub()?;
    let folder = tempfile::tempdir()?;
    let (mut smaller, mut sooner, mut within_twice) = (0, 0, 0);
    let mut rows = vec![];
    for (number, message) in MESSAGES {
        let case = cases.iter().find(|case| case.number == number).context("an input is missing")?;
        let input = folder.path().join("input.js");
        let test = folder.path().join("test.sh");
        fs::write(&input, &case.input)?;
        fs::write(&test, format!("#!/bin/sh\ntimeout 10 node \"$1\" 2>&1 | grep -qF '{message}'\n"))?;
        fs::set_permissions(&test, fs::Permissions::from_mode(0o755))?;
        eprintln!("{number}: {message}");
        let [hddr, hoist, plain] = [&["--algorithm", "hddr*"][..], &["--algorithm", "hoist*+hddh*"], &[]]
            .map(|options| reduce(&nub, options, &test, &input, folder.path()));
        let (hddr, hoist, plain) = (hddr?, hoist?, plain?);
        let after = plain.improvements.iter().take_while(|(_, tests, _)| *tests <= hddr.tests).last();
        let after = after.map_or(case.input.len(), |(_, _, bytes)| *bytes);
        let needed = reached(&plain.improvements, hoist.bytes).map(|(_, tests)| tests);
        smaller += usize::from(plain.size < hoist.size);
        sooner += usize::from(after <= hoist.bytes);
        within_twice += usize::from(needed.is_some_and(|needed| needed <= 2 * hddr.tests.min(hoist.tests)));
        let cell = |run: &Run| format!("{} / {}", run.size, run.tests);
        rows.push(vec![
            format!("{number}: {message}"),
            thousands(non_blank(case.input.as_bytes())),
            cell(&hddr),
            cell(&hoist),
            cell(&plain),
            format!("{after} ({})", hoist.bytes),
            needed.map_or_else(|| "never".to_owned(), |needed| needed.to_string()),
        ]);
    }
    let heads = [
        "input",
        "size",
        "HDDr\\*",
        "Hoist\\*+HDDH\\*",
        "nub",
        "after as many tests as HDDr\\*",
        "nub's tests to the size of Hoist\\*+HDDH\\*",
    ];
    report.table(&heads, &rows);
    let of = |count| format!("{count} of {}", MESSAGES.len());
    let all = MESSAGES.len();
    report.goal("smaller than Hoist\\*+HDDH\\*", "every input", of(smaller), smaller == all);
    report.goal(
        "as small as Hoist\\*+HDDH\\* in no more tests than HDDr\\* makes",
        "every input",
        of(sooner),
        sooner == all,
    );
    report.goal(
        "no more than twice the tests of the better of the two to the size of Hoist\\*+HDDH\\*",
        "every input",
        of(within_twice),
        within_twice == all,
    );
    report.text(
        "nub then continues: its final result is a fraction of that size, and the remaining tests are the price of \
         knowing that no smaller result of this kind is left.",
    );
    Ok(())
}

fn reduce(nub: &Path, options: &[&str], test: &Path, input: &Path, folder: &Path) -> Result<Run> {
    let result = folder.join("result.js");
    let mut command = Command::new(nub);
    command.args(["--json", "--no-journal", "--no-format", "--jobs", "1"]).args(options);
    let output = command.arg(test).arg(input).arg("-o").arg(&result).output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let events: Vec<Value> =
        String::from_utf8_lossy(&output.stdout).lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let number = |event: &Value, name: &str| event[name].as_u64().unwrap_or_default() as usize;
    let best = events.iter().filter(|event| event["event"] == "best");
    let improvements = best.map(|event| (0, number(event, "tests"), number(event, "bytes"))).collect();
    let finish = events.last().context("no events")?;
    let bytes = fs::read(&result)?;
    fs::remove_file(&result)?;
    Ok(Run { size: non_blank(&bytes), tests: number(finish, "tests"), improvements, bytes: bytes.len() })
}
