use super::workflows;
use crate::workflow::session::{
    AgentAction, AgentRunEnd, Effect, Event, EventAnswer, Face, Out, Session,
};
use crate::workflow::{Definitions, SessionRecord};
use crate::{Plain, Stored};

/// A session in which `dev` was started.
fn started(definitions: &Definitions) -> Session {
    let mut session = Session::default();
    let start = Event::Start {
        args: "dev the task".to_owned(),
        fresh: definitions.clone(),
        suffix: "abc".to_owned(),
        confirm: false,
    };
    session.take(start, 0);
    session
}

fn step(session: &mut Session, action: AgentAction) -> EventAnswer {
    session.take(Event::Step { action, summary: None }, 0)
}

fn text(answer: &EventAnswer) -> &str {
    match &answer.out {
        Out::Step(result) => &result.text,
        Out::Context { content } => content,
        Out::Nothing | Out::Block { .. } | Out::Commands(_) => "",
    }
}

fn agent_end(session: &mut Session, now: i64) -> EventAnswer {
    session.take(Event::AgentEnd { ended: AgentRunEnd::Itself, face: Face::Widget }, now)
}

fn written(answer: &EventAnswer) -> Option<&SessionRecord> {
    answer.effects.iter().rev().find_map(|effect| match effect {
        Effect::AppendEntry { state } => Some(&**state),
        Effect::SetStatus { .. }
        | Effect::SetWidget { .. }
        | Effect::SendMessage { .. }
        | Effect::SendUserMessage { .. }
        | Effect::SetSessionName { .. }
        | Effect::Notify { .. }
        | Effect::Confirm { .. } => None,
    })
}

#[test]
fn the_end_is_said_once_also_after_a_restart() {
    let definitions = workflows(&["dev: Plan"]);
    for end in [AgentAction::Next, AgentAction::Cancel] {
        let mut session = started(&definitions);
        step(&mut session, end);
        step(&mut session, end);
        let answer = agent_end(&mut session, 0);
        let state = written(&answer).cloned().unwrap();
        assert_eq!(state.notified, Some(true));
        let open = Event::Open { fresh: definitions.clone(), state: Ok(Some(state)) };
        session.take(open, 0);
        assert_eq!(agent_end(&mut session, 0), EventAnswer::default());
    }
    let mut session = started(&definitions);
    let state = written(&session.take(Event::Cancel, 0)).cloned();
    assert_eq!(state.unwrap().notified, Some(true));
}

#[test]
fn a_cancel_asked_for_before_a_step_does_not_count_after_it() {
    for between in [AgentAction::Next, AgentAction::Loop] {
        let mut session = started(&workflows(&["dev: Plan Build"]));
        step(&mut session, AgentAction::Cancel);
        step(&mut session, between);
        let answer = step(&mut session, AgentAction::Cancel);
        assert!(text(&answer).starts_with("⚠️ **Confirm cancellation**"), "{answer:?}");
        assert!(text(&step(&mut session, AgentAction::Cancel)).starts_with("Workflow cancelled"));
    }
}

#[test]
fn neighbours_and_progress_are_those_of_the_innermost_workflow_and_its_parents() {
    let mut session = started(&workflows(&["dev: Plan @qa Build", "qa: Review Test Ship"]));
    for (expect, progress) in [
        ("Do Plan: (start), Plan, QA.", "Step 0 (1/3 phases)"),
        ("Do Review: Plan, Review, Test.", "Step 1 (1/3 in current scope)"),
        ("Do Test: Review, Test, Ship.", "Step 2 (2/3 in current scope)"),
        ("Do Ship: Test, Ship, Build.", "Step 3 (3/3 in current scope)"),
        ("Do Build: QA, Build, DONE.", "Step 4 (3/3 phases)"),
    ] {
        let context = session.take(Event::AgentStart, 0);
        assert!(text(&context).contains(expect), "{}", text(&context));
        assert!(text(&context).contains(progress), "{}", text(&context));
        step(&mut session, AgentAction::Next);
    }
}

#[test]
fn a_loop_goes_into_the_workflow_that_comes_first() {
    let mut session = started(&workflows(&["dev: @qa Build", "qa: @ship", "ship: Deploy Wrap"]));
    step(&mut session, AgentAction::Next);
    step(&mut session, AgentAction::Next);
    let answer = step(&mut session, AgentAction::Loop);
    assert!(text(&answer).starts_with("🔄 Looped 'DEV' back to: 🔨 Deploy"), "{answer:?}");
    let status = session.take(Event::TurnEnd, 0);
    let line = "DEV > QA [1/2] > SHIP [1/1] > 🔨 Deploy [1/2]".to_owned();
    assert_eq!(status.effects, [Effect::SetStatus { text: Some(line) }]);
}

#[test]
fn instructions_are_filled_in_wherever_they_are_shown() {
    let mut session = started(&workflows(&["dev: Plan Build"]));
    assert!(
        text(&step(&mut session, AgentAction::Status)).contains("Do Plan: (start), Plan, Build.")
    );
    assert!(text(&step(&mut session, AgentAction::Next)).ends_with("Do Build: Plan, Build, DONE."));
    assert!(
        text(&step(&mut session, AgentAction::Loop)).ends_with("Do Plan: (start), Plan, Build.")
    );
    agent_end(&mut session, 0);
    let sent = session.take(Event::Tick, 3000).effects;
    assert!(matches!(sent.last(), Some(Effect::SendUserMessage { text })
        if text.contains("Do Plan: (start), Plan, Build.")));
}

#[test]
fn a_summary_is_written_down_with_the_step_it_came_with() {
    let mut session = started(&workflows(&["dev: Plan Build Ship"]));
    let summary = Some("planned".to_owned());
    let answer = session.take(Event::Step { action: AgentAction::Next, summary }, 0);
    let data = written(&answer).unwrap().lower();
    let Plain::Map(fields) = &data else { panic!("{data:?}") };
    assert!(fields.contains(&("summary".to_owned(), "planned".to_owned().lower())));
    assert_eq!(SessionRecord::lift(&data).unwrap().summary.as_deref(), Some("planned"));
    assert_eq!(written(&step(&mut session, AgentAction::Next)).unwrap().summary, None);
}

#[test]
fn whatever_goes_on_stops_the_countdown() {
    let definitions = workflows(&["dev: Plan Build"]);
    let start = Event::Start {
        args: "dev other".to_owned(),
        fresh: definitions.clone(),
        suffix: "x".to_owned(),
        confirm: true,
    };
    let next = Event::Step { action: AgentAction::Next, summary: None };
    let back = Event::Step { action: AgentAction::Loop, summary: None };
    let open = Event::Open { fresh: definitions.clone(), state: Ok(None) };
    for event in [Event::AgentStart, next, back, start, open, Event::Cancel] {
        let mut session = started(&definitions);
        agent_end(&mut session, 0);
        let answer = session.take(event.clone(), 1500);
        assert!(answer.effects.contains(&Effect::SetWidget { line: None }), "{event:?}");
        assert_eq!(session.take(Event::Tick, 9000), EventAnswer::default(), "{event:?}");
    }
}

#[test]
fn a_step_without_its_workflow_is_an_error_and_changes_nothing() {
    let mut session = started(&workflows(&["dev: Plan Build"]));
    session.definitions = Definitions::default();
    let before = session.clone();
    for action in [AgentAction::Next, AgentAction::Loop, AgentAction::Status] {
        let answer = step(&mut session, action);
        assert!(answer.effects.is_empty(), "{action:?}");
        assert_eq!(session, before, "{action:?}");
    }
}
