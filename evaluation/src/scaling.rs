//! How nub scales: runs with virtual workers, and how well that predicts real ones.

use crate::{
    cases::case::Case,
    chart::{Axis, Chart},
    measure::timed,
    native,
    report::{Report, thousands},
    synthetic::Family,
};
use anyhow::{Context as _, Result, ensure};
use nub_core::{Edit, Granularity, ListAlgorithm, Search, TextPhase, TextSearch};
use nub_recorded::javascript;
use nub_run::{CacheSettings, Fingerprint, Outcome, Simulated, simulate};
use serde_json::Value;
use std::{fs, path::Path, process::Command, thread, time::Duration};

const WORKERS: [usize; 8] = [1, 2, 4, 8, 16, 64, 256, 1000];

/// How long tests take, with a mean of one second.
#[derive(Clone, Copy)]
enum Times {
    /// All the same.
    Constant,
    /// Any time, short ones more often.
    Exponential,
    /// Nine out of ten are refused at once, the tenth takes long: a syntax error, or a compilation.
    TwoKinds,
    /// A few take very long: time-outs.
    HeavyTail,
}

impl Times {
    const ALL: [(Self, &'static str); 4] = [
        (Self::Constant, "constant"),
        (Self::Exponential, "exponential"),
        (Self::TwoKinds, "two kinds"),
        (Self::HeavyTail, "heavy tail"),
    ];

    /// The time of one candidate: the same in every run, whoever asks.
    fn of(self, edit: &Edit) -> Duration {
        if let Self::Constant = self {
            return Duration::from_secs(1);
        }
        let bits = Fingerprint::of(&*edit.content).bits();
        let uniform = ((bits >> 64) as u64 >> 11) as f64 / (1_u64 << 53) as f64;
        let seconds = match self {
            Self::Constant => 1.0,
            Self::Exponential => -(1.0 - uniform).ln(),
            Self::TwoKinds if uniform < 0.9 => 0.1,
            Self::TwoKinds => 9.1,
            // Pareto with exponent 2, cut off at 100 times the least, scaled to a mean of about one.
            Self::HeavyTail => 0.5 / (1.0 - uniform * 0.9999).sqrt(),
        };
        Duration::from_secs_f64(seconds)
    }
}

/// Something to simulate.
struct Workload {
    name: String,
    run: Box<dyn Fn(usize, Times) -> Simulated>,
}

impl Workload {
    fn new<S: Search<Proposal = Edit> + 'static>(
        name: String,
        search: S,
        cache: CacheSettings,
        is_interesting: impl Fn(&[u8]) -> bool + 'static,
    ) -> Self {
        let run = move |workers, times: Times| {
            let outcome = |edit: &Edit| match is_interesting(&edit.content.to_vec()) {
                true => Outcome::Interesting,
                false => Outcome::Uninteresting,
            };
            simulate(search.clone(), cache, workers, (|edit: &Edit| times.of(edit), outcome))
        };
        Self { name, run: Box::new(run) }
    }
}

pub(crate) fn run(report: &mut Report) -> Result<()> {
    report.text(
        "A simulated run is the real scheduler's speculation with virtual workers and virtual time: every outcome is known or \
         computed, and the time of a test is drawn from a distribution with a mean of one second, the same for the same \
         candidate. *Speed-up* is against one worker; *wasted* tests are those that the sequential algorithm would not have \
         made, in percent of those that it makes, finished or cancelled half-way; *idle* is the part of the workers' time in \
         which there was nothing to do. The result is the same for every number of workers.",
    );
    let workloads = workloads()?;
    over_workers(report, &workloads);
    over_times(report, &workloads);
    against_reality(report)
}

fn workloads() -> Result<Vec<Workload>> {
    let mut workloads = vec![];
    for family in [Family::Programs, Family::Blocks, Family::Chains] {
        let input = family.generate(500, 1);
        let pass = TextPhase { granularity: Granularity::Line, algorithm: ListAlgorithm::default() };
        let search = TextSearch::new([pass], &input.text[..]);
        let name = format!("ddmin\\*, {} of 500 lines", family.name());
        workloads.push(Workload::new(name, search, CacheSettings::default(), move |text| input.is_interesting(text)));
    }
    // What only speculation asks about was never recorded. Most candidates are uninteresting.
    for case in javascript()?.unwrap_or_default() {
        for (variant, name) in [("ddminstar_both", "ddmin\\*"), ("hoist_hddh", "Hoist\\*+HDDH\\*")] {
            if case.number != "3506" {
                continue;
            }
            let recording = case.variant(variant).context("a recorded run is missing")?.clone();
            let (search, cache) = (recording.search(), recording.settings().cache);
            let name = format!("{name}, JavaScript {}", case.number);
            let is_interesting = move |text: &[u8]| recording.oracle.is_interesting(text).unwrap_or(false);
            workloads.push(Workload::new(name, search, cache, is_interesting));
        }
    }
    Ok(workloads)
}

