use crate::basis::Worth;
use crate::{Agent, Fence, Hold, Receipt, SessionId, UnitId};

/// An outside event in the kernel's terms; made by a dialect or a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signal {
    /// A unit is assigned, dispatched, or named by a refused stop.
    Begin {
        unit: UnitId,
        agent: Option<Agent>,
        /// The session, if known.
        session: Option<SessionId>,
    },
    /// A session is attached to an attempt.
    Attach { fence: Fence, session: SessionId },
    /// A session reports its attempt done.
    ReportDone { fence: Fence, session: SessionId },
    /// A stop, an exit or a verification ends an attempt; the gates decide how.
    End {
        fence: Fence,
        word: Word,
        /// The results of the gates.
        receipts: Vec<Receipt>,
        /// The worth of its gates' passes, weighed by their inputs; `None` if they were not
        /// weighed. A pass that was not weighed is denied with
        /// [`Denied::Unweighed`](crate::Denied).
        worth: Option<Worth>,
    },
    /// The session or process of an attempt is gone, or the attempt was released.
    Lost {
        fence: Fence,
        /// How far the attempt got.
        ran: Ran,
        /// The reason on one line; empty if unknown.
        why: String,
    },
    /// An attempt is held: refused without progress, a rate limit.
    Hold { fence: Fence, hold: Hold },
    /// A verb of the machine's own.
    Verb { verb: String },
    /// Something outside may have changed: CI, a fetch, a timer.
    Refresh,
    /// An effect of the outbox was performed.
    Performed { effect: Effect },
    /// The whole run is held: a person paused it or must approve something first.
    Pause { hold: Hold },
    /// A person resumes the run, with exhausted bounds reset.
    Resume,
    /// A person answers a question.
    Answered { text: String },
    /// A person cancels the run permanently.
    Cancel,
    /// A session becomes the owner.
    Claimed { session: SessionId },
    /// The owner releases the run.
    Released,
}

/// How far a lost attempt got; this determines its charge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ran {
    /// It never started; its charge is refunded.
    No,
    /// It was returned on request; its charge is refunded, too, and it does not count as a loss.
    Returned,
    /// It worked; its charge stays, except that of a retry.
    Yes,
}

/// An agent's final statement; it is recorded but is never a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// No relevant statement.
    None,
    Done,
    /// It could not be done.
    Failed {
        why: String,
    },
    /// The agent cannot continue without an answer.
    Question {
        what: String,
    },
    /// The whole message is relevant: a review, or the answer to one.
    Said {
        text: String,
    },
}

/// An action that the engine performs outside, after the commit that decided it; each is safe to
/// repeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Ends the process of an attempt.
    Kill { fence: Fence },
    /// Posts a text unless one with `marker` already exists.
    Post {
        /// The text's unique marker.
        marker: String,
        body: String,
    },
    /// Notifies a person.
    Notify { text: String },
}
