//! No process outlives its test.
//!
//! A test is a whole family of processes: the one we start, and all that it starts. Killing a process group gets most
//! of them, but a daemon leaves its group and session on purpose (`setsid`), and once its parent is dead nothing in the
//! system says where it came from. Two things make it findable nevertheless:
//!
//! - nub is a *sub-reaper*: a process whose parent dies becomes a child of nub instead of `init`. So all survivors of a
//!   family whose head is dead sooner or later appear among our own children, which are cheap to list;
//! - all members of a family carry its [mark](super::mark).
//!
//! So at the end of a test, nub kills the group, reaps its head, lists its own children, and kills and reaps those
//! marked with this test. It repeats this until there are none, since *their* children are now ours. Almost always the
//! first list is empty, at the cost of one system call.
//!
//! Other processes are safe. Only two kinds are ever killed: those with a mark of *this run* whose test is *no longer
//! running*, and orphans whose working directory is that of a candidate whose test is over. This spares daemons of
//! tests that are still running, processes that the program around us started for itself, the guardian and
//! co-processes. Of these, only those that are *not registered* as the head of a family are ever reaped here, so no
//! code loses the exit status of a child it waits for. Process numbers are reused quickly (there may be as few as
//! 32768), so every decision about one is made under a lock that keeps the process from being reaped meanwhile.
//!
//! Out of reach: processes that run as another user (we may not kill them), and processes that *others* start for a
//! test (a container service, `systemd-run`, `at`).

