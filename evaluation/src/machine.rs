//! The machine: its properties, its load, and the resources that this process has used.

use rustix::time::{ClockId, clock_gettime};
use std::{fs, process::Command, time::Duration};

/// The conditions that make numbers comparable. No host names or paths, which do not belong in a report.
pub(crate) fn conditions() -> Vec<String> {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let processor = field("/proc/cpuinfo", "model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    vec![
        format!("date: {}", date()),
        format!("nub {} at {}, {}", env!("CARGO_PKG_VERSION"), source(), output("rustc", &["--version"])),
        format!("machine: {cores} cores, {processor}, Linux {}", kernel.trim()),
    ]
}

/// The state of the source.
pub(crate) fn source() -> String {
    let folder = env!("CARGO_MANIFEST_DIR");
    let commit = output("git", &["-C", folder, "rev-parse", "--short", "HEAD"]);
    // Results of earlier experiments do not change what is measured.
    let changes = output("git", &["-C", folder, "status", "--porcelain", "--", "..", ":!results"]);
    let changes = if changes.is_empty() { "" } else { " with uncommitted changes" };
    format!("{commit}{changes}")
}

/// Today's date.
pub(crate) fn date() -> String {
    output("date", &["-u", "+%Y-%m-%d"])
}

/// The output of a program.
fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().ok().filter(|output| output.status.success());
    output.map_or_else(|| "unknown".to_owned(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The first three fields of `/proc/loadavg`.
pub(crate) fn load_average() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().take(3).collect::<Vec<_>>().join(", ")
}

/// The peak memory of this process, in bytes.
pub(crate) fn peak_memory() -> Option<u64> {
    let kilobytes = field("/proc/self/status", "VmHWM")?;
    Some(kilobytes.strip_suffix(" kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// The value in the first line `name: value` of a file.
fn field(path: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let mut fields = text.lines().filter_map(|line| line.split_once(':'));
    fields.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim().to_owned())
}

/// The processor time of this thread, which hardly depends on how busy the machine is.
pub(crate) fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
