//! Finds and ends everything that a command started.
//!
//! A command gets a process group and a variable of its own. Whoever leaves the group (by `setsid`
//! or a double fork) still carries the variable, and so do its children; whoever drops the variable
//! still has a parent; and on Linux whoever loses its parent gets us for one. Only who joins our
//! own group as well hides from us: no program does that by chance.

use std::io;
use std::process::Child;

use rustix::process::Pid;
use sprag_core::EffectId;

use super::hunt::Hunt;
use super::orphans;

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
