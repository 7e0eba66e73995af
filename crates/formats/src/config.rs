//! The typed form of `.sprag/config.yaml`. Every key is optional; a wrong type makes the file
//! Unknown.
//!
//! Reads only the keys that this version uses; the other known keys are kept.

mod hosts;

use std::time::Duration;

use sprag_core::basis::{MayChange, OnTests};
use sprag_core::rules::Rule;
use sprag_core::{Agent, GateSpec, Glob, Limits};

use crate::budget::{Budget, budget};
use crate::document::{Document, Format};
use crate::fault::{Fault, FaultKind};
use crate::field::Field;
use crate::gates::{Faults, gates, length, may_change};
use crate::keys;
use crate::rules::rules;
use crate::worktree::{NotifyConfig, WorktreeConfig, notify, worktree};

pub use hosts::HostConfig;

/// The newest version of the file that this program understands.
const VERSION: u64 = 1;

/// The settings in `config.yaml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// Whether sprag is off in this project.
    pub off: bool,
    /// The guard for every session that changed files.
    pub guard: Option<GuardConfig>,
    /// Whether commands of the project may run.
    pub checks: Checks,
    /// How long a stop waits for its gates.
    pub wait: Option<Duration>,
    /// The limits of every run.
    pub limits: Limits,
    /// The rules around dispatch, in the order of the file.
    pub rules: Vec<Rule>,
    /// Whether a GSD tree's Markdown is written even if a database exists beside it.
    pub writes_gsd: bool,
    /// The agent for the sessions of each worktree.
    pub agents: Vec<(Glob, Agent)>,
    /// The cost limits of a run.
    pub budget: Budget,
    /// How a worktree is prepared for work.
    pub worktree: WorktreeConfig,
    /// How a person is notified.
    pub notify: NotifyConfig,
    /// The start options of each host, by the host's name.
    pub hosts: Vec<(String, HostConfig)>,
    /// The reaction to tests that an agent changed.
    pub tests: OnTests,
}

/// The settings under `guard:`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GuardConfig {
    pub gates: Vec<GateSpec>,
    /// The number of evaluations after the first.
    pub retry: Option<u32>,
    /// The limits of the guard.
    pub limits: Limits,
    /// The files that agents may change although they judge the agents' work.
    pub may_change: Vec<MayChange>,
}

/// Whether commands of the project may run, once a person has approved them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Checks {
    /// Ask a person before a command runs for the first time.
    #[default]
    Ask,
    /// Running sprag by hand approves the commands. Host hooks still run nothing unapproved,
    /// because this file may have come with a clone.
    Allow,
    /// Run no command, even an approved one.
    Never,
}

impl Config {
    /// Reads the file; `hosts` has the names of the hosts that may be below `hosts:`. Returns either the configuration with notes on unknown keys, or every error
    /// in the order of the file.
    pub fn read(text: &str, hosts: &[&str]) -> Result<(Self, Vec<Fault>), Vec<Fault>> {
        let document = Document::parse(Format::Yaml, text).map_err(|fault| vec![fault])?;
        let top = document.top();
        if top.is_null() {
            return Ok((Self::default(), Vec::new()));
        }
        top.entries().map_err(|fault| vec![fault])?;
        let mut faults = Faults::default();
        let config = Self::of(&top, hosts, &mut faults);
        let Faults { mut errors, notes } = faults;
        errors.sort_by_key(|fault| fault.span.start());
        if errors.is_empty() { Ok((config, notes)) } else { Err(errors) }
    }

    fn of(top: &Field<'_>, hosts: &[&str], faults: &mut Faults) -> Self {
        faults.note_unknown(top, &keys::CONFIG);
        faults.optional(top, "v", version);
        let checks = top.optional(&["checks"]).map(|field| checks(&field, faults));
        let trees = top.optional(&["worktree"]).map(|field| worktree(&field, faults));
        let tells = top.optional(&["notify"]).map(|field| notify(&field, faults));
        Self {
            off: faults.optional(top, "off", Field::as_bool).unwrap_or_default(),
            guard: top.optional(&["guard"]).and_then(|field| guard(&field, faults)),
            checks: checks.unwrap_or_default(),
            wait: faults.optional(top, "wait", length),
            limits: limits(top, faults),
            rules: top.optional(&["rules"]).map(|list| rules(&list, faults)).unwrap_or_default(),
            writes_gsd: top.optional(&["gsd"]).is_some_and(|field| writes_gsd(&field, faults)),
            agents: top
                .optional(&["agents"])
                .map(|field| agents(&field, faults))
                .unwrap_or_default(),
            budget: top
                .optional(&["budget"])
                .map(|field| budget(&field, faults))
                .unwrap_or_default(),
            worktree: trees.unwrap_or_default(),
            notify: tells.unwrap_or_default(),
            hosts: top
                .optional(&["hosts"])
                .map(|field| hosts::hosts(&field, hosts, faults))
                .unwrap_or_default(),
            tests: faults.optional(top, "tests", on_tests).unwrap_or_default(),
        }
    }
}

