//! Claude Code as a program speaks to it, line by line: several prompts in one session, a person's
//! interrupt, and the answers that a person is asked for.

use std::path::Path;

use serde_json::{Value, json};
use sprag_testkit::model::Model;

use super::{Claude, headless};
use crate::client::Client;
use crate::process::{Ended, Process};
use crate::world::World;

/// A session that is spoken to.
pub(super) struct Dialogue(Process);

impl Dialogue {
    /// Sets it up by hand and begins; `words` are added to what it is started with.
    pub(super) fn begin(program: &Path, world: &World, model: &Model, words: &[&str]) -> Self {
        Claude::settle(world, model);
        Claude::register(world);
        let mut command = headless(program, world, model);
        command.arg("--input-format=stream-json").args(words);
        Self(Process::open(command, Claude::LIMIT))
    }

    /// Says something to it, a prompt or a command of its own, and goes on without waiting.
    pub(super) fn says(&mut self, words: &str) {
        let message = json!({ "role": "user", "content": words });
        self.tell(&json!({ "type": "user", "message": message }));
    }

    /// Says something to it and waits until its turn is over.
    pub(super) fn turn(&mut self, words: &str) {
        self.says(words);
        self.rests();
    }

    /// Breaks its turn off, as a person does with the escape key.
    pub(super) fn interrupt(&mut self) {
        let request = json!({ "subtype": "interrupt" });
        self.tell(&json!({ "type": "control_request", "request_id": "stop", "request": request }));
        self.rests();
    }

    /// Waits until it asks a person whether it may use a tool; returns what it asks.
    pub(super) fn asks(&mut self, tool: &str) -> Value {
        let line = self.0.hear("\"can_use_tool\"");
        let asked: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(asked["request"]["tool_name"], tool, "{line}");
        asked
    }

    /// Lets it use the tool that it asked for, with this input.
    pub(super) fn allow(&mut self, asked: &Value, input: &Value) {
        let answer = json!({ "behavior": "allow", "updatedInput": input });
        let response = json!({
            "subtype": "success",
            "request_id": asked["request_id"],
            "response": answer,
        });
        self.tell(&json!({ "type": "control_response", "response": response }));
    }

    /// Waits until its turn is over.
    pub(super) fn rests(&mut self) {
        self.0.hear("\"type\":\"result\"");
    }

    /// Says no more, and waits until it is gone.
    pub(super) fn end(self) -> Ended {
        self.0.end()
    }

    /// Ends it, because it would wait for something that it started.
    pub(super) fn stop(self) -> Ended {
        self.0.stop()
    }

    fn tell(&mut self, line: &Value) {
        self.0.tell(&line.to_string());
    }
}
