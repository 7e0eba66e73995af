//! Drives a run of a milestone tree from outside: dispatches a unit and ends it, each in one
//! commit.
//!
//! A driver may be killed at any point and restarted: an open attempt is handed out again under the
//! same fence, and nothing is charged twice.

use std::path::Path;

use sprag_core::event::RunStarted;
use sprag_core::gsd::{self, DispatchOutcome, Gsd, Position, dispatch, nothing_skipped};
use sprag_core::{DocPath, Fence, Hold, Run, RunId, SessionId, Signal, Unit};
use sprag_store::{Edit, Listing, View};

use super::documents::Documents;
use super::{GsdRun, PREFERENCES, person_path, read};
use crate::attach::{Unclaimed, WALL, deadline, hand_over, new_run};
use crate::draft::Draft;
use crate::drive::{Coming, ahead};
use crate::edits::RunBaseline;
use crate::engine::kind::Kinds;
use crate::engine::{Engine, EngineError, PATIENT};
use crate::gsd::{Era, NoTree};
use crate::judge::tx::Tx;
use crate::judge::{Known, Progress, Within};
use crate::kinds;
use crate::now::Now;
use crate::open_run::OpenRun;
use crate::run_file::runs;
use crate::run_file::{DefinitionOrigin, Header, RunFile, Source, Unusable};
use crate::snapshot::ConfigSnapshot;
use crate::start::Begun;

/// What a driver does next.
#[derive(Clone, Debug, PartialEq)]
pub enum Dispatch {
    /// Work on this attempt, which was begun now or before.
    Begun {
        fence: Fence,
        unit: Box<Unit>,
        prompt: String,
    },
    /// A person has to act.
    Held(Hold),
    /// Another session works on it, or it waits.
    Wait(String),
    Done,
}

impl Engine<'_> {
    /// Returns the run of this project's milestone tree, or creates it for the given session or the
    /// next one that begins.
    pub fn milestones(&self, session: Option<&SessionId>) -> Result<RunId, EngineError> {
        let now = Now::new(self);
        let actor = session.map_or("person", SessionId::as_str);
        let person = self.person_preferences();
        self.commit(actor, PATIENT, |view| {
            let mut draft = Draft::default();
            if let Some(run) = of_tree(self.kinds, view)? {
                if let Some(session) = session {
                    take_up(view, &run, session, &now, &mut draft)?;
                }
                return Ok((draft, run));
            }
            let (law, _) = ConfigSnapshot::of(view, None)?;
            may_write(view, law.config.writes_gsd)?;
            let read = read(view, person.as_deref(), &[])?;
            has_tree(view, &read.definition)?;
            let id = new_run(view)?;
            if let Some(text) = person.clone() {
                draft.edit(Edit::Write { doc: person_path(id.as_str())?, text });
            }
            let wall = law.config.limits.wall.unwrap_or(WALL);
            let start = Position::start(&read.definition);
            let run = Run::new::<Gsd>(id.clone(), &read.definition, start);
            let run = run.until(deadline(now.at, wall));
            let recorded = DefinitionOrigin { path: PREFERENCES.to_owned(), digest: read.digest };
            let header = Header::new(Source::of(&kinds::milestones::ENTRY), recorded, now.at);
            let live = Box::new(GsdRun::new(read, run, view));
            draft.note(Some(&id), RunStarted::of("gsd"));
            let mut file = RunFile::new(header, live);
            RunBaseline::note(view, &now, &mut draft)?;
            hand_over(view, &mut file, session, &now, &mut draft)?;
            draft.run(&file)?;
            Ok((draft, id))
        })
    }

    /// Starts the run of the project's milestone tree, and begins its first unit if there is a
    /// session.
    pub(crate) fn start_tree(&self, session: Option<&SessionId>) -> Result<Begun, EngineError> {
        let run = self.milestones(session)?;
        let message = match session {
            None => "What comes next: `sprag next gsd`".to_owned(),
            Some(session) => match self.dispatch(&run, session.as_str())? {
                Dispatch::Begun { prompt, .. } => prompt,
                Dispatch::Held(hold) => format!("It is held: {hold}"),
                Dispatch::Wait(on) => format!("It waits: {on}"),
                Dispatch::Done => "Nothing is left to do.".to_owned(),
            },
        };
        let workflow = "milestone tree".to_owned();
        Ok(Begun { run, workflow, message, driven: session.is_some() })
    }

    pub(super) fn person_preferences(&self) -> Option<String> {
        let home = self.environment.iter().find(|(name, _)| name == "HOME");
        let home = home.map(|(_, value)| Path::new(value)).filter(|home| home.is_absolute());
        home.and_then(crate::gsd::preferences)
    }

    /// Begins the next unit of a run, unless one is open.
    pub fn dispatch(&self, run: &RunId, actor: &str) -> Result<Dispatch, EngineError> {
        self.settle(actor, Within::Caller, &mut |tx: &mut Tx<'_>, _: &Known| {
            let mut case = OpenRun::open(self.kinds, tx.view, run)?;
            let progress = begin(tx, &mut case)?;
            tx.run(&case.run)?;
            Ok(progress)
        })
    }
}

