use super::{Definition, SliceFolder, State, Window, stuck};
use crate::rules::Following;
use crate::{Hold, Name, Plain, Run, Stored, UnitId, stored};

/// The state of a run of a milestone tree, besides the state of the tree itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The last ended unit, while rules still deal with it.
    pub following: Option<Following>,
    /// The unit that was begun.
    pub given: Option<DispatchedUnit>,
    /// The tasks that rules were asked about, so that no task is finished without them.
    pub seen: Option<SliceProgress>,
    /// The open units when the last unit began.
    pub open: Vec<UnitId>,
    /// The last passed units of the table, to detect one that keeps coming back.
    pub lately: Vec<String>,
    /// The unit that a rule held before it began, until it begins.
    pub stopped: Option<Stopped>,
    /// Improper changes that a unit made to the tree, until a person decides.
    pub altered: Vec<String>,
    /// The hash of the files when the current review began.
    pub reviewed: Option<String>,
    /// New values that rules keep. They belong into the front matter of documents: the commit that
    /// decides them writes them there, and they are here only until then.
    pub keeps: Vec<Keep>,
}

/// A unit that a rule held before it began.
///
/// Rule commands do not run at every look, so the result is recorded here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The kernel's id of the unit.
    pub unit: UnitId,
    pub rule: Name,
    /// The reason of the rule.
    pub hold: Hold,
    /// Whether a person has allowed it to begin anyway.
    pub allowed: bool,
}

/// How many units of the table are remembered.
const LATELY: usize = 6;

/// The active slice, with its tasks that are done and accounted for.
///
/// A task may be done without having been dispatched: an agent does two at a time, or several are
/// dispatched as one unit. The rules have not yet been asked about a finished task that is not
/// listed here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SliceProgress {
    /// The full id of the slice: `M001/S01`.
    pub slice: UnitId,
    /// The ids of its accounted tasks.
    pub done: Vec<String>,
}

/// A unit as it was begun: rules may have changed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DispatchedUnit {
    /// The kernel's id of the unit.
    pub unit: UnitId,
    /// The kind that the table derived; it determines the required artefacts.
    pub derived: Name,
    pub prompt: String,
}

/// A new value that a rule keeps with a milestone, slice or task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keep {
    pub at: UnitId,
    pub rule: Name,
    /// The value; null deletes it.
    pub value: Plain,
}

impl Position {
    /// Creates the position of a new run: tasks that are already done are not its business.
    pub fn start(definition: &Definition) -> Self {
        Self { seen: SliceProgress::now(definition), ..Self::default() }
    }

    /// Records that a unit of the table passed.
    pub(super) fn pass(&mut self, unit: &UnitId) {
        let over = (self.lately.len() + 1).saturating_sub(LATELY);
        self.lately.drain(..over);
        self.lately.push(unit.to_string());
    }

    /// Returns a hold if a unit that passed recently comes up again without progress.
    pub(super) fn stuck(&self, unit: &UnitId) -> Option<Hold> {
        let all = self.lately.iter().cloned().chain([unit.to_string()]);
        let window: Vec<_> = all.map(|key| Window { key, error: None }).collect();
        stuck(&window).map(|what| Hold::NoProgress { what: what.into() })
    }

    /// Returns the rules that a person has overruled for a unit of the table.
    pub(super) fn answered_for(&self, unit: &UnitId) -> &[Name] {
        let stopped = self.stopped.as_ref().filter(|one| one.allowed && one.unit == *unit);
        stopped.map_or(&[], |stopped| std::slice::from_ref(&stopped.rule))
    }

    /// Records that the rules were asked about a task.
    pub(super) fn account(&mut self, task: &UnitId) {
        let Some((slice, task)) = task.as_str().rsplit_once('/') else { return };
        let seen = self.seen.as_mut().filter(|seen| seen.slice.as_str() == slice);
        if let Some(seen) = seen.filter(|seen| !seen.done.iter().any(|known| known == task)) {
            seen.done.push(task.to_owned());
        }
    }

    /// Returns the value that a rule keeps with `at`: the newest decision, else the one in the
    /// file.
    pub fn kept(&self, state: &State, at: &UnitId, rule: &Name) -> Plain {
        let newest = self.keeps.iter().rev().find(|keep| keep.at == *at && keep.rule == *rule);
        let written = || state.kept(at, rule.as_str()).cloned();
        newest.map(|keep| keep.value.clone()).or_else(written).unwrap_or(Plain::Null)
    }
}

impl Run<Position> {
    /// Returns the slices that concern the run, even if other work is active by now: those of begun
    /// units, of the followed unit, and the watched slice.
    pub fn slices(&self) -> Vec<UnitId> {
        let slice = |at: &str| {
            let mut parts = at.splitn(3, '/');
            let (milestone, slice) = (parts.next()?, parts.next()?);
            UnitId::parse(&format!("{milestone}/{slice}")).ok()
        };
        let begun = self.attempts().iter().map(|attempt| attempt.unit().as_str());
        let begun = begun.filter_map(|unit| unit.split_once(' ').map(|(_, at)| at));
        let position = self.position();
        let followed = position.following.iter().map(|following| following.id.as_str());
        let seen = position.seen.iter().map(|seen| seen.slice.as_str());
        let mut all: Vec<UnitId> = begun.chain(followed).chain(seen).filter_map(slice).collect();
        all.sort();
        all.dedup();
        all
    }

    /// Returns the stored form: omits bounds without charges, except those of begun or followed
    /// units, which the tree may no longer name.
    pub fn lower_trimmed(&self) -> Plain {
        let position = self.position();
        let given = position.given.as_ref().and_then(|given| {
            let (_, at) = given.unit.as_str().split_once(' ')?;
            Some(format!("/{}/{at}", given.derived))
        });
        let followed = position.following.as_ref();
        let followed = followed.map(|following| format!("/{}/{}", following.kind, following.id));
        let wanted = |name: &Name| {
            let parts = [&given, &followed];
            parts.into_iter().flatten().any(|part| name.as_str().contains(part))
        };
        self.trimmed(wanted).lower()
    }
}

impl SliceProgress {
    /// Returns the active slice with its finished tasks; `None` without an active slice, or if no
    /// rule follows tasks.
    pub(super) fn now(definition: &Definition) -> Option<Self> {
        let Definition { tree, state, rules } = definition;
        let task = Name::literal("execute-task");
        rules.rules().iter().find(|rule| rule.after.has(&task))?;
        let (milestone, slice) = (state.milestone.as_ref()?, state.slice.as_ref()?);
        let folder = tree.slice(&milestone.id, &slice.id);
        let tasks = folder.into_iter().flat_map(SliceFolder::tasks);
        let done = tasks.filter(|task| task.is_done()).map(|task| task.id.clone());
        let slice = UnitId::parse(&format!("{}/{}", milestone.id, slice.id)).ok()?;
        Some(Self { slice, done: done.collect() })
    }
}

stored!(struct Stopped { unit, rule, hold, allowed });

stored!(struct SliceProgress { slice, done });

stored!(struct DispatchedUnit { unit, derived, prompt });

stored!(struct Position or default {
    following,
    given,
    seen,
    open: or_default,
    lately: or_default,
    stopped,
    altered: unless_default,
    reviewed: unless_default,
    ..default
});
