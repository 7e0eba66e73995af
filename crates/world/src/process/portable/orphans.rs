//! The commands that run in this process, and the processes that were recorded below each.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::process::Child;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use super::table::{self, Birth, Process};

static REGISTER: Mutex<Register> =
    Mutex::new(Register { running: BTreeMap::new(), recorded_at: None });

#[derive(Debug)]
struct Register {
    /// By leader, each process that was seen below it.
    running: BTreeMap<i32, BTreeSet<Birth>>,
    recorded_at: Option<Instant>,
}

/// The commands of several threads share one list, which is taken anew after this time.
const FRESH: Duration = Duration::from_millis(200);

fn register() -> MutexGuard<'static, Register> {
    REGISTER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts the leader of a command and registers it.
pub(in crate::process) fn start(command: &mut std::process::Command) -> io::Result<Child> {
    // Held so that a call to kill everything does not miss it.
    let mut register = register();
    let child = command.spawn()?;
    register.running.insert(Pid::from_child(&child).as_raw_pid(), BTreeSet::new());
    Ok(child)
}

/// Starts a helper in its own group, so that Ctrl-C at the terminal does not end it halfway.
pub(in crate::process) fn beside(command: &mut std::process::Command) -> io::Result<Child> {
    use std::os::unix::process::CommandExt as _;
    command.process_group(0).spawn()
}

/// Always releases the leader: we adopt no orphans, so none is left to look after.
pub(in crate::process) const fn leave(_: Pid, _: bool) -> bool {
    true
}

/// Unregisters a leader that was awaited.
pub(in crate::process) fn forget(leader: Pid) {
    register().running.remove(&leader.as_raw_pid());
}

/// Records the processes below the commands that run, unless another thread has just done so.
#[expect(clippy::disallowed_methods, reason = "a pause is measured, nothing decided by it")]
pub(in crate::process) fn reap() {
    let now = Instant::now();
    {
        let mut register = register();
        let is_fresh = |at: Instant| now.saturating_duration_since(at) < FRESH;
        if register.recorded_at.is_some_and(is_fresh) {
            return;
        }
        register.recorded_at = Some(now);
    }
    if let Some(all) = table::others(&[]) {
        record(&all);
    }
}

/// Records who is in the list below each command that runs.
fn record(all: &[Process]) {
    for (leader, recorded) in &mut register().running {
        let is_first = |it: &Process| it.id == *leader || recorded.contains(&it.birth());
        let below = table::with_children(all, is_first);
        let births = all.iter().filter(|it| below.contains(&it.id)).map(Process::birth);
        let births: Vec<Birth> = births.collect();
        recorded.extend(births);
    }
}

/// Returns the processes that were recorded below a leader.
pub(super) fn recorded(leader: Pid) -> BTreeSet<Birth> {
    register().running.get(&leader.as_raw_pid()).cloned().unwrap_or_default()
}

/// Does nothing: orphans are not ours, and the next look finds those that were recorded.
pub(in crate::process) const fn signal(_: Pid, _: Signal) {}

/// How many times to look for new processes.
const ROUNDS: u32 = 20;
/// The time for killed processes to disappear before the next look.
const PAUSE: Duration = Duration::from_millis(5);

/// Kills all commands of this process, and what was recorded below them, until none is left.
pub(in crate::process) fn kill_all() {
    for _ in 0..ROUNDS {
        let all = table::others(&[]);
        record(all.as_deref().unwrap_or_default());
        let running = register().running.clone();
        for leader in running.keys() {
            // Fails only if the group has no process left.
            let _ = Pid::from_raw(*leader).map(|it| kill_process_group(it, Signal::KILL));
        }
        let is_theirs = |it: &&Process| {
            !it.is_over && running.values().any(|recorded| recorded.contains(&it.birth()))
        };
        // Without a list it is unknown whether they have ended.
        let theirs: Option<Vec<&Process>> =
            all.as_ref().map(|all| all.iter().filter(is_theirs).collect());
        if theirs.as_ref().is_some_and(Vec::is_empty) {
            return;
        }
        let theirs = theirs.unwrap_or_default();
        for process in theirs {
            process.signal(Signal::KILL);
        }
        std::thread::sleep(PAUSE);
    }
}
