//! Trees of ANTLR grammars: our engine against the Java tool, both from a cold start.

use crate::report::{Report, thousands};
use anyhow::{Context, Result, ensure};
use nub_testing::{find_shared, shared_folder};
use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

pub(crate) fn run(report: &mut Report) -> Result<()> {
    report.text(
        "Each run is a separate process, from its start to the text of the tree, measured from outside: wall clock, \
         processor time (user and system, of all threads) and the largest resident set. The Java parser was generated \
         and compiled beforehand; ours starts from the `.g4` files. Of three runs, the one with the least processor \
         time counts. Java has its default heap and uses as much as it is allowed, so its memory is what a user sees \
         and not the least it could run with. Times below 0.1 s are coarse: the clock ticks in hundredths. Inputs \
         other than `large.c` are concatenated from smaller ones. (`crates/nub-antlr/tests/oracle/bench`)",
    );
    if find_shared("grammars").is_none() {
        report.left_out();
        return Ok(());
    }
    let rows = rows(&bench(&shared_folder())?)?;
    let cells = rows.iter().map(Row::cells).collect::<Vec<_>>();
    let head = [
        "input",
        "bytes",
        "Java, wall",
        "CPU",
        "memory",
        "ours, wall",
        "CPU",
        "memory",
        "Java / ours: wall",
        "CPU",
        "memory",
        "trees",
    ];
    report.table(&head, &cells);
    goals(report, &rows)
}

/// The output of the script.
fn bench(shared: &Path) -> Result<String> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/nub-antlr");
    let script = manifest.join("tests/oracle/bench");
    let output = Command::new(script).arg(example()?).env("NUB_SHARED", shared).stderr(Stdio::inherit()).output()?;
    ensure!(output.status.success(), "the script failed: it needs Java and GNU time");
    Ok(String::from_utf8(output.stdout)?)
}

/// Our side: the example that prints trees.
fn example() -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--quiet", "--release", "--package", "nub-antlr", "--example", "lisp", "--manifest-path"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .status()?;
    ensure!(built.success(), "the example cannot be built");
    // It is next to this program.
    Ok(std::env::current_exe()?.with_file_name("examples").join("lisp"))
}

/// Seconds, seconds of processor time, and MiB.
type Cost = [f64; 3];

struct Row {
    input: String,
    bytes: usize,
    java: Cost,
    ours: Cost,
    trees: String,
}

impl Row {
    /// How many times as much Java needs.
    fn ratios(&self) -> Cost {
        [0, 1, 2].map(|what| self.java[what] / self.ours[what].max(0.01))
    }

    fn cells(&self) -> Vec<String> {
        let shown =
            |[wall, cpu, memory]: Cost| [format!("{wall:.2} s"), format!("{cpu:.2} s"), format!("{memory:.0} MiB")];
        let mut cells = vec![self.input.clone(), thousands(self.bytes)];
        cells.extend(shown(self.java).into_iter().chain(shown(self.ours)));
        cells.extend(self.ratios().map(|ratio| format!("{ratio:.1}")));
        cells.push(self.trees.clone());
        cells
    }
}

/// The rows of the script's table, without the header.
fn rows(table: &str) -> Result<Vec<Row>> {
    table.lines().filter(|line| line.starts_with('|')).skip(2).map(row).collect()
}

fn row(line: &str) -> Result<Row> {
    let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
    let number = |at: usize| -> Result<f64> {
        cells.get(at).and_then(|cell| cell.parse().ok()).with_context(|| format!("cannot read {line}"))
    };
    Ok(Row {
        input: cells[0].to_owned(),
        bytes: number(1)? as usize,
        java: [number(2)?, number(3)?, number(4)?],
        ours: [number(5)?, number(6)?, number(7)?],
        trees: cells.last().copied().unwrap_or_default().to_owned(),
    })
}

fn goals(report: &mut Report, rows: &[Row]) -> Result<()> {
    let names = ["wall clock", "processor time", "memory"];
    for (what, (name, wanted)) in names.into_iter().zip([5.0, 5.0, 3.0]).enumerate() {
        let least = rows.iter().map(|row| (row.ratios()[what], &row.input)).min_by(|a, b| a.0.total_cmp(&b.0));
        let (ratio, input) = least.context("the script measured nothing")?;
        let question = format!("{name}: Java / ours, at least");
        report.goal(&question, &format!(">= {wanted:.0}"), format!("{ratio:.1} ({input})"), ratio >= wanted);
    }
    let large = rows.iter().find(|row| row.input == "large.c").context("large.c was not measured")?;
    let [_, cpu, memory] = large.ours;
    let megabytes = memory * 1.048_576;
    report.goal("processor time for large.c", "< 2.5 s", format!("{cpu:.2} s"), cpu < 2.5);
    report.goal("memory for large.c", "< 300 MB", format!("{megabytes:.0} MB"), megabytes < 300.0);
    let identical = rows.iter().filter(|row| row.trees == "identical").count();
    report.goal("identical trees", "all", format!("{identical} of {}", rows.len()), identical == rows.len());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_the_script_is_read() {
        let head = "| input | bytes | … |\n| --- | --- | --- |\n";
        let line =
            "| large.c | 1000 | 3.00 | 6.00 | 600 | 0.50 | 0.40 | 100 | 6.0 | 15.0 | 6.0 | identical |\n\nLoad: 1\n";
        let rows = rows(&format!("{head}{line}")).unwrap();
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].ratios(), [6.0, 15.0, 6.0]);
        assert_eq!(rows[0].cells()[11], "identical");
    }
}
