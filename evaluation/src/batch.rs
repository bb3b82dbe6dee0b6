//! Runs many experiments one after the other: `evaluation/run`.
//!
//! An interrupted run resumes where it was: finished experiments are recorded beside the program, together with the
//! state of the source that was measured. (Experiments that take hours also keep every single measurement.)

use crate::{EXPERIMENTS, Experiment, Group, machine};
use anyhow::{Context as _, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// The options of `run`.
pub(crate) const OPTIONS: &str =
    "[--fidelity] [--effects] [--peers] [--scaling] [--speed] [--parsers] [NAME ...] [--again] [--list]";

/// The progress of an interrupted run.
#[derive(Default, Serialize, Deserialize)]
struct Progress {
    /// The state of the source that was measured.
    commit: String,
    done: Vec<String>,
}

impl Progress {
    fn path() -> Result<PathBuf> {
        Ok(std::env::current_exe()?.with_file_name("evaluation-progress.json"))
    }

    /// The progress of a run on the same source, or none.
    fn open(commit: &str) -> Result<Self> {
        let text = fs::read_to_string(Self::path()?).unwrap_or_default();
        let progress: Self = serde_json::from_str(&text).unwrap_or_default();
        Ok(if progress.commit == commit { progress } else { Self { commit: commit.to_owned(), done: vec![] } })
    }

    fn add(&mut self, name: &str) -> Result<()> {
        self.done.push(name.to_owned());
        Ok(fs::write(Self::path()?, serde_json::to_string(self)?)?)
    }

    fn forget() -> Result<()> {
        Ok(fs::remove_file(Self::path()?).or_else(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Ok(()),
            _ => Err(error),
        })?)
    }
}

/// Runs the experiments that the options name, or all.
pub(crate) fn run(options: &[String]) -> Result<()> {
    let (mut groups, mut names, mut again, mut list) = (vec![], vec![], false, false);
    for option in options {
        match option.strip_prefix("--") {
            Some("again") => again = true,
            Some("list") => list = true,
            Some(group) => match Group::ALL.iter().find(|(_, name)| *name == group) {
                Some((group, _)) => groups.push(*group),
                None => bail!("there is no option {option}; the options are {OPTIONS}"),
            },
            None => names.push(option.as_str()),
        }
    }
    if let Some(unknown) = names.iter().find(|name| EXPERIMENTS.iter().all(|experiment| experiment.name != **name)) {
        bail!("there is no experiment {unknown}\n\n{}", crate::usage());
    }
    let wanted = |experiment: &&Experiment| {
        groups.is_empty() && names.is_empty() || groups.contains(&experiment.group) || names.contains(&experiment.name)
    };
    let chosen: Vec<&Experiment> = EXPERIMENTS.iter().filter(wanted).collect();
    if list {
        for experiment in chosen {
            println!("{:20}{}", experiment.name, experiment.question);
        }
        return Ok(());
    }
    ensure!(!cfg!(debug_assertions), "only optimised code is worth measuring: use cargo run --release");
    if again {
        Progress::forget()?;
    }
    let mut progress = Progress::open(&machine::source())?;
    let start = Instant::now();
    let mut failed = vec![];
    for (number, experiment) in chosen.iter().enumerate() {
        let place = format!("[{} of {}] {}", number + 1, chosen.len(), experiment.name);
        if progress.done.iter().any(|done| done == experiment.name) {
            eprintln!("{place}: done before (--again to repeat it)");
            continue;
        }
        eprintln!("{place}: {}", experiment.question);
        let begun = Instant::now();
        // Each in a separate process, so that memory left over from one is not measured by the next.
        let status = Command::new(std::env::current_exe()?).arg(experiment.name).stdout(Stdio::null()).status()?;
        if status.success() {
            eprintln!("{place}: {} after {}", goals(experiment.name)?, people(begun.elapsed()));
            progress.add(experiment.name)?;
        } else {
            eprintln!("{place}: failed ({status}) after {}", people(begun.elapsed()));
            failed.push(experiment.name);
        }
    }
    write_index()?;
    eprintln!("total: {}", people(start.elapsed()));
    ensure!(failed.is_empty(), "failed: {}; run the same command to continue", failed.join(", "));
    Progress::forget()
}

fn results() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("results")
}

/// The tables of an experiment, if they exist.
fn tables(name: &str) -> Result<Option<Value>> {
    let path = results().join(format!("{name}.tables.json"));
    let Ok(text) = fs::read_to_string(&path) else { return Ok(None) };
    Ok(Some(serde_json::from_str(&text).with_context(|| format!("{} is damaged", path.display()))?))
}

/// How many of its goals an experiment has met.
fn goals(name: &str) -> Result<String> {
    let tables = tables(name)?.unwrap_or_default();
    let goals = tables["goals"].as_array().map(Vec::as_slice).unwrap_or_default();
    let met = goals.iter().filter(|goal| goal["met"] == true).count();
    Ok(if goals.is_empty() { "no goals".to_owned() } else { format!("{met} of {} goals met", goals.len()) })
}

/// The table of contents of the results.
fn write_index() -> Result<()> {
    let mut text = String::from(
        "# Results\n\nWritten by `evaluation/run`. Each page states the conditions of its measurements; \
         `NAME.tables.json` has the same tables for programs.\n\n\
         | experiment | question | goals | date |\n|---|---|---|---|\n",
    );
    for Experiment { name, question, .. } in &EXPERIMENTS {
        let (goals, date) = match tables(name)? {
            Some(tables) => {
                let date = tables["conditions"][0].as_str().and_then(|line| line.strip_prefix("date: "));
                (goals(name)?, date.unwrap_or("unknown").to_owned())
            }
            // Written before there were tables for programs.
            None if results().join(format!("{name}.md")).exists() => ("see there".to_owned(), "see there".to_owned()),
            None => continue,
        };
        writeln!(text, "| [{name}]({name}.md) | {question} | {goals} | {date} |")?;
    }
    let path = results().join("README.md");
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn people(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..120 => format!("{seconds} s"),
        seconds @ 120..7200 => format!("{} min", seconds / 60),
        seconds => format!("{:.1} h", seconds as f64 / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_for_people() {
        let texts = [5, 119, 120, 7199, 9000].map(|seconds| people(Duration::from_secs(seconds)));
        assert_eq!(texts, ["5 s", "119 s", "2 min", "119 min", "2.5 h"]);
    }

    #[test]
    fn groups_are_not_empty_and_options_are_known() {
        for (group, name) in Group::ALL {
            assert!(EXPERIMENTS.iter().any(|experiment| experiment.group == group), "{name}");
            assert!(OPTIONS.contains(&format!("--{name}")), "{name}");
        }
        assert!(run(&["--nonsense".to_owned()]).is_err());
        assert!(run(&["nonsense".to_owned()]).is_err());
    }
}
