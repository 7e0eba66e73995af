//! The protocol between a host and a workflow: events from the host, and effects for it.
//!
//! Its written form is that of the original's recorded sessions, and of `sprag rpc`.

use crate::workflow::{Definitions, SessionRecord, texts};
use crate::{Plain, Stored};

/// An event in a session.
#[derive(Clone, Debug)]
pub enum Event {
    /// A session begins, resumes, or moves to another place in its tree.
    Open {
        /// The workflows on disk.
        fresh: Definitions,
        /// The state that the session's entries lead to.
        state: Result<Option<SessionRecord>, &'static str>,
    },
    /// A turn of the agent ended.
    TurnEnd,
    /// The agent is about to use a tool.
    ToolCall {
        /// Its exact name.
        tool: String,
    },
    /// A run of the agent begins: a person or a program sent a message.
    AgentStart,
    /// A run of the agent ended.
    AgentEnd {
        /// Whether a person aborted it.
        ended: AgentRunEnd,
        /// Whether the host can show a widget.
        face: Face,
    },
    /// The agent calls the tool that advances the workflow.
    Step {
        action: AgentAction,
        /// The agent's summary of its work.
        summary: Option<String>,
    },
    /// A person starts a workflow.
    Start {
        /// The text after the command.
        args: String,
        /// The workflows on disk.
        fresh: Definitions,
        /// The suffix of the task's id.
        suffix: String,
        /// Whether a person agrees to leave the current workflow.
        confirm: bool,
    },
    /// A person cancels the workflow.
    Cancel,
    /// A person requests the completion of a command.
    Complete {
        /// The text typed so far.
        prefix: String,
        /// The workflows to choose from.
        known: Definitions,
    },
    /// Time has passed.
    Tick,
}

/// How a run of the agent ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentRunEnd {
    /// By itself, successfully or not.
    Itself,
    /// By a person.
    Aborted,
}

/// The display capability of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// A widget that can change.
    Widget,
    /// Messages only.
    Plain,
}

/// An action that the agent requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentAction {
    /// Advance to the next phase.
    Next,
    /// Report the current state.
    Status,
    /// Cancel the workflow.
    Cancel,
    /// Go back to the first phase of the scope.
    Loop,
}

impl AgentAction {
    /// Parses the name of an action.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "next" => Some(Self::Next),
            "status" => Some(Self::Status),
            "cancel" => Some(Self::Cancel),
            "loop" => Some(Self::Loop),
            _ => None,
        }
    }
}

/// The complete answer to an event.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventAnswer {
    /// The direct answer.
    pub out: Out,
    /// The effects in order.
    pub effects: Vec<Effect>,
    /// Warnings for a person that the agent does not need.
    pub warnings: Vec<&'static str>,
}

/// The direct answer to an event.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Out {
    #[default]
    Nothing,
    /// The tool is blocked.
    Block { reason: String },
    /// A prompt for the agent, hidden from the person.
    Context { content: String },
    /// The result of the agent's call.
    Step(StepResult),
    /// The matching commands.
    Commands(Vec<String>),
}

/// The result of a call of the tool.
#[derive(Clone, Debug, PartialEq)]
pub struct StepResult {
    /// The text for the agent.
    pub text: String,
    /// The same for programs.
    pub details: Plain,
    /// The kind of result, if it is not an ordinary one.
    pub kind: Option<ResultKind>,
}

/// The kind of a call's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultKind {
    /// The call failed.
    Error,
    /// The call concerns a cancellation.
    Cancel,
    /// The workflow is complete.
    Complete,
}

impl ResultKind {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Cancel => "cancel",
            Self::Complete => "complete",
        }
    }
}

/// An effect in the host.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Append an entry with this state to the session.
    AppendEntry {
        state: Box<SessionRecord>,
    },
    /// Show or remove the status line.
    SetStatus {
        text: Option<String>,
    },
    /// Show or remove the countdown.
    SetWidget {
        line: Option<String>,
    },
    /// Show a message that starts no turn.
    SendMessage {
        /// `complete` or `countdown`.
        kind: &'static str,
        content: String,
    },
    /// Send a message to the agent in the person's name.
    SendUserMessage {
        text: String,
    },
    SetSessionName {
        name: String,
    },
    /// Notify the person.
    Notify {
        message: String,
        /// `info`, `warning` or `error`.
        level: &'static str,
    },
    /// Ask the person; the answer came with the event.
    Confirm {
        /// The title of the dialog.
        title: &'static str,
        message: String,
        answer: bool,
    },
}