use super::{
    gate,
    mark::{self, Mark, Stat},
};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
    process::{
        Pid, PidfdFlags, Resource, Rlimit, Signal, WaitOptions, getrlimit, kill_process, kill_process_group,
        pidfd_open, prlimit, test_kill_process_group, waitpid,
    },
};
use std::{
    collections::HashSet,
    fs::File,
    hash::{BuildHasher, RandomState},
    io,
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::{fs::FileExt, process::CommandExt},
    },
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus},
    sync::{
        Arc, LazyLock, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// How long to wait for a killed process to die. It takes longer only if the process hangs in the kernel (a network
/// file system that does not answer); then it is left to die when it can.
const PATIENCE: Duration = Duration::from_secs(10);

/// If starting and marking a process takes longer, the process may have started others in between.
const WINDOW: Duration = Duration::from_micros(250);

/// What is known about our children. There is one for the whole process, since being a sub-reaper and having children
/// are properties of the whole process; several runs may be in progress in it.
#[derive(Default)]
struct Registry {
    /// The heads of families and the guardian: each has an owner who will reap it.
    heads: HashSet<i32>,
    /// The tests that are running.
    running: HashSet<Mark>,
    runs: HashSet<u32>,
}

fn registry() -> MutexGuard<'static, Registry> {
    static REGISTRY: LazyLock<Mutex<Registry>> = LazyLock::new(Mutex::default);
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One run of nub. When it ends, so do all processes of its tests.
#[derive(Debug)]
pub struct Run {
    number: u32,
    id: String,
    next: AtomicU32,
}

impl Run {
    /// A new run. From here on, orphaned descendants of this process become its children.
    pub fn begin() -> Arc<Self> {
        // If the system does not allow it, the whole process group of a test is still killed.
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
        let mut registry = registry();
        // The standard library's only source of random numbers.
        let random = RandomState::new();
        let mut number = 0;
        for attempt in 0u64.. {
            #[allow(clippy::cast_possible_truncation)]
            let candidate = random.hash_one((std::process::id(), attempt)) as u32;
            number = Mark::new(candidate, 0).run;
            if registry.runs.insert(number) {
                break;
            }
        }
        drop(registry);
        Arc::new(Self { number, id: mark::run_id(number), next: AtomicU32::new(0) })
    }

    /// The processes of its tests have `NUB_TEST=<id>.<number of the test>` in their environment.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Kills and reaps all orphans of tests of this run that are no longer running, and reaps dead orphans of tests
    /// that are. Also kills orphans whose working directory is in `home`, marked or not: it belongs to a test that is
    /// over.
    fn sweep(&self, children: &mut Children, home: Option<&Path>) {
        let deadline = Instant::now() + PATIENCE;
        let mut pids = Vec::new();
        loop {
            children.list(&mut pids);
            if pids.is_empty() {
                return;
            }
            let swept = {
                let registry = registry();
                pids.retain(|pid| !registry.heads.contains(pid));
                if pids.is_empty() {
                    return;
                }
                // List again under the lock: now no other thread can reap them, so the numbers are reliable.
                children.list(&mut pids);
                pids.retain(|pid| !registry.heads.contains(pid));
                self.sweep_once(&registry, &pids, home)
            };
            match swept {
                Swept::Clean => return,
                Swept::Reaped => {}
                Swept::Dying(process) => {
                    let _ = wait_for(process.as_fd(), Some(Duration::from_millis(100)));
                }
            }
            if Instant::now() >= deadline {
                return;
            }
        }
    }

    fn sweep_once(&self, registry: &Registry, orphans: &[i32], home: Option<&Path>) -> Swept {
        let mut swept = Swept::Clean;
        for &orphan in orphans {
            let Some(pid) = Pid::from_raw(orphan) else { continue };
            let mark = mark::of(orphan, self.number);
            let marked = mark.is_some();
            let over = match mark {
                Some(mark) => !registry.running.contains(&mark),
                None => home.is_some_and(|home| mark::directory_of(orphan).is_some_and(|here| here.starts_with(home))),
            };
            if !(marked || over) || over && !kill_orphan(pid) {
                continue;
            }
            match waitpid(Some(pid), WaitOptions::NOHANG) {
                Ok(Some(_)) if !matches!(swept, Swept::Dying(_)) => swept = Swept::Reaped,
                Ok(None) if over => {
                    if let Ok(process) = pidfd_open(pid, PidfdFlags::empty()) {
                        swept = Swept::Dying(process);
                    }
                }
                _ => {}
            }
        }
        swept
    }

    /// If a test runs nub itself and that nub is killed, its orphans have a mark, but not ours. It is not known which
    /// of our tests they belong to, so they are killed when no test is running.
    fn sweep_strangers(&self, children: &mut Children) {
        let own = mark::own();
        let mut pids = Vec::new();
        let registry = registry();
        if !registry.running.is_empty() {
            return;
        }
        children.list(&mut pids);
        pids.retain(|pid| !registry.heads.contains(pid));
        for orphan in pids {
            let stranger =
                mark::of_limits(orphan).filter(|mark| Some(*mark) != own && !registry.runs.contains(&mark.run));
            if let (Some(_), Some(pid)) = (stranger, Pid::from_raw(orphan)) {
                kill_orphan(pid);
                let _ = waitpid(Some(pid), WaitOptions::NOHANG);
            }
        }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        let mut children = Children::open();
        self.sweep(&mut children, None);
        self.sweep_strangers(&mut children);
        registry().runs.remove(&self.number);
    }
}

/// The result of one look at our children.
enum Swept {
    /// None of them belongs to the run.
    Clean,
    /// Some have been reaped; their children are ours now.
    Reaped,
    /// At least this one is dying.
    Dying(OwnedFd),
}

/// Kills an orphan, together with its process group if it leads one. Returns `false` if we may not.
fn kill_orphan(pid: Pid) -> bool {
    // A whole group is certain to belong to a test only if its leader does.
    if rustix::process::getpgid(Some(pid)) == Ok(pid) {
        let _ = kill_process_group(pid, Signal::KILL);
    }
    kill_process(pid, Signal::KILL) != Err(Errno::PERM)
}

/// The list of our children.
///
/// Orphans become children of the main thread, unless it has ended. The kernel can list the children of a thread if it
/// was configured to; otherwise we look up the parent of every process in the system.
#[derive(Debug)]
pub(super) struct Children {
    list: Option<File>,
    buffer: Vec<u8>,
}

impl Children {
    pub(super) fn open() -> Self {
        let main_thread = std::process::id();
        let list = File::open(format!("/proc/self/task/{main_thread}/children")).ok();
        Self { list, buffer: vec![0; 512] }
    }

    fn list(&mut self, pids: &mut Vec<i32>) {
        pids.clear();
        if self.list_fast(pids).is_none() {
            let me = rustix::process::getpid().as_raw_pid();
            pids.clear();
            pids.extend(mark::all_processes().unwrap_or_default());
            pids.retain(|pid| Stat::of(*pid).is_some_and(|stat| stat.parent == me));
        }
    }

    fn list_fast(&mut self, pids: &mut Vec<i32>) -> Option<()> {
        let list = self.list.as_ref()?;
        let mut filled = 0;
        loop {
            // Reading from offset 0 makes the kernel start a new list.
            let n = list.read_at(&mut self.buffer[filled..], filled as u64).ok()?;
            filled += n;
            // Only a long list comes in pieces.
            if n == 0 || filled < 256 {
                break;
            }
            if filled == self.buffer.len() {
                self.buffer.resize(2 * filled, 0);
            }
        }
        let text = std::str::from_utf8(&self.buffer[..filled]).ok()?;
        pids.extend(text.split_ascii_whitespace().filter_map(|pid| pid.parse::<i32>().ok()));
        Some(())
    }
}

/// Starts a child that is not a test and must never be taken for one.
pub(super) fn spawn_protected(command: &mut Command) -> io::Result<Child> {
    let _gate = gate::starting();
    let child = command.spawn()?;
    registry().heads.insert(Pid::from_child(&child).as_raw_pid());
    Ok(child)
}

/// Waits for a child from [`spawn_protected`] to exit, kills it if it takes too long, and reaps it.
pub(super) fn end_protected(child: &mut Child, patience: Duration) {
    let pid = Pid::from_child(child);
    if let Ok(pidfd) = pidfd_open(pid, PidfdFlags::empty())
        && !wait_for(pidfd.as_fd(), Some(patience)).unwrap_or(false)
    {
        let _ = child.kill();
        let _ = wait_for(pidfd.as_fd(), Some(PATIENCE));
    }
    reap(child, true);
}

/// Reaps a head if it is dead and unregisters it, in one step: in between, its number would be free for another process
/// and still be protected. With `give_up` it is unregistered in any case.
fn reap(head: &mut Child, give_up: bool) -> Option<ExitStatus> {
    let mut registry = registry();
    let status = head.try_wait().ok().flatten();
    if status.is_some() || give_up {
        registry.heads.remove(&Pid::from_child(head).as_raw_pid());
    }
    status
}

/// A test's processes: the head, which we start, and all its descendants.
#[derive(Debug)]
pub(super) struct Family {
    run: Arc<Run>,
    mark: Mark,
    home: Option<PathBuf>,
    head: Child,
    pidfd: OwnedFd,
    ended: bool,
}

/// Why a family could not be started.
#[derive(Debug)]
pub(super) enum StartError {
    /// The program cannot be started: the user has to fix that.
    Program(io::Error),
    /// The system cannot start another process. This says nothing about the program or the candidate.
    System(io::Error),
}

impl Family {
    /// Starts a command as the head of a new family, in its own process group. `home` is a directory that only this
    /// family uses; `memory` limits the address space of each of its processes.
    pub(super) fn start(
        run: &Arc<Run>,
        command: &mut Command,
        home: Option<&Path>,
        memory: Option<u64>,
    ) -> Result<Self, StartError> {
        let mark = Mark::new(run.number, run.next.fetch_add(1, Ordering::Relaxed));
        command.env(mark::VARIABLE, mark.to_tag()).process_group(0);
        // Before it starts: once it has, others may see its children.
        registry().running.insert(mark);
        let before = Instant::now();
        let started = spawn(command).and_then(|mut head| {
            let pid = Pid::from_child(&head);
            // Registered before it is marked: any thread may reap a process that is marked but not registered.
            registry().heads.insert(pid.as_raw_pid());
            // Both limits are set from outside, a moment after the program has started. Setting them earlier would
            // require code that runs in the forked child, which makes every start copy our page tables. So there is a
            // window. Usually it is a few microseconds long, while the program needs hundreds to get from the dynamic
            // linker to its `main`; but we may lose the processor just here. If it took suspiciously long, its children
            // are looked for and marked as well. A process that was both started and orphaned by then is recognised by
            // its environment or its working directory.
            set_limits(pid, mark, memory);
            if before.elapsed() > WINDOW {
                set_limits_of_children(pid.as_raw_pid(), mark, memory);
            }
            match pidfd_open(pid, PidfdFlags::empty()) {
                Ok(pidfd) => {
                    let home = home.map(Path::to_owned);
                    Ok(Self { run: Arc::clone(run), mark, home, head, pidfd, ended: false })
                }
                Err(error) => {
                    let _ = kill_process_group(pid, Signal::KILL);
                    // There is no way to wait for its death with a limit, but it has just been killed.
                    while matches!(head.try_wait(), Ok(None)) {
                        thread::sleep(Duration::from_millis(1));
                    }
                    reap(&mut head, true);
                    Err(StartError::System(error.into()))
                }
            }
        });
        if started.is_err() {
            registry().running.remove(&mark);
        }
        started
    }

    /// Readable when the head is dead.
    pub(super) fn pidfd(&self) -> BorrowedFd<'_> {
        self.pidfd.as_fd()
    }

    pub(super) fn head(&mut self) -> &mut Child {
        &mut self.head
    }

    /// Kills the process group. The head is not reaped yet, so the number of the group cannot have been reused.
    fn kill_group(&self) {
        if !self.ended {
            let _ = kill_process_group(Pid::from_child(&self.head), Signal::KILL);
        }
    }

    /// Kills all members and waits until they are dead. Returns how the head ended, if that could be determined.
    pub(super) fn end(&mut self, children: &mut Children) -> Option<ExitStatus> {
        if self.ended {
            return None;
        }
        self.kill_group();
        self.ended = true;
        // Almost always it is dead already.
        let mut status = reap(&mut self.head, false);
        if status.is_none() {
            let _ = wait_for(self.pidfd.as_fd(), Some(PATIENCE));
            status = reap(&mut self.head, true);
        }
        registry().running.remove(&self.mark);
        self.run.sweep(children, self.home.as_deref());
        // The rest of the group has been killed but may not be dead yet, and becomes our child only when its parent is
        // dead.
        let group = Pid::from_child(&self.head);
        let deadline = Instant::now() + PATIENCE;
        while test_kill_process_group(group).is_ok() && Instant::now() < deadline {
            thread::sleep(Duration::from_micros(200));
            self.run.sweep(children, self.home.as_deref());
        }
        status
    }

    /// Call this from time to time during a long test: reaps orphans that have died meanwhile, before there are too
    /// many.
    pub(super) fn housekeeping(&self, children: &mut Children) {
        self.run.sweep(children, None);
    }
}

