//! Finds the commands of a run that no person has approved, so that they are approved before the
//! work and not during it.

use sprag_core::{Commands, Hash, Hold, RunId, typed};
use sprag_formats::{Checks, HostConfig, WorktreeConfig};
use sprag_world::trust::{self, Deed};

use super::{ACTOR, is_inbox, open};
use crate::engine::{Engine, EngineError};
use crate::gate::{self, GateRunner};
use crate::now::Now;

/// Something in a project that needs a person's approval to run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnapprovedItem {
    /// The text that the person sees.
    pub what: String,
    /// The digest that the approval covers.
    pub digest: Hash,
}

impl UnapprovedItem {
    /// Builds the request for a command.
    pub fn of(argv: &[String]) -> Self {
        Self { what: typed(argv), digest: trust::digest(argv, "", &[]) }
    }
}

impl Engine<'_> {
    /// Returns all commands that a run may need: those of its gates and rules, and the notify
    /// command.
    pub fn drive_commands(&self, run: &RunId) -> Result<Vec<UnapprovedItem>, EngineError> {
        let mut asked =
            if is_inbox(run) { self.inbox_commands()? } else { self.own_commands(run)? };
        let config = self.drive_config()?;
        // If no command may run, approval is pointless and there are no notices.
        let notify = config.notify.command.filter(|_| config.checks != Checks::Never);
        asked.extend(notify.as_deref().map(UnapprovedItem::of));
        asked.sort();
        asked.dedup();
        Ok(asked)
    }

    /// Returns the commands of the gates and the rules of a run.
    fn own_commands(&self, run: &RunId) -> Result<Vec<UnapprovedItem>, EngineError> {
        let now = Now::new(self);
        self.look(|view| {
            let case = open(view, run, &now)?;
            let specs = case.run.live.reachable_specs();
            let gates = specs.iter().flat_map(|spec| gate::commands(&spec.gate.check));
            let rules = case.run.live.rule_commands();
            Ok(gates
                .map(UnapprovedItem::of)
                .chain(rules.iter().map(|argv| UnapprovedItem::of(argv)))
                .collect())
        })
    }

    /// Returns those that no person has approved.
    pub fn drive_unapproved(
        &self,
        asked: Vec<UnapprovedItem>,
    ) -> Result<Vec<UnapprovedItem>, EngineError> {
        let (deed, checks) = (self.deed(), self.drive_config()?.checks);
        let bench = self.bench(&deed, checks);
        Ok(asked.into_iter().filter(|one| !bench.covers(one.digest)).collect())
    }

    /// Records a person's approval.
    pub fn drive_approve(&self, asked: &[UnapprovedItem]) -> Result<(), EngineError> {
        let digests: Vec<Hash> = asked.iter().map(|one| one.digest).collect();
        self.trust_digests(&digests)
    }

    /// Holds a run because of unapproved commands, and returns the hold.
    pub fn drive_untrusted(
        &self,
        run: &RunId,
        asked: &[UnapprovedItem],
    ) -> Result<Hold, EngineError> {
        let hold = Hold::SetUp { what: together(asked) };
        self.hold(run, &hold, ACTOR, &Now::new(self))?;
        // Once resumed, the run waits for a driver; the free lock shows that it has none.
        self.driver_seat(run)?;
        Ok(hold)
    }

    /// Approves the commands that a person was shown, if they are still the ones that the run
    /// needs.
    pub(crate) fn trust_before(&self, run: &RunId, shown: &Commands) -> Result<(), EngineError> {
        let config = self.drive_config()?;
        allows_commands(config.checks)?;
        let mut asked = self.drive_unapproved(self.drive_commands(run)?)?;
        // Only the driver of a run with worktrees asks for these.
        if together(&asked) != *shown {
            asked.extend(self.drive_unapproved(set_up_asks(&config.worktree))?);
        }
        // If they were approved elsewhere meanwhile, nothing is left to approve.
        if !asked.is_empty() && together(&asked) != *shown {
            return Err(other_than_shown());
        }
        self.drive_approve(&asked)
    }

    pub fn drive_bench<'t>(&'t self, deed: &'t Deed, checks: Checks) -> GateRunner<'t> {
        self.bench(deed, checks)
    }
}

/// Returns the digests of a worktree set-up: one for each command with its variables. Variables
/// without a command need approval too, because they change every other command.
fn set_up_digests(config: &WorktreeConfig) -> Vec<Hash> {
    let env: Vec<String> =
        config.env.iter().map(|(name, value)| format!("{name}={value}")).collect();
    if config.setup.is_empty() && !env.is_empty() {
        return vec![trust::digest(&[], "", &env)];
    }
    config.setup.iter().map(|argv| trust::digest(argv, "", &env)).collect()
}

/// Returns the requests for approval before worktrees are created.
pub fn set_up_asks(config: &WorktreeConfig) -> Vec<UnapprovedItem> {
    let names = config.env.iter().map(|(name, value)| format!("{name}={value}"));
    let env = names.collect::<Vec<_>>().join(" ");
    let shown = |at: usize| config.setup.get(at).map_or_else(|| env.clone(), |argv| typed(argv));
    let ask = |(at, digest)| UnapprovedItem { what: shown(at), digest };
    set_up_digests(config).into_iter().enumerate().map(ask).collect()
}

/// Returns the host settings that a person must approve: they could send the person's keys
/// elsewhere.
pub fn host_asks(configured: &[(String, HostConfig)]) -> Vec<UnapprovedItem> {
    let says = |own: &HostConfig| !(own.argv.is_empty() && own.env.is_empty());
    let used = configured.iter().filter(|(_, own)| says(own));
    used.map(|(name, own)| {
        let env = own.env.iter().map(|(key, value)| format!("{key}={value}"));
        let env: Vec<String> = env.collect();
        let what = [std::slice::from_ref(name), &own.argv, &env].concat().join(" ");
        let digest = trust::digest(&own.argv, &format!("hosts.{name}"), &env);
        UnapprovedItem { what: format!("`hosts.{what}`"), digest }
    })
    .collect()
}

/// Returns the texts of requests, for a hold.
pub fn together(asked: &[UnapprovedItem]) -> Commands {
    asked.iter().map(|one| one.what.clone()).collect()
}

/// Refuses if the project allows no commands.
pub(crate) fn allows_commands(checks: Checks) -> Result<(), EngineError> {
    match checks {
        Checks::Never => Err(EngineError::Refused {
            what: "`checks: {run: never}` lets no command run here".to_owned(),
            help: "change that in `.sprag/config.yaml` first".to_owned(),
        }),
        Checks::Ask | Checks::Allow => Ok(()),
    }
}

/// Builds the refusal for a hold that changed since it was shown.
pub(crate) fn other_than_shown() -> EngineError {
    EngineError::Refused {
        what: "what waits is no longer what was shown".to_owned(),
        help: "look again: `sprag`".to_owned(),
    }
}
