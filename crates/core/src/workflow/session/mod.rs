//! A host's session with its workflow: events in, answers and effects out.
//!
//! The host's bridge owns a [`Session`], passes it every event and performs the returned effects.
//! Disk contents, time and randomness come in with the events.

mod command;
mod countdown;
mod event;
mod tool;

pub(super) use command::first_message;
pub use countdown::Countdown;
pub use event::{
    AgentAction, AgentRunEnd, Effect, Event, EventAnswer, Face, Out, ResultKind, StepResult,
    contract,
};

use super::template::fill;
use super::{Definitions, SessionRecord, View, blocked, status_line, texts};

/// The state of a session between events.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Session {
    /// The workflows as they were last read.
    pub definitions: Definitions,
    /// The current workflow.
    pub state: Option<SessionRecord>,
    /// The reminder about to be sent.
    pub countdown: Option<Countdown>,
}

impl Session {
    /// Handles an event at `now`, in milliseconds since 1970.
    pub fn take(&mut self, event: Event, now: i64) -> EventAnswer {
        let mut answer = EventAnswer::default();
        match event {
            Event::Open { fresh, state } => self.open(fresh, state, &mut answer),
            Event::TurnEnd => answer.effects.push(self.status()),
            Event::ToolCall { tool } => {
                let reason = blocked(&self.definitions, self.state.as_ref(), &tool);
                answer.out = reason.map_or(Out::Nothing, |reason| Out::Block { reason });
            }
            Event::AgentStart => {
                self.stop(&mut answer);
                let content = self.view().map(|view| view.context());
                answer.out = content.map_or(Out::Nothing, |content| Out::Context { content });
            }
            Event::AgentEnd { ended, face } => self.agent_end(ended, face, now, &mut answer),
            Event::Step { action, summary } => {
                let result = self.step(action, summary.as_deref(), &mut answer);
                answer.out = Out::Step(result);
            }
            Event::Start { args, fresh, suffix, confirm } => {
                let start = command::StartInput { fresh, suffix, confirm, now };
                self.start(&args, start, &mut answer);
            }
            Event::Cancel => self.cancel(&mut answer),
            Event::Complete { prefix, known } => {
                let shown = known.shown().map(|known| known.command.clone());
                let fitting: Vec<_> = shown.filter(|text| text.starts_with(&prefix)).collect();
                answer.out = if fitting.is_empty() { Out::Nothing } else { Out::Commands(fitting) };
            }
            Event::Tick => self.tick(now, &mut answer),
        }
        answer
    }

    fn open(
        &mut self,
        fresh: Definitions,
        state: Result<Option<SessionRecord>, &'static str>,
        answer: &mut EventAnswer,
    ) {
        self.stop(answer);
        self.definitions = fresh;
        self.state = state.unwrap_or_else(|why| {
            answer.warnings.push(why);
            None
        });
        answer.effects.push(self.status());
    }

    fn agent_end(&mut self, ended: AgentRunEnd, face: Face, now: i64, answer: &mut EventAnswer) {
        let Some(state) = &self.state else { return };
        if !state.active {
            if state.notified != Some(true) {
                self.notice(answer);
            }
            return;
        }
        if ended == AgentRunEnd::Aborted {
            return;
        }
        let Some(view) = self.view() else { return };
        let (countdown, effect) = Countdown::start(view.reminder(), face, now);
        self.countdown = Some(countdown);
        answer.effects.push(effect);
    }

    /// Reports once that the workflow is over, and records that in the session.
    fn notice(&mut self, answer: &mut EventAnswer) {
        let Some(state) = &self.state else { return };
        let Some(content) = notice(&self.definitions, state) else { return };
        let said = SessionRecord { notified: Some(true), ..state.clone() };
        self.stop(answer);
        answer.effects.extend([
            Effect::SendMessage { kind: "complete", content },
            Effect::SetStatus { text: None },
            Effect::AppendEntry { state: Box::new(said) },
        ]);
        self.state = None;
    }

    fn tick(&mut self, now: i64, answer: &mut EventAnswer) {
        let Some(countdown) = &mut self.countdown else { return };
        let (effects, over) = countdown.tick(now);
        answer.effects.extend(effects);
        if over {
            self.countdown = None;
        }
    }

    /// Stops the countdown because something else happens.
    fn stop(&mut self, answer: &mut EventAnswer) {
        answer.effects.extend(self.countdown.take().and_then(|countdown| countdown.stop()));
    }

    /// Sets a new state and stores it in the session.
    fn store(&mut self, state: SessionRecord, answer: &mut EventAnswer) {
        answer.effects.push(Effect::AppendEntry { state: Box::new(state.clone()) });
        self.state = Some(state);
    }

    fn active(&self) -> Option<&SessionRecord> {
        self.state.as_ref().filter(|state| state.active)
    }

    fn view(&self) -> Option<View> {
        View::of(&self.definitions, self.state.as_ref()?)
    }

    fn status(&self) -> Effect {
        Effect::SetStatus { text: status_line(&self.definitions, self.state.as_ref()) }
    }
}

/// Returns the notice at the end of a workflow.
pub(super) fn notice(definitions: &Definitions, state: &SessionRecord) -> Option<String> {
    let root = definitions.get(&state.key)?;
    let default = if state.cancelled == Some(true) { texts::CANCELLED } else { texts::COMPLETE };
    let task = state.task();
    let count = root.phases.len().to_string();
    let values = [
        ("workflowName", root.name.as_str()),
        ("taskDescription", &task),
        ("taskId", state.task_id()),
        ("phaseCount", &count),
    ];
    Some(fill(root.texts.complete.as_deref().unwrap_or(default), &values))
}
