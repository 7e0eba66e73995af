//! A session of Claude Code: its host's events, and its agent's actions in between.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::scene::{Scene, Typed};

/// A session whose host lives as long as this value.
#[derive(Debug)]
pub(crate) struct Session<'s> {
    scene: &'s Scene,
    name: String,
    /// The folder where it was started.
    started: PathBuf,
    /// The working directory of its shell.
    pub(crate) at: PathBuf,
    host: Child,
}

/// sprag's answer to an event.
#[derive(Debug)]
pub(crate) struct Answer(Value);

impl Answer {
    /// Returns whether a stop, or a prompt, is refused.
    pub(crate) fn is_refused(&self) -> bool {
        self.0["decision"] == "block"
    }

    /// Returns whether a tool call is denied.
    pub(crate) fn is_denied(&self) -> bool {
        self.0["hookSpecificOutput"]["permissionDecision"] == "deny"
    }

    /// Returns the message to the agent.
    pub(crate) fn to_agent(&self) -> &str {
        let told = &self.0["hookSpecificOutput"];
        let told =
            [&self.0["reason"], &told["additionalContext"], &told["permissionDecisionReason"]];
        told.into_iter().find_map(Value::as_str).unwrap_or_default()
    }

    /// Returns the message to the person.
    pub(crate) fn to_person(&self) -> &str {
        self.0["systemMessage"].as_str().unwrap_or_default()
    }

    /// Asserts that a stop is refused because of this file.
    #[track_caller]
    pub(crate) fn refuses_for(&self, path: &str) {
        assert!(self.is_refused(), "the stop is allowed, though {path} is in doubt: {}", self.0);
        assert!(self.to_agent().contains(path), "{path} is not named: {}", self.0);
    }

    /// Asserts that a stop is refused.
    #[track_caller]
    pub(crate) fn refuses(&self) {
        assert!(self.is_refused(), "the stop is allowed: {}", self.0);
    }

    /// Asserts that a stop is allowed.
    #[track_caller]
    pub(crate) fn allows(&self) {
        assert!(!self.is_refused(), "the stop is refused: {}", self.0);
    }

    /// Asserts that a stop is allowed, and that the message to the person names this file.
    #[track_caller]
    pub(crate) fn allows_and_names(&self, path: &str) {
        self.allows();
        assert!(self.to_person().contains(path), "the person does not learn of {path}: {}", self.0);
    }
}

impl<'s> Session<'s> {
    /// Opens a session whose host was started in a folder; no event is sent yet.
    pub(crate) fn open(scene: &'s Scene, name: &str, at: &Path) -> Self {
        let mut host = scene.env.command("cat");
        let host = host.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        Self { scene, name: name.to_owned(), started: at.to_path_buf(), at: at.to_path_buf(), host }
    }

    /// Begins with a prompt.
    pub(crate) fn begins(self) -> Self {
        self.starts();
        self.prompt("go on");
        self
    }

    /// Begins a new conversation in the same process, as `/clear` does.
    pub(crate) fn cleared(mut self, name: &str) -> Self {
        self.says("SessionEnd", json!({ "reason": "clear" }));
        name.clone_into(&mut self.name);
        self.says("SessionStart", json!({ "source": "clear" }));
        self
    }

    pub(crate) fn starts(&self) -> Answer {
        self.says("SessionStart", json!({ "source": "startup" }))
    }

    pub(crate) fn prompt(&self, text: &str) -> Answer {
        self.says("UserPromptSubmit", json!({ "prompt": text }))
    }

    /// Writes a whole file with a tool, unless that is denied.
    pub(crate) fn edits(&self, path: &str, text: &str) -> Answer {
        let answer = self.asks_to_edit(path, text);
        if !answer.is_denied() {
            self.puts(path, text);
            self.says("PostToolUse", self.edit(path, text));
        }
        answer
    }

    /// Replaces a part of a file with a tool, unless that is denied.
    #[track_caller]
    pub(crate) fn changes(&self, path: &str, from: &str, to: &str) -> Answer {
        let text = std::fs::read_to_string(self.at.join(path)).unwrap();
        assert!(text.contains(from), "{path} has no `{from}`:\n{text}");
        self.edits(path, &text.replacen(from, to, 1))
    }