impl Drop for Family {
    fn drop(&mut self) {
        if !self.ended {
            self.end(&mut Children::open());
        }
    }
}

/// Starts a process; tries again if the system reports a temporary shortage.
fn spawn(command: &mut Command) -> Result<Child, StartError> {
    let mut pause = Duration::from_millis(5);
    loop {
        let spawned = {
            let _gate = gate::starting();
            command.spawn()
        };
        let error = match spawned {
            Ok(child) => return Ok(child),
            Err(error) => error,
        };
        let transient = match Errno::from_io_error(&error) {
            Some(Errno::AGAIN | Errno::NOMEM | Errno::MFILE | Errno::NFILE) => true,
            // The test script is just being saved.
            Some(Errno::TXTBSY) => false,
            _ => return Err(StartError::Program(error)),
        };
        if pause > Duration::from_secs(1) {
            return Err(if transient { StartError::System(error) } else { StartError::Program(error) });
        }
        thread::sleep(pause);
        pause *= 3;
    }
}

fn set_limits(pid: Pid, mark: Mark, memory: Option<u64>) {
    mark::set(pid, mark);
    if let Some(bytes) = memory {
        let maximum = getrlimit(Resource::As).maximum;
        let bytes = maximum.map_or(bytes, |maximum| bytes.min(maximum));
        let _ = prlimit(Some(pid), Resource::As, Rlimit { current: Some(bytes), maximum: Some(bytes) });
    }
}

