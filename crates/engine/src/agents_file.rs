//! `agents.json` beside a run: the agents that work on it, their last messages, and their cost.
//!
//! A restarted driver needs this and the kernel does not: which processes may still exist, which
//! sessions can be resumed, and how much of a budget is spent.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use sprag_core::plain_json::{json, plain};
use sprag_core::plan::Mode;
use sprag_core::workflow::REVIEW;
use sprag_core::{
    BadId, BadPath, DocPath, EffectId, Fence, Hash, Hold, ReceiptId, RunId, SessionId, StopCounter,
    Stored as _, Time, Unit,
};
use sprag_store::{Doc, Edit, View};
use sprag_world::git::is_commit;

use crate::edits::RunBaseline;
use crate::engine::kind::Kind;
use crate::engine::{Engine, EngineError};
use crate::run_file::driver_of;
use crate::spent::Spent;

const VERSION: u32 = 1;

/// The run id of the inbox in the journal; there is one per project.
pub(crate) const INBOX: &str = "inbox";

/// Returns the run id of the inbox in the journal.
pub fn inbox_run() -> Result<RunId, EngineError> {
    Ok(RunId::parse(INBOX)?)
}

pub fn is_inbox(run: &RunId) -> bool {
    run.as_str() == INBOX
}

/// The agents of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct AgentsFile {
    v: u32,
    /// The cost so far.
    #[serde(default)]
    pub(crate) spent: Spent,
    /// The agents of open attempts, by fence.
    #[serde(default)]
    pub(crate) working: BTreeMap<u64, Working>,
    /// What the run found when it began, cached from the journal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) found: Option<RunBaseline>,
    /// The settings of its driver, so that a restarted driver has them.
    #[serde(default)]
    pub(crate) how: Option<serde_json::Value>,
    /// The notices already sent to a person, so that each is sent once.
    #[serde(default)]
    pub(crate) told: BTreeSet<String>,
    /// The last session of each host, for units that continue in it.
    #[serde(default)]
    pub(crate) sessions: BTreeMap<String, String>,
    /// The limited hosts, with the end of each limit.
    #[serde(default, skip_serializing_if = "Limits::is_empty")]
    pub(crate) limits: Limits,
    /// The results of its units.
    #[serde(default)]
    pub(crate) tally: Tally,
    /// The suffix of the inbox's run ids, which no other project has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) word: Option<String>,
    /// When the inbox driver started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) since: Option<Since>,
    /// How the inbox driver ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ended: Option<InboxEnd>,
    /// The plan's mode, if a person set it for this run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) mode: Option<String>,
    /// The branch that collects its work; `None` if agents work in the project itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) branch: Option<String>,
    /// The last commit of that branch with work of this run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) commit: Option<String>,
    /// The hash of that commit's files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) tree: Option<Hash>,
}

/// A moment, as a sequence number of the journal and as a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Since {
    pub(crate) seq: u64,
    pub(crate) at: Time,
}

/// Counts the results of a run's units. Proven and claimed units are counted apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Units decided entirely by gates and persons.
    pub proven: u32,
    /// Gates that held when their units passed.
    pub gates: u32,
    /// Units that depend in part on an agent's word.
    pub claimed: u32,
    /// Ends that were refused.
    pub refused: u32,
}

impl Tally {
    /// Returns the number of units that are done.
    pub const fn units(&self) -> usize {
        self.proven.saturating_add(self.claimed) as usize
    }

    /// Adds the results of another run.
    pub(crate) fn add(&mut self, other: &Self) {
        self.proven = self.proven.saturating_add(other.proven);
        self.gates = self.gates.saturating_add(other.gates);
        self.claimed = self.claimed.saturating_add(other.claimed);
        self.refused = self.refused.saturating_add(other.refused);
    }
}

/// Returns the plan's mode, if a person set it for this run.
pub fn mode(view: &View<'_>, run: &RunId) -> Result<Option<Mode>, EngineError> {
    Ok(AgentsFile::read(view, run)?.mode.and_then(|word| mode_of(&word)))
}

/// Returns what a run found when it began, if it is known, and whether its agents work in
/// worktrees.
pub(crate) fn known_found(
    view: &View<'_>,
    run: &RunId,
) -> Result<(Option<RunBaseline>, bool), EngineError> {
    let agents = AgentsFile::read(view, run)?;
    Ok((agents.found, agents.branch.is_some()))
}

pub(crate) fn mode_of(word: &str) -> Option<Mode> {
    match word {
        "interactive" => Some(Mode::Interactive),
        "yolo" | "autonomous" => Some(Mode::Yolo),
        _ => None,
    }
}

