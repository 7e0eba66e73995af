//! A session that stops in a project with a loop under way: whose loop it is, and since when.

use sprag_core::event::RunStarted;
use sprag_core::plan::{
    Awaiting, Holding, InSession, LIMITED, LoopState, Report, ReportResult, Settings, Stand,
    Unowned, stands,
};
use sprag_core::{Facts, Hash, Hold, Run, SessionId, Signal};
use sprag_store::View;

use super::docs::{self, is_session};
use crate::engine::{Engine, EngineError, PATIENT};
use crate::live::{Live, LoopRun};
use crate::run_file::{Definition, Header, RunFile, Source};
use crate::sitting::{Now, Sitting};
use crate::tx::Draft;
use crate::whose::{Told, claim, deadline, new_run};

impl Engine<'_> {
    /// Makes the loop in `STATE.md` a run of this session, where it is one: it has no other owner,
    /// and is not over.
    pub(crate) fn adopt(
        &self,
        view: &View<'_>,
        sitting: &mut Sitting,
        told: Told<'_>,
        now: &Now<'_>,
        draft: &mut Draft,
    ) -> Result<(), EngineError> {
        // Most projects have none; that costs this one look.
        if self.place.root.join(docs::FOLDER).symlink_metadata().is_err() {
            return Ok(());
        }
        if sitting.runs.iter().any(|run| matches!(run.live, Live::Loop(_))) {
            return Ok(());
        }
        let (text, state) = match docs::state(view) {
            Ok(found) => found,
            Err(error) => {
                sitting.trouble.push(error.to_string());
                return Ok(());
            }
        };
        let Some(state) = state else { return Ok(()) };
        let settings = docs::settings(view)?;
        if !self.is_this_sessions(view, sitting, &state, &settings, told, now)? {
            return Ok(());
        }
        let id = new_run(view)?;
        let definition = Holding { settings, ..Holding::default() };
        let mut run = Run::new::<InSession>(id.clone(), &definition, state.clone());
        if let Some(wall) = definition.settings.max_wall_clock {
            run = run.until(deadline(now.at, std::time::Duration::from_millis(wall.into())));
        }
        let (specs, read, at) = (Vec::new(), state, now.at);
        let held = LoopRun { definition, specs, run, state: text, read, elsewhere: false, at };
        take(view, sitting, held, now, draft);
        Ok(())
    }

    /// Returns whether a loop that goes on is this session's: its own, or nobody's and the session
    /// is the only one there is.
    fn is_this_sessions(
        &self,
        view: &View<'_>,
        sitting: &mut Sitting,
        state: &LoopState,
        settings: &Settings,
        told: Told<'_>,
        now: &Now<'_>,
    ) -> Result<bool, EngineError> {
        let owner = state.session_id.as_deref();
        let own = owner.filter(|id| is_session(id, &sitting.id));
        match stands(state, own.unwrap_or_default(), now.at) {
            Stand::Completed
            | Stand::Paused
            | Stand::Inactive
            | Stand::Foreign
            | Stand::Awaiting => return Ok(false),
            Stand::MaxReached | Stand::Active => {}
        }
        match (own, settings.unowned) {
            (Some(_), _) => Ok(true),
            (None, Unowned::Ignore) => {
                sitting.trouble.push(format!("nobody owns the loop in `{}`", docs::STATE));
                Ok(false)
            }
            (None, Unowned::Claim) => Ok(told.named || self.is_alone(view, sitting, now)?),
        }
    }
}

