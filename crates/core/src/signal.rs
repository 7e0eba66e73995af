use crate::basis::Worth;
use crate::{Agent, Fence, Hold, Receipt, SessionId, UnitId};

/// What happened outside, in the kernel's words; a dialect or a command makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signal {
    /// A unit is assigned, dispatched, or named by a refusal.
    Begin {
        /// Which unit.
        unit: UnitId,
        /// For whom.
        agent: Option<Agent>,
        /// In which session, when that is known.
        session: Option<SessionId>,
    },
    /// A session takes up an attempt.
    Bind {
        /// Which attempt.
        fence: Fence,
        /// Which session.
        session: SessionId,
    },
    /// A session says that its attempt is done.
    Claim {
        /// Which attempt.
        fence: Fence,
        /// Which session.
        session: SessionId,
    },
    /// A stop, an exit or a verification ends an attempt; the gates decide how.
    End {
        /// Which attempt.
        fence: Fence,
        /// What the agent said.
        word: Word,
        /// What the gates said.
        receipts: Vec<Receipt>,
        /// What passes of its gates are worth, by what they rest on; nothing where nobody has weighed
        /// them. A pass that was not weighed is refused with [`Denied::Unweighed`](crate::Denied).
        worth: Option<Worth>,
    },
    /// The session or process of an attempt is gone, or the attempt was released.
    Lost {
        /// Which attempt.
        fence: Fence,
        /// How far it came.
        ran: Ran,
        /// Why, in one line; empty where nobody knows.
        why: String,
    },
    /// An attempt is held: refused without progress, a rate limit.
    Stall {
        /// Which attempt.
        fence: Fence,
        /// Why.
        hold: Hold,
    },
    /// A verb of the machine's own.
    Do {
        /// The verb.
        verb: String,
    },
    /// Something outside may have changed: CI, a fetch, a timer.
    Look,
    /// An effect of the outbox was carried out.
    Performed {
        /// Which one.
        effect: Effect,
    },
    /// The whole run is held: a person paused it, or must agree to something first.
    Pause {
        /// Why, or until when.
        hold: Hold,
    },
    /// A person lets the run go on, with fresh bounds where they were used up.
    Resume,
    /// A person answers what was asked.
    Answered {
        /// The answer.
        text: String,
    },
    /// A person ends the run for good.
    Cancel,
    /// A session becomes the owner.
    Claimed {
        /// Which session.
        session: SessionId,
    },
    /// The owner lets go.
    Released,
}

/// How far a lost attempt came, by which it is charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ran {
    /// It never started; its charge is given back.
    No,
    /// It was given back because somebody asked for it; its charge is, too, and it is no loss.
    Returned,
    /// It worked; its charge stays, but for that of a retry.
    Yes,
}

/// What an agent said at the end; a word is recorded and is never a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// Nothing that counts.
    None,
    /// It is done.
    Done,
    /// It could not be done.
    Failed {
        /// Why not.
        why: String,
    },
    /// It cannot go on without an answer.
    Question {
        /// The question.
        what: String,
    },
    /// What counts is all it said: a review, or the answer to one.
    Said {
        /// The whole message.
        text: String,
    },
}

/// What the engine does outside, after the commit that decided it; each is safe to do twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Ends the process of an attempt.
    Kill {
        /// Which attempt.
        fence: Fence,
    },
    /// Posts a text where `marker` does not stand yet.
    Post {
        /// What the text is found by.
        marker: String,
        /// The text.
        body: String,
    },
    /// Tells a person.
    Notify {
        /// The text.
        text: String,
    },
}
