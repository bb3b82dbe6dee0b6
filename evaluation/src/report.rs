//! The report of an experiment: Markdown with the results, how to read them, and the conditions of the measurement.

use crate::{chart::Chart, machine};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::{fmt::Write as _, fs, path::Path};

/// The result of one experiment.
pub(crate) struct Report {
    name: &'static str,
    question: &'static str,
    /// The options of the experiment.
    options: Vec<String>,
    /// The load of the machine before the experiment, which adds its own.
    load: String,
    goals: Vec<[String; 4]>,
    body: String,
    /// The tables again, for programs.
    tables: Vec<Value>,
    /// The heading above the next table.
    title: String,
    /// File names and contents of charts.
    charts: Vec<(String, String)>,
}

impl Report {
    pub(crate) fn new(name: &'static str, question: &'static str, options: &[String]) -> Self {
        let options = options.to_vec();
        Self {
            name,
            question,
            options,
            load: machine::load_average(),
            goals: vec![],
            body: String::new(),
            tables: vec![],
            title: String::new(),
            charts: vec![],
        }
    }

    /// The user's options for the experiment.
    pub(crate) fn options(&self) -> &[String] {
        &self.options
    }

    /// A paragraph.
    pub(crate) fn text(&mut self, text: &str) {
        self.body.push_str(text.trim());
        self.body.push_str("\n\n");
    }

    /// Notes that a part was left out because the recordings are missing.
    pub(crate) fn left_out(&mut self) {
        eprintln!("left out: no recordings at {}; set NUB_SHARED", nub_testing::shared_folder().display());
        self.text("*Left out: the recordings are not there (set `NUB_SHARED`).*");
    }

    /// A heading.
    pub(crate) fn section(&mut self, title: &str) {
        self.text(&format!("## {title}"));
        self.title = title.to_owned();
    }

    /// A table; the first column is text, the others are numbers.
    pub(crate) fn table(&mut self, head: &[&str], rows: &[Vec<String>]) {
        self.body.push_str(&table(head, rows));
        self.body.push('\n');
        self.tables.push(json!({ "section": self.title, "head": head, "rows": rows }));
    }

    /// A chart, in a separate file.
    pub(crate) fn chart(&mut self, name: &str, chart: &Chart<'_>) {
        let file = format!("{}-{name}.svg", self.name);
        self.text(&format!("![{}]({file})", chart.title));
        self.charts.push((file, chart.svg()));
    }

    /// A goal, and whether it was met.
    pub(crate) fn goal(&mut self, what: &str, wanted: &str, measured: String, met: bool) {
        self.goals.push([what.to_owned(), wanted.to_owned(), measured, if met { "yes" } else { "**no**" }.to_owned()]);
    }

    /// Prints the report and writes it to `results`: Markdown for people, JSON for programs.
    pub(crate) fn finish(self) -> Result<()> {
        let mut text = format!("# {}\n\n{}\n\n", self.name, self.question);
        let goals: Vec<Vec<String>> = self.goals.iter().map(|goal| goal.to_vec()).collect();
        if !goals.is_empty() {
            writeln!(text, "{}", table(&["goal", "wanted", "measured", "met"], &goals))?;
        }
        text.push_str(&self.body);
        let command = format!(
            "cargo run --release -p nub-evaluation -- {}",
            [&[self.name.to_owned()], &self.options[..]].concat().join(" ")
        );
        let conditions = machine::conditions();
        writeln!(text, "## Conditions\n\n- command: `{command}`")?;
        for line in &conditions {
            writeln!(text, "- {line}")?;
        }
        writeln!(text, "- load average before the experiment (1, 5, 15 minutes): {}", self.load)?;
        print!("{text}");
        let goal = |[what, wanted, measured, met]: &[String; 4]| json!({ "goal": what, "wanted": wanted, "measured": measured, "met": met == "yes" });
        let json = json!({
            "experiment": self.name,
            "question": self.question,
            "command": command,
            "conditions": conditions,
            "load": self.load,
            "goals": self.goals.iter().map(goal).collect::<Vec<_>>(),
            "tables": self.tables,
        });
        let json = serde_json::to_string_pretty(&json)? + "\n";
        let files = [(format!("{}.md", self.name), text), (format!("{}.tables.json", self.name), json)];
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
        for (file, content) in files.into_iter().chain(self.charts) {
            let path = folder.join(file);
            fs::write(&path, content).with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }
}

fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let line =
        |cells: &mut dyn Iterator<Item = &str>| cells.fold(String::from("|"), |line, cell| line + " " + cell + " |");
    let mut text = line(&mut head.iter().copied()) + "\n|---|" + &"---:|".repeat(head.len() - 1) + "\n";
    for row in rows {
        assert_eq!(row.len(), head.len(), "as many cells as columns");
        text += &line(&mut row.iter().map(String::as_str));
        text.push('\n');
    }
    text
}

/// A number with thousands separators, so that 66097 and 6609 look different.
pub(crate) fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
    groups.join(",")
}

/// By how many percent `new` is above or below `old`.
pub(crate) fn change(old: f64, new: f64) -> String {
    format!("{:+.1} %", (new / old - 1.0) * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(change(200.0, 150.0), "-25.0 %");
    }

    #[test]
    fn tables_are_markdown() {
        let rows = [vec!["x".to_owned(), "1".to_owned()]];
        assert_eq!(table(&["a", "b"], &rows), "| a | b |\n|---|---:|\n| x | 1 |\n");
    }
}
