//! sprag's session, moved step by step to the original's states.

use sprag_core::Plain;
use sprag_core::workflow::session::{AgentAction, Effect, Event, EventAnswer, Out, Session};
use sprag_core::workflow::{
    Definition, Definitions, OrderEntry, Phase, Segment, SessionRecord, View,
};

use super::difference::{Difference, Lens, name_at, standing};

/// Handles an event as sprag does, or as the original does.
pub(super) fn take(session: &mut Session, event: Event, now: i64, lens: &Lens) -> EventAnswer {
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
    counting(session, &before, &kind, &mut answer, lens);
    match &kind {
        Event::Step { action, summary } => {
            stepped(session, &before, (*action, summary.as_ref()), &mut answer, lens);
        }
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
    answer
}

/// Placeholders for `{`: in instructions that must stay unfilled, and in all other texts.
const HIDDEN: &str = "\u{e000}";
const OTHER: &str = "\u{e001}";

/// Returns the workflows with instructions that stay unfilled.
fn hidden(definitions: &Definitions) -> Definitions {
    let hide = |entry: &OrderEntry| match entry {
        OrderEntry::Workflow(key) => OrderEntry::Workflow(key.clone()),
        OrderEntry::Phase(phase) => {
            let instructions = phase.instructions.replace('{', HIDDEN);
            OrderEntry::Phase(Box::new(Phase { instructions, ..(**phase).clone() }))
        }
    };
    let whole = |known: &Definition| Definition {
        phases: known.phases.iter().map(hide).collect(),
        ..known.clone()
    };
    definitions.iter().map(|(key, known)| (key.to_owned(), whole(known))).collect()
}

/// Handles an event with unfilled instructions; sprag's answer must be the same, filled in.
fn unfilled(session: &mut Session, event: Event, now: i64, lens: &Lens) -> EventAnswer {
    let mut ours = session.clone();
    let plain = ours.take(event.clone(), now);
    let definitions = std::mem::take(&mut session.definitions);
    session.definitions = hidden(&definitions);
    let mut answer = session.take(event, now);
    session.definitions = definitions;
    let view = ours.state.as_ref().and_then(|state| View::of(&ours.definitions, state));
    let filled = |text: &str| {
        let open = text.replace('{', OTHER).replace(HIDDEN, "{");
        view.as_ref().map_or(open.clone(), |view| view.fill(&open)).replace(OTHER, "{")
    };
    let choose = |ours: &str, raw: &str| {
        let theirs = raw.replace(HIDDEN, "{");
        lens.fix(Difference::FilledIn, ours.to_owned(), &filled(raw), theirs)
    };
    if let (Out::Step(theirs), Out::Step(ours)) = (&mut answer.out, &plain.out) {
        theirs.text = choose(&ours.text, &theirs.text);
    }
    if let (Some(theirs), Some(ours)) = (&mut session.countdown, &ours.countdown) {
        theirs.reminder = choose(&ours.reminder, &theirs.reminder);
    }
    answer
}

/// Changes every state that this answer writes, and the session's own.
fn rewrite(session: &mut Session, answer: &mut EventAnswer, change: impl Fn(&mut SessionRecord)) {
    for effect in &mut answer.effects {
        if let Effect::AppendEntry { state } = effect {
            change(state);
        }
    }
    session.state.iter_mut().for_each(change);
}

/// Moves a step to where the original's step led.
fn stepped(
    session: &mut Session,
    before: &Session,
    (action, summary): (AgentAction, Option<&String>),
    answer: &mut EventAnswer,
    lens: &Lens,
) {
    let (Some(was), Some(is)) = (before.state.clone(), session.state.clone()) else { return };
    let moved = is.position.steps != was.position.steps;
    if !moved || matches!(action, AgentAction::Cancel | AgentAction::Status) {
        return;
    }
    let pending = lens.pending(is.pending, was.pending);
    let kept = summary.filter(|_| action == AgentAction::Next).cloned();
    let summary = lens.fix(Difference::SummaryKept, is.summary.clone(), &kept, was.summary.clone());
    let (from, to) = (&was.position.path, &is.position.path);
    let definitions = &before.definitions;
    let path = match action {
        AgentAction::Loop => lens.entered(definitions, to, from.len()),
        AgentAction::Next if standing(definitions, from).is_some() => {
            lens.entered(definitions, to, from.len() + 1)
        }
        AgentAction::Next | AgentAction::Cancel | AgentAction::Status => to.clone(),
    };
    if path != *to {
        renamed(definitions, to, &path, answer);
    }
    rewrite(session, answer, |state| {
        state.pending = pending;
        state.summary.clone_from(&summary);
        state.position.path.clone_from(&path);
    });
}

/// Replaces the name of the entry that sprag reached by the one that the original reached.
fn renamed(
    definitions: &Definitions,
    ours: &[Segment],
    theirs: &[Segment],
    answer: &mut EventAnswer,
) {
    let Out::Step(result) = &mut answer.out else { return };
    let (entry, scope) = name_at(definitions, theirs);
    let (_, inner) = name_at(definitions, ours);
    let entered = |scope: &str| format!("✓ Entered subworkflow '{scope}'");
    result.text = result.text.replacen(&entered(&inner), &entered(&scope), 1);
    if let Plain::Map(details) = &mut result.details {
        for (_, to) in details.iter_mut().filter(|(key, _)| key == "to") {
            *to = entry.as_str().into();
        }
    }
}

/// Records the end as the original does: as if it had not been announced.
fn unsaid(before: &Session, answer: &mut EventAnswer, lens: &Lens) {
    let was = before.state.as_ref().and_then(|state| state.notified);
    for effect in &mut answer.effects {
        if let Effect::AppendEntry { state } = effect {
            state.notified = lens.fix(Difference::NoticeOnce, state.notified, &Some(true), was);
        }
    }
}

/// Continues a countdown where sprag stops it because something else is in progress.
fn counting(
    session: &mut Session,
    before: &Session,
    event: &Event,
    answer: &mut EventAnswer,
    lens: &Lens,
) {
    let Some(running) = &before.countdown else { return };
    let writes = answer.effects.iter().any(|effect| matches!(effect, Effect::AppendEntry { .. }));
    let opens = matches!(event, Event::Open { .. });
    if !(writes || opens || matches!(event, Event::AgentStart)) {
        return;
    }
    let removal = Effect::SetWidget { line: None };
    let ours = std::mem::take(&mut answer.effects);
    let theirs: Vec<_> = ours.iter().filter(|effect| **effect != removal).cloned().collect();
    // A person is asked first; then the countdown is removed, then the rest follows.
    let asked = theirs.iter().take_while(|effect| matches!(effect, Effect::Confirm { .. })).count();
    let mut fixed = theirs.clone();
    if running.stop().is_some() {
        fixed.insert(asked, removal);
    }
    answer.effects = lens.fix(Difference::CountdownStops, ours, &fixed, theirs);
    let goes_on = (!opens).then(|| running.clone());
    let countdown = session.countdown.take();
    session.countdown = lens.fix(Difference::CountdownStops, countdown, &None, goes_on);
}
