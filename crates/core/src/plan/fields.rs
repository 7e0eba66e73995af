//! Defines which fields of `STATE.md` an agent may set during its turn, and restores the others.

use super::{Awaiting, LoopKind, LoopState};
use crate::{FieldKind, Fields, Plain, Stored, Unreadable, stored};

/// The fields of a loop that an agent does not decide, as they were at the start of its turn or as
/// sprag has written them since.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoopBaseline {
    pub state: LoopState,
    /// The related keys outside `loop`.
    pub beside: Beside,
}

/// The keys next to `loop` that record the progress of the phases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beside {
    /// The completed tasks of the phase: `3/7`.
    pub task: Option<String>,
    pub complete: Vec<String>,
    pub in_progress: Vec<String>,
    pub pending: Vec<String>,
}

impl Stored for LoopBaseline {
    /// The agent's own fields are only in the document.
    fn lower(&self) -> Plain {
        let Self { state, beside } = self;
        Plain::filled([
            ("active", state.active.lower()),
            ("type", state.kind.as_str().map(str::to_owned).lower()),
            ("phase", state.phase.lower()),
            ("iteration", state.iteration.lower()),
            ("max_iterations", state.max_iterations.lower()),
            ("task_retries", state.task_retries.lower()),
            ("gaps_remaining", state.gaps_remaining.lower()),
            ("paused", state.paused.lower()),
            ("history", state.history.lower()),
            ("completed", state.completed.lower()),
            ("session_id", state.session_id.lower()),
            ("awaiting", state.awaiting.map(|word| word.as_str().to_owned()).lower()),
            ("resume_after", state.resume_after.lower()),
            ("beside", beside.lower()),
        ])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        let kind: Option<String> = fields.get("type")?;
        let awaiting: Option<String> = fields.get("awaiting")?;
        let state = LoopState {
            active: fields.get("active")?,
            kind: kind.map_or(LoopKind::Other, |word| LoopKind::parse(&word)),
            phase: fields.get("phase")?,
            iteration: fields.get("iteration")?,
            max_iterations: fields.get("max_iterations")?,
            task_retries: fields.get("task_retries")?,
            gaps_remaining: fields.get("gaps_remaining")?,
            paused: fields.get("paused")?,
            history: fields.get("history")?,
            completed: fields.get("completed")?,
            session_id: fields.get("session_id")?,
            awaiting: awaiting.map(|word| Awaiting::parse(&word)),
            resume_after: fields.get("resume_after")?,
            ..LoopState::default()
        };
        Ok(Self { state, beside: fields.get("beside")? })
    }
}

stored!(struct Beside {
    task,
    complete as "phases_complete",
    in_progress as "phases_in_progress",
    pending as "phases_pending",
});

/// The initiator of an agent's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnOrigin {
    /// A person in a session: a loop that the agent begins there holds it at once.
    Session,
    /// A driver: it alone begins, pauses and ends loops.
    Driven,
}

/// The valid content of a `STATE.md` after an agent's turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weighed {
    /// The valid content.
    pub kept: LoopBaseline,
    /// Whether the agent claims there that the loop is over: the checks decide.
    pub is_claimed: bool,
}

/// A key of `loop` in `STATE.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Active,
    Kind,
    Phase,
    Iteration,
    MaxIterations,
    TaskRetries,
    GapsRemaining,
    Started,
    LastIteration,
    Paused,
    PauseReason,
    History,
    LastError,
    Completed,
    FinalIteration,
    SessionId,
    Awaiting,
    ResumeAfter,
}

impl Field {
    const ALL: [Self; 18] = [
        Self::Active,
        Self::Kind,
        Self::Phase,
        Self::Iteration,
        Self::MaxIterations,
        Self::TaskRetries,
        Self::GapsRemaining,
        Self::Started,
        Self::LastIteration,
        Self::Paused,
        Self::PauseReason,
        Self::History,
        Self::LastError,
        Self::Completed,
        Self::FinalIteration,
        Self::SessionId,
        Self::Awaiting,
        Self::ResumeAfter,
    ];

    /// Returns the owner of the field.
    const fn kind(self) -> FieldKind {
        match self {
            // These are informative and decide nothing.
            Self::Started
            | Self::LastIteration
            | Self::PauseReason
            | Self::LastError
            | Self::FinalIteration => FieldKind::Theirs,
            Self::Completed => FieldKind::Claim,
            Self::Active
            | Self::Kind
            | Self::Phase
            | Self::Iteration
            | Self::MaxIterations
            | Self::TaskRetries
            | Self::GapsRemaining
            | Self::Paused
            | Self::History
            | Self::SessionId
            | Self::Awaiting
            | Self::ResumeAfter => FieldKind::Verdict,
        }
    }

