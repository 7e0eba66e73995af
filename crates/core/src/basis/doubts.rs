//! The doubts that units left, so that no later unit begins from a weakened text.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::input::Carried;
use super::{
    Attribution, Author, Basis, Bearing, Change, Conditions, Consent, Excuse, Free, Input,
    InputKey, MaySendBack, ReportedChange, Role, bearing,
};
use crate::{Hash, RunId};

const VERSION: u32 = 1;
/// How much of an agent's reason is kept.
const LONGEST_REASON: usize = 300;

/// A doubt that no person settled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenDoubt {
    /// Which input.
    pub key: InputKey,
    /// What it is to the verdict.
    pub role: Role,
    /// How it changed.
    pub how: Change,
    /// The text that the next unit is compared with; nothing where there was none.
    pub was: Option<Hash>,
    /// The text in doubt; nothing where it is gone.
    pub now: Option<Hash>,
    /// The run in which it was changed.
    pub run: RunId,
    /// Who changed it.
    pub by: Author,
    /// The host of the agent that did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The gate whose pass depended on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<String>,
    /// What the agent said about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<String>,
}

impl OpenDoubt {
    /// Returns it as a report gives it to programs.
    pub fn reported(&self) -> ReportedChange {
        ReportedChange {
            path: self.key.to_string(),
            role: self.role,
            how: self.how,
            by: self.host.clone().unwrap_or_else(|| self.by.as_str().to_owned()),
            gate: self.gate.clone(),
            said: self.said.clone(),
        }
    }
}

/// Says that a text does not hold doubts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadDoubts {
    /// It is no such document.
    #[error("{0}")]
    Unreadable(String),
    /// A later version wrote it.
    #[error("version {0}, and this sprag knows {VERSION}")]
    Later(u32),
}

/// Every open doubt of a project, one a key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doubts(BTreeMap<InputKey, OpenDoubt>);

/// `doubts.json`.
#[derive(Serialize, Deserialize)]
struct DoubtsFile {
    v: u32,
    doubts: Vec<OpenDoubt>,
}

/// What is known when a unit ends or is sent back.
#[derive(Clone, Copy, Debug)]
pub struct UnitEnded<'a> {
    /// The run it is of.
    pub run: &'a RunId,
    /// The host of its agent.
    pub host: Option<&'a str>,
    /// The gate that passed.
    pub gate: Option<&'a str>,
    /// What the agent said about its changes.
    pub said: Option<&'a str>,
}

impl Doubts {
    /// Reads what [`Doubts::write`] wrote.
    pub fn read(text: &str) -> Result<Self, BadDoubts> {
        let file: DoubtsFile =
            serde_json::from_str(text).map_err(|bad| BadDoubts::Unreadable(bad.to_string()))?;
        if file.v > VERSION {
            return Err(BadDoubts::Later(file.v));
        }
        Ok(Self(file.doubts.into_iter().map(|doubt| (doubt.key.clone(), doubt)).collect()))
    }

    /// Returns the document.
    pub fn write(&self) -> String {
        let file = DoubtsFile { v: VERSION, doubts: self.0.values().cloned().collect() };
        // Nothing in it can fail to be written.
        let mut text = serde_json::to_string_pretty(&file).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Returns whether nothing is in doubt.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the doubt about an input.
    pub fn get(&self, key: &InputKey) -> Option<&OpenDoubt> {
        self.0.get(key)
    }

    /// Returns every doubt.
    pub fn iter(&self) -> impl Iterator<Item = &OpenDoubt> {
        self.0.values()
    }

    /// Returns the text that an input of a new unit is compared with: the one before it came into
    /// doubt, else the one that the unit `found`.
    pub fn was(&self, key: &InputKey, found: Option<Hash>) -> Option<Hash> {
        self.0.get(key).map_or(found, |doubt| doubt.was)
    }

    /// Takes note in an input of the doubt that an earlier unit left about it. A text that is in doubt
    /// stays its author's, and so does what a person made of it without a yes to the whole.
    #[must_use]
    pub fn carry(&self, key: &InputKey, mut input: Input) -> Input {
        let Some(doubt) = self.0.get(key) else { return input };
        let (is_this, whose) = (input.now() == doubt.now, input.whose());
        let is_agents = !is_this && !whose.author.is_trusted();
        let earlier = Attribution { author: doubt.by, send_back: MaySendBack::No };
        let carried = if is_this { Carried::ThisText } else { Carried::OtherText };
        input.carry(carried, if is_agents { whose } else { earlier });
        input
    }

    /// Takes note of what a unit leaves in doubt, and drops what it settled. It is called whenever a
    /// basis was weighed, also when the agent is sent back: it may never return.
    #[must_use]
    pub fn after(&self, basis: &Basis, conditions: &Conditions<'_>, unit: &UnitEnded<'_>) -> Self {
        let mut doubts = self.clone();
        for (key, input) in basis.iter() {
            match bearing(key, input, conditions) {
                Bearing::SendBack | Bearing::Doubted | Bearing::Waits => {
                    doubts.open(key, input, unit);
                }
                Bearing::Untouched
                | Bearing::Free(
                    Free::Agreed | Free::Harmless | Free::Excused(Excuse::SecondLook),
                ) => {
                    doubts.0.remove(key);
                }
                // None of these says that the text in doubt is in order.
                Bearing::Free(
                    Free::Trusted
                    | Free::OnlyNamed
                    | Free::Excused(Excuse::HeldByRef | Excuse::LockFile),
                ) => {}
            }
        }
        doubts
    }

    fn open(&mut self, key: &InputKey, input: &Input, unit: &UnitEnded<'_>) {
        let said = unit.said.and_then(reason);
        let known = self.0.get(key).filter(|known| known.now == input.now());
        let doubt = match known {
            Some(known) => OpenDoubt { said: said.or_else(|| known.said.clone()), ..known.clone() },
            None => OpenDoubt {
                key: key.clone(),
                role: input.role(),
                how: input.change(),
                was: input.was(),
                now: input.now(),
                run: unit.run.clone(),
                by: input.whose().author,
                host: unit.host.map(str::to_owned),
                gate: unit.gate.map(str::to_owned),
                said,
            },
        };
        self.0.insert(key.clone(), doubt);
    }

    /// Drops the doubts that are settled outside any unit: the text is as it `was` again, or a person
    /// agreed to exactly the text that is there. `text` returns that text.
    #[must_use]
    pub fn settled(&self, text: impl Fn(&InputKey) -> Option<Hash>, consents: &[Consent]) -> Self {
        let is_open = |doubt: &&OpenDoubt| {
            let now = text(&doubt.key);
            let agreed = |consent: &Consent| match consent {
                Consent::OfText(key, of) => *key == doubt.key && *of == now,
                Consent::Beforehand(_) | Consent::AllTests => false,
            };
            now != doubt.was && !consents.iter().any(agreed)
        };
        let open = self.0.values().filter(is_open);
        Self(open.map(|doubt| (doubt.key.clone(), doubt.clone())).collect())
    }
}

/// Returns an agent's reason on one line, as much of it as is kept; nothing where it is empty.
fn reason(text: &str) -> Option<String> {
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|w| !w.is_empty())
        .collect();
    let line: String = words.join(" ").chars().take(LONGEST_REASON).collect();
    (!line.is_empty()).then_some(line)
}
