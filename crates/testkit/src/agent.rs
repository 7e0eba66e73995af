//! A scripted agent in a Claude Code session. It calls the same host hooks as the real client
//! before and after each tool, runs the allowed tools for real, and records the texts that it is
//! given.

use std::path::PathBuf;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::{Output, TestEnv};

#[derive(Debug)]
pub struct Agent<'e> {
    env: &'e TestEnv,
    program: PathBuf,
    session: String,
    /// The agent's current folder, below the project.
    folder: PathBuf,
    /// The id of the host's process.
    process: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// It may stop; the message to the person.
    Free(String),
    /// It may not stop; the reason given to the agent.
    Refused(String),
}

/// The reason why a tool did not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denied(pub String);

impl<'e> Agent<'e> {
    /// Makes a session; `program` is the sprag binary that the host calls.
    pub fn new(env: &'e TestEnv, program: impl Into<PathBuf>, session: &str) -> Self {
        let (program, session) = (program.into(), session.to_owned());
        Self { env, program, session, folder: env.project(), process: "4711".to_owned() }
    }

    /// Moves the session to another process of the host.
    #[must_use]
    pub fn in_process(mut self, id: u32) -> Self {
        self.process = id.to_string();
        self
    }

    /// Changes to another folder of the project, as `cd` in its shell does.
    #[must_use]
    pub fn goes_to(mut self, folder: &str) -> Self {
        self.folder = self.env.project().join(folder);
        self
    }

    /// Starts the session and returns the context that the agent receives.
    pub fn begins(&self) -> String {
        let said = self.says("SessionStart", json!({ "source": "startup" }));
        text(&said, &["hookSpecificOutput", "additionalContext"])
    }

    /// Sends a person's prompt and returns the context that the agent receives with it.
    pub fn hears(&self, prompt: &str) -> String {
        let said = self.says("UserPromptSubmit", json!({ "prompt": prompt }));
        text(&said, &["hookSpecificOutput", "additionalContext"])
    }

    /// Reads a file and returns the context that the agent receives after it.
    pub fn looks(&self) -> String {
        let path = self.env.project().join("code.txt");
        let call = json!({ "tool_name": "Read", "tool_input": { "file_path": path } });
        self.says("PreToolUse", call.clone());
        text(&self.says("PostToolUse", call), &["hookSpecificOutput", "additionalContext"])
    }

    /// Writes a file, unless that is denied.
    pub fn writes(&self, path: &str, content: &str) -> Result<(), Denied> {
        let whole = self.env.project().join(path);
        let input = json!({ "file_path": whole.display().to_string(), "content": content });
        self.uses("Write", &input, || self.env.write(path, content))
    }

    /// Runs a text in a shell, unless that is denied. The shell is marked as an agent's.
    pub fn runs(&self, text: &str) -> Result<Output, Denied> {
        let input = json!({ "command": text });
        self.uses("Bash", &input, || {
            let mut shell = self.env.command("sh");
            shell.args(["-c", text]).current_dir(self.env.project()).stdin(Stdio::null());
            shell.env("CLAUDECODE", "1").env("CLAUDE_CODE_SESSION_ID", &self.session);
            let mut path = vec![self.program.parent().expect("a folder").to_path_buf()];
            path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
            shell.env("PATH", std::env::join_paths(path).expect("a path"));
            let done = shell.output().expect("a shell");
            Output {
                stdout: self.env.normal(&String::from_utf8_lossy(&done.stdout)),
                stderr: self.env.normal(&String::from_utf8_lossy(&done.stderr)),
                exit: done.status.code(),
            }
        })
    }

    /// Tries to stop.
    pub fn stops(&self) -> Stopped {
        let said = self.says("Stop", json!({ "stop_hook_active": false }));
        match said["decision"].as_str() {
            Some("block") => Stopped::Refused(text(&said, &["reason"])),
            _ => Stopped::Free(text(&said, &["systemMessage"])),
        }
    }

    pub fn ends(&self) {
        self.says("SessionEnd", json!({ "reason": "other" }));
    }

    fn uses<T>(&self, tool: &str, input: &Value, act: impl FnOnce() -> T) -> Result<T, Denied> {
        let call = json!({ "tool_name": tool, "tool_input": input, "tool_use_id": "t1" });
        let said = self.says("PreToolUse", call.clone());
        let decision = &said["hookSpecificOutput"];
        if decision["permissionDecision"] == "deny" {
            return Err(Denied(text(&said, &["hookSpecificOutput", "permissionDecisionReason"])));
        }
        let done = act();
        self.says("PostToolUse", call);
        Ok(done)
    }

    /// Calls the host hook for an event as the host does, and returns the reply.
    fn says(&self, event: &str, more: Value) -> Value {
        use std::io::Write as _;
        let mut payload = json!({
            "session_id": self.session,
            "transcript_path": "/dev/null",
            "cwd": self.folder.display().to_string(),
            "permission_mode": "default",
            "hook_event_name": event,
        });
        if let (Some(all), Value::Object(more)) = (payload.as_object_mut(), more) {
            all.extend(more);
        }
        let mut command = self.env.command(&self.program);
        command.args(["hook", "claude"]).current_dir(&self.folder);
        command.env("CLAUDECODE", "1").env("CLAUDE_PID", &self.process);
        command.env("CLAUDE_PROJECT_DIR", self.env.project());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("sprag");
        let _ = child.stdin.take().expect("a pipe").write_all(payload.to_string().as_bytes());
        let done = child.wait_with_output().expect("an end");
        assert_eq!((done.status.code(), done.stderr.as_slice()), (Some(0), &b""[..]), "{event}");
        let said = String::from_utf8(done.stdout).expect("text");
        if said.is_empty() {
            return Value::Null;
        }
        serde_json::from_str(&self.env.normal(&said)).unwrap_or_else(|bad| panic!("{bad}: {said}"))
    }
}

fn text(said: &Value, path: &[&str]) -> String {
    let found = path.iter().fold(said, |value, key| &value[*key]);
    found.as_str().unwrap_or_default().to_owned()
}
