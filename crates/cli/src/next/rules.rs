//! How the user's rules change the table's decision.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use sprag_core::gsd::{DispatchOutcome, Dispatched, kernel_id};
use sprag_core::{Event, Name, Next, Unit, UnitId};
use sprag_engine::milestones::Foretold;

use crate::style::{StreamStyle, Tone, WIDTH};

/// The column in which verbs end.
const VERB: usize = 5;

/// Describes the next unit if it differs from the table's decision.
pub(super) fn text(look: StreamStyle, told: &Foretold, found: &Dispatched) -> Option<String> {
    let (tone, verb, said) = match &told.looked.next {
        Next::Units(units) => {
            let unit = units.first()?;
            let derived = match &found.decision {
                DispatchOutcome::Dispatch { kind, at } => Some(kernel_id(kind, at)),
                DispatchOutcome::Stop { .. } | DispatchOutcome::Skip { .. } => None,
            };
            if derived.as_ref() == Some(&unit.id) && told.looked.events.is_empty() {
                return None;
            }
            (Tone::Good, "Next", unit.id.to_string())
        }
        // A hold by the table itself is shown elsewhere.
        Next::Held(_) if told.looked.events.is_empty() && told.looked.following.is_none() => {
            return None;
        }
        Next::Held(hold) => (Tone::Bad, "Held", hold.to_string()),
        Next::Wait { .. } | Next::Done | Next::Cancelled | Next::Ask(_) => return None,
    };
    let mut lines = vec![(tone, verb, said)];
    if let Some((rule, what)) = decided(told) {
        lines.push((Tone::Quiet, "Rule", format!("{rule}: {what}")));
    }
    for (kind, at, by) in &told.looked.skipped {
        lines.push((Tone::Quiet, "Skips", format!("{kind} {at}, {by}")));
    }
    let mut out = String::new();
    for (tone, verb, said) in lines {
        let space = " ".repeat(VERB.saturating_sub(verb.len()));
        let said = look.clip(&said, WIDTH - VERB - 1);
        let _ = writeln!(out, "{space}{} {said}", look.paint(tone, verb));
    }
    Some(out)
}

/// Returns the rule that decided, and its decision.
fn decided(told: &Foretold) -> Option<(String, String)> {
    let Event::RuleDecided(decided) = told.looked.events.first()? else { return None };
    Some((decided.rule.clone(), decided.what.as_str().to_owned()))
}

/// Returns the next unit after the rules, as JSON fields.
pub(super) fn object(told: &Foretold) -> Map<String, Value> {
    let said = match &told.looked.next {
        Next::Units(units) => {
            let first = units.first().map(|unit| dispatch(unit, told.prompt.as_deref()));
            first.unwrap_or_else(|| json!({ "action": "wait" }))
        }
        Next::Held(hold) => json!({ "action": "hold", "reason": hold.to_string() }),
        Next::Wait { on, .. } => json!({ "action": "wait", "reason": on }),
        Next::Done | Next::Cancelled => json!({ "action": "done" }),
        Next::Ask(_) => json!({ "action": "ask" }),
    };
    let Value::Object(mut said) = said else { return Map::new() };
    let begun = told.begun.as_ref().map(UnitId::as_str);
    let events = told.looked.events.iter().map(|event| event.clone().write().1);
    let skip = |(kind, at, by): &(Name, UnitId, String)| {
        let (kind, at) = (kind.as_str(), at.as_str());
        json!({ "unitType": kind, "unitId": at, "by": by })
    };
    said.insert("rules".to_owned(), told.rules.into());
    said.insert("begun".to_owned(), begun.into());
    said.insert("decided".to_owned(), events.collect::<Vec<_>>().into());
    let skipped = told.looked.skipped.iter().map(skip).collect::<Vec<_>>();
    said.insert("skipped".to_owned(), skipped.into());
    said
}

fn dispatch(unit: &Unit, prompt: Option<&str>) -> Value {
    let (kind, at) = unit.id.as_str().split_once(' ').unwrap_or((unit.kind.as_str(), ""));
    json!({ "action": "dispatch", "unitType": kind, "unitId": at, "prompt": prompt })
}
