//! The run of an assignment that a driver works on: one unit, judged by the project's own gates,
//! those of `guard:`.
//!
//! Its id is made of the unit, the fence of the assignment and the project's own suffix. So each
//! assignment has exactly one run, even if drivers are killed and restarted. An agent that loses
//! the assignment loses the run too. And no other project has a run with this id whose agents could
//! pass for ours. The configuration at the beginning is stored beside the run: an agent that
//! changes the gates changes nothing for itself.

use std::time::Duration;

use sprag_core::event::RunStarted;
use sprag_core::guard::{Guard, Position};
use sprag_core::{Facts, Hash, Hold, Run, RunId, Signal, UnitId};
use sprag_formats::GuardConfig;
use sprag_store::{Edit, View};

use super::guard::{BASE, GuardRun, NO_TREE, definition, guarding};
use crate::agents_file::inbox_settings;
use crate::attach::{WALL, deadline};
use crate::config;
use crate::draft::Draft;
use crate::drive::{ACTOR, begin_driven};
use crate::engine::kind::{AnyRun, Entry, Info, Reading, check_kernel};
use crate::engine::{Engine, EngineError, PATIENT};
use crate::inbox::{self, Pulled};
use crate::now::Now;
use crate::open_run::OpenRun;
use crate::run_file::runs;
use crate::run_file::{DefinitionOrigin, Header, RunFile, Source};
use crate::snapshot::{ConfigSnapshot, protected};
use crate::unusable::Unusable;

pub const INFO: Info = Info {
    word: "assignment",
    is_assigned: true,
    has_config: true,
    is_guarded: true,
    called: "the units of work that are assigned or open",
    one_session: true,
    ..BASE
};

pub static ENTRY: Entry = Entry { info: &INFO, open, check: check_kernel::<Position> };

fn open(file: &Reading<'_>) -> Result<AnyRun, Unusable> {
    Ok(Box::new(working(file.guard, file.kernel()?)))
}

/// Combines the project's gates with the run of an assignment.
fn working(guard: Option<&GuardConfig>, run: Run<Position>) -> GuardRun {
    let gates = guard.map_or(&[][..], |guard| &guard.gates);
    let mut held = guarding(&INFO, gates, guard.and_then(|guard| guard.retry), run);
    if let Some((_, unit)) = held.run.subject() {
        held.definition = held.definition.once(unit.clone());
    }
    held
}

impl Engine<'_> {
    /// Starts the run of an assignment, or resumes an interrupted one. Runs of the unit's earlier
    /// assignments end: their holders have lost it.
    pub fn start_assignment(&self, pulled: &Pulled) -> Result<RunId, EngineError> {
        let now = Now::new(self);
        self.commit(ACTOR, PATIENT, |view| {
            let id = inbox::named(view, &pulled.unit, pulled.fence)?;
            let mut draft = Draft::default();
            match OpenRun::open(self.kinds, view, &id) {
                Ok(mut case) => go_on(view, &mut case, &now, &mut draft)?,
                Err(EngineError::Run(Unusable::Absent(_))) => {
                    end_earlier(view, &pulled.unit, &now, &mut draft)?;
                    begin(view, &id, pulled, &now, &mut draft)?;
                }
                Err(other) => return Err(other),
            }
            Ok((draft, id))
        })
    }
}

/// Resumes a run whose driver was interrupted; the new driver implies consent.
fn go_on(
    view: &View<'_>,
    case: &mut OpenRun,
    now: &Now<'_>,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    if case.run.live.standing_hold(now.at) != Some(Hold::Interrupted) {
        return Ok(());
    }
    let facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
    draft.tell(&case.run.id().clone(), case.run.live.step(&Signal::Resume, &facts)?);
    draft.run(&case.run)
}

/// Ends the runs of a unit's earlier assignments.
fn end_earlier(
    view: &View<'_>,
    unit: &UnitId,
    now: &Now<'_>,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let prefix = inbox::shared_prefix(unit);
    for id in runs(view)?.into_iter().filter(|id| id.as_str().starts_with(&prefix)) {
        let Ok(mut file) = RunFile::open(now.engine.kinds, view, &id, None) else { continue };
        let held = file.live.of::<GuardRun>();
        let subject = held.and_then(|held| held.run.subject());
        let is_of_unit = subject.is_some_and(|(_, known)| known == unit);
        if is_of_unit && file.header.ended.is_none() {
            let facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
            draft.tell(&file.id().clone(), file.live.step(&Signal::Cancel, &facts)?);
            file.header.ended = Some(now.at);
            file.header.notified = true;
            draft.run(&file)?;
        }
    }
    Ok(())
}

fn begin(
    view: &View<'_>,
    id: &RunId,
    pulled: &Pulled,
    now: &Now<'_>,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let (law, text) = ConfigSnapshot::of_new(view, now)?;
    let guard = law.config.guard.as_ref();
    let gates = guard.map_or(&[][..], |guard| &guard.gates);
    let judged = definition(gates, guard.and_then(|guard| guard.retry));
    let position = Position::new(Hash::of(NO_TREE), &[]);
    let wall: Duration = law.config.limits.wall.unwrap_or(WALL);
    let run = Run::new::<Guard>(id.clone(), &judged, position)
        .on(inbox::run()?, pulled.unit.clone())
        .until(deadline(now.at, wall));
    let path = config::path()?.to_string();
    let mut header =
        Header::new(Source::of(&ENTRY), DefinitionOrigin { path, digest: law.digest }, now.at);
    header.task = Some(inbox::told(view, pulled, now.at)?);
    header.protected = protected(now, gates)?;
    let (unit, agent) = (Some(pulled.unit.to_string()), Some(pulled.agent.to_string()));
    draft.note(Some(id), RunStarted { unit, agent, ..RunStarted::of("assignment") });
    if let Some(text) = text {
        draft.edit(Edit::Write { doc: config::copy_path(id)?, text });
    }
    let mut file = RunFile::new(header, Box::new(working(guard, run)));
    // It has the settings of the inbox driver, also if it is resumed alone.
    let how = inbox_settings(view)?.how.unwrap_or_default();
    begin_driven(&mut file, &how, now, view, draft)?;
    draft.run(&file)
}
