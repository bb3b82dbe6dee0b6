//! Tests per second of the real `nub`, compared with a loop that only starts the test and waits for it.

use crate::{
    measure::{Samples, timed},
    native,
    report::{Report, thousands},
};
use anyhow::{Context as _, Result, ensure};
use nub_run::test::{Cancel, Limits, ProcessTest, Run, Scratch, Setup, Test as _};
use serde_json::Value;
use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

const SIZE: usize = 10 * 1024;
/// Odd, so that there is a middle one.
const ROUNDS: usize = 11;
const GOAL: f64 = 0.9;
/// For the measurement of the parts.
const STARTS: usize = 1500;

pub(crate) fn run(report: &mut Report) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let setting = Setting::prepare(folder.path())?;
    report.text(&format!(
        "A test as cheap as `true` (a compiled C program that looks at the size of its file) rejects everything but \
         the original of 10 KB, so `nub -q --granularity line` runs {} tests and removes nothing. The bare loop \
         starts the same program as often, with as many threads, always on the same file: no candidate is written, \
         nothing is recorded, and neither time nor descendants are watched. Both are timed from outside, including \
         start and end, taking turns, {ROUNDS} times; *ratio* is tests per second of nub divided by those of the loop \
         next to it: its median, and the quartiles.",
        thousands(setting.tests),
    ));
    let mut rows = vec![];
    for jobs in [1, 2] {
        let (mut bare, mut nub) = (vec![], vec![]);
        for _ in 0..ROUNDS {
            bare.push(setting.time_bare(jobs)?);
            nub.push(setting.time_nub(jobs)?);
        }
        let ratio = Samples::new(bare.iter().zip(&nub).map(|(bare, nub)| bare.as_secs_f64() / nub.as_secs_f64()));
        let rate = |times: Vec<Duration>| format!("{:.0}", setting.tests as f64 / Samples::of_times(times).median());
        rows.push(vec![
            format!("-j{jobs}"),
            rate(bare),
            rate(nub),
            format!("{:.2}", ratio.median()),
            format!("{:.2} – {:.2}", ratio.percentile(25), ratio.percentile(75)),
        ]);
        let what = format!("tests per second of nub -j{jobs}, part of those of a bare loop");
        report.goal(&what, "≥ 0.9", format!("{:.2}", ratio.median()), ratio.median() >= GOAL);
    }
    report.table(&["jobs", "bare loop, tests/s", "nub, tests/s", "ratio", "quartiles"], &rows);
    setting.parts(report)
}

struct Setting {
    nub: PathBuf,
    test: PathBuf,
    input: PathBuf,
    /// The input of the test in the bare loop.
    candidate: PathBuf,
    output: PathBuf,
    /// How many tests nub runs.
    tests: usize,
}

impl Setting {
    fn prepare(folder: &Path) -> Result<Self> {
        let nub = native::build_nub()?;
        let test = native::compile(&native::test_of_size(SIZE), folder, "test")?;
        let (input, candidate, output) = (folder.join("input"), folder.join("candidate"), folder.join("output"));
        fs::write(&input, native::text(SIZE))?;
        fs::write(&candidate, native::text(SIZE - 10))?;
        let mut this = Self { nub, test, input, candidate, output, tests: 0 };
        let printed = this.command(1, "--json").stderr(Stdio::inherit()).output()?;
        ensure!(printed.status.success(), "nub failed: {}", printed.status);
        let last = String::from_utf8_lossy(&printed.stdout).lines().last().unwrap_or_default().to_owned();
        let finish: Value = serde_json::from_str(&last).context("nub's last event is not JSON")?;
        this.tests = finish["tests"].as_u64().context("nub does not say how many tests it ran")? as usize;
        Ok(this)
    }

    fn command(&self, jobs: usize, show: &str) -> Command {
        let mut command = Command::new(&self.nub);
        command.arg(format!("-j{jobs}")).args([show, "--granularity", "line"]);
        command.arg(&self.test).arg(&self.input).arg("-o").arg(&self.output);
        command
    }

    fn time_nub(&self, jobs: usize) -> Result<Duration> {
        let start = Instant::now();
        let status = self.command(jobs, "--quiet").status()?;
        let elapsed = start.elapsed();
        ensure!(status.success() && fs::metadata(&self.output)?.len() == SIZE as u64, "nub failed: {status}");
        Ok(elapsed)
    }

    fn time_bare(&self, jobs: usize) -> Result<Duration> {
        let start = Instant::now();
        thread::scope(|scope| {
            let spawn = |_| scope.spawn(|| (0..self.tests / jobs).try_for_each(|_| self.start_bare()));
            let threads: Vec<_> = (0..jobs).map(spawn).collect();
            threads.into_iter().try_for_each(|thread| thread.join().expect("the thread panicked"))
        })?;
        Ok(start.elapsed())
    }

    fn start_bare(&self) -> Result<()> {
        let mut command = Command::new(&self.test);
        command.arg(&self.candidate).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        ensure!(command.status()?.code() == Some(1), "the test did not reject this file");
        Ok(())
    }

    /// Measures where the difference comes from.
    fn parts(&self, report: &mut Report) -> Result<()> {
        let content = native::text(SIZE - 10);
        let run = Run::begin();
        let scratch = Arc::new(Scratch::create(None, SIZE as u64)?);
        let setup = Setup::new(&run, &scratch, OsStr::new("input"), Limits::default());
        let test = ProcessTest::script(&setup, self.test.as_os_str(), vec![]);
        let mut runner = test.runner(0)?;
        let cancel = Cancel::new()?;
        let own = scratch.path().join("own");
        let mut times: [Vec<Duration>; 3] = Default::default();
        for _ in 0..STARTS {
            times[0].push(timed(|| self.start_bare())?);
            times[1].push(timed(|| native::make_and_remove(&own, &content))?);
            times[2].push(timed(|| {
                runner.run(&content, &cancel)?;
                Ok(())
            })?);
        }
        let [bare, files, test] = times.map(Samples::of_times);
        let all = Samples::of_times((0..ROUNDS).map(|_| self.time_nub(1)).collect::<Result<Vec<_>>>()?);
        let all = (all.median() / self.tests as f64, all.min() / self.tests as f64);
        report.section("Where the time goes");
        report.text(
            "µs per test. *Files*: a directory with a candidate, created and removed. *`ProcessTest`*: everything \
             that a worker does for a test, including files; the excess over its parts is the process group, the \
             descriptor of the process, `poll`, the working directory, the mark in the environment and the search for \
             descendants. *nub -j1*: the whole program; its other work (propose, hash, journal) overlaps with the \
             next test.",
        );
        let row = |name: &str, median: f64, min: f64| {
            vec![name.to_owned(), format!("{:.0}", median * 1e6), format!("{:.0}", min * 1e6)]
        };
        let rows = [
            row("bare start", bare.median(), bare.min()),
            row("files", files.median(), files.min()),
            row("`ProcessTest`", test.median(), test.min()),
            row("nub -j1, mean of a whole run", all.0, all.1),
        ];
        report.table(&["part", "median", "minimum"], &rows);
        Ok(())
    }
}
