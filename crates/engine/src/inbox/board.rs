//! A read-only view of the whole inbox: assignments, units, and holds.

use std::collections::BTreeMap;

use sprag_core::inbox::{AssignmentStatus, SKEW};
use sprag_core::{Agent, DocPath, Time};
use sprag_formats::Fault;
use sprag_formats::chipset::{
    AgentFile, Convoy, Dispatch, Handoff, Logged, Mail, MergeRequest, Nudge, WorkFile, logged,
};
use sprag_store::{Place, Store, View};
use sprag_world::clock;

use super::assignment_files::{AssignmentFiles, read_work, text, wrong};
use super::mail::{listed, names};
use super::own::{Polled, polled};
use super::units::units;
use super::{abort, lost, nudge, paths, waits};
use crate::engine::kind::Kinds;
use crate::engine::{Engine, EngineError};
use crate::session;
use crate::wait::Wait;

/// After this long without a sign of life (in milliseconds), an assignment may be taken back. That
/// never happens automatically.
pub const LEASE: i64 = 15 * 60_000;
/// How many lines of the original's event log are shown.
const EVENTS: usize = 5;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentRow {
    pub polled: Polled,
    /// The agent's last sign of life.
    pub seen: Option<Time>,
    /// Whether the assignment may be taken back.
    pub reclaimable: bool,
}

/// The inbox at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Board {
    /// Sorted by name.
    pub agents: Vec<AgentRow>,
    /// The number of units in each state.
    pub units: BTreeMap<String, usize>,
    /// Convoys, each with the number of its units that are done.
    pub convoys: Vec<(Convoy, usize)>,
    /// Branches that wait to be merged.
    pub merges: Vec<MergeRequest>,
    /// The end of the original's event log.
    pub events: Vec<Logged>,
    /// Everything that waits for a person, in numbered order.
    pub waits: Vec<Wait>,
    /// Unreadable documents, with the error.
    pub unknown: Vec<(String, String)>,
}

/// The modification times of a folder's files.
type Times = BTreeMap<String, Time>;

/// Returns whether the files of an inbox exist.
pub(crate) fn is_there(place: &Place) -> bool {
    let has = |folder: &str| place.state.join(folder).symlink_metadata().is_ok();
    has(paths::STATE) || has(paths::OURS)
}

/// Returns whether the journal records an inbox whose files are all gone.
pub(crate) fn was_there(view: &View<'_>) -> bool {
    let is_left = |folder: DocPath| view.left_in(&folder).is_ok_and(|names| !names.is_empty());
    DocPath::parse(paths::OURS).is_ok_and(is_left) || paths::folder("work").is_ok_and(is_left)
}

impl Engine<'_> {
    pub fn board(&self) -> Result<Board, EngineError> {
        self.look(|view| Ok(Board::read(self.kinds, &self.store, view)))
    }

    pub fn handoff(&self, agent: &Agent) -> Result<Option<Handoff>, EngineError> {
        self.look(|view| {
            let folder = paths::folder(&format!("handoff/{agent}"))?;
            let Some(name) = names(view, &folder)?.pop() else { return Ok(None) };
            let path = folder.join(&name)?;
            let text = text(view, &path)?;
            text.map(|text| Handoff::read(&text).map_err(|fault| wrong(&path, &fault))).transpose()
        })
    }
}

impl Board {
    /// Reads the inbox. Unreadable documents are part of the result.
    pub(crate) fn read(kinds: Kinds, store: &Store, view: &View<'_>) -> Self {
        let mut board = Self::default();
        let now = clock::now();
        if let Err(error) = board.read_agents(store, view, now) {
            board.cannot_read(error);
        }
        board.waits.extend(
            board.agents.iter().filter_map(|row| waits::of_agent(kinds, view, &row.polled)),
        );
        for part in [Self::read_units, Self::read_records, Self::read_messages] {
            if let Err(error) = part(&mut board, view) {
                board.cannot_read(error);
            }
        }
        board
    }

    fn read_agents(
        &mut self,
        store: &Store,
        view: &View<'_>,
        now: Time,
    ) -> Result<(), EngineError> {
        let times = |folder: &str| -> Result<Times, EngineError> {
            Ok(store.seen(&DocPath::parse(folder)?)?.into_iter().collect())
        };
        let seen = (times(paths::OURS)?, times(session::FOLDER)?);
        for agent in agents(view)? {
            match AssignmentFiles::load(view, &agent, None, now) {
                Ok(seat) => {
                    let abort = abort::standing(view, &seat, None).unwrap_or_else(|error| {
                        self.cannot_read(error);
                        None
                    });
                    self.agents.push(row(polled(&seat, abort), &seen, now));
                }
                Err(error) => self.cannot_read(error),
            }
        }
        Ok(())
    }

    fn read_units(&mut self, view: &View<'_>) -> Result<(), EngineError> {
        for unit in units(view)? {
            match read_work(view, &unit, None) {
                Ok((_, work)) => {
                    let status = work.map_or_else(String::new, |work| work.work.to_string());
                    *self.units.entry(status).or_default() += 1;
                }
                Err(error) => self.cannot_read(error),
            }
        }
        self.waits.extend(waits::of_units(view)?);
        self.waits.extend(waits::of_inbox(view)?);
        Ok(())
    }

