//! The definition of a run as it was when the run began, kept beside it.
//!
//! A run is judged by this copy, whatever becomes of the files it was made from; so a host hook
//! reads one file, however many workflows there are, and an agent that changes its own workflow
//! changes nothing.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sprag_core::workflow::Definitions;
use sprag_core::{BadPath, DocPath, Id};
use sprag_formats::workflow::{Folder, Found, Tier, Way, Weight};
use sprag_store::{Doc, Edit, View};

use crate::run_file::Unusable;

const VERSION: u32 = 1;

/// The files of a definition, tier by tier.
#[derive(Serialize, Deserialize)]
struct Copy {
    v: u32,
    tiers: Vec<CopiedTier>,
}

#[derive(Serialize, Deserialize)]
struct CopiedTier {
    path: String,
    files: BTreeMap<String, String>,
}

/// A `workflows` folder that keeps what is read from it. Links are kept as what they lead to.
pub(crate) struct Kept<'t, F> {
    folder: &'t F,
    texts: RefCell<BTreeMap<String, String>>,
}

impl<'t, F: Folder> Kept<'t, F> {
    pub(crate) fn new(folder: &'t F) -> Self {
        Self { folder, texts: RefCell::default() }
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
        let way = self.folder.read(below);
        if let Way::Text { text, .. } = &way {
            let text = Cow::into_owned(text.clone());
            self.texts.borrow_mut().insert(below.to_owned(), text);
        }
        way
    }
}

/// Returns where the copy of a run's definition stands.
fn path(run: &str) -> Result<DocPath, BadPath> {
    DocPath::parse(&format!(".sprag/runs/{run}/definition.json"))
}

/// Returns the edit that keeps beside a run what was read for its definition.
pub(crate) fn keep<F: Folder>(run: &str, tiers: &[Kept<'_, F>]) -> Result<Edit, BadPath> {
    let copied = |tier: &Kept<'_, F>| {
        let files = tier.texts.borrow().clone();
        CopiedTier { path: tier.path().to_owned(), files }
    };
    let copy = Copy { v: VERSION, tiers: tiers.iter().map(copied).collect() };
    // Texts under names can always be written.
    let text = serde_json::to_string_pretty(&copy).unwrap_or_default();
    Ok(Edit::Write { doc: path(run)?, text: format!("{text}\n") })
}

/// Names the files of a run's definition that are not what they were.
pub(crate) fn changed<F: Folder>(
    view: &View<'_>,
    run: &Id,
    now: &[Kept<'_, F>],
) -> Result<Vec<String>, Unusable> {
    let named = |path: &str, below: &str| format!("{path}/{below}");
    let mut before = BTreeMap::new();
    for tier in read(view, run)?.tiers {
        before.extend(
            tier.files.iter().map(|(below, text)| (named(&tier.path, below), text.clone())),
        );
    }
    let mut after = BTreeMap::new();
    for tier in now {
        let texts = tier.texts.borrow();
        after.extend(texts.iter().map(|(below, text)| (named(tier.path(), below), text.clone())));
    }
    let gone = before.keys().filter(|name| !after.contains_key(*name));
    let other = after.iter().filter(|(name, text)| before.get(*name) != Some(text));
    Ok(gone.chain(other.map(|(name, _)| name)).cloned().collect())
}

/// Reads the definition of a run.
pub(crate) fn load(view: &View<'_>, run: &Id) -> Result<Definitions, Unusable> {
    let bad = |why: String| Unusable::Definition { path: run.to_string(), why };
    let tiers: Vec<Tier> = read(view, run)?.tiers.into_iter().map(tier).collect();
    let loaded = sprag_formats::workflow::load(&tiers);
    let rejected = loaded.problems.iter().find(|problem| problem.weight == Weight::Rejects);
    rejected.map_or(Ok(loaded.definitions), |problem| Err(bad(problem.to_string())))
}

fn read(view: &View<'_>, run: &Id) -> Result<Copy, Unusable> {
    let path = path(run.as_str())?;
    let bad = |why: String| Unusable::Definition { path: path.to_string(), why };
    let text = match view.read(&path) {
        Doc::Text(text) => text,
        Doc::Absent => return Err(bad("it is missing".to_owned())),
        Doc::Unknown(why) => return Err(bad(why.to_string())),
    };
    let copy: Copy = serde_json::from_str(&text).map_err(|error| bad(error.to_string()))?;
    if copy.v > VERSION {
        return Err(bad(format!("it has version {}, and this sprag knows {VERSION}", copy.v)));
    }
    Ok(copy)
}

fn tier(copied: CopiedTier) -> Tier {
    let files = copied.files.into_iter().map(|(path, text)| (path, Found::Text(text)));
    Tier { path: copied.path, files: files.collect() }
}
