//! Where we differ from pi-workflows on purpose, each with a name and a reason.
//!
//! A difference is a rule, no list of cases. Looked at through [`Lens::theirs`], our session
//! stands at every step where the original stood. Where a rule applies, it computes what we must
//! answer from what the original answered; ours must be exactly that. Then the original's answer
//! and state take the place of ours, and the whole recording must come out: nothing else in a
//! case goes unchecked, also not after the point where a session of ours would go another way.

use std::cell::RefCell;
use std::collections::BTreeSet;

use std::fmt::Debug;

use sprag_core::workflow::{Definitions, Entry, Position, Segment, State, View};

/// A deliberate difference; docs/differences.md has a line for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Difference {
    /// The original forgets that it said the end, and says it again after every restart.
    NoticeOnce,
    /// The original lets one cancel, asked for long ago, count as the first of two.
    CancelExpires,
    /// The original takes progress and neighbours of a nested phase from the outermost workflow.
    InnerScope,
    /// The original loops back to before a subworkflow instead of into it.
    LoopEnters,
    /// The original shows instructions with their variables unfilled outside the context prompt.
    FilledIn,
    /// The original ignores the summary of a phase.
    SummaryKept,
    /// The original keeps a workflow whose subworkflow was taken out, and gets stuck in it.
    Cascade,
    /// The original counts down, and reminds, although something else goes on.
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

/// Whose answer is wanted.
pub(super) struct Lens {
    theirs: bool,
    used: RefCell<BTreeSet<&'static str>>,
    wrong: RefCell<Vec<String>>,
}

impl Lens {
    /// Ours, as it is.
    pub(super) fn ours() -> Self {
        Self { theirs: false, used: RefCell::default(), wrong: RefCell::default() }
    }

    /// The original's, made from ours.
    pub(super) fn theirs() -> Self {
        Self { theirs: true, ..Self::ours() }
    }

    pub(super) const fn is_theirs(&self) -> bool {
        self.theirs
    }

    /// Returns the names of the differences that mattered.
    pub(super) fn used(&self) -> BTreeSet<&'static str> {
        self.used.borrow().clone()
    }

    /// Returns where our answer is not the one that a difference asks for.
    pub(super) fn wrong(&self) -> Vec<String> {
        self.wrong.borrow().clone()
    }

    /// Returns the original's `theirs` in the place of `ours`, which must be `fixed` where the
    /// difference matters.
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

    /// Returns the path after a step into another workflow: the original goes no deeper than
    /// `levels`, we go down to a phase.
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

    /// Returns the prompt about the phase at hand.
    pub(super) fn context(&self, definitions: &Definitions, state: &State) -> Option<String> {
        let ours = View::of(definitions, state)?;
        if state.position.path.len() == 1 {
            return Some(ours.context());
        }
        let fixed = inner(&ours, definitions, &state.position).context();
        let theirs = outer(&ours, definitions, &state.position).context();
        Some(self.fix(Difference::InnerScope, ours.context(), &fixed, theirs))
    }
}

/// Returns the name of an entry, or what stands for none.
fn name(definitions: &Definitions, entry: Option<&Entry>, none: &str) -> String {
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
        Some(Entry::Workflow(key)) => definitions.get(key),
        Some(Entry::Phase(_)) | None => None,
    };
    theirs.total = target.unwrap_or(root).phases.len();
    theirs
}

/// Returns the workflow that a path ends before without having entered it.
pub(super) fn standing<'d>(definitions: &'d Definitions, path: &[Segment]) -> Option<&'d str> {
    let top = path.last()?;
    match definitions.get(&top.key)?.entry(top.index)? {
        Entry::Workflow(key) => definitions.get(key).map(|_| key.as_str()),
        Entry::Phase(_) => None,
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