    fn read_records(&mut self, view: &View<'_>) -> Result<(), EngineError> {
        for convoy in self.all(view, "convoys", Convoy::read)? {
            let done = |unit: &&String| {
                let path = paths::below("work", unit).ok();
                let text = path.and_then(|path| text(view, &path).ok().flatten());
                let work = text.and_then(|text| WorkFile::read(&text).ok());
                work.is_some_and(|work| work.work.is_done())
            };
            let many = convoy.units.iter().filter(done).count();
            self.convoys.push((convoy, many));
        }
        self.merges = self.all(view, "merge-queue", MergeRequest::read)?;
        // These are read only to report unreadable ones.
        self.all(view, "agents", AgentFile::read)?;
        self.all(view, "dispatch", Dispatch::read)?;
        let log = paths::folder("events/system.jsonl")?;
        if let Some(text) = text(view, &log)? {
            let lines = logged(&text);
            let from = lines.len().saturating_sub(EVENTS);
            for line in lines.into_iter().skip(from) {
                match line {
                    Ok(line) => self.events.push(line),
                    Err(fault) => self.cannot_read(wrong(&log, &fault)),
                }
            }
        }
        Ok(())
    }

    /// Checks that every message can be read.
    fn read_messages(&mut self, view: &View<'_>) -> Result<(), EngineError> {
        for box_of in folders(view, "mail")? {
            self.all(view, &format!("mail/{box_of}"), Mail::read)?;
        }
        for agent in folders(view, "nudge")? {
            for kind in ["queue", "replies"] {
                self.all(view, &format!("nudge/{agent}/{kind}"), Nudge::read)?;
            }
            // The file in which the original's tools leave theirs.
            self.one(view, &paths::folder(&format!("nudge/{agent}/latest.json"))?, Nudge::read);
            if let Err(error) = nudge::dropped(view, &agent) {
                self.cannot_read(error);
            }
        }
        Ok(())
    }

    /// Reads every document of a folder.
    fn all<T>(
        &mut self,
        view: &View<'_>,
        kind: &str,
        read: impl Fn(&str) -> Result<T, Fault>,
    ) -> Result<Vec<T>, EngineError> {
        let folder = paths::folder(kind)?;
        let mut all = Vec::new();
        for name in names(view, &folder)? {
            all.extend(self.one(view, &folder.join(&name)?, &read));
        }
        Ok(all)
    }

    /// Reads one document, if it exists.
    fn one<T>(
        &mut self,
        view: &View<'_>,
        path: &DocPath,
        read: impl Fn(&str) -> Result<T, Fault>,
    ) -> Option<T> {
        let text = text(view, path).transpose()?;
        let read = text.and_then(|text| read(&text).map_err(|fault| wrong(path, &fault)));
        read.map_err(|error| self.cannot_read(error)).ok()
    }

    /// Records an unreadable document once.
    fn cannot_read(&mut self, error: EngineError) {
        let (path, why) = if let EngineError::Unreadable { path, why } = error {
            (path, why)
        } else {
            (paths::STATE.to_owned(), error.to_string())
        };
        if !self.unknown.iter().any(|(known, _)| *known == path) {
            self.unknown.push((path, why));
        }
    }
}

/// Builds an agent's row. Its last sign of life is the newer time of its own file and its
/// session's.
fn row(polled: Polled, (agents, sessions): &(Times, Times), now: Time) -> AgentRow {
    let own = agents.get(&format!("{}.json", polled.agent));
    let session = polled.session.as_ref().and_then(|id| session::among(sessions, id));
    // Another clock set a time in the future; then the time in the document is used.
    let is_ours = |at: &Time| *at <= now.plus_millis(SKEW);
    let touched = own.copied().filter(is_ours).max(session.copied().filter(is_ours));
    let seen = touched.or(polled.activity.filter(is_ours));
    let active = polled.slot.status() == AssignmentStatus::Active && polled.hold.is_none();
    let reclaimable = active && seen.is_some_and(|seen| now.since(seen) > LEASE);
    AgentRow { polled, seen, reclaimable }
}

/// Returns the owners of the message folders. Persons get mail as agents do.
pub(super) fn folders(view: &View<'_>, kind: &str) -> Result<Vec<Agent>, EngineError> {
    // A file of the original's own tests may be among them.
    let mut names = listed(view, &paths::folder(kind)?)?;
    names.retain(|name| name.strip_suffix(".json").is_none());
    Ok(names.iter().filter_map(|name| Agent::parse(name).ok()).collect())
}

/// Returns all agents by name, including those without an assignment and those whose documents are
/// gone.
pub(super) fn agents(view: &View<'_>) -> Result<Vec<Agent>, EngineError> {
    let mut all = std::collections::BTreeSet::new();
    for kind in ["hooks", "agents"] {
        all.extend(agents_in(view, &paths::folder(kind)?)?);
    }
    all.extend(lost::agents(view)?);
    Ok(all.into_iter().collect())
}

/// Returns the agents that have a document in a folder.
pub(super) fn agents_in(view: &View<'_>, folder: &DocPath) -> Result<Vec<Agent>, EngineError> {
    let names = names(view, folder)?;
    let names = names.iter().filter_map(|name| name.strip_suffix(".json"));
    Ok(names.filter_map(|name| Agent::parse(name).ok()).collect())
}
