//! Removes our entries from a settings file.

use std::collections::BTreeMap;

use sprag_formats::{Document, Edit, Value};

use super::entry::EntryOwner;
use super::refused::Refused;
use super::settings_layout::SettingsLayout;
use super::survey::{SettingsEntry, edited, read, slots};
use crate::Host;

/// A settings file without our entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uninstalled {
    /// The new text, or `None` if nothing else was in the file.
    pub text: Option<String>,
    /// The number of entries removed.
    pub removed: usize,
    /// The number of other programs' entries, which stay.
    pub kept: usize,
}

/// Removes the entries that `init` wrote, and the lists and maps that become empty.
pub fn uninstall(text: &str, host: Host) -> Result<Uninstalled, Refused> {
    let nothing = || Uninstalled { text: Some(text.to_owned()), removed: 0, kept: 0 };
    let Some(form) = host.form() else { return Ok(nothing()) };
    if text.trim().is_empty() {
        return Ok(nothing());
    }
    let document = read(text)?;
    let slots = slots(&document, host, form)?;
    let removed = slots.iter().filter(|slot| slot.whose == EntryOwner::Ours).count();
    let kept = slots.len() - removed;
    if removed == 0 {
        return Ok(Uninstalled { kept, ..nothing() });
    }
    let edits = edits(&document, &slots);
    let new = edited(text, &document, &edits)?;
    let left = !is_bare(&new, form);
    Ok(Uninstalled { text: left.then_some(new), removed, kept })
}

/// The removals, last first, so that the remaining ones keep their positions.
fn edits(document: &Document<'_>, slots: &[SettingsEntry<'_>]) -> Vec<Edit> {
    let mut events: BTreeMap<&str, Vec<&SettingsEntry<'_>>> = BTreeMap::new();
    for slot in slots.iter().filter(|slot| slot.whose == EntryOwner::Ours) {
        events.entry(slot.event).or_default().push(slot);
    }
    let all = document.root().child("hooks").map_or(0, |hooks| count(&hooks.value));
    let mut emptied = 0;
    let mut edits = Vec::new();
    for (event, ours) in &events {
        let items = document.root().at(&["hooks", event]).map_or(0, |list| count(&list.value));
        let mut gone = 0;
        let mut of_event = Vec::new();
        for slot in ours.iter().rev() {
            let group = slots.iter().filter(|other| other.event == *event && other.at == slot.at);
            let only = group.clone().all(|other| other.whose == EntryOwner::Ours);
            match (slot.within, only) {
                (Some(within), true) if within > 0 => {}
                (Some(_), false) => of_event.push(Edit::remove(slot.path())),
                (Some(_) | None, _) => {
                    of_event.push(Edit::remove(["hooks", event, slot.at.to_string().as_str()]));
                    gone += 1;
                }
            }
        }
        if gone == items {
            of_event = vec![Edit::remove(["hooks", event])];
            emptied += 1;
        }
        edits.extend(of_event);
    }
    if emptied == all { vec![Edit::remove(["hooks"])] } else { edits }
}

fn count(value: &Value) -> usize {
    match value {
        Value::List(items) => items.len(),
        Value::Map(map) => map.len(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// Returns whether a file has only the fields that every file of its kind has.
fn is_bare(text: &str, form: &SettingsLayout) -> bool {
    let Ok(document) = read(text) else { return false };
    let Value::Map(map) = &document.root().value else { return false };
    map.iter().all(|entry| {
        form.head.is_some_and(|(key, number)| {
            entry.key == key && entry.node.value == Value::from(number)
        })
    })
}
