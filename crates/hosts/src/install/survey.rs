//! Lists the entries of a settings file, with their owner and position.

use sprag_formats::{Document, Edit, Format, Node, Value};

use super::entry::{EntryOwner, shown, whose};
use super::refused::Refused;
use super::settings_layout::{EntryLayout, SettingsLayout};
use crate::Host;

/// The contents of a settings file, as far as they concern sprag.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// The events with an entry of ours, or with one by hand that calls sprag.
    pub present: Vec<&'static str>,
    /// The events without such an entry.
    pub missing: Vec<&'static str>,
    /// The other commands that run at a stop.
    pub other_stops: Vec<String>,
    /// The number of entries that do not call sprag.
    pub others: usize,
    /// The switch that turns all entries off, if it is set.
    pub off: Option<String>,
    /// The enabled plugins that are called `sprag`, each with its marketplace. This file does not
    /// show whether one of them is ours.
    pub plugins: Vec<String>,
}

/// Reads the entries of a settings file.
pub fn survey(text: &str, host: Host) -> Result<Survey, Refused> {
    let Some(form) = host.form() else { return Ok(Survey::default()) };
    if text.trim().is_empty() {
        return Ok(Survey { missing: form.events.to_vec(), ..Survey::default() });
    }
    let document = read(text)?;
    let slots = slots(&document, host, form)?;
    let has = |event: &&str| slots.iter().any(|slot| slot.event == *event && slot.calls_us());
    let (present, missing) = form.events.iter().partition(|event| has(event));
    let others = slots.iter().filter(|slot| slot.whose == EntryOwner::Other);
    let is_stop = |event: &str| event == form.stop || Some(event) == form.other_stop;
    let stops = others.clone().filter(|slot| is_stop(slot.event));
    Ok(Survey {
        present,
        missing,
        other_stops: stops.map(|slot| shown(slot.entry, form)).collect(),
        others: others.count(),
        off: form.switch.and_then(|(path, value)| {
            let found = document.get(path).is_some_and(|field| field.as_bool() == Ok(value));
            found.then(|| format!("{}: {value}", path.join(".")))
        }),
        plugins: form.plugins.map_or_else(Vec::new, |key| plugins(&document, key)),
    })
}

/// Returns the plugins called `sprag` that the map below `key` enables, from any marketplace.
fn plugins(document: &Document<'_>, key: &str) -> Vec<String> {
    let Some(Value::Map(plugins)) = document.root().child(key).map(|one| &one.value) else {
        return Vec::new();
    };
    let ours = |key: &str| key.split('@').next() == Some("sprag");
    let on = plugins.iter().filter(|one| ours(&one.key) && one.node.value == Value::Bool(true));
    on.map(|one| one.key.clone()).collect()
}

/// One entry of a settings file.
#[derive(Debug)]
pub(crate) struct SettingsEntry<'d> {
    pub(crate) event: &'d str,
    /// Its index in the event's list (or its group's index), and its index in the group.
    pub(crate) at: usize,
    pub(crate) within: Option<usize>,
    pub(crate) entry: &'d Node,
    pub(crate) whose: EntryOwner,
}

impl SettingsEntry<'_> {
    pub(crate) fn calls_us(&self) -> bool {
        match self.whose {
            EntryOwner::Ours | EntryOwner::ByHand => true,
            EntryOwner::Other => false,
        }
    }

    /// The path from the top of the file.
    pub(crate) fn path(&self) -> Vec<String> {
        let mut path = vec!["hooks".to_owned(), self.event.to_owned(), self.at.to_string()];
        if let Some(within) = self.within {
            path.extend(["hooks".to_owned(), within.to_string()]);
        }
        path
    }
}

/// Parses a text as strict JSON with a map at the top.
pub(crate) fn read(text: &str) -> Result<Document<'_>, Refused> {
    let document =
        Document::parse(Format::Json, text).map_err(|fault| Refused::of(text, &fault))?;
    match &document.root().value {
        Value::Map(_) => Ok(document),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::List(_) => {
            Err(Refused::new(format!("it is {}, not a map", document.root().value.type_name())))
        }
    }
}

/// Applies edits to a text.
pub(crate) fn edited(
    text: &str,
    document: &Document<'_>,
    edits: &[Edit],
) -> Result<String, Refused> {
    let splices = document.edit(edits).map_err(|fault| Refused::of(text, &fault))?;
    sprag_core::apply(text, &splices).map_err(|bad| Refused::new(bad.to_string()))
}

/// Returns every entry, in the order of the file.
pub(crate) fn slots<'d>(
    document: &'d Document<'_>,
    host: Host,
    form: &SettingsLayout,
) -> Result<Vec<SettingsEntry<'d>>, Refused> {
    let mut slots = Vec::new();
    let Some(hooks) = document.root().child("hooks") else { return Ok(slots) };
    let Value::Map(events) = &hooks.value else {
        return Err(Refused::new(format!("`hooks` is {}, not a map", hooks.value.type_name())));
    };
    for event in events {
        let ours = form.events.contains(&event.key.as_str());
        let Value::List(items) = &event.node.value else {
            if ours {
                let kind = event.node.value.type_name();
                return Err(Refused::new(format!("`hooks.{}` is {kind}, not a list", event.key)));
            }
            continue;
        };
        for (at, item) in items.iter().enumerate() {
            let whose = |entry| whose(entry, host, form, &event.key);
            match (form.layout, item.child("hooks").map(|node| &node.value)) {
                (EntryLayout::Groups { .. }, Some(Value::List(entries))) => {
                    slots.extend(entries.iter().enumerate().map(|(within, entry)| SettingsEntry {
                        event: &event.key,
                        at,
                        within: Some(within),
                        entry,
                        whose: whose(entry),
                    }));
                }
                (EntryLayout::Groups { .. }, Some(_) | None) | (EntryLayout::Flat, _) => {
                    let whose = whose(item);
                    slots.push(SettingsEntry {
                        event: &event.key,
                        at,
                        within: None,
                        entry: item,
                        whose,
                    });
                }
            }
        }
    }
    Ok(slots)
}
