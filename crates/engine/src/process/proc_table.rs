//! The processes of a Linux machine, as `/proc` tells them.

use std::collections::BTreeSet;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// A process; its number may be given to another one, together with its beginning it is unique.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Process {
    id: i32,
    parent: i32,
    group: i32,
    session: i32,
    begun: u64,
}

impl Process {
    /// Sends a signal to this very process and to no other that got its number meanwhile.
    pub(super) fn signal(&self, signal: Signal) {
        let Some(pid) = Pid::from_raw(self.id) else { return };
        // From here on the handle means whoever has the number now; if that is ours, it stays ours.
        if let Ok(handle) = pidfd_open(pid, PidfdFlags::empty())
            && read(self.id).as_ref().is_some_and(|now| now.begun == self.begun)
        {
            // Fails when it has just ended, or is another user's.
            let _ = pidfd_send_signal(handle, signal);
        }
    }
}

/// Returns the living processes of a group, those that carry the mark, and the children of both.
pub(super) fn members(group: Option<Pid>, mark: &str) -> Vec<Process> {
    let group = group.map_or(0, |pid| pid.as_raw_nonzero().get());
    let own = i32::try_from(std::process::id()).unwrap_or(0);
    let all: Vec<Process> = numbers().filter(|id| *id > 1 && *id != own).filter_map(read).collect();
    let belongs = |process: &Process| {
        group != 0 && (process.group == group || process.session == group)
            || carries(process.id, mark)
    };
    let mut found: BTreeSet<i32> =
        all.iter().filter(|process| belongs(process)).map(|process| process.id).collect();
    loop {
        let below =
            |process: &&Process| found.contains(&process.parent) && !found.contains(&process.id);
        let more: Vec<i32> = all.iter().filter(below).map(|process| process.id).collect();
        if more.is_empty() {
            return all.into_iter().filter(|process| found.contains(&process.id)).collect();
        }
        found.extend(more);
    }
}

fn numbers() -> impl Iterator<Item = i32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// Reads `/proc/N/stat`; nothing for a process that has ended, reaped or not.
fn read(id: i32) -> Option<Process> {
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
    Some(Process { id, parent: number(1)?, group: number(2)?, session: number(3)?, begun })
}

fn carries(id: i32, mark: &str) -> bool {
    // Another user's environment cannot be read, and is not ours.
    let environment = std::fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
    environment.split(|&byte| byte == 0).any(|entry| entry == mark.as_bytes())
}
