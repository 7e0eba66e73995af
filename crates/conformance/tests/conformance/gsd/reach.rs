//! The fields of an answer that each quirk can change.

use std::collections::BTreeSet;

use sprag_conformance::canonical;
use sprag_core::Plain;
use sprag_core::gsd::Quirk;

/// The fields for the position and the next unit: any quirk of a tree may change them.
const POSITION: [&str; 19] = [
    "phase",
    "active",
    "activeMilestone",
    "activeSlice",
    "activeTask",
    "nextAction",
    "blockers",
    "registry",
    "dependsOn",
    "progress",
    "status",
    "lastCompletedMilestone",
    "action",
    "unitType",
    "unitId",
    "matchedRule",
    "reason",
    "level",
    "before",
];

/// Returns the keys of a parsed document that a quirk can change; empty for the whole answer.
const fn of_document(quirk: Quirk) -> &'static [&'static str] {
    match quirk {
        Quirk::TableDoneWords => &["done"],
        Quirk::TableRiskWords => &["risk"],
        Quirk::TableRange | Quirk::TableEmptyCell => &["depends"],
        Quirk::OnePipe | Quirk::UntitledHeading => &["slices"],
        Quirk::Fenced => &["slices", "tasks", "description", "files", "verify"],
        Quirk::DecisionHeading | Quirk::LostTask | Quirk::DuplicateTask => {
            &["tasks", "description", "files", "verify"]
        }
        Quirk::BareName
        | Quirk::SameId
        | Quirk::DraftLeak
        | Quirk::AttentionFirst
        | Quirk::UncheckedDeps
        | Quirk::CompleteUnsummarised => &POSITION,
        // Front matter, a list of ids and a verdict are parsed alone: they are the whole answer.
        Quirk::FrontMatter
        | Quirk::DependsOn
        | Quirk::VerdictKey
        | Quirk::VerdictTemplate
        | Quirk::VerdictHead
        | Quirk::NegatedFailure => &[],
    }
}

/// Returns the keys that differ between two answers and that none of the quirks can change.
pub(super) fn beyond(theirs: &Plain, ours: &Plain, quirks: &[Quirk]) -> Vec<String> {
    // In a tree the quirk of a document shows in the position.
    let is_tree = matches!(theirs, Plain::Map(entries)
        if entries.iter().any(|(key, _)| POSITION.contains(&key.as_str())));
    let mut allowed = BTreeSet::new();
    for quirk in quirks {
        match of_document(*quirk) {
            _ if is_tree => allowed.extend(POSITION),
            [] if is_head(theirs) => allowed.extend(["frontmatter"]),
            [] => return Vec::new(),
            keys => allowed.extend(keys),
        }
    }
    let mut found = BTreeSet::new();
    differing("", theirs, ours, &allowed, &mut found);
    found.into_iter().collect()
}

/// Returns whether an answer is a document of which front matter is only a part.
fn is_head(answer: &Plain) -> bool {
    matches!(answer, Plain::Map(entries) if entries.iter().any(|(key, _)| key == "frontmatter"))
}

/// Collects every key whose values differ, unless the key, or one around it, is allowed to differ.
fn differing(
    key: &str,
    one: &Plain,
    other: &Plain,
    allowed: &BTreeSet<&str>,
    found: &mut BTreeSet<String>,
) {
    if allowed.contains(key) || canonical(one) == canonical(other) {
        return;
    }
    match (one, other) {
        (Plain::Map(ones), Plain::Map(others)) => {
            let keys: BTreeSet<&String> = ones.iter().chain(others).map(|(key, _)| key).collect();
            let value = |entries: &[(String, Plain)], key: &str| {
                let found = entries.iter().find(|(known, _)| known == key);
                found.map_or(Plain::Null, |(_, value)| value.clone())
            };
            for key in keys {
                differing(key, &value(ones, key), &value(others, key), allowed, found);
            }
        }
        (Plain::List(ones), Plain::List(others)) if ones.len() == others.len() => {
            for (one, other) in ones.iter().zip(others) {
                differing(key, one, other, allowed, found);
            }
        }
        _ => {
            // The slices of a roadmap may be the whole answer.
            if !(key.is_empty() && allowed.contains("slices")) {
                found.insert(if key.is_empty() { "the answer".to_owned() } else { key.to_owned() });
            }
        }
    }
}
