use sprag_core::event::RunStarted;
use sprag_core::plan::{LoopState, Plan, PlanMachine, Position, Stage};
use sprag_core::{Hash, Plain, Run, RunId};
use sprag_formats::plan::roadmap::is_same;
use sprag_formats::plan::state::{Counter, counter};
use sprag_store::View;

use super::docs::{self, PlanDocs, PlanTurn};
use super::lens::{assemble, define, digest, driver};
use crate::attach::{deadline, new_run};
use crate::draft::Draft;
use crate::edits::RunBaseline;
use crate::engine::kind::Kinds;
use crate::engine::{Engine, EngineError, PATIENT};
use crate::kinds::plan::{ENTRY, PlanRun};
use crate::now::Now;
use crate::run_file::{DefinitionOrigin, Header, RunFile, Source, Unusable};

impl Engine<'_> {
    /// Starts the plan of a phase, by default the current one. If it has an open run, that run
    /// continues.
    pub fn plan_start(&self, phase: Option<&str>) -> Result<RunId, EngineError> {
        let now = Now::new(self);
        self.commit("sprag", PATIENT, |view| {
            let (text, state) = docs::state(view)?;
            if let Some(run) = going_on((self.kinds, view), phase, state.as_ref())? {
                return Ok((Draft::default(), run));
            }
            let phase = phase_at_hand(view, phase, state.as_ref())?;
            let run = new_run(view)?;
            let held = begin(view, run.clone(), &phase, (text, state), &now)?;
            let mut draft = Draft::default();
            let path = format!("{}/plan.md", held.docs.folder);
            let judged_by = DefinitionOrigin { path, digest: held.docs.digest };
            let header = Header::new(Source::named(&ENTRY, &phase), judged_by, now.at);
            draft.note(Some(&run), RunStarted { phase: Some(phase), ..RunStarted::of("plan") });
            let file = RunFile::new(header, Box::new(held));
            RunBaseline::note(view, &now, &mut draft)?;
            draft.run(&file)?;
            Ok((draft, run))
        })
    }

    /// Returns the run that drives the loop here, if any.
    pub fn plan_run(&self) -> Result<Option<RunId>, EngineError> {
        self.look(|view| {
            let (_, state) = docs::state(view)?;
            going_on((self.kinds, view), None, state.as_ref())
        })
    }
}

/// Returns our run that owns the loop, if it is not over.
fn going_on(
    (kinds, view): (Kinds, &View<'_>),
    phase: Option<&str>,
    state: Option<&LoopState>,
) -> Result<Option<RunId>, EngineError> {
    let Some((state, run)) = state.and_then(|state| Some((state, driver(state)?))) else {
        return Ok(None);
    };
    let is_over = match RunFile::open(kinds, view, &run, None) {
        Ok(file) => file.live.is_cancelled(),
        Err(Unusable::Absent(_)) => true,
        // An unreadable run is not over.
        Err(_) => false,
    };
    if state.completed || is_over {
        return Ok(None);
    }
    let is_it = |phase| state.phase.as_deref().is_some_and(|known| is_same(known, phase));
    let same = phase.is_none_or(is_it);
    if same {
        return Ok(Some(run));
    }
    Err(EngineError::Refused {
        what: format!("phase {} is under way in {run}", state.phase.as_deref().unwrap_or("?")),
        help: format!("let it end, or `sprag cancel {run}`"),
    })
}

/// Returns the phase: the given one, the loop's, or the first without a summary.
pub(super) fn phase_at_hand(
    view: &View<'_>,
    phase: Option<&str>,
    state: Option<&LoopState>,
) -> Result<String, EngineError> {
    if let Some(phase) = phase {
        return Ok(phase.to_owned());
    }
    if let Some(phase) = state.filter(|state| !state.completed).and_then(|s| s.phase.clone()) {
        return Ok(phase);
    }
    for phase in docs::phases(view)? {
        let found = docs::find(view, &phase)?;
        if docs::read(view, &format!("{}/summary.md", found.folder))?.is_none() {
            return Ok(phase);
        }
    }
    let what = format!("there is no plan in `{}` that is not done", docs::PLANS);
    Err(EngineError::NotFound { what })
}

/// Creates the run of a plan, which takes over an unowned loop.
pub(super) fn begin(
    view: &View<'_>,
    run: RunId,
    phase: &str,
    (text, state): (Option<String>, Option<LoopState>),
    now: &Now<'_>,
) -> Result<PlanRun, EngineError> {
    if text.is_some() && state.is_none() && docs::is_of_gsd(view)? {
        return Err(EngineError::Refused {
            what: format!("`{}` is the one of GSD and has no `loop:`", docs::STATE),
            help: "give it a `loop:` key, and the loop is kept there".to_owned(),
        });
    }
    let read = state.unwrap_or_default();
    let ours = driver(&read).is_some();
    if read.active && !read.paused && !read.completed && !ours {
        return Err(EngineError::Refused {
            what: "a session drives the loop in `.gsd/STATE.md`".to_owned(),
            help: "let it end, or set `paused: true` there".to_owned(),
        });
    }
    let found = docs::find(view, phase)?;
    let definition = define(view, &found)?;
    let report = docs::read(view, &format!("{}/VERIFICATION.md", found.folder))?;
    // Our own counter may count tasks in any order.
    let counter = text.as_deref().filter(|_| !ours).and_then(counter);
    let position = position(&definition.plan, report.map(Hash::of), counter);
    let mut kernel = Run::new::<PlanMachine>(run, &definition, position);
    if let Some(wall) = definition.settings.max_wall_clock {
        kernel = kernel.until(deadline(now.at, std::time::Duration::from_millis(wall.into())));
    }
    let docs = PlanDocs {
        digest: digest(&found, &definition),
        folder: found.folder,
        own: Plain::Null,
        drifted: None,
        turn: PlanTurn::new(None, text.as_deref()),
        state: text,
        read,
        base: LoopState::default(),
        roadmap: docs::read(view, docs::ROADMAP)?,
        stage: Stage::Execute,
        done: 0,
        at: now.at,
        elsewhere: false,
    };
    Ok(assemble(definition, kernel, docs))
}

/// Returns where a plan starts: after the first tasks, if a counter of the original is about this
/// plan.
fn position(plan: &Plan, report: Option<Hash>, counter: Option<Counter>) -> Position {
    let is_this =
        |counter: &Counter| is_same(&counter.phase, &plan.phase) && counter.all == plan.tasks.len();
    let done = counter.filter(is_this).map_or(0, |counter| counter.done);
    Position::new(report).counted(plan, done)
}
