//! The commands that a person types: `/workflow` and `/cancel-workflow`.

use super::{Effect, EventAnswer, Session};
use crate::workflow::javascript::{cut, is_space, trim};
use crate::workflow::template::fill;
use crate::workflow::view::listed;
use crate::workflow::{Definition, Definitions, SessionRecord, Show, start};

/// The input of a start.
pub(super) struct StartInput {
    pub(super) fresh: Definitions,
    pub(super) suffix: String,
    pub(super) confirm: bool,
    pub(super) now: i64,
}

/// The default length of a task in a session's name, in UTF-16 units.
const NAME_LENGTH: f64 = 50.0;

impl Session {
    /// Starts a workflow, or reports why not.
    pub(super) fn start(&mut self, args: &str, start: StartInput, answer: &mut EventAnswer) {
        let args = trim(args);
        let (command, task) = args.split_once(is_space).unwrap_or((args, ""));
        let task = trim(task);
        if command.is_empty() {
            notify(answer, "info", usage(&start.fresh));
            return;
        }
        if task.is_empty() {
            notify(answer, "warning", format!("Usage: /workflow {command} {{description}}"));
            return;
        }
        self.definitions = start.fresh;
        let Some((key, chosen)) = self.definitions.find_command(command) else {
            notify(answer, "error", unknown(command, &self.definitions));
            return;
        };
        if chosen.show == Show::Workflows {
            let text = format!(
                "\"{command}\" is a subworkflow that can only run as part of another workflow. It cannot be started directly."
            );
            notify(answer, "error", text);
            return;
        }
        if let Some(state) = self.active() {
            answer.effects.push(self.question(state, start.confirm));
            if !start.confirm {
                return;
            }
        }
        let (key, chosen) = (key.to_owned(), chosen.clone());
        let id = format!("wf-{}-{}", start.now, start.suffix);
        self.begin(&key, &chosen, id, task, start.now, answer);
    }

    fn question(&self, state: &SessionRecord, answer: bool) -> Effect {
        let phase = self.view().map_or_else(|| "unknown".to_owned(), |view| view.phase);
        let message = format!("Phase: {phase}\nTask: {}\n\nStart a new one?", state.task());
        Effect::Confirm { title: "Workflow already active", message, answer }
    }

    fn begin(
        &mut self,
        key: &str,
        chosen: &Definition,
        id: String,
        task: &str,
        now: i64,
        answer: &mut EventAnswer,
    ) {
        self.stop(answer);
        let position = start(&self.definitions, key);
        self.store(SessionRecord::new(key, position, id, task, now), answer);
        let text = first_message(&self.definitions, key, task);
        answer.effects.extend([
            Effect::SetStatus { text: None },
            Effect::SetSessionName { name: session_name(chosen, task) },
            Effect::SendUserMessage { text },
        ]);
    }

    /// Cancels the workflow at once and reports it.
    pub(super) fn cancel(&mut self, answer: &mut EventAnswer) {
        let Some(state) = self.active() else {
            notify(answer, "info", "No active workflow to cancel.".to_owned());
            return;
        };
        // The message below already reports the end.
        let ended = SessionRecord { notified: Some(true), ..state.ended() };
        let content = format!(
            "❌ **Workflow Cancelled**\n\n**Task:** {}\n**Task ID:** {}",
            state.task(),
            state.task_id()
        );
        self.stop(answer);
        self.store(ended, answer);
        answer.effects.extend([
            Effect::SetStatus { text: None },
            Effect::SendMessage { kind: "complete", content },
        ]);
        self.state = None;
        notify(answer, "info", "Workflow cancelled.".to_owned());
    }
}

/// Returns the first message to the agent of a workflow.
pub(in crate::workflow) fn first_message(
    definitions: &Definitions,
    key: &str,
    task: &str,
) -> String {
    let Some(chosen) = definitions.get(key) else { return String::new() };
    let first = chosen.phases.first().and_then(|entry| definitions.first_phase(entry));
    let text = |text: Option<&String>| text.cloned().unwrap_or_default();
    let profiles = listed(first.and_then(|phase| phase.profiles.as_ref()));
    let values = [
        ("workflowName", chosen.name.as_str()),
        ("workflowKey", key),
        ("description", task),
        ("firstPhaseId", &text(first.map(|phase| &phase.id))),
        ("firstPhaseName", &text(first.map(|phase| &phase.name))),
        ("firstPhaseEmoji", &text(first.map(|phase| &phase.emoji))),
        ("firstPhaseProfiles", &profiles),
    ];
    fill(&chosen.initial_message, &values)
}

fn notify(answer: &mut EventAnswer, level: &'static str, message: String) {
    answer.effects.push(Effect::Notify { message, level });
}

fn usage(definitions: &Definitions) -> String {
    let lines: Vec<_> =
        definitions.shown().map(|known| format!("  {} — {}", known.command, known.name)).collect();
    let lines = lines.join("\n");
    format!("Usage: /workflow {{name}} {{description}}\n\nAvailable workflows:\n{lines}")
}

fn unknown(command: &str, definitions: &Definitions) -> String {
    let known: Vec<_> = definitions.iter().map(|(_, known)| known.command.as_str()).collect();
    let known = if known.is_empty() { "(none)".to_owned() } else { known.join(", ") };
    format!("Unknown workflow: \"{command}\". Available: {known}")
}

/// Returns the name of a session: the prefix and the beginning of the task.
fn session_name(chosen: &Definition, task: &str) -> String {
    let prefix = chosen.session_prefix.as_deref().unwrap_or("Workflow: ");
    let length = chosen.session_length.unwrap_or(NAME_LENGTH);
    let units: f64 = task.chars().map(|c| if c.len_utf16() == 2 { 2.0 } else { 1.0 }).sum();
    // Not inverted: no comparison with NaN is true.
    if units > length {
        // JavaScript's slice counts a negative end from the back and drops fractions.
        let end = if length < 0.0 { units + length.trunc() } else { length.trunc() };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        let start = cut(task, end as usize);
        format!("{prefix}{start}…")
    } else {
        format!("{prefix}{task}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_named_after_the_beginning_of_its_task() {
        let name = |length: f64, task: &str| {
            let session_length = Some(length);
            let prefix = Some("T|".to_owned());
            let chosen =
                Definition { session_length, session_prefix: prefix, ..Definition::default() };
            session_name(&chosen, task)
        };
        assert_eq!(name(4.0, "abcd"), "T|abcd");
        assert_eq!(name(4.9, "abcde"), "T|abcd…");
        assert_eq!(name(4.0, "🔥🔥🔥"), "T|🔥🔥…");
        assert_eq!(name(0.0, "abc"), "T|…");
        assert_eq!(name(-2.0, "abcde"), "T|abc…");
        assert_eq!(name(-9.0, "abc"), "T|…");
        assert_eq!(name(f64::NAN, "abc"), "T|abc");
        assert_eq!(name(f64::INFINITY, "abc"), "T|abc");
    }
}