/// An agent that works on an attempt.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Working {
    pub(crate) unit: String,
    pub(crate) host: String,
    /// Its last message, once its process has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) said: Option<String>,
    /// Whether no later agent may resume its session: a reviewer never does the work it reviews.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) apart: bool,
    /// The session in which it works, if its host reports one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<String>,
    /// How many times in a row its process ended without a change.
    #[serde(default)]
    pub(crate) idle: u32,
    /// Whether its process began in a worktree and has not ended. Older versions stored the
    /// documents that they found there instead.
    #[serde(
        default,
        rename = "found",
        deserialize_with = "is_anything",
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub(crate) begun_apart: bool,
    /// The hash of the files it was last judged on, if it works in a worktree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) files: Option<Hash>,
    /// The waivers since it began, by receipt. They count for every later version of its work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) waived: Vec<ReceiptId>,
}

/// Reads every value except null and `false` as true.
fn is_anything<'d, D: Deserializer<'d>>(from: D) -> Result<bool, D::Error> {
    Ok(!matches!(serde_json::Value::deserialize(from)?, Value::Null | Value::Bool(false)))
}

impl Working {
    /// Returns its counters for an end that may be refused, like those of a session at a stop.
    pub(crate) fn desk(&self, effect: &EffectId, mark: Hash) -> StopCounter {
        let mut desk = StopCounter::new(effect.session(), mark);
        desk.idle = self.idle;
        desk
    }

    /// Stores its counters after an end. A hold does not reset them: a resumed attempt is judged
    /// before an agent works on it again.
    pub(crate) const fn sit(&mut self, desk: &StopCounter, is_held: bool) {
        self.idle = if is_held { self.idle.saturating_add(1) } else { desk.idle };
    }
}

impl AgentsFile {
    fn path(run: &RunId) -> Result<DocPath, BadPath> {
        if is_inbox(run) {
            return DocPath::parse(".sprag/agents/drive/inbox.json");
        }
        DocPath::parse(&format!(".sprag/runs/{run}/agents.json"))
    }

    /// Forgets the questions of agents. They are answered, and judging them again would ask them
    /// again.
    pub(crate) fn forget_asked(&mut self, live: &dyn Kind) {
        for working in self.working.values_mut() {
            working.said.take_if(|said| live.is_question(said));
        }
    }

    /// Creates the record of a run that begins with these driver settings.
    pub(crate) fn driven(how: &serde_json::Value) -> Self {
        Self { v: VERSION, how: Some(how.clone()), ..Self::default() }
    }

    pub(crate) fn read(view: &View<'_>, run: &RunId) -> Result<Self, EngineError> {
        let path = Self::path(run)?;
        let unreadable = |why: String| EngineError::Unreadable { path: path.to_string(), why };
        match view.read(&path) {
            Doc::Absent => Ok(Self { v: VERSION, ..Self::default() }),
            Doc::Text(text) => {
                let read: Self =
                    serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
                if read.v > VERSION {
                    let why = format!("version {}, and this sprag knows {VERSION}", read.v);
                    return Err(unreadable(why));
                }
                Ok(read)
            }
            Doc::Unknown(why) => Err(unreadable(why.to_string())),
        }
    }

    pub(crate) fn edit(&self, run: &RunId) -> Result<Edit, BadPath> {
        // Maps of texts and numbers can always be serialized.
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        Ok(Edit::Write { doc: Self::path(run)?, text: format!("{text}\n") })
    }

    /// Records the agent of an attempt. The previous agent's message is kept until it is judged,
    /// through any number of interruptions.
    pub(crate) fn start(&mut self, fence: Fence, unit: &Unit, host: &str) {
        let before = self.working.remove(&fence.0.0).unwrap_or_default();
        let working = Working {
            session: before.session.filter(|_| before.host == host),
            waived: before.waived,
            said: before.said,
            unit: unit.id.to_string(),
            host: host.to_owned(),
            apart: unit.kind == REVIEW,
            ..Working::default()
        };
        self.working.insert(fence.0.0, working);
    }

    /// Returns the hosts that are limited at `now`.
    pub(crate) fn limited(&self, now: Time) -> Limits {
        let stands = self.limits.iter().filter(|(_, limit)| limit.until > now);
        stands.map(|(host, limit)| (host.clone(), limit.clone())).collect()
    }

    /// Records a message to judge without an agent.
    pub(crate) fn note_said(&mut self, fence: Fence, said: &str) {
        if let Some(working) = self.working.get_mut(&fence.0.0) {
            working.said = Some(said.to_owned());
        }
    }

