//! Compares two definitions of the same command.

use std::collections::{BTreeMap, BTreeSet};

use super::{DefinedPart, GateDefinition, KnownThen, PartKey, PartRole, WhenNew};

/// How a part of a definition differs from its earlier version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PartChange {
    /// The part is new and may change the verdict.
    New,
    /// The part is new and only adds to what is judged: a new target, a new member.
    Grew,
    /// The part asks for more, or a part that asked for nothing is gone.
    Stricter,
    Changed,
    Gone,
    /// A program changed together with a lock file that belongs to it, or as its lock file
    /// required.
    WithLock,
}

/// Returns every part that differs, with its role.
///
/// If all parts that lead to a part are listed, its own change is their consequence: a part that is
/// no longer reached is omitted, and one that is newly reached [`Grew`](PartChange::Grew).
pub fn changes(
    then: &GateDefinition,
    now: &GateDefinition,
) -> BTreeMap<PartKey, (PartRole, PartChange)> {
    let mut found = BTreeMap::new();
    for (key, part) in &now.parts {
        let change = match then.parts.get(key).or_else(|| then.earlier.get(key)) {
            None if is_led_by_change(part, then, now) => Some(PartChange::Grew),
            None if is_in_caller(part, then, now) => Some(PartChange::Changed),
            None => Some(added(key, part, then)),
            Some(was) if is_same(was, part) => None,
            Some(was) => Some(changed(was, part)),
        };
        found.extend(change.map(|change| (key.clone(), (part.role, change))));
    }
    for (key, part) in &then.parts {
        if !now.parts.contains_key(key) && !is_unreached(part, then, now) {
            let change =
                if part.level == Some(0) { PartChange::Stricter } else { PartChange::Gone };
            found.insert(key.clone(), (part.role, change));
        }
    }
    found
}

/// Returns whether a new part runs inside a caller that is unchanged.
fn is_in_caller(part: &DefinedPart, then: &GateDefinition, now: &GateDefinition) -> bool {
    let hash = |of: &GateDefinition, key: &PartKey| of.parts.get(key).map(|part| part.hash);
    let is_same = |key: &PartKey| hash(then, key).is_some_and(|was| hash(now, key) == Some(was));
    part.when_new == WhenNew::InCaller && (part.via.is_empty() || part.via.iter().any(is_same))
}

fn added(key: &PartKey, part: &DefinedPart, then: &GateDefinition) -> PartChange {
    let folder = key.path().rsplit_once('/').map_or("", |(folder, _)| folder);
    let is_elsewhere = |name: &String| then.known.contains(&KnownThen::Elsewhere(name.clone()));
    match &part.when_new {
        WhenNew::Free => PartChange::Grew,
        WhenNew::DoubtedIf(fact) if !then.known.contains(fact) => PartChange::Grew,
        WhenNew::DoubtedIfBoth(one, other)
            if !(then.known.contains(one) && then.known.contains(other)) =>
        {
            PartChange::Grew
        }
        WhenNew::Doubted
        | WhenNew::DoubtedIf(_)
        | WhenNew::DoubtedIfBoth(_, _)
        | WhenNew::WithFile
        | WhenNew::InCaller => {
            match part.role {
                // The new program shadows the one that was found elsewhere.
                PartRole::Program if part.program.as_ref().is_some_and(is_elsewhere) => {
                    let is_first = then.known.contains(&KnownThen::Missing(folder.to_owned()));
                    let is_locked = is_first && !part.locks.is_empty();
                    if is_locked { PartChange::WithLock } else { PartChange::Changed }
                }
                PartRole::Program | PartRole::Runner | PartRole::Script => PartChange::New,
            }
        }
    }
}

/// Returns whether two versions of a part do the same.
fn is_same(was: &DefinedPart, now: &DefinedPart) -> bool {
    let both = was.lines.as_ref().zip(now.lines.as_ref());
    was.hash == now.hash || both.is_some_and(|(was, now)| was.is_same(now))
}

/// Returns whether every part that leads to a new part is listed itself: it is in doubt, or is a
/// new step that removes nothing.
fn is_led_by_change(part: &DefinedPart, then: &GateDefinition, now: &GateDefinition) -> bool {
    let is_changed = |key: &PartKey| {
        let both = then.parts.get(key).zip(now.parts.get(key));
        both.is_some_and(|(was, now)| {
            !is_same(was, now) && changed(was, now) == PartChange::Changed
        })
    };
    let is_change = |key: &PartKey| {
        let Some(leads) = now.parts.get(key) else { return false };
        match then.parts.get(key) {
            // A line of a script changes with the script.
            Some(_) => {
                is_changed(key)
                    || leads.via.iter().any(|whole| whole.path() == key.path() && is_changed(whole))
            }
            None => match leads.role {
                PartRole::Runner => true,
                PartRole::Script | PartRole::Program => false,
            },
        }
    };
    !part.via.is_empty() && part.via.iter().all(is_change)
}

fn changed(was: &DefinedPart, now: &DefinedPart) -> PartChange {
    let both = was.lines.as_ref().zip(now.lines.as_ref());
    if both.is_some_and(|(was, now)| was.only_grew(now)) {
        return PartChange::Stricter;
    }
    if let (Some(was), Some(now)) = (was.level, now.level)
        && was < now
    {
        return PartChange::Stricter;
    }
    match now.role {
        PartRole::Program if was.locks != now.locks || was.is_stale => PartChange::WithLock,
        PartRole::Program | PartRole::Runner | PartRole::Script => PartChange::Changed,
    }
}

/// Returns whether an earlier part is now unreachable because every part that led to it changed or
/// is gone.
fn is_unreached(part: &DefinedPart, then: &GateDefinition, now: &GateDefinition) -> bool {
    // Visited parts may lead to each other in a circle.
    let (mut open, mut seen) = (vec![part], BTreeSet::new());
    while let Some(part) = open.pop() {
        for key in &part.via {
            let Some(was) = then.parts.get(key) else { return false };
            let is_same = now.parts.get(key).is_some_and(|now| now.hash == was.hash);
            if is_same && was.via.is_empty() {
                return false;
            }
            if is_same && seen.insert(key) {
                open.push(was);
            }
        }
    }
    !part.via.is_empty()
}
