//! `agents.json` beside a run: the agents that work on it, their last messages, and their cost.
//!
//! A restarted driver needs this and the kernel does not: which processes may still exist, which
//! sessions can be resumed, and how much of a budget is spent.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use sprag_core::basis::Tool;
use sprag_core::event::{AgentEnded, PersonTold};
use sprag_core::plan::Mode;
use sprag_core::workflow::REVIEW;
use sprag_core::{
    BadPath, DocPath, EffectId, Fence, Hash, Hold, Missing, ReceiptId, RunId, StopCounter, Time,
    Unit, UnitId, Waiting, prompt,
};
use sprag_store::{Doc, Edit, View};

use super::limited::Limits;
use super::notify::{NEEDS_YOU, News, in_a_line, needs_you};
use super::spent::Spent;
use super::{ACTOR, AgentEnd, InboxEnd, UnitEnd, is_inbox};
use crate::engine::{Engine, EngineError, PATIENT};
use crate::integrity::{Turns, unit_key};
use crate::kind::Kind;
use crate::persons::pause;
use crate::run_baseline::{EditsLeft, RunBaseline};
use crate::run_file::RunFile;
use crate::snapshot::Now;
use crate::tx::Draft;

const VERSION: u32 = 1;

/// The agents of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct AgentsFile {
    v: u32,
    /// The cost so far.
    #[serde(default)]
    pub(super) spent: Spent,
    /// The agents of open attempts, by fence.
    #[serde(default)]
    pub(super) working: BTreeMap<u64, Working>,
    /// What the run found when it began, cached from the journal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) found: Option<RunBaseline>,
    /// The settings of its driver, so that a restarted driver has them.
    #[serde(default)]
    pub(super) how: Option<serde_json::Value>,
    /// The notices already sent to a person, so that each is sent once.
    #[serde(default)]
    pub(super) told: BTreeSet<String>,
    /// The last session of each host, for units that continue in it.
    #[serde(default)]
    pub(super) sessions: BTreeMap<String, String>,
    /// The limited hosts, with the end of each limit.
    #[serde(default, skip_serializing_if = "Limits::is_empty")]
    pub(super) limits: Limits,
    /// The results of its units.
    #[serde(default)]
    pub(super) tally: Tally,
    /// The suffix of the inbox's run ids, which no other project has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) word: Option<String>,
    /// When the inbox driver started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) since: Option<Since>,
    /// How the inbox driver ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) ended: Option<InboxEnd>,
    /// The plan's mode, if a person set it for this run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mode: Option<String>,
    /// The branch that collects its work; `None` if agents work in the project itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) branch: Option<String>,
    /// The last commit of that branch with work of this run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) commit: Option<String>,
    /// The hash of that commit's files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tree: Option<Hash>,
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
    /// Counts one end of an attempt.
    pub(super) fn count(&mut self, end: &UnitEnd) {
        match end {
            UnitEnd::Passed(evidence) => {
                let is_proven = evidence.is_proven();
                let units = if is_proven { &mut self.proven } else { &mut self.claimed };
                *units = units.saturating_add(1);
                let gates = u32::try_from(evidence.gates).unwrap_or(u32::MAX);
                self.gates = self.gates.saturating_add(gates);
            }
            UnitEnd::Failed { .. } | UnitEnd::SentBack { .. } | UnitEnd::Unchanged { .. } => {
                self.refused = self.refused.saturating_add(1);
            }
            UnitEnd::Open { .. }
            | UnitEnd::Held { .. }
            | UnitEnd::Reviewed(_)
            | UnitEnd::Lost { .. }
            | UnitEnd::Limited(_)
            | UnitEnd::NotStarted { .. }
            | UnitEnd::Stopped => {}
        }
    }

    /// Returns the number of units that are done.
    pub const fn units(&self) -> usize {
        self.proven.saturating_add(self.claimed) as usize
    }

    /// Adds the results of another run.
    pub(super) fn add(&mut self, other: &Self) {
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

/// Returns what a run found when it began, if the ledger has it, and whether its agents work in
/// worktrees.
pub(crate) fn known_found(
    view: &View<'_>,
    run: &RunId,
) -> Result<(Option<RunBaseline>, bool), EngineError> {
    let ledger = AgentsFile::read(view, run)?;
    Ok((ledger.found, ledger.branch.is_some()))
}

fn mode_of(word: &str) -> Option<Mode> {
    match word {
        "interactive" => Some(Mode::Interactive),
        "yolo" | "autonomous" => Some(Mode::Yolo),
        _ => None,
    }
}

/// An agent that works on an attempt.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Working {
    pub(super) unit: String,
    pub(super) host: String,
    /// Its last message, once its process has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) said: Option<String>,
    /// Whether no later agent may resume its session: a reviewer never does the work it reviews.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) apart: bool,
    /// The session in which it works, if its host reports one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) session: Option<String>,
    /// How many times in a row its process ended without a change.
    #[serde(default)]
    pub(super) idle: u32,
    /// Whether its process began in a worktree and has not ended. Older versions stored the
    /// documents that they found there instead.
    #[serde(
        default,
        rename = "found",
        deserialize_with = "is_anything",
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub(super) begun_apart: bool,
    /// The hash of the files it was last judged on, if it works in a worktree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) files: Option<Hash>,
    /// The waivers since it began, by receipt. They count for every later version of its work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) waived: Vec<ReceiptId>,
}

