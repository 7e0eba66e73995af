//! A server of opencode with one session in it.

use std::path::Path;
use std::process::Command;

use serde_json::json;
use sprag_testkit::model::Model;

use super::Opencode;
use super::http::Server;
use crate::client::Client;
use crate::process::{Ended, Process};
use crate::world::World;

/// A server that runs.
pub(super) struct Served {
    process: Process,
    /// The session in it.
    pub(super) session: Session,
}

/// A session that is spoken to.
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

    /// Waits until the session may stop: it goes on by itself after a refusal, and then waits for
    /// the next prompt.
    pub(super) fn rest(self, world: &World) -> Ended {
        let mut log = world.command(Path::new(world.sprag()));
        log.args(["log", "--follow"]);
        let mut log = Process::start(log, Opencode::LIMIT);
        let may_stop = log.hears("stop.allowed").is_some();
        // Where it took too long, this says what it did all the time.
        let ended = self.process.stop();
        assert!(may_stop, "it may not stop:\n{}\n{}", world.person(&["log"]), ended.said);
        log.kill();
        ended
    }
}

impl Served {
    /// Kills the server in the middle of a turn, once the model was asked this often.
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
    /// Says something to the session and waits for the end of the turn.
    pub(super) fn turn(&self, prompt: &str) {
        let parts = json!({ "parts": [{ "type": "text", "text": prompt }] });
        self.server.post(&format!("{}/message", self.path), &parts);
    }

    /// Breaks the turn off.
    pub(super) fn interrupt(&self) {
        self.server.post(&format!("{}/abort", self.path), &json!({}));
    }
}
