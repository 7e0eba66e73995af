//! Where we differ from pi-workflows on purpose, each with a name and a reason.
//!
//! A difference is the original's defect, put back into our answer. Through the lens `theirs` all
//! of them are put back wherever they apply, and then the *whole* answer must be the original's:
//! nothing of a case goes unchecked, also where a session goes another way from the defect on and
//! the recording says nothing about ours. The lens notes what it had to put back.

use std::cell::RefCell;
use std::collections::BTreeSet;

use sprag_core::Plain;
use sprag_core::workflow::session::{Action, Answer, Effect, Event, Out, Session};
use sprag_core::workflow::{Definition, Definitions, Entry, Phase, Position, Segment, State, View};

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
}

impl Lens {
    /// Ours, as it is.
    pub(super) fn ours() -> Self {
        Self { theirs: false, used: RefCell::default() }
    }

    /// Ours with the original's defects put back.
    pub(super) fn theirs() -> Self {
        Self { theirs: true, used: RefCell::default() }
    }

    pub(super) const fn is_theirs(&self) -> bool {
        self.theirs
    }

    /// Notes that a defect was put back.
    pub(super) fn note(&self, difference: Difference) {
        self.used.borrow_mut().insert(difference.name());
    }

    /// Returns the names of the differences that mattered.
    pub(super) fn used(&self) -> BTreeSet<&'static str> {
        self.used.borrow().clone()
    }

    /// Returns `theirs` where it differs from `ours` and theirs is wanted.
    fn choose<T: PartialEq>(&self, difference: Difference, ours: T, theirs: T) -> T {
        if self.theirs && ours != theirs {
            self.note(difference);
            theirs
        } else {
            ours
        }
    }

    /// Returns a step's path as the original makes it: it goes into at most one more workflow
    /// than `levels`, and only from one that it stands before.
    pub(super) fn parked(&self, path: &[Segment], levels: usize) -> Vec<Segment> {
        let theirs = path[..levels.min(path.len())].to_vec();
        self.choose(Difference::LoopEnters, path.to_vec(), theirs)
    }

    /// Returns whether a cancel is pending after a step.
    pub(super) fn pending(&self, before: bool) -> bool {
        self.choose(Difference::CancelExpires, false, before)
    }

    /// Returns the prompt about the phase at hand.
    pub(super) fn context(&self, definitions: &Definitions, state: &State) -> Option<String> {
        let ours = View::of(definitions, state)?;
        let theirs = outer(&ours, definitions, &state.position);
        let view = self.choose(Difference::InnerScope, ours.context(), theirs.context());
        Some(view)
    }
}

/// Returns the view with the original's progress and neighbours.
fn outer(view: &View, definitions: &Definitions, position: &Position) -> View {
    let mut theirs = view.clone();
    let of = |segment: Option<&Segment>| segment.and_then(|at| definitions.get(&at.key));
    let (Some(root), Some(scope)) = (of(position.path.first()), of(position.path.last())) else {
        return theirs;
    };
    let at = view.place - 1;
    let name = |entry: Option<&Entry>, none: &str| {
        entry.map_or(none, |entry| definitions.name_of(entry)).to_owned()
    };
    theirs.previous = name(at.checked_sub(1).and_then(|at| root.phases.get(at)), "(start)");
    theirs.next = name(scope.phases.get(at + 1), "DONE");
    if position.path.len() > 1 {
        let target = match scope.phases.get(at) {
            Some(Entry::Workflow(key)) => definitions.get(key),
            Some(Entry::Phase(_)) | None => None,
        };
        theirs.total = target.unwrap_or(root).phases.len();
    }
    theirs
}

/// Stands for `{` in instructions that must not be filled in.
const HIDDEN: char = '\u{e000}';

/// Returns the workflows with instructions that nothing fills in.
pub(super) fn hidden(definitions: &Definitions) -> Definitions {
    let hide = |entry: &Entry| match entry {
        Entry::Workflow(key) => Entry::Workflow(key.clone()),
        Entry::Phase(phase) => {
            let instructions = phase.instructions.replace('{', &HIDDEN.to_string());
            Entry::Phase(Box::new(Phase { instructions, ..(**phase).clone() }))
        }
    };
    let whole = |known: &Definition| Definition {
        phases: known.phases.iter().map(hide).collect(),
        ..known.clone()
    };
    definitions.iter().map(|(key, known)| (key.to_owned(), whole(known))).collect()
}

/// Returns a text with its braces back.
pub(super) fn shown(text: &str) -> String {
    text.replace(HIDDEN, "{")
}

/// Takes an event as we do, or as the original does.
pub(super) fn take(session: &mut Session, event: Event, now: i64, lens: &Lens) -> Answer {
    if !lens.is_theirs() {
        return session.take(event, now);
    }
    let before = session.clone();
    let kind = event.clone();
    let mut answer = match event {
        Event::Step { .. } | Event::AgentEnd { .. } => unfilled(session, event, now, lens),
        Event::Open { .. }
        | Event::TurnEnd
        | Event::ToolCall { .. }
        | Event::AgentStart
        | Event::Start { .. }
        | Event::Cancel
        | Event::Complete { .. }
        | Event::Tick => session.take(event, now),
    };
    match &kind {
        Event::Step { action, .. } => step(session, &before, *action, &mut answer, lens),
        Event::AgentEnd { .. } | Event::Cancel => unsaid(&before, &mut answer, lens),
        Event::AgentStart => {
            if let (Out::Context { content }, Some(state)) = (&mut answer.out, &session.state) {
                *content = lens.context(&session.definitions, state).unwrap_or_default();
            }
        }
        Event::Open { .. }
        | Event::TurnEnd
        | Event::ToolCall { .. }
        | Event::Start { .. }
        | Event::Complete { .. }
        | Event::Tick => {}
    }
    counting(session, &before, &kind, &mut answer, lens);
    answer
}

