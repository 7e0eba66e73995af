//! `.sprag/turns.json`: the agents that have the turn, or had it and were not judged since.
//!
//! A turn lasts in a session from a person's prompt to the stop that is allowed, in a driven run from
//! the agent's start to the end of its attempt. A host that is killed ends no turn, so its entry stays:
//! the next session or unit judges what it left.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sprag_core::basis::{OnTests, Tool};
use sprag_core::{DocPath, Hash, RunId, SessionId, Time};
use sprag_store::{Doc, Edit, View};

use super::law::TakenLaw;
use crate::engine::EngineError;
use crate::sitting::Now;
use crate::tx::Draft;

const VERSION: u32 = 1;
/// How many turns are kept; the oldest go first.
const MOST: usize = 200;
/// How many commits of agents are kept.
const MOST_MADE: usize = 500;

/// Every turn that was not judged to its end, and what agents left in the repository.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Turns {
    v: u32,
    #[serde(default, rename = "turns")]
    open: BTreeMap<String, OpenTurn>,
    /// Where agents put branches: no text is a person's because one of these commits has it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    made: Vec<String>,
    /// What agents left uncommitted in each worktree, by the name of the kept text.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) uncommitted: BTreeMap<String, Hash>,
    /// The document as it was read.
    #[serde(skip)]
    read: String,
}

/// One turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OpenTurn {
    /// What its unit is compared with.
    pub(crate) baseline: Hash,
    /// The same inputs as they were when the turn began.
    pub(crate) found: Hash,
    /// The linked worktree that it is in; empty for the main one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) worktree: String,
    /// When it began.
    pub(crate) since: Time,
    /// How far it came.
    pub(crate) state: TurnState,
    /// Whether another agent had the turn in the same files meanwhile.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) shared: bool,
    /// Who has it.
    pub(crate) holder: Holder,
    /// What is known of the unit that is worked on.
    pub(crate) unit: TurnUnit,
    /// What its agent is judged by, until that is weighed; an older version did not write it down.
    #[serde(default, skip_serializing_if = "TakenLaw::is_unknown")]
    pub(crate) law: TakenLaw,
}

/// How the agent of a turn can be looked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Holder {
    /// The process of its host or driver, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) process: Option<String>,
    /// The session that it is; nothing for an attempt that is driven.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<String>,
    /// What every process carries that it started.
    pub(crate) marks: Vec<String>,
}

/// What is known of the unit of a turn, for whoever judges it in its agent's place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TurnUnit {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) run: Option<RunId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) host: Option<String>,
    /// What persons agreed to beforehand.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) may_change: Vec<String>,
    #[serde(default)]
    pub(crate) tests: OnTests,
}

/// How far a turn came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TurnState {
    /// Its agent is at work, as far as is known.
    Open,
    /// Its agent's process ended, and what it left was not judged.
    Ended {
        /// When it was heard last.
        at: Time,
        /// Whether one of its tools was at work then.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        in_tool: bool,
    },
    /// It was judged, and this is what it left.
    Stopped {
        /// The inputs as they were then.
        left: Hash,
        /// When.
        at: Time,
    },
}

/// Returns what the turn of a session in a worktree is called.
pub(crate) fn session_key(session: &SessionId, worktree: &str) -> String {
    if worktree.is_empty() { session.to_string() } else { format!("{session}@{worktree}") }
}