fn speed_up(one: &Simulated, many: &Simulated) -> f64 {
    one.elapsed.as_secs_f64() / many.elapsed.as_secs_f64().max(f64::MIN_POSITIVE)
}

fn over_workers(report: &mut Report, workloads: &[Workload]) {
    report.section("Over the number of workers");
    let mut rows = vec![];
    let mut lines = vec![];
    for workload in workloads {
        eprintln!("{}", workload.name);
        let one = (workload.run)(1, Times::Constant);
        let mut points = vec![];
        for workers in WORKERS {
            let many = (workload.run)(workers, Times::Constant);
            points.push((workers as f64, speed_up(&one, &many)));
            let percent = |part: f64, whole: f64| format!("{:.0} %", 100.0 * part / whole);
            rows.push(vec![
                workload.name.clone(),
                thousands(workers),
                thousands(many.tests),
                format!("{:.1}", speed_up(&one, &many)),
                percent((many.wasted + many.cancelled) as f64, one.tests as f64),
                percent(many.idle.as_secs_f64(), many.elapsed.as_secs_f64() * workers as f64),
            ]);
        }
        lines.push((workload.name.replace('\\', ""), points));
    }
    report.table(&["run", "workers", "tests", "speed-up", "wasted", "idle"], &rows);
    report.chart(
        "speed-up",
        &Chart {
            title: "Speed-up over the number of workers, tests of equal length",
            x: Axis { name: "workers", logarithmic: true },
            y: Axis { name: "speed-up", logarithmic: true },
            lines,
        },
    );
    report.text(
        "Speculation assumes that every open candidate is uninteresting, so what limits it is how often that is wrong: after \
         every success all that was begun on the wrong assumption is lost. A long last sweep without success, which most \
         reductions end with, scales perfectly; a run of successes does not scale at all.",
    );
}

fn over_times(report: &mut Report, workloads: &[Workload]) {
    report.section("Over the distribution of test times");
    report.text(
        "The speed-up with tests that all take the same time, with exponentially distributed times, with nine quick ones \
         (0.1 s) for every slow one (9.1 s), and with a few that take up to a hundred times as long as the quickest.",
    );
    let Some(workload) = workloads.first() else { return };
    let mut rows = vec![];
    for (times, name) in Times::ALL {
        let one = (workload.run)(1, times);
        let cells = [2, 8, 64, 1000].map(|workers| format!("{:.1}", speed_up(&one, &(workload.run)(workers, times))));
        rows.push([name.to_owned()].into_iter().chain(cells).collect());
    }
    report.text(&format!("{}:", workload.name));
    report.table(&["times", "2 workers", "8", "64", "1,000"], &rows);
}

/// The cases whose tests are quick enough to be run twice.
const REAL: [&str; 4] = ["c-splint-internal-bug", "py-ruff-panic", "ts-esbuild-expected-scope", "text-dpkg-status"];

