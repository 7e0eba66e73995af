//! The definition of a run as it was when the run began, kept beside it.
//!
//! A run is judged by this copy, whatever becomes of the files it was made from; so a host hook
//! reads one file, however many workflows and phases there are, and an agent that changes its own
//! workflow changes nothing. It holds what was understood, not the texts: reading those again at
//! every tool call would take longer than all the rest.

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

/// What a definition was, and the files it was made from.
#[derive(Serialize, Deserialize)]
struct Copy {
    v: u32,
    definitions: Definitions,
    files: BTreeMap<String, Hash>,
}

/// What a run is judged by; the files it was made from are passed over.
#[derive(Deserialize)]
struct KeptDefinition {
    definitions: Definitions,
}

/// Texts that judge in the place of those that an agent changed, by whole paths; nothing where there
/// was none.
pub(crate) type EarlierTexts = BTreeMap<String, Option<String>>;

/// A `workflows` folder as it is in force, which remembers what is read from it. Links are remembered
/// as what they lead to.
pub(crate) struct Kept<'t, F> {
    folder: &'t F,
    earlier: &'t EarlierTexts,
    texts: RefCell<BTreeMap<String, String>>,
}

impl<'t, F: Folder> Kept<'t, F> {
    pub(crate) fn new(folder: &'t F, earlier: &'t EarlierTexts) -> Self {
        Self { folder, earlier, texts: RefCell::default() }
    }

    /// Returns the texts that were read.
    pub(crate) fn texts(&self) -> Vec<String> {
        self.texts.borrow().values().cloned().collect()
    }
}

impl<F: Folder> Folder for Kept<'_, F> {
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

/// Returns where the copy of a run's definition stands.
fn path(run: &str) -> Result<DocPath, BadPath> {
    DocPath::parse(&format!(".sprag/runs/{run}/definition.json"))
}

/// Returns the files that were read, by their whole paths.
fn files<F: Folder>(tiers: &[Kept<'_, F>]) -> BTreeMap<String, Hash> {
    let mut files = BTreeMap::new();
    for tier in tiers {
        let named = |(below, text): (&String, &String)| {
            (format!("{}/{below}", tier.path()), Hash::of(text))
        };
        files.extend(tier.texts.borrow().iter().map(named));
    }
    files
}

/// Returns the edit that keeps beside a run what its definition is.
pub(crate) fn keep<F: Folder>(
    run: &str,
    definitions: &Definitions,
    tiers: &[Kept<'_, F>],
) -> Result<Edit, BadPath> {
    let copy = Copy { v: VERSION, definitions: definitions.clone(), files: files(tiers) };
    // Values under names can always be written. In one line and without what is not said: every
    // tool call reads it.
    let text = serde_json::to_string(&copy).unwrap_or_default();
    let mut said: Value = serde_json::from_str(&text).unwrap_or_default();
    leave_out_nothings(&mut said);
    Ok(Edit::Write { doc: path(run)?, text: format!("{said}\n") })
}

/// Takes out the keys that have no value; a missing one is read as one without.
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

/// Returns the files that the definition of a run was made from, by their whole paths, each with the
/// hash of its text.
pub(crate) fn files_of(view: &View<'_>, run: &RunId) -> Result<BTreeMap<String, Hash>, Unusable> {
    Ok(read::<Copy>(view, run)?.files)
}

/// Reads the definition of a run.
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