/// Reads every value except null and `false` as true.
fn is_anything<'d, D: Deserializer<'d>>(from: D) -> Result<bool, D::Error> {
    Ok(!matches!(serde_json::Value::deserialize(from)?, Value::Null | Value::Bool(false)))
}

impl Working {
    /// Returns its counters for an end that may be refused, like those of a session at a stop.
    pub(super) fn desk(&self, effect: &EffectId, mark: Hash) -> StopCounter {
        let mut desk = StopCounter::new(effect.session(), mark);
        desk.idle = self.idle;
        desk
    }

    /// Stores its counters after an end. A hold does not reset them: a resumed attempt is judged
    /// before an agent works on it again.
    pub(super) const fn sit(&mut self, desk: &StopCounter, is_held: bool) {
        self.idle = if is_held { self.idle.saturating_add(1) } else { desk.idle };
    }
}

/// How many bytes of an agent's last message are kept for judging it.
const KEPT: usize = 16 << 10;

impl AgentsFile {
    fn path(run: &RunId) -> Result<DocPath, BadPath> {
        if is_inbox(run) {
            return DocPath::parse(".sprag/agents/drive/inbox.json");
        }
        DocPath::parse(&format!(".sprag/runs/{run}/agents.json"))
    }

    /// Forgets the notices of holds that are resolved: if one comes back, it is announced again.
    pub(super) fn forget_told(&mut self, run: &RunId, still: &[Waiting]) {
        let kept = |wait: &Waiting| {
            let text = needs_you(run, &in_a_line(&wait.hold));
            let of = |unit: Option<&str>| told_key(NEEDS_YOU, unit, &text);
            [of(None), of(wait.unit.as_ref().map(UnitId::as_str))]
        };
        let kept: BTreeSet<String> = still.iter().flat_map(kept).collect();
        self.told.retain(|told| !is_told_as(NEEDS_YOU, told) || kept.contains(told));
    }

    /// Forgets the questions of agents. They are answered, and judging them again would ask them
    /// again.
    pub(super) fn forget_asked(&mut self, live: &dyn Kind) {
        for working in self.working.values_mut() {
            working.said.take_if(|said| live.is_question(said));
        }
    }

    /// Creates the ledger of a run that begins with these driver settings.
    pub(super) fn driven(how: &serde_json::Value) -> Self {
        Self { v: VERSION, how: Some(how.clone()), ..Self::default() }
    }

