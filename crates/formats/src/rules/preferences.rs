//! The rules in GSD's `PREFERENCES.md`: `gsd_hooks.enabled`, `pre_dispatch_hooks` and
//! `post_unit_hooks`.
//!
//! GSD drops an entry that it does not understand, and every entry if the file does not parse. Here
//! that is an error with its position: a rule is never turned off silently.

use sprag_core::rules::{Action, Body, Kinds, PostUnit, PreDispatch, Rule, TABLE};
use sprag_core::{Hash, Name, Plain};

use super::{keep, kinds, name, not_shipped};
use crate::document::{Document, Format};
use crate::fault::{Fault, FaultKind};
use crate::field::Field;
use crate::gates::{Faults, filled};
use crate::keys;
use crate::stored::{new_file, to_plain};

/// Reads the rules of a `PREFERENCES.md` with warnings, or returns every error.
pub fn preferences(text: &str) -> Result<(Vec<Rule>, Vec<Fault>), Vec<Fault>> {
    let document = Document::parse(Format::FrontMatter, text).map_err(|fault| vec![fault])?;
    let top = document.top();
    let mut faults = Faults::default();
    let mut found = Vec::new();
    if !top.is_null() {
        each(&top, &["gsd_hooks", "enabled"], &mut found, &mut faults, enabled);
        each(&top, &["pre_dispatch_hooks"], &mut found, &mut faults, pre_dispatch);
        each(&top, &["post_unit_hooks"], &mut found, &mut faults, post_unit);
    }
    let Faults { mut errors, notes } = faults;
    errors.sort_by_key(|fault| fault.span.start());
    if errors.is_empty() { Ok((found, notes)) } else { Err(errors) }
}

/// Returns a digest of the rules in a `PREFERENCES.md`. It changes exactly when one of them
/// changes.
pub fn preferences_digest(text: &str) -> Hash {
    let Ok(document) = Document::parse(Format::FrontMatter, text) else { return Hash::of(text) };
    let lists = ["gsd_hooks", "pre_dispatch_hooks", "post_unit_hooks"];
    let rules = lists.map(|key| {
        let found = document.optional(&[key]).map(|field| to_plain(field.node()));
        (key.to_owned(), found.unwrap_or(Plain::Null))
    });
    Hash::of(new_file(&Plain::Map(rules.into())))
}

