//! The event data that pi's bridge sends.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use sprag_core::Plain;
use sprag_core::plain_json::plain;
use sprag_core::workflow::{SessionBranch, SessionRecord, reconstruct};
use sprag_hosts::{Host, ToolCall};

/// The data of an event; docs/rpc.md specifies which fields each event has.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Data<'l> {
    /// Why a session begins or ends.
    pub(super) reason: Option<String>,
    /// The entries of the current branch, or only sprag's entries in it.
    branch: Vec<SessionEntry>,
    pub(super) prompt: Option<String>,
    tool: Option<String>,
    #[serde(borrow)]
    input: Option<&'l RawValue>,
    /// How the agent ended; since pi 0.87.
    outcome: Option<String>,
    #[serde(rename = "last_assistant_message")]
    pub(super) last_message: Option<String>,
    /// The messages of the run; before pi 0.87.
    messages: Vec<SessionMessage>,
    pub(super) action: Option<String>,
    pub(super) summary: Option<String>,
    pub(super) name: Option<String>,
    pub(super) args: Option<String>,
    /// Whether the user agrees to leave the current workflow.
    pub(super) confirm: bool,
    pub(super) prefix: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct SessionEntry {
    #[serde(rename = "type")]
    kind: String,
    #[serde(rename = "customType")]
    custom: String,
    data: Value,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct SessionMessage {
    role: String,
    #[serde(rename = "stopReason")]
    stopped: String,
}

impl<'l> Data<'l> {
    pub(super) fn read(data: &'l str) -> Result<Self, String> {
        serde_json::from_str(data).map_err(|error| format!("`data`: {error}"))
    }

    /// Returns the workflow state recorded in the branch.
    pub(super) fn state(&self) -> Result<Option<SessionRecord>, &'static str> {
        let ours: Vec<Plain> = self.branch.iter().map(|entry| plain(&entry.data)).collect();
        let entries = self.branch.iter().zip(&ours);
        reconstruct(entries.map(|(entry, data)| SessionBranch {
            kind: &entry.kind,
            custom: &entry.custom,
            data,
        }))
    }

    /// Parses the tool call.
    pub(super) fn call(&self) -> Result<ToolCall, String> {
        let tool = self.tool.as_deref().ok_or("`data` has no `tool`")?;
        let input = self.input.map_or("{}", RawValue::get);
        Host::PI.call(tool, input.as_bytes()).map_err(|error| error.to_string())
    }

    /// Returns whether the user or a failure ended the agent's run.
    pub(super) fn is_broken_off(&self) -> bool {
        let is = |word: &str| matches!(word, "aborted" | "error");
        let last = self.messages.iter().rev().find(|message| message.role == "assistant");
        self.outcome.as_deref().is_some_and(is) || last.is_some_and(|last| is(&last.stopped))
    }
}