/// Real reductions with one job and with two, and what the simulator makes of the journal of the first.
fn against_reality(report: &mut Report) -> Result<()> {
    report.section("Against real runs");
    report.text(
        "nub without options, with one job; what `nub simulate` makes of the journal of that run (its outcomes, its test \
         times, its time between two tests) for one worker and for two; and nub with two jobs. What is not part of the search, such as \
         the check of the original and the reading of the input, is taken to last as long as with one job. *Off* is by how much \
         the predicted time with two workers differs from the measured one. Every run is the median of three. *Slower* is how many \
         times as long a test of the result takes if there are two of them at once, on this machine, which the simulator is told: \
         tests disturb each other, most of all those that use several cores by themselves, as esbuild's do.",
    );
    if nub_recorded::shared()?.is_none() {
        report.left_out();
        return Ok(());
    }
    let nub = native::build_nub()?;
    let mut rows = vec![];
    let (mut exact, mut near, mut all) = (0, 0, 0);
    for case in Case::all()?.iter().filter(|case| REAL.contains(&case.name.as_str())) {
        eprintln!("{}", case.name);
        let folder = tempfile::tempdir()?;
        let journal = folder.path().join("journal");
        let two = median(|| reduce(&nub, case, folder.path(), 2, None))?;
        let one = median(|| {
            let finish = reduce(&nub, case, folder.path(), 1, Some(&journal))?;
            fs::rename(&journal, journal.with_extension(seconds(&finish).to_string()))?;
            Ok(finish)
        })?;
        let journal = journal.with_extension(seconds(&one).to_string());
        let slower = slower(case, folder.path())?;
        let mut simulate = Command::new(&nub);
        simulate.args(["simulate", "--json", "--jobs", "1,2", "--slower", &slower.to_string()]).arg(&journal);
        let output = simulate.output()?;
        ensure!(output.status.success(), "nub simulate: {}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8_lossy(&output.stdout);
        let lines: Vec<Value> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
        let [single, double] = &lines[..] else { anyhow::bail!("nub simulate: two lines were expected") };
        let number = |value: &Value, name: &str| value[name].as_f64().with_context(|| format!("no {name}"));
        let around = number(&one, "seconds")? - number(single, "seconds")?;
        let (predicted, measured) = (number(double, "seconds")? + around, number(&two, "seconds")?);
        let off = predicted / measured - 1.0;
        let tests = [number(&one, "tests")?, number(single, "tests")?];
        all += 1;
        exact += usize::from(tests[0] == tests[1]);
        near += usize::from(off.abs() <= 0.15);
        rows.push(vec![
            case.name.clone(),
            thousands(tests[0] as usize),
            thousands(tests[1] as usize),
            thousands(number(&two, "tests")? as usize),
            thousands(number(double, "tests")? as usize),
            format!("{slower:.2}"),
            format!("{:.2} s", number(&one, "seconds")?),
            format!("{measured:.2} s"),
            format!("{predicted:.2} s"),
            format!("{:+.0} %", off * 100.0),
        ]);
    }
    let heads = [
        "case",
        "tests, 1 job",
        "simulated",
        "tests, 2 jobs",
        "simulated",
        "slower",
        "time, 1 job",
        "time, 2 jobs",
        "simulated",
        "off",
    ];
    report.table(&heads, &rows);
    report.goal(
        "the number of tests with one worker",
        "exactly that of the run",
        format!("{exact} of {all}"),
        exact == all,
    );
    report.goal("the time with two workers", "within 15 %", format!("{near} of {all}"), near == all);
    Ok(())
}

fn seconds(finish: &Value) -> f64 {
    finish["seconds"].as_f64().unwrap_or_default()
}

/// The middle one of three runs, by time.
fn median(mut run: impl FnMut() -> Result<Value>) -> Result<Value> {
    let mut runs = [run()?, run()?, run()?];
    runs.sort_by(|one, other| seconds(one).total_cmp(&seconds(other)));
    let [_, middle, _] = runs;
    Ok(middle)
}

/// How many times as long a test of the last result takes if there are two at once.
fn slower(case: &Case, folder: &Path) -> Result<f64> {
    const TESTS: usize = 20;
    let run = |place: &str| {
        let place = folder.join(place);
        fs::create_dir_all(&place)?;
        let candidate = place.join(case.file_name());
        fs::copy(folder.join("candidate"), &candidate)?;
        for _ in 0..TESTS {
            let test = Command::new(&case.test).arg(&candidate).current_dir(&place).output()?;
            ensure!(test.status.success(), "{}: the result is not interesting", case.name);
        }
        Ok(())
    };
    let alone = timed(|| run("one"))?;
    let together = timed(|| {
        thread::scope(|scope| {
            let other = scope.spawn(|| run("two"));
            run("one")?;
            other.join().map_err(|_| anyhow::anyhow!("a test has panicked"))?
        })
    })?;
    Ok(together.as_secs_f64() / alone.as_secs_f64())
}

/// The last event of a reduction, whose result is then in `candidate`.
fn reduce(nub: &Path, case: &Case, folder: &Path, jobs: usize, journal: Option<&Path>) -> Result<Value> {
    let result = folder.join("result").with_extension(case.input.extension().unwrap_or_default());
    let mut command = Command::new(nub);
    command.args(["--json", "--no-format", "--jobs", &jobs.to_string()]);
    match journal {
        Some(journal) => command.arg("--journal").arg(journal),
        None => command.arg("--no-journal"),
    };
    let output = command.arg(&case.test).arg(&case.input).arg("-o").arg(&result).output()?;
    ensure!(output.status.success(), "{}: {}", case.name, String::from_utf8_lossy(&output.stderr));
    fs::rename(&result, folder.join("candidate"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(serde_json::from_str(text.lines().last().context("no events")?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_mean_of_a_second() {
        let pass = TextPhase { granularity: Granularity::Line, algorithm: ListAlgorithm::default() };
        for (times, name) in Times::ALL {
            let texts = (0..20_000).map(|number| TextSearch::new([pass], number.to_string().into_bytes()).current());
            let mean = texts.map(|edit| times.of(&edit).as_secs_f64()).sum::<f64>() / 20_000.0;
            assert!((0.9..1.1).contains(&mean), "{name}: {mean}");
        }
    }
}