/// Reads one list. Its names need to be unique only within this list.
fn each(
    top: &Field<'_>,
    path: &[&str],
    found: &mut Vec<Rule>,
    faults: &mut Faults,
    read: fn(&Field<'_>, &mut Faults) -> Option<Rule>,
) {
    let Some(list) = top.optional(path) else { return };
    let mut own = Vec::new();
    for item in faults.take(list.items()).unwrap_or_default() {
        if faults.take(item.entries()).is_none() {
            continue;
        }
        let on = faults.optional(&item, "enabled", Field::as_bool).unwrap_or(true);
        if let Some(rule) = read(&item, faults).filter(|_| on) {
            keep(&mut own, rule, &item, faults);
        }
    }
    found.append(&mut own);
}

fn enabled(item: &Field<'_>, faults: &mut Faults) -> Option<Rule> {
    faults.note_unknown(item, &keys::ENABLED);
    let field = faults.take(item.need(&["name"]))?;
    let called = faults.take(name(&field))?;
    let rule = Rule::shipped(called.as_str());
    if rule.is_none() {
        faults.errors.push(not_shipped(&field, called.as_str()));
    }
    rule
}

fn pre_dispatch(item: &Field<'_>, faults: &mut Faults) -> Option<Rule> {
    faults.note_unknown(item, &keys::PRE_DISPATCH);
    let called = faults.take(item.need(&["name"]).and_then(|field| name(&field)));
    let before = unit_kinds(item, "before", faults);
    let text = |faults: &mut Faults, key| faults.optional(item, key, filled);
    let (prepend, append) = (text(faults, "prepend"), text(faults, "append"));
    let (prompt, only_if) = (text(faults, "prompt"), text(faults, "skip_if"));
    let kind = faults.optional(item, "unit_type", |field| {
        Name::parse(field.as_str()?).map_err(|bad| field.fault(FaultKind::Type, bad.to_string()))
    });
    let said = faults.take(item.need(&["action"]))?;
    let action = match faults.take(said.as_str())? {
        "modify" if prepend.is_none() && append.is_none() => {
            Err(said.fault(FaultKind::Missing, "`modify` needs `prepend` or `append`"))
        }
        "modify" => Ok(Action::Modify {
            prepend: prepend.unwrap_or_default(),
            append: append.unwrap_or_default(),
        }),
        "skip" => Ok(Action::Skip { only_if }),
        "replace" => match prompt {
            Some(prompt) => Ok(Action::Replace { prompt, kind }),
            None => Err(said.fault(FaultKind::Missing, "`replace` needs `prompt`")),
        },
        other => {
            let what = format!("`{}` is none of modify, skip, replace", other.escape_debug());
            Err(said.fault(FaultKind::Type, what))
        }
    };
    let body = Body::PreDispatch(PreDispatch { action: faults.take(action)? });
    Some(rule(called?, before?, Kinds::NONE, Rule::MAX, body))
}

fn post_unit(item: &Field<'_>, faults: &mut Faults) -> Option<Rule> {
    faults.note_unknown(item, &keys::POST_UNIT);
    let called = faults.take(item.need(&["name"]).and_then(|field| name(&field)));
    let after = unit_kinds(item, "after", faults);
    let prompt = faults.take(item.need(&["prompt"]).and_then(|field| filled(&field)));
    let artifact = faults.optional(item, "artifact", file);
    let retry_on = faults.optional(item, "retry_on", file);
    let max = cycles(item, faults).unwrap_or(1);
    let body = Body::PostUnit(PostUnit { prompt: prompt?, artifact, retry_on });
    Some(rule(called?, Kinds::NONE, after?, max, body))
}

fn rule(name: Name, before: Kinds, after: Kinds, max: u32, body: Body) -> Rule {
    Rule { name, priority: Rule::PRIORITY, max, before, after, body }
}

/// Reads `max_cycles` as GSD does, rounded and clamped, but with a warning.
fn cycles(item: &Field<'_>, faults: &mut Faults) -> Option<u32> {
    let field = item.optional(&["max_cycles"])?;
    let number = faults.take(field.as_f64())?.round().clamp(1.0, f64::from(Rule::MOST));
    let cycles = (1..=Rule::MOST).find(|cycles| f64::from(*cycles) >= number)?;
    if field.as_u64().ok() != Some(cycles.into()) {
        faults.notes.push(field.fault(FaultKind::Limit, format!("taken as {cycles}")));
    }
    Some(cycles)
}

/// Reads the kinds at `key`. An unknown kind is kept, with a warning.
fn unit_kinds(item: &Field<'_>, key: &str, faults: &mut Faults) -> Option<Kinds> {
    let field = faults.take(item.need(&[key]))?;
    let found = faults.take(kinds(&field))?;
    if let Kinds::These(list) = &found {
        for kind in list.iter().filter(|kind| !TABLE.contains(&kind.as_str())) {
            let what = format!("`{kind}` is no kind of unit that GSD has");
            faults.notes.push(field.fault(FaultKind::Type, what));
        }
    }
    Some(found)
}

/// Reads the name of a file beside a unit. The name cannot lead elsewhere.
fn file(field: &Field<'_>) -> Result<String, Fault> {
    let text = filled(field)?;
    if text.contains(['/', '\\', '\0']) || text.starts_with('.') {
        return Err(field.fault(FaultKind::Type, "expected the name of a file, without a folder"));
    }
    Ok(text)
}
