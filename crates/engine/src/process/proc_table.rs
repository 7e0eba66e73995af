//! The processes of a Linux machine, as `/proc` tells them.

use std::collections::{BTreeSet, HashSet};

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// A process; its number may be given to another one, together with its beginning it is unique.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Process {
    id: i32,
    parent: i32,
    group: i32,
    session: i32,
    begun: u64,
    is_marked: bool,
}

impl Process {
    /// Sends a signal to this very process and to no other that got its number meanwhile.
    pub(super) fn signal(&self, signal: Signal) {
        let Some(pid) = Pid::from_raw(self.id) else { return };
        // From here on the handle means whoever has the number now; if that is ours, it stays ours.
        if let Ok(handle) = pidfd_open(pid, PidfdFlags::empty())
            && read(self.id, "").as_ref().is_some_and(|now| now.begun == self.begun)
        {
            // Fails when it has just ended, or is another user's.
            let _ = pidfd_send_signal(handle, signal);
        }
    }
}

/// What one look at all processes found of a family.
#[derive(Clone, Debug, Default)]
pub(super) struct Look {
    pub(super) members: Vec<Process>,
    /// The groups they made for themselves in sessions of their own; nobody else is in those.
    pub(super) groups: HashSet<Pid>,
}

/// Looks for the living processes of some groups, those that carry the mark, and the children of
/// all of them.
pub(super) fn look(groups: &HashSet<Pid>, mark: &str) -> Look {
    let own = i32::try_from(std::process::id()).unwrap_or(0);
    let groups: BTreeSet<i32> = groups.iter().map(|group| raw(*group)).collect();
    // The newest first: whoever forks and ends all the time is gone a moment after it was listed.
    let mut ids: Vec<i32> = numbers().filter(|id| *id > 1 && *id != own).collect();
    ids.sort_unstable_by(|one, other| other.cmp(one));
    let all: Vec<Process> = ids.into_iter().filter_map(|id| read(id, mark)).collect();
    let belongs = |process: &&Process| {
        process.is_marked || groups.contains(&process.group) || groups.contains(&process.session)
    };
    let mut found: BTreeSet<i32> = all.iter().filter(belongs).map(|process| process.id).collect();
    loop {
        let below =
            |process: &&Process| found.contains(&process.parent) && !found.contains(&process.id);
        let more: Vec<i32> = all.iter().filter(below).map(|process| process.id).collect();
        if more.is_empty() {
            break;
        }
        found.extend(more);
    }
    let members: Vec<_> = all.into_iter().filter(|process| found.contains(&process.id)).collect();
    // Zero in a container whose session began outside; asking the system for it would not do.
    let here = read(own, "").map_or(0, |process| process.session);
    let apart = members.iter().filter(|process| process.session != here);
    let groups = apart.filter_map(|process| Pid::from_raw(process.group)).collect();
    Look { members, groups }
}

fn raw(pid: Pid) -> i32 {
    pid.as_raw_nonzero().get()
}

fn numbers() -> impl Iterator<Item = i32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// Reads `/proc/N/stat`; nothing for a process that has ended, reaped or not.
fn read(id: i32, mark: &str) -> Option<Process> {
    let stat = std::fs::read(format!("/proc/{id}/stat")).ok()?;
    // The name stands in parentheses and may hold anything.
    let after = stat.iter().rposition(|&byte| byte == b')')?;
    let text = std::str::from_utf8(&stat[after + 1..]).ok()?;
    let fields: Vec<&str> = text.split_whitespace().collect();
    if matches!(*fields.first()?, "Z" | "X" | "x") {
        return None;
    }
    let number = |at: usize| fields.get(at)?.parse().ok();
    let begun = fields.get(19)?.parse().ok()?;
    let is_marked = !mark.is_empty() && carries(id, mark);
    let (parent, group, session) = (number(1)?, number(2)?, number(3)?);
    Some(Process { id, parent, group, session, begun, is_marked })
}

fn carries(id: i32, mark: &str) -> bool {
    // Another user's environment cannot be read, and is not ours.
    let environment = std::fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
    environment.split(|&byte| byte == 0).any(|entry| entry == mark.as_bytes())
}
