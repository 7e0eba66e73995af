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
    /// The earlier text of its file, by the name under which it is kept; for the diff.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Hash>,
    /// The text in doubt of its file, by the name under which it is kept, where no file here has it:
    /// the work waits for a person before it is merged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Hash>,
    /// What its unit was compared with, by the name under which it is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Hash>,
    /// The run in which it was changed; nothing where its session was gone before it had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
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
            excuse: None,
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

/// How many texts that persons agreed to are kept; the oldest go first.
const MOST_AGREED: usize = 400;

/// The text of an input as it is outside any unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextNow {
    /// This one; nothing where the input is gone.
    Is(Option<Hash>),
    /// Another one than before, and only its gate can take it apart.
    Unknown,
}
/// How many changes that a second look cleared are kept.
const MOST_CLEARED: usize = 2_000;

/// Every open doubt of a project, one a key, and the texts that persons agreed to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doubts {
    open: BTreeMap<InputKey, OpenDoubt>,
    /// What a second look cleared. It was evidence about the code of then, so a unit that begins from
    /// such a text is still compared with the one before, until a person agrees.
    cleared: BTreeMap<InputKey, OpenDoubt>,
    agreed: Vec<AgreedText>,
    /// The commit that was checked out when an agent had the turn last: what comes after it, and in
    /// no turn, is a person's.
    head: Option<String>,
}

/// A text of an input that a person agreed to; nothing where the input is gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgreedText {
    /// Which input.
    pub key: InputKey,
    /// Its text.
    pub text: Option<Hash>,
}

/// `doubts.json`.
#[derive(Serialize, Deserialize)]
struct DoubtsFile {
    v: u32,
    doubts: Vec<OpenDoubt>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    cleared: Vec<OpenDoubt>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    agreed: Vec<AgreedText>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    head: Option<String>,
}