impl Out {
    pub fn lower(&self) -> Plain {
        match self {
            Self::Nothing => Plain::Null,
            Self::Block { reason } => {
                Plain::map([("block", true.lower()), ("reason", reason.lower())])
            }
            Self::Context { content } => {
                let message = Plain::map([
                    ("customType", "workflow:context".into()),
                    ("content", content.lower()),
                    ("display", false.lower()),
                ]);
                Plain::map([("message", message)])
            }
            Self::Step(result) => result.lower(),
            Self::Commands(commands) => {
                let item =
                    |text: &String| Plain::map([("value", text.lower()), ("label", text.lower())]);
                Plain::List(commands.iter().map(item).collect())
            }
        }
    }
}

impl StepResult {
    fn lower(&self) -> Plain {
        let text = Plain::map([("type", "text".into()), ("text", self.text.lower())]);
        let mut fields = vec![
            ("content".to_owned(), Plain::List(vec![text])),
            ("details".to_owned(), self.details.clone()),
        ];
        fields.extend(self.kind.map(|kind| ("resultType".to_owned(), kind.as_str().into())));
        Plain::Map(fields)
    }
}

impl Effect {
    pub fn lower(&self) -> Plain {
        match self {
            Self::AppendEntry { state } => Plain::map([
                ("fx", "append_entry".into()),
                ("customType", crate::workflow::ENTRY.into()),
                ("data", state.lower()),
            ]),
            Self::SetStatus { text } => Plain::map([
                ("fx", "set_status".into()),
                ("key", "workflow".into()),
                ("text", text.lower()),
            ]),
            Self::SetWidget { line: None } => Plain::map([
                ("fx", "set_widget".into()),
                ("key", "workflow-countdown".into()),
                ("lines", Plain::Null),
            ]),
            Self::SetWidget { line: Some(line) } => Plain::map([
                ("fx", "set_widget".into()),
                ("key", "workflow-countdown".into()),
                ("lines", Plain::List(vec![line.lower()])),
                ("placement", "aboveEditor".into()),
            ]),
            Self::SendMessage { kind, content } => Plain::map([
                ("fx", "send_message".into()),
                ("customType", format!("workflow:{kind}").into()),
                ("content", content.lower()),
                ("display", true.lower()),
                ("triggerTurn", false.lower()),
            ]),
            Self::SendUserMessage { text } => {
                Plain::map([("fx", "send_user_message".into()), ("text", text.lower())])
            }
            Self::SetSessionName { name } => {
                Plain::map([("fx", "set_session_name".into()), ("name", name.lower())])
            }
            Self::Notify { message, level } => Plain::map([
                ("fx", "notify".into()),
                ("message", message.lower()),
                ("level", (*level).into()),
            ]),
            Self::Confirm { title, message, answer } => Plain::map([
                ("fx", "confirm".into()),
                ("title", (*title).into()),
                ("message", message.lower()),
                ("answer", answer.lower()),
            ]),
        }
    }
}

/// Returns the definition of the tool that advances a workflow, in the format for hosts.
pub fn contract() -> Plain {
    let text = |text: &str| Plain::from(text);
    let action = Plain::map([
        ("type", text("string")),
        ("enum", Plain::List(["next", "status", "cancel", "loop"].map(text).into())),
        (
            "description",
            text(
                "\"next\" to advance to the next phase, \"status\" to check current state, \"cancel\" to abort the workflow, \"loop\" to restart the current scope from phase 0",
            ),
        ),
    ]);
    let summary = Plain::map([
        ("type", text("string")),
        ("description", text("Optional summary of what was accomplished in the current phase")),
    ]);
    let parameters = Plain::map([
        ("type", text("object")),
        ("required", Plain::List(vec![text("action")])),
        ("properties", Plain::map([("action", action), ("summary", summary)])),
    ]);
    let guidelines = [
        "Use workflow_step with action='next' when you finish a phase and want to advance.",
        "Use workflow_step with action='status' to check current workflow state.",
        "Use workflow_step with action='cancel' to abort the current workflow.",
        "Use workflow_step with action='loop' to restart the current scope from the beginning.",
    ];
    Plain::map([
        ("name", text(texts::TOOL)),
        ("label", text("Workflow Step")),
        (
            "description",
            text(
                "Show current workflow status, advance to the next phase, loop back to the start of the current scope, or cancel the active workflow. Use this to coordinate any configured workflow.",
            ),
        ),
        ("parameters", parameters),
        ("promptSnippet", text("Advance the active workflow to the next phase")),
        ("promptGuidelines", Plain::List(guidelines.map(text).into())),
    ])
}
