//! What the engine asks of a run, whatever its kind.
//!
//! The kernel is generic over machines, while the engine handles runs of several kinds at once. A
//! kind implements [`OnMachine`], by which the kernel reaches its state, and [`Kind`], which
//! answers the engine's questions. [`Kernel`] follows from both. The engine knows a run only as an
//! [`AnyRun`]; no module outside of the kinds' own folders names one of them.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use sprag_core::basis::{Consent, InputKeys};
use sprag_core::event::FieldsPutBack;
use sprag_core::plan::Mode;
use sprag_core::reporting::Findings;
use sprag_core::rules::Rule;
use sprag_core::workflow::{Definitions, Phase, Stage, View as PhaseView};
use sprag_core::{
    Ask, Attempt, Call, Denied, Desk, Effect, Event, Facts, GateSpec, Hash, Hold, Life, Machine,
    Next, Plain, Prompt, Rank, Receipt, Red, Run, RunId, SessionId, Signal, Stepped, Stored, Time,
    Unit, UnitId, Unreadable, Vote, Waiting, Word,
};
use sprag_formats::{Checks, GuardConfig, StoredFile};
use sprag_store::{Edit, Place, View};

use crate::drive::{Count, Reviewed, Tally};
use crate::engine::{Engine, EngineError};
use crate::run_file::Header;
use crate::run_file::path;
use crate::sitting::Now;
use crate::unusable::Unusable;

/// A run of any kind.
pub type AnyRun = Box<dyn Kind>;

/// The kinds of runs that an engine knows.
pub type Kinds = &'static [&'static Entry];

/// A kind of run in the table of kinds: its properties, and how its runs are loaded.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub info: &'static Info,
    /// Loads a run with all that it is judged by.
    pub open: fn(&Reading<'_>) -> Result<AnyRun, Unusable>,
    /// Checks the kernel's part of a run's file without the rest.
    pub check: fn(&Checking<'_>) -> Result<(), Unreadable>,
}

/// A run's file that is being loaded.
#[derive(Debug)]
pub struct Reading<'r> {
    pub view: &'r View<'r>,
    pub id: &'r RunId,
    pub header: &'r Header,
    pub file: &'r StoredFile<'r>,
    /// The guard of the configuration that the run is judged by.
    pub guard: Option<&'r GuardConfig>,
}

impl Reading<'_> {
    /// Reads the kernel's part of the run.
    pub fn kernel<P: Stored>(&self) -> Result<Run<P>, Unusable> {
        Run::lift(self.file.plain()).map_err(|bad| self.bad(&bad))
    }

    /// Builds the error of a value in the run's file.
    pub fn bad(&self, bad: &Unreadable) -> Unusable {
        let fault = self.file.fault(bad);
        match path(self.id.as_str()) {
            Ok(path) => Unusable::Wrong(Box::new(fault.in_file(path.as_str()))),
            Err(bad) => bad.into(),
        }
    }
}

/// A run's file that is being checked.
pub struct Checking<'c> {
    pub header: &'c Header,
    pub plain: &'c Plain,
    /// Returns the run's own copy of its workflow, if it can be read.
    pub recorded: &'c dyn Fn() -> Option<Definitions>,
}

/// Checks a file that holds nothing but the engine's and the kernel's part.
pub fn check_kernel<P: Stored>(file: &Checking<'_>) -> Result<(), Unreadable> {
    Run::<P>::lift(file.plain).map(drop)
}

/// The properties of a kind of run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a property of its own")]
pub struct Info {
    /// The word for it in `run.yaml`.
    pub word: &'static str,
    /// The placeholder for the name that follows the word, if the kind drives one of several.
    pub key: Option<&'static str>,
    /// What is driven, if it has no task of its own. `{}` stands for the name.
    pub called: &'static str,
    /// The name of its only unit for display, if the unit has none of its own.
    pub unit: Option<&'static str>,
    /// The label of its gates in the line that says where it stands.
    pub label: &'static str,
    /// It has gates, but no definition of its own.
    pub is_guard: bool,
    /// It begins by itself in a session that changes files.
    pub is_automatic: bool,
    /// A person typed the command that a session is held to.
    pub is_typed: bool,
    /// The gates are those of the configuration's guard.
    pub is_guarded: bool,
    /// Works on an assignment of the inbox. It shares the driver, worktrees and branch of the inbox.
    pub is_assigned: bool,
    /// Goes through phases, each with its own gates, tools and protected files.
    pub has_phases: bool,
    /// A copy of its definition is beside the run.
    pub has_copy: bool,
    /// A copy of the configuration that judges it is beside the run.
    pub has_config: bool,
    /// Its questions have their own wording and their own choice of answers.
    pub has_choices: bool,
    /// Its agents share one session, as its units are one conversation.
    pub one_session: bool,
    /// Several agents work at the same time, each in a worktree.
    pub worktrees: bool,
    /// It reads from a forge and posts there.
    pub needs_forge: bool,
    /// Rules are asked before and after each unit, and a person's approval answers them.
    pub has_rules: bool,
    /// The units come from a finite list that a person or a planner wrote.
    pub is_listed: bool,
    /// The agents end their attempts by what they report. A step does not, gates are not waived,
    /// and a person answers questions with a text.
    pub is_reported: bool,
    /// One session or driver owns the run at a time.
    pub has_owner: bool,
    /// The owner can release the run for another session.
    pub is_released: bool,
    /// The agent asks for each unit, so a stop begins none.
    pub is_dispatched: bool,
    /// Its documents hold fields that agents may not decide.
    pub is_measured: bool,
    /// The gates judge files that git may ignore, so every end evaluates them again.
    pub judges_anew: bool,
    /// The driver evaluates all gates once more at the end.
    pub rechecks: bool,
    /// The prompt of a unit contains its last failure already.
    pub prompts_failures: bool,
}

