//! The commands that run in this process, and the orphans that they leave behind.
//!
//! This process is the reaper of everything below it: a process that loses its parent becomes our
//! child, and after its end stays listed with its group until we reap it. An orphan without a mark
//! does not show which command it came from. While only one command runs, all orphans are its own.
//! If several overlap, the last one to end is responsible for all of them.

use std::collections::BTreeSet;
use std::io;
use std::process::Child;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process_group, set_child_subreaper, waitid,
};

use super::table::{self, Birth, Process};

/// Orphans come to the process, so all its threads share one register.
static REGISTER: Mutex<Register> = Mutex::new(Register {
    running: BTreeSet::new(),
    unreaped: BTreeSet::new(),
    since: None,
    is_reaper: false,
});

#[derive(Clone, Debug)]
struct Register {
    /// The leaders of commands whose families have not ended yet.
    running: BTreeSet<i32>,
    /// The leaders that only the code which started them may await.
    unreaped: BTreeSet<i32>,
    /// The leader that began while no other ran: an older child belongs to no command.
    since: Option<Birth>,
    /// Whether orphans come to us, as on every Linux since 3.4.
    is_reaper: bool,
}

impl Register {
    /// Returns whether a child is a helper of ours.
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
pub(in crate::process) fn start(command: &mut std::process::Command) -> io::Result<Child> {
    let is_reaper = set_child_subreaper(Pid::from_raw(table::own())).is_ok();
    // Held so that the leader is not mistaken for an orphan before it is registered.
    let mut register = register();
    register.is_reaper = is_reaper;
    let child = command.spawn()?;
    let leader = Pid::from_child(&child).as_raw_pid();
    if register.running.is_empty() {
        register.since = table::read(leader, "").map(|leader| leader.birth());
    }
    register.running.insert(leader);
    register.unreaped.insert(leader);
    Ok(child)
}

/// Starts a helper in its own group, so that Ctrl-C at the terminal does not end it halfway. It is
/// not a command: the code that started it awaits it, then calls [`forget`].
pub(in crate::process) fn beside(command: &mut std::process::Command) -> io::Result<Child> {
    use std::os::unix::process::CommandExt as _;
    // Held so that it is not mistaken for an orphan before it is registered.
    let mut register = register();
    let child = command.process_group(0).spawn()?;
    register.unreaped.insert(Pid::from_child(&child).as_raw_pid());
    Ok(child)
}

pub(in crate::process) fn is_alone(leader: Pid) -> bool {
    register().is_alone(leader)
}

/// Unregisters a leader whose family has ended, and returns whether it was unregistered: the last
/// one must first have looked at all orphans.
pub(in crate::process) fn leave(leader: Pid, has_seen_all: bool) -> bool {
    let mut register = register();
    if register.is_alone(leader) && !has_seen_all {
        return false;
    }
    register.running.remove(&leader.as_raw_pid());
    true
}

/// Unregisters a leader that was awaited.
pub(in crate::process) fn forget(leader: Pid) {
    let mut register = register();
    register.running.remove(&leader.as_raw_pid());
    register.unreaped.remove(&leader.as_raw_pid());
}

/// Reaps orphans that have ended, so that a long command does not fill the process list.
pub(in crate::process) fn reap() {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    if matches!(waitid(WaitId::All, options), Ok(Some(_))) {
        let ids = table::ids();
        let orphans = Orphans::now();
        let all = ids.into_iter().filter_map(|id| table::read(id, ""));
        all.filter(|process| process.is_over && orphans.has(process)).for_each(|it| it.reap());
    }
}

/// Sends a signal to the orphans if all belong to this command. It looks at no other processes,
/// because one that creates its own session and keeps forking would be gone by then.
pub(in crate::process) fn signal(leader: Pid, signal: Signal) {
    let ids = table::children().unwrap_or_default();
    let orphans = Orphans::now();
    if orphans.are_all_of(leader) {
        let all = ids.into_iter().filter_map(|id| table::read(id, ""));
        all.filter(|process| orphans.has(process)).for_each(|it| it.signal(signal));
    }
}

/// Kills all commands of this process, and their orphans, until none is left. Helpers may finish:
/// they end by themselves, and a killed git would leave its locks behind.
pub(in crate::process) fn kill_all() {
    let Some(own) = table::read(table::own(), "") else { return };
    for _ in 0..ROUNDS {
        // The children of all threads; the kernel's list has only those of the first.
        let all = table::ids().into_iter().filter_map(|id| table::read(id, ""));
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
            // Fails only if the group has no process left.
            let group = Pid::from_raw(process.group);
            let _ = group.map(|group| kill_process_group(group, Signal::KILL));
            process.signal(Signal::KILL);
        }
        std::thread::sleep(PAUSE);
    }
}

/// How many times to look for new orphans.
const ROUNDS: u32 = 100;
/// The time for killed processes to disappear before the next look.
const PAUSE: std::time::Duration = std::time::Duration::from_millis(5);

/// Returns whether there is surely no orphan: a process below us that loses its parent becomes our
/// child, and only we remove it from the list. This is faster than a look at all processes.
pub(in crate::process) fn is_nobody() -> bool {
    let is_reaper = register().is_reaper;
    let Some(ids) = table::children().filter(|_| is_reaper) else { return false };
    let orphans = Orphans::now();
    let is_left = |id| table::read(id, "").is_some_and(|process| orphans.has(&process));
    !ids.into_iter().any(is_left)
}

/// Recognises our orphans.
#[derive(Debug)]
pub(in crate::process) struct Orphans {
    register: Register,
    own: i32,
    own_group: Option<i32>,
}

impl Orphans {
    /// Takes a snapshot of the register. Must be called after the processes are listed and before
    /// they are read, so that every listed leader is registered.
    pub(in crate::process) fn now() -> Self {
        let register = register().clone();
        let own = table::own();
        Self { register, own, own_group: table::read(own, "").map(|own| own.group) }
    }

    /// Returns whether no other command ran, so that all orphans belong to this one.
    pub(in crate::process) fn are_all_of(&self, leader: Pid) -> bool {
        self.register.is_alone(leader)
    }

    /// Returns whether a process is our orphan. Processes that we start other than commands are
    /// registered as helpers or stay in our own group.
    pub(in crate::process) fn has(&self, process: &Process) -> bool {
        process.parent == self.own
            && self.own_group.is_some_and(|group| group != process.group)
            && self.register.since.is_some_and(|since| process.birth() > since)
            && !self.register.unreaped.contains(&process.id)
    }
}