/// Takes an event with instructions that are not filled in.
fn unfilled(session: &mut Session, event: Event, now: i64, lens: &Lens) -> Answer {
    let mut ours = session.clone();
    let plain = ours.take(event.clone(), now);
    let definitions = std::mem::replace(&mut session.definitions, hidden(&ours.definitions));
    let mut answer = session.take(event, now);
    session.definitions = definitions;
    if let Out::Step(result) = &mut answer.out {
        result.text = shown(&result.text);
    }
    if let Some(countdown) = &mut session.countdown {
        countdown.reminder = shown(&countdown.reminder);
    }
    if answer != plain || session.countdown != ours.countdown {
        lens.note(Difference::FilledIn);
    }
    answer
}

/// Gives a state written down by this answer, and the session's own, another form.
fn rewrite(session: &mut Session, answer: &mut Answer, change: impl Fn(&mut State)) {
    for effect in &mut answer.effects {
        if let Effect::AppendEntry { state } = effect {
            change(state);
        }
    }
    session.state.iter_mut().for_each(change);
}

fn step(session: &mut Session, before: &Session, action: Action, answer: &mut Answer, lens: &Lens) {
    let (Some(was), Some(is)) = (before.state.clone(), session.state.clone()) else { return };
    let moved = is.position.steps != was.position.steps;
    if !moved || matches!(action, Action::Cancel | Action::Status) {
        return;
    }
    let pending = lens.pending(was.pending);
    rewrite(session, answer, |state| state.pending = pending);
    let summary = lens.choose(Difference::SummaryKept, is.summary.clone(), was.summary.clone());
    rewrite(session, answer, |state| state.summary.clone_from(&summary));
    let levels = was.position.path.len();
    let stood_before = standing(&before.definitions, &was.position.path);
    let path = match action {
        Action::Loop => lens.parked(&is.position.path, levels),
        Action::Next if stood_before => lens.parked(&is.position.path, levels + 1),
        Action::Next | Action::Cancel | Action::Status => return,
    };
    if path != is.position.path {
        let names = |path: &[Segment]| name_at(&before.definitions, path);
        if let Out::Step(result) = &mut answer.out {
            let (entry, scope) = names(&path);
            let (_, ours) = names(&is.position.path);
            result.text = result.text.replacen(
                &format!("✓ Entered subworkflow '{ours}'"),
                &format!("✓ Entered subworkflow '{scope}'"),
                1,
            );
            set(&mut result.details, "to", entry.into());
        }
        rewrite(session, answer, |state| state.position.path.clone_from(&path));
    }
}

fn set(map: &mut Plain, key: &str, value: Plain) {
    if let Plain::Map(entries) = map
        && let Some((_, slot)) = entries.iter_mut().find(|(known, _)| known == key)
    {
        *slot = value;
    }
}

/// Returns whether a path ends before a workflow that was not entered.
pub(super) fn standing(definitions: &Definitions, path: &[Segment]) -> bool {
    let top = path.last().and_then(|top| definitions.get(&top.key)?.entry(top.index));
    matches!(top, Some(Entry::Workflow(key)) if definitions.get(key).is_some())
}

/// Returns the names of the innermost entry and of its workflow.
pub(super) fn name_at(definitions: &Definitions, path: &[Segment]) -> (String, String) {
    let found = path.last().and_then(|top| {
        let scope = definitions.get(&top.key)?;
        Some((definitions.name_of(scope.entry(top.index)?).to_owned(), scope.name.clone()))
    });
    found.unwrap_or_default()
}

/// Writes the end down as the original does: as if it had not been said.
fn unsaid(before: &Session, answer: &mut Answer, lens: &Lens) {
    let was = before.state.as_ref().and_then(|state| state.notified);
    for effect in &mut answer.effects {
        if let Effect::AppendEntry { state } = effect {
            state.notified = lens.choose(Difference::NoticeOnce, state.notified, was);
        }
    }
}

/// Lets a countdown go on that we stop; the original never takes its widget away by force.
fn counting(
    session: &mut Session,
    before: &Session,
    event: &Event,
    answer: &mut Answer,
    lens: &Lens,
) {
    if before.countdown.is_none() || matches!(event, Event::Tick) {
        return;
    }
    let ours = answer.effects.len();
    answer.effects.retain(|effect| *effect != Effect::SetWidget { line: None });
    let mut changed = answer.effects.len() != ours;
    if session.countdown.is_none() && !matches!(event, Event::Open { .. }) {
        session.countdown.clone_from(&before.countdown);
        changed = true;
    }
    if changed {
        lens.note(Difference::CountdownStops);
    }
}
