//! What a machine is: the one part of the kernel that differs between a workflow, a plan, a
//! milestone tree, an inbox, a pull request and a guard.
//!
//! A machine knows its position and what could be worked on. It has no counters, owners, fences,
//! gates, stops or files: those exist once, in the functions generic over this trait.

use crate::{
    Agent, Ask, Effect, Event, Facts, Fence, Hold, Name, Prompt, Proof, Ran, Receipt, Red, Run,
    SessionId, Time, Unit, UnitId, Word,
};

/// One of the systems that sprag drives.
pub trait Machine {
    /// What a person wrote down; it does not change during a step.
    type Definition;
    /// Where the run stands: all that this machine adds to a run.
    type Position: Clone;
    /// Where its refusals stand among those of others.
    const RANK: Rank;

    /// Returns the bounds that its units name, with their maximum.
    fn limits(definition: &Self::Definition) -> Vec<(Name, u32)>;

    /// Returns everything that could be worked on, in order, blind to attempts, bounds, locks and
    /// holds; a unit that was begun stays among them until the machine has heard how it ended.
    fn next(definition: &Self::Definition, run: &Run<Self::Position>, facts: &Facts) -> Next;

    /// Returns the texts of one of its units, for an agent; called only where one is shown. The
    /// kernel adds the last failure.
    fn prompt(
        definition: &Self::Definition,
        run: &Run<Self::Position>,
        unit: &Unit,
        facts: &Facts,
    ) -> Prompt;

    /// Returns where the run stands after what the kernel decided.
    fn step(
        definition: &Self::Definition,
        run: &Run<Self::Position>,
        heard: &Heard<'_>,
        facts: &Facts,
    ) -> Result<Move<Self::Position>, Denied>;
}

/// The order in which refusals are said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// An agent's assignment.
    Assignment,
    /// A phase of a workflow.
    Phase,
    /// The guard of a session.
    Guard,
    /// A plan or a milestone tree.
    Loop,
    /// A pull request's review.
    Review,
}

/// What can happen next.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// From a machine: what could be worked on. From the kernel: what can be begun now.
    Units(Vec<Unit>),
    /// Something runs or is polled.
    Wait {
        /// What it waits for.
        on: String,
        /// When to look again, if that is known.
        until: Option<Time>,
    },
    /// Nothing can move before somebody does something.
    Held(Hold),
    /// Nothing is left to do.
    Done,
    /// A person ended it; only the kernel says so.
    Cancelled,
    /// This must be known first.
    Ask(Vec<Ask>),
}

/// What a machine hears: what the kernel has decided.
#[derive(Clone, Debug)]
pub enum Heard<'a> {
    /// An attempt began.
    Began {
        /// Of which unit.
        unit: &'a Unit,
    },
    /// An attempt ended and nothing stands against it.
    Passed {
        /// Of which unit.
        unit: &'a Unit,
        /// What the agent said.
        word: &'a Word,
        /// What it rests on.
        proof: &'a Proof,
    },
    /// An attempt ended and a gate, or the agent itself, says no.
    Failed {
        /// Of which unit.
        unit: &'a Unit,
        /// What the agent said.
        word: &'a Word,
        /// The failure, as it is now recorded.
        red: &'a Red,
        /// What is known of all gates.
        receipts: &'a [Receipt],
    },
    /// An attempt ended, but its unit is no longer among those that could be worked on.
    Gone {
        /// The unit it was.
        unit: &'a UnitId,
    },
    /// An attempt was lost.
    Lost {
        /// The unit it was.
        unit: &'a UnitId,
        /// How far it came.
        ran: Ran,
    },
    /// A verb of the machine's own.
    Do {
        /// The verb.
        verb: &'a str,
    },
    /// Something outside may have changed.
    Look,
    /// A person let the run go on.
    Resumed,
    /// A person answered.
    Answered {
        /// The answer.
        text: &'a str,
    },
}

/// What a machine makes of what it heard.
#[derive(Clone, Debug)]
pub struct Move<P> {
    /// Where the run stands now.
    pub position: P,
    /// What is to be done outside.
    pub effects: Vec<Effect>,
    /// What becomes of the counts.
    pub counts: Counts,
    /// What the journal should tell beside what the kernel tells.
    pub events: Vec<Event>,
    /// What of a unit that passed no gate judged: it rests on the agent's word.
    pub claims: Vec<String>,
}

/// What becomes of bounds and recorded failures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Counts {
    /// They stay.
    Keep,
    /// All begin anew: this was real progress.
    Renew,
    /// These are forgotten: what they counted is over. One that is still limited begins anew.
    Forget(Vec<Name>),
}

impl<P> Move<P> {
    /// Returns the move to `position` that does nothing else.
    pub const fn to(position: P) -> Self {
        Self {
            position,
            effects: Vec::new(),
            counts: Counts::Keep,
            events: Vec::new(),
            claims: Vec::new(),
        }
    }
}

/// Why a signal was not taken; nothing has changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Denied {
    /// The attempt has ended, or was never there.
    #[error("attempt {fence} is over: stop working on it")]
    Stale {
        /// What was shown.
        fence: Fence,
    },
    /// It is held.
    #[error("{0}")]
    Held(Hold),
    /// The unit cannot be begun now.
    #[error("`{unit}` is not ready")]
    NotReady {
        /// Which unit.
        unit: UnitId,
    },
    /// Another attempt has what this one needs.
    #[error("`{lock}` is in use by attempt {by}")]
    Locked {
        /// What is in use.
        lock: Name,
        /// By which attempt.
        by: Fence,
    },
    /// The agent has work already.
    #[error("{agent} already has an attempt")]
    Busy {
        /// Which agent.
        agent: Agent,
    },
    /// Another session has it, or none yet.
    #[error("this belongs to {}", owner.as_ref().map_or("no session yet", SessionId::as_str))]
    Foreign {
        /// Which session.
        owner: Option<SessionId>,
    },
    /// Only a word ends this attempt, and none was given.
    #[error("attempt {fence} is not claimed to be done")]
    Unclaimed {
        /// Which attempt.
        fence: Fence,
    },
    /// This failure is known and nothing has changed since: a refusal, not another try.
    #[error("nothing has changed since the last failure")]
    Unchanged {
        /// Which attempt.
        fence: Fence,
    },
    /// All gates of the attempt pass. What the passes rest on must be weighed first.
    #[error("attempt {fence} passes, and was not weighed")]
    Unweighed {
        /// Which attempt.
        fence: Fence,
    },
    /// The run is done or cancelled.
    #[error("the run is over")]
    Over,
    /// The machine does not know this, or not now.
    #[error("{why}")]
    Refused {
        /// Why not.
        why: String,
    },
    /// This must be known first.
    #[error("more must be known first")]
    Needs(Vec<Ask>),
}
