//! Finds and ends all processes that a command started.
//!
//! A command gets its own process group and a marked variable. A process that leaves the group (by
//! `setsid` or a double fork) still has the variable, and so do its children. A process that drops
//! the variable still has a parent, and on Linux a process that loses its parent gets us as the new
//! one. Only a process that also joins our own group escapes, which no program does by accident.
//! Elsewhere a process that does all of this within a quarter of a second escapes as well.

use std::collections::HashSet;
use std::io;
use std::process::Child;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use sprag_core::EffectId;

use super::look::{Look, REAPS_ORPHANS, look};
use super::orphans;

/// How long a family may take to end after it was asked to.
const GRACE: Duration = Duration::from_millis(700);
/// How long killing is repeated; a process that remains cannot be killed.
const KILLING: Duration = Duration::from_secs(1);
/// The interval of checks, because only own children can be awaited.
const PAUSE: Duration = Duration::from_millis(10);
/// How many checks in a row must find no member and nothing new, if one check is not reliable.
const LOOKS: u32 = 3;
/// The most checks, however much is new.
const MOST_LOOKS: u32 = 60;

/// All processes that one command started.
#[derive(Debug)]
pub struct Family {
    /// The first process of the command, if we started it and have not reaped it: until then its id
    /// names only its group.
    leader: Option<Pid>,
    /// `SPRAG_EFFECT=` and the id.
    mark: String,
}

impl Family {
    /// Returns the family of an effect that another process may have started, by its mark alone.
    pub fn of(effect: &EffectId) -> Self {
        Self { leader: None, mark: format!("{}={effect}", super::environment::EFFECT) }
    }

    /// Starts a command, which must be awaited before its family is dropped.
    pub(super) fn start(
        command: &mut std::process::Command,
        effect: &EffectId,
    ) -> io::Result<(Child, Self)> {
        use std::os::unix::process::CommandExt as _;
        let mut family = Self::of(effect);
        command.env(super::environment::EFFECT, effect.as_str()).process_group(0);
        let child = orphans::start(command)?;
        family.leader = Some(Pid::from_child(&child));
        Ok((child, family))
    }

    pub fn is_alive(&self) -> bool {
        Hunt::new(self.leader, &self.mark).is_on()
    }

    /// Asks all of them to end, then kills them; returns whether none is left.
    pub fn end(&self) -> bool {
        loop {
            let mut hunt = Hunt::new(self.leader, &self.mark);
            let is_over = hunt.end();
            if self.leader.is_none_or(|leader| orphans::leave(leader, hunt.has_seen_all())) {
                return is_over;
            }
        }
    }
}

impl Drop for Family {
    fn drop(&mut self) {
        if let Some(leader) = self.leader {
            orphans::forget(leader);
        }
    }
}

/// The search for a family, from the first request to end until none is left. It records the groups
/// it met, because a signal to a group also reaches a process that forks faster than we can look.
#[derive(Debug)]
struct Hunt<'a> {
    /// The command's first process, if we started it and have not reaped it yet.
    leader: Option<Pid>,
    mark: &'a str,
    /// Groups that have only members of the family.
    groups: HashSet<Pid>,
    last: Look,
}

impl<'a> Hunt<'a> {
    fn new(leader: Option<Pid>, mark: &'a str) -> Self {
        Self { leader, mark, groups: leader.into_iter().collect(), last: Look::default() }
    }

    /// Asks all of them to end, then kills them; returns whether none is left.
    fn end(&mut self) -> bool {
        let is_over = !self.is_on() || {
            self.signal(Signal::TERM);
            self.is_over_within(GRACE, None) || self.is_over_within(KILLING, Some(Signal::KILL))
        };
        // No process escapes a signal to its group by forking, so a missed one ends as well.
        self.signal(Signal::KILL);
        is_over
    }

    /// Returns whether the last check was able to see the whole family.
    const fn has_seen_all(&self) -> bool {
        self.last.is_sure
    }

    /// Returns whether a member is alive. An unreliable check can miss a process that was just
    /// being replaced.
    fn is_on(&mut self) -> bool {
        let (mut quiet, mut newest) = (0, None);
        for _ in 0..MOST_LOOKS {
            if self.look() {
                return true;
            }
            quiet = if self.last.newest == newest { quiet + 1 } else { 1 };
            newest = self.last.newest;
            if self.last.is_sure || quiet == LOOKS {
                break;
            }
        }
        false
    }

    fn look(&mut self) -> bool {
        let leader = self.leader;
        // The id of an empty group may be reused.
        let is_empty = |group| matches!(test_kill_process_group(group), Err(Errno::SRCH));
        self.groups.retain(|group| Some(*group) == leader || !is_empty(*group));
        // Dead processes keep a group non-empty. If we reap those of our own command, the last check
        // has done so; otherwise only the list shows whether a member is alive.
        let is_peopled = REAPS_ORPHANS
            && leader.is_some()
            && self.groups.iter().any(|group| Some(*group) != leader);
        self.last = look(leader, &self.groups, self.mark);
        self.groups.extend(&self.last.groups);
        is_peopled || self.last.is_anybody
    }

    #[expect(clippy::disallowed_methods, reason = "a deadline is measured, nothing decided by it")]
    fn is_over_within(&mut self, wait: Duration, again: Option<Signal>) -> bool {
        let start = std::time::Instant::now();
        loop {
            if let Some(signal) = again {
                self.signal(signal);
            }
            // After the signal, because their group ids can be reused once they are reaped.
            self.last.over.drain(..).for_each(|process| process.reap());
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
            // Fails only if the group has no process left.
            let _ = kill_process_group(*group, signal);
        }
        for process in &self.last.alive {
            process.signal(signal);
        }
        if let Some(leader) = self.leader {
            orphans::signal(leader, signal);
        }
    }
}
