//! Drives a milestone tree through the engine's public calls, with a scripted agent, until no work
//! is left for it; prints each unit that it works on.
//!
//! `drive-tree ROOT N`: at its N-th step the process ends as by `kill -9`; with 0 it never does.
//! Steps lie between two durable actions: a call of the engine, or a file that the agent writes.

use std::process::ExitCode;

use sprag_core::{Check, Unit};
use sprag_engine::engine::{Engine, EngineError};
use sprag_engine::milestones::Dispatch;
use sprag_engine::step::WorkflowActor;
use sprag_proof::steps::{self, Steps, complain};
use sprag_store::Place;

fn main() -> ExitCode {
    steps::run("drive-tree", |steps| Driver { steps }.drive())
}

struct Driver {
    steps: Steps,
}

impl Driver {
    fn drive(&mut self) -> Result<(), EngineError> {
        let place = Place::of(&self.steps.root);
        let engine = Engine::open(&place, &[])?;
        self.steps.step();
        let run = engine.milestones(None)?;
        loop {
            self.steps.step();
            let unit = match engine.dispatch(&run, "driver")? {
                Dispatch::Begun { unit, .. } => unit,
                Dispatch::Held(hold) => {
                    complain(&hold.to_string());
                    return Ok(());
                }
                Dispatch::Wait(_) | Dispatch::Done => return Ok(()),
            };
            // The story ends with the first task; the second one only begins.
            if unit.id.as_str() == "execute-task M001/S01/T02" {
                self.steps.tell();
                return Ok(());
            }
            self.steps.step();
            self.work(&unit);
            engine.step_next(&run, WorkflowActor::Person, None)?;
        }
    }

    /// Writes what the gates of a unit require.
    fn work(&mut self, unit: &Unit) {
        for gate in &unit.gates {
            self.satisfy(&gate.check);
        }
    }

    fn satisfy(&mut self, check: &Check) {
        if let Check::File { path } = check {
            let text = text(path.as_str());
            self.steps.write(path.as_str(), &text);
        } else if let Check::Content { path, has } = check {
            let now = self.steps.read(path.as_str());
            if !now.contains(has.as_str()) {
                self.steps.write(path.as_str(), &now.replace(&has.replace("[x]", "[ ]"), has));
            }
        } else if let Check::Any { of } = check {
            of.iter().take(1).for_each(|check| self.satisfy(check));
        } else {
            check.parts().iter().for_each(|check| self.satisfy(check));
        }
    }
}

/// Returns the text of a file that the agent writes: two reviews with findings, then a clean one.
fn text(path: &str) -> String {
    let found = |list: &[&str]| {
        let items = list.iter().map(|text| format!("- [critical] src/a.rs: {text}\n"));
        format!("VERDICT: issues\n{}", items.collect::<String>())
    };
    match path.rsplit('/').next().unwrap_or_default() {
        "T01-CODE-REVIEW.md" => found(&["no test", "no limit", "no name"]),
        "T01-CODE-REVIEW-2.md" => found(&["the limit is off by one"]),
        "T01-CODE-REVIEW-3.md" => "VERDICT: pass\n".to_owned(),
        _ => "---\nid: T01\n---\n# Done\n".to_owned(),
    }
}
