//! An opencode server with one session.

use std::path::Path;
use std::process::Command;

use serde_json::json;
use sprag_testkit::model::Model;

use super::Opencode;
use super::http::Server;
use crate::client::Client;
use crate::process::{Ended, Process};
use crate::world::World;

/// A running server.
pub(super) struct Served {
    process: Process,
    pub(super) session: Session,
}

/// A session that accepts prompts.
pub(super) struct Session {
    server: Server,
    path: String,
}

impl Served {
    /// Starts a server and begins a session.
    pub(super) fn begin(command: Command) -> Self {
        let mut process = Process::start(command, Opencode::LIMIT);
        let line = process.hear("listening on http://");
        let address = line.split("http://").nth(1).and_then(|rest| rest.split_whitespace().next());
        let server = Server::new(address.unwrap(), Opencode::LIMIT);
        let session = server.post("/session", &json!({ "title": "scripted" }));
        let path = format!("/session/{}", session["id"].as_str().unwrap());
        Self { process, session: Session { server, path } }
    }

    /// Waits until the session may stop: after a refusal it continues by itself, and then waits for
    /// the next prompt.
    pub(super) fn rest(self, world: &World) -> Ended {
        let mut log = world.command(Path::new(world.sprag()));
        log.args(["log", "--follow"]);
        let mut log = Process::start(log, Opencode::LIMIT);
        let may_stop = log.hears("stop.allowed").is_some();
        // If this took too long, the output shows what happened.
        let ended = self.process.stop();
        assert!(may_stop, "it may not stop:\n{}\n{}", world.person(&["log"]), ended.said);
        log.kill();
        ended
    }
}

impl Served {
    /// Kills the server during a turn, after this many requests to the model.
    pub(super) fn killed(self, model: &Model, requests: usize, prompt: &str) {
        let Self { process, session } = self;
        std::thread::scope(|scope| {
            let turn = scope.spawn(|| session.turn(prompt));
            model.wait_for(requests);
            process.kill();
            assert!(turn.join().is_err(), "the turn came to its end");
        });
    }
}

impl Session {
    /// Sends a prompt and waits for the end of the turn.
    pub(super) fn turn(&self, prompt: &str) {
        let parts = json!({ "parts": [{ "type": "text", "text": prompt }] });
        self.server.post(&format!("{}/message", self.path), &parts);
    }

    /// Interrupts the turn.
    pub(super) fn interrupt(&self) {
        self.server.post(&format!("{}/abort", self.path), &json!({}));
    }
}
