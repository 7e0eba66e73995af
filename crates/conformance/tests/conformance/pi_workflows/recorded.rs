//! Replays the events of a recorded session.

use sprag_conformance::{as_list, as_text, entries, field, is_true};
use sprag_core::Plain;
use sprag_core::workflow::session::{
    AgentAction, AgentRunEnd, Effect, Event, EventAnswer, Face, Session,
};
use sprag_core::workflow::{ENTRY, SessionBranch, reconstruct};
use sprag_formats::workflow::PathEntry;

use super::difference::Lens;
use super::load::{Files, both, files, global, tiers};
use super::original::take;

/// The start time of every recording, and the suffix of its task ids.
pub(super) const NOW: i64 = 1_700_000_000_000;
const SUFFIX: &str = "4fzzzx";

struct Host<'l> {
    session: Session,
    files: Files,
    branch: Vec<Plain>,
    face: Face,
    send_fails: bool,
    now: i64,
    lens: &'l Lens,
}

/// Answers `session`.
pub(super) fn answer(input: &Plain, lens: &Lens) -> Plain {
    let mut host = Host {
        session: Session::default(),
        files: files(input),
        branch: as_list(field(input, "branch")).to_vec(),
        face: face(input),
        send_fails: false,
        now: NOW,
        lens,
    };
    let steps = as_list(field(input, "events")).iter().map(|event| host.step(event)).collect();
    Plain::map([("steps", Plain::List(steps))])
}

/// Returns whether the host can show a widget, which is the default.
pub(super) fn face(input: &Plain) -> Face {
    if *field(input, "hasUI") == Plain::Bool(false) { Face::Plain } else { Face::Widget }
}

/// Determines from its messages how a run ended.
pub(super) fn ended(input: &Plain) -> AgentRunEnd {
    let is = |message: &&Plain| as_text(field(message, "role")) == Some("assistant");
    let last = as_list(field(input, "messages")).iter().rev().find(is);
    match last.and_then(|message| as_text(field(message, "stopReason"))) {
        Some("aborted") => AgentRunEnd::Aborted,
        Some(_) | None => AgentRunEnd::Itself,
    }
}

/// Reads the state that a branch leads to.
pub(super) fn state_of(
    branch: &[Plain],
) -> Result<Option<sprag_core::workflow::SessionRecord>, &'static str> {
    let entry = |entry| SessionBranch {
        kind: as_text(field(entry, "type")).unwrap_or_default(),
        custom: as_text(field(entry, "customType")).unwrap_or_default(),
        data: field(entry, "data"),
    };
    reconstruct(branch.iter().map(entry))
}

/// Returns what a host did about an effect.
pub(super) fn performed(effect: &Effect, send_fails: bool) -> Plain {
    match effect {
        Effect::SendUserMessage { text } if send_fails => {
            Plain::map([("fx", "send_user_message_failed".into()), ("text", text.as_str().into())])
        }
        Effect::AppendEntry { .. }
        | Effect::SetStatus { .. }
        | Effect::SetWidget { .. }
        | Effect::SendMessage { .. }
        | Effect::SendUserMessage { .. }
        | Effect::SetSessionName { .. }
        | Effect::Notify { .. }
        | Effect::Confirm { .. } => effect.lower(),
    }
}

impl Host<'_> {
    fn step(&mut self, event: &Plain) -> Plain {
        let Some(event) = self.event(event) else {
            return Plain::map([("out", Plain::Null), ("effects", Plain::List(Vec::new()))]);
        };
        let answer = take(&mut self.session, event, self.now, self.lens);
        self.perform(&answer)
    }

    fn perform(&mut self, answer: &EventAnswer) -> Plain {
        for effect in &answer.effects {
            if let Effect::AppendEntry { state } = effect {
                self.branch.push(Plain::map([
                    ("type", "custom".into()),
                    ("customType", ENTRY.into()),
                    ("data", state.lower()),
                ]));
            }
        }
        let effects = answer.effects.iter().map(|effect| performed(effect, self.send_fails));
        Plain::map([("out", answer.out.lower()), ("effects", Plain::List(effects.collect()))])
    }

    /// Returns an event inside the session; `None` for one that is only around it.
    fn event(&mut self, event: &Plain) -> Option<Event> {
        let text = |key: &str| as_text(field(event, key)).unwrap_or_default().to_owned();
        match text("ev").as_str() {
            "session_start" => Some(self.open()),
            "session_tree" => {
                if let Plain::Int(keep) = field(event, "keep") {
                    self.branch.truncate(usize::try_from(*keep).unwrap_or(usize::MAX));
                }
                Some(self.open())
            }
            "turn_end" => Some(Event::TurnEnd),
            "tool_call" => Some(Event::ToolCall { tool: text("tool") }),
            "before_agent_start" => Some(Event::AgentStart),
            "agent_end" => Some(Event::AgentEnd { ended: ended(event), face: self.face }),
            "step" => Some(Event::Step {
                action: AgentAction::parse(&text("action"))?,
                summary: as_text(field(event, "summary")).map(str::to_owned),
            }),
            "command" if text("name") == "cancel-workflow" => Some(Event::Cancel),
            "command" => Some(Event::Start {
                args: text("args"),
                fresh: both(&self.files, self.lens).definitions,
                suffix: SUFFIX.to_owned(),
                confirm: *field(event, "confirm") != Plain::Bool(false),
            }),
            "complete" => Some(Event::Complete {
                prefix: text("prefix"),
                known: tiers(&[global(&self.files)], self.lens).definitions,
            }),
            "tick" => {
                if let Plain::Int(millis) = field(event, "ms") {
                    self.now += i64::try_from(*millis).unwrap_or(0);
                }
                Some(Event::Tick)
            }
            _ => {
                self.around(event, &text("ev"), &text("path"));
                None
            }
        }
    }

    fn open(&self) -> Event {
        let fresh = both(&self.files, self.lens).definitions;
        Event::Open { fresh, state: state_of(&self.branch) }
    }

    /// Performs an event around a session.
    fn around(&mut self, event: &Plain, what: &str, path: &str) {
        match what {
            "restart" => self.session = Session::default(),
            "write_file" => {
                let text = as_text(field(event, "content")).unwrap_or_default().to_owned();
                self.files.insert(path.to_owned(), PathEntry::Text(text));
            }
            "delete" => {
                let below = format!("{path}/");
                self.files.retain(|known, _| known != path && !known.starts_with(&below));
            }
            "set" => {
                for (key, _) in entries(event) {
                    match key.as_str() {
                        "hasUI" => self.face = face(event),
                        "sendFails" => self.send_fails = is_true(field(event, "sendFails")),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
}