    pub(super) fn read(view: &View<'_>, run: &RunId) -> Result<Self, EngineError> {
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

    pub(super) fn edit(&self, run: &RunId) -> Result<Edit, BadPath> {
        // Maps of texts and numbers can always be serialized.
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        Ok(Edit::Write { doc: Self::path(run)?, text: format!("{text}\n") })
    }

    /// Records the agent of an attempt. The previous agent's message is kept until it is judged,
    /// through any number of interruptions.
    pub(super) fn start(&mut self, fence: Fence, unit: &Unit, host: &str) {
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
    pub(super) fn limited(&self, now: Time) -> Limits {
        let stands = self.limits.iter().filter(|(_, limit)| limit.until > now);
        stands.map(|(host, limit)| (host.clone(), limit.clone())).collect()
    }

    /// Records a message to judge without an agent.
    pub(super) fn note_said(&mut self, fence: Fence, said: &str) {
        if let Some(working) = self.working.get_mut(&fence.0.0) {
            working.said = Some(said.to_owned());
        }
    }

    /// Records the files on which an attempt was judged, if they are not the person's own.
    pub(super) fn looked(&mut self, fence: Fence, files: Hash) {
        let working = self.working.get_mut(&fence.0.0).filter(|_| self.branch.is_some());
        if let Some(working) = working {
            working.files = Some(files);
        }
    }

    /// Returns whether an agent of another attempt is working.
    fn is_at_work(&self, own: Fence) -> bool {
        self.working.iter().any(|(fence, working)| *fence != own.0.0 && working.said.is_none())
    }

    /// Records the end of an agent. Returns whether its work is to be judged: it ended well, or a
    /// person waived a gate and no agent works on it again.
    fn finish(&mut self, fence: Fence, end: &AgentEnd, session: Option<&str>) -> bool {
        self.spent.micro_usd = self.spent.micro_usd.saturating_add(end.micro_usd.unwrap_or(0));
        self.spent.tokens = self.spent.tokens.saturating_add(end.tokens.unwrap_or(0));
        self.spent.millis = self.spent.millis.saturating_add(end.millis());
        let silent = end.micro_usd.is_none();
        self.spent.unknown = self.spent.unknown.saturating_add(u32::from(silent));
        let uncounted = u32::from(end.tokens.is_none());
        self.spent.uncounted = self.spent.uncounted.saturating_add(uncounted);
        let Some(working) = self.working.get_mut(&fence.0.0) else { return end.is_well() };
        if end.is_well() {
            self.limits.remove(&working.host);
        }
        let is_judged = end.is_well() || !working.waived.is_empty();
        working.said = is_judged.then(|| last(&end.said));
        working.begun_apart = false;
        working.session = session.map(str::to_owned);
        if working.apart {
            return is_judged;
        }
        match session.map(str::to_owned) {
            Some(session) => self.sessions.insert(working.host.clone(), session),
            None => self.sessions.remove(&working.host),
        };
        is_judged
    }
}

/// Returns the key under which a notice is recorded as sent.
pub(super) fn told_key(what: &str, unit: Option<&str>, text: &str) -> String {
    let whose = unit.map_or_else(String::new, |unit| format!("{unit}: "));
    format!("{what}: {whose}{text}")
}

/// Returns whether a key belongs to a notice of this kind.
fn is_told_as(what: &str, key: &str) -> bool {
    key.split_once(": ").is_some_and(|(known, _)| known == what)
}

/// Returns the end of a message, where agents put their report.
fn last(text: &str) -> String {
    let mut from = text.len().saturating_sub(KEPT);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    text[from..].to_owned()
}

impl Engine<'_> {
    /// Records that an agent ended, which had resumed the session `resumed`. Its message, cost and
    /// resulting hold are stored before anything is judged, so that none of it is lost. Returns
    /// whether its work is to be judged.
    pub fn drive_heard(
        &self,
        run: &RunId,
        fence: Fence,
        (end, resumed): (&AgentEnd, Option<&str>),
        held: Option<&Hold>,
    ) -> Result<bool, EngineError> {
        let now = Now::new(self);
        // Taken now, because a person's later deletions are no loss. If it fails, the end still
        // counts.
        let (found, left) = self.left_of(run).unwrap_or_default();
        self.commit(ACTOR, PATIENT, |view| {
            let mut ledger = AgentsFile::read(view, run)?;
            let working = ledger.working.get(&fence.0.0).cloned().unwrap_or_default();
            let session = end.session_after(resumed);
            let is_judged = ledger.finish(fence, end, session);
            ledger.found.clone_from(&found);
            let mut draft = Draft::default();
            draft.edit(ledger.edit(run)?);
            let said = prompt::evidence(&end.said, prompt::EVIDENCE);
            let EditsLeft { missing: Missing { gone, away, unseen }, .. } = left.clone();
            let ended = AgentEnded {
                fence,
                unit: Some(working.unit.clone()),
                host: working.host,
                how: end.how(),
                session: session.map(str::to_owned),
                said: said.trim().to_owned(),
                micro_usd: end.micro_usd,
                tokens: end.tokens,
                ms: end.millis(),
                gone,
                reverted: Vec::new(),
                away,
                unseen,
                rewritten: None,
            };
            draft.note(Some(run), ended);
            let mut turns = Turns::read(view)?;
            turns.end(&unit_key(run, &working.unit), now.at, Tool::Closed);
            turns.save(&mut draft)?;
            if let Some(hold) = held {
                // A cancelled run cannot be held, but its agent's cost is still recorded.
                if !RunFile::open(self.kinds, view, run, None)?.live.is_cancelled() {
                    pause(view, run, hold, &now, &mut draft)?;
                }
            } else if let Ok(mut file) = RunFile::open(self.kinds, view, run, None)
                && file.live.info().is_measured
            {
                file.live.set_turn(ledger.is_at_work(fence));
                draft.run(&file)?;
            }
            Ok((draft, is_judged))
        })
    }

    /// Records the session in which an agent works, so that it can be resumed even if the driver
    /// dies.
    pub fn drive_met(&self, run: &RunId, fence: Fence, session: &str) -> Result<(), EngineError> {
        self.commit(ACTOR, PATIENT, |view| {
            let mut ledger = AgentsFile::read(view, run)?;
            let mut draft = Draft::default();
            if let Some(working) = ledger.working.get_mut(&fence.0.0) {
                working.session = Some(session.to_owned());
                draft.edit(ledger.edit(run)?);
            }
            Ok((draft, ()))
        })
    }

    /// Records the settings of a run's driver.
    pub fn drive_keep(&self, run: &RunId, how: &serde_json::Value) -> Result<(), EngineError> {
        self.commit(ACTOR, PATIENT, |view| {
            let mut ledger = AgentsFile::read(view, run)?;
            ledger.how = Some(how.clone());
            let mut draft = Draft::default();
            draft.edit(ledger.edit(run)?);
            Ok((draft, ()))
        })
    }

    /// Sets the plan's mode for this run. Returns false for an unknown mode.
    pub fn drive_mode(&self, run: &RunId, word: &str) -> Result<bool, EngineError> {
        let Some(mode) = mode_of(word) else { return Ok(false) };
        self.commit(ACTOR, PATIENT, |view| {
            let mut ledger = AgentsFile::read(view, run)?;
            ledger.mode = Some(word.to_owned());
            let mut draft = Draft::default();
            draft.edit(ledger.edit(run)?);
            let mut file = RunFile::open(self.kinds, view, run, None)?;
            file.live.set_mode(mode);
            draft.run(&file)?;
            Ok((draft, true))
        })
    }

    /// Returns the settings of a run's driver, or `None` if it never had one.
    pub fn drive_kept(&self, run: &RunId) -> Result<Option<serde_json::Value>, EngineError> {
        self.look(|view| Ok(AgentsFile::read(view, run)?.how))
    }

    /// Records a notice to a person. Returns whether it is new.
    pub(super) fn drive_tell(&self, run: &RunId, news: &News<'_>) -> Result<bool, EngineError> {
        let News { what, unit, text, .. } = *news;
        self.commit(ACTOR, PATIENT, |view| {
            let mut ledger = AgentsFile::read(view, run)?;
            let mut draft = Draft::default();
            if !ledger.told.insert(told_key(what, unit, text)) {
                return Ok((draft, false));
            }
            draft.edit(ledger.edit(run)?);
            let told = PersonTold { what: what.to_owned(), text: text.to_owned() };
            draft.note(Some(run), told);
            Ok((draft, true))
        })
    }

    pub fn drive_spent(&self, run: &RunId) -> Result<Spent, EngineError> {
        self.look(|view| Ok(AgentsFile::read(view, run)?.spent))
    }

    /// Returns the session in which the agent of an attempt worked, if its host is the same.
    pub fn drive_own_session(
        &self,
        run: &RunId,
        fence: Fence,
        host: &str,
    ) -> Result<Option<String>, EngineError> {
        self.look(|view| {
            let working = AgentsFile::read(view, run)?.working.remove(&fence.0.0);
            Ok(working.filter(|working| working.host == host).and_then(|working| working.session))
        })
    }

    /// Returns the session of a host in which the run's last agent worked.
    pub fn drive_session(&self, run: &RunId, host: &str) -> Result<Option<String>, EngineError> {
        self.look(|view| Ok(AgentsFile::read(view, run)?.sessions.get(host).cloned()))
    }
}
