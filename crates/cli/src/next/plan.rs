//! `sprag next plan`: shows the next tasks, which run together, and why; changes nothing.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sprag_core::plan::whole;
use sprag_core::{Hold, Prompt, Unit};
use sprag_engine::engine::Engine;
use sprag_engine::plan::{PlanView, Stands};

use crate::context::{CommandContext, OutputFormat};
use crate::env;
use crate::exit::Exit;
use crate::fault::EarlyExit;
use crate::style::WIDTH;
use crate::{belongs, screen};

pub(super) fn show(call: &CommandContext, phase: Option<&str>) -> Result<Exit, EarlyExit> {
    let (place, belongs) = call.project_to_show()?;
    let environment = env::all();
    let view = Engine::open(&place, &environment)?.plan_next(phase)?;
    match call.answer {
        OutputFormat::Text => screen::print(&text(call, &view))?,
        OutputFormat::Json => {
            let mut object = object(&view);
            belongs::mark(&mut object, &belongs);
            screen::print_json(&object)?;
        }
    }
    Ok(match view.stands {
        Stands::Held(_) => Exit::NeedsPerson,
        Stands::Ready
        | Stands::Working
        | Stands::Waits { .. }
        | Stands::Done
        | Stands::Cancelled => Exit::Done,
    })
}

fn text(call: &CommandContext, view: &PlanView) -> String {
    let (done, all) = view.done;
    let title = call.look.clip(&view.title, WIDTH / 2);
    let stage = view.stage.as_str();
    let mut out = format!("Phase {}: {title} · {stage} · {done} of {all} tasks\n", view.phase);
    // Writing to a string cannot fail.
    for work in &view.working {
        let _ = writeln!(out, "  {} is being worked on", work.unit);
    }
    if !view.together.is_empty() {
        let names: Vec<_> = view.together.iter().map(|(unit, _)| unit.id.to_string()).collect();
        let together = if names.len() > 1 { " together" } else { "" };
        let when = match view.stands {
            Stands::Held(_) => "after a yes",
            Stands::Ready
            | Stands::Working
            | Stands::Waits { .. }
            | Stands::Done
            | Stands::Cancelled => "now",
        };
        let _ = writeln!(out, "  {when}{together}: {}", names.join(", "));
    }
    for (unit, prompt) in &view.together {
        let _ = writeln!(out, "    {}: {}", unit.id, why(unit, prompt));
    }
    for (unit, why) in &view.after {
        let _ = writeln!(out, "  later: {unit}, {why}");
    }
    let _ = writeln!(out, "  {}", call.look.clip(&stands(&view.stands), WIDTH - 2));
    if !view.claims.is_empty() {
        let count = view.claims.len();
        let _ = writeln!(out, "  {count} of its checks only an agent can decide; they stay claims");
    }
    out
}

/// Explains why a unit is next.
fn why(unit: &Unit, prompt: &Prompt) -> String {
    let gates = match unit.gates.len() {
        0 => "nothing that sprag can check".to_owned(),
        1 => "1 check".to_owned(),
        many => format!("{many} checks"),
    };
    match (prompt.retry, &prompt.evidence) {
        (Some(retry), Some(receipt)) => {
            format!(
                "retry {} of {}, because `{}` failed; {gates}",
                retry.number, retry.max, receipt.gate
            )
        }
        (Some(_) | None, Some(_) | None) => format!("everything before it is done; {gates}"),
    }
}

fn stands(stands: &Stands) -> String {
    match stands {
        Stands::Ready => "ready".to_owned(),
        Stands::Working => "working".to_owned(),
        Stands::Waits { until: Some(at) } => format!("waits until {at}"),
        Stands::Waits { until: None } => "waits".to_owned(),
        Stands::Held(Hold::Asked { what }) => format!("asks: {what}"),
        Stands::Held(hold) => format!("held: {hold}"),
        Stands::Done => "done".to_owned(),
        Stands::Cancelled => "cancelled".to_owned(),
    }
}

fn object(view: &PlanView) -> Value {
    let unit = |(unit, prompt): &(Unit, Prompt)| {
        json!({
            "unit": unit.id.as_str(),
            "kind": unit.kind.as_str(),
            "why": why(unit, prompt),
            "checks": unit.gates.iter().map(|gate| gate.name.as_str()).collect::<Vec<_>>(),
            "prompt": whole(prompt),
        })
    };
    let later = view.after.iter().map(|(unit, why)| json!({ "unit": unit.as_str(), "why": why }));
    let claim = |(task, check): &(String, String)| json!({ "task": task, "check": check });
    json!({
        "ok": true,
        "run": view.run,
        "phase": view.phase,
        "title": view.title,
        "stage": view.stage.as_str(),
        "done": view.done.0,
        "tasks": view.done.1,
        "stands": stands(&view.stands),
        "working": view.working.iter().map(|work| work.unit.as_str()).collect::<Vec<_>>(),
        "together": view.together.iter().map(unit).collect::<Vec<_>>(),
        "later": later.collect::<Vec<_>>(),
        "claims": view.claims.iter().map(claim).collect::<Vec<_>>(),
    })
}
