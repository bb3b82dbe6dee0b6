//! `nub simulate JOURNAL`: what a finished reduction would have been like with more workers.
//!
//! The search of the recorded run is repeated with virtual workers. Verdicts and times are those of the journal. Candidates
//! that only speculation asks about are not in it: they are taken as uninteresting, as most are, and as taking the usual time.

use crate::{
    algorithm::Plan,
    args::{Cli, SimulateArgs},
    report, session,
    structure::Structure,
};
use anyhow::{Result, bail};
use nub_core::{Edit, Stages};
use nub_report::Text;
use nub_run::{
    Fingerprint, Outcome, Simulated, VirtualMachine,
    journal::{Event, Executed, Reader, Record},
    simulate,
};
use serde_json::json;
use std::{cell::Cell, collections::HashMap, fmt::Write as _, path::Path, sync::Arc, time::Duration};

/// What the journal says about the tests.
struct Tests {
    by_content: HashMap<Fingerprint, (Outcome, Duration)>,
    /// How long a test takes, usually.
    usual: Duration,
    /// How much time there was between two tests, on average; nothing if they overlapped.
    between: Duration,
}

/// A table, or lines of JSON.
pub fn main(args: &SimulateArgs) -> Result<String> {
    let journal = &args.journal;
    let (header, cli) = session::recorded(journal)?;
    let Some(Cli { command: None, reduce }) = cli else {
        bail!("{} is not the journal of a reduction: only those can be simulated", journal.display());
    };
    let Text::Known(original) = report::find_original(journal, &header) else {
        bail!("the input that {} began with is not there any more: put it back to simulate", header.input.display());
    };
    let structure = Structure::find(&reduce.algorithm, &header.input, &original)?;
    let plan = Plan::new(&reduce.algorithm, &structure)?;
    // Nobody runs the test, so it may be any; but the search must be the recorded one.
    let mut settings = plan.settings();
    settings["test"] = header.settings["test"].clone();
    header.check_settings(journal, &settings)?;
    let tests = Tests::read(journal, header.jobs)?;

    let original: Arc<[u8]> = original.into();
    let stages = Stages::new(plan.stages.clone(), original).with_effort(plan.effort);
    let run = |workers: u16| {
        let unknown = Cell::new(0);
        let known = |edit: &Edit| tests.by_content.get(&Fingerprint::of(&*edit.content));
        let elapsed = |edit: &Edit| match known(edit) {
            Some((_, elapsed)) => *elapsed,
            None => {
                unknown.set(unknown.get() + 1);
                tests.usual
            }
        };
        let outcome = |edit: &Edit| known(edit).map_or(Outcome::Uninteresting, |(outcome, _)| *outcome);
        let machine = VirtualMachine { workers: workers.into(), overhead: tests.between };
        let simulated = simulate(stages.clone(), plan.cache, machine, (elapsed, outcome));
        (simulated, unknown.get())
    };
    let (one, _) = run(1);
    let mut text = String::new();
    if !args.json {
        text.push_str("workers  seconds  speed-up   tests  in vain  idle\n");
    }
    for &workers in &args.jobs {
        let (simulated, unknown) = if workers == 1 { (one.clone(), 0) } else { run(workers) };
        write(&mut text, args.json, workers, &one, &simulated, unknown)?;
    }
    Ok(text)
}

fn write(text: &mut String, json: bool, workers: u16, one: &Simulated, many: &Simulated, unknown: usize) -> Result<()> {
    let seconds = many.elapsed.as_secs_f64();
    let speed_up = one.elapsed.as_secs_f64() / seconds.max(f64::MIN_POSITIVE);
    let idle = many.idle.as_secs_f64() / (seconds * f64::from(workers)).max(f64::MIN_POSITIVE);
    let in_vain = many.wasted + many.cancelled;
    if json {
        let line = json!({
            "workers": workers,
            "seconds": seconds,
            "speed_up": speed_up,
            "tests": many.tests,
            "wasted": many.wasted,
            "cancelled": many.cancelled,
            "idle": idle,
            "unknown": unknown,
        });
        writeln!(text, "{line}")?;
    } else {
        let idle = format!("{:.0} %", 100.0 * idle);
        writeln!(text, "{workers:>7}  {seconds:>7.2}  {speed_up:>8.2}  {:>6}  {in_vain:>7}  {idle:>4}", many.tests)?;
    }
    Ok(())
}

impl Tests {
    fn read(journal: &Path, jobs: Option<usize>) -> Result<Self> {
        let mut reader = Reader::open(journal)?;
        let mut executed: Vec<Executed> = vec![];
        let mut finished = false;
        for record in &mut reader {
            match record? {
                Record::Executed(test) => executed.push(test),
                Record::Session(session) => finished = session.event == Event::Finished,
                _ => {}
            }
        }
        if !finished {
            bail!(
                "{} is the journal of a reduction that has not come to its end: nobody knows what would have come next",
                journal.display()
            );
        }
        let by_content = executed.iter().map(|test| (test.fingerprint, (test.outcome, test.duration))).collect();
        let mut times: Vec<Duration> = executed.iter().map(|test| test.duration).collect();
        let between = match &executed[..] {
            [first, .., last] if jobs == Some(1) => {
                let tests: Duration = times[..times.len() - 1].iter().sum();
                last.started.saturating_sub(first.started).saturating_sub(tests) / (times.len() - 1).try_into()?
            }
            _ => Duration::ZERO,
        };
        times.sort_unstable();
        let usual = times.get(times.len() / 2).copied().unwrap_or_default();
        Ok(Self { by_content, usual, between })
    }
}
