//! An agent's assignment as loaded from its documents, and written back to them.

use sprag_core::event::AssignmentPutBack;
use sprag_core::inbox::{
    AgentRecord, Assignment, AssignmentStatus, Job, Slot, UnitCounts, WorkState,
};
use sprag_core::{Agent, DocPath, Facts, Hash, Plain, Stored, Time, UnitId};
use sprag_formats::chipset::{Dialect, Dispatch, Hook, Laid, WorkFile, lay};
use sprag_formats::{Document, Edit, Fault, Format, StoredFile, Value, new_json_file};
use sprag_store::{Doc, View};

use super::board::agents_in;
use super::stands::{Emptied, Stands, stands};
use super::{lost, paths, run, verdict};
use crate::draft::Draft;
use crate::engine::EngineError;

/// One of our documents: its text, and the plain form that was read from it.
pub(super) type Kept = (Option<String>, Plain);

/// An agent, its unit, and the documents of both.
#[derive(Debug)]
pub(crate) struct AssignmentFiles {
    pub(crate) slice: Assignment,
    pub(crate) work: Option<WorkFile>,
    /// Whether another tool changed the assignment since we last looked.
    pub(crate) adopted: bool,
    /// Changes by an agent that only others may make; the next commit reverts them.
    pub(crate) put_back: Vec<AssignmentPutBack>,
    /// Whether the documents are unreadable and only our own record counts.
    recorded: bool,
    /// The last activity, according to the agent's document.
    pub(crate) activity: Option<Time>,
    /// The time of the assignment, according to the agent's document.
    pub(crate) assigned: Option<Time>,
    agent: Agent,
    now: Time,
    hook: Option<(String, Hook)>,
    work_text: Option<String>,
    holder: Kept,
    tally: Option<Kept>,
    /// The agent that had the unit to assign, until another tool cleared it.
    pub(crate) freed: Option<Box<Self>>,
}

/// A unit to assign to an agent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnitToAssign<'a> {
    pub(crate) unit: &'a UnitId,
    /// The title for a unit without a document; without a title the document must exist.
    pub(crate) title: Option<&'a str>,
}

/// Returns the facts of a decision about the inbox. The project's files do not matter, so every
/// decision gets a unique tree hash.
pub(crate) fn facts(view: &View<'_>, now: Time) -> Facts {
    let seq = view.seq();
    Facts::new(now, seq, Hash::of(seq.to_string()))
}

impl AssignmentFiles {
    /// Loads an agent's documents and those of its unit, or of the `wanted` unit to assign.
    pub(crate) fn load(
        view: &View<'_>,
        agent: &Agent,
        wanted: Option<UnitToAssign<'_>>,
        now: Time,
    ) -> Result<Self, EngineError> {
        let stands = stands(view, agent, Emptied::Unknown)?;
        Self::of(view, agent, (stands, wanted), now)
    }

    /// Loads an agent's documents for a person, who accepts that work cleared while in progress is
    /// over.
    pub(crate) fn load_for_person(
        view: &View<'_>,
        agent: &Agent,
        now: Time,
    ) -> Result<Self, EngineError> {
        let stands = stands(view, agent, Emptied::Accepted)?;
        Self::of(view, agent, (stands, None), now)
    }

