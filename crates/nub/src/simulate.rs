//! `nub simulate JOURNAL`: how a finished reduction would have gone with more workers.
//!
//! The search of the recorded run is repeated with virtual workers. Outcomes and times come from the journal. Candidates
//! that only speculation proposes are not in it: they are assumed to be uninteresting, as most are, and to take the usual
//! time.

use crate::{
    algorithm::Strategy,
    args::{Cli, SimulateArgs},
    front_end, report, session,
    settings::Usage,
};
use anyhow::{Result, bail};
use nub_core::Edit;
use nub_report::Text;
use nub_run::{
    Fingerprint, Outcome, Simulated, VirtualTest,
    journal::{Event, Executed, Reader, Record},
    simulate,
};
use serde_json::json;
use std::{cell::Cell, collections::HashMap, fmt::Write as _, path::Path, sync::Arc, time::Duration};

/// A test in the journal.
#[derive(Clone, Copy)]
struct Known {
    outcome: Outcome,
    elapsed: Duration,
    /// How long no test ran before it, while nub computed the candidate.
    overhead: Duration,
}

/// All tests in the journal.
struct Tests {
    by_content: HashMap<Fingerprint, Known>,
    /// A typical test.
    usual: Known,
}

/// The recorded tests in a simulation.
struct Recorded<'a> {
    tests: &'a Tests,
    /// The factor by which tests are slower.
    slower: f64,
    /// How many candidates were not in the journal.
    unknown: &'a Cell<usize>,
}

impl Recorded<'_> {
    fn find(&self, edit: &Edit) -> Option<&Known> {
        self.tests.by_content.get(&Fingerprint::of(&*edit.content))
    }
}

impl VirtualTest for Recorded<'_> {
    fn overhead(&mut self, edit: &Edit) -> Duration {
        self.find(edit).unwrap_or(&self.tests.usual).overhead
    }

    fn elapsed(&mut self, edit: &Edit) -> Duration {
        let known = self.find(edit);
        self.unknown.set(self.unknown.get() + usize::from(known.is_none()));
        known.unwrap_or(&self.tests.usual).elapsed.mul_f64(self.slower)
    }

    fn outcome(&mut self, edit: &Edit) -> Outcome {
        self.find(edit).unwrap_or(&self.tests.usual).outcome
    }
}

/// Returns a table, or lines of JSON.
pub fn main(args: &SimulateArgs) -> Result<String> {
    let journal = &args.journal;
    if !(args.slower.is_finite() && args.slower > 0.0 && args.slower <= 1000.0) {
        return Err(Usage("--slower needs a factor greater than 0 and at most 1000, e.g. 1.2".to_owned()).into());
    }
    let (header, cli) = session::recorded(journal)?;
    let Some(Cli { command: None, reduce, .. }) = cli else {
        bail!("{} is not the journal of a reduction: nub can simulate only reductions", journal.display());
    };
    let Text::Known(original) = report::find_original(journal, &header) else {
        bail!("the original contents of {} no longer exist: restore them to simulate the run", header.input.display());
    };
    let front_end = front_end::for_reduction(&reduce.algorithm, &header.input, &original)?;
    let strategy = Strategy::new(&reduce.algorithm, front_end)?;
    // No test is run, so any will do; but the search must be the recorded one.
    let mut settings = strategy.settings();
    settings["test"] = header.settings["test"].clone();
    header.check_settings(journal, &settings)?;
    let tests = Tests::read(journal, header.jobs)?;

    let original: Arc<[u8]> = original.into();
    let search = strategy.search(original);
    let run = |workers: u16| {
        let unknown = Cell::new(0);
        let slower = if workers > 1 { args.slower } else { 1.0 };
        let test = Recorded { tests: &tests, slower, unknown: &unknown };
        let simulated = simulate(search.clone(), strategy.cache, workers.into(), test);
        (simulated, unknown.get())
    };
    let (one, _) = run(1);
    let mut text = String::new();
    if !args.json {
        text.push_str("workers  seconds  speed-up   tests   wasted  idle\n");
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
    let wasted = many.wasted + many.cancelled;
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
        writeln!(text, "{workers:>7}  {seconds:>7.2}  {speed_up:>8.2}  {:>6}  {wasted:>7}  {idle:>4}", many.tests)?;
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
                "{0} is the journal of an unfinished reduction: finish it first with `nub --resume --journal {0}`",
                journal.display()
            );
        }
        // With several jobs at a time, the gaps between tests do not show how long nub computed.
        let alone = jobs == Some(1);
        let mut before = None;
        let mut known = |test: &Executed| {
            let overhead = before.map_or(Duration::ZERO, |ended| test.started.saturating_sub(ended));
            before = Some(test.ended());
            let overhead = if alone { overhead } else { Duration::ZERO };
            Known { outcome: test.outcome, elapsed: test.duration, overhead }
        };
        let by_content: HashMap<_, _> = executed.iter().map(|test| (test.fingerprint, known(test))).collect();
        let median = |part: fn(&Known) -> Duration| {
            let mut times: Vec<Duration> = by_content.values().map(part).collect();
            times.sort_unstable();
            times.get(times.len() / 2).copied().unwrap_or_default()
        };
        let usual = Known {
            outcome: Outcome::Uninteresting,
            elapsed: median(|known| known.elapsed),
            overhead: median(|known| known.overhead),
        };
        Ok(Self { by_content, usual })
    }
}
