//! One session of a client: the model's requests, the client's end, and sprag's records.

use sprag_testkit::model::{Heard, Model, Step};

use crate::client::{Client, program};
use crate::process::Ended;
use crate::world::World;

/// The prompt of every session.
pub(crate) const PROMPT: &str = "Please work on part.txt.";

/// The results of a session.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) world: World,
    heard: Vec<Heard>,
    ended: Ended,
}

impl Session {
    /// Runs a client in a world until it ends, with the model's `steps`. Returns `None` if the
    /// client is not installed.
    pub(crate) fn of<C: Client>(
        what: &str,
        world: impl FnOnce() -> World,
        steps: impl FnOnce(&World) -> Vec<Step>,
    ) -> Option<Self> {
        let program = program::<C>(what)?;
        let world = world();
        let steps = steps(&world);
        let count = steps.len();
        let model = Model::start(steps);
        let ended = C::session(C::command(&program, &world, &model, PROMPT), &world, PROMPT);
        Some(Self::judged(world, &model, count, ended))
    }

    /// Asserts the common facts: the model got one request per step, the client ended well, and
    /// sprag decided every call.
    pub(crate) fn judged(world: World, model: &Model, steps: usize, ended: Ended) -> Self {
        let session = Self { world, heard: model.heard(), ended };
        session.must(model.faults().is_empty(), &format!("the model heard {:?}", model.faults()));
        let requests = session.heard.len();
        session.must(requests == steps, &format!("{steps} requests are due, not {requests}"));
        session.must(session.ended.code == Some(0), "the client fails");
        let trace = session.world.env.read(".sprag/trace");
        session.must(trace.is_none(), "an undecided host hook was allowed");
        session
    }

    /// Asserts that a text was new in the model's request `nth`, counted from 0.
    pub(crate) fn told(&self, nth: usize, text: &str) {
        let counts: Vec<usize> = self.heard.iter().map(|heard| heard.count(text)).collect();
        let before = nth.checked_sub(1).map_or(0, |before| counts[before]);
        let is_new = counts[nth] > before;
        self.must(is_new, &format!("request {nth} brings nothing new about `{text}`: {counts:?}"));
    }

    /// Returns the request `nth`, counted from 0.
    pub(crate) fn heard(&self, nth: usize) -> &Heard {
        &self.heard[nth]
    }

    /// Returns whether any request contained a text.
    pub(crate) fn says(&self, text: &str) -> bool {
        self.heard.iter().any(|heard| heard.says(text))
    }

    /// Asserts a fact about the session, with its requests in the message.
    pub(crate) fn must(&self, holds: bool, what: &str) {
        if holds {
            return;
        }
        let requests: Vec<String> = self.heard.iter().map(|heard| heard.body.to_string()).collect();
        let kept = std::env::temp_dir().join(format!("sprag-hosts-{}.jsonl", std::process::id()));
        let _ = std::fs::write(&kept, requests.join("\n"));
        let trace = self.world.env.read(".sprag/trace").unwrap_or_default();
        panic!(
            "{what}\n--- the client, exit {:?} ---\n{}\n--- sprag log ---\n{}\n--- .sprag/trace ---\n\
             {trace}\n--- its requests are in {} ---",
            self.ended.code,
            self.ended.said,
            self.world.person(&["log"]),
            kept.display(),
        );
    }
}
