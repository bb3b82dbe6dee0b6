//! What nub's own work adds to the start of a process, and to a question to a co-process.
//!
//! `cargo run --release -p nub-run --example spawn_overhead [rounds]`
//!
//! Each line is measured in turns with the others, so that a change of the machine's load hits all alike; the lower
//! percentiles are what to read.

use nub_run::test::{
    Cancel, CoprocessTest, Guardian, Limits, ProcessTest, Run, Runner, Scratch, Setup, Test, guardian_main,
};
use std::{
    ffi::OsStr,
    io::{BufRead as _, BufReader, Write as _},
    process::{Command, ExitCode, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().collect();
    match args.get(1).and_then(|arg| arg.to_str()) {
        Some("--guardian") => guardian_main(&args[2], args[3].to_str().unwrap_or_default()),
        Some("--coprocess") => {
            answer();
            ExitCode::SUCCESS
        }
        rounds => {
            measure(rounds.and_then(|rounds| rounds.parse().ok()).unwrap_or(1000));
            ExitCode::SUCCESS
        }
    }
}

/// A co-process without any work of its own.
fn answer() {
    let mut stdout = std::io::stdout().lock();
    for _ in std::io::stdin().lock().lines() {
        if stdout.write_all(b"0\n").and_then(|()| stdout.flush()).is_err() {
            break;
        }
    }
}

fn measure(rounds: usize) {
    let me = std::env::current_exe().expect("own path");
    let run = Run::begin();
    let scratch = Arc::new(Scratch::create(None, 1 << 20).expect("scratch directory"));
    let mut guard = Command::new(&me);
    guard.arg("--guardian");
    let _guardian = Guardian::start(guard, scratch.path(), run.id()).expect("guardian");
    let setup = Setup::new(&run, &scratch, OsStr::new("input.c"), Limits::default());
    let process = ProcessTest::script(&setup, OsStr::new("/bin/true"), vec![]);
    let mut line = me.as_os_str().to_owned();
    line.push(" --coprocess");
    let coprocess = CoprocessTest::new(&setup, &line).expect("co-process");
    let detailed = process.detailed();
    let mut runners =
        [process.runner(0), detailed.runner(1), coprocess.runner(2)].map(|runner| runner.expect("runner"));
    let cancel = Cancel::new().expect("eventfd");
    let candidate = vec![b'x'; 1000];
    let mut ask = |runner: &mut dyn Runner| {
        let start = Instant::now();
        runner.run(&candidate, &cancel).expect("a verdict");
        start.elapsed()
    };
    let names = ["bare spawn + wait", "ProcessTest", "ProcessTest, detailed", "bare co-process", "CoprocessTest"];
    let mut times: [Vec<Duration>; 5] = Default::default();
    for _ in 0..rounds {
        times[0].push({
            let start = Instant::now();
            let mut command = Command::new("/bin/true");
            // With an argument, as the test: GNU `true` with exactly one argument loads its locale (250 µs).
            command.arg("/dev/shm/nub-123456/w0/c1234/input.c");
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            command.spawn().expect("true").wait().expect("true");
            start.elapsed()
        });
        times[1].push(ask(&mut *runners[0]));
        times[2].push(ask(&mut *runners[1]));
    }
    // Not before: a child that nub knows nothing of has to be looked at after every test (20 µs).
    let mut bare_coprocess =
        Command::new(&me).arg("--coprocess").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("co-process");
    let mut question = bare_coprocess.stdin.take().expect("pipe");
    let mut reply = BufReader::new(bare_coprocess.stdout.take().expect("pipe"));
    for _ in 0..4 * rounds {
        times[3].push({
            let start = Instant::now();
            question.write_all(b"/dev/shm/nub-123456/w0/c1234/input.c\n").expect("question");
            let mut line = String::new();
            reply.read_line(&mut line).expect("reply");
            start.elapsed()
        });
        times[4].push(ask(&mut *runners[2]));
    }
    println!("scratch {} (memory: {}), µs:", scratch.path().display(), scratch.on_tmpfs());
    println!("{:24} {:>8} {:>8} {:>8} {:>8}", "", "min", "p10", "p50", "mean");
    for (name, times) in names.iter().zip(&mut times) {
        times.sort_unstable();
        let micros = |time: Duration| time.as_secs_f64() * 1e6;
        let mean = micros(times.iter().sum::<Duration>()) / times.len() as f64;
        let at = |part: usize| micros(times[times.len() * part / 100]);
        println!("{name:24} {:8.1} {:8.1} {:8.1} {mean:8.1}", at(0), at(10), at(50));
    }
    drop(question);
    let _ = bare_coprocess.wait();
}
