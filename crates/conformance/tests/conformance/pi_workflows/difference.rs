//! Intended differences from pi-workflows, each with a name and a reason.
//!
//! A difference is a rule, not a list of cases. Seen through [`Lens::theirs`], sprag's session is
//! in the original's state at every step. Where a rule applies, it computes sprag's required answer
//! from the original's; sprag's must equal it exactly. Then the original's answer and state replace
//! sprag's, and the whole recording must match. So everything else in a case is checked, even after
//! the point where sprag's session would take another path.

use std::cell::RefCell;
use std::collections::BTreeSet;

use std::fmt::Debug;

use sprag_core::workflow::{Definitions, OrderEntry, Position, Segment, SessionRecord, View};

/// A deliberate difference; docs/differences.md has a line for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Difference {
    /// The original forgets that it announced the end, and repeats it after every restart.
    NoticeOnce,
    /// The original counts an old, unconfirmed cancel as the first of two.
    CancelExpires,
    /// The original takes progress and neighbours of a nested phase from the outermost workflow.
    InnerScope,
    /// The original loops back to before a subworkflow instead of into it.
    LoopEnters,
    /// The original shows instructions with unfilled variables outside the context prompt.
    FilledIn,
    /// The original ignores the summary of a phase.
    SummaryKept,
    /// The original keeps a workflow whose subworkflow was removed, and gets stuck in it.
    Cascade,
    /// The original counts down and reminds although something else is in progress.
    CountdownStops,
}

impl Difference {
    const fn name(self) -> &'static str {
        match self {
            Self::NoticeOnce => "notice-once",
            Self::CancelExpires => "cancel-expires",
            Self::InnerScope => "inner-scope",
            Self::LoopEnters => "loop-enters",
            Self::FilledIn => "filled-in",
            Self::SummaryKept => "summary-kept",
            Self::Cascade => "cascade",
            Self::CountdownStops => "countdown-stops",
        }
    }
}

/// The view of a session: sprag's or the original's.
pub(super) struct Lens {
    theirs: bool,
    used: RefCell<BTreeSet<&'static str>>,
    wrong: RefCell<Vec<String>>,
}

impl Lens {
    /// sprag's answers, unchanged.
    pub(super) fn ours() -> Self {
        Self { theirs: false, used: RefCell::default(), wrong: RefCell::default() }
    }

    /// The original's answers, derived from sprag's.
    pub(super) fn theirs() -> Self {
        Self { theirs: true, ..Self::ours() }
    }

    pub(super) const fn is_theirs(&self) -> bool {
        self.theirs
    }

    /// Returns the names of the differences that had an effect.
    pub(super) fn used(&self) -> BTreeSet<&'static str> {
        self.used.borrow().clone()
    }

    /// Returns where sprag's answer is not the one that a difference requires.
    pub(super) fn wrong(&self) -> Vec<String> {
        self.wrong.borrow().clone()
    }

    /// Returns the original's `theirs` instead of `ours`, which must equal `fixed` if the
    /// difference has an effect.
    pub(super) fn fix<T: PartialEq + Debug>(
        &self,
        difference: Difference,
        ours: T,
        fixed: &T,
        theirs: T,
    ) -> T {
        if !self.theirs || *fixed == theirs {
            return ours;
        }
        let name = difference.name();
        self.used.borrow_mut().insert(name);
        if ours != *fixed {
            let what = format!("`{name}` asks for {fixed:?}, ours is {ours:?}");
            self.wrong.borrow_mut().push(what);
        }
        theirs
    }

    /// Returns the path after a step into another workflow: the original descends at most `levels`,
    /// sprag down to a phase.
    pub(super) fn entered(
        &self,
        definitions: &Definitions,
        path: &[Segment],
        levels: usize,
    ) -> Vec<Segment> {
        let theirs = path[..levels.min(path.len())].to_vec();
        let mut fixed = theirs.clone();
        while let Some(key) = standing(definitions, &fixed) {
            fixed.push(Segment { key: key.to_owned(), index: 0 });
        }
        self.fix(Difference::LoopEnters, path.to_vec(), &fixed, theirs)
    }

    /// Returns whether a cancel is pending after a step.
    pub(super) fn pending(&self, ours: bool, before: bool) -> bool {
        self.fix(Difference::CancelExpires, ours, &false, before)
    }

    /// Returns the prompt about the current phase.
    pub(super) fn context(
        &self,
        definitions: &Definitions,
        state: &SessionRecord,
    ) -> Option<String> {
        let ours = View::of(definitions, state)?;
        if state.position.path.len() == 1 {
            return Some(ours.context());
        }
        let fixed = inner(&ours, definitions, &state.position).context();
        let theirs = outer(&ours, definitions, &state.position).context();
        Some(self.fix(Difference::InnerScope, ours.context(), &fixed, theirs))
    }
}

/// Returns the name of an entry, or `none`.
fn name(definitions: &Definitions, entry: Option<&OrderEntry>, none: &str) -> String {
    entry.map_or(none, |entry| definitions.name_of(entry)).to_owned()
}

/// Returns the view with progress and neighbours of the innermost workflow and its parents.
fn inner(view: &View, definitions: &Definitions, position: &Position) -> View {
    let mut fixed = view.clone();
    let levels = || position.path.iter().rev();
    let entry = |at: &Segment, index: i64| definitions.get(&at.key)?.entry(index);
    let before = levels().find_map(|at| entry(at, at.index - 1));
    let after = levels().find_map(|at| entry(at, at.index + 1));
    fixed.previous = name(definitions, before, "(start)");
    fixed.next = name(definitions, after, "DONE");
    let scope = position.path.last().and_then(|at| definitions.get(&at.key));
    fixed.total = scope.map_or(0, |scope| scope.phases.len());
    fixed
}

/// Returns the view with the original's progress and neighbours.
fn outer(view: &View, definitions: &Definitions, position: &Position) -> View {
    let mut theirs = view.clone();
    let of = |segment: Option<&Segment>| segment.and_then(|at| definitions.get(&at.key));
    let (Some(root), Some(scope)) = (of(position.path.first()), of(position.path.last())) else {
        return theirs;
    };
    let at = view.place - 1;
    let before = at.checked_sub(1).and_then(|at| root.phases.get(at));
    theirs.previous = name(definitions, before, "(start)");
    theirs.next = name(definitions, scope.phases.get(at + 1), "DONE");
    let target = match scope.phases.get(at) {
        Some(OrderEntry::Workflow(key)) => definitions.get(key),
        Some(OrderEntry::Phase(_)) | None => None,
    };
    theirs.total = target.unwrap_or(root).phases.len();
    theirs
}

/// Returns the workflow that a path ends before without having entered it.
pub(super) fn standing<'d>(definitions: &'d Definitions, path: &[Segment]) -> Option<&'d str> {
    let top = path.last()?;
    match definitions.get(&top.key)?.entry(top.index)? {
        OrderEntry::Workflow(key) => definitions.get(key).map(|_| key.as_str()),
        OrderEntry::Phase(_) => None,
    }
}

/// Returns the names of the innermost entry and of its workflow.
pub(super) fn name_at(definitions: &Definitions, path: &[Segment]) -> (String, String) {
    let found = path.last().and_then(|top| {
        let scope = definitions.get(&top.key)?;
        Some((definitions.name_of(scope.entry(top.index)?).to_owned(), scope.name.clone()))
    });
    found.unwrap_or_default()
}
