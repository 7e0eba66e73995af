//! The options of a driven run, stored with it, so that `sprag resume` need not be given them
//! again.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sprag_core::{RunId, quoted};
use sprag_engine::drive;
use sprag_engine::engine::Engine;
use sprag_formats::Budget;
use sprag_run::Options;
use sprag_run::agent::Limits;
use sprag_store::Place;
use sprag_world::git::Git;

use super::{seats, typed};
use crate::args::run::RunArgs;
use crate::codes::Code;
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault};

/// The options of a driven run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct RunOptions {
    /// The agents, as they were typed.
    hosts: Vec<String>,
    agents: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    micro_usd: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tokens: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    worked_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    idle_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wall_ms: Option<u64>,
    /// The parts of the budget that are defaults.
    #[serde(default)]
    standard: Standard,
    /// git's name of the linked worktree in which the run works, empty for the main one. Older
    /// versions did not store it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    worktree: Option<String>,
    /// Whether unproven work needs a person.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    strict: bool,
}

/// The amounts of a budget that are defaults because the user named none.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Standard {
    usd: bool,
    tokens: bool,
    time: bool,
}

impl RunOptions {
    /// Combines the arguments, the earlier options, the configuration and the installed hosts.
    pub(super) fn of(
        engine: &Engine<'_>,
        asked: &RunArgs,
        before: Option<&Self>,
        (place, environment): (&Place, &[(OsString, OsString)]),
    ) -> Result<Self, EarlyExit> {
        let typed = asked.hosts();
        let named = before.filter(|_| typed.is_empty()).map_or(&typed, |one| &one.hosts);
        let hosts = seats::chosen(named, environment)?;
        let known = engine.drive_config()?.budget;
        let chosen = typed::budget(before.map_or(known, Self::chosen), &asked.budget)?;
        let known = before.map_or(known.or_standard(), Self::budget);
        let budget = typed::budget(known, &asked.budget)?;
        let standard = Standard {
            usd: chosen.micro_usd.is_none(),
            tokens: chosen.tokens.is_none(),
            time: chosen.wall.is_none(),
        };
        let millis = |option, text: &Option<String>| -> Result<Option<u64>, EarlyExit> {
            Ok(typed::length(option, text.as_deref())?.map(in_millis))
        };
        let or =
            |typed: Option<u64>, kept: fn(&Self) -> Option<u64>| typed.or(before.and_then(kept));
        Ok(Self {
            hosts,
            agents: asked.agents.or(before.map(|one| one.agents)).unwrap_or(1),
            micro_usd: budget.micro_usd,
            tokens: budget.tokens,
            worked_ms: budget.wall.map(in_millis),
            idle_ms: or(millis("--idle", &asked.idle)?, |one| one.idle_ms),
            wall_ms: or(millis("--wall", &asked.wall)?, |one| one.wall_ms),
            standard,
            worktree: Some(own(place).to_owned()),
            strict: asked.strict || before.is_some_and(|one| one.strict),
        })
    }

    /// Rejects resuming in a different worktree, whose files are not the ones to judge.
    pub(super) fn is_here(&self, run: &RunId, place: &Place) -> Result<(), EarlyExit> {
        let Some(name) = self.worktree.as_deref().filter(|name| *name != own(place)) else {
            return Ok(());
        };
        let is_main = name.is_empty();
        let linked = || Some(Git::linked(place.common.as_ref()?, name)?.join(&place.below));
        let there = if is_main { Some(place.state.clone()) } else { linked() };
        let Some(there) = there else {
            let message = format!("the worktree `{name}` of {run} is no more");
            let fault = Fault::new(Exit::Conflict, Code::Refused, message);
            return Err(fault.help(format!("`sprag cancel {run}` ends it")).into());
        };
        let plain = |path: &Path| path.components().collect::<PathBuf>();
        let message = format!("{run} works in `{}`, and not here", plain(&there).display());
        let own = |git: Git| is_main || git.worktree() == Some(name);
        let has_link = Git::around(&there).ok().flatten().is_some_and(own);
        let typed = |path: &Path| quoted(&plain(path).to_string_lossy());
        let resume = format!("sprag -C {} resume {run}", typed(&there));
        let help = if has_link {
            format!("go on there: {resume}")
        } else {
            let main = typed(&place.state);
            format!("its link to git is gone: `git -C {main} worktree repair`, then `{resume}`")
        };
        Err(Fault::new(Exit::Conflict, Code::Refused, message).help(help).human(&resume).into())
    }

