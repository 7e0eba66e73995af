//! Stores the definition of a run beside it, as it was when the run began.
//!
//! The run is judged by this copy, regardless of later changes to the source files: an agent that
//! edits its own workflow changes nothing, and a host hook reads only one file. The copy holds the
//! parsed definition, because parsing the sources again at every tool call would take longer than
//! everything else.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sprag_core::workflow::Definitions;
use sprag_core::{BadPath, DocPath, Hash, RunId};
use sprag_formats::workflow::{Folder, Way};
use sprag_store::{Doc, Edit, View};

use crate::unusable::Unusable;

const VERSION: u32 = 2;

/// The stored definition and the files that it was made from.
#[derive(Serialize, Deserialize)]
struct Copy {
    v: u32,
    definitions: Definitions,
    files: BTreeMap<String, Hash>,
}

/// The stored definition without the list of files.
#[derive(Deserialize)]
struct KeptDefinition {
    definitions: Definitions,
}

/// Earlier texts that replace those an agent changed, by full path; `None` for a file that did not
/// exist.
pub(crate) type EarlierTexts = BTreeMap<String, Option<String>>;

/// A `workflows` folder in force that records every text read from it. A link is recorded as its
/// target's text.
pub(crate) struct RecordedFolder<'t, F> {
    folder: &'t F,
    earlier: &'t EarlierTexts,
    texts: RefCell<BTreeMap<String, String>>,
}

impl<'t, F: Folder> RecordedFolder<'t, F> {
    pub(crate) fn new(folder: &'t F, earlier: &'t EarlierTexts) -> Self {
        Self { folder, earlier, texts: RefCell::default() }
    }

    /// Returns the texts that were read so far.
    pub(crate) fn texts(&self) -> Vec<String> {
        self.texts.borrow().values().cloned().collect()
    }
}

impl<F: Folder> Folder for RecordedFolder<'_, F> {
    fn path(&self) -> &str {
        self.folder.path()
    }

    fn keys(&self) -> Result<Vec<String>, String> {
        self.folder.keys()
    }

    fn has(&self, key: &str) -> bool {
        self.folder.has(key)
    }

    fn read(&self, below: &str) -> Way<'_> {
        let way = match self.earlier.get(&format!("{}/{below}", self.path())) {
            Some(Some(text)) => Way::Text { text: text.into(), real: None },
            Some(None) => Way::Absent,
            None => self.folder.read(below),
        };
        if let Way::Text { text, .. } = &way {
            self.texts.borrow_mut().insert(below.to_owned(), text.to_string());
        }
        way
    }
}

fn path(run: &str) -> Result<DocPath, BadPath> {
    DocPath::parse(&format!(".sprag/runs/{run}/definition.json"))
}

/// Returns the files that were read, by full path.
fn files<F: Folder>(tiers: &[RecordedFolder<'_, F>]) -> BTreeMap<String, Hash> {
    let mut files = BTreeMap::new();
    for tier in tiers {
        let named = |(below, text): (&String, &String)| {
            (format!("{}/{below}", tier.path()), Hash::of(text))
        };
        files.extend(tier.texts.borrow().iter().map(named));
    }
    files
}

/// Returns the edit that stores a run's definition.
pub(crate) fn keep<F: Folder>(
    run: &str,
    definitions: &Definitions,
    tiers: &[RecordedFolder<'_, F>],
) -> Result<Edit, BadPath> {
    let copy = Copy { v: VERSION, definitions: definitions.clone(), files: files(tiers) };
    // Such values can always be serialized. The file is one line without null values, because every
    // tool call reads it.
    let text = serde_json::to_string(&copy).unwrap_or_default();
    let mut said: Value = serde_json::from_str(&text).unwrap_or_default();
    leave_out_nothings(&mut said);
    Ok(Edit::Write { doc: path(run)?, text: format!("{said}\n") })
}

/// Removes keys with null values; a missing key reads as null.
fn leave_out_nothings(value: &mut Value) {
    match value {
        Value::Object(entries) => {
            entries.retain(|_, value| !value.is_null());
            entries.values_mut().for_each(leave_out_nothings);
        }
        Value::Array(items) => items.iter_mut().for_each(leave_out_nothings),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Returns the files that a run's definition was made from, by full path, with the hash of each
/// text.
pub(crate) fn files_of(view: &View<'_>, run: &RunId) -> Result<BTreeMap<String, Hash>, Unusable> {
    Ok(read::<Copy>(view, run)?.files)
}

pub(crate) fn load(view: &View<'_>, run: &RunId) -> Result<Definitions, Unusable> {
    Ok(read::<KeptDefinition>(view, run)?.definitions)
}

fn read<T: DeserializeOwned>(view: &View<'_>, run: &RunId) -> Result<T, Unusable> {
    #[derive(Deserialize)]
    struct Version {
        v: u32,
    }
    let path = path(run.as_str())?;
    let bad = |why: String| Unusable::Definition { path: path.to_string(), why };
    let text = match view.read(&path) {
        Doc::Text(text) => text,
        Doc::Absent => return Err(bad("it is missing".to_owned())),
        Doc::Unknown(why) => return Err(bad(why.to_string())),
    };
    let copy = serde_json::from_str(&text);
    copy.map_err(|error| match serde_json::from_str(&text) {
        Ok(Version { v }) if v != VERSION => {
            bad(format!("it has version {v}, and this sprag knows {VERSION}"))
        }
        _ => bad(error.to_string()),
    })
}
