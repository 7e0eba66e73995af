//! Finds and ends everything that a command started.
//!
//! A command gets a process group and a variable of its own. Whoever leaves the group (by `setsid`
//! or a double fork) still carries the variable, and so do its children; whoever drops the variable
//! still has a parent; and on Linux whoever loses its parent gets us for one. Only who joins our
//! own group as well hides from us: no program does that by chance.

use std::collections::HashSet;
use std::io;
use std::process::Child;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use sprag_core::EffectId;

use super::look::{Look, look};
use super::orphans;

/// How long a family may take to end by itself once it was asked to.
const GRACE: Duration = Duration::from_millis(700);
/// How long killing goes on; a process that is still there then cannot be killed.
const KILLING: Duration = Duration::from_secs(1);
/// How often is looked whether they are gone: there is nothing to wait on but one's own children.
const PAUSE: Duration = Duration::from_millis(10);
/// How many looks in a row must find no member and nothing new, where a look is not sure.
const LOOKS: u32 = 3;
/// How many looks are taken at most, however much is new.
const MOST_LOOKS: u32 = 60;

/// Everything that one command started.
#[derive(Debug)]
pub struct Family {
    /// The first process of the command, where we started it and have not reaped it: so long its
    /// number names its group and nothing else.
    leader: Option<Pid>,
    /// `SPRAG_EFFECT=` and the id.
    mark: String,
}

impl Family {
    /// Returns the family of an effect that somebody else may have started, by its mark alone.
    pub fn of(effect: &EffectId) -> Self {
        Self { leader: None, mark: format!("{}={effect}", super::environment::EFFECT) }
    }

    /// Starts a command, which must be waited for before its family is dropped.
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

    /// Returns whether any of them is alive.
    pub fn is_alive(&self) -> bool {
        Hunt::new(self.leader, &self.mark).is_on()
    }

    /// Asks all of them to end, then ends them, and returns whether none is left.
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

/// The search for a family, from the first request to end until none is left. It remembers the
/// groups it met: a signal to a group also reaches a process that forks faster than we can look.
#[derive(Debug)]
struct Hunt<'a> {
    /// The command's first process, where we started it and did not reap it yet.
    leader: Option<Pid>,
    mark: &'a str,
    /// Groups with only members in them.
    groups: HashSet<Pid>,
    last: Look,
}

impl<'a> Hunt<'a> {
    fn new(leader: Option<Pid>, mark: &'a str) -> Self {
        Self { leader, mark, groups: leader.into_iter().collect(), last: Look::default() }
    }

    /// Asks all of them to end, then ends them, and returns whether none is left.
    fn end(&mut self) -> bool {
        let is_over = !self.is_on() || {
            self.signal(Signal::TERM);
            self.is_over_within(GRACE, None) || self.is_over_within(KILLING, Some(Signal::KILL))
        };
        // No process forks away from a signal to its group, so one that was missed ends as well.
        self.signal(Signal::KILL);
        is_over
    }

    /// Returns whether the last look saw all that can be of this family.
    const fn has_seen_all(&self) -> bool {
        self.last.is_sure
    }

    /// Looks whether a member is there. Where a look is not sure, it can miss a process that was
    /// just being replaced.
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
        // The number of an empty group may be given to another one.
        let is_empty = |group| matches!(test_kill_process_group(group), Err(Errno::SRCH));
        self.groups.retain(|group| Some(*group) == leader || !is_empty(*group));
        // The dead keep a group from being empty; of a command of ours, the last look took them.
        let is_peopled = leader.is_some() && self.groups.iter().any(|group| Some(*group) != leader);
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
            // Not before the signal: until they are reaped, no other process gets their groups' numbers.
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
            // Fails only when no process is left in it.
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
