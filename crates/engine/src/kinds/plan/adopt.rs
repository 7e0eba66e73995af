//! Adopts the loop of `STATE.md` when a session stops: decides whose loop it is, and since when.

use std::cell::OnceCell;
use std::path::Path;

use sprag_core::event::RunStarted;
use sprag_core::plan::{
    ASKED, Awaiting, CHECKPOINT, Effective, Holding, InSession, LIMITED, LoopKind, LoopState, Mode,
    Report, ReportResult, Settings, Stand, Unowned, literal_question, stands,
};
use sprag_core::{DocPath, Facts, Hash, Hold, Run, RunId, SessionId, Signal, Time};
use sprag_store::View;

use super::docs::{self, is_session};
use super::turn::LoopTurn;
use crate::attach::{HookEnv, claim, deadline, new_run};
use crate::draft::Draft;
use crate::engine::kind::Moment;
use crate::engine::{Engine, EngineError, PATIENT};
use crate::kinds::plan::in_session::{ENTRY, LoopRun};
use crate::now::Now;
use crate::run_file::{DefinitionOrigin, Header, RunFile, Source};
use crate::session;
use crate::snapshot::Snapshot;

impl Engine<'_> {
    /// Makes the loop in `STATE.md` a run of this session, if it has no other owner and is not
    /// over.
    pub(crate) fn adopt(
        &self,
        view: &View<'_>,
        sitting: &mut Snapshot,
        told: HookEnv<'_>,
        (now, name): (&Now<'_>, &OnceCell<RunId>),
        draft: &mut Draft,
    ) -> Result<(), EngineError> {
        // Most projects have no loop, and this check is all it costs them.
        if self.place.root.join(docs::FOLDER).symlink_metadata().is_err() {
            return Ok(());
        }
        if sitting.runs.iter().any(|run| run.live.of::<LoopRun>().is_some()) {
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
        let id = if let Some(id) = name.get() {
            id.clone()
        } else {
            let id = new_run(view)?;
            name.get_or_init(|| id).clone()
        };
        let definition = Holding { settings, ..Holding::default() };
        let mut run = Run::new::<InSession>(id.clone(), &definition, state.clone());
        if let Some(wall) = definition.settings.max_wall_clock {
            run = run.until(deadline(now.at, std::time::Duration::from_millis(wall.into())));
        }
        let (specs, read, at) = (Vec::new(), state, now.at);
        let (turn, elsewhere) = (LoopTurn::begun(text.as_deref()), false);
        let held = LoopRun { definition, specs, run, state: text, read, elsewhere, turn, at };
        take(view, sitting, held, now, draft);
        Ok(())
    }

    /// Returns whether an active loop is this session's: its own, or unowned while this is the only
    /// live session.
    fn is_this_sessions(
        &self,
        view: &View<'_>,
        sitting: &mut Snapshot,
        state: &LoopState,
        settings: &Settings,
        told: HookEnv<'_>,
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
                sitting.trouble.push(format!("the loop in `{}` has no owner", docs::STATE));
                Ok(false)
            }
            (None, Unowned::Claim) => Ok(told.named || self.is_alone(view, sitting, now)?),
        }
    }
}