/// Gives an existing run to a session, unless another session drives it.
fn take_up(
    view: &View<'_>,
    run: &RunId,
    session: &SessionId,
    now: &Now<'_>,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let mut file = RunFile::open(now.engine.kinds, view, run, None)?;
    match file.live.owner() {
        Some(owner) if owner == session => return Ok(()),
        Some(owner) => {
            return Err(EngineError::Refused {
                what: format!("{run} drives this tree already, in {owner}"),
                help: format!("`sprag resume {run}` frees it, for a person"),
            });
        }
        None => {}
    }
    hand_over(view, &mut file, Some(session), now, draft)?;
    let mut unclaimed = Unclaimed::read(view)?;
    unclaimed.runs.retain(|known| known != run);
    draft.edit(unclaimed.edit()?);
    draft.run(&file)
}

/// Returns the open run of the tree.
pub(super) fn of_tree(kinds: Kinds, view: &View<'_>) -> Result<Option<RunId>, EngineError> {
    for id in runs(view)? {
        let file = match RunFile::open(kinds, view, &id, None) {
            Ok(file) => file,
            Err(Unusable::Absent(_)) => continue,
            // The unreadable run may be the one.
            Err(error) => return Err(error.into()),
        };
        if file.live.of::<GsdRun>().is_some() && file.header.ended.is_none() {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// Refuses if GSD uses a database, unless a person chose Markdown.
fn may_write(view: &View<'_>, writes: bool) -> Result<(), EngineError> {
    let folder = DocPath::parse(".gsd")?;
    let has_database = match view.list(&folder) {
        Listing::Names(names) => names.iter().any(|name| name == "gsd.db"),
        Listing::Absent | Listing::Unknown(_) => false,
    };
    if has_database && !writes {
        return Err(EngineError::Refused {
            what: "`.gsd/gsd.db` is what GSD goes by, and sprag writes only the Markdown beside it"
                .to_owned(),
            help: "`gsd: {write: markdown}` in `.sprag/config.yaml` lets it".to_owned(),
        });
    }
    Ok(())
}

/// Refuses to begin without any GSD work.
fn has_tree(view: &View<'_>, read: &gsd::Definition) -> Result<(), EngineError> {
    if Era::of(&Documents(view)) == Era::Flat {
        let path = ".gsd/phases".to_owned();
        let why = format!("{}; `sprag run \"TASK\" --until CMD` needs no tree", NoTree::Flat);
        return Err(EngineError::Unreadable { path, why });
    }
    let (tree, state) = (&read.tree, &read.state);
    // Deep planning has units before there is a milestone. An unreadable tree never counts as
    // empty.
    let is_empty = tree.milestones.is_empty() && tree.unreadable.is_empty();
    let decision = dispatch(tree, state, &nothing_skipped).decision;
    if is_empty && matches!(decision, DispatchOutcome::Stop { .. }) {
        let what = "there are no milestones in `.gsd/milestones`: `/gsd` in your agent makes one";
        return Err(EngineError::NotFound { what: what.to_owned() });
    }
    Ok(())
}

/// Returns the open unit, or begins the next one.
fn begin(tx: &mut Tx<'_>, case: &mut OpenRun) -> Result<Progress<Dispatch>, EngineError> {
    let facts = tx.facts()?;
    let fence = Fence(facts.seq);
    if let Some(hold) = case.run.live.standing_hold(facts.now) {
        return Ok(Progress::Done(Dispatch::Held(hold)));
    }
    if let Some(attempt) = case.run.live.attempts().first() {
        let fence = attempt.fence();
        if let Some(hold) = attempt.hold() {
            return Ok(Progress::Done(Dispatch::Held(hold.clone())));
        }
        if let Some(unit) = case.run.live.unit(facts) {
            let prompt = case.run.live.prompt(&unit, facts).text;
            return Ok(Progress::Done(Dispatch::Begun { fence, unit: Box::new(unit), prompt }));
        }
    }
    let unit = match ahead(tx, case)? {
        Ok(unit) => unit,
        Err(Progress::Done(Coming::Held(hold))) => return Ok(Progress::Done(Dispatch::Held(hold))),
        Err(Progress::Done(Coming::Wait { on, .. })) => {
            return Ok(Progress::Done(Dispatch::Wait(on)));
        }
        Err(
            Progress::Done(Coming::Begun(_) | Coming::Done | Coming::Cancelled)
            | Progress::Looked(_),
        ) => {
            return Ok(Progress::Done(Dispatch::Done));
        }
        Err(Progress::Again) => return Ok(Progress::Again),
        Err(Progress::Needs(needs)) => return Ok(Progress::Needs(needs)),
    };
    let prompt = case.run.live.prompt(&unit, tx.facts()?).text;
    let session = case.run.live.owner().cloned();
    let begin = Signal::Begin { unit: unit.id.clone(), agent: None, session };
    let id: RunId = case.run.id().clone();
    let events = case.run.live.step_reading(tx.view, &begin, tx.facts()?)?;
    tx.tell(&id, events);
    Ok(Progress::Done(Dispatch::Begun { fence, unit: Box::new(unit), prompt }))
}