/// Reads `agents: {WORKTREE: AGENT}`, in the order of the file.
fn agents(field: &Field<'_>, faults: &mut Faults) -> Vec<(Glob, Agent)> {
    let entries = faults.take(field.entries()).unwrap_or_default();
    let read = |(pattern, field): (&str, Field<'_>)| {
        let wrong = |why: String| field.fault(FaultKind::Type, why);
        let glob = Glob::parse(pattern).map_err(|bad| wrong(bad.to_string()))?;
        Ok((glob, Agent::parse(field.as_str()?).map_err(|bad| wrong(bad.to_string()))?))
    };
    entries.into_iter().filter_map(|entry| faults.take(read(entry))).collect()
}

fn version(field: &Field<'_>) -> Result<(), Fault> {
    match field.as_u64()? {
        0..=VERSION => Ok(()),
        later => {
            let what = format!("version {later}, and this sprag knows {VERSION}");
            Err(field.fault(FaultKind::Limit, what).help("use a newer sprag here"))
        }
    }
}

fn guard(field: &Field<'_>, faults: &mut Faults) -> Option<GuardConfig> {
    faults.take(field.entries())?;
    faults.note_unknown(field, &keys::GUARD);
    let gates = field.optional(&["gates"]).map(|list| gates(&list, faults)).unwrap_or_default();
    let retry = field.optional(&["retry"]).and_then(|field| retry(&field, faults));
    let may_change = may_change(field, faults);
    Some(GuardConfig { gates, retry, limits: limits(field, faults), may_change })
}

/// Reads `retry: {max: 3}`: the number of evaluations after the first.
pub fn retry(field: &Field<'_>, faults: &mut Faults) -> Option<u32> {
    faults.take(field.entries())?;
    faults.note_unknown(field, &keys::RETRY);
    faults.optional(field, "max", count)
}

/// Reads `limits:` below a map.
pub fn limits(above: &Field<'_>, faults: &mut Faults) -> Limits {
    let Some(field) = above.optional(&["limits"]) else { return Limits::default() };
    if faults.take(field.entries()).is_none() {
        return Limits::default();
    }
    faults.note_unknown(&field, &keys::LIMITS);
    Limits {
        wall: faults.optional(&field, "wall", length),
        blocks_without_progress: faults.optional(&field, "blocks_without_progress", count),
        refusals: faults.optional(&field, "refusals", count),
    }
}

pub(crate) fn count(field: &Field<'_>) -> Result<u32, Fault> {
    let most = 1000;
    match u32::try_from(field.as_u64()?) {
        Ok(count) if count <= most => Ok(count),
        Ok(_) | Err(_) => {
            let what = format!("more than {most} is no limit");
            Err(field.fault(FaultKind::Limit, what))
        }
    }
}

fn writes_gsd(field: &Field<'_>, faults: &mut Faults) -> bool {
    if faults.take(field.entries()).is_none() {
        return false;
    }
    faults.note_unknown(field, &keys::GSD);
    let read = |field: &Field<'_>| match field.as_str()? {
        "markdown" => Ok(true),
        other => {
            let what = format!("`{}` is not markdown", other.escape_debug());
            Err(field.fault(FaultKind::Type, what).expecting("markdown"))
        }
    };
    faults.optional(field, "write", read).unwrap_or_default()
}

fn on_tests(field: &Field<'_>) -> Result<OnTests, Fault> {
    let text = field.as_str()?;
    OnTests::ALL.into_iter().find(|one| one.as_str() == text).ok_or_else(|| {
        let what = format!("`{}` is none of doubt, name", text.escape_debug());
        field.fault(FaultKind::Type, what).expecting("doubt or name")
    })
}

fn checks(field: &Field<'_>, faults: &mut Faults) -> Checks {
    if faults.take(field.entries()).is_none() {
        return Checks::default();
    }
    faults.note_unknown(field, &keys::CHECKS);
    let read = |field: &Field<'_>| match field.as_str()? {
        "ask" => Ok(Checks::Ask),
        "allow" => Ok(Checks::Allow),
        "never" => Ok(Checks::Never),
        other => {
            let what = format!("`{}` is none of ask, allow, never", other.escape_debug());
            Err(field.fault(FaultKind::Type, what).expecting("ask, allow or never"))
        }
    };
    faults.optional(field, "run", read).unwrap_or_default()
}

#[cfg(test)]
mod tests;
