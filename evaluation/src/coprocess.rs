//! Asking a co-process, in comparison with a bare pipe and with starting a process.

use crate::{
    measure::{Samples, timed},
    native,
    report::Report,
};
use anyhow::{Context as _, Result, ensure};
use nub_run::test::{Cancel, CoprocessTest, Limits, ProcessTest, Run, Runner, Scratch, Setup, Test as _};
use std::{
    ffi::OsStr,
    io::{Read as _, Write as _},
    process::{ChildStdin, ChildStdout, Command, Stdio},
    sync::Arc,
    time::Duration,
};

const SIZE: usize = 10 * 1024;
const ROUNDS: usize = 400;
/// A question takes a tenth of a start; so many of them follow each other, as they do in a run.
const QUESTIONS: usize = 25;
/// In microseconds.
const GOAL: f64 = 30.0;

pub(crate) fn run(report: &mut Report) -> Result<()> {
    report.text(
        "µs for one outcome on a candidate of 10 KB, by a compiled C program that always says no; measured in turns. *Bare \
         pipe*: a line there and a line back, no candidate. *Files*: a directory and a candidate in it, made and removed. \
         *`CoprocessTest`*: both, and the time limit and the cancellation watched. *Bare start*: a process per outcome, \
         without a candidate. *`ProcessTest`*: with one. The goals are \
         about the median; on a machine that has other things to do it contains waiting for a core, and the 10th \
         percentile shows how much.",
    );
    let folder = tempfile::tempdir()?;
    let coprocess = native::compile(native::COPROCESS, folder.path(), "coprocess")?;
    let test = native::compile(&native::test_of_size(SIZE), folder.path(), "test")?;

    let run = Run::begin();
    let scratch = Arc::new(Scratch::create(None, SIZE as u64)?);
    let setup = Setup::new(&run, &scratch, OsStr::new("input"), Limits::default());
    let (asked, started) =
        (CoprocessTest::new(&setup, coprocess.as_os_str())?, ProcessTest::script(&setup, test.as_os_str(), vec![]));
    let (mut asker, mut starter) = (asked.runner(0)?, started.runner(1)?);
    let candidate = native::text(SIZE - 10);
    let cancel = Cancel::new()?;
    let mut child = Command::new(&coprocess).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut pipe = (child.stdin.take().context("a pipe")?, child.stdout.take().context("a pipe")?);
    let question = format!("{}/w0/c1234/input\n", scratch.path().display());

    let own = scratch.path().join("own");
    let mut times: [Vec<Duration>; 5] = Default::default();
    for _ in 0..ROUNDS {
        for _ in 0..QUESTIONS {
            times[0].push(timed(|| ask(&mut pipe, question.as_bytes()))?);
        }
        for _ in 0..QUESTIONS {
            times[1].push(timed(|| native::make_and_remove(&own, &candidate))?);
        }
        for _ in 0..QUESTIONS {
            times[2].push(timed(|| outcome(&mut *asker, &candidate, &cancel))?);
        }
        times[3].push(timed(|| {
            let mut command = Command::new(&test);
            command.arg(&test).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            ensure!(command.status()?.code() == Some(1), "the test refuses this file");
            Ok(())
        })?);
        times[4].push(timed(|| outcome(&mut *starter, &candidate, &cancel))?);
    }
    drop(pipe);
    child.wait()?;

    let times = times.map(Samples::of_times);
    let names = ["bare pipe", "files", "`CoprocessTest`", "bare start", "`ProcessTest`"];
    let micros = |seconds: f64| format!("{:.1}", seconds * 1e6);
    let row = |(name, times): (&str, &Samples)| {
        let mut row = vec![name.to_owned()];
        row.extend([times.min(), times.percentile(10), times.median(), times.percentile(90)].map(micros));
        row
    };
    let rows: Vec<_> = names.into_iter().zip(&times).map(row).collect();
    report.table(&["way", "minimum", "10th percentile", "median", "90th percentile"], &rows);
    for way in [0, 2] {
        let median = times[way].median() * 1e6;
        report.goal(&format!("{}, median", names[way]), "≤ 30 µs", format!("{median:.1} µs"), median <= GOAL);
    }
    Ok(())
}

fn ask((question, answer): &mut (ChildStdin, ChildStdout), line: &[u8]) -> Result<()> {
    question.write_all(line)?;
    let mut outcome = [0; 2];
    answer.read_exact(&mut outcome)?;
    ensure!(outcome == *b"0\n", "the co-process says no");
    Ok(())
}

fn outcome(runner: &mut dyn Runner, candidate: &Vec<u8>, cancel: &Cancel) -> Result<()> {
    let report = runner.run(candidate, cancel)?;
    ensure!(report.outcome == nub_run::Outcome::Uninteresting, "the test says no");
    Ok(())
}