    /// Returns the form in which it is stored.
    pub(super) fn json(&self) -> Value {
        // Numbers and strings can always be serialized.
        serde_json::to_value(self).unwrap_or_default()
    }

    pub(super) fn read(kept: &Value) -> Result<Self, EarlyExit> {
        Self::deserialize(kept).map_err(|error| {
            let message = format!("how the run was driven cannot be read: {error}");
            Fault::new(Exit::Unreadable, Code::State, message).into()
        })
    }

    /// Returns the project's settings for these options that need a person's approval.
    pub(super) fn asks(
        &self,
        engine: &Engine<'_>,
    ) -> Result<Vec<drive::UnapprovedItem>, EarlyExit> {
        let config = engine.drive_config()?;
        let mut asks = seats::asks(&self.hosts, &config.hosts);
        if self.agents > 1 {
            asks.extend(drive::set_up_asks(&config.worktree));
        }
        Ok(asks)
    }

    /// Returns the runner's options.
    pub(super) fn options(
        &self,
        engine: &Engine<'_>,
        environment: &[(OsString, OsString)],
    ) -> Result<Options, EarlyExit> {
        let standard = Limits::default();
        let or = |millis: Option<u64>, standard| millis.map_or(standard, Duration::from_millis);
        Ok(Options {
            seats: seats::of(engine, &self.hosts)?,
            others: seats::others(engine, &self.hosts, environment)?,
            agents: self.agents as usize,
            limits: Limits {
                idle: or(self.idle_ms, standard.idle),
                wall: or(self.wall_ms, standard.wall),
                output: standard.output,
            },
            budget: self.budget(),
        })
    }

    fn budget(&self) -> Budget {
        Budget {
            micro_usd: self.micro_usd,
            tokens: self.tokens,
            wall: self.worked_ms.map(Duration::from_millis),
        }
    }

    /// Returns the part of the budget that the user chose.
    pub(super) fn chosen(&self) -> Budget {
        let (all, standard) = (self.budget(), self.standard);
        Budget {
            micro_usd: all.micro_usd.filter(|_| !standard.usd),
            tokens: all.tokens.filter(|_| !standard.tokens),
            wall: all.wall.filter(|_| !standard.time),
        }
    }

    /// Returns whether unproven work needs a person.
    pub(super) const fn is_strict(&self) -> bool {
        self.strict
    }

    /// Returns the same options with the given parts of another budget.
    pub(super) fn raised(self, budget: &Budget) -> Self {
        let standard = Standard {
            usd: self.standard.usd && budget.micro_usd.is_none(),
            tokens: self.standard.tokens && budget.tokens.is_none(),
            time: self.standard.time && budget.wall.is_none(),
        };
        Self {
            standard,
            micro_usd: budget.micro_usd.or(self.micro_usd),
            tokens: budget.tokens.or(self.tokens),
            worked_ms: budget.wall.map(in_millis).or(self.worked_ms),
            ..self
        }
    }
}

/// Returns git's name of a place's worktree; empty for the main one.
fn own(place: &Place) -> &str {
    place.worktree.as_ref().map_or("", |worktree| &worktree.0)
}

fn in_millis(length: Duration) -> u64 {
    u64::try_from(length.as_millis()).unwrap_or(u64::MAX)
}
