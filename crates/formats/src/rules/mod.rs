//! Reads rules from where people write them: `rules:` in `config.yaml`, and GSD's preferences.

mod entries;
mod preferences;
#[cfg(test)]
mod tests;

pub(crate) use entries::{level, rules};
pub use preferences::{preferences, preferences_digest};

use sprag_core::Name;
use sprag_core::rules::{Kinds, Rule};

use crate::fault::{Fault, FaultKind};
use crate::field::Field;
use crate::gates::Faults;

/// Reads the name of a rule, which is also a key under `extensions` and part of a bound's name.
fn name(field: &Field<'_>) -> Result<Name, Fault> {
    let text = field.as_str()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let begins = text.starts_with(|c: char| c.is_ascii_alphanumeric());
    let wrong = || {
        let what = format!("`{}` is no name of a rule", text.escape_debug());
        field.fault(FaultKind::Type, what).expecting("letters, digits, `.`, `_` and `-`")
    };
    if !begins || !text.chars().all(plain) {
        return Err(wrong());
    }
    Name::parse(text).map_err(|_| wrong())
}

/// Reads a list of kinds of units.
fn kinds(field: &Field<'_>) -> Result<Kinds, Fault> {
    let kind = |item: &Field<'_>| {
        Name::parse(item.as_str()?).map_err(|bad| item.fault(FaultKind::Type, bad.to_string()))
    };
    field.items()?.iter().map(kind).collect::<Result<_, _>>().map(Kinds::These)
}

/// Adds a rule, or reports an error if the name is taken.
fn keep(found: &mut Vec<Rule>, rule: Rule, at: &Field<'_>, faults: &mut Faults) {
    if found.iter().any(|other| other.name == rule.name) {
        let what = format!("two rules are called `{}`", rule.name);
        faults.errors.push(at.fault(FaultKind::Type, what));
        return;
    }
    found.push(rule);
}

/// The fault that no shipped rule has this name.
fn not_shipped(field: &Field<'_>, name: &str) -> Fault {
    let what = format!("no rule called `{}` is shipped", name.escape_debug());
    let known = sprag_core::rules::SHIPPED.join(", ");
    field.fault(FaultKind::Type, what).help(format!("shipped: {known}; any other needs `run:`"))
}