/// Returns what the turn at a unit of a driven run is called. Attempts at it follow one another.
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
        let mut read = match view.read(&path) {
            Doc::Absent => Self { v: VERSION, ..Self::default() },
            Doc::Text(text) => serde_json::from_str::<Self>(&text)
                .map_err(|error| unreadable(error.to_string()))?,
            Doc::Unknown(why) => return Err(unreadable(why.to_string())),
        };
        if read.v > VERSION {
            let why = format!("version {}, and this sprag knows {VERSION}", read.v);
            return Err(unreadable(why));
        }
        read.read = read.text();
        Ok(read)
    }

    fn text(&self) -> String {
        // Texts, times and hashes can always be written.
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        format!("{text}\n")
    }

    /// Writes the turns, where they changed.
    pub(crate) fn save(&self, draft: &mut Draft) -> Result<(), EngineError> {
        let mut kept = self.clone();
        while kept.open.len() > MOST {
            let oldest = kept.open.iter().min_by_key(|(_, turn)| turn.since);
            let Some(oldest) = oldest.map(|(key, _)| key.clone()) else { break };
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

    /// Opens a turn. Whoever else is at work in the same files may make the same changes from now on.
    pub(crate) fn open(&mut self, key: &str, mut turn: OpenTurn, now: &Now<'_>) {
        let beside = self.open.iter_mut().filter(|(other, _)| other.as_str() != key);
        for (_, other) in beside {
            if other.worktree == turn.worktree && other.is_at_work(now) {
                (other.shared, turn.shared) = (true, true);
            }
        }
        self.put(key, turn);
    }

    /// Records that the agent of a turn ended, and was heard last at this time.
    pub(crate) fn end(&mut self, key: &str, at: Time, tool: Tool) {
        if let Some(turn) = self.open.get_mut(key).filter(|turn| turn.state == TurnState::Open) {
            turn.state = TurnState::Ended { at, in_tool: tool == Tool::Open };
        }
    }

    /// Records what the agent of a turn left that was just judged, and whether that was weighed: what
    /// a gate refuses never is.
    pub(crate) fn stop(&mut self, key: &str, left: Hash, at: Time, is_weighed: bool) {
        if let Some(turn) = self.open.get_mut(key) {
            turn.state = TurnState::Stopped { left, at };
            if is_weighed {
                turn.law = TakenLaw::default();
            }
        }
    }

    /// Opens a turn again that was judged: its agent goes on, and no person spoke.
    pub(super) fn reopen(&mut self, key: &str) {
        if let Some(turn) = self.open.get_mut(key)
            && let TurnState::Stopped { left, .. } = turn.state
        {
            (turn.found, turn.state) = (left, TurnState::Open);
        }
    }

    pub(super) fn put(&mut self, key: &str, turn: OpenTurn) {
        self.open.insert(key.to_owned(), turn);
    }

    /// Returns what the turns of a session are called, in whatever worktree.
    pub(super) fn keys_of(&self, session: &SessionId) -> Vec<String> {
        let is_own =
            |(key, turn): &(&String, &OpenTurn)| **key == session_key(session, &turn.worktree);
        self.open.iter().filter(is_own).map(|(key, _)| key.clone()).collect()
    }

    pub(crate) fn remove(&mut self, key: &str) -> Option<OpenTurn> {
        self.open.remove(key)
    }

    /// Returns every turn in these files, but one.
    pub(super) fn others(
        &self,
        own: &str,
        worktree: &str,
    ) -> impl Iterator<Item = (&String, &OpenTurn)> {
        let is_other = move |(key, turn): &(&String, &OpenTurn)| {
            key.as_str() != own && turn.worktree == worktree
        };
        self.open.iter().filter(is_other)
    }

    /// Returns whether another agent has the turn in these files.
    pub(crate) fn is_another_at_work(&self, own: &str, now: &Now<'_>) -> bool {
        self.others(own, now.engine.worktree()).any(|(_, turn)| turn.is_at_work(now))
    }

    /// Returns every turn whose agent has not answered for what it is judged by, in whatever files.
    pub(super) fn with_law(&self) -> impl Iterator<Item = (&String, &OpenTurn)> {
        self.open.iter().filter(|(_, turn)| !turn.law.is_unknown())
    }

    /// Returns whether what every agent left in these files was judged.
    pub(super) fn are_judged(&self, worktree: &str) -> bool {
        !self.others("", worktree).any(|(_, turn)| turn.is_unjudged())
    }

    /// Takes note of commits that branches were put to in a turn.
    pub(super) fn note_made(&mut self, commits: impl IntoIterator<Item = String>) {
        for commit in commits {
            if !self.made.contains(&commit) {
                self.made.push(commit);
            }
        }
        let over = self.made.len().saturating_sub(MOST_MADE);
        self.made.drain(..over);
    }

    /// Returns the commits that agents put branches to.
    pub(super) fn made(&self) -> &[String] {
        &self.made
    }
}

impl OpenTurn {
    /// Returns whether nobody judged what its agent left.
    pub(super) const fn is_unjudged(&self) -> bool {
        match self.state {
            TurnState::Open | TurnState::Ended { .. } => true,
            TurnState::Stopped { .. } => false,
        }
    }
}