/// What is known when a unit ends or is sent back.
#[derive(Clone, Copy, Debug)]
pub struct UnitEnded<'a> {
    /// The run it is of, where there is one.
    pub run: Option<&'a RunId>,
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
        let by_key =
            |all: Vec<OpenDoubt>| all.into_iter().map(|doubt| (doubt.key.clone(), doubt)).collect();
        let (open, cleared) = (by_key(file.doubts), by_key(file.cleared));
        Ok(Self { open, cleared, agreed: file.agreed, head: file.head })
    }

    /// Returns the document.
    pub fn write(&self) -> String {
        let doubts = self.open.values().cloned().collect();
        let cleared = self.cleared.values().cloned().collect();
        let (agreed, head) = (self.agreed.clone(), self.head.clone());
        let file = DoubtsFile { v: VERSION, doubts, cleared, agreed, head };
        // Nothing in it can fail to be written.
        let mut text = serde_json::to_string_pretty(&file).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Returns whether nothing is in doubt.
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Returns the doubt about an input.
    pub fn get(&self, key: &InputKey) -> Option<&OpenDoubt> {
        self.open.get(key)
    }

    /// Returns every doubt.
    pub fn iter(&self) -> impl Iterator<Item = &OpenDoubt> {
        self.open.values()
    }

    /// Returns every doubt and every change that a second look cleared.
    pub fn tracked(&self) -> impl Iterator<Item = &OpenDoubt> {
        self.open.values().chain(self.cleared.values())
    }

    /// Returns the doubt about an input, else its change that a second look cleared.
    pub fn tracked_at(&self, key: &InputKey) -> Option<&OpenDoubt> {
        self.open.get(key).or_else(|| self.cleared.get(key))
    }

    /// Returns the text that an input of a new unit is compared with: the one before it came into
    /// doubt, or before the cleared one that the unit found, else the one that the unit `found`.
    pub fn was(&self, key: &InputKey, found: Option<Hash>) -> Option<Hash> {
        if let Some(doubt) = self.open.get(key) {
            return doubt.was;
        }
        // Another text than the cleared one is a person's.
        self.cleared.get(key).filter(|known| known.now == found).map_or(found, |known| known.was)
    }

    /// Takes note in an input of the doubt that another unit left about it. A text that is in doubt
    /// stays its author's, and so does what a person made of it without a yes to the whole. A text that
    /// the agent at work made itself is its own, also where another unit was quicker to doubt it.
    #[must_use]
    pub fn carry(&self, key: &InputKey, mut input: Input) -> Input {
        let is_cleared = |known: &&OpenDoubt| (known.was, known.now) == (input.was(), input.now());
        let cleared = || self.cleared.get(key).filter(is_cleared);
        let Some(doubt) = self.open.get(key).or_else(cleared) else { return input };
        let (is_this, whose) = (input.now() == doubt.now, input.whose());
        let is_made_here = match whose.send_back {
            // A text that was cleared is the one that this unit found.
            MaySendBack::Yes => self.open.contains_key(key),
            MaySendBack::No => !is_this && !whose.author.is_trusted(),
        };
        let earlier = Attribution { author: doubt.by, send_back: MaySendBack::No };
        let carried = if is_this { Carried::ThisText } else { Carried::OtherText };
        input.carry(carried, if is_made_here { whose } else { earlier });
        input
    }

    /// Takes over a doubt about a text that these files began with. One that is known already stays.
    pub fn adopt(&mut self, doubt: OpenDoubt) {
        self.open.entry(doubt.key.clone()).or_insert(doubt);
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
                Bearing::Untouched | Bearing::Free(Free::Agreed | Free::Harmless) => {
                    doubts.open.remove(key);
                    doubts.cleared.remove(key);
                }
                Bearing::Free(Free::Excused(Excuse::SecondLook)) => {
                    let cleared = doubts.made(key, input, unit);
                    doubts.open.remove(key);
                    doubts.cleared.insert(key.clone(), cleared);
                }
                // None of these says that the text in doubt is in order.
                Bearing::Free(
                    Free::Trusted
                    | Free::OnlyNamed
                    | Free::Excused(Excuse::HeldByRef | Excuse::LockFile),
                ) => {}
            }
        }
        while doubts.cleared.len() > MOST_CLEARED {
            doubts.cleared.pop_first();
        }
        doubts
    }

    fn open(&mut self, key: &InputKey, input: &Input, unit: &UnitEnded<'_>) {
        let doubt = self.made(key, input, unit);
        self.cleared.remove(key);
        self.open.insert(key.clone(), doubt);
    }

    /// Returns what is noted of a change.
    fn made(&self, key: &InputKey, input: &Input, unit: &UnitEnded<'_>) -> OpenDoubt {
        let said = unit.said.and_then(reason);
        // Another agent's words are no reason for what this one did not change.
        let is_own = input.whose().send_back == MaySendBack::Yes;
        let cleared = || self.cleared.get(key).filter(|known| known.was == input.was());
        let known = self.open.get(key).or_else(cleared);
        match known.filter(|known| known.now == input.now()) {
            Some(known) => OpenDoubt {
                said: said.filter(|_| is_own).or_else(|| known.said.clone()),
                run: known.run.clone().or_else(|| unit.run.cloned()),
                ..known.clone()
            },
            None => OpenDoubt {
                key: key.clone(),
                role: input.role(),
                how: input.change(),
                was: input.was(),
                now: input.now(),
                // What it was stays what it was, also where it changed again.
                text: known.and_then(|known| known.text),
                after: None,
                baseline: known.and_then(|known| known.baseline),
                run: unit.run.cloned(),
                by: input.whose().author,
                host: unit.host.map(str::to_owned),
                gate: unit.gate.map(str::to_owned),
                said,
            },
        }
    }

    /// Drops the doubts that are settled outside any unit: the text is as it `was` again, or a person
    /// agreed to exactly the text that is there. `text` returns that text.
    #[must_use]
    pub fn settled(&self, text: impl Fn(&OpenDoubt) -> TextNow, consents: &[Consent]) -> Self {
        let is_open = |doubt: &&OpenDoubt| {
            let TextNow::Is(now) = text(doubt) else { return true };
            let agreed = |consent: &Consent| match consent {
                Consent::OfText(key, of) => *key == doubt.key && *of == now,
                Consent::Beforehand(_) | Consent::AllTests => false,
            };
            now != doubt.was && !consents.iter().any(agreed)
        };
        let still = |all: &BTreeMap<InputKey, OpenDoubt>| {
            let all = all.values().filter(is_open);
            all.map(|doubt| (doubt.key.clone(), doubt.clone())).collect()
        };
        let (open, cleared) = (still(&self.open), still(&self.cleared));
        Self { open, cleared, agreed: self.agreed.clone(), head: self.head.clone() }
    }

    /// Drops the doubts about texts that we keep and could not read, where they are there again.
    pub fn forget_found(&mut self, is_there: impl Fn(Hash) -> bool) {
        let is_found =
            |doubt: &OpenDoubt| doubt.role == Role::Memory && doubt.was.is_some_and(&is_there);
        self.open.retain(|_, doubt| !is_found(doubt));
    }

    /// Takes note of where the earlier text of a file is kept.
    pub fn keep_text(&mut self, key: &InputKey, text: Hash) {
        for all in [&mut self.open, &mut self.cleared] {
            if let Some(doubt) = all.get_mut(key) {
                doubt.text.get_or_insert(text);
            }
        }
    }

    /// Takes note of what the unit that left a new doubt was compared with.
    pub fn keep_baseline(&mut self, baseline: Hash) {
        for doubt in self.open.values_mut() {
            doubt.baseline.get_or_insert(baseline);
        }
    }

    /// Takes a person's yes to a text, and drops the doubt about it.
    pub fn agree(&mut self, agreed: AgreedText) {
        for all in [&mut self.open, &mut self.cleared] {
            all.retain(|key, doubt| *key != agreed.key || doubt.now != agreed.text);
        }
        self.agreed.retain(|known| known.key != agreed.key);
        self.agreed.push(agreed);
        let over = self.agreed.len().saturating_sub(MOST_AGREED);
        self.agreed.drain(..over);
    }

    /// Returns what persons agreed to.
    pub fn consents(&self) -> Vec<Consent> {
        self.agreed.iter().map(|one| Consent::OfText(one.key.clone(), one.text)).collect()
    }

    /// Returns the commit that was checked out when an agent had the turn last.
    pub fn head(&self) -> Option<&str> {
        self.head.as_deref()
    }

    /// Takes note of the commit that is checked out while an agent has the turn.
    pub fn stand_at(&mut self, head: Option<String>) {
        self.head = head;
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
