//! Finds and ends everything that a command started.
//!
//! A command gets a process group and a variable of its own. Whoever leaves the group (by `setsid`
//! or a double fork) still carries the variable, and so do its children; and whoever drops the
//! variable still has a parent. What does all three at once is lost to us: only a cgroup would
//! hold it, and those need rights that a person's account seldom has.

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use sprag_core::Id;

#[cfg(target_os = "linux")]
use super::proc_table as table;

/// How long a family may take to end by itself once it was asked to.
const GRACE: Duration = Duration::from_millis(700);
/// How long killing goes on; whoever is still there then cannot be killed.
const KILLING: Duration = Duration::from_secs(1);
/// How often is looked whether they are gone: there is nothing to wait on but one's own children.
const LOOK: Duration = Duration::from_millis(10);

/// Everything that one command started.
#[derive(Clone, Debug)]
pub struct Family {
    /// The group of the command, where it is still ours to name: its leader is not yet reaped.
    group: Option<Pid>,
    /// `SPRAG_EFFECT=` and the id.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux tells it"))]
    mark: String,
}

impl Family {
    /// Returns the family of an effect that somebody else may have started, by its mark alone.
    pub fn of(effect: &Id) -> Self {
        Self { group: None, mark: format!("{}={effect}", super::environment::EFFECT) }
    }

    pub(super) fn led_by(group: Pid, effect: &Id) -> Self {
        Self { group: Some(group), ..Self::of(effect) }
    }

    /// Returns whether any of them is alive.
    #[cfg(target_os = "linux")]
    pub fn is_alive(&self) -> bool {
        !table::members(self.group, &self.mark).is_empty()
    }

    /// Returns whether any of them is alive; only the group can be asked here, and only as long as
    /// its leader lives.
    #[cfg(not(target_os = "linux"))]
    pub fn is_alive(&self) -> bool {
        self.group.is_some_and(|group| rustix::process::test_kill_process_group(group).is_ok())
    }

    /// Asks all of them to end, then ends them, and returns whether none is left.
    pub fn end(&self) -> bool {
        if !self.is_alive() {
            return true;
        }
        self.signal(Signal::TERM);
        if self.is_gone_within(GRACE, None) {
            return true;
        }
        self.is_gone_within(KILLING, Some(Signal::KILL))
    }

    #[expect(clippy::disallowed_methods, reason = "a deadline is measured, nothing decided by it")]
    fn is_gone_within(&self, wait: Duration, again: Option<Signal>) -> bool {
        let start = std::time::Instant::now();
        loop {
            // Whoever forks while we look is met on the next round.
            if let Some(signal) = again {
                self.signal(signal);
            }
            if !self.is_alive() {
                return true;
            }
            if start.elapsed() >= wait {
                return false;
            }
            std::thread::sleep(LOOK);
        }
    }

    fn signal(&self, signal: Signal) {
        if let Some(group) = self.group {
            // Fails only when nobody is left in it.
            let _ = kill_process_group(group, signal);
        }
        #[cfg(target_os = "linux")]
        for process in table::members(self.group, &self.mark) {
            process.signal(signal);
        }
    }
}
