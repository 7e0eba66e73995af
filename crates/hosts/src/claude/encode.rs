//! Answers Claude Code in exactly its fields. To let it go on is to print nothing.
//!
//! | happening | context | deny | refuse | to the person |
//! |---|---|---|---|---|
//! | session start, prompt, after a tool that ran well | yes | as context | as context | yes |
//! | before a tool | yes | yes | as context | yes |
//! | stop | to the person | to the person | yes | yes |
//! | after a tool that failed, subagent's stop, notification | to the person | to the person | to the person | yes |
//! | status line | the line | the line | the line | the line |
//! | session end, before compaction, API failure, ignored | no | no | no | no |
//!
//! Three of these look odd and are not. Context at a stop would make the agent go on, which is a
//! refusal by accident. What is printed before a compaction becomes instructions for it. And an
//! event we do not know may take what is printed for something else.

use sprag_formats::{Value, to_json_line};

use crate::{Answer, Ended, Happening, Heard, Output, Reply};

/// Writes a reply.
pub(crate) fn encode(heard: &Heard, reply: &Reply) -> Output {
    let stdout = match room(&heard.happening) {
        Room::None => String::new(),
        Room::Line => line(reply),
        Room::Fields { context } => fields(&heard.happening, context, reply),
    };
    Output { stdout, stderr: String::new(), exit: 0 }
}

/// What an event leaves room for.
enum Room {
    /// Nothing.
    None,
    /// One line of text.
    Line,
    /// JSON; the name of the event if it takes context.
    Fields { context: Option<&'static str> },
}

fn room(happening: &Happening) -> Room {
    let context = match happening {
        Happening::SessionStart { .. } => Some("SessionStart"),
        Happening::Prompt { .. } => Some("UserPromptSubmit"),
        Happening::BeforeTool(_) => Some("PreToolUse"),
        Happening::AfterTool { ended: Ended::Well, .. } => Some("PostToolUse"),
        Happening::AfterTool { ended: Ended::Failed | Ended::Interrupted, .. }
        | Happening::Stop { .. }
        | Happening::SubagentStop
        | Happening::Notification { .. } => None,
        Happening::StatusLine => return Room::Line,
        Happening::SessionEnd { .. }
        | Happening::PreCompact
        | Happening::StopFailure { .. }
        | Happening::Ignored { .. } => return Room::None,
    };
    Room::Fields { context }
}

fn fields(happening: &Happening, context: Option<&'static str>, reply: &Reply) -> String {
    let mut say: Vec<&str> = reply.say.as_deref().into_iter().collect();
    let mut fields: Vec<(&str, Value)> = Vec::new();
    let mut special = |event: &str, own: Vec<(&str, Value)>| {
        let name = [("hookEventName", Value::from(event))];
        fields.push(("hookSpecificOutput", Value::map(name.into_iter().chain(own))));
    };
    match (&reply.answer, happening, context) {
        (Answer::Deny { why }, Happening::BeforeTool(_), Some(event)) => special(
            event,
            vec![
                ("permissionDecision", "deny".into()),
                ("permissionDecisionReason", reason(why).into()),
            ],
        ),
        (Answer::Refuse { why }, Happening::Stop { .. }, _) => {
            fields.push(("decision", "block".into()));
            fields.push(("reason", reason(why).into()));
        }
        (Answer::Nothing | Answer::Line(_), _, _) => {}
        (
            Answer::Context(text) | Answer::Deny { why: text } | Answer::Refuse { why: text },
            _,
            event,
        ) => match event {
            Some(event) => special(event, vec![("additionalContext", text.as_str().into())]),
            None => say.push(text),
        },
    }
    let said = plain(&say.join("\n"));
    if !said.is_empty() {
        fields.push(("systemMessage", said.into()));
    }
    if fields.is_empty() { String::new() } else { to_json_line(&Value::map(fields)) }
}

/// A decision without a reason would leave the agent guessing.
fn reason(why: &str) -> &str {
    if why.trim().is_empty() { "sprag gave no reason; `sprag why` tells more" } else { why }
}

/// Returns the first line there is to show.
fn line(reply: &Reply) -> String {
    let text = match &reply.answer {
        Answer::Nothing => reply.say.as_deref().unwrap_or_default(),
        Answer::Line(text) | Answer::Context(text) => text,
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
