//! The vocabulary between a host and a workflow: what happens there, what is to be done there.
//!
//! Its written form is that of the original's recorded sessions, and of `sprag rpc`.

use crate::workflow::{Definitions, State, texts};
use crate::{Plain, Stored};

/// Something that happens in a session.
#[derive(Clone, Debug)]
pub enum Event {
    /// A session begins, resumes, or goes to another place in its tree.
    Open {
        /// The workflows on disk.
        fresh: Definitions,
        /// What the session's entries lead to.
        state: Result<Option<State>, &'static str>,
    },
    /// A turn of the agent ended.
    TurnEnd,
    /// The agent is about to use a tool.
    ToolCall {
        /// Its exact name.
        tool: String,
    },
    /// A run of the agent begins: a person or a program wrote something.
    AgentStart,
    /// A run of the agent ended.
    AgentEnd {
        /// Whether a person broke it off.
        ended: Ended,
        /// Whether the host can show a widget.
        face: Face,
    },
    /// The agent calls the tool that moves the workflow.
    Step {
        /// What it asks for.
        action: Action,
        /// What it says it has done.
        summary: Option<String>,
    },
    /// A person starts a workflow.
    Start {
        /// What was typed after the command.
        args: String,
        /// The workflows on disk.
        fresh: Definitions,
        /// The end of the task's id.
        suffix: String,
        /// Whether a person agrees to leave the workflow at hand.
        confirm: bool,
    },
    /// A person ends the workflow.
    Cancel,
    /// A person wants a command completed.
    Complete {
        /// What was typed so far.
        prefix: String,
        /// The workflows to choose from.
        known: Definitions,
    },
    /// Time has passed.
    Tick,
}

/// How a run of the agent ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself, with success or not.
    Itself,
    /// By a person.
    Aborted,
}

/// What a host can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// A widget that changes.
    Widget,
    /// Messages only.
    Plain,
}

/// What the agent asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// To go on.
    Next,
    /// To know where it stands.
    Status,
    /// To give up.
    Cancel,
    /// To begin the scope again.
    Loop,
}

impl Action {
    /// Reads an action by its name.
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

/// What is said and done about an event.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The answer itself.
    pub out: Out,
    /// What is to be done, in order.
    pub effects: Vec<Effect>,
    /// What a person should know and the agent need not.
    pub warnings: Vec<&'static str>,
}

/// The answer to an event.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Out {
    /// None.
    #[default]
    Nothing,
    /// The tool is blocked.
    Block {
        /// Why.
        reason: String,
    },
    /// The agent is told this, unseen by the person.
    Context {
        /// The prompt.
        content: String,
    },
    /// The result of the agent's call.
    Step(StepResult),
    /// The commands that fit.
    Commands(Vec<String>),
}

/// The result of a call of the tool.
#[derive(Clone, Debug, PartialEq)]
pub struct StepResult {
    /// What the agent reads.
    pub text: String,
    /// The same for programs.
    pub details: Plain,
    /// What kind of result it is, when it is not an ordinary one.
    pub kind: Option<ResultKind>,
}

/// What kind of result a call has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultKind {
    /// It could not be done.
    Error,
    /// It is about giving up.
    Cancel,
    /// The workflow is complete.
    Complete,
}

impl ResultKind {
    /// Returns its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Cancel => "cancel",
            Self::Complete => "complete",
        }
    }
}

/// Something to be done in the host.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Add an entry with this state to the session.
    AppendEntry {
        /// The state.
        state: Box<State>,
    },
    /// Show a status line, or none.
    SetStatus {
        /// The line.
        text: Option<String>,
    },
    /// Show the countdown, or nothing.
    SetWidget {
        /// The line.
        line: Option<String>,
    },
    /// Show a message that starts no turn.
    SendMessage {
        /// `complete` or `countdown`.
        kind: &'static str,
        /// What it says.
        content: String,
    },
    /// Tell the agent something in the person's place.
    SendUserMessage {
        /// What.
        text: String,
    },
    /// Name the session.
    SetSessionName {
        /// Its name.
        name: String,
    },
    /// Tell the person something.
    Notify {
        /// What.
        message: String,
        /// `info`, `warning` or `error`.
        level: &'static str,
    },
    /// Ask the person; the answer came with the event.
    Confirm {
        /// What it is about.
        title: &'static str,
        /// The question.
        message: String,
        /// The answer.
        answer: bool,
    },
}

impl Out {
    /// Returns the written form.
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
    /// Returns the written form.
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

/// Returns the definition of the tool that moves a workflow, as a host wants it.
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
