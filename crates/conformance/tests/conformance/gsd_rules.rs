//! Compares rules with traces of GSD's own engine: what follows a unit, and what precedes one.
//!
//! A trace is a list of steps, each with the original's answer and state. sprag performs the same
//! steps. If a difference has a name, sprag's own answer is checked against that difference, and
//! then replaced by the original's, so that the rest of the trace is checked as well.

mod entries;
mod world;

use std::path::Path;

use sprag_conformance::{Outcome, Tally, as_list, as_text, canonical, field, read};
use sprag_core::Plain;

use world::World;

const FILE: &str = "hook-engine-traces.json";

/// Performs every step of every trace.
pub(crate) fn traces(folder: &Path, tally: &mut Tally) -> Result<(), String> {
    let path = folder.join(FILE);
    if !path.is_file() {
        return Ok(());
    }
    let text = std::fs::read_to_string(&path).map_err(|bad| format!("{FILE}: {bad}"))?;
    for case in as_list(&read(&text)?) {
        let name = as_text(field(case, "scenario")).unwrap_or("?");
        let log = field(case, "log");
        let outcome = if *log == Plain::Null {
            entries::kept(field(case, "result"))
        } else {
            preferences(folder, field(case, "preferences"))
                .map_or_else(Outcome::Failed, |text| steps(&text, as_list(log)))
        };
        tally.add("rules", name, outcome);
    }
    Ok(())
}

/// Returns the preferences of a trace: its own, or those of a tree.
fn preferences(folder: &Path, said: &Plain) -> Result<String, String> {
    let text = as_text(said).unwrap_or_default();
    let Some(tree) = text.strip_prefix("(tree ").and_then(|rest| rest.strip_suffix(')')) else {
        return Ok(format!("---\n{text}\n---\n"));
    };
    let path = folder.join("trees").join(tree).join(".gsd/PREFERENCES.md");
    std::fs::read_to_string(&path).map_err(|bad| format!("{}: {bad}", path.display()))
}

fn steps(preferences: &str, log: &[Plain]) -> Outcome {
    let mut world = match World::new(preferences) {
        Ok(world) => world,
        Err(why) => return Outcome::Failed(why),
    };
    for (at, line) in log.iter().enumerate() {
        let answer = match world.take(field(line, "step"), field(line, "result")) {
            Ok(answer) => answer,
            Err(why) => return Outcome::Failed(format!("step {}: {why}", at + 1)),
        };
        for (what, ours, theirs) in [
            ("result", answer, field(line, "result")),
            ("after", world.state(), field(line, "after")),
        ] {
            let (ours, theirs) = (canonical(&ours), canonical(theirs));
            if ours != theirs {
                return Outcome::Failed(format!(
                    "step {}: {what}\n  ours   {ours:?}\n  theirs {theirs:?}",
                    at + 1
                ));
            }
        }
    }
    match world.differences() {
        used if used.is_empty() => Outcome::Passed,
        used => Outcome::Differs(used),
    }
}
