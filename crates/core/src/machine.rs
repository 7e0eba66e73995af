//! The machine trait: the one part of the kernel that differs between a workflow, a plan, a
//! milestone tree, an inbox, a pull request and a guard.
//!
//! A machine knows its position and the possible units. It has no counters, owners, fences, gates,
//! stops or files: those exist once, in the functions generic over this trait.

use crate::{
    Agent, Ask, Effect, Event, Facts, Fence, Hold, LastFailure, Name, Prompt, Proof, Ran, Receipt,
    Run, SessionId, Time, Unit, UnitId, Word,
};

/// One of the systems that sprag drives.
pub trait Machine {
    /// The person's definition; it does not change during a step.
    type Definition;
    /// The machine's own state: everything that it adds to a run.
    type Position: Clone;
    /// The position of its refusals among those of other machines.
    const RANK: Rank;

    /// Returns the bounds that its units name, with their maximums.
    fn limits(definition: &Self::Definition) -> Vec<(Name, u32)>;

    /// Returns all units that can be worked on in order, regardless of attempts, bounds, locks and
    /// holds. A unit that was begun stays among them until the machine has processed its end.
    fn next(definition: &Self::Definition, run: &Run<Self::Position>, facts: &Facts) -> Next;

    /// Returns the texts of a unit for an agent; called only when they are shown. The kernel adds
    /// the last failure.
    fn prompt(
        definition: &Self::Definition,
        run: &Run<Self::Position>,
        unit: &Unit,
        facts: &Facts,
    ) -> Prompt;

    /// Returns the new position after a decision of the kernel.
    fn step(
        definition: &Self::Definition,
        run: &Run<Self::Position>,
        heard: &KernelDecision<'_>,
        facts: &Facts,
    ) -> Result<Move<Self::Position>, Denied>;
}

/// The order in which refusals are shown.
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

/// The next step of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// From a machine: the possible units. From the kernel: the units that can begin now.
    Units(Vec<Unit>),
    /// Something is running or polled.
    Wait {
        /// The awaited event.
        on: String,
        /// When to look again, if known.
        until: Option<Time>,
    },
    /// The run waits for a person or an event.
    Held(Hold),
    Done,
    /// A person cancelled the run; only the kernel returns this.
    Cancelled,
    /// These facts must be known first.
    Ask(Vec<Ask>),
}

/// A decision of the kernel, as passed to a machine.
#[derive(Clone, Debug)]
pub enum KernelDecision<'a> {
    Began {
        unit: &'a Unit,
    },
    /// An attempt ended, and no gate or doubt stands against it.
    Passed {
        unit: &'a Unit,
        word: &'a Word,
        /// The evidence.
        proof: &'a Proof,
    },
    /// An attempt ended, and a gate or the agent itself reported a failure.
    Failed {
        unit: &'a Unit,
        word: &'a Word,
        /// The failure as recorded.
        red: &'a LastFailure,
        /// The receipts of all gates.
        receipts: &'a [Receipt],
    },
    /// An attempt ended, but its unit is no longer among the possible ones.
    Gone {
        unit: &'a UnitId,
    },
    Lost {
        unit: &'a UnitId,
        /// How far the attempt got.
        ran: Ran,
    },
    /// A verb of the machine's own.
    Do {
        verb: &'a str,
    },
    /// Something outside may have changed.
    Look,
    /// A person resumed the run.
    Resumed,
    /// A person answered a question.
    Answered {
        text: &'a str,
    },
}

/// A machine's response to a decision.
#[derive(Clone, Debug)]
pub struct Move<P> {
    /// The new position.
    pub position: P,
    /// Effects to perform outside.
    pub effects: Vec<Effect>,
    /// The treatment of counters.
    pub counts: Counts,
    /// Events for the journal, in addition to the kernel's.
    pub events: Vec<Event>,
    /// The parts of a passed unit that no gate judged: they are claims of the agent.
    pub claims: Vec<String>,
}

/// The treatment of bounds and recorded failures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Counts {
    /// They stay.
    Keep,
    /// All are reset: this was real progress.
    Renew,
    /// These are removed because their subject is over. A bound that the machine still limits is
    /// reset.
    Forget(Vec<Name>),
}

impl<P> Move<P> {
    /// Creates a move to `position` without other effects.
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

/// Why a signal was denied; nothing has changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Denied {
    /// The attempt has ended or never existed.
    #[error("attempt {fence} is over: stop working on it")]
    Stale {
        /// The fence that was shown.
        fence: Fence,
    },
    #[error("{0}")]
    Held(Hold),
    /// The unit cannot begin now.
    #[error("`{unit}` is not ready")]
    NotReady { unit: UnitId },
    /// Another attempt holds a lock that this one needs.
    #[error("`{lock}` is in use by attempt {by}")]
    Locked {
        lock: Name,
        /// The attempt that holds it.
        by: Fence,
    },
    /// The agent already has work.
    #[error("{agent} already has an attempt")]
    Busy { agent: Agent },
    /// Another session owns the attempt, or none does yet.
    #[error("this belongs to {}", owner.as_ref().map_or("no session yet", SessionId::as_str))]
    Foreign { owner: Option<SessionId> },
    /// Only the agent's word can end this attempt, and none was given.
    #[error("attempt {fence} is not claimed to be done")]
    Unclaimed { fence: Fence },
    /// This failure is known, and nothing has changed since: the stop is refused without using a
    /// retry.
    #[error("nothing has changed since the last failure")]
    Unchanged { fence: Fence },
    /// All gates of the attempt pass, but the basis of the passes must be weighed first.
    #[error("attempt {fence} passes, and was not weighed")]
    Unweighed { fence: Fence },
    /// The run is done or cancelled.
    #[error("the run is over")]
    Over,
    /// The machine does not accept this, at least not now.
    #[error("{why}")]
    Refused { why: String },
    /// These facts must be known first.
    #[error("more must be known first")]
    Needs(Vec<Ask>),
}
