//! How a run is told of at its end: what is proven, what waits, and the one next command.

use serde_json::json;
use sprag_core::Id;
use sprag_engine::engine::Engine;
use sprag_run::{Outcome, dollars};

use super::exit;
use crate::call::{Answer, Call};
use crate::exit::Exit;
use crate::fault::{Next, Stop};
use crate::screen;

/// Tells how far a run came.
pub(super) fn tell(
    call: &Call,
    engine: &Engine<'_>,
    run: &Id,
    outcome: &Outcome,
) -> Result<Exit, Stop> {
    let spent = engine.drive_spent(run)?;
    let cost = if spent.unknown > 0 && spent.micro_usd == 0 {
        "cost unknown".to_owned()
    } else if spent.unknown > 0 {
        format!("at least {}", dollars(spent.micro_usd))
    } else {
        dollars(spent.micro_usd)
    };
    let (how, why) = match outcome {
        Outcome::Done => ("done", String::new()),
        Outcome::Cancelled => ("cancelled", String::new()),
        Outcome::Held(hold) => ("held", hold.to_string()),
        Outcome::Spent { what } => ("held", what.clone()),
        Outcome::Paused => ("paused", "interrupted".to_owned()),
    };
    let next = match outcome {
        Outcome::Done | Outcome::Cancelled => format!("sprag log {run}"),
        Outcome::Held(_) | Outcome::Spent { .. } | Outcome::Paused => format!("sprag resume {run}"),
    };
    match call.answer {
        Answer::Text => {
            let why = if why.is_empty() { String::new() } else { format!(": {why}") };
            let text =
                format!("{:>12} {run} {how}{why} · {cost}\n{:>12} {next}\n", "Summary", "Next");
            screen::print(&text)?;
        }
        Answer::Json => {
            let human = if next.starts_with("sprag resume") { vec![next.clone()] } else { vec![] };
            let safe = if human.is_empty() { vec![next] } else { vec![] };
            screen::print_json(&json!({
                "ok": exit(outcome) == Exit::Done, "run": run.as_str(), "outcome": how, "why": why,
                "micro_usd": spent.micro_usd, "tokens": spent.tokens,
                "cost_unknown": spent.unknown, "next": Next { safe, human },
            }))?;
        }
    }
    Ok(exit(outcome))
}
