//! The process list, read from `/proc`.

use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, pidfd_open, pidfd_send_signal, waitid,
};
use sprag_core::Time;

/// How far the recorded start of a process may be from its real one: a tick.
pub(in crate::process) const PRECISION: i64 = 1000 / TICKS;
/// The kernel's clock ticks per second, as every program sees them.
const TICKS: i64 = 100;

/// A process. Its id may be reused, but together with its start it is unique.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::process) struct Process {
    pub(in crate::process) id: i32,
    pub(in crate::process) parent: i32,
    pub(in crate::process) group: i32,
    pub(in crate::process) session: i32,
    begun: u64,
    /// Whether it has ended and is listed only until its parent reaps it.
    pub(in crate::process) is_over: bool,
    pub(in crate::process) is_marked: bool,
}

/// When a process began, in ticks; the id orders those of one tick.
pub(in crate::process) type Birth = (u64, i32);

impl Process {
    pub(in crate::process) const fn birth(&self) -> Birth {
        (self.begun, self.id)
    }

    /// Sends a signal to this process, and to no other that got its id meanwhile.
    pub(in crate::process) fn signal(&self, signal: Signal) {
        let Some(pid) = Pid::from_raw(self.id) else { return };
        // The handle refers to the current process with this id; if that is still ours, so is the
        // handle.
        if let Ok(handle) = pidfd_open(pid, PidfdFlags::empty())
            && read(self.id, "").is_some_and(|now| now.begun == self.begun)
        {
            // Fails if it has just ended, or belongs to another user.
            let _ = pidfd_send_signal(handle, signal);
        }
    }

    /// Reaps an ended child of ours.
    pub(in crate::process) fn reap(&self) {
        if let Some(pid) = Pid::from_raw(self.id) {
            // Fails if another thread was faster.
            let _ = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
        }
    }
}

pub(in crate::process) fn own() -> i32 {
    i32::try_from(std::process::id()).unwrap_or(0)
}

/// Returns the ids of all processes, newest first, because a process that keeps forking is gone a
/// moment after it was listed. A process that exists during the whole call is never missed.
pub(in crate::process) fn ids() -> Vec<i32> {
    let Some(all) = has_our_numbers().then(|| std::fs::read_dir("/proc").ok()).flatten() else {
        return Vec::new();
    };
    let entries = all.flatten();
    let mut ids: Vec<i32> =
        entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    ids.sort_unstable_by(|one, other| other.cmp(one));
    ids
}

/// Returns the ids of our first thread's children, newest first; orphans come to this thread.
/// `None` if the kernel does not list them. A child stays listed until we reap it.
pub(in crate::process) fn children() -> Option<Vec<i32>> {
    let own = own();
    let path = format!("/proc/{own}/task/{own}/children");
    let text = has_our_numbers().then(|| std::fs::read_to_string(path).ok()).flatten()?;
    Some(text.split_whitespace().rev().filter_map(|id| id.parse().ok()).collect())
}

/// Returns whether `/proc` is ours: a container may show another one's.
fn has_our_numbers() -> bool {
    std::fs::read_link("/proc/self").is_ok_and(|me| me.to_str() == Some(&own().to_string()))
}

/// Reads `/proc/N/stat`; `None` for a process that is gone.
pub(in crate::process) fn read(id: i32, mark: &str) -> Option<Process> {
    let stat = std::fs::read(format!("/proc/{id}/stat")).ok()?;
    // The name is in parentheses and may contain anything.
    let after = stat.iter().rposition(|&byte| byte == b')')?;
    let text = std::str::from_utf8(&stat[after + 1..]).ok()?;
    let fields: Vec<&str> = text.split_whitespace().collect();
    let number = |at: usize| fields.get(at)?.parse::<i32>().ok();
    let (parent, group, session) = (number(1)?, number(2)?, number(3)?);
    // A process whose first thread has ended looks dead, except for its thread count.
    let is_over = matches!(*fields.first()?, "Z" | "X" | "x") && number(17)? < 2;
    let begun = fields.get(19)?.parse().ok()?;
    let is_marked = !mark.is_empty() && !is_over && carries(id, mark);
    Some(Process { id, parent, group, session, begun, is_over, is_marked })
}

#[cfg(test)]
pub(in crate::process) fn find(id: i32) -> Option<Process> {
    read(id, "")
}

/// Returns when a process started, in the kernel's ticks.
pub(in crate::process) fn start(pid: &str) -> Option<String> {
    pid.parse::<u32>().ok()?;
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The program's name may contain anything, but the fields after its closing parenthesis do not.
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(19).map(str::to_owned)
}

/// Returns the namespace in which process ids are valid.
pub(in crate::process) fn namespace() -> Option<String> {
    std::fs::read_link("/proc/self/ns/pid").ok()?.to_str().map(str::to_owned)
}

/// Returns whether a process with one of these marks is alive that began by `latest`.
pub(in crate::process) fn is_any_marked(marks: &[String], latest: Time, now: Time) -> bool {
    let Some(up) = uptime() else { return false };
    let own = own();
    let booted = now.plus_millis(-up);
    let is_old = |begun: u64| {
        let ticks = i64::try_from(begun).unwrap_or(i64::MAX / 1000);
        booted.plus_millis(ticks.saturating_mul(1000) / TICKS) <= latest
    };
    ids().into_iter().filter(|id| *id != own).any(|id| {
        let process = read(id, "");
        process.is_some_and(|it| !it.is_over && is_old(it.begun)) && carries_one(id, marks)
    })
}

/// Returns the uptime of the machine in milliseconds.
fn uptime() -> Option<i64> {
    let text = std::fs::read_to_string("/proc/uptime").ok()?;
    let (seconds, rest) = text.split_whitespace().next()?.split_once('.')?;
    let hundredths: i64 = rest.get(..2)?.parse().ok()?;
    Some(seconds.parse::<i64>().ok()?.saturating_mul(1000).saturating_add(hundredths * 10))
}

fn carries(id: i32, mark: &str) -> bool {
    carries_one(id, &[mark])
}

/// Returns whether a process was started with one of these variables.
fn carries_one(id: i32, marks: &[impl AsRef<str>]) -> bool {
    // The environment of another user's process cannot be read, and is not ours.
    let environment = std::fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
    let is_mark = |entry: &[u8]| marks.iter().any(|mark| entry == mark.as_ref().as_bytes());
    environment.split(|&byte| byte == 0).any(is_mark)
}
