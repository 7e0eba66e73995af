//! How a run is driven, as it is kept beside it: `sprag resume` need not be told again.

use std::ffi::OsString;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sprag_engine::drive;
use sprag_engine::engine::Engine;
use sprag_formats::{Budget, duration, money};
use sprag_run::Options;
use sprag_run::agent::Limits;
use sprag_run::yard;

use super::{Asked, seats};
use crate::codes::Code;
use crate::exit::Exit;
use crate::fault::{Fault, Stop};

/// How a run is driven.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Kept {
    /// Who works, as it was typed.
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
}

impl Kept {
    /// Puts together what was typed, what the configuration says, and what is there.
    pub(super) fn of(
        engine: &Engine<'_>,
        asked: &Asked,
        environment: &[(OsString, OsString)],
    ) -> Result<Self, Stop> {
        let hosts = seats::chosen(&asked.hosts, environment)?;
        let mut budget = engine.drive_config()?.budget;
        for text in &asked.budget {
            budget = spend(budget, text)?;
        }
        let millis = |text: &Option<String>| -> Result<Option<u64>, Stop> {
            text.as_deref().map(|text| length(text).map(in_millis)).transpose()
        };
        Ok(Self {
            hosts,
            agents: asked.agents.unwrap_or(1),
            micro_usd: budget.micro_usd,
            tokens: budget.tokens,
            worked_ms: budget.wall.map(in_millis),
            idle_ms: millis(&asked.idle)?,
            wall_ms: millis(&asked.wall)?,
        })
    }

    /// Returns the form in which it is kept.
    pub(super) fn json(&self) -> Value {
        // Numbers and texts can always be written.
        serde_json::to_value(self).unwrap_or_default()
    }

    /// Reads what was kept.
    pub(super) fn read(kept: &Value) -> Result<Self, Stop> {
        Self::deserialize(kept).map_err(|error| {
            let message = format!("how the run was driven cannot be read: {error}");
            Fault::new(Exit::Unreadable, Code::State, message).into()
        })
    }

    /// Returns what it takes from the project that a person must approve.
    pub(super) fn asks(&self, engine: &Engine<'_>) -> Result<Vec<drive::Asked>, Stop> {
        let config = engine.drive_config()?;
        let mut asks = seats::asks(&self.hosts, &config.hosts);
        if self.agents > 1 {
            asks.extend(yard::asks(&config.worktree));
        }
        asks.extend(config.notify.command.as_deref().map(drive::Asked::of));
        Ok(asks)
    }

    /// Returns what the runner goes by.
    pub(super) fn options(
        &self,
        engine: &Engine<'_>,
        environment: &[(OsString, OsString)],
    ) -> Result<Options, Stop> {
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
            budget: Budget {
                micro_usd: self.micro_usd,
                tokens: self.tokens,
                wall: self.worked_ms.map(Duration::from_millis),
            },
        })
    }

    /// Returns it with another budget, where that says something.
    pub(super) fn raised(self, budget: &Budget) -> Self {
        Self {
            micro_usd: budget.micro_usd.or(self.micro_usd),
            tokens: budget.tokens.or(self.tokens),
            worked_ms: budget.wall.map(in_millis).or(self.worked_ms),
            ..self
        }
    }
}

/// Reads the limits that were typed; nothing where none were.
pub(crate) fn typed(texts: &[String]) -> Result<Option<Budget>, Stop> {
    let mut budget = None;
    for text in texts {
        budget = Some(spend(budget.unwrap_or_default(), text)?);
    }
    Ok(budget)
}

/// Reads one limit: money, tokens or time.
fn spend(budget: Budget, text: &str) -> Result<Budget, Stop> {
    if let Some(tokens) = text.strip_suffix("tokens") {
        let tokens = tokens.trim().parse().ok().filter(|tokens| *tokens > 0);
        return tokens
            .map(|tokens| Budget { tokens: Some(tokens), ..budget })
            .ok_or_else(|| not_a_budget(text));
    }
    if let Some(micro_usd) = money(text) {
        return Ok(Budget { micro_usd: Some(micro_usd), ..budget });
    }
    let wall = duration(text).ok_or_else(|| not_a_budget(text))?;
    Ok(Budget { wall: Some(wall), ..budget })
}

fn not_a_budget(text: &str) -> Stop {
    let message = format!("`{}` is no budget", text.escape_debug());
    let fault = Fault::new(Exit::Usage, Code::Usage, message);
    fault.help("write `15usd`, `2000000tokens` or `3h`").into()
}

fn length(text: &str) -> Result<Duration, Stop> {
    duration(text).ok_or_else(|| {
        let message = format!("`{}` is no length of time", text.escape_debug());
        Fault::new(Exit::Usage, Code::Usage, message).help("write `90s`, `10m`, `1h30m`").into()
    })
}

fn in_millis(length: Duration) -> u64 {
    u64::try_from(length.as_millis()).unwrap_or(u64::MAX)
}
