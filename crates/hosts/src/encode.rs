//! Encodes a reply in exactly the fields that a host reads. Printing nothing lets the agent
//! continue.
//!
//! Each host defines the [`ReplyFormat`] of an event. A text that does not fit there goes to the person if
//! the host can show it, and is dropped otherwise. It never stops the agent by accident: context at
//! a stop would be a refusal, and hosts may take output at an unknown event for anything.

use sprag_formats::{Value, to_json_line};

use crate::{HookEvent, Host, HostAnswer, Output, Reply, TurnEnd};

/// The room for an answer to an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyFormat {
    Nothing,
    /// One line of text.
    Line,
    /// A JSON object.
    Fields {
        /// How a text for the agent is written.
        context: ContextField,
        /// How a tool is denied, or a stop refused.
        no: DenyField,
        /// Whether a text for the person can be added.
        person: bool,
    },
}

/// The field for a text to the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContextField {
    Nowhere,
    /// `additionalContext`.
    Flat,
    /// `hookSpecificOutput{additionalContext}`.
    Nested,
    /// Like [`Self::Nested`], with the event's name in it.
    Named(&'static str),
}

/// The fields of a denial or refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DenyField {
    /// The event cannot be denied.
    Never,
    /// `decision` with this word, and `reason`.
    Decision(&'static str),
    /// `permissionDecision` and its reason.
    Permission,
    /// Like [`Self::Permission`], in `hookSpecificOutput` with the event's name.
    NamedPermission(&'static str),
}

pub(crate) fn encode(host: Host, happening: &HookEvent, reply: &Reply) -> Output {
    let stdout = match (host.row().hooks.room)(happening) {
        ReplyFormat::Nothing => String::new(),
        ReplyFormat::Line => line(reply),
        ReplyFormat::Fields { context, no, person } => {
            let mut fields = Vec::new();
            let unsaid = answer(happening, &reply.answer, (context, no), &mut fields);
            let said: Vec<&str> = reply.say.as_deref().into_iter().chain(unsaid).collect();
            let said = plain(&said.join("\n"));
            if person && !said.is_empty() {
                fields.push(("systemMessage", said.into()));
            }
            if fields.is_empty() { String::new() } else { to_json_line(&Value::map(fields)) }
        }
    };
    Output { stdout, stderr: String::new(), exit: 0 }
}

/// Adds the fields of an answer. Returns the text if the event has no field for it.
fn answer<'a>(
    happening: &HookEvent,
    answer: &'a HostAnswer,
    (context, no): (ContextField, DenyField),
    fields: &mut Vec<(&'static str, Value)>,
) -> Option<&'a str> {
    let text = match (answer, happening) {
        (HostAnswer::Deny { why }, HookEvent::BeforeTool(_))
        | (HostAnswer::Refuse { why }, HookEvent::Stop { .. })
            if no != DenyField::Never =>
        {
            fields.extend(no.fields(reason(why)));
            return None;
        }
        (HostAnswer::Told(text), HookEvent::Prompt { .. }) if no != DenyField::Never => {
            fields.extend(no.fields(reason(&plain(text))));
            return None;
        }
        (HostAnswer::Nothing | HostAnswer::Line(_), _) => return None,
        (HostAnswer::Told(text), _) => {
            fields.extend(context.fields(&handed_on(text)));
            return (context == ContextField::Nowhere).then_some(text);
        }
        (
            HostAnswer::Context(text)
            | HostAnswer::Deny { why: text }
            | HostAnswer::Refuse { why: text },
            _,
        ) => text,
    };
    fields.extend(context.fields(text));
    (context == ContextField::Nowhere).then_some(text)
}

impl ContextField {
    fn fields(self, text: &str) -> Vec<(&'static str, Value)> {
        let context = ("additionalContext", Value::from(text));
        match self {
            Self::Nowhere => Vec::new(),
            Self::Flat => vec![context],
            Self::Nested => vec![("hookSpecificOutput", Value::map([context]))],
            Self::Named(event) => special(event, [context]),
        }
    }
}

impl DenyField {
    fn fields(self, why: &str) -> Vec<(&'static str, Value)> {
        let permission =
            [("permissionDecision", "deny".into()), ("permissionDecisionReason", why.into())];
        match self {
            Self::Never => Vec::new(),
            Self::Decision(word) => vec![("decision", word.into()), ("reason", why.into())],
            Self::Permission => permission.into(),
            Self::NamedPermission(event) => special(event, permission),
        }
    }
}

fn special(
    event: &str,
    own: impl IntoIterator<Item = (&'static str, Value)>,
) -> Vec<(&'static str, Value)> {
    let name = [("hookEventName", Value::from(event))];
    vec![("hookSpecificOutput", Value::map(name.into_iter().chain(own)))]
}

/// The room of Claude Code's events, and of Codex's with the same names.
pub fn named_room(happening: &HookEvent) -> ReplyFormat {
    let (context, no) = match happening {
        HookEvent::SessionStart { .. } => (ContextField::Named("SessionStart"), DenyField::Never),
        HookEvent::Prompt { .. } => {
            (ContextField::Named("UserPromptSubmit"), DenyField::Decision("block"))
        }
        HookEvent::BeforeTool(_) => {
            (ContextField::Named("PreToolUse"), DenyField::NamedPermission("PreToolUse"))
        }
        HookEvent::AfterTool { ended: TurnEnd::Well, .. } => {
            (ContextField::Named("PostToolUse"), DenyField::Never)
        }
        HookEvent::Stop { .. } => (ContextField::Nowhere, DenyField::Decision("block")),
        HookEvent::AfterTool { ended: TurnEnd::Failed | TurnEnd::Interrupted, .. }
        | HookEvent::SubagentStop
        | HookEvent::Notification { .. } => (ContextField::Nowhere, DenyField::Never),
        // Claude Code uses output before a compaction as instructions for it.
        HookEvent::SessionEnd { .. }
        | HookEvent::PreCompact
        | HookEvent::StopFailure { .. }
        | HookEvent::StatusLine
        | HookEvent::Ignored { .. } => return ReplyFormat::Nothing,
    };
    ReplyFormat::Fields { context, no, person: true }
}

/// A decision without a reason would leave the agent guessing, and Codex would drop it.
fn reason(why: &str) -> &str {
    if why.trim().is_empty() { "sprag gave no reason; `sprag why` tells more" } else { why }
}

/// Words an answer to the person for an agent that reads it first.
fn handed_on(text: &str) -> String {
    format!(
        "sprag acted on this command itself. Show the person its answer and do no more:\n{text}"
    )
}

/// Returns the first line to show.
fn line(reply: &Reply) -> String {
    let text = match &reply.answer {
        HostAnswer::Nothing => reply.say.as_deref().unwrap_or_default(),
        HostAnswer::Line(text) | HostAnswer::Context(text) | HostAnswer::Told(text) => text,
        HostAnswer::Deny { why } | HostAnswer::Refuse { why } => why,
    };
    let shown = plain(text).lines().next().unwrap_or_default().to_owned();
    if shown.is_empty() { shown } else { shown + "\n" }
}

/// Removes control characters that could move the cursor of a terminal.
fn plain(text: &str) -> String {
    let keeps = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
    text.trim().chars().filter(keeps).collect()
}

#[cfg(test)]
mod tests;