    /// Records the files on which an attempt was judged, if they are not the person's own.
    pub(crate) fn looked(&mut self, fence: Fence, files: Hash) {
        let working = self.working.get_mut(&fence.0.0).filter(|_| self.branch.is_some());
        if let Some(working) = working {
            working.files = Some(files);
        }
    }

    /// Returns whether an agent of another attempt is working.
    pub(crate) fn is_at_work(&self, own: Fence) -> bool {
        self.working.iter().any(|(fence, working)| *fence != own.0.0 && working.said.is_none())
    }
}

/// Returns the key under which a notice is recorded as sent.
pub(crate) fn told_key(what: &str, unit: Option<&str>, text: &str) -> String {
    let whose = unit.map_or_else(String::new, |unit| format!("{unit}: "));
    format!("{what}: {whose}{text}")
}

/// The usage limit of a host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limit {
    /// When it accepts work again.
    pub until: Time,
    /// The host's message.
    pub why: String,
}

/// The limited hosts by name.
pub type Limits = BTreeMap<String, Limit>;

/// How the inbox driver ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "Value", try_from = "Value")]
pub(crate) enum InboxEnd {
    /// No work was left.
    Over,
    /// The whole inbox is held.
    Held(Hold),
}

impl InboxEnd {
    pub(crate) fn held(self) -> Option<Hold> {
        match self {
            Self::Over => None,
            Self::Held(hold) => Some(hold),
        }
    }
}

impl From<InboxEnd> for Value {
    fn from(end: InboxEnd) -> Self {
        end.held().map_or_else(|| Self::String(String::new()), |hold| json(&hold.lower()))
    }
}

impl TryFrom<Value> for InboxEnd {
    type Error = String;

    /// The first release stored the displayed sentence, or an empty string.
    fn try_from(value: Value) -> Result<Self, String> {
        match value {
            Value::String(why) if why.is_empty() => Ok(Self::Over),
            Value::String(why) => Ok(Self::Held(Hold::of_pause(why))),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::Array(_)
            | Value::Object(_) => {
                let hold = Hold::lift(&plain(&value)).map_err(|bad| bad.to_string())?;
                Ok(Self::Held(hold))
            }
        }
    }
}

/// Returns the branch that collects a run's work, if it has one. Doubts in that branch are not
/// about the project's own files.
pub(crate) fn work_branch(view: &View<'_>, run: &RunId) -> Result<Option<String>, EngineError> {
    Ok(AgentsFile::read(view, run)?.branch)
}

pub(crate) fn host_of(
    view: &View<'_>,
    run: &RunId,
    fence: Fence,
) -> Result<Option<String>, EngineError> {
    let working = AgentsFile::read(view, run)?.working.remove(&fence.0.0);
    Ok(working.map(|working| working.host))
}

/// Returns the waivers in the open attempts of a run, by receipt.
pub(crate) fn waived(view: &View<'_>, run: &RunId) -> Result<Vec<ReceiptId>, EngineError> {
    let working = AgentsFile::read(view, run)?.working.into_values();
    Ok(working.flat_map(|working| working.waived).collect())
}

/// Returns whether the branch of a run is merged into the checkout.
pub(crate) fn has_merged_work(
    engine: &Engine<'_>,
    view: &View<'_>,
    run: &RunId,
) -> Result<bool, EngineError> {
    let commit = AgentsFile::read(view, run)?.commit.filter(|commit| is_commit(commit));
    Ok(commit.is_some_and(|commit| engine.has_merged(&commit)))
}

/// Returns the id of an attempt's process.
pub fn effect(run: &RunId, fence: Fence) -> Result<EffectId, BadId> {
    EffectId::parse(&format!("e-{run}-{}", fence.0.0))
}

pub(crate) fn inbox_driver() -> Result<SessionId, EngineError> {
    Ok(driver_of(&inbox_run()?)?)
}

/// The settings of the inbox driver, for the runs of its assignments.
#[derive(Debug, Default)]
pub(crate) struct InboxSettings {
    /// The project's own suffix of their ids.
    pub(crate) word: Option<String>,
    pub(crate) how: Option<Value>,
}

pub(crate) fn inbox_settings(view: &View<'_>) -> Result<InboxSettings, EngineError> {
    let AgentsFile { word, how, .. } = AgentsFile::read(view, &inbox_run()?)?;
    Ok(InboxSettings { word, how })
}

/// Returns how the inbox driver ended, or `None` while it is active.
pub(crate) fn inbox_ended(view: &View<'_>) -> Result<Option<InboxEnd>, EngineError> {
    Ok(AgentsFile::read(view, &inbox_run()?)?.ended)
}
