//! The doubts that units leave behind, so that no later unit starts from a weakened text.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::input::Carried;
use super::{
    Attribution, Author, Basis, Bearing, Conditions, Consent, Departure, Difference, Excuse, Free,
    Input, InputChange, InputKey, MaySendBack, ReportedChange, Role, bearing,
};
use crate::{Hash, RunId};

const VERSION: u32 = 1;
/// How many characters of an agent's reason are kept.
const LONGEST_REASON: usize = 300;

/// A doubt that no person has settled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenDoubt {
    pub key: InputKey,
    /// The role of the input in the verdict.
    pub role: Role,
    pub how: InputChange,
    /// The text that the next unit is compared with; `None` if there was none.
    pub was: Option<Hash>,
    /// The text in doubt; `None` if the input is gone.
    pub now: Option<Hash>,
    /// Key of the stored earlier text of the file, used for the diff.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Hash>,
    /// Key of the stored text in doubt, if no file here has it: the work waits for a person before
    /// it is merged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Hash>,
    /// Key of the stored baseline of its unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Hash>,
    /// The run in which it was changed; `None` if its session ended before it had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    pub by: Author,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The gate whose pass depended on the input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<String>,
    /// The agent's explanation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<String>,
}

impl OpenDoubt {
    /// Converts the doubt for machine-readable reports.
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

/// Why a text is not a valid doubts document.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadDoubts {
    /// The text does not parse.
    #[error("{0}")]
    Unreadable(String),
    /// A later version of sprag wrote it.
    #[error("version {0}, and this sprag knows {VERSION}")]
    Later(u32),
}

/// How many approved texts are kept; the oldest are dropped first.
const MOST_AGREED: usize = 1_000;

/// The current text of an input outside any unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextNow {
    /// The text; `None` if the input is gone.
    Is(Option<Hash>),
    /// The text has changed, and only the gate can split it into parts.
    Unknown,
}
/// How many bytes the open doubts take in the document, and how many the other tracked changes.
const ROOM: usize = 320 << 10;
/// The key of the doubt that stands for all that have no room: a part of the document itself.
const FOLDED_IN: &str = ".sprag/doubts.json";
const FOLDED: &str = "more";
/// How many bytes the layout of the document adds to an entry.
const INDENT: usize = 80;

/// All open doubts of a project, at most one per key, and the texts that persons approved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doubts {
    open: BTreeMap<InputKey, OpenDoubt>,
    /// Changes that a second look cleared, or that no gate of their unit depends on. A second look is
    /// evidence about the code of that time, so a unit that begins from such a text is still compared with the previous one until a person
    /// approves.
    cleared: BTreeMap<InputKey, OpenDoubt>,
    agreed: Vec<AgreedText>,
    /// The commit that was checked out when an agent last had the turn: commits that follow it
    /// outside any turn are a person's.
    head: Option<String>,
}

/// A text of an input that a person approved; `None` if the input is gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgreedText {
    pub key: InputKey,
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

/// The context in which a unit ends or is sent back.
#[derive(Clone, Copy, Debug)]
pub struct UnitEnded<'a> {
    pub run: Option<&'a RunId>,
    pub host: Option<&'a str>,
    /// The gate that passed.
    pub gate: Option<&'a str>,
    /// The agent's explanation of its changes.
    pub said: Option<&'a str>,
}

impl Doubts {
    /// Parses the output of [`Doubts::write`].
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

    pub fn write(&self) -> String {
        let doubts = self.open.values().cloned().collect();
        let cleared = self.cleared.values().cloned().collect();
        let (agreed, head) = (self.agreed.clone(), self.head.clone());
        let file = DoubtsFile { v: VERSION, doubts, cleared, agreed, head };
        // Serialization of these types cannot fail.
        let mut text = serde_json::to_string_pretty(&file).unwrap_or_default();
        text.push('\n');
        text
    }

    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    pub fn get(&self, key: &InputKey) -> Option<&OpenDoubt> {
        self.open.get(key)
    }

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

