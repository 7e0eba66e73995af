//! The definition of a run as it was when the run began, kept beside it.
//!
//! A run is judged by this copy, whatever becomes of the files it was made from; so a host hook
//! reads one file, however many workflows there are, and an agent that changes its own workflow
//! changes nothing.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sprag_core::workflow::Definitions;
use sprag_core::{BadPath, DocPath, Id};
use sprag_formats::workflow::{Found, Tier, Weight};
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
    files: BTreeMap<String, Copied>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Copied {
    Text(String),
    Link { to: String },
}

/// Returns where the copy of a run's definition stands.
fn path(run: &str) -> Result<DocPath, BadPath> {
    DocPath::parse(&format!(".sprag/runs/{run}/definition.json"))
}

/// Returns the edit that keeps the files of a definition beside its run. What is not text and no
/// link inside its tier was no part of it.
pub(crate) fn keep(run: &str, tiers: &[Tier]) -> Result<Edit, BadPath> {
    let copied = |tier: &Tier| {
        let text = |(path, found): (&String, &Found)| match found {
            Found::Text(text) => Some((path.clone(), Copied::Text(text.clone()))),
            Found::LinkTo(to) => Some((path.clone(), Copied::Link { to: to.clone() })),
            Found::LinkOut | Found::Unreadable(_) => None,
        };
        CopiedTier { path: tier.path.clone(), files: tier.files.iter().filter_map(text).collect() }
    };
    let copy = Copy { v: VERSION, tiers: tiers.iter().map(copied).collect() };
    // Texts under names can always be written.
    let text = serde_json::to_string_pretty(&copy).unwrap_or_default();
    Ok(Edit::Write { doc: path(run)?, text: format!("{text}\n") })
}

/// Reads the definition of a run.
pub(crate) fn load(view: &View<'_>, run: &Id) -> Result<Definitions, Unusable> {
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
    let tiers: Vec<Tier> = copy.tiers.into_iter().map(tier).collect();
    let loaded = sprag_formats::workflow::load(&tiers);
    let rejected = loaded.problems.iter().find(|problem| match problem.weight {
        Weight::Rejects => true,
        Weight::Also | Weight::Warns | Weight::Notes => false,
    });
    rejected.map_or(Ok(loaded.definitions), |problem| Err(bad(problem.to_string())))
}

fn tier(copied: CopiedTier) -> Tier {
    let found = |copied: Copied| match copied {
        Copied::Text(text) => Found::Text(text),
        Copied::Link { to } => Found::LinkTo(to),
    };
    let files = copied.files.into_iter().map(|(path, copied)| (path, found(copied)));
    Tier { path: copied.path, files: files.collect() }
}
