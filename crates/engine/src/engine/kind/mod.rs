//! What the engine asks of a run, whatever its kind.
//!
//! The kernel is generic over machines, while the engine handles runs of several kinds at once. A
//! kind implements [`OnMachine`], by which the kernel reaches its state, and [`Kind`], which
//! answers the engine's questions. [`Kernel`] follows from both. The engine knows a run only as an
//! [`AnyRun`]; no module outside of the kinds' own folders names one of them.

mod info;
mod kernel;
pub(crate) mod run_header;
mod table;

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::Arc;

use sprag_core::basis::Consent;
use sprag_core::event::FieldsPutBack;
use sprag_core::plan::Mode;
use sprag_core::reporting::Findings;
use sprag_core::rules::Rule;
use sprag_core::workflow::{Phase, ReviewStep, View as PhaseView};
use sprag_core::{
    Ask, Call, Denied, Facts, Fence, GateSpec, Hash, Hold, Plain, Prompt, Receipt, Signal, Time,
    Unit, UnitId, Waiting, Word,
};
use sprag_formats::Checks;
use sprag_store::{Edit, Place, View};
use sprag_world::tree::Tree;

use crate::engine::kind::run_header::Header;
use crate::engine::{Engine, EngineError};
use crate::unusable::Unusable;

pub use info::Info;
pub(crate) use kernel::on_machine;
pub use kernel::{Kernel, KernelPart, OnMachine};
pub use table::{Checking, Entry, Kinds, Reading, check_kernel};

/// A run of any kind.
pub type AnyRun = Box<dyn Kind>;

impl Clone for AnyRun {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}

/// The kernel's part of a run as it was read, to find out later whether it changed.
#[derive(Clone, Debug)]
pub enum ReadForm {
    Plain(Plain),
    /// The values themselves: a tool call only compares them and never needs their plain form.
    Values(Arc<dyn KernelPart>),
}

/// How much of a run is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    pub done: usize,
    /// The total, if it is known.
    pub total: Option<usize>,
    /// The name of what is counted, in the plural.
    pub of: &'static str,
}

/// The result of a review, for the driver and for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReviewResult {
    /// No finding blocks the phase, so the run leaves it.
    Clean,
    /// These findings block it.
    Found {
        /// One line each.
        findings: Vec<String>,
    },
    /// The review does not count.
    Again { why: String },
}

/// The moment of a decision: the project, and its files as they are then.
pub trait Moment {
    fn engine(&self) -> &Engine<'_>;

    fn at(&self) -> Time;

    /// Returns the files. The first call scans them.
    fn tree(&self) -> Result<&Tree, EngineError>;
}

/// The review of the current phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseReview {
    /// The host that reviews.
    pub reviewer: String,
    /// Whether the review has begun.
    pub is_begun: bool,
    /// Whether the review is held.
    pub is_held: bool,
}

/// The questions that the engine asks a run. Most have a default, which is right for a kind that
/// does not know the matter.
pub trait Kind: Kernel + Any + Debug + Send + Sync {
    fn info(&self) -> &'static Info;

    /// Returns the progress in one line.
    fn line(&self) -> String;

    /// Returns the title of the document that requests the work.
    fn title(&self) -> Option<String> {
        None
    }

    // Gates.

    /// Returns the gates of the current unit, with the data to evaluate them.
    fn specs(&self) -> &[GateSpec];

    /// Returns the gates of every unit that the run may reach.
    fn reachable_specs(&self) -> Vec<GateSpec> {
        self.specs().to_vec()
    }

    /// Returns every gate that it may evaluate, each with its phase.
    fn every_gate(&self) -> Vec<(Option<String>, GateSpec)> {
        self.specs().iter().map(|spec| (None, spec.clone())).collect()
    }

    /// Decides which of its checks are gates, by the configuration and the project's files.
    fn decide_checks(&mut self, _checks: Checks, _now: &dyn Moment) -> Result<(), EngineError> {
        Ok(())
    }

    /// Returns the inputs that the run's definition lets the agents of a unit change.
    fn may_change(&self, _unit: &UnitId) -> Vec<Consent> {
        Vec::new()
    }

    /// Returns the rules that are asked before and after a unit.
    fn rules(&self) -> &[Rule] {
        &[]
    }

    // Phases.