impl Engine<'_> {
    /// Takes note that a turn ended because the model could not be reached: a loop that its session
    /// drives waits for the end of a limit, and for a person where it is something else.
    pub fn stop_failed(&self, id: &SessionId, error: &str) -> Result<(), EngineError> {
        let now = Now::new(self);
        self.commit(id.as_str(), PATIENT, |view| {
            let mut draft = Draft::default();
            let mut sitting = Sitting::load(view, id, &now)?;
            self.adopt(view, &mut sitting, Told::default(), &now, &mut draft)?;
            let facts = Facts::new(now.at, view.seq(), sitting.file.tree);
            let signal = if LIMITS.contains(&error) {
                Signal::Do { verb: LIMITED.to_owned() }
            } else {
                let why = format!("the model cannot be reached: {error}");
                Signal::Pause { hold: Hold::Blocked { why } }
            };
            let mut changed = false;
            for run in &mut sitting.runs {
                let goes_on = |held: &LoopRun| held.run.position().active;
                if matches!(&run.live, Live::Loop(held) if goes_on(held)) {
                    let events = run.live.step(&signal, &facts)?;
                    draft.tell(&run.id().clone(), events);
                    changed = true;
                }
            }
            if !changed {
                return Ok((Draft::default(), ()));
            }
            sitting.save(&mut draft)?;
            Ok((draft, ()))
        })
    }
}

/// What hosts say of a model that will be there again by itself.
const LIMITS: [&str; 2] = ["rate_limit", "overloaded"];

/// Lets a loop go on that waited for its model: the person speaks to the session again.
pub(crate) fn reached(
    run: &mut RunFile,
    facts: &Facts,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let Live::Loop(held) = &run.live else { return Ok(()) };
    if held.run.position().awaiting == Some(Awaiting::RateLimit) {
        let answered = Signal::Answered { text: String::new() };
        draft.tell(&run.id().clone(), run.live.step(&answered, facts)?);
    }
    Ok(())
}

/// Takes note of what the agent said last: that a loop is over is a claim, and the checks of its
/// plan decide.
pub(crate) fn hear(
    view: &View<'_>,
    sitting: &mut Sitting,
    said: Option<&str>,
    now: &Now<'_>,
) -> Result<(), EngineError> {
    let is_over = |said: &str| match Report::read(said).result {
        ReportResult::Complete | ReportResult::PhaseComplete => true,
        ReportResult::Failed
        | ReportResult::Checkpoint
        | ReportResult::GapClosed
        | ReportResult::GapFailed => false,
    };
    let checks = sitting.law.config.checks;
    for run in &mut sitting.runs {
        let Live::Loop(held) = &mut run.live else { continue };
        if !said.is_some_and(is_over) {
            continue;
        }
        // Without a plan there is nothing that could confirm it.
        let Some(found) = held.read.phase.as_deref().and_then(|phase| docs::find(view, phase).ok())
        else {
            continue;
        };
        let mut judged = super::lens::define(view, &found)?;
        super::drive::decide_checks(&mut judged, checks, now)?;
        held.specs = super::lens::specs(&judged);
        held.definition.gates = judged.gates();
        held.definition.claims = judged.claims();
    }
    Ok(())
}

/// Makes a loop a run of this session.
fn take(view: &View<'_>, sitting: &mut Sitting, held: LoopRun, now: &Now<'_>, draft: &mut Draft) {
    let id = held.run.id().clone();
    let judged_by = Definition { path: docs::STATE.to_owned(), digest: digest(&held.read) };
    let header = Header::new(Source::Loop, judged_by, now.at);
    let session = Some(sitting.id.to_string());
    draft.note(Some(&id), RunStarted { session, ..RunStarted::of("loop") });
    let mut file = RunFile::new(header, Live::Loop(Box::new(held)));
    let facts = Facts::new(now.at, view.seq(), sitting.file.tree);
    claim(&mut file, &sitting.id, &facts, draft);
    sitting.file.runs.push(id);
    sitting.runs.insert(0, file);
}

/// Returns what tells one loop from another: its phase and when it began.
fn digest(state: &LoopState) -> Hash {
    let phase = state.phase.as_deref().unwrap_or_default();
    Hash::of(format!("{phase}\0{}", state.started.as_deref().unwrap_or_default()))
}
