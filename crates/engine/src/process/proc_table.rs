//! The processes of a Linux machine, as `/proc` tells them.

use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, pidfd_open, pidfd_send_signal, waitid,
};

/// A process; its number may be given to another one, together with its beginning it is unique.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Process {
    pub(super) id: i32,
    pub(super) parent: i32,
    pub(super) group: i32,
    pub(super) session: i32,
    begun: u64,
    /// Whether it has ended, and is listed only because its parent did not reap it yet.
    pub(super) is_over: bool,
    pub(super) is_marked: bool,
}

/// When a process began, in ticks; the number decides between those of one tick.
pub(super) type Birth = (u64, i32);

impl Process {
    pub(super) const fn birth(&self) -> Birth {
        (self.begun, self.id)
    }

    /// Sends a signal to this very process and to no other that got its number meanwhile.
    pub(super) fn signal(&self, signal: Signal) {
        let Some(pid) = Pid::from_raw(self.id) else { return };
        // From here on the handle means whoever has the number now; if that is ours, it stays ours.
        if let Ok(handle) = pidfd_open(pid, PidfdFlags::empty())
            && read(self.id, "").is_some_and(|now| now.begun == self.begun)
        {
            // Fails when it has just ended, or is another user's.
            let _ = pidfd_send_signal(handle, signal);
        }
    }

    /// Takes a child of ours that is over off the system's list.
    pub(super) fn reap(&self) {
        if let Some(pid) = Pid::from_raw(self.id) {
            // Fails when another thread was faster.
            let _ = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
        }
    }
}

/// Returns our own number.
pub(super) fn own() -> i32 {
    i32::try_from(std::process::id()).unwrap_or(0)
}

/// Returns the numbers of all processes, the newest first: whoever forks and ends all the time is
/// gone a moment after it was listed. Who is there during the whole call is never missed.
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

/// Returns the numbers of the children of our first thread, the newest first, to which orphans come;
/// nothing where the kernel does not tell. A child stays on the list until we reap it.
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

/// Reads `/proc/N/stat`; nothing for a process that is not there any more.
pub(super) fn read(id: i32, mark: &str) -> Option<Process> {
    let stat = std::fs::read(format!("/proc/{id}/stat")).ok()?;
    // The name stands in parentheses and may hold anything.
    let after = stat.iter().rposition(|&byte| byte == b')')?;
    let text = std::str::from_utf8(&stat[after + 1..]).ok()?;
    let fields: Vec<&str> = text.split_whitespace().collect();
    let number = |at: usize| fields.get(at)?.parse::<i32>().ok();
    let (parent, group, session) = (number(1)?, number(2)?, number(3)?);
    // A process whose first thread has ended looks like one that is over, but for its threads.
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
    // Another user's environment cannot be read, and is not ours.
    let environment = std::fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
    let is_mark = |entry: &[u8]| marks.iter().any(|mark| entry == mark.as_ref().as_bytes());
    environment.split(|&byte| byte == 0).any(is_mark)
}