impl Info {
    /// Creates the properties of a kind that has none of the special ones.
    pub const fn new(word: &'static str) -> Self {
        Self {
            word,
            key: None,
            called: "",
            unit: None,
            label: "guard",
            is_guard: false,
            is_automatic: false,
            is_typed: false,
            is_guarded: false,
            is_assigned: false,
            has_phases: false,
            has_copy: false,
            has_config: false,
            has_choices: false,
            one_session: false,
            worktrees: true,
            needs_forge: false,
            has_rules: false,
            is_listed: false,
            is_reported: false,
            has_owner: true,
            is_released: false,
            is_dispatched: false,
            is_measured: false,
            judges_anew: false,
            rechecks: false,
            prompts_failures: false,
        }
    }
}

impl Info {
    /// Returns the form of its source in `run.yaml`.
    pub fn form(&self) -> String {
        match self.key {
            Some(key) => format!("{}:{key}", self.word),
            None => self.word.to_owned(),
        }
    }
}

/// Where a run keeps its definition and its kernel state.
pub trait OnMachine: Clone + PartialEq {
    type M: Machine<Definition: Debug, Position: Stored + PartialEq + Debug + Send + Sync + 'static>;

    fn definition(&self) -> &<Self::M as Machine>::Definition;

    fn run(&self) -> &Run<<Self::M as Machine>::Position>;

    /// Adopts the kernel state after a step.
    fn take_run(&mut self, run: Run<<Self::M as Machine>::Position>);

    /// Prepares the run for a step.
    fn before_step(&mut self) {}
}

/// The kernel's functions on a run, whatever its machine.
pub trait Kernel {
    /// Applies a signal and returns the events for the journal; a denied signal changes nothing.
    fn step(&mut self, signal: &Signal, facts: &Facts) -> Result<Vec<Event>, Denied>;

    /// Returns the run's vote on a session that wants to stop.
    fn vote(&self, desk: &Desk, facts: &Facts) -> Result<Vote, Vec<Ask>>;

    fn next(&self, facts: &Facts) -> Next;

    fn prompt(&self, unit: &Unit, facts: &Facts) -> Prompt;

    fn begun(&self, facts: &Facts) -> Vec<Unit>;

    fn life(&self, facts: &Facts) -> Life;

    /// Returns all holds that wait for a person.
    fn waiting(&self, facts: &Facts) -> Vec<Waiting>;

    /// Returns the precedence of this run's refusals over those of other runs.
    fn rank(&self) -> Rank;

    fn id(&self) -> &RunId;

    fn owner(&self) -> Option<&SessionId>;

    fn is_cancelled(&self) -> bool;

    /// Returns the attempts that have begun and not ended.
    fn attempts(&self) -> &[Attempt];

    /// Returns the last failure of the current unit.
    fn failed(&self) -> Option<&Red>;

    /// Returns the last failure that was on these files.
    fn failed_on(&self, tree: Hash) -> Option<&Red>;

    /// Returns the changed inputs for which the agent of a unit was sent back.
    fn sent_back(&self, unit: &UnitId) -> Option<&InputKeys>;

    fn red_of(&self, unit: &UnitId) -> Option<&Red>;

    /// Returns how many attempts of a unit were lost in a row.
    fn lost(&self, unit: &UnitId) -> u32;

    /// Returns the effects that are decided and not yet performed.
    fn outbox(&self) -> &[Effect];

    /// Returns the hold on the whole run, if any.
    fn standing_hold(&self, now: Time) -> Option<Hold>;

    /// Returns the time limit of the whole run, if it has one.
    fn wall(&self) -> Option<Duration>;

    fn hold_of(&self, attempt: &Attempt, now: Time) -> Option<Hold>;

    /// Returns the deadline of a unit that has begun, if it has one.
    fn due(&self, unit: &Unit) -> Option<Time>;

    /// Returns the position, which records the progress, as plain values.
    fn position(&self) -> Plain;

    /// Returns the next unit, begun or not.
    fn unit(&self, facts: &Facts) -> Option<Unit>;

    /// Returns the kernel's part as plain values.
    fn plain(&self) -> Plain;

    /// Returns a copy of the kernel's part, to compare it later.
    fn kernel_copy(&self) -> Arc<dyn KernelPart>;

    /// Returns whether the kernel's part is the same as when it was copied.
    fn is_copy(&self, copy: &dyn KernelPart) -> bool;