    /// Returns the key and its value, as they read in the document.
    fn shown(self, state: &LoopState) -> (&'static str, String) {
        let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "null".to_owned());
        match self {
            Self::Active => ("active", state.active.to_string()),
            Self::Kind => ("type", state.kind.as_str().unwrap_or("null").to_owned()),
            Self::Phase => ("phase", text(&state.phase)),
            Self::Iteration => ("iteration", state.iteration.to_string()),
            Self::MaxIterations => ("max_iterations", state.max_iterations.to_string()),
            Self::TaskRetries => {
                // A missing count equals a count of zero.
                let counted = state.task_retries.iter().filter(|(_, count)| **count > 0);
                let each: Vec<_> = counted.map(|(key, count)| format!("{key}: {count}")).collect();
                ("task_retries", format!("{{{}}}", each.join(", ")))
            }
            Self::GapsRemaining => ("gaps_remaining", state.gaps_remaining.to_string()),
            Self::Started => ("started", text(&state.started)),
            Self::LastIteration => ("last_iteration", text(&state.last_iteration)),
            Self::Paused => ("paused", state.paused.to_string()),
            Self::PauseReason => ("pause_reason", text(&state.pause_reason)),
            Self::History => ("history", format!("{} rounds", state.history.len())),
            Self::LastError => ("last_error", text(&state.last_error)),
            Self::Completed => ("completed", state.completed.to_string()),
            Self::FinalIteration => {
                let iteration = state.final_iteration.map(|number| number.to_string());
                ("final_iteration", text(&iteration))
            }
            Self::SessionId => ("session_id", text(&state.session_id)),
            Self::Awaiting => ("awaiting", state.awaiting.map_or("null", Awaiting::as_str).into()),
            Self::ResumeAfter => {
                ("resume_after", text(&state.resume_after.map(|at| at.to_string())))
            }
        }
    }

    fn is_same(self, one: &LoopState, other: &LoopState) -> bool {
        // Only the number of rounds is shown.
        self.shown(one) == self.shown(other)
            && (self != Self::History || one.history == other.history)
    }

    fn copy(self, from: &LoopState, to: &mut LoopState) {
        match self {
            Self::Active => to.active = from.active,
            Self::Kind => to.kind = from.kind,
            Self::Phase => to.phase.clone_from(&from.phase),
            Self::Iteration => to.iteration = from.iteration,
            Self::MaxIterations => to.max_iterations = from.max_iterations,
            Self::TaskRetries => to.task_retries.clone_from(&from.task_retries),
            Self::GapsRemaining => to.gaps_remaining = from.gaps_remaining,
            Self::Started => to.started.clone_from(&from.started),
            Self::LastIteration => to.last_iteration.clone_from(&from.last_iteration),
            Self::Paused => to.paused = from.paused,
            Self::PauseReason => to.pause_reason.clone_from(&from.pause_reason),
            Self::History => to.history.clone_from(&from.history),
            Self::LastError => to.last_error.clone_from(&from.last_error),
            Self::Completed => to.completed = from.completed,
            Self::FinalIteration => to.final_iteration = from.final_iteration,
            Self::SessionId => to.session_id.clone_from(&from.session_id),
            Self::Awaiting => to.awaiting = from.awaiting,
            Self::ResumeAfter => to.resume_after = from.resume_after,
        }
    }

    /// Returns whether a change is stricter for the agent, and so counts at once.
    fn is_stricter(self, before: &LoopState, now: &LoopState, turn: TurnOrigin) -> bool {
        match (self, turn) {
            // An active loop holds its session.
            (Self::Active, TurnOrigin::Session) => now.active && before.awaiting.is_none(),
            (Self::Paused, TurnOrigin::Session) => {
                !now.paused && now.active && before.awaiting.is_none()
            }
            _ => false,
        }
    }
}

/// Returns whether a loop has begun and not ended.
const fn is_begun(state: &LoopState) -> bool {
    !state.completed && (state.active || state.paused || state.awaiting.is_some())
}

/// Decides which of an agent's changes in `STATE.md` count.
pub fn weigh(before: &LoopBaseline, now: &LoopBaseline, turn: TurnOrigin) -> Weighed {
    if turn == TurnOrigin::Session && !is_begun(&before.state) {
        // No loop held the agent: the one it begins is its own.
        return Weighed { kept: now.clone(), ..Weighed::default() };
    }
    let (was, set) = (&before.state, &now.state);
    let mut kept = now.clone();
    for field in Field::ALL {
        if field.kind().is_put_back() && !field.is_stricter(was, set, turn) {
            field.copy(was, &mut kept.state);
        }
    }
    kept.beside.clone_from(&before.beside);
    let was_on = was.active && !was.paused && !was.completed;
    Weighed { kept, is_claimed: was_on && (set.completed || !set.active) }
}

/// Lists the agent's changes that were not kept, each as it reads in the document.
pub fn put_back(before: &LoopBaseline, set: &LoopBaseline, written: &LoopBaseline) -> Vec<String> {
    let (was, now, after) = (&before.state, &set.state, &written.state);
    let is_one = |field: &Field| {
        field.kind().is_put_back() && !field.is_same(was, now) && !field.is_same(now, after)
    };
    let shown = |field: Field| {
        let (key, value) = field.shown(now);
        format!("{key}: {value}")
    };
    let fields = Field::ALL.into_iter().filter(is_one).map(shown);
    let undone = set.beside.differences(&written.beside);
    let beside = set.beside.differences(&before.beside).into_iter();
    fields.chain(beside.filter(|one| undone.contains(one))).collect()
}

impl Beside {
    /// Returns the keys whose values differ from `before`, as they read in the document.
    fn differences(&self, before: &Self) -> Vec<String> {
        let list = |all: &[String]| format!("[{}]", all.join(", "));
        let task = |of: &Self| of.task.clone().unwrap_or_else(|| "null".to_owned());
        let each = |of: &Self| {
            [
                ("task", task(of)),
                ("phases_complete", list(&of.complete)),
                ("phases_in_progress", list(&of.in_progress)),
                ("phases_pending", list(&of.pending)),
            ]
        };
        let pairs = each(self).into_iter().zip(each(before));
        let changed = pairs.filter(|(now, was)| now != was);
        changed.map(|((key, value), _)| format!("{key}: {value}")).collect()
    }
}

#[cfg(test)]
mod tests;
