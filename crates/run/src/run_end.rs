use sprag_core::{Denied, Hold, Outcome, Overspent, UnitId};
use sprag_engine::drive::{Driver, Tampering};
use sprag_engine::engine::EngineError;

use crate::worktrees::WorktreesError;

/// Why a driver stopped driving its run.
#[derive(Clone, Debug, PartialEq)]
pub enum RunEnd {
    /// No work is left.
    Done,
    /// A person cancelled it.
    Cancelled,
    /// Nothing can move before a person acts.
    Held(Hold),
    /// The budget is spent; the run is held.
    Spent(Overspent),
    /// A person interrupted the driver; the run is held.
    Paused,
}

impl RunEnd {
    /// Returns the outcome of the run; `done` is the outcome for [`RunEnd::Done`].
    pub fn outcome(&self, done: Outcome) -> Outcome {
        match self {
            Self::Done => done,
            Self::Cancelled => Outcome::Cancelled,
            Self::Held(hold) => Outcome::from(hold),
            Self::Spent { .. } => Outcome::GaveUp,
            Self::Paused => Outcome::Paused,
        }
    }
}

impl RunError {
    /// Returns whether a stop request interrupted a gate or a set-up: nothing is wrong.
    pub(crate) const fn is_interrupted(&self) -> bool {
        match self {
            Self::Engine(error) => error.is_interrupted(),
            Self::Yard(error) => matches!(error, WorktreesError::Interrupted),
            Self::Driven { .. }
            | Self::Restless
            | Self::Ruined { .. }
            | Self::NoPipe(_)
            | Self::NotStarted { .. } => false,
        }
    }

    /// Returns whether the error means that another process has ended the attempt.
    pub(crate) const fn is_of_an_ended_attempt(&self) -> bool {
        matches!(self, Self::Engine(EngineError::Denied(Denied::Stale { .. })))
    }

    /// Returns whether the error is to be expected after another process has ended the run.
    pub(crate) const fn is_of_an_end(&self) -> bool {
        matches!(self, Self::Engine(EngineError::Denied(_))) || self.is_interrupted()
    }
}

/// Returns the hold for a run whose state was changed during the turn of `host`. A state that
/// cannot be used any more is an error.
pub(crate) fn not_ruined(
    touched: Tampering,
    host: &str,
    unit: &UnitId,
) -> Result<Option<Hold>, RunError> {
    let hold = touched.hold(host);
    match touched {
        Tampering::Nothing | Tampering::Changed(_) => Ok(hold),
        Tampering::Ruined { why } => {
            Err(RunError::Ruined { host: host.to_owned(), unit: unit.clone(), why })
        }
    }
}

/// Why a run could not be driven.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The engine could not decide or write.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Another driver is active.
    #[error("another `sprag run` drives {run} already: {by}")]
    Driven { run: String, by: Driver },
    /// A worktree could not be made, merged or found again.
    #[error(transparent)]
    Yard(#[from] WorktreesError),
    /// The files of a worktree kept changing.
    #[error("the worktrees changed all the time, so nothing could be merged")]
    Restless,
    /// The state of the run became unusable during an agent's turn.
    #[error("the state of the run was ruined while `{host}` worked on `{unit}`: {why}")]
    Ruined { host: String, unit: UnitId, why: String },
    /// The system could not create a pipe.
    #[error("no pipe could be made: {0}")]
    NoPipe(std::io::Error),
    /// No agent could be started.
    #[error("`{host}` cannot be started: {why}")]
    NotStarted { host: String, why: String },
}

#[cfg(test)]
mod tests {
    use sprag_engine::gate::GateError;

    use super::*;

    #[test]
    fn an_end_makes_the_kernel_deny_and_gates_stop_and_nothing_else() {
        let of_engine = |error: EngineError| RunError::from(error).is_of_an_end();
        assert!(of_engine(Denied::Over.into()));
        assert!(of_engine(GateError::Interrupted.into()));
        assert!(!of_engine(EngineError::NotWritten("the disk is full".to_owned())));
        assert!(!of_engine(EngineError::Restless));
        let (host, why) = ("claude".to_owned(), "not found".to_owned());
        assert!(!RunError::NotStarted { host, why }.is_of_an_end());
    }
}