    fn boxed(&self) -> AnyRun;
}

/// The kernel's part of a run, apart from the run.
pub trait KernelPart: Any + Debug + Send + Sync {
    fn plain(&self) -> Plain;
}

impl<P: Stored + Debug + Send + Sync + 'static> KernelPart for Run<P> {
    fn plain(&self) -> Plain {
        self.lower()
    }
}

impl<K: OnMachine + Kind> Kernel for K {
    fn step(&mut self, signal: &Signal, facts: &Facts) -> Result<Vec<Event>, Denied> {
        self.before_step();
        let Stepped { run, events } =
            sprag_core::step::<K::M>(self.definition(), self.run(), signal, facts)?;
        self.take_run(run);
        Ok(events)
    }

    fn vote(&self, desk: &Desk, facts: &Facts) -> Result<Vote, Vec<Ask>> {
        sprag_core::vote::<K::M>(self.definition(), self.run(), desk, facts)
    }

    fn next(&self, facts: &Facts) -> Next {
        sprag_core::next::<K::M>(self.definition(), self.run(), facts)
    }

    fn prompt(&self, unit: &Unit, facts: &Facts) -> Prompt {
        sprag_core::prompt::<K::M>(self.definition(), self.run(), unit, facts)
    }

    fn begun(&self, facts: &Facts) -> Vec<Unit> {
        sprag_core::begun::<K::M>(self.definition(), self.run(), facts)
    }

    fn life(&self, facts: &Facts) -> Life {
        if self.stopped(facts).is_some() {
            return Life::Held;
        }
        sprag_core::life::<K::M>(self.definition(), self.run(), facts)
    }

    fn waiting(&self, facts: &Facts) -> Vec<Waiting> {
        let mut all = sprag_core::waiting::<K::M>(self.definition(), self.run(), facts);
        let stopped = self.stopped(facts);
        all.extend(stopped.map(|hold| Waiting { unit: None, fence: None, hold: hold.clone() }));
        all
    }

    fn rank(&self) -> Rank {
        K::M::RANK
    }

    fn id(&self) -> &RunId {
        self.run().id()
    }

    fn owner(&self) -> Option<&SessionId> {
        self.run().owner()
    }

    fn is_cancelled(&self) -> bool {
        self.run().is_cancelled()
    }

    fn attempts(&self) -> &[Attempt] {
        self.run().attempts()
    }

    fn failed(&self) -> Option<&Red> {
        self.run().failed().values().next()
    }

    fn failed_on(&self, tree: Hash) -> Option<&Red> {
        self.run().failed().values().find(|red| red.tree() == tree)
    }

    fn sent_back(&self, unit: &UnitId) -> Option<&InputKeys> {
        self.run().sent_back(unit)
    }

    fn red_of(&self, unit: &UnitId) -> Option<&Red> {
        self.run().failed().get(unit)
    }

    fn lost(&self, unit: &UnitId) -> u32 {
        self.run().lost(unit)
    }

    fn outbox(&self) -> &[Effect] {
        self.run().outbox()
    }

    fn standing_hold(&self, now: Time) -> Option<Hold> {
        self.run().standing_hold(now)
    }

    fn wall(&self) -> Option<Duration> {
        self.run().wall_millis().map(|millis| Duration::from_millis(millis.into()))
    }

    fn hold_of(&self, attempt: &Attempt, now: Time) -> Option<Hold> {
        self.run().hold_of(attempt, now)
    }

    fn due(&self, unit: &Unit) -> Option<Time> {
        self.run().due(unit)
    }

    fn position(&self) -> Plain {
        self.run().position().lower()
    }

    fn unit(&self, facts: &Facts) -> Option<Unit> {
        match K::M::next(self.definition(), self.run(), facts) {
            Next::Units(units) => units.into_iter().next(),
            Next::Wait { .. } | Next::Held(_) | Next::Done | Next::Cancelled | Next::Ask(_) => None,
        }
    }

    fn plain(&self) -> Plain {
        self.run().lower()
    }

    fn kernel_copy(&self) -> Arc<dyn KernelPart> {
        Arc::new(self.run().clone())
    }

    fn is_copy(&self, copy: &dyn KernelPart) -> bool {
        let copy: &dyn Any = copy;
        copy.downcast_ref() == Some(self.run())
    }

    fn boxed(&self) -> AnyRun {
        Box::new(self.clone())
    }
}

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
    fn decide_checks(&mut self, _checks: Checks, _now: &Now<'_>) -> Result<(), EngineError> {
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
    fn review_stage(&self, _unit: &UnitId, _facts: &Facts) -> Option<Stage> {
        None
    }

    /// Returns the result of the review that has just ended.
    fn reviewed(&self) -> Reviewed {
        Reviewed::Clean
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
        _at: (&View<'_>, &Now<'_>),
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
        _now: &Now<'_>,
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
    fn claim(&self, _unit: &UnitId, _stage: Option<Stage>, _said: &str) -> Word {
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
    fn count(&self, tally: &Tally) -> Count {
        Count { done: tally.units(), total: None, of: "units" }
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
