//! A loop that an agent drives itself, in its own session, by the commands of opti-gsd.
//!
//! `STATE.md` is the whole position: the agent counts there, and sprag holds its session until the
//! document says that the loop is over, paused or waiting. Nothing is charged here, because the
//! agent counts itself.

use super::shown::{line, out_of_rounds, stand};
use super::{Awaiting, LoopKind, LoopState, Settings};
use crate::{
    Closes, Denied, Facts, Fields, Gate, Hash, Hold, KernelDecision, Machine, Move, Name, Next,
    Plain, Prompt, Rank, Run, Seq, Stored, Time, Unit, UnitId, Unreadable, next,
};

/// The machine of a loop that an agent drives in its session.
#[derive(Clone, Copy, Debug)]
pub struct InSession;

/// The settings and gates of such a loop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holding {
    pub settings: Settings,
    /// The gates that must pass when the agent says that the loop is over; without gates, the
    /// agent's word is a mere claim.
    pub gates: Vec<Gate>,
    /// The plan's further checks: they are the agent's claims.
    pub claims: Vec<String>,
    /// The agent's open question to a person.
    pub question: Option<String>,
}

/// The bound that is reported when the iterations run out.
const ITERATION: Name = Name::literal("iteration");
/// The verb for a model that is temporarily unavailable.
pub const LIMITED: &str = "limited";
/// The verb for a decision that the agent needs from a person.
pub const CHECKPOINT: &str = "checkpoint";
/// The verb for one of the literal questions of interactive mode.
pub const ASKED: &str = "asked";
/// The one unit of a loop in a session.
const LOOP: UnitId = UnitId::literal("loop");

/// Returns the message of a refused stop, verbatim from the original.
pub fn refusal(state: &LoopState) -> String {
    let (number, max) = (state.iteration.saturating_add(1), state.max_iterations);
    match state.kind {
        LoopKind::Execute => format!(
            "Loop active. Continuing execute loop iteration {number}/{max}. Run \
             /opti-gsd:execute to retry failed tasks."
        ),
        LoopKind::Verify => format!(
            "Loop active. Continuing verify loop iteration {number}/{max}. Run \
             /opti-gsd:verify to fix gaps and re-verify."
        ),
        LoopKind::Other => "Loop active. Run /opti-gsd:status to check state.".to_owned(),
    }
}

/// The state of a loop with regard to a session that wants to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stand {
    /// It ended well.
    Completed,
    /// A person must resume it.
    Paused,
    /// It is not active.
    Inactive,
    /// Another session owns it.
    Foreign,
    /// It waits for an answer or a time.
    Awaiting,
    /// Its iterations are exhausted.
    MaxReached,
    /// It holds this session.
    Active,
}

/// Returns the state of a loop for a session, given the host's session id; an unowned loop counts
/// as the session's own.
pub fn stands(state: &LoopState, session: &str, now: Time) -> Stand {
    if state.completed {
        return Stand::Completed;
    }
    if state.paused {
        return Stand::Paused;
    }
    if !state.active {
        return Stand::Inactive;
    }
    if state.session_id.as_deref().is_some_and(|owner| owner != session) {
        return Stand::Foreign;
    }
    if waits(state, now) {
        return Stand::Awaiting;
    }
    if state.iteration >= state.max_iterations { Stand::MaxReached } else { Stand::Active }
}

fn waits(state: &LoopState, now: Time) -> bool {
    match state.awaiting {
        None => false,
        Some(Awaiting::User | Awaiting::Checkpoint) => true,
        Some(Awaiting::RateLimit) => state.resume_after.is_none_or(|at| now < at),
    }
}

impl Machine for InSession {
    type Definition = Holding;
    type Position = LoopState;
    const RANK: Rank = Rank::Loop;

    fn limits(_: &Holding) -> Vec<(Name, u32)> {
        Vec::new()
    }

    fn next(holding: &Holding, run: &Run<LoopState>, facts: &Facts) -> Next {
        let state = run.position();
        let owner = state.session_id.as_deref().unwrap_or_default();
        match stands(state, owner, facts.now) {
            Stand::Completed | Stand::Inactive | Stand::Foreign => Next::Done,
            Stand::Paused => {
                let why = state.pause_reason.clone();
                Next::Held(Hold::Person { why: why.unwrap_or_else(|| "paused".to_owned()) })
            }
            Stand::Awaiting => match (state.awaiting, state.resume_after) {
                (Some(Awaiting::RateLimit), Some(at)) => {
                    Next::Wait { on: "a rate limit".to_owned(), until: Some(at) }
                }
                (Some(Awaiting::RateLimit), None) => {
                    let what = "the loop waits for the end of a rate limit".to_owned();
                    Next::Held(Hold::Asked { what })
                }
                (Some(Awaiting::User | Awaiting::Checkpoint) | None, _) => {
                    let what = holding.question.clone();
                    let what = what.unwrap_or_else(|| "the loop waits for an answer".to_owned());
                    Next::Held(Hold::Asked { what })
                }
            },
            Stand::MaxReached => {
                Next::Held(Hold::Exhausted { bound: ITERATION, used: state.iteration })
            }
            Stand::Active => {
                let mut unit = Unit::new(LOOP, Name::literal("loop"), ITERATION);
                unit.retries.clear();
                unit.gates.clone_from(&holding.gates);
                unit.closes = Closes::Claim;
                Next::Units(vec![unit])
            }
        }
    }