impl Engine<'_> {
    /// Records that a turn ended because the model was unavailable. The session's loop waits for
    /// the end of a usage limit, or for a person after any other error.
    pub fn stop_failed(&self, id: &SessionId, error: &str) -> Result<(), EngineError> {
        let now = Now::new(self);
        self.commit(id.as_str(), PATIENT, |view| {
            let mut draft = Draft::default();
            let mut sitting = Snapshot::load(view, id, &now)?;
            let name = OnceCell::new();
            self.adopt(view, &mut sitting, HookEnv::default(), (&now, &name), &mut draft)?;
            let facts = Facts::new(now.at, view.seq(), sitting.file.tree);
            let signal = if LIMITS.contains(&error) {
                Signal::Verb { verb: LIMITED.to_owned() }
            } else {
                let why = format!("the model cannot be reached: {error}");
                Signal::Pause { hold: Hold::Blocked { why } }
            };
            let mut changed = false;
            for run in &mut sitting.runs {
                let Some(held) = run.live.of_mut::<LoopRun>() else { continue };
                held.weigh();
                if held.run.position().active {
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

/// The error codes of hosts for temporary conditions.
const LIMITS: [&str; 2] = ["rate_limit", "overloaded"];

impl Engine<'_> {
    /// Updates a session's loops at a prompt: the prompt answers the agent's question, and fields
    /// that were set during the agent's turn are restored.
    pub(crate) fn loops_prompted(
        &self,
        view: &View<'_>,
        sitting: &mut Snapshot,
        words: &str,
        now: &Now<'_>,
        draft: &mut Draft,
    ) -> Result<(), EngineError> {
        let facts = Facts::new(now.at, view.seq(), sitting.file.tree);
        for run in &mut sitting.runs {
            let Some(held) = run.live.of_mut::<LoopRun>() else { continue };
            if held.is_open() && !self.is_persons(&sitting.id, now)? {
                held.weigh();
                sitting.trouble.extend(held.turn_news());
            } else {
                held.take();
                held.spend_report(report(view, self, held).map(|(_, stamp)| stamp));
            }
            held.set_open(true);
            let asked = held.definition.question.take().is_some();
            let waits = match held.run.position().awaiting {
                Some(Awaiting::RateLimit) => true,
                Some(Awaiting::User | Awaiting::Checkpoint) => asked,
                None => false,
            };
            if waits {
                let answered = Signal::Answered { text: words.to_owned() };
                draft.tell(&run.id().clone(), run.live.step(&answered, &facts)?);
            }
        }
        Ok(())
    }

    /// Returns whether `STATE.md` changed after the last sign of a session's host although its turn
    /// never ended: a person interrupted the agent and then edited it.
    fn is_persons(&self, id: &SessionId, now: &Now<'_>) -> Result<bool, EngineError> {
        let files = self.store.seen(&DocPath::parse(session::FOLDER)?)?.into_iter().collect();
        let Some(seen) = session::among(&files, id) else { return Ok(false) };
        let Some(changed) = changed_at(&self.place.root.join(docs::STATE)) else {
            return Ok(false);
        };
        Ok(changed > *seen && changed <= now.at)
    }
}

fn changed_at(path: &Path) -> Option<Time> {
    let changed = path.symlink_metadata().ok()?.modified().ok()?;
    let since = changed.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some(Time::from_millis(i64::try_from(since.as_millis()).ok()?))
}

/// Returns the verification report of a loop's phase, with a hash that identifies it: a new report
/// with the same text gets another hash.
fn report(
    view: &View<'_>,
    engine: &Engine<'_>,
    held: &LoopRun,
) -> Option<(sprag_core::plan::Verification, Hash)> {
    let found = docs::find(view, held.run.position().phase.as_deref()?).ok()?;
    let name = format!("{}/VERIFICATION.md", found.folder);
    let text = docs::read(view, &name).ok()??;
    let at = changed_at(&engine.place.root.join(&name)).map(Time::as_millis);
    let stamp = Hash::of(format!("{at:?} {text}"));
    Some((sprag_formats::plan::verification::read(&text), stamp))
}

/// What an agent's stop means for its loop.
enum Means {
    /// The loop continues.
    Nothing,
    /// The agent claims that the loop is over; the checks decide.
    Over,
    /// A person must answer first.
    Asks { verb: &'static str, what: String },
}

impl Means {
    /// Derives it from the agent's last message and from `STATE.md`.
    fn of(held: &LoopRun, said: Option<&str>) -> Self {
        let said = said.unwrap_or_default();
        let report = Report::read(said);
        if report.result == ReportResult::Checkpoint {
            return Self::Asks { verb: CHECKPOINT, what: report.reason };
        }
        let asks = held.definition.settings.mode == Mode::Interactive;
        if let Some(what) = literal_question(said).filter(|_| asks) {
            return Self::Asks { verb: ASKED, what: what.to_owned() };
        }
        match report.result {
            ReportResult::Complete | ReportResult::PhaseComplete => Self::Over,
            ReportResult::Failed
            | ReportResult::Checkpoint
            | ReportResult::GapClosed
            | ReportResult::GapFailed => {
                if held.turn.is_claimed {
                    Self::Over
                } else {
                    Self::Nothing
                }
            }
        }
    }
}

/// Processes the agent's last message and its changes to `STATE.md`: that a loop is over is a claim
/// for the plan's checks to decide, and a question goes to a person.
///
/// Returns the signal for the loop, if there is one.
pub(crate) fn hear(
    held: &mut LoopRun,
    (view, now): (&View<'_>, &dyn Moment),
    checks: sprag_formats::Checks,
    said: Option<&str>,
) -> Result<Option<Signal>, EngineError> {
    held.begin_turn();
    held.weigh();
    match Means::of(held, said) {
        Means::Over => judge((view, now), held, checks)?,
        Means::Asks { verb, what } if is_going(held) => {
            held.definition.question = Some(what);
            return Ok(Some(Signal::Verb { verb: verb.to_owned() }));
        }
        Means::Asks { .. } | Means::Nothing => {}
    }
    Ok(None)
}

/// Returns whether a loop holds its session.
fn is_going(held: &LoopRun) -> bool {
    let state = held.run.position();
    state.active && !state.paused && !state.completed && state.awaiting.is_none()
}

/// Sets up the plan's checks to decide whether a loop is over. A verifying loop also needs a report
/// without gaps, and each report counts only once.
fn judge(
    (view, now): (&View<'_>, &dyn Moment),
    held: &mut LoopRun,
    checks: sprag_formats::Checks,
) -> Result<(), EngineError> {
    if held.run.position().kind == LoopKind::Verify {
        let told = report(view, now.engine(), held).filter(|(_, stamp)| held.is_new_report(*stamp));
        let Some((told, stamp)) = told else { return Ok(()) };
        held.spend_report(Some(stamp));
        if told.effective() != Effective::Passed {
            return Ok(());
        }
    }
    // Without a plan nothing could confirm it.
    let phase = held.run.position().phase.as_deref();
    let Some(found) = phase.and_then(|phase| docs::find(view, phase).ok()) else { return Ok(()) };
    let mut judged = super::lens::define(view, &found)?;
    super::drive::decide_checks(&mut judged, checks, now)?;
    held.specs = super::lens::specs(&judged);
    held.definition.gates = judged.gates();
    held.definition.claims = judged.claims();
    Ok(())
}

fn take(view: &View<'_>, sitting: &mut Snapshot, held: LoopRun, now: &Now<'_>, draft: &mut Draft) {
    let id = held.run.id().clone();
    let judged_by = DefinitionOrigin { path: docs::STATE.to_owned(), digest: digest(&held.read) };
    let header = Header::new(Source::of(&ENTRY), judged_by, now.at);
    let session = Some(sitting.id.to_string());
    draft.note(Some(&id), RunStarted { session, ..RunStarted::of("loop") });
    let mut file = RunFile::new(header, Box::new(held));
    let facts = Facts::new(now.at, view.seq(), sitting.file.tree);
    claim(&mut file, &sitting.id, &facts, draft);
    sitting.file.runs.push(id);
    sitting.runs.insert(0, file);
}

/// Returns the identity of a loop: its phase and start.
fn digest(state: &LoopState) -> Hash {
    let phase = state.phase.as_deref().unwrap_or_default();
    Hash::of(format!("{phase}\0{}", state.started.as_deref().unwrap_or_default()))
}
