//! The results of runs, stored in `results/NAME.json`.

use super::observe::Improvement;
use crate::report::thousands;
use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use std::{fs, mem, path::PathBuf};

/// The result of one run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) case: String,
    pub(crate) tool: String,
    /// The version that the tool reports.
    pub(crate) version: String,
    pub(crate) date: String,
    /// The time limit, in seconds.
    pub(crate) limit: u64,
    /// Whether it reached the limit.
    pub(crate) cut_off: bool,
    /// The error, if the tool reported one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) failed: Option<String>,
    /// Size of the result in non-blank bytes.
    pub(crate) size: usize,
    pub(crate) tokens: usize,
    pub(crate) tests: usize,
    pub(crate) seconds: f64,
    /// The processor time of the tool and its tests, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) processor: Option<f64>,
    /// Seconds until the best was at most twice as large as the result.
    pub(crate) half_way: f64,
    /// The load of the machine at the start.
    pub(crate) load: String,
    /// The load of the machine at the end.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) load_after: String,
    /// Every new best.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) improvements: Vec<Improvement>,
    /// The result as text, lossy if it is not UTF-8.
    pub(crate) result: String,
}

impl Record {
    /// When the best was first this small: after how many seconds, and tests.
    pub(crate) fn reached(&self, size: usize) -> Option<(f64, usize)> {
        reached(&self.improvements, size)
    }

    /// Size over seconds, as points of a line: a step function with few enough points to draw.
    pub(crate) fn curve(&self) -> Vec<(f64, f64)> {
        let mut points: Vec<(f64, f64)> = vec![];
        for &(milliseconds, _, size) in &self.improvements {
            // The axes are logarithmic.
            let (at, size) = ((milliseconds as f64 / 1000.0).max(0.1), size.max(1) as f64);
            if let Some(&(before, last)) = points.last() {
                if at < before * 1.01 && size > last * 0.97 {
                    continue;
                }
                points.push((at, last));
            }
            points.push((at, size));
        }
        points.extend(points.last().map(|&(at, _)| (at.max(self.seconds), self.size.max(1) as f64)));
        points
    }

    /// Its row in a table.
    pub(crate) fn row(&self) -> Vec<String> {
        let mark = if self.cut_off { "> " } else { "" };
        vec![
            self.tool.clone(),
            thousands(self.size),
            thousands(self.tokens),
            thousands(self.tests),
            format!("{mark}{:.1}", self.seconds),
            format!("{:.1}", self.half_way),
        ]
    }
}

/// When the best was first this small: after how many seconds, and tests.
pub(crate) fn reached(improvements: &[Improvement], size: usize) -> Option<(f64, usize)> {
    let found = improvements.iter().find(|(_, _, found)| *found <= size);
    found.map(|&(at, tests, _)| (at as f64 / 1000.0, tests))
}

/// All results on record.
pub(crate) struct Records {
    path: PathBuf,
    all: Vec<Record>,
}

impl Records {
    pub(crate) fn open(name: &str) -> Result<Self> {
        Self::at(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("results").join(name).with_extension("json"))
    }

    fn at(path: PathBuf) -> Result<Self> {
        let all = match fs::read_to_string(&path) {
            Ok(text) => serde_json::from_str(&text).with_context(|| format!("{} is damaged", path.display()))?,
            Err(_) => vec![],
        };
        Ok(Self { path, all })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(crate) fn find(&self, case: &str, tool: &str) -> Option<&Record> {
        self.all.iter().find(|record| record.case == case && record.tool == tool)
    }

    /// Adds a result, replacing an older one.
    pub(crate) fn add(&mut self, record: Record) -> Result<()> {
        // Another process may have added others meanwhile: a run takes minutes.
        *self = Self::at(mem::take(&mut self.path))?;
        self.all.retain(|old| (&old.case, &old.tool) != (&record.case, &record.tool));
        self.all.push(record);
        self.all.sort_by(|a, b| (&a.case, &a.tool).cmp(&(&b.case, &b.tool)));
        // One line for each, so that a new result is one new line.
        let lines: Vec<String> = self.all.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
        let text = format!("[\n{}\n]\n", lines.join(",\n"));
        let new = self.path.with_extension("new");
        let written = fs::write(&new, text).and_then(|()| fs::rename(&new, &self.path));
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(case: &str, size: usize) -> Record {
        let text = format!(
            r#"{{"case":"{case}","tool":"t","version":"","date":"","limit":1,"cut_off":false,"size":{size},"tokens":1,
                "tests":1,"seconds":1.0,"half_way":1.0,"load":"","result":""}}"#
        );
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn results_that_another_process_added_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let open = || Records::at(folder.path().join("records.json")).unwrap();
        let (mut one, mut other) = (open(), open());
        one.add(record("a", 1)).unwrap();
        other.add(record("b", 2)).unwrap();
        one.add(record("a", 3)).unwrap();
        let sizes = ["a", "b"].map(|case| open().find(case, "t").map(|record| record.size));
        assert_eq!(sizes, [Some(3), Some(2)]);
    }

    #[test]
    fn half_way_is_the_first_time_at_twice_the_size() {
        let improvements = [(0, 1, 90), (1500, 7, 21), (2500, 9, 20), (8000, 30, 10)];
        assert_eq!(reached(&improvements, 2 * 10), Some((2.5, 9)));
        assert_eq!(reached(&improvements, 9), None);
    }
}
