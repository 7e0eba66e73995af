//! Talks to Claude Code as a program does, line by line: several prompts in one session, the user's
//! interrupt, and answers to its questions.

use std::path::Path;

use serde_json::{Value, json};
use sprag_testkit::model::Model;

use super::{Claude, headless};
use crate::client::Client;
use crate::process::{Ended, Process};
use crate::world::World;

/// A running session that accepts prompts.
pub(super) struct Dialogue(Process);

impl Dialogue {
    /// Registers sprag by hand and starts a session with the additional arguments `words`.
    pub(super) fn begin(program: &Path, world: &World, model: &Model, words: &[&str]) -> Self {
        Claude::settle(world, model);
        Claude::register(world);
        let mut command = headless(program, world, model);
        command.arg("--input-format=stream-json").args(words);
        Self(Process::open(command, Claude::LIMIT))
    }

    /// Sends a prompt or a command without waiting.
    pub(super) fn says(&mut self, words: &str) {
        let message = json!({ "role": "user", "content": words });
        self.tell(&json!({ "type": "user", "message": message }));
    }

    /// Sends a prompt and waits for the end of the turn.
    pub(super) fn turn(&mut self, words: &str) {
        self.says(words);
        self.rests();
    }

    /// Interrupts the turn, like the escape key.
    pub(super) fn interrupt(&mut self) {
        let request = json!({ "subtype": "interrupt" });
        self.tell(&json!({ "type": "control_request", "request_id": "stop", "request": request }));
        self.rests();
    }

    /// Waits until it asks for permission to use a tool; returns the request.
    pub(super) fn asks(&mut self, tool: &str) -> Value {
        let line = self.0.hear("\"can_use_tool\"");
        let asked: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(asked["request"]["tool_name"], tool, "{line}");
        asked
    }

    /// Permits the requested tool with this input.
    pub(super) fn allow(&mut self, asked: &Value, input: &Value) {
        let answer = json!({ "behavior": "allow", "updatedInput": input });
        let response = json!({
            "subtype": "success",
            "request_id": asked["request_id"],
            "response": answer,
        });
        self.tell(&json!({ "type": "control_response", "response": response }));
    }

    /// Waits for the end of the turn.
    pub(super) fn rests(&mut self) {
        self.0.hear("\"type\":\"result\"");
    }

    /// Closes the input and waits for the end of the process.
    pub(super) fn end(self) -> Ended {
        self.0.end()
    }

    /// Kills the process, which would wait for something that it started.
    pub(super) fn stop(self) -> Ended {
        self.0.stop()
    }

    fn tell(&mut self, line: &Value) {
        self.0.tell(&line.to_string());
    }
}
