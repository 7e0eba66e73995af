//! The fields of a payload that sprag needs, for every host and event.
//!
//! One reader serves all hosts: if two hosts share a field name, it has the same meaning, and if
//! they use two names for one thing (`session_id`, `sessionId`), no payload has both.

use crate::json::{Bad, Json};
use crate::{Background, BackgroundWork, TurnEnd};

/// The fields of a payload. A field of a wrong type counts as missing.
#[derive(Default)]
pub struct Payload {
    pub event: Option<String>,
    pub session: Option<String>,
    pub cwd: Option<String>,
    pub mode: Option<String>,
    pub agent: Option<String>,
    pub agent_type: Option<String>,
    pub source: Option<String>,
    pub prompt: Option<String>,
    pub tool: Option<String>,
    pub input: ToolInput,
    pub call: Option<String>,
    pub ended: Option<TurnEnd>,
    pub again: bool,
    pub last_message: Option<String>,
    pub background: Vec<Background>,
    pub reason: Option<String>,
    pub error: Option<String>,
    pub error_context: Option<String>,
    pub recoverable: bool,
    pub message: Option<String>,
    pub kind: Option<String>,
}

/// The fields of a tool's input.
#[derive(Default)]
pub struct ToolInput {
    /// From the fields that hold paths in the hosts' tools, and usually in those of MCP servers.
    pub paths: Vec<String>,
    /// From the fields that hold shell text.
    pub command: Option<String>,
    /// From the fields that hold free text, or the whole input if that is a string: a patch, or
    /// keys for a running shell.
    pub text: Option<String>,
    /// From the fields that hold a text for an agent: another agent, or this one when a timer
    /// rings.
    pub prompt: Option<String>,
}

impl Payload {
    /// Reads the fields of a payload.
    pub(crate) fn read(json: &mut Json<'_>) -> Result<Self, Bad> {
        let mut found = Self::default();
        json.map(|key, value| found.field(key, value))?;
        json.end()?;
        Ok(found)
    }

    fn field(&mut self, key: &str, value: &mut Json<'_>) -> Result<(), Bad> {
        let text = match key {
            "hook_event_name" => &mut self.event,
            "session_id" | "sessionId" | "thread-id" => &mut self.session,
            "cwd" => &mut self.cwd,
            "permission_mode" => &mut self.mode,
            "agent_id" | "agent_name" | "agentName" => &mut self.agent,
            "agent_type" => &mut self.agent_type,
            "source" => &mut self.source,
            "prompt" => &mut self.prompt,
            "tool_name" | "toolName" => &mut self.tool,
            "tool_use_id" => &mut self.call,
            "last_assistant_message" | "last-assistant-message" | "prompt_response" => {
                &mut self.last_message
            }
            "reason" => &mut self.reason,
            "error_context" | "errorContext" => &mut self.error_context,
            "message" => &mut self.message,
            "notification_type" | "type" => &mut self.kind,
            _ => return self.other(key, value),
        };
        *text = value.text()?;
        Ok(())
    }

    /// Reads the fields that are not plain strings.
    fn other(&mut self, key: &str, value: &mut Json<'_>) -> Result<(), Bad> {
        match key {
            "tool_input" | "toolArgs" => self.input = ToolInput::read(value)?,
            "tool_response" | "tool_result" | "toolResult" => self.ended = ended(value)?,
            "is_interrupt" => self.ended = value.is_true()?.then_some(TurnEnd::Interrupted),
            "error" => self.error = error(value)?,
            "recoverable" => self.recoverable = value.is_true()?,
            "stop_hook_active" => self.again = value.is_true()?,
            "background_tasks" => self.background = tasks(value)?,
            "raw" => self.raw(value)?,
            _ => value.skip()?,
        }
        Ok(())
    }

    /// Reads one of opencode's own events, as its bridge passes it on.
    fn raw(&mut self, json: &mut Json<'_>) -> Result<(), Bad> {
        let mut session = None;
        json.map(|key, value| match key {
            "properties" => value.map(|key, value| {
                match key {
                    "sessionID" => session = value.text()?,
                    "error" => self.error = error(value)?,
                    _ => value.skip()?,
                }
                Ok(())
            }),
            _ => value.skip(),
        })?;
        self.session = self.session.take().or(session);
        Ok(())
    }
}

impl ToolInput {
    /// Reads the fields that sprag checks: paths and texts to run. Skips the content of files.
    pub(crate) fn read(json: &mut Json<'_>) -> Result<Self, Bad> {
        if json.is_map() {
            return Self::fields(json);
        }
        let Some(text) = json.text()? else { return Ok(Self::default()) };
        // Some versions pass the model's own JSON on as a string.
        let mut inner = Json::new(text.as_bytes());
        if inner.is_map()
            && let Ok(found) = Self::fields(&mut inner)
        {
            return Ok(found);
        }
        Ok(Self { text: Some(text), ..Self::default() })
    }

    fn fields(json: &mut Json<'_>) -> Result<Self, Bad> {
        let mut found = Self::default();
        json.map(|key, value| match key {
            "file_path" | "filePath" | "notebook_path" | "absolute_path" | "dir_path" | "path"
            | "paths" | "source" | "destination" => value.texts(&mut found.paths),
            "command" | "cmd" => value.text().map(|text| found.command = text),
            "patch" | "patchText" | "input" | "chars" => value.text().map(|text| found.text = text),
            "prompt" | "message" => value.text().map(|text| found.prompt = text),
            _ => value.skip(),
        })?;
        Ok(found)
    }
}

/// Reads from a tool's result whether it failed: it contains an error, or a type other than
/// success.
fn ended(json: &mut Json<'_>) -> Result<Option<TurnEnd>, Bad> {
    let (mut failed, mut kind) = (false, None);
    json.map(|key, value| {
        match key {
            "error" => failed = !value.is_null()?,
            "result_type" | "resultType" => kind = value.text()?,
            _ => value.skip()?,
        }
        Ok(())
    })?;
    let failed = failed || kind.is_some_and(|kind| kind != "success");
    Ok(failed.then_some(TurnEnd::Failed))
}

/// Reads an error: a text, or an object with a message or at least a name.
fn error(json: &mut Json<'_>) -> Result<Option<String>, Bad> {
    if !json.is_map() {
        return json.text();
    }
    let (mut message, mut name) = (None, None);
    json.map(|key, value| {
        match key {
            "message" => message = value.text()?,
            "name" => name = value.text()?,
            _ => value.skip()?,
        }
        Ok(())
    })?;
    Ok(message.or(name))
}

fn tasks(json: &mut Json<'_>) -> Result<Vec<Background>, Bad> {
    let mut tasks = Vec::new();
    json.list(|item| task(item).map(|task| tasks.push(task)))?;
    Ok(tasks)
}

fn task(json: &mut Json<'_>) -> Result<Background, Bad> {
    let (mut id, mut kind, mut status, mut about) = (None, None, None, None);
    json.map(|key, value| {
        let text = match key {
            "id" => &mut id,
            "type" => &mut kind,
            "status" => &mut status,
            "description" => &mut about,
            _ => return value.skip(),
        };
        *text = value.text()?;
        Ok(())
    })?;
    let kind = kind.unwrap_or_default();
    let work = match kind.as_str() {
        "subagent" => BackgroundWork::Subagent,
        "workflow" => BackgroundWork::Workflow,
        _ => BackgroundWork::Other(kind),
    };
    let running = status.as_deref() == Some("running");
    Ok(Background { id: id.unwrap_or_default(), work, running, about: about.unwrap_or_default() })
}