    /// Sends only the event before a file is written, never the one after it.
    pub(crate) fn asks_to_edit(&self, path: &str, text: &str) -> Answer {
        self.says("PreToolUse", self.edit(path, text))
    }

    fn edit(&self, path: &str, text: &str) -> Value {
        let (whole, old) = (self.at.join(path), std::fs::read_to_string(self.at.join(path)));
        match old {
            Ok(old) => json!({ "tool_name": "Edit", "tool_use_id": "t1", "tool_response": {},
                "tool_input": { "file_path": whole, "old_string": old, "new_string": text } }),
            Err(_) => json!({ "tool_name": "Write", "tool_use_id": "t1", "tool_response": {},
                "tool_input": { "file_path": whole, "content": text } }),
        }
    }

    /// Writes a file without any event.
    pub(crate) fn puts(&self, path: &str, text: &str) {
        let path = self.at.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Runs a shell line, which must be allowed and succeed.
    #[track_caller]
    pub(crate) fn runs(&self, line: &str) {
        let done = self.tries(line).unwrap_or_else(|why| panic!("{line} is denied: {}", why.0));
        assert_eq!(done.exit, Some(0), "{line}: {}", done.all());
    }

    /// Runs a shell line, unless that is denied.
    pub(crate) fn tries(&self, line: &str) -> Result<Typed, Answer> {
        let call = json!({ "tool_name": "Bash", "tool_use_id": "t1", "tool_response": {},
            "tool_input": { "command": line } });
        let answer = self.says("PreToolUse", call.clone());
        if answer.is_denied() {
            return Err(answer);
        }
        let mut shell = self.scene.env.command("sh");
        shell.args(["-c", line]).current_dir(&self.at).stdin(Stdio::null());
        shell.env("CLAUDECODE", "1").env("CLAUDE_CODE_SESSION_ID", &self.name);
        let done = crate::scene::typed(shell);
        self.says("PostToolUse", call);
        Ok(done)
    }

    /// Runs a script from a file, so that the call itself does not show what it does.
    #[track_caller]
    pub(crate) fn runs_script(&self, text: &str) {
        let path = self.scene.env.top().join("tool.sh");
        std::fs::write(&path, text).unwrap();
        self.runs(&format!("sh {}", path.display()));
    }

    pub(crate) fn stops(&self) -> Answer {
        self.stops_saying("Done.")
    }

    /// Tries to stop, with this last message.
    pub(crate) fn stops_saying(&self, said: &str) -> Answer {
        let more = json!({ "stop_hook_active": false, "last_assistant_message": said });
        self.says("Stop", more)
    }

    /// Ends like a session that a person closes.
    pub(crate) fn ends(mut self) {
        self.says("SessionEnd", json!({ "reason": "other" }));
        self.end_host();
    }

    /// Ends without an event, as by a signal.
    pub(crate) fn dies(mut self) {
        self.end_host();
    }

    fn end_host(&mut self) {
        let _ = self.host.kill();
        let _ = self.host.wait();
    }

    /// Sends an event to sprag as the host does.
    pub(crate) fn says(&self, event: &str, more: Value) -> Answer {
        let mut payload = json!({
            "session_id": self.name, "transcript_path": "/dev/null", "cwd": self.at,
            "permission_mode": "default", "hook_event_name": event,
        });
        if let (Some(all), Value::Object(more)) = (payload.as_object_mut(), more) {
            all.extend(more);
        }
        let mut command = self.scene.env.command(&self.scene.sprag);
        command.args(["hook", "claude"]).current_dir(&self.at);
        command.env("CLAUDECODE", "1").env("CLAUDE_PID", self.host.id().to_string());
        command.env("CLAUDE_PROJECT_DIR", &self.started);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A hook without work need not read its input.
        let _ = child.stdin.take().unwrap().write_all(payload.to_string().as_bytes());
        let done = child.wait_with_output().unwrap();
        let (said, error) = (done.stdout.as_slice(), String::from_utf8_lossy(&done.stderr));
        assert_eq!((done.status.code(), error.as_ref()), (Some(0), ""), "{event}");
        if said.is_empty() {
            return Answer(Value::Null);
        }
        Answer(serde_json::from_slice(said).unwrap_or_else(|bad| panic!("{event}: {bad}")))
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        self.end_host();
    }
}
