//! A session of each host, as its client or its bridge reports it: events in the host's own fields.

use serde_json::{Value, json};
use sprag_testkit::Spoken;

use crate::player::Player;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Host {
    Claude,
    Codex,
    Gemini,
    Copilot,
    Opencode,
    Pi,
}

/// The events of a session.
#[derive(Clone, Copy, Debug)]
pub(crate) enum At {
    Begin,
    Prompt,
    Before,
    After,
    Stop,
    End,
}

impl Host {
    const fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Copilot => "copilot",
            Self::Opencode => "opencode",
            Self::Pi => "pi",
        }
    }

    /// Returns the host's name for an event.
    const fn event(self, at: At) -> &'static str {
        match (self, at) {
            (Self::Gemini, At::Prompt) => "BeforeAgent",
            (Self::Gemini, At::Before) => "BeforeTool",
            (Self::Gemini, At::After) => "AfterTool",
            (Self::Gemini, At::Stop) => "AfterAgent",
            (Self::Copilot, At::Begin) => "sessionStart",
            (Self::Copilot, At::Prompt) => "userPromptSubmitted",
            (Self::Copilot, At::Before) => "preToolUse",
            (Self::Copilot, At::After) => "postToolUse",
            (Self::Copilot, At::Stop) => "agentStop",
            (Self::Copilot, At::End) => "sessionEnd",
            (Self::Pi, At::Begin) => "session_start",
            (Self::Pi, At::Prompt) => "before_agent_start",
            (Self::Pi, At::Before) => "tool_call",
            (Self::Pi, At::After) => "tool_result",
            (Self::Pi, At::Stop) => "agent_before_settle",
            (Self::Pi, At::End) => "session_shutdown",
            (_, At::Begin) => "SessionStart",
            (_, At::Prompt) => "UserPromptSubmit",
            (_, At::Before) => "PreToolUse",
            (_, At::After) => "PostToolUse",
            (_, At::Stop) => "Stop",
            (_, At::End) => "SessionEnd",
        }
    }

    /// Returns the host's tools that edit and that run a command.
    const fn tools(self) -> (&'static str, &'static str) {
        match self {
            Self::Claude => ("Write", "Bash"),
            Self::Codex => ("apply_patch", "Bash"),
            Self::Gemini => ("write_file", "run_shell_command"),
            Self::Copilot => ("create", "bash"),
            Self::Opencode | Self::Pi => ("write", "bash"),
        }
    }

    /// Returns the input of the host's editing tool.
    fn edit(self, play: &Player, path: &str) -> Value {
        let whole = play.env.project().join(path);
        match self {
            Self::Claude | Self::Gemini => json!({ "file_path": whole, "content": "" }),
            Self::Codex => {
                let edit = format!("*** Begin Patch\n*** Update File: {path}\n*** End Patch\n");
                json!({ "command": edit })
            }
            Self::Copilot | Self::Pi => json!({ "path": whole }),
            Self::Opencode => json!({ "filePath": whole }),
        }
    }
}

/// A session and, for some hosts, its bridge.
#[derive(Debug)]
pub(crate) struct Session {
    host: Host,
    name: String,
    bridge: Option<Spoken>,
    /// The number of the bridge's last request.
    last: u32,
    /// Whether each event starts a new bridge.
    is_anew: bool,
    /// The entries that pi keeps in its branch.
    branch: Vec<Value>,
    /// The host's process; by default the test itself, which exists in both plays.
    process: u32,
}

impl Session {
    /// Opens a session; a bridge sends its greeting.
    pub(crate) fn new(play: &mut Player, host: Host, name: &str) -> Self {
        let mut session = Self::anew(host, name);
        if matches!(host, Host::Opencode | Host::Pi) {
            session.is_anew = false;
            session.bridge = Some(bridge(play));
        }
        session
    }

    /// Opens a session that starts a new bridge for each event. The clock of a bridge is frozen, so
    /// one long-lived bridge would record times before those of the commands in between.
    pub(crate) fn anew(host: Host, name: &str) -> Self {
        let (name, process) = (name.to_owned(), std::process::id());
        Self { host, name, bridge: None, is_anew: true, last: 0, branch: Vec::new(), process }
    }

    /// Names another process as the host, one that does not exist.
    #[must_use]
    pub(crate) const fn in_process(mut self, id: u32) -> Self {
        self.process = id;
        self
    }

    /// Returns sprag's name for the session.
    pub(crate) fn file(&self) -> String {
        format!("{}-{}", self.host.name(), self.name)
    }

    pub(crate) fn begins(&mut self, play: &mut Player) -> Value {
        self.says(play, At::Begin, json!({ "source": "startup", "reason": "startup" }))
    }

    pub(crate) fn hears(&mut self, play: &mut Player, prompt: &str) -> Value {
        self.says(play, At::Prompt, json!({ "prompt": prompt }))
    }

    /// Types a command to sprag into the session.
    pub(crate) fn types(&mut self, play: &mut Player, line: &str) -> Value {
        match (self.host, line.strip_prefix('/')) {
            (Host::Pi, Some(line)) => {
                let (name, args) = line.split_once(' ').unwrap_or((line, ""));
                self.event(play, "command", json!({ "name": name, "args": args }))
            }
            _ => self.hears(play, line),
        }
    }

    /// Writes a file with the host's own tool, unless that is denied.
    pub(crate) fn edits(&mut self, play: &mut Player, path: &str, text: &str) {
        let input = self.host.edit(play, path);
        if self.uses(play, self.host.tools().0, &input) {
            play.write(path, text);
            self.used(play, self.host.tools().0, &input);
        }
    }