    fn prompt(_: &Holding, run: &Run<LoopState>, _: &Unit, _: &Facts) -> Prompt {
        Prompt { said: refusal(run.position()), ..Prompt::default() }
    }

    fn step(
        holding: &Holding,
        run: &Run<LoopState>,
        heard: &KernelDecision<'_>,
        _: &Facts,
    ) -> Result<Move<LoopState>, Denied> {
        let mut state = run.position().clone();
        match heard {
            KernelDecision::Passed { .. } => {
                (state.active, state.completed) = (false, true);
                state.final_iteration = Some(state.iteration);
                return Ok(Move { claims: holding.claims.clone(), ..Move::to(state) });
            }
            KernelDecision::Resumed => {
                (state.active, state.paused, state.pause_reason) = (true, false, None);
                state.awaiting = None;
                if state.iteration >= state.max_iterations {
                    state.iteration = 0;
                }
            }
            KernelDecision::Answered { .. } => (state.awaiting, state.resume_after) = (None, None),
            KernelDecision::Do { verb: LIMITED } => state.awaiting = Some(Awaiting::RateLimit),
            KernelDecision::Do { verb: CHECKPOINT } => state.awaiting = Some(Awaiting::Checkpoint),
            KernelDecision::Do { verb: ASKED } => state.awaiting = Some(Awaiting::User),
            KernelDecision::Do { verb } => {
                let why = format!("a loop has no verb `{}`", verb.escape_debug());
                return Err(Denied::Refused { why });
            }
            KernelDecision::Began { .. }
            | KernelDecision::Failed { .. }
            | KernelDecision::Gone { .. }
            | KernelDecision::Lost { .. }
            | KernelDecision::Look => {}
        }
        Ok(Move::to(state))
    }
}

/// Returns the content of `STATE.md` for a loop in a session; `owner` is the host's session id.
pub fn shown_in_session(
    holding: &Holding,
    run: &Run<LoopState>,
    owner: Option<&str>,
    now: Time,
) -> LoopState {
    let mut state = run.position().clone();
    let facts = Facts::new(now, Seq(0), Hash::of(""));
    let (over, active) = (state.completed, state.active);
    // The document takes precedence over attempts in progress.
    let stands = match InSession::next(holding, run, &facts) {
        own @ (Next::Held(_) | Next::Done) => own,
        Next::Units(_) | Next::Wait { .. } | Next::Cancelled | Next::Ask(_) => {
            next::<InSession>(holding, run, &facts)
        }
    };
    let gaps = state.gaps_remaining as usize;
    let is_out = |hold: &Hold| matches!(hold, Hold::Exhausted { bound, .. } if *bound == ITERATION);
    stand(&mut state, &stands, |hold| {
        if is_out(hold) {
            return out_of_rounds(run.position().max_iterations, gaps);
        }
        if hold.is_pause() { hold.said() } else { line(&hold.to_string()) }
    });
    if stands == Next::Done {
        // A loop that was turned off is not completed: the agent's own fields stay.
        (state.completed, state.active) = (over, active && !over);
        state.final_iteration = run.position().final_iteration;
    }
    state.session_id = owner.map(str::to_owned);
    state
}

impl Stored for LoopState {
    /// Stores only the progress of the loop: `STATE.md` has everything.
    fn lower(&self) -> Plain {
        Plain::map([
            ("type", self.kind.as_str().map(str::to_owned).lower()),
            ("iteration", self.iteration.lower()),
            ("task_retries", self.task_retries.lower()),
            ("gaps_remaining", self.gaps_remaining.lower()),
            ("rounds", u32::try_from(self.history.len()).unwrap_or(u32::MAX).lower()),
        ])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        let kind: Option<String> = fields.get("type")?;
        Ok(Self {
            kind: kind.map_or(LoopKind::Other, |word| LoopKind::parse(&word)),
            iteration: fields.get("iteration")?,
            task_retries: fields.get("task_retries")?,
            gaps_remaining: fields.get("gaps_remaining")?,
            ..Self::default()
        })
    }
}
