//! `.sprag/turns.json`: the turns of agents that are working, or whose work is not judged yet.
//!
//! In a session, a turn lasts from a person's prompt to the stop that is allowed; in a driven run,
//! from the agent's start to the end of its attempt. A killed host ends no turn, so its entry
//! stays, and the next session or unit judges its changes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sprag_core::basis::{OnTests, Tool};
use sprag_core::{DocPath, Hash, RunId, SessionId, Time};
use sprag_store::{Doc, Edit, View};

use super::Baseline;
use super::law::TakenLaw;
use crate::draft::Draft;
use crate::engine::{Engine, EngineError};
use crate::now::Now;

const VERSION: u32 = 1;
/// How many turns are kept; the oldest weighed ones are dropped first.
const MOST: usize = 200;
/// How many commits of agents are kept.
const MOST_MADE: usize = 1_000;

/// Every turn that is not fully judged, and the agents' traces in the repository.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Turns {
    v: u32,
    #[serde(default, rename = "turns")]
    open: BTreeMap<String, OpenTurn>,
    /// The commits of agents: a text that one of them introduced is no person's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    made: Vec<String>,
    /// The uncommitted files that agents left in each worktree, by the name of the stored text.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) uncommitted: BTreeMap<String, Hash>,
    /// The document as it was read.
    #[serde(skip)]
    read: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OpenTurn {
    /// The baseline of its unit.
    pub(crate) baseline: Hash,
    /// The same inputs at the beginning of the turn.
    pub(crate) found: Hash,
    /// The linked worktree that it is in; empty for the main one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) worktree: String,
    pub(crate) since: Time,
    pub(crate) state: TurnState,
    /// Whether another agent worked in the same files meanwhile.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) shared: bool,
    pub(crate) holder: Holder,
    pub(crate) unit: TurnUnit,
    /// The documents that judge its agent, until they are weighed. An older version did not record
    /// them.
    #[serde(default, skip_serializing_if = "TakenLaw::is_unknown")]
    pub(crate) law: TakenLaw,
}

/// Identifies the agent of a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Holder {
    /// The process of its host or driver, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) process: Option<String>,
    /// The session; `None` for a driven attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<String>,
    /// The marks in the environment of every process that it started.
    pub(crate) marks: Vec<String>,
}

/// The facts about a turn's unit, for a judgement without its agent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TurnUnit {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) run: Option<RunId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) host: Option<String>,
    /// The consents that persons gave beforehand.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) may_change: Vec<String>,
    #[serde(default)]
    pub(crate) tests: OnTests,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TurnState {
    /// Its agent is working, as far as is known.
    Open,
    /// Its agent's process ended and its changes were not judged.
    Ended {
        /// The last sign of life.
        at: Time,
        /// Whether one of its tools was running then.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        in_tool: bool,
    },
    /// Its changes were judged.
    Stopped {
        /// The inputs at that time.
        left: Hash,
        at: Time,
        /// Whether a gate refused the work, so that no pass was weighed: its changes come into doubt
        /// when others begin from them.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        refused: bool,
    },
}

/// Returns the key of a session's turn in a worktree.
pub(crate) fn session_key(session: &SessionId, worktree: &str) -> String {
    if worktree.is_empty() { session.to_string() } else { format!("{session}@{worktree}") }
}

/// Returns the key of a driven unit's turn, shared by its attempts.
pub(crate) fn unit_key(run: &RunId, unit: &str) -> String {
    format!("{run}/{unit}")
}

impl Turns {
    fn path() -> Result<DocPath, EngineError> {
        Ok(DocPath::parse(".sprag/turns.json")?)
    }

    pub(crate) fn read(view: &View<'_>) -> Result<Self, EngineError> {
        let path = Self::path()?;
        let unreadable = |why: String| EngineError::Unreadable { path: path.to_string(), why };
        let text = view.read_remembered(&path).map_err(|error| unreadable(error.to_string()))?;
        let text = match text {
            Doc::Absent => {
                let none = Self { v: VERSION, ..Self::default() };
                return Ok(Self { read: none.text(), ..none });
            }
            Doc::Text(text) => text,
            Doc::Unknown(why) => return Err(unreadable(why.to_string())),
        };
        let read =
            serde_json::from_str::<Self>(&text).map_err(|error| unreadable(error.to_string()))?;
        if read.v > VERSION {
            let why = format!("version {}, and this sprag knows {VERSION}", read.v);
            return Err(unreadable(why));
        }
        Ok(Self { read: text, ..read })
    }

