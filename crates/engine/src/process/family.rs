//! Finds and ends everything that a command started.
//!
//! A command gets a process group and a variable of its own. Whoever leaves the group (by `setsid`
//! or a double fork) still carries the variable, and so do its children; and whoever drops the
//! variable still has a parent. What does all three at once is lost to us: only a cgroup would
//! hold it, and those need rights that a person's account seldom has.

use std::collections::HashSet;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use sprag_core::Id;

#[cfg(target_os = "linux")]
use super::proc_table::Process;

/// How long a family may take to end by itself once it was asked to.
const GRACE: Duration = Duration::from_millis(700);
/// How long killing goes on; whoever is still there then cannot be killed.
const KILLING: Duration = Duration::from_secs(1);
/// How often is looked whether they are gone: there is nothing to wait on but one's own children.
const PAUSE: Duration = Duration::from_millis(10);
/// How many looks in a row must find nobody.
const LOOKS: u32 = 3;

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
    pub fn is_alive(&self) -> bool {
        self.hunt().is_on()
    }

    /// Asks all of them to end, then ends them, and returns whether none is left.
    pub fn end(&self) -> bool {
        let mut hunt = self.hunt();
        if !hunt.is_on() {
            return true;
        }
        hunt.signal(Signal::TERM);
        hunt.is_over_within(GRACE, None) || hunt.is_over_within(KILLING, Some(Signal::KILL))
    }

    fn hunt(&self) -> Hunt<'_> {
        Hunt { family: self, groups: self.group.into_iter().collect(), members: Vec::new() }
    }
}

/// A search that remembers the groups it met: signals to a group reach also whoever forks faster
/// than one can look.
struct Hunt<'a> {
    family: &'a Family,
    groups: HashSet<Pid>,
    members: Vec<Process>,
}

impl Hunt<'_> {
    /// Looks whether any is alive. One look can miss a process that was just being replaced.
    fn is_on(&mut self) -> bool {
        (0..LOOKS).any(|_| self.look())
    }

    #[cfg(target_os = "linux")]
    fn look(&mut self) -> bool {
        let look = super::proc_table::look(&self.groups, &self.family.mark);
        self.groups.extend(look.groups);
        self.members = look.members;
        !self.members.is_empty()
    }

    /// Only the group can be asked here, and only as long as its leader is not reaped.
    #[cfg(not(target_os = "linux"))]
    fn look(&mut self) -> bool {
        self.groups.iter().any(|group| rustix::process::test_kill_process_group(*group).is_ok())
    }

    #[expect(clippy::disallowed_methods, reason = "a deadline is measured, nothing decided by it")]
    fn is_over_within(&mut self, wait: Duration, again: Option<Signal>) -> bool {
        let start = std::time::Instant::now();
        loop {
            if let Some(signal) = again {
                self.signal(signal);
            }
            if !self.is_on() {
                return true;
            }
            if start.elapsed() >= wait {
                return false;
            }
            std::thread::sleep(PAUSE);
        }
    }

    fn signal(&self, signal: Signal) {
        for group in &self.groups {
            // Fails only when nobody is left in it.
            let _ = kill_process_group(*group, signal);
        }
        for process in &self.members {
            process.signal(signal);
        }
    }
}

/// Elsewhere than on Linux nobody is found outside the group.
#[cfg(not(target_os = "linux"))]
enum Process {}

#[cfg(not(target_os = "linux"))]
impl Process {
    const fn signal(&self, _: Signal) {}
}