    /// Returns the text that an input of a new unit is compared with: the text before the open
    /// doubt; else, if the unit found a cleared text, the text before that; else the `found` text.
    pub fn was(&self, key: &InputKey, found: Option<Hash>) -> Option<Hash> {
        if let Some(doubt) = self.open.get(key) {
            return doubt.was;
        }
        // A text that differs from the cleared one is a person's.
        self.cleared.get(key).filter(|known| known.now == found).map_or(found, |known| known.was)
    }

    /// Records in an input the doubt that another unit left about it. A text in doubt stays
    /// attributed to its author, as does a later version of it that a person made without approving
    /// the whole. A text that the agent at work made is its own, even if another unit doubted it
    /// first.
    #[must_use]
    pub fn carry(&self, key: &InputKey, mut input: Input) -> Input {
        let is_cleared = |known: &&OpenDoubt| (known.was, known.now) == (input.was(), input.now());
        let cleared = || self.cleared.get(key).filter(is_cleared);
        let Some(doubt) = self.open.get(key).or_else(cleared) else { return input };
        let (is_this, whose) = (input.now() == doubt.now, input.whose());
        let is_made_here = match whose.send_back {
            // A cleared text is the one that this unit found.
            MaySendBack::Yes => self.open.contains_key(key),
            MaySendBack::No => !is_this && !whose.author.is_trusted(),
        };
        let earlier = Attribution { author: doubt.by, send_back: MaySendBack::No };
        let carried = if is_this { Carried::ThisText } else { Carried::OtherText };
        input.carry(carried, if is_made_here { whose } else { earlier });
        input
    }

    /// Adopts a doubt about a text that these files began with. A known doubt stays.
    pub fn adopt(&mut self, doubt: OpenDoubt) {
        self.open.entry(doubt.key.clone()).or_insert(doubt);
    }