    fn text(&self) -> String {
        // Texts, times and hashes can always be serialized.
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        format!("{text}\n")
    }

    /// Writes the turns if they changed.
    pub(crate) fn save(&self, draft: &mut Draft) -> Result<(), EngineError> {
        let mut kept = self.clone();
        while kept.open.len() > MOST {
            let weighed = kept.open.iter().filter(|(_, turn)| turn.is_weighed());
            let oldest = weighed.min_by_key(|(_, turn)| turn.since);
            let Some(oldest) = oldest.map(|(key, _)| key.clone()) else {
                return Err(EngineError::Refused {
                    what: format!("the work of {MOST} agents is not judged yet"),
                    help: "end sessions that are not used any more".to_owned(),
                });
            };
            kept.open.remove(&oldest);
        }
        let text = kept.text();
        if text != self.read {
            draft.edit(Edit::Write { doc: Self::path()?, text });
        }
        Ok(())
    }

    pub(crate) fn get(&self, key: &str) -> Option<&OpenTurn> {
        self.open.get(key)
    }

    /// Opens a turn. Other agents working in the same files are marked as sharing them.
    pub(crate) fn open(&mut self, key: &str, mut turn: OpenTurn, now: &Now<'_>) {
        let beside = self.open.iter_mut().filter(|(other, _)| other.as_str() != key);
        for (_, other) in beside {
            if other.worktree == turn.worktree && other.is_at_work(now) {
                (other.shared, turn.shared) = (true, true);
            }
        }
        self.note_commits(key, now);
        self.put(key, turn);
    }

    /// Records that the agent of a turn ended; `at` is its last sign of life.
    pub(crate) fn end(&mut self, key: &str, at: Time, tool: Tool) {
        if let Some(turn) = self.open.get_mut(key).filter(|turn| turn.state == TurnState::Open) {
            turn.state = TurnState::Ended { at, in_tool: tool == Tool::Open };
        }
    }

    /// Records the inputs that a judged agent left, and whether they were weighed. They are not
    /// weighed if a gate refused the work.
    pub(crate) fn stop(&mut self, key: &str, left: Hash, at: Time, is_weighed: bool) {
        if let Some(turn) = self.open.get_mut(key) {
            turn.state = TurnState::Stopped { left, at, refused: !is_weighed };
            if is_weighed {
                turn.law = TakenLaw::default();
            }
        }
    }

    /// Reopens a judged turn: its agent continues without a prompt.
    pub(crate) fn reopen(&mut self, key: &str, at: Time) {
        if let Some(turn) = self.open.get_mut(key)
            && let TurnState::Stopped { left, .. } = turn.state
        {
            (turn.found, turn.since, turn.state) = (left, at, TurnState::Open);
        }
    }

    pub(crate) fn put(&mut self, key: &str, turn: OpenTurn) {
        self.open.insert(key.to_owned(), turn);
    }

    /// Returns the keys of a session's turns in all worktrees.
    pub(crate) fn keys_of(&self, session: &SessionId) -> Vec<String> {
        let is_own =
            |(key, turn): &(&String, &OpenTurn)| **key == session_key(session, &turn.worktree);
        self.open.iter().filter(is_own).map(|(key, _)| key.clone()).collect()
    }

    pub(crate) fn remove(&mut self, key: &str) -> Option<OpenTurn> {
        self.open.remove(key)
    }

    /// Returns the linked worktrees in which there are turns.
    pub(crate) fn worktrees(&self) -> impl Iterator<Item = &str> {
        self.open.values().map(|turn| turn.worktree.as_str()).filter(|name| !name.is_empty())
    }

