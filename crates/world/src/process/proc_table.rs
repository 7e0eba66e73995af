//! The processes of a Linux machine, read from `/proc`.

use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, pidfd_open, pidfd_send_signal, waitid,
};

/// A process. Its id may be reused, but together with its start it is unique.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Process {
    pub(super) id: i32,
    pub(super) parent: i32,
    pub(super) group: i32,
    pub(super) session: i32,
    begun: u64,
    /// Whether it has ended and is listed only until its parent reaps it.
    pub(super) is_over: bool,
    pub(super) is_marked: bool,
}

/// When a process began, in ticks; the id orders those of one tick.
pub(super) type Birth = (u64, i32);

impl Process {
    pub(super) const fn birth(&self) -> Birth {
        (self.begun, self.id)
    }

    /// Sends a signal to this process, and to no other that got its id meanwhile.
    pub(super) fn signal(&self, signal: Signal) {
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
    pub(super) fn reap(&self) {
        if let Some(pid) = Pid::from_raw(self.id) {
            // Fails if another thread was faster.
            let _ = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
        }
    }
}

pub(super) fn own() -> i32 {
    i32::try_from(std::process::id()).unwrap_or(0)
}

/// Returns the ids of all processes, newest first, because a process that keeps forking is gone a
/// moment after it was listed. A process that exists during the whole call is never missed.
pub(super) fn ids() -> Vec<i32> {
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
pub(super) fn children() -> Option<Vec<i32>> {
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
pub(super) fn read(id: i32, mark: &str) -> Option<Process> {
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

fn carries(id: i32, mark: &str) -> bool {
    carries_one(id, &[mark])
}

/// Returns whether a process was started with one of these variables.
pub(super) fn carries_one(id: i32, marks: &[impl AsRef<str>]) -> bool {
    // The environment of another user's process cannot be read, and is not ours.
    let environment = std::fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
    let is_mark = |entry: &[u8]| marks.iter().any(|mark| entry == mark.as_ref().as_bytes());
    environment.split(|&byte| byte == 0).any(is_mark)
}
