//! One session of any host, as its client reports it: each event in that host's own fields.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};
use sprag_hosts::Host;

use crate::agents::World;

/// A session of a host.
pub(crate) struct Client<'w> {
    pub(crate) world: &'w World,
    pub(crate) host: Host,
    session: String,
    variables: Vec<(&'static str, String)>,
}

/// The events of a session, in the order of a host's layout.
#[derive(Clone, Copy, Debug)]
pub(crate) enum At {
    Begin,
    Prompt,
    Tool,
    Stop,
    End,
}

impl<'w> Client<'w> {
    pub(crate) fn new(world: &'w World, host: Host, session: &str) -> Self {
        Self { world, host, session: session.to_owned(), variables: Vec::new() }
    }

    /// Sets a variable of the client's environment.
    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Self {
        self.variables.push((name, value.to_owned()));
        self
    }

    /// Returns sprag's name for the session.
    pub(crate) fn file(&self) -> String {
        format!("{}-{}", self.host.name(), self.session)
    }

    pub(crate) fn begins(&self) -> Value {
        self.says(At::Begin, json!({ "source": "startup", "reason": "startup" }))
    }

    pub(crate) fn prompts(&self, text: &str) -> Value {
        self.says(At::Prompt, json!({ "prompt": text }))
    }

    /// Types a command to sprag, and returns the message to the person.
    pub(crate) fn types(&self, line: &str) -> String {
        let said = match (self.host.name(), line.strip_prefix('/')) {
            ("pi", Some(line)) => {
                let (name, args) = line.split_once(' ').unwrap_or((line, ""));
                self.event("command", json!({ "name": name, "args": args }))
            }
            _ => self.prompts(line),
        };
        told(&said)
    }

    /// Writes a file with the host's own tool; returns the reason if it is denied.
    pub(crate) fn edits(&self, path: &str, text: &str) -> Option<String> {
        let whole = self.world.env.project().join(path);
        let input = match self.host.name() {
            "codex" => {
                let edit = format!("*** Begin Patch\n*** Update File: {path}\n*** End Patch\n");
                json!({ "command": edit })
            }
            "copilot" | "pi" => json!({ "path": whole }),
            "opencode" => json!({ "filePath": whole }),
            _ => json!({ "file_path": whole }),
        };
        let tool = match self.host.name() {
            "opencode" | "pi" => "write",
            _ => self.host.counterparts("write")[0],
        };
        let denied = self.uses(tool, &input);
        if denied.is_none() {
            self.world.env.write(path, text);
        }
        denied
    }

    /// Sends the event before a tool call; returns the reason if it is denied.
    pub(crate) fn uses(&self, tool: &str, input: &Value) -> Option<String> {
        let fields = match self.host.name() {
            "copilot" => json!({ "toolName": tool, "toolArgs": input.to_string() }),
            "pi" => json!({ "tool": tool, "input": input }),
            _ => {
                json!({ "tool_name": tool, "tool_input": input })
            }
        };
        let said = self.says(At::Tool, fields);
        let reasons = [
            &said["hookSpecificOutput"]["permissionDecisionReason"],
            &said["permissionDecisionReason"],
            &said["reason"],
            &said["out"]["reason"],
        ];
        reasons.iter().find_map(|reason| reason.as_str().map(str::to_owned))
    }

    /// Tries to stop; returns the reason if it is refused.
    pub(crate) fn stops(&self) -> Option<String> {
        self.stops_with(json!({}))
    }

    /// Tries to stop, with additional fields.
    pub(crate) fn stops_with(&self, more: Value) -> Option<String> {
        let said = self.says(At::Stop, more);
        let sent = said["effects"].as_array().into_iter().flatten();
        let mut sent = sent.filter(|effect| effect["fx"] == "send_user_message");
        let sent = sent.find_map(|effect| effect["text"].as_str());
        said["reason"].as_str().or(sent).map(str::to_owned)
    }

    pub(crate) fn ends(&self, reason: &str) {
        self.says(At::End, json!({ "reason": reason }));
    }

    /// Sends an event with these fields.
    pub(crate) fn says(&self, at: At, more: Value) -> Value {
        let pi = ["session_start", "before_agent_start", "tool_call", "agent_before_settle"];
        let pi = [&pi[..], &["session_shutdown"]].concat();
        let claude = Host::CLAUDE.form().unwrap().events;
        let events = match self.host.name() {
            "pi" => &pi,
            _ => self.host.form().map_or(claude, |form| form.events),
        };
        let event = events[at as usize];
        self.event(event, more)
    }

    /// Sends an event by the host's name for it, and returns the answer; null if there is none.
    pub(crate) fn event(&self, event: &str, more: Value) -> Value {
        if self.host == Host::PI {
            let line = json!({
                "v": 1, "id": 1, "host": "pi", "session": self.session,
                "cwd": self.world.env.project(), "event": event, "data": more,
            });
            let said = self.run(&["rpc"], &format!("{line}\n"));
            return serde_json::from_str(said.lines().nth(1).unwrap()).unwrap();
        }
        let mut payload = json!({ "cwd": self.world.env.project() });
        if self.host == Host::COPILOT {
            // Its events do not name themselves.
            payload["sessionId"] = self.session.clone().into();
        } else {
            payload["session_id"] = self.session.clone().into();
            payload["hook_event_name"] = event.into();
        }
        if let (Value::Object(more), Some(all)) = (more, payload.as_object_mut()) {
            all.extend(more);
        }
        let said = self.run(&["hook", self.host.name(), event], &payload.to_string());
        if said.is_empty() { Value::Null } else { serde_json::from_str(&said).unwrap() }
    }

    /// Starts sprag as the host does.
    pub(crate) fn run(&self, words: &[&str], input: &str) -> String {
        let mut command = self.world.env.command(&self.world.sprag);
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.envs(self.variables.iter().map(|(name, value)| (*name, value)));
        let mut child = command.spawn().unwrap();
        // If nothing is held, the input is not read.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let done = child.wait_with_output().unwrap();
        assert_eq!((done.status.code(), done.stderr.as_slice()), (Some(0), &b""[..]), "{words:?}");
        self.world.env.normal(&String::from_utf8(done.stdout).unwrap())
    }
}

/// Returns the message to the person: instead of the agent's answer, or through the bridge.
fn told(said: &Value) -> String {
    let mut notified = said["effects"].as_array().into_iter().flatten();
    let notified = notified.find_map(|effect| effect["message"].as_str());
    let context = said["hookSpecificOutput"]["additionalContext"].as_str();
    let context = context.or(said["additionalContext"].as_str());
    let text = said["reason"].as_str().or(notified).or(context);
    text.unwrap_or_default().to_owned()
}
