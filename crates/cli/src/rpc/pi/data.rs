//! What pi's bridge says of an event.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use sprag_core::Plain;
use sprag_core::plain_json::plain;
use sprag_core::workflow::{Branch, State, reconstruct};
use sprag_hosts::{Call, Host};

/// The data of an event; which of them it has is docs/rpc.md's to say.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Data<'l> {
    /// Why a session begins or ends.
    pub(super) reason: Option<String>,
    /// The entries of the branch at hand, or those of ours in it.
    branch: Vec<Entry>,
    /// What was typed.
    pub(super) prompt: Option<String>,
    tool: Option<String>,
    #[serde(borrow)]
    input: Option<&'l RawValue>,
    /// How the agent ended, from pi 0.87 on.
    outcome: Option<String>,
    /// What the agent said last.
    #[serde(rename = "last_assistant_message")]
    pub(super) last_message: Option<String>,
    /// The messages of the run, before that.
    messages: Vec<Message>,
    pub(super) action: Option<String>,
    pub(super) summary: Option<String>,
    /// The command's name.
    pub(super) name: Option<String>,
    pub(super) args: Option<String>,
    /// Whether a person agrees to leave the workflow at hand.
    pub(super) confirm: bool,
    pub(super) prefix: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Entry {
    #[serde(rename = "type")]
    kind: String,
    #[serde(rename = "customType")]
    custom: String,
    data: Value,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Message {
    role: String,
    #[serde(rename = "stopReason")]
    stopped: String,
}

impl<'l> Data<'l> {
    pub(super) fn read(data: &'l str) -> Result<Self, String> {
        serde_json::from_str(data).map_err(|error| format!("`data`: {error}"))
    }

    /// Returns what the branch says of its workflow.
    pub(super) fn state(&self) -> Result<Option<State>, &'static str> {
        let ours: Vec<Plain> = self.branch.iter().map(|entry| plain(&entry.data)).collect();
        let entries = self.branch.iter().zip(&ours);
        reconstruct(entries.map(|(entry, data)| Branch {
            kind: &entry.kind,
            custom: &entry.custom,
            data,
        }))
    }

    /// Returns the call of a tool.
    pub(super) fn call(&self) -> Result<Call, String> {
        let tool = self.tool.as_deref().ok_or("`data` has no `tool`")?;
        let input = self.input.map_or("{}", RawValue::get);
        Host::Pi.call(tool, input.as_bytes()).map_err(|error| error.to_string())
    }

    /// Returns whether a person or a failure ended the agent's run.
    pub(super) fn is_broken_off(&self) -> bool {
        let is = |word: &str| matches!(word, "aborted" | "error");
        let last = self.messages.iter().rev().find(|message| message.role == "assistant");
        self.outcome.as_deref().is_some_and(is) || last.is_some_and(|last| is(&last.stopped))
    }
}