    /// Returns every turn, in all files.
    pub(crate) fn all(&self) -> impl Iterator<Item = &OpenTurn> {
        self.open.values()
    }

    /// Returns all other turns in these files.
    pub(crate) fn others(
        &self,
        own: &str,
        worktree: &str,
    ) -> impl Iterator<Item = (&String, &OpenTurn)> {
        let is_other = move |(key, turn): &(&String, &OpenTurn)| {
            key.as_str() != own && turn.worktree == worktree
        };
        self.open.iter().filter(is_other)
    }

    /// Returns whether another agent is working in these files.
    pub(crate) fn is_another_at_work(&self, own: &str, now: &Now<'_>) -> bool {
        self.others(own, now.engine.worktree()).any(|(_, turn)| turn.is_at_work(now))
    }

    /// Returns every turn whose documents are not weighed yet, in all files.
    pub(crate) fn with_law(&self) -> impl Iterator<Item = (&String, &OpenTurn)> {
        self.open.iter().filter(|(_, turn)| !turn.law.is_unknown())
    }

    /// Returns whether all agents' changes in these files were judged.
    pub(crate) fn are_judged(&self, worktree: &str) -> bool {
        !self.others("", worktree).any(|(_, turn)| turn.is_unjudged())
    }

    /// Records commits that an agent made.
    pub(crate) fn note_made(&mut self, commits: impl IntoIterator<Item = String>) {
        for commit in commits {
            if !self.made.contains(&commit) {
                self.made.push(commit);
            }
        }
        let over = self.made.len().saturating_sub(MOST_MADE);
        self.made.drain(..over);
    }

    /// Returns the recorded commits of agents.
    pub(crate) fn made(&self) -> &[String] {
        &self.made
    }
}

impl OpenTurn {
    /// Loads what it found. With it, and with what it left, git's answers are remembered.
    pub(crate) fn recall(&self, engine: &Engine<'_>) -> Option<Baseline> {
        if let TurnState::Stopped { left, .. } = self.state {
            drop(Baseline::kept(engine, left));
        }
        Baseline::kept(engine, self.found)
    }

    pub(crate) const fn is_unjudged(&self) -> bool {
        match self.state {
            TurnState::Open | TurnState::Ended { .. } => true,
            TurnState::Stopped { .. } => false,
        }
    }

    /// Returns whether all its changes are weighed, so that nothing is lost with its entry.
    const fn is_weighed(&self) -> bool {
        match self.state {
            TurnState::Open | TurnState::Ended { .. } => false,
            TurnState::Stopped { refused, .. } => !refused,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(since: i64, state: TurnState) -> OpenTurn {
        let name = Hash::of("a baseline");
        OpenTurn {
            baseline: name,
            found: name,
            worktree: String::new(),
            since: Time::from_millis(since),
            state,
            shared: false,
            holder: Holder { process: None, session: None, marks: Vec::new() },
            unit: TurnUnit::default(),
            law: TakenLaw::default(),
        }
    }

    fn stopped(refused: bool) -> TurnState {
        TurnState::Stopped { left: Hash::of("left"), at: Time::from_millis(9), refused }
    }

    #[test]
    fn the_oldest_weighed_turn_makes_room_and_an_unjudged_one_never_does() {
        let mut turns = Turns { v: VERSION, ..Turns::default() };
        turns.put("refused", turn(0, stopped(true)));
        turns.put("weighed", turn(1, stopped(false)));
        for number in 2..MOST {
            turns.put(&number.to_string(), turn(2, TurnState::Open));
        }
        turns.put("one more", turn(3, TurnState::Open));
        let mut draft = Draft::default();
        turns.save(&mut draft).unwrap();
        let [Edit::Write { text, .. }] = draft.edits() else { panic!("{:?}", draft.edits()) };
        assert!(text.contains("\"refused\"") && !text.contains("\"weighed\""));
        turns.remove("weighed");
        turns.put("too many", turn(4, TurnState::Open));
        let error = turns.save(&mut draft).unwrap_err().to_string();
        assert!(error.contains("the work of 200 agents is not judged yet"), "{error}");
    }
}
