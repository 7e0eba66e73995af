//! Adds our entries to a settings file.

use sprag_formats::{Edit, Value};

use super::entry::{EntryOwner, Wanted};
use super::refused::Refused;
use super::settings_layout::{EntryLayout, NO_BRIDGE, SettingsLayout};
use super::survey::{SettingsEntry, edited, read, slots};

/// A settings file with our entries in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installed {
    /// The new text; unchanged if nothing was to be done.
    pub text: String,
    /// The number of entries added.
    pub added: usize,
    /// The number of our entries that were corrected.
    pub mended: usize,
    /// The number of other programs' entries, which stay as they are.
    pub kept: usize,
}

/// Adds the missing entries; `None` means that there is no file, or an empty one.
pub fn install(text: Option<&str>, wanted: &Wanted<'_>) -> Result<Installed, Refused> {
    let no_form = || Refused::new(NO_BRIDGE);
    let form = wanted.host.form().ok_or_else(no_form)?;
    let text = text.unwrap_or_default();
    if text.trim().is_empty() {
        let (text, added) = (whole(form, wanted)?, form.events.len());
        return Ok(Installed { text, added, mended: 0, kept: 0 });
    }
    let document = read(text)?;
    let slots = slots(&document, wanted.host, form)?;
    let (mut edits, mut added, mut mended) = (Vec::new(), 0, 0);
    for event in form.events {
        let of_event = || slots.iter().filter(|slot| slot.event == *event);
        let entry = wanted.entry(form, event);
        match of_event().find(|slot| slot.calls_us()) {
            None => {
                let items = document.root().at(&["hooks", event]);
                edits.push(add(form, event, items.map(|node| &node.value), entry));
                added += 1;
            }
            Some(SettingsEntry { whose: EntryOwner::Ours, entry: old, .. })
                if old.value == entry => {}
            Some(slot @ SettingsEntry { whose: EntryOwner::Ours, .. }) => {
                edits.push(Edit::set(slot.path(), entry));
                mended += 1;
            }
            Some(_) => {}
        }
    }
    let text = edited(text, &document, &edits)?;
    let kept = slots.iter().filter(|slot| slot.whose == EntryOwner::Other).count();
    Ok(Installed { text, added, mended, kept })
}

/// The edit that appends an entry to an event's list.
fn add(form: &SettingsLayout, event: &str, list: Option<&Value>, entry: Value) -> Edit {
    let item = item(form, entry);
    match list {
        Some(Value::List(items)) => {
            Edit::set(["hooks", event, items.len().to_string().as_str()], item)
        }
        Some(_) | None => Edit::set(["hooks", event], Value::list([item])),
    }
}

fn item(form: &SettingsLayout, entry: Value) -> Value {
    let entries = Value::list([entry.clone()]);
    match form.layout {
        EntryLayout::Groups { matcher: Some(all) } => {
            Value::map([("matcher", Value::from(all)), ("hooks", entries)])
        }
        EntryLayout::Groups { matcher: None } => Value::map([("hooks", entries)]),
        EntryLayout::Flat => entry,
    }
}

/// The text of a file with only our entries.
fn whole(form: &SettingsLayout, wanted: &Wanted<'_>) -> Result<String, Refused> {
    let of = |event: &&str| {
        let item = item(form, wanted.entry(form, event));
        ((*event).to_owned(), Value::list([item]))
    };
    let hooks = Value::map(form.events.iter().map(of));
    let head = form.head.map(|(key, number)| Edit::set([key], number));
    let edits: Vec<Edit> = head.into_iter().chain([Edit::set(["hooks"], hooks)]).collect();
    edited("{}\n", &read("{}\n")?, &edits)
}
