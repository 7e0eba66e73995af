//! `sling`: dispatches a unit to an idle agent, stage by stage.
//!
//! The branch and the worktree come first: they do no harm if the rest fails. Then one commit
//! assigns the unit to the first idle agent, decided under the lock so that two slings never choose
//! the same agent. The record holds the stage of the dispatch, and the next sling finishes one that
//! was killed halfway.

use std::path::{Path, PathBuf};

use sprag_core::inbox::{Slot, Verb, Who, WorkState};
use sprag_core::{Agent, Time, UnitId};
use sprag_formats::chipset::{AgentFile, Dispatch, DispatchStage, Letter, WorkFile};
use sprag_store::{Doc, Edit, View};
use sprag_world::clock;
use sprag_world::root::{self, RootSearch};

use super::assign::{AssignRequest, Sent, assign, branch, no_unit};
use super::assignment_files::{AssignmentFiles, job, put, read_unit, text, wrong};
use super::done::set_status;
use super::git::Folder;
use super::mail::names;
use super::paths;
use super::post::post;
use crate::draft::Draft;
use crate::engine::{Engine, EngineError, PATIENT};

/// How many workers a group has at most, not counting those created by hand.
const WORKERS: usize = 10;

/// The result of dispatching a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slung {
    pub unit: UnitId,
    /// The agent that has it; `None` if it was no longer open.
    pub agent: Option<String>,
    /// The worktree for it, if there is a repository.
    pub folder: Option<PathBuf>,
}

impl Engine<'_> {
    /// Dispatches a unit to an idle agent.
    pub fn sling(&self, unit: &UnitId, who: &Who) -> Result<Slung, EngineError> {
        who.may(Verb::Set, &Agent::parse("mayor")?)?;
        let (work, waits) = self.look(|view| {
            let now = clock::now();
            let found = read_unit(view, (unit, None), true, now)?;
            let work = found.work.ok_or_else(|| no_unit(unit))?;
            let (job, _) = job(view, &work, true, now)?;
            Ok((work, !job.waits_for.is_empty()))
        })?;
        let mut slung = Slung { unit: unit.clone(), agent: work.assignee.clone(), folder: None };
        if work.work == WorkState::Open {
            // A unit that waits for another is refused below and needs no worktree.
            slung.folder = if waits { None } else { self.prepare(unit)? };
            slung.agent = Some(self.hand_out(&work, who)?);
        }
        self.finish_sling(unit, who)?;
        Ok(slung)
    }

    /// Finishes dispatches that were interrupted, and returns their units.
    pub fn sling_rest(&self, who: &Who) -> Result<Vec<UnitId>, EngineError> {
        who.may(Verb::Set, &Agent::parse("mayor")?)?;
        let units = self.look(|view| {
            let folder = paths::folder("dispatch")?;
            let mut units = Vec::new();
            for name in names(view, &folder)? {
                let unit = name.strip_suffix(".json").and_then(|name| UnitId::parse(name).ok());
                let Some(unit) = unit else { continue };
                if record(view, &unit)?
                    .is_some_and(|(_, one)| one.stage != DispatchStage::Confirmed)
                {
                    units.push(unit);
                }
            }
            Ok(units)
        })?;
        for unit in &units {
            self.finish_sling(unit, who)?;
        }
        Ok(units)
    }

    /// Creates the branch and a worktree for it next to the project.
    fn prepare(&self, unit: &UnitId) -> Result<Option<PathBuf>, EngineError> {
        let Some(folder) = Folder::of(self) else { return Ok(None) };
        if !folder.has_commit()? {
            return Ok(None);
        }
        let root = &self.place.state;
        let (Some(above), Some(name)) = (root.parent(), root.file_name()) else { return Ok(None) };
        let place = above.join(format!("{}-work", name.to_string_lossy())).join(unit.as_str());
        folder.worktree(&place, &branch(unit))?;
        self.furnish(&place)?;
        Ok(Some(place))
    }

    /// Makes a worktree part of the project: if it lacks a configuration, it gets a copy of this
    /// one, so that the same gates hold its sessions.
    fn furnish(&self, folder: &Path) -> Result<(), EngineError> {
        let config = crate::config::path()?;
        let text = self.look(|view| text(view, &config))?;
        let start = RootSearch { folder, home: None, named: Some(folder) };
        let found = root::find(start).map_err(|error| EngineError::Refused {
            what: error.to_string(),
            help: "run `git worktree repair`".to_owned(),
        })?;
        let Some(place) = found else { return Ok(()) };
        let there = Engine::open(&place, self.environment)?;
        there.commit_at_once("sprag", PATIENT, |view| {
            let mut draft = Draft::default();
            if view.read(&config) == Doc::Absent {
                let text = text.clone().unwrap_or_else(|| "v: 1\n".to_owned());
                draft.edit(Edit::Write { doc: config.clone(), text });
            }
            Ok((draft, ()))
        })
    }

    /// Assigns the unit to the first idle agent, in one commit.
    fn hand_out(&self, work: &WorkFile, who: &Who) -> Result<String, EngineError> {
        let rig = work.rig.as_deref().unwrap_or(AgentFile::RIG);
        let given = self.commit_at_once(who.name(), PATIENT, |view| {
            let now = clock::now();
            let mut draft = Draft::default();
            let Some(agent) = allocate(view, rig, now)? else {
                return Ok((Draft::default(), None));
            };
            let unit = &work.unit;
            let stage = DispatchStage::Stored;
            let given = AssignRequest { agent: &agent, unit, title: None, rig, stage, key: None };
            let sent: Sent = assign(view, given, who, now, &mut draft)?;
            Ok((draft, sent.unit.map(|_| agent.to_string())))
        })?;
        if let Some(agent) = given {
            return Ok(agent);
        }
        let letter = Letter {
            from: who.name().to_owned(),
            to: "mayor".to_owned(),
            kind: "coordination".to_owned(),
            subject: format!("CAPACITY: {} waits, all {WORKERS} of {rig} work", work.unit),
            body: String::new(),
            priority: "normal".to_owned(),
        };
        self.mail_send(&letter, None, who)?;
        Err(EngineError::Exhausted {
            what: format!("all {WORKERS} agents of `{rig}` work; {} stays open", work.unit),
        })
    }

    /// Takes a record through the remaining stages: it counts as launched, then the witness gets
    /// mail.
    fn finish_sling(&self, unit: &UnitId, who: &Who) -> Result<(), EngineError> {
        for stage in [DispatchStage::Launched, DispatchStage::Confirmed] {
            self.commit_at_once(who.name(), PATIENT, |view| {
                let mut draft = Draft::default();
                let Some((old, record)) = record(view, unit)? else { return Ok((draft, ())) };
                let due = match (record.stage, stage) {
                    (DispatchStage::Stored, DispatchStage::Launched)
                    | (DispatchStage::Launched, DispatchStage::Confirmed) => true,
                    (
                        DispatchStage::Stored | DispatchStage::Launched | DispatchStage::Confirmed,
                        _,
                    ) => false,
                };
                if due {
                    let agent = Agent::parse(&record.agent)?;
                    let path = paths::dispatch(unit)?;
                    put(&path, Some(&old), &[Dispatch::at(stage)], &mut draft)?;
                    if stage == DispatchStage::Launched {
                        set_status(view, &agent, AgentFile::ACTIVE, &mut draft)?;
                    } else {
                        confirm(view, &agent, unit, who, &mut draft)?;
                    }
                }
                Ok((draft, ()))
            })?;
        }
        Ok(())
    }
}

