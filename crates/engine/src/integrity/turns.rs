//! `.sprag/turns.json`: the agents that have the turn, or had it and were never judged.
//!
//! A turn lasts in a session from a person's prompt to the stop that is allowed, in a driven run
//! from the agent's start to the unit's end. A host that is killed ends no turn, so its entry stays:
//! whoever begins next takes the earlier texts from it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use sprag_core::basis::{
    Attribution, ChangeFacts, Origin, Others, OwnCalls, Processes, Tool, Turn, whose,
};
use sprag_core::{DocPath, Hash, Time};
use sprag_store::{Doc, Edit, View};

use super::Baseline;
use super::collect::{changed_at, modified_at, open_tool};
use crate::engine::EngineError;
use crate::process::{self, Life};
use crate::sitting::Now;
use crate::tx::Draft;

const VERSION: u32 = 1;
/// How many turns are kept; the oldest go first.
const MOST: usize = 200;
/// How long a turn may last whose host cannot be looked for, in milliseconds.
const LONGEST: i64 = 8 * 60 * 60 * 1000;

/// Every turn that was not judged to its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Turns {
    v: u32,
    #[serde(default, rename = "turns")]
    open: BTreeMap<String, OpenTurn>,
    #[serde(skip)]
    read: BTreeMap<String, OpenTurn>,
}

/// One turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OpenTurn {
    /// What its unit is compared with.
    pub(crate) baseline: Hash,
    /// The linked worktree that it is in; empty for the main one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) worktree: String,
    /// The process of its host, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) process: Option<String>,
    /// When it began.
    pub(crate) since: Time,
    /// How far it came.
    pub(crate) state: TurnState,
}

/// How far a turn came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TurnState {
    /// Its agent is at work, as far as is known.
    Open,
    /// Its agent's process ended, and what it left was not judged.
    Ended {
        /// When.
        at: Time,
    },
    /// Its stop was allowed; this is what it left.
    Stopped {
        /// The inputs as they were then.
        left: Hash,
    },
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
        read.read.clone_from(&read.open);
        Ok(read)
    }

    /// Writes the turns, where they changed.
    pub(crate) fn save(&self, draft: &mut Draft) -> Result<(), EngineError> {
        if self.open == self.read {
            return Ok(());
        }
        let mut kept = self.clone();
        while kept.open.len() > MOST {
            let oldest = kept.open.iter().min_by_key(|(_, turn)| turn.since);
            let Some(oldest) = oldest.map(|(key, _)| key.clone()) else { break };
            kept.open.remove(&oldest);
        }
        let text = serde_json::to_string_pretty(&kept).unwrap_or_default();
        draft.edit(Edit::Write { doc: Self::path()?, text: format!("{text}\n") });
        Ok(())
    }

    pub(crate) fn get(&self, key: &str) -> Option<&OpenTurn> {
        self.open.get(key)
    }

    pub(crate) fn set(&mut self, key: &str, turn: OpenTurn) {
        self.open.insert(key.to_owned(), turn);
    }

    /// Says that the process of a turn's agent ended.
    pub(crate) fn end(&mut self, key: &str, at: Time) {
        if let Some(turn) = self.open.get_mut(key) {
            turn.state = TurnState::Ended { at };
        }
    }

    pub(crate) fn remove(&mut self, key: &str) {
        self.open.remove(key);
    }

    /// Returns whether an agent has the turn in these files.
    pub(crate) fn is_anybody_at_work(&self, worktree: &str, now: Time) -> bool {
        self.open.values().any(|turn| turn.worktree == worktree && turn.is_at_work(now))
    }

    /// Returns whether another agent has the turn in these files.
    pub(crate) fn is_another_at_work(&self, own: &str, worktree: &str, now: Time) -> bool {
        let others = self.open.iter().filter(|(key, _)| key.as_str() != own);
        others.map(|(_, turn)| turn).any(|turn| turn.worktree == worktree && turn.is_at_work(now))
    }

    /// Takes over into a baseline that is taken now what the agents of other turns changed and was
    /// not judged. A turn whose agent is gone is over with that.
    pub(crate) fn hand_over(&mut self, own: &str, baseline: &mut Baseline, now: &Now<'_>) {
        let worktree = now.engine.worktree();
        let mut over = Vec::new();
        for (key, turn) in &self.open {
            if key == own || turn.worktree != worktree {
                continue;
            }
            let Some(then) = Baseline::kept(now.engine, turn.compared_with()) else {
                over.push(key.clone());
                continue;
            };
            let changed = then.changed(baseline);
            let theirs: BTreeSet<String> = changed
                .into_iter()
                .filter(|path| !turn.whose(key, path, now).author.is_trusted())
                .collect();
            baseline.inherit(&then, &theirs);
            if turn.is_over(now.at) {
                over.push(key.clone());
            }
        }
        self.open.retain(|key, _| !over.contains(key));
    }

    /// Takes what a person changed since a turn of this session ended, or was interrupted, for the
    /// texts that it is compared with.
    pub(crate) fn take_persons(
        &self,
        own: &str,
        last_call: Option<Time>,
        tool: Tool,
        baseline: &mut Baseline,
        (current, now): (&Baseline, &Now<'_>),
    ) {
        let left = self.open.get(own);
        let (then, turn) = match left.map(|turn| &turn.state) {
            Some(TurnState::Stopped { left }) => (Baseline::kept(now.engine, *left), Turn::Stopped),
            Some(TurnState::Open | TurnState::Ended { .. }) => {
                let last_call = last_call.unwrap_or(now.at);
                (Some(baseline.clone()), Turn::Interrupted { last_call, tool })
            }
            None => (Some(baseline.clone()), Turn::None),
        };
        baseline.add_gates(current);
        let Some(then) = then else { return };
        let others = self.is_another_at_work(own, now.engine.worktree(), now.at);
        let is_persons = |path: &String| {
            let facts = facts(turn, others, path, now);
            whose(&facts).author.is_trusted()
        };
        let persons: BTreeSet<String> =
            then.changed(current).into_iter().filter(is_persons).collect();
        baseline.advance(current, &persons);
    }
}