    fn of(
        view: &View<'_>,
        agent: &Agent,
        (stands, wanted): (Stands, Option<UnitToAssign<'_>>),
        now: Time,
    ) -> Result<Self, EngineError> {
        let Stands { hook, holder_text, holder, found, adopted, mut put_back } = stands;
        let own = found.unit().or(holder.known.as_ref().and_then(Slot::unit));
        let unit = wanted.map(|wanted| wanted.unit).or(own).cloned();
        let title = match (wanted, &hook) {
            (Some(wanted), _) => wanted.title,
            (None, Some((_, hook))) => hook.title.as_deref(),
            (None, None) => None,
        };
        let is_wanted = wanted.is_some();
        let read = unit.as_ref().map(|unit| read_unit(view, (unit, title), is_wanted, now));
        let AssignedUnit { text: work_text, work, freed, put_back: verdict } =
            read.transpose()?.unwrap_or_default();
        put_back.extend(verdict);
        if let (Some(unit), Some(work)) = (found.unit(), &work) {
            not_elsewhere(agent, unit, work)?;
        }
        let job = work.as_ref().map(|work| job(view, work, is_wanted, now)).transpose()?;
        let tally = unit.as_ref().map(paths::tally).transpose()?;
        let tally = tally.map(|path| read_ours::<UnitCounts>(view, &path)).transpose()?;
        let (tally_text, counts) = tally.unwrap_or_default();
        let before = if holder_text.is_some() { holder.lower() } else { Plain::Null };
        let slice = if hook.is_none() && holder.known.is_none() {
            Assignment::absent(run()?, agent.clone(), job, counts)
        } else {
            Assignment::new(run()?, agent.clone(), holder, &found, job, counts, &facts(view, now))
        };
        let tally = unit.is_some().then(|| (tally_text, slice.tally().lower()));
        Ok(Self {
            adopted,
            put_back,
            activity: hook.as_ref().and_then(|(_, hook)| hook.activity),
            assigned: hook.as_ref().and_then(|(_, hook)| hook.assigned),
            agent: agent.clone(),
            now,
            hook,
            work_text,
            work,
            holder: (holder_text, before),
            tally,
            freed,
            slice,
            recorded: false,
        })
    }

    /// Loads an agent's assignment from our own record, if its documents are gone or unreadable:
    /// its session is still held to the work. Only the record can be written then.
    pub(crate) fn of_record(
        view: &View<'_>,
        agent: &Agent,
        now: Time,
    ) -> Result<Option<Self>, EngineError> {
        let (holder_text, holder) = read_ours::<AgentRecord>(view, &paths::holder(agent)?)?;
        let Some(slot) = holder.known.clone().filter(|slot| slot.unit().is_some()) else {
            return Ok(None);
        };
        let unit = slot.unit().cloned();
        let work = unit.as_ref().and_then(|unit| lost::work(view, unit));
        let job = work.as_ref().map(|work| job(view, work, false, now)).transpose()?;
        let before = if holder_text.is_some() { holder.lower() } else { Plain::Null };
        let facts = facts(view, now);
        let slice = Assignment::new(
            run()?,
            agent.clone(),
            holder,
            &slot,
            job,
            UnitCounts::default(),
            &facts,
        );
        Ok(Some(Self {
            slice,
            work,
            adopted: false,
            put_back: Vec::new(),
            recorded: true,
            activity: None,
            assigned: None,
            agent: agent.clone(),
            now,
            hook: None,
            work_text: None,
            holder: (holder_text, before),
            tally: None,
            freed: None,
        }))
    }

    /// Returns the slot in the agent's own document before the decision.
    pub(crate) fn found(&self) -> Slot {
        self.hook.as_ref().map_or(Slot::Empty, |(_, hook)| hook.slot.clone())
    }

    /// Writes the unit, the slot, and our records about both.
    pub(crate) fn save(&mut self, draft: &mut Draft) -> Result<(), EngineError> {
        if self.recorded {
            return self.save_holder(draft);
        }
        for put_back in std::mem::take(&mut self.put_back) {
            draft.note(Some(&run()?), put_back);
        }
        let slot = self.slice.slot();
        let whole = self.save_work(&slot, draft)?;
        self.save_hook(&slot, &whole, draft)?;
        self.save_holder(draft)?;
        if let Some(freed) = &self.freed {
            // Its unit is written here, and its own document stays.
            freed.save_holder(draft)?;
        }
        self.save_tally(draft)
    }

    fn save_holder(&self, draft: &mut Draft) -> Result<(), EngineError> {
        let holder = self.slice.holder().lower();
        write_ours(&paths::holder(&self.agent)?, &self.holder, &holder, draft)
    }

    /// Writes the counters of the unit.
    pub(crate) fn save_tally(&self, draft: &mut Draft) -> Result<(), EngineError> {
        if let (Some(kept), Some(work)) = (&self.tally, &self.work) {
            write_ours(&paths::tally(&work.unit)?, kept, &self.slice.tally().lower(), draft)?;
        }
        Ok(())
    }

    /// Writes the time of the last activity into the agent's document.
    pub(crate) fn touch(&self, draft: &mut Draft) -> Result<(), EngineError> {
        let Some((text, hook)) = &self.hook else { return Ok(()) };
        let edits = [Hook::touch(hook.dialect, self.now)];
        put(&paths::hook(&self.agent)?, Some(text), &edits, draft)
    }

    /// Writes the state of the unit and returns its new document.
    fn save_work(&mut self, slot: &Slot, draft: &mut Draft) -> Result<Value, EngineError> {
        let Some(work) = &mut self.work else { return Ok(Value::Null) };
        let is_ours = slot.unit() == Some(&work.unit);
        let was_ours = work.assignee.as_deref().is_none_or(|name| name == self.agent.as_str());
        if is_ours || was_ours {
            work.work = self.slice.work();
            work.hook = if is_ours { slot.status() } else { AssignmentStatus::Empty };
            let keeps = is_ours || work.work.is_done();
            work.assignee = if is_ours {
                Some(self.agent.to_string())
            } else {
                work.assignee.take().filter(|_| keeps)
            };
        }
        let path = paths::work(&work.unit)?;
        let edits = if self.work_text.is_some() { work.placed() } else { work.made() };
        let laid = lay(self.work_text.as_deref(), &edits).map_err(|bad| wrong(&path, &bad))?;
        let text = match (&laid, &self.work_text) {
            (Laid::New(text), _) => text.clone(),
            (Laid::Changed(splices), Some(old)) => {
                sprag_core::apply(old, splices).map_err(|bad| unreadable(&path, bad.to_string()))?
            }
            (Laid::Changed(_), None) => String::new(),
        };
        draft.lay(path.clone(), laid);
        let whole = Document::parse(Format::Json, &text).map_err(|bad| wrong(&path, &bad))?;
        Ok(whole.root().value.clone())
    }

    fn save_hook(&self, slot: &Slot, whole: &Value, draft: &mut Draft) -> Result<(), EngineError> {
        if *slot == self.found() {
            return Ok(());
        }
        let (text, dialect) = match &self.hook {
            Some((text, hook)) => (Some(text.as_str()), hook.dialect),
            None => (None, Dialect::Skill),
        };
        let agent = self.agent.as_str();
        let title = self.work.as_ref().map_or("", |work| work.title.as_str());
        let assign = |unit| Hook::assign(dialect, agent, unit, title, whole, self.now);
        let edits = match slot {
            Slot::Empty => Hook::clear(dialect, agent, self.now),
            Slot::Pending(unit) => assign(unit),
            Slot::Active(unit) | Slot::Completed(unit) => {
                // Another tool may have removed the unit.
                let is_there = self.found().unit() == Some(unit);
                let mut edits = if is_there { Vec::new() } else { assign(unit) };
                edits.extend(Hook::go(dialect, slot.status(), self.now));
                edits
            }
        };
        put(&paths::hook(&self.agent)?, text, &edits, draft)
    }
}

/// Refuses to assign a unit whose document names another agent.
pub(super) fn not_elsewhere(
    agent: &Agent,
    unit: &UnitId,
    work: &WorkFile,
) -> Result<(), EngineError> {
    let other = work.assignee.as_deref().filter(|name| *name != agent.as_str());
    match (other, &work.work) {
        (Some(other), WorkState::Hooked | WorkState::InProgress) if *unit == work.unit => {
            let why = format!("it names {unit}, which is assigned to {other}");
            Err(unreadable(&paths::hook(agent)?, why))
        }
        (Some(_) | None, _) => Ok(()),
    }
}

/// Refuses a unit that another agent has although its document is missing or open: an older state
/// was restored, and two agents would work on one unit.
pub(super) fn not_held(
    view: &View<'_>,
    agent: &Agent,
    unit: &UnitId,
    work: Option<&WorkFile>,
) -> Result<(), EngineError> {
    let path = paths::work(unit)?;
    if work.is_some_and(|work| work.work != WorkState::Open) {
        return Ok(());
    }
    // Only a document that differs from our last text can be wrong here. A text adopted by another
    // commit counts as ours, so the dispatch record is checked then. So other agents' records are
    // rarely read.
    let suspects = if view.is_foreign(&path) {
        agents_in(view, &DocPath::parse(paths::OURS)?)?
    } else {
        sent_to(view, unit)?
    };
    for other in suspects.iter().filter(|other| *other != agent) {
        let (_, holder) = read_ours::<AgentRecord>(view, &paths::holder(other)?)?;
        if holder.known.as_ref().and_then(Slot::unit) != Some(unit) {
            continue;
        }
        // The other agent's own document decides: it may have been cleared since.
        if stands(view, other, Emptied::Unknown)?.found.unit() == Some(unit) {
            let why = format!("it is missing or says `open`, and {other} has {unit}");
            return Err(unreadable(&path, why));
        }
    }
    Ok(())
}

/// Returns the agent that a unit was dispatched to, if there is a record.
fn sent_to(view: &View<'_>, unit: &UnitId) -> Result<Vec<Agent>, EngineError> {
    let record = text(view, &paths::dispatch(unit)?)?;
    let record = record.and_then(|text| Dispatch::read(&text).ok());
    Ok(record.and_then(|record| Agent::parse(&record.agent).ok()).into_iter().collect())
}

/// Builds an agent's view of a unit, with the units it waits for if `with_needs`.
pub(super) fn job(
    view: &View<'_>,
    work: &WorkFile,
    with_needs: bool,
    now: Time,
) -> Result<(Job, WorkState), EngineError> {
    let mut waits_for = Vec::new();
    for unit in work.needs.iter().filter(|_| with_needs) {
        let needed = read_unit(view, (unit, None), true, now)?.work;
        // An unreadable unit is not known to be done.
        if !needed.is_some_and(|needed| needed.work.is_done()) {
            waits_for.push(unit.clone());
        }
    }
    let (title, about) = (work.title.clone(), work.about.clone());
    Ok((Job { unit: work.unit.clone(), title, about, waits_for }, work.work.clone()))
}

/// Reads a unit. Without a document, a unit with this title is assumed, if a title is given.
pub(crate) fn read_work(
    view: &View<'_>,
    unit: &UnitId,
    title: Option<&str>,
) -> Result<(Option<String>, Option<WorkFile>), EngineError> {
    let path = paths::work(unit)?;
    let Some(text) = text(view, &path)? else {
        if view.is_lost(&path) {
            return Err(unreadable(&path, lost::MISSING));
        }
        return Ok((None, title.map(|title| WorkFile::new(unit.clone(), title))));
    };
    let work = WorkFile::read(&text).map_err(|fault| wrong(&path, &fault))?;
    if work.unit != *unit {
        return Err(unreadable(&path, format!("it says that it is `{}`", work.unit)));
    }
    Ok((Some(text), Some(work)))
}

/// A unit with its assignment.
#[derive(Debug, Default)]
pub(super) struct AssignedUnit {
    pub(super) text: Option<String>,
    pub(super) work: Option<WorkFile>,
    /// The agent that had it until another tool cleared it.
    freed: Option<Box<AssignmentFiles>>,
    /// The change by an agent that only others may make.
    put_back: Option<AssignmentPutBack>,
}

/// Reads a unit. With `takes_over`, another tool's removal of its assignment is adopted.
pub(super) fn read_unit(
    view: &View<'_>,
    (unit, title): (&UnitId, Option<&str>),
    takes_over: bool,
    now: Time,
) -> Result<AssignedUnit, EngineError> {
    let (text, mut work) = read_work(view, unit, title)?;
    let put_back = work.as_mut().map(|work| verdict::put_back(view, work)).transpose()?.flatten();
    let had = work.as_ref().filter(|work| match &work.work {
        WorkState::Hooked | WorkState::InProgress => takes_over,
        WorkState::Open | WorkState::Done | WorkState::Merged | WorkState::Other(_) => false,
    });
    let had = had.and_then(|work| Agent::parse(work.assignee.as_deref()?).ok());
    let Some(had) = had else { return Ok(AssignedUnit { text, work, freed: None, put_back }) };
    let seat = AssignmentFiles::load(view, &had, None, now)?;
    let is_its = seat.work.as_ref().is_some_and(|work| work.unit == *unit);
    if !seat.adopted || !is_its || seat.slice.slot() != Slot::Empty {
        return Ok(AssignedUnit { text, work, freed: None, put_back });
    }
    if let Some(work) = &mut work {
        (work.work, work.hook) = (seat.slice.work(), AssignmentStatus::Empty);
        work.assignee.take_if(|_| !seat.slice.work().is_done());
    }
    Ok(AssignedUnit { text, work, freed: Some(Box::new(seat)), put_back })
}

pub(super) fn read_ours<T: Stored + Default>(
    view: &View<'_>,
    path: &DocPath,
) -> Result<(Option<String>, T), EngineError> {
    let there = text(view, path)?;
    // Our own deleted document is read from the journal; the next change writes it again.
    let known = if there.is_none() { lost::text(view, path)? } else { None };
    let Some(text) = there.as_ref().or(known.as_ref()) else { return Ok((None, T::default())) };
    let file = StoredFile::parse_json(text).map_err(|fault| wrong(path, &fault))?;
    let value = T::lift(file.plain()).map_err(|bad| wrong(path, &file.fault(&bad)))?;
    Ok((there, value))
}

pub(super) fn write_ours(
    path: &DocPath,
    (text, before): &Kept,
    after: &Plain,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    if before == after {
        return Ok(());
    }
    let doc = path.clone();
    let Some(text) = text else {
        draft.edit(sprag_store::Edit::Write { doc, text: new_json_file(after) });
        return Ok(());
    };
    let file = StoredFile::parse_json(text).map_err(|fault| wrong(path, &fault))?;
    let splices = file.edit(before, after).map_err(|fault| wrong(path, &fault))?;
    draft.lay(doc, Laid::Changed(splices));
    Ok(())
}

/// Applies edits to a document that was read, or creates it.
pub(crate) fn put(
    path: &DocPath,
    old: Option<&str>,
    edits: &[Edit],
    draft: &mut Draft,
) -> Result<(), EngineError> {
    draft.lay(path.clone(), lay(old, edits).map_err(|fault| wrong(path, &fault))?);
    Ok(())
}

/// Reads a document. An unreadable document is an error and never counts as absent.
pub(crate) fn text(view: &View<'_>, path: &DocPath) -> Result<Option<String>, EngineError> {
    match view.read(path) {
        Doc::Absent => Ok(None),
        Doc::Text(text) => Ok(Some(text)),
        Doc::Unknown(why) => Err(unreadable(path, why.to_string())),
    }
}

pub(crate) fn unreadable(path: &DocPath, why: impl Into<String>) -> EngineError {
    EngineError::Unreadable { path: path.to_string(), why: why.into() }
}

pub(crate) fn wrong(path: &DocPath, fault: &Fault) -> EngineError {
    let at = format!("{}:{}", fault.place.line, fault.place.col);
    unreadable(path, format!("{at}: {}", fault.what))
}
