use super::{Definition, SliceFolder, State, Window, stuck};
use crate::rules::Following;
use crate::{Hold, Name, Plain, Run, Stored, UnitId, stored};

/// Where a run of a milestone tree stands, beside what the tree itself says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The unit that ended last, while rules still have something to do about it.
    pub following: Option<Following>,
    /// What was begun.
    pub given: Option<Given>,
    /// The tasks that rules were told of, so that none is done behind their back.
    pub seen: Option<Seen>,
    /// What was still to be done when the last unit began.
    pub open: Vec<UnitId>,
    /// The units of the table that passed last, so that one that comes again and again is seen.
    pub lately: Vec<String>,
    /// The unit that a rule held before it began, until it begins.
    pub stopped: Option<Stopped>,
    /// What a unit did to the tree that is not its own to do, until a person has decided.
    pub altered: Vec<String>,
    /// The files when the review that is under way began.
    pub reviewed: Option<String>,
    /// What rules keep from now on. It belongs into the front matter of documents, and is written
    /// there by the commit that decides it; here it stands only until then.
    pub keeps: Vec<Keep>,
}

/// A unit that a rule held before it began.
///
/// What a command says is not asked for by everybody who looks, so it is remembered for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The kernel's id of it.
    pub unit: UnitId,
    /// Which rule.
    pub rule: Name,
    /// Why.
    pub hold: Hold,
    /// Whether a person lets it begin all the same.
    pub allowed: bool,
}

/// How many units of the table are remembered.
const LATELY: usize = 6;

/// The slice that is worked on, and which of its tasks are done and accounted for.
///
/// A task may be done without having been dispatched: an agent does two at a time, or several are
/// dispatched as one unit. Whatever is done and not listed here, the rules have yet to hear of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The slice: `M001/S01`.
    pub slice: UnitId,
    /// The ids of its tasks.
    pub done: Vec<String>,
}

/// A unit as it was begun: rules may have changed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The kernel's id of it.
    pub unit: UnitId,
    /// The kind that the table derived, which says what must be left behind.
    pub derived: Name,
    /// The instruction.
    pub prompt: String,
}

/// What a rule keeps with a milestone, slice or task from now on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keep {
    /// With what.
    pub at: UnitId,
    /// Which rule.
    pub rule: Name,
    /// What; nothing to forget it.
    pub value: Plain,
}

impl Position {
    /// Returns where a run stands to which nothing has happened: what is done already is not its
    /// business.
    pub fn start(definition: &Definition) -> Self {
        Self { seen: Seen::now(definition), ..Self::default() }
    }

    /// Notes that a unit of the table passed.
    pub(super) fn pass(&mut self, unit: &UnitId) {
        let over = (self.lately.len() + 1).saturating_sub(LATELY);
        self.lately.drain(..over);
        self.lately.push(unit.to_string());
    }

    /// Says why a unit makes no progress that passed lately and comes next again.
    pub(super) fn stuck(&self, unit: &UnitId) -> Option<Hold> {
        let all = self.lately.iter().cloned().chain([unit.to_string()]);
        let window: Vec<_> = all.map(|key| Window { key, error: None }).collect();
        stuck(&window).map(|what| Hold::NoProgress { what: what.into() })
    }

    /// Returns the rules that a person has answered for, about a unit of the table.
    pub(super) fn answered_for(&self, unit: &UnitId) -> &[Name] {
        let stopped = self.stopped.as_ref().filter(|one| one.allowed && one.unit == *unit);
        stopped.map_or(&[], |stopped| std::slice::from_ref(&stopped.rule))
    }

    /// Notes that the rules were told of a task.
    pub(super) fn account(&mut self, task: &UnitId) {
        let Some((slice, task)) = task.as_str().rsplit_once('/') else { return };
        let seen = self.seen.as_mut().filter(|seen| seen.slice.as_str() == slice);
        if let Some(seen) = seen.filter(|seen| !seen.done.iter().any(|known| known == task)) {
            seen.done.push(task.to_owned());
        }
    }

    /// Returns what a rule keeps with `at`: what was decided just now, else what the file says.
    pub fn kept(&self, state: &State, at: &UnitId, rule: &Name) -> Plain {
        let newest = self.keeps.iter().rev().find(|keep| keep.at == *at && keep.rule == *rule);
        let written = || state.kept(at, rule.as_str()).cloned();
        newest.map(|keep| keep.value.clone()).or_else(written).unwrap_or(Plain::Null)
    }
}

impl Run<Position> {
    /// Returns the slices that it has to do with, wherever work is by now: of what is begun, of what
    /// rules still follow, and the one whose tasks are watched.
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

    /// Returns the form that stands in its file: bounds that nothing was charged to are left out,
    /// but for those of what is begun or followed, which the tree may not name any more.
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

impl Seen {
    /// Returns the slice that is worked on with the tasks that are done now; nothing where there is
    /// none, or no rule that wants to know.
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

stored!(struct Seen { slice, done });

stored!(struct Given { unit, derived, prompt });

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
