//! `rules:` in `config.yaml`.

use sprag_core::review::Threshold;
use sprag_core::rules::{Body, Kinds, Rule};

use super::{keep, kinds, name, not_shipped};
use crate::config::count;
use crate::fault::{Fault, FaultKind};
use crate::field::Field;
use crate::gates::{Faults, argv};
use crate::keys;

/// Reads the list.
pub(crate) fn rules(field: &Field<'_>, faults: &mut Faults) -> Vec<Rule> {
    let mut found = Vec::new();
    for item in faults.take(field.items()).unwrap_or_default() {
        if let Some(rule) = rule(&item, faults) {
            keep(&mut found, rule, &item, faults);
        }
    }
    found
}

fn rule(field: &Field<'_>, faults: &mut Faults) -> Option<Rule> {
    faults.take(field.entries())?;
    faults.note_unknown(field, &keys::RULE);
    let named = faults.take(field.need(&["name"]));
    let called = named.as_ref().and_then(|field| faults.take(name(field)));
    let run = faults.optional(field, "run", argv);
    let before = faults.optional(field, "before", kinds);
    let after = faults.optional(field, "after", kinds);
    let priority = faults.optional(field, "priority", count);
    let max = faults.optional(field, "max", cycles);
    let level = faults.optional(field, "level", level);
    let enabled = faults.optional(field, "enabled", Field::as_bool).unwrap_or(true);
    let (named, called) = (named?, called?);
    let mut rule = match (run, Rule::shipped(called.as_str())) {
        (Some(argv), None) => Rule::command(called, argv),
        (None, Some(rule)) if field.optional(&["run"]).is_none() => rule,
        (None, None) if field.optional(&["run"]).is_none() => {
            faults.errors.push(not_shipped(&named, called.as_str()));
            return None;
        }
        (Some(_), Some(_)) => {
            let what = format!("`{called}` is the name of a shipped rule");
            faults.errors.push(named.fault(FaultKind::Type, what).help("give it another name"));
            return None;
        }
        // The problem with `run:` was already reported.
        (None, Some(_) | None) => return None,
    };
    if before.is_some() || after.is_some() {
        // A rule that names one side does not run on the other.
        rule.before = before.unwrap_or(Kinds::NONE);
        rule.after = after.unwrap_or(Kinds::NONE);
    }
    rule.priority = priority.unwrap_or(rule.priority);
    rule.max = max.unwrap_or(rule.max);
    if let Some(level) = level {
        let Body::ReviewLoop(review) = &mut rule.body else {
            let what = "only a review has a `level`";
            faults.errors.push(field.fault(FaultKind::Type, what));
            return None;
        };
        review.level = level;
    }
    enabled.then_some(rule)
}

fn cycles(field: &Field<'_>) -> Result<u32, Fault> {
    let cycles = u32::try_from(field.as_u64()?).unwrap_or(u32::MAX);
    if (1..=Rule::MOST).contains(&cycles) {
        return Ok(cycles);
    }
    Err(field.fault(FaultKind::Limit, format!("expected 1 to {} cycles", Rule::MOST)))
}

/// Reads the lowest level at which a finding counts.
pub(crate) fn level(field: &Field<'_>) -> Result<Threshold, Fault> {
    let text = field.as_str()?;
    Threshold::parse(text).ok_or_else(|| {
        let what = format!("`{}` is none of all, important, critical", text.escape_debug());
        field.fault(FaultKind::Type, what).expecting("all, important or critical")
    })
}
