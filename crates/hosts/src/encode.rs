//! Answers a host in exactly its fields. To let it go on is to print nothing.
//!
//! Each host says which [`Room`] an event leaves; what the event cannot express goes to the person
//! if the host shows them anything, else nowhere. It never becomes something that stops the agent:
//! context at a stop would be a refusal by accident, and what is printed at an event we do not know
//! may be taken for anything.

use sprag_formats::{Value, to_json_line};

use crate::{Answer, Ended, Happening, Host, Output, Reply};

/// What an event leaves room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    /// Nothing.
    Nothing,
    /// One line of text.
    Line,
    /// JSON.
    Fields {
        /// How a text for the agent is written.
        context: Context,
        /// How a tool is denied, or a stop refused.
        no: No,
        /// Whether a text for the person may stand beside it.
        person: bool,
    },
}

/// How a text for the agent is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Context {
    /// Not at all.
    Nowhere,
    /// `additionalContext`.
    Flat,
    /// `hookSpecificOutput{additionalContext}`.
    Nested,
    /// The same with the event's name in it.
    Named(&'static str),
}

/// How an event is answered with no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum No {
    /// Not at all.
    Never,
    /// `decision` with this word, and `reason`.
    Decision(&'static str),
    /// `permissionDecision` and its reason.
    Permission,
    /// The same in `hookSpecificOutput`, with the event's name.
    NamedPermission(&'static str),
}

/// Writes a reply.
pub(crate) fn encode(host: Host, happening: &Happening, reply: &Reply) -> Output {
    let stdout = match (host.dialect().room)(happening) {
        Room::Nothing => String::new(),
        Room::Line => line(reply),
        Room::Fields { context, no, person } => {
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

/// Adds the fields of an answer; returns the text it has no place for.
fn answer<'a>(
    happening: &Happening,
    answer: &'a Answer,
    (context, no): (Context, No),
    fields: &mut Vec<(&'static str, Value)>,
) -> Option<&'a str> {
    let text = match (answer, happening) {
        (Answer::Deny { why }, Happening::BeforeTool(_))
        | (Answer::Refuse { why }, Happening::Stop { .. })
            if no != No::Never =>
        {
            fields.extend(no.fields(reason(why)));
            return None;
        }
        (Answer::Told(text), Happening::Prompt { .. }) if no != No::Never => {
            fields.extend(no.fields(reason(&plain(text))));
            return None;
        }
        (Answer::Nothing | Answer::Line(_), _) => return None,
        (Answer::Told(text), _) => {
            fields.extend(context.fields(&handed_on(text)));
            return (context == Context::Nowhere).then_some(text);
        }
        (Answer::Context(text) | Answer::Deny { why: text } | Answer::Refuse { why: text }, _) => {
            text
        }
    };
    fields.extend(context.fields(text));
    (context == Context::Nowhere).then_some(text)
}

impl Context {
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

impl No {
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

/// Returns the room that Claude Code's events leave, and Codex's as far as it has them.
pub(crate) fn named_room(happening: &Happening) -> Room {
    let (context, no) = match happening {
        Happening::SessionStart { .. } => (Context::Named("SessionStart"), No::Never),
        Happening::Prompt { .. } => (Context::Named("UserPromptSubmit"), No::Decision("block")),
        Happening::BeforeTool(_) => {
            (Context::Named("PreToolUse"), No::NamedPermission("PreToolUse"))
        }
        Happening::AfterTool { ended: Ended::Well, .. } => {
            (Context::Named("PostToolUse"), No::Never)
        }
        Happening::Stop { .. } => (Context::Nowhere, No::Decision("block")),
        Happening::AfterTool { ended: Ended::Failed | Ended::Interrupted, .. }
        | Happening::SubagentStop
        | Happening::Notification { .. } => (Context::Nowhere, No::Never),
        // What is printed before a compaction becomes instructions for it.
        Happening::SessionEnd { .. }
        | Happening::PreCompact
        | Happening::StopFailure { .. }
        | Happening::StatusLine
        | Happening::Ignored { .. } => return Room::Nothing,
    };
    Room::Fields { context, no, person: true }
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

/// Returns the first line there is to show.
fn line(reply: &Reply) -> String {
    let text = match &reply.answer {
        Answer::Nothing => reply.say.as_deref().unwrap_or_default(),
        Answer::Line(text) | Answer::Context(text) | Answer::Told(text) => text,
        Answer::Deny { why } | Answer::Refuse { why } => why,
    };
    let shown = plain(text).lines().next().unwrap_or_default().to_owned();
    if shown.is_empty() { shown } else { shown + "\n" }
}

/// Takes out what could move the cursor of a person's terminal.
fn plain(text: &str) -> String {
    let keeps = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
    text.trim().chars().filter(keeps).collect()
}

#[cfg(test)]
mod tests;