    /// Returns the current phase.
    fn phase(&self) -> Option<&Phase> {
        None
    }

    /// Returns the agent's view of the current phase, or `None` once the run is done.
    fn view(&self) -> Option<PhaseView> {
        None
    }

    /// Returns why the current phase forbids a call.
    fn blocks(&self, _call: &Call) -> Option<String> {
        None
    }

    /// Returns the review of the current phase, if the phase is reviewed.
    fn phase_review(&self) -> Option<PhaseReview> {
        None
    }

    /// Returns the reviewer who has to work before the session can continue.
    fn awaited_reviewer(&self, _facts: &Facts) -> Option<String> {
        None
    }

    /// Returns the stage of a review that a begun unit belongs to; `None` for other work.
    fn review_stage(&self, _unit: &UnitId, _facts: &Facts) -> Option<ReviewStep> {
        None
    }

    /// Returns the result of the review that has just ended.
    fn reviewed(&self) -> ReviewResult {
        ReviewResult::Clean
    }

    /// Returns the findings that the last fix disputed, with the reasons.
    fn disputed(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns a position without the parts that change within a phase.
    fn without_review(&self, position: Plain) -> Plain {
        position
    }

    // Sessions.

    /// Returns the outcome that the session reports at a stop.
    fn word(&self) -> Word {
        Word::None
    }

    /// Returns how many stops are refused while nothing changes, if the definition sets a number.
    fn patience(&self) -> Option<u32> {
        None
    }

    /// Returns the retries used and allowed, if one bound decides.
    fn retries(&self) -> Option<(u32, u32)> {
        None
    }

    /// Returns the hold that a rule's command set when it last ran.
    fn stopped(&self, _facts: &Facts) -> Option<&Hold> {
        None
    }

    /// Records the hold of a rule, so that queries need not run the rule's command.
    fn note_hold(&mut self, _facts: &Facts) -> Result<(), Denied> {
        Ok(())
    }

    /// Returns the holds that the session cannot see in its own documents.
    fn news(&self, facts: &Facts) -> Vec<Waiting> {
        self.waiting(facts)
    }

    /// Returns the notice of its end, if there is one.
    fn notice(&self, _cancelled: bool) -> Option<String> {
        None
    }

    /// Records that the session's agent is about to change files.
    fn open_turn(&mut self) {}

    /// Processes the last message of the session's agent at a stop, and returns the signal for the
    /// run, if there is one.
    fn session_said(
        &mut self,
        _at: (&View<'_>, &dyn Moment),
        _checks: Checks,
        _said: Option<&str>,
    ) -> Result<Option<Signal>, EngineError> {
        Ok(None)
    }

    /// Records whether the stopping session continues, and returns news for the person.
    fn session_stopped(&mut self, _goes_on: bool) -> Vec<String> {
        Vec::new()
    }

    /// Returns the refusal to write one of these files, because it defines the run.
    fn defined_by(&self, _engine: &Engine<'_>, _writes: &[PathBuf]) -> Option<String> {
        None
    }

    // Documents.

    /// Returns the plain form that is stored in the run's file.
    fn stored(&self) -> Plain {
        self.plain()
    }

    /// Returns the form of the run's file as it was just read.
    fn as_read(&self) -> ReadForm {
        ReadForm::Plain(self.stored())
    }

    /// Returns the edits that bring another system's documents up to date.
    fn foreign_edits(&self) -> Result<Vec<Edit>, Unusable> {
        Ok(Vec::new())
    }

    /// Records whether an agent has the turn. The current documents of the other system become the
    /// baseline for the fields that the agent may not decide.
    fn set_turn(&mut self, _is_open: bool) {}

    /// Lists the fields that an agent set in another system's document and that
    /// [`Kind::foreign_edits`] restores.
    fn put_back(&self) -> Option<FieldsPutBack> {
        None
    }

    /// Returns the digest of the document that defines it, if the run has no copy of its own.
    fn digest(&self) -> Option<Hash> {
        None
    }

    /// Returns the documents that it is judged by, besides the configuration.
    fn judged_by(&self, _view: &View<'_>, _place: &Place) -> Result<BTreeSet<String>, EngineError> {
        Ok(BTreeSet::new())
    }

    /// Returns the source files of the run's own copy of its definition, with their stored texts.
    fn copied_from(&self, _view: &View<'_>) -> BTreeMap<String, Hash> {
        BTreeMap::new()
    }

    /// Records its current definition after a person accepted a change. `header` gets the new
    /// digest.
    fn copy_again(
        &mut self,
        _view: &View<'_>,
        _now: &dyn Moment,
        _header: &mut Header,
    ) -> Result<Vec<Edit>, EngineError> {
        Ok(Vec::new())
    }

    /// Returns the findings of reviews, if the run itself stores them.
    fn findings(&self) -> Option<Findings> {
        None
    }

    // Driven units.

    /// Returns how many agents may work at the same time, if there is a limit.
    fn max_parallel(&self) -> Option<u32> {
        None
    }

    /// Returns the host that the definition requires for a unit.
    fn host_of(&self, _unit: &Unit) -> Option<String> {
        None
    }

    /// Returns whether the agent of a unit may only read.
    fn only_reads(&self, unit: &Unit) -> bool {
        self.host_of(unit).is_some()
    }

    /// Returns whether a unit was proven before and only its gates need to run again.
    fn is_proven_before(&self, _unit: &Unit) -> bool {
        false
    }

    /// Returns why the earlier result of a unit does not count, if it has to be done again.
    fn again(&self, _unit: &Unit) -> Option<String> {
        None
    }

    /// Returns the write that skips the unit which the run waits for.
    fn skip(&self) -> Option<Edit> {
        None
    }

    /// Returns the answer that a document gives before a unit begins or ends.
    fn told(&self, _unit: &UnitId, _view: &View<'_>) -> Result<Option<(Ask, Plain)>, EngineError> {
        Ok(None)
    }

    /// Converts an agent's last message to its claim about a unit.
    fn claim(&self, _unit: &UnitId, _stage: Option<ReviewStep>, _said: &str) -> Word {
        Word::Done
    }

    /// Returns whether an agent's last message is a question to a person.
    fn is_question(&self, _said: &str) -> bool {
        false
    }

    /// Returns the work order for a new agent.
    fn order(&self, _header: &Header, _unit: &Unit, prompt: &Prompt) -> String {
        prompt.text.clone()
    }

    /// Returns the work order for an agent that resumes its own session, if it differs.
    fn reminder(&self, _unit: &Unit, _prompt: &Prompt) -> Option<String> {
        None
    }

    /// Returns the document that a worktree's agent leaves for the project.
    fn report_file(&self) -> Option<String> {
        None
    }

    /// Returns the report of our own results that replaces an agent's.
    fn write_report(
        &self,
        _unit: &UnitId,
        _receipts: &[Receipt],
    ) -> Result<Option<Edit>, EngineError> {
        Ok(None)
    }

    /// Describes what a unit left open though no gate failed.
    fn left_open(&self, _unit: &UnitId, _facts: &Facts) -> Option<String> {
        None
    }

    /// Returns the names of the units that have not begun, as far as they are known.
    fn to_come(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns how much of the run is done.
    ///
    /// `units` is how many units have passed.
    fn count(&self, units: usize) -> Count {
        Count { done: units, total: None, of: "units" }
    }

    /// Sets how much it asks a person.
    fn set_mode(&mut self, _mode: Mode) {}
}

impl dyn Kind {
    /// Returns the run of one kind, for the verbs of that kind.
    pub fn of<K: Kind>(&self) -> Option<&K> {
        let any: &dyn Any = self;
        any.downcast_ref()
    }

    /// Returns the run of one kind, for the verbs of that kind.
    pub fn of_mut<K: Kind>(&mut self) -> Option<&mut K> {
        let any: &mut dyn Any = self;
        any.downcast_mut()
    }

    /// Returns why the current phase forbids a call. A held run forbids nothing.
    pub(crate) fn denies(&self, call: &Call, now: Time) -> Option<String> {
        self.standing_hold(now).is_none().then(|| self.blocks(call)).flatten()
    }
}

/// Returns the unit of an open attempt.
pub(crate) fn unit_of(live: &dyn Kind, fence: Fence, facts: &Facts) -> Option<Unit> {
    let attempt = live.attempts().iter().find(|attempt| attempt.fence() == fence)?;
    live.begun(facts).into_iter().find(|unit| unit.id == *attempt.unit())
}