fn confirm(
    view: &View<'_>,
    agent: &Agent,
    unit: &UnitId,
    who: &Who,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let letter = Letter {
        from: who.name().to_owned(),
        to: "witness".to_owned(),
        kind: "coordination".to_owned(),
        subject: format!("DISPATCH: {unit} to {agent}"),
        body: String::new(),
        priority: "normal".to_owned(),
    };
    post(view, &letter, clock::now(), &mut Vec::new(), draft).map(drop)
}

/// Returns the first idle worker of a group, or a new one if the group may grow.
fn allocate(view: &View<'_>, rig: &str, now: Time) -> Result<Option<Agent>, EngineError> {
    let folder = paths::folder("agents")?;
    let (mut workers, mut taken) = (0, Vec::new());
    for name in names(view, &folder)? {
        let path = folder.join(&name)?;
        let Some(text) = text(view, &path)? else { continue };
        let file = AgentFile::read(&text).map_err(|fault| wrong(&path, &fault))?;
        taken.push(file.id.clone());
        let works = file.role == "polecat" && file.status != AgentFile::TERMINATED;
        if !works || file.rig != rig {
            continue;
        }
        workers += 1;
        let agent = Agent::parse(&file.id)?;
        // An agent with unreadable documents is not idle and does not block others.
        let seat = AssignmentFiles::load(view, &agent, None, now);
        if seat.is_ok_and(|seat| !seat.adopted && seat.slice.slot() == Slot::Empty) {
            return Ok(Some(agent));
        }
    }
    if workers >= WORKERS {
        return Ok(None);
    }
    // One more name than there are agents, so one of them is free.
    let mut names = (1..=taken.len() + 1).map(|number| format!("polecat-{number}"));
    let new = names.find(|name| !taken.contains(name));
    new.map(|name| Ok(Agent::parse(&name)?)).transpose()
}

fn record(view: &View<'_>, unit: &UnitId) -> Result<Option<(String, Dispatch)>, EngineError> {
    let path = paths::dispatch(unit)?;
    let Some(text) = text(view, &path)? else { return Ok(None) };
    let record = Dispatch::read(&text).map_err(|fault| wrong(&path, &fault))?;
    Ok(Some((text, record)))
}