/// Returns what is known of a change of one file.
fn facts(turn: Turn, others: bool, path: &str, now: &Now<'_>) -> ChangeFacts {
    ChangeFacts {
        origin: Origin::Here,
        turn,
        processes: Processes::Gone,
        others: if others { Others::Open { own: OwnCalls::Left } } else { Others::None },
        modified: changed_at(&now.engine.files.root, path),
        now: now.at,
    }
}

impl OpenTurn {
    /// Returns the inputs that later ones are compared with.
    fn compared_with(&self) -> Hash {
        match self.state {
            TurnState::Open | TurnState::Ended { .. } => self.baseline,
            TurnState::Stopped { left } => left,
        }
    }

    /// Returns whether its host is gone, as far as can be told.
    fn is_gone(&self, now: Time) -> bool {
        match self.process.as_deref().map(process::life) {
            Some(Life::Alive) => false,
            Some(Life::Gone) => true,
            Some(Life::Unknown) | None => now.since(self.since) > LONGEST,
        }
    }

    /// Returns whether its agent is at work. One whose host is gone is not.
    fn is_at_work(&self, now: Time) -> bool {
        match self.state {
            TurnState::Open => !self.is_gone(now),
            TurnState::Ended { .. } | TurnState::Stopped { .. } => false,
        }
    }

    /// Returns whether nobody goes on in it.
    fn is_over(&self, now: Time) -> bool {
        match self.state {
            TurnState::Open | TurnState::Stopped { .. } => self.is_gone(now),
            TurnState::Ended { .. } => true,
        }
    }

    /// Returns whose change of a file it is, seen from somebody who begins now. `key` names the turn.
    fn whose(&self, key: &str, path: &str, now: &Now<'_>) -> Attribution {
        let turn = match self.state {
            TurnState::Open if self.is_gone(now.at) => {
                let file = format!(".sprag/sessions/{key}.json");
                let last_call = modified_at(&now.engine.place.state, &file).unwrap_or(now.at);
                Turn::Interrupted { last_call, tool: open_tool(now, key) }
            }
            TurnState::Open => Turn::Open,
            TurnState::Ended { at } => Turn::Interrupted { last_call: at, tool: Tool::Closed },
            TurnState::Stopped { .. } => Turn::Stopped,
        };
        whose(&facts(turn, false, path, now))
    }
}
