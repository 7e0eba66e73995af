//! The fields of Claude Code's payloads that somebody needs, whatever the event.

use crate::json::{Bad, Json};
use crate::{Background, Work};

/// What a payload says. A field of a wrong type is a field that is not there.
#[derive(Default)]
pub(super) struct Payload {
    pub(super) event: Option<String>,
    pub(super) session: Option<String>,
    pub(super) cwd: Option<String>,
    pub(super) mode: Option<String>,
    pub(super) agent: Option<String>,
    pub(super) agent_type: Option<String>,
    pub(super) source: Option<String>,
    pub(super) prompt: Option<String>,
    pub(super) tool: Option<String>,
    pub(super) input: Input,
    pub(super) call: Option<String>,
    pub(super) interrupt: bool,
    pub(super) again: bool,
    pub(super) last_message: Option<String>,
    pub(super) background: Vec<Background>,
    pub(super) reason: Option<String>,
    pub(super) error: Option<String>,
    pub(super) message: Option<String>,
    pub(super) notification: Option<String>,
}

/// What a tool is given.
#[derive(Default)]
pub(super) struct Input {
    pub(super) paths: Vec<String>,
    pub(super) command: Option<String>,
}

impl Payload {
    /// Picks the fields out of a payload.
    pub(super) fn read(json: &mut Json<'_>) -> Result<Self, Bad> {
        let mut found = Self::default();
        json.map(|key, value| found.field(key, value))?;
        json.end()?;
        Ok(found)
    }

    fn field(&mut self, key: &str, value: &mut Json<'_>) -> Result<(), Bad> {
        let text = match key {
            "hook_event_name" => &mut self.event,
            "session_id" => &mut self.session,
            "cwd" => &mut self.cwd,
            "permission_mode" => &mut self.mode,
            "agent_id" => &mut self.agent,
            "agent_type" => &mut self.agent_type,
            "source" => &mut self.source,
            "prompt" => &mut self.prompt,
            "tool_name" => &mut self.tool,
            "tool_use_id" => &mut self.call,
            "last_assistant_message" => &mut self.last_message,
            "reason" => &mut self.reason,
            "error" => &mut self.error,
            "message" => &mut self.message,
            "notification_type" => &mut self.notification,
            _ => return self.other(key, value),
        };
        *text = value.text()?;
        Ok(())
    }

    /// Reads the fields that are no texts.
    fn other(&mut self, key: &str, value: &mut Json<'_>) -> Result<(), Bad> {
        match key {
            "tool_input" => self.input = Input::read(value)?,
            "stop_hook_active" => self.again = value.is_true()?,
            "is_interrupt" => self.interrupt = value.is_true()?,
            "background_tasks" => self.background = tasks(value)?,
            _ => value.skip()?,
        }
        Ok(())
    }
}

impl Input {
    /// Picks out what is judged: paths and shell text. The content of a file is passed over.
    ///
    /// The names are those of the built-in tools and the usual ones of MCP servers.
    fn read(json: &mut Json<'_>) -> Result<Self, Bad> {
        let mut found = Self::default();
        json.map(|key, value| match key {
            "file_path" | "notebook_path" | "path" | "paths" | "source" | "destination" => {
                value.texts(&mut found.paths)
            }
            "command" => value.text().map(|text| found.command = text),
            _ => value.skip(),
        })?;
        Ok(found)
    }
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
        "subagent" => Work::Subagent,
        "workflow" => Work::Workflow,
        _ => Work::Other(kind),
    };
    let running = status.as_deref() == Some("running");
    Ok(Background { id: id.unwrap_or_default(), work, running, about: about.unwrap_or_default() })
}
