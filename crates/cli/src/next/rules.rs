//! What the rules make of what the table says.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sprag_core::gsd::{Decision, Dispatched, kernel_id};
use sprag_core::{Next, Plain};
use sprag_engine::milestones::Foretold;

use crate::look::{Look, Tone, WIDTH};
use crate::plain;

/// The column in which verbs end.
const VERB: usize = 5;

/// Returns what comes next where that is not simply what the table says.
pub(super) fn text(look: Look, told: &Foretold, found: &Dispatched) -> Option<String> {
    let (tone, verb, said) = match &told.looked.next {
        Next::Units(units) => {
            let unit = units.first()?;
            let derived = match &found.decision {
                Decision::Dispatch { kind, at } => Some(kernel_id(kind, at)),
                Decision::Stop { .. } | Decision::Skip { .. } => None,
            };
            if derived.as_ref() == Some(&unit.id) && told.looked.events.is_empty() {
                return None;
            }
            (Tone::Good, "Next", unit.id.to_string())
        }
        // What stops the table is said with it.
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

/// Returns the rule that decided, and how.
fn decided(told: &Foretold) -> Option<(String, String)> {
    let Plain::Map(data) = &told.looked.events.first()?.data else { return None };
    let text = |key: &str| {
        let (_, value) = data.iter().find(|(known, _)| known == key)?;
        if let Plain::Text(text) = value { Some(text.clone()) } else { None }
    };
    Some((text("rule")?, text("do")?))
}

/// Returns what comes next as the rules let it through.
pub(super) fn object(told: &Foretold) -> Value {
    let mut said = match &told.looked.next {
        Next::Units(units) => match units.first() {
            Some(unit) => {
                let at = unit.id.as_str().split_once(' ').map_or("", |(_, at)| at);
                let kind = unit.kind.as_str();
                json!({ "action": "dispatch", "unitType": kind, "unitId": at, "prompt": unit.prompt })
            }
            None => json!({ "action": "wait" }),
        },
        Next::Held(hold) => json!({ "action": "hold", "reason": hold.to_string() }),
        Next::Wait { on, .. } => json!({ "action": "wait", "reason": on }),
        Next::Done | Next::Cancelled => json!({ "action": "done" }),
        Next::Ask(_) => json!({ "action": "ask" }),
    };
    said["rules"] = told.rules.into();
    said["begun"] = told.begun.as_ref().map(sprag_core::UnitId::as_str).into();
    let events = told.looked.events.iter().map(|event| plain::json(&event.data));
    said["decided"] = events.collect::<Vec<_>>().into();
    let skip = |(kind, at, by): &(sprag_core::Name, sprag_core::UnitId, String)| json!({ "unitType": kind.as_str(), "unitId": at.as_str(), "by": by });
    said["skipped"] = told.looked.skipped.iter().map(skip).collect::<Vec<_>>().into();
    said
}