    /// Sends only the event before a shell command; nothing is run.
    pub(crate) fn wants_to_run(&mut self, play: &mut Player, command: &str) {
        self.uses(play, self.host.tools().1, &json!({ "command": command }));
    }

    /// Sends the event before a tool call; returns whether it is allowed.
    pub(crate) fn uses(&mut self, play: &mut Player, tool: &str, input: &Value) -> bool {
        let said = self.says(play, At::Before, self.call(tool, input)).to_string();
        !said.contains("\"deny\"")
            && !said.contains("\"block\":true")
            && !said.contains("\"block\"")
    }

    /// Sends the event after a tool call.
    fn used(&mut self, play: &mut Player, tool: &str, input: &Value) {
        let mut call = self.call(tool, input);
        match self.host {
            Host::Copilot => call["toolResult"] = json!({ "resultType": "success" }),
            Host::Pi => {}
            Host::Claude | Host::Codex | Host::Gemini | Host::Opencode => {
                call["tool_response"] = json!({});
            }
        }
        self.says(play, At::After, call);
    }

    fn call(&self, tool: &str, input: &Value) -> Value {
        match self.host {
            Host::Copilot => json!({ "toolName": tool, "toolArgs": input.to_string() }),
            Host::Pi => json!({ "tool": tool, "input": input }),
            Host::Claude | Host::Codex | Host::Gemini | Host::Opencode => {
                json!({ "tool_name": tool, "tool_input": input, "tool_use_id": "t1" })
            }
        }
    }

    /// Tries to stop.
    pub(crate) fn stops(&mut self, play: &mut Player) -> Value {
        self.stops_with(play, json!({}))
    }

    /// Tries to stop, with additional fields.
    pub(crate) fn stops_with(&mut self, play: &mut Player, mut more: Value) -> Value {
        if self.host == Host::Pi && more.get("outcome").is_none() {
            more["outcome"] = "completed".into();
        }
        self.says(play, At::Stop, more)
    }

    /// Ends the session and its bridge.
    pub(crate) fn ends(mut self, play: &mut Player, reason: &str) {
        self.says(play, At::End, json!({ "reason": reason }));
        self.hangs_up(play);
    }

    fn hangs_up(&mut self, play: &mut Player) {
        if let Some(bridge) = self.bridge.take() {
            let rest = bridge.ends();
            play.keeps_said("the bridge ends", &rest);
        }
    }

    /// Sends an event, and returns the answer; null if there is none.
    pub(crate) fn says(&mut self, play: &mut Player, at: At, more: Value) -> Value {
        self.event(play, self.host.event(at), more)
    }

    /// Sends an event by the host's name for it.
    pub(crate) fn event(&mut self, play: &mut Player, event: &str, more: Value) -> Value {
        match self.host {
            Host::Opencode | Host::Pi => self.bridged(play, event, more),
            Host::Claude | Host::Codex | Host::Gemini | Host::Copilot => {
                self.hooked(play, event, more)
            }
        }
    }

    fn hooked(&self, play: &mut Player, event: &str, more: Value) -> Value {
        let mut payload = json!({ "cwd": play.env.project() });
        if self.host == Host::Copilot {
            // Its events do not name themselves.
            payload["sessionId"] = self.name.clone().into();
        } else {
            payload["session_id"] = self.name.clone().into();
            payload["hook_event_name"] = event.into();
            payload["transcript_path"] = "/dev/null".into();
            payload["permission_mode"] = "default".into();
        }
        if let (Value::Object(more), Some(all)) = (more, payload.as_object_mut()) {
            all.extend(more);
        }
        let mut command = play.command(&["hook", self.host.name(), event]);
        if self.host == Host::Claude {
            command.env("CLAUDECODE", "1").env("CLAUDE_PID", self.process.to_string());
            command.env("CLAUDE_PROJECT_DIR", play.env.project());
        }
        let what = format!("sprag hook {} {event} < {payload}", self.host.name());
        let said = play.performs(&what, command, &payload.to_string()).exits(0).stdout();
        serde_json::from_str(&said).unwrap_or(Value::Null)
    }

    fn bridged(&mut self, play: &mut Player, event: &str, mut data: Value) -> Value {
        self.last += 1;
        if self.host == Host::Pi && (event.starts_with("session_") || event == "turn_end") {
            data["branch"] = json!(self.branch);
        }
        let request = json!({
            "v": 1, "id": self.last, "host": self.host.name(), "session": self.name,
            "cwd": play.env.project(), "event": event, "data": data,
        });
        if self.is_anew {
            self.bridge = Some(bridge(play));
        }
        let bridge = self.bridge.as_mut().expect("a bridge");
        bridge.says(request.to_string());
        let said = bridge.hears();
        play.keeps_said(&format!("sprag rpc < {request}"), &format!("{said}\n"));
        if self.is_anew {
            self.hangs_up(play);
        }
        let answer: Value = serde_json::from_str(&said).unwrap();
        for effect in answer["effects"].as_array().into_iter().flatten() {
            if effect["fx"] == "append_entry" {
                let (custom, data) = (&effect["customType"], &effect["data"]);
                let entry = json!({ "type": "custom", "customType": custom, "data": data });
                self.branch.push(entry);
            }
        }
        answer
    }
}

/// Starts a bridge, which sends its greeting.
fn bridge(play: &mut Player) -> Spoken {
    let mut spoken = Spoken::start(play.command(&["rpc"]));
    let hello = spoken.hears();
    play.keeps_said("sprag rpc", &hello);
    spoken
}