    /// Returns the doubts after a unit: adds those it leaves and drops those it settled. Call it
    /// whenever a basis was weighed, also when the agent is sent back: the agent may never return.
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
                Bearing::Free(Free::Excused(Excuse::OtherGate)) => {
                    // A gate that does not look at the input settles no doubt about it.
                    if !doubts.open.contains_key(key) {
                        let unasked = doubts.made(key, input, unit);
                        doubts.cleared.insert(key.clone(), unasked);
                    }
                }
                // None of these proves that the text in doubt is in order.
                Bearing::Free(
                    Free::Trusted
                    | Free::OnlyNamed
                    | Free::Excused(Excuse::HeldByRef | Excuse::LockFile),
                ) => {}
            }
        }
        doubts.fold(unit);
        doubts
    }

    /// Keeps the document below its limit: replaces the entries that have no room by one doubt that
    /// only a person can settle.
    fn fold(&mut self, unit: &UnitEnded<'_>) {
        let mut over = beyond(&mut self.open, ROOM);
        over.extend(beyond(&mut self.cleared, ROOM));
        if over.is_empty() {
            return;
        }
        let key = InputKey::part(FOLDED_IN, FOLDED);
        let known = self.open.get(&key).and_then(|known| known.now);
        let texts = over.iter().map(|one| format!("{} {:?}\n", one.key, one.now));
        let all: String = known.map(|known| known.to_string()).into_iter().chain(texts).collect();
        let (was, now) = (Hash::of(FOLDED), Hash::of(all));
        let by = Attribution::SOME_AGENT;
        let input = Input::differs(Role::Memory, was, now, Difference::Other, by);
        self.open(&key, &input, unit);
    }

    /// Returns sprag's own records that are missing or incomplete. They are inputs of every later
    /// verdict until a person agrees.
    pub fn missing_memory(&self) -> impl Iterator<Item = (InputKey, Input)> {
        let missing = self.open.values().filter(|doubt| doubt.role == Role::Memory);
        missing.filter_map(|doubt| {
            let by = Attribution { author: doubt.by, send_back: MaySendBack::No };
            let input = match (doubt.was?, doubt.now) {
                (was, None) => Input::departed(doubt.role, was, Departure::Gone, by),
                (was, Some(now)) => Input::differs(doubt.role, was, now, Difference::Other, by),
            };
            Some((doubt.key.clone(), self.carry(&doubt.key, input)))
        })
    }

    fn open(&mut self, key: &InputKey, input: &Input, unit: &UnitEnded<'_>) {
        let doubt = self.made(key, input, unit);
        self.cleared.remove(key);
        self.open.insert(key.clone(), doubt);
    }

    /// Builds the record of a change.
    fn made(&self, key: &InputKey, input: &Input, unit: &UnitEnded<'_>) -> OpenDoubt {
        let said = unit.said.and_then(reason);
        // An agent's words explain only its own changes.
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
                // The original text stays, even if the input changed again.
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

    /// Drops the doubts that are settled outside any unit: the text equals `was` again, or a person
    /// approved exactly the current text. `text` returns the current text.
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

    /// Drops the doubts about stored texts that were unreadable and are present again.
    pub fn forget_found(&mut self, is_there: impl Fn(Hash) -> bool) {
        let is_found =
            |doubt: &OpenDoubt| doubt.role == Role::Memory && doubt.was.is_some_and(&is_there);
        self.open.retain(|_, doubt| !is_found(doubt));
    }

    /// Records the key under which the earlier text of a file is stored.
    pub fn keep_text(&mut self, key: &InputKey, text: Hash) {
        for all in [&mut self.open, &mut self.cleared] {
            if let Some(doubt) = all.get_mut(key) {
                doubt.text.get_or_insert(text);
            }
        }
    }

    /// Records the baseline of the unit in each doubt that has none.
    pub fn keep_baseline(&mut self, baseline: Hash) {
        for doubt in self.open.values_mut().chain(self.cleared.values_mut()) {
            doubt.baseline.get_or_insert(baseline);
        }
    }

    /// Records a person's approval of a text and drops the doubt about it.
    pub fn agree(&mut self, agreed: AgreedText) {
        for all in [&mut self.open, &mut self.cleared] {
            all.retain(|key, doubt| *key != agreed.key || doubt.now != agreed.text);
        }
        self.agreed.retain(|known| known.key != agreed.key);
        self.agreed.push(agreed);
        let over = self.agreed.len().saturating_sub(MOST_AGREED);
        self.agreed.drain(..over);
    }

    /// Returns one consent for each approved text.
    pub fn consents(&self) -> Vec<Consent> {
        self.agreed.iter().map(|one| Consent::OfText(one.key.clone(), one.text)).collect()
    }

    pub fn head(&self) -> Option<&str> {
        self.head.as_deref()
    }

    /// Records the commit that is checked out while an agent has the turn.
    pub fn stand_at(&mut self, head: Option<String>) {
        self.head = head;
    }
}

/// Removes the entries that have no room, beginning with the last.
fn beyond(all: &mut BTreeMap<InputKey, OpenDoubt>, room: usize) -> Vec<OpenDoubt> {
    let mut used = 0_usize;
    let first = all.iter().find_map(|(key, doubt)| {
        used += serde_json::to_string_pretty(doubt).map_or(room, |text| text.len() + INDENT);
        (used > room && doubt.role != Role::Memory).then(|| key.clone())
    });
    let Some(first) = first else { return Vec::new() };
    let over = all.split_off(&first);
    let (memory, over): (Vec<_>, Vec<_>) =
        over.into_values().partition(|doubt| doubt.role == Role::Memory);
    all.extend(memory.into_iter().map(|doubt| (doubt.key.clone(), doubt)));
    over
}

/// Returns an agent's reason on one line, truncated to [`LONGEST_REASON`]; `None` if it is empty.
fn reason(text: &str) -> Option<String> {
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|w| !w.is_empty())
        .collect();
    let line: String = words.join(" ").chars().take(LONGEST_REASON).collect();
    (!line.is_empty()).then_some(line)
}
