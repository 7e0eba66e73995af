//! Drives a plan of opti-gsd to its end through the engine's public calls, with an agent that makes
//! every possible mistake; prints the number of steps.
//!
//! `drive-plan ROOT N`: before its N-th step the process ends as by `kill -9`; with 0 it never
//! does. A step is a call of the engine that writes, or a file that the agent or the person writes.
//! The program keeps no state between steps, so each step may be done by another process.

use std::process::ExitCode;

use sprag_core::{Hold, RunId, Time};
use sprag_engine::engine::{Engine, EngineError};
use sprag_engine::plan::{PlanView, Stands, Working};
use sprag_proof::steps::{self, Steps, complain};
use sprag_store::Place;

const STATE: &str = ".gsd/STATE.md";
const REPORT: &str = ".gsd/plans/phase-1/VERIFICATION.md";
/// More steps than any plan here needs.
const ENOUGH: usize = 200;

fn main() -> ExitCode {
    steps::run("drive-plan", |steps| Driver { steps }.drive())
}

struct Driver {
    steps: Steps,
}

/// The agent's action in its turn.
enum Turn {
    /// It ends with this message.
    Says(&'static str),
    /// Its model is out of reach for some time.
    Limited,
}

impl Driver {
    fn drive(&mut self) -> Result<(), EngineError> {
        let place = Place::of(&self.steps.root);
        let engine = Engine::open(&place, &[])?;
        self.steps.step();
        let run = engine.plan_start(None)?;
        while self.steps.taken() < ENOUGH {
            let view = engine.plan_view(&run)?;
            if !self.go_on(&engine, &run, &view)? {
                complain(&format!("{:?}", view.stands));
                break;
            }
        }
        self.steps.tell();
        Ok(())
    }

    /// Does one thing; returns false if nothing is left.
    fn go_on(
        &mut self,
        engine: &Engine<'_>,
        run: &RunId,
        view: &PlanView,
    ) -> Result<bool, EngineError> {
        if let Some(work) = view.working.first() {
            self.work(engine, run, work)?;
            return Ok(true);
        }
        match &view.stands {
            Stands::Ready => {
                self.steps.step();
                engine.drive_begin(run, "agent", 1)?;
            }
            Stands::Held(Hold::Asked { .. }) => {
                let is_agents = view.waiting.iter().any(|one| one.fence.is_some());
                self.steps.step();
                engine.plan_answer(run, if is_agents { "JWT" } else { "" }, "person")?;
            }
            // A person resumes it by editing the document.
            Stands::Waits { .. } => {
                let edited =
                    self.steps.read(STATE).replace("awaiting: rate_limit", "awaiting: null");
                self.steps.write(STATE, &edited);
            }
            Stands::Working | Stands::Held(_) | Stands::Done | Stands::Cancelled => {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Runs the agent of an attempt, and ends the attempt.
    fn work(
        &mut self,
        engine: &Engine<'_>,
        run: &RunId,
        work: &Working,
    ) -> Result<(), EngineError> {
        let turn = self.turn(work);
        self.steps.step();
        match turn {
            Turn::Says(message) => engine.drive_end(run, work.fence, message).map(drop),
            Turn::Limited => {
                let at = Time::parse("2199-01-01T00:00:00Z").unwrap_or(Time::from_millis(0));
                let hold = Hold::Until { at, why: "rate limit".to_owned() };
                engine.drive_stall(run, work.fence, hold)
            }
        }
    }

    /// Asks, hits a limit, fails, lies, echoes and leaves a stub, each once, and then does better.
    fn turn(&mut self, work: &Working) -> Turn {
        match (work.unit.as_str(), retry(&work.prompt)) {
            ("T01", _) if !work.prompt.contains("<decision>JWT</decision>") => {
                return Turn::Says("CHECKPOINT: JWT or opaque tokens");
            }
            ("T01", _) if self.steps.read("limited").is_empty() => {
                self.steps.write("limited", "once\n");
                return Turn::Limited;
            }
            ("T01", _) => self.steps.write("a.txt", "a\n"),
            ("T02", 0) => return Turn::Says("TASK FAILED: npm test exits 1\nBlocker: no npm"),
            ("T02", 1) => return Turn::Says("All is well.\n\nTASK COMPLETE\nFiles: b.txt"),
            ("T02", 2) => {
                return Turn::Says("I was told:\n> TASK COMPLETE\n```\nTASK COMPLETE\n```");
            }
            ("T02", _) => self.steps.write("b.txt", "good b\n"),
            ("T03", _) => self.steps.write("c.txt", "stub\n"),
            ("FIX-01", _) => {
                self.steps.write("c.txt", "c\n");
                return Turn::Says("GAP CLOSED: wrote it");
            }
            (_, _) => {
                let stub = "<gap type=\"stub\" file=\"c.txt\">only a stub</gap>";
                let is_stub = self.steps.read("c.txt").contains("stub");
                let (status, gaps) = if is_stub { ("gaps_found", stub) } else { ("passed", "") };
                let report = format!("## Status: {status}\n\n## Gaps\n<gaps>{gaps}</gaps>\n");
                self.steps.write(REPORT, &report);
            }
        }
        Turn::Says("TASK COMPLETE")
    }
}

/// Returns the number of the retry that a prompt is for; 0 is the first attempt.
fn retry(prompt: &str) -> u32 {
    let number = prompt.rsplit_once("<attempt>").and_then(|(_, rest)| rest.split(' ').next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}