/// Sets the limits of all descendants of a process that do not have them yet, except those that have lost their parent.
fn set_limits_of_children(process: i32, mark: Mark, memory: Option<u64>) {
    let mut seen = HashSet::new();
    let mut parents = vec![process];
    while let Some(parent) = parents.pop() {
        for child in mark::children_of(parent) {
            // Try each only once, since this fails for programs that run as another user.
            if !seen.insert(child) || mark::of_limits(child) == Some(mark) {
                continue;
            }
            // The number may have passed to another process since it was listed.
            let is_child = Stat::of(child).is_some_and(|stat| stat.parent == parent);
            if let (true, Some(pid)) = (is_child, Pid::from_raw(child)) {
                set_limits(pid, mark, memory);
                // It may have started others before, and so may its parent.
                parents.extend([child, parent]);
            }
        }
        // A test that starts processes faster than we can list them will not be caught this way.
        if seen.len() > 1000 {
            return;
        }
    }
}

/// Waits until a descriptor is readable; returns whether it is.
pub(super) fn wait_for(fd: BorrowedFd<'_>, at_most: Option<Duration>) -> io::Result<bool> {
    let deadline = at_most.and_then(|d| Instant::now().checked_add(d));
    loop {
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        if poll_until(&mut [PollFd::from_borrowed_fd(fd, PollFlags::IN)], left)? {
            return Ok(true);
        }
        if left.is_some_and(|left| left.is_zero()) {
            return Ok(false);
        }
    }
}

/// `poll` with a duration; returns `false` if nothing happened in that time or a signal interrupted it.
pub(super) fn poll_until(fds: &mut [PollFd<'_>], at_most: Option<Duration>) -> io::Result<bool> {
    // A duration too long for the system's clock is as good as none.
    let timeout = at_most.and_then(|d| Timespec::try_from(d).ok());
    match poll(fds, timeout.as_ref()) {
        Ok(ready) => Ok(ready > 0),
        Err(Errno::INTR) => {
            for fd in fds {
                fd.clear_revents();
            }
            Ok(false)
        }
        Err(error) => Err(error.into()),
    }
}
