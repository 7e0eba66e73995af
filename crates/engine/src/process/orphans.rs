//! The commands that run in this process, and the orphans they leave to it.
//!
//! This process makes itself the reaper of everything below it: whoever loses its parent becomes
//! our child, and when it ends it stays listed with its group until we reap it. Whose orphan it is,
//! one without a mark does not tell. While one command runs alone, all of them are its own; of
//! several that overlap, the last one to end answers for them all.

use std::collections::BTreeSet;
use std::io;
use std::process::Child;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process_group, set_child_subreaper, waitid,
};

use super::proc_table::{self, Birth, Process};

/// Orphans come to the process, so there is one register for all its threads.
static REGISTER: Mutex<Register> = Mutex::new(Register {
    running: BTreeSet::new(),
    unreaped: BTreeSet::new(),
    since: None,
    is_reaper: false,
});

#[derive(Clone, Debug)]
struct Register {
    /// The leaders of commands whose families are not ended yet.
    running: BTreeSet<i32>,
    /// The leaders that are to be waited for by whoever started them, and by nobody else.
    unreaped: BTreeSet<i32>,
    /// The leader that began when no other was running: an older child is of no command.
    since: Option<Birth>,
    /// Whether orphans come to us: known to every Linux since 3.4.
    is_reaper: bool,
}

impl Register {
    /// Returns whether a child is a tool of ours.
    fn is_tool(&self, id: i32) -> bool {
        self.unreaped.contains(&id) && !self.running.contains(&id)
    }

    fn is_alone(&self, leader: Pid) -> bool {
        self.running.iter().all(|id| *id == leader.as_raw_pid())
    }
}

fn register() -> MutexGuard<'static, Register> {
    REGISTER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts the leader of a command and registers it.
pub(super) fn start(command: &mut std::process::Command) -> io::Result<Child> {
    let is_reaper = set_child_subreaper(Pid::from_raw(proc_table::own())).is_ok();
    // Held, so that nobody takes the leader for an orphan before it is registered.
    let mut register = register();
    register.is_reaper = is_reaper;
    let child = command.spawn()?;
    let leader = Pid::from_child(&child).as_raw_pid();
    if register.running.is_empty() {
        register.since = proc_table::read(leader, "").map(|leader| leader.birth());
    }
    register.running.insert(leader);
    register.unreaped.insert(leader);
    Ok(child)
}

/// Starts a tool of ours in a group of its own, so that Ctrl-C at the terminal does not end it
/// halfway. It is no command: whoever started it waits for it, then forgets it.
pub(super) fn beside(command: &mut std::process::Command) -> io::Result<Child> {
    use std::os::unix::process::CommandExt as _;
    // Held, so that nobody takes it for an orphan before it is registered.
    let mut register = register();
    let child = command.process_group(0).spawn()?;
    register.unreaped.insert(Pid::from_child(&child).as_raw_pid());
    Ok(child)
}

/// Returns whether no other command runs.
pub(super) fn is_alone(leader: Pid) -> bool {
    register().is_alone(leader)
}

/// Takes a leader whose family was ended out of those that run, and returns whether it may go: the
/// last one may not before it has looked at the orphans of all.
pub(super) fn leave(leader: Pid, has_seen_all: bool) -> bool {
    let mut register = register();
    if register.is_alone(leader) && !has_seen_all {
        return false;
    }
    register.running.remove(&leader.as_raw_pid());
    true
}

/// Forgets a leader that was waited for.
pub(super) fn forget(leader: Pid) {
    let mut register = register();
    register.running.remove(&leader.as_raw_pid());
    register.unreaped.remove(&leader.as_raw_pid());
}

/// Reaps the orphans that have ended meanwhile, so that a long command does not fill the list.
pub(super) fn reap() {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    if matches!(waitid(WaitId::All, options), Ok(Some(_))) {
        let ids = proc_table::ids();
        let orphans = Orphans::now();
        let all = ids.into_iter().filter_map(|id| proc_table::read(id, ""));
        all.filter(|process| process.is_over && orphans.has(process)).for_each(|it| it.reap());
    }
}

/// Sends a signal to the orphans if all are of this command, and looks at nobody else meanwhile:
/// one that makes a session for itself and forks all the time would be gone.
pub(super) fn signal(leader: Pid, signal: Signal) {
    let ids = proc_table::children().unwrap_or_default();
    let orphans = Orphans::now();
    if orphans.are_all_of(leader) {
        let all = ids.into_iter().filter_map(|id| proc_table::read(id, ""));
        all.filter(|process| orphans.has(process)).for_each(|it| it.signal(signal));
    }
}

/// Kills every command that runs in this process, and whoever they leave to it, until none is left.
/// Tools go on: they end by themselves, and a git that is cut off leaves its locks behind.
pub(super) fn kill_all() {
    let Some(own) = proc_table::read(proc_table::own(), "") else { return };
    for _ in 0..ROUNDS {
        // Those of every thread: the list of the first one's children has not all.
        let all = proc_table::ids().into_iter().filter_map(|id| proc_table::read(id, ""));
        let register = register().clone();
        let is_theirs = |it: &Process| {
            let is_ours = it.group == own.group || register.is_tool(it.id);
            it.parent == own.id && !is_ours && !it.is_over
        };
        let theirs: Vec<_> = all.filter(is_theirs).collect();
        if theirs.is_empty() {
            return;
        }
        for process in theirs {
            // Fails only when nobody is left in it.
            let group = Pid::from_raw(process.group);
            let _ = group.map(|group| kill_process_group(group, Signal::KILL));
            process.signal(Signal::KILL);
        }
        std::thread::sleep(PAUSE);
    }
}

/// So often is looked for those who lost their parents meanwhile.
const ROUNDS: u32 = 100;
/// How long the killed have to be gone before one looks again.
const PAUSE: std::time::Duration = std::time::Duration::from_millis(5);

/// Returns whether nobody was left to us, for sure: whoever is below us and loses its parent becomes
/// a child of ours, and only we take it off the list. That is quicker than a look at all processes.
pub(super) fn is_nobody() -> bool {
    let is_reaper = register().is_reaper;
    let Some(ids) = proc_table::children().filter(|_| is_reaper) else { return false };
    let orphans = Orphans::now();
    let is_left = |id| proc_table::read(id, "").is_some_and(|process| orphans.has(&process));
    !ids.into_iter().any(is_left)
}

/// Tells which processes were left to us.
#[derive(Debug)]
pub(super) struct Orphans {
    register: Register,
    own: i32,
    own_group: Option<i32>,
}

impl Orphans {
    /// Prepares to tell them. To be called when the processes are listed and before they are read:
    /// a leader that is on the list is registered by then.
    pub(super) fn now() -> Self {
        let register = register().clone();
        let own = proc_table::own();
        Self { register, own, own_group: proc_table::read(own, "").map(|own| own.group) }
    }

    /// Returns whether no other command ran, so that all of them are of this one.
    pub(super) fn are_all_of(&self, leader: Pid) -> bool {
        self.register.is_alone(leader)
    }

    /// Returns whether a process was left to us. What we start ourselves without being a command
    /// is registered as a tool, or stays in our own group.
    pub(super) fn has(&self, process: &Process) -> bool {
        process.parent == self.own
            && self.own_group.is_some_and(|group| group != process.group)
            && self.register.since.is_some_and(|since| process.birth() > since)
            && !self.register.unreaped.contains(&process.id)
    }
}
