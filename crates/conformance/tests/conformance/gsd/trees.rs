//! Sample trees: the state that the original derives, and its dispatch.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use sprag_conformance::{Tally, entries, field, read};
use sprag_core::Plain;
use sprag_core::gsd::{
    DispatchOutcome, Dispatched, Quirk, Reading, State, derive_as, nothing_skipped, table,
};
use sprag_formats::gsd::{Depth, EntryType, Files, FolderEntry, load};

use super::{Answer, outcome, plain};

/// Runs the cases of a folder, one per tree.
pub(super) fn hold(folder: &Path, tally: &mut Tally) -> Result<(), String> {
    let listing =
        std::fs::read_dir(folder).map_err(|bad| format!("{}: {bad}", folder.display()))?;
    let mut trees: Vec<_> = listing.filter_map(|entry| Some(entry.ok()?.path())).collect();
    trees.sort();
    for tree in trees.iter().filter(|tree| tree.is_dir()) {
        let name = tree.file_name().unwrap_or_default().to_string_lossy();
        let files = Tree(tree.join(".gsd"));
        let expect = expected(&tree.join("expected.json"))?;
        let found = outcome(&expect, |reading| {
            let (state, _, quirks) = answer(&files, reading);
            Some(Answer { value: plain(&state), quirks })
        });
        tally.add("trees", &name, found);
        let expect = expected(&tree.join("expected.dispatch.json"))?;
        let found = outcome(&asked(&expect), |reading| {
            let (_, dispatched, quirks) = answer(&files, reading);
            Some(Answer { value: said(&dispatched, &expect), quirks })
        });
        tally.add("dispatch", &name, found);
    }
    Ok(())
}

fn answer(files: &Tree, reading: Reading) -> (State, Dispatched, Vec<Quirk>) {
    let loaded = load(files, None, Depth::Answer, reading);
    let derived = derive_as(&loaded.tree, reading);
    let noted = loaded.noted.iter().map(|noted| noted.quirk);
    let quirks = noted.chain(derived.noted.iter().map(|(quirk, _)| *quirk)).collect();
    let dispatched = table(&loaded.tree, &derived.state, &nothing_skipped);
    (derived.state, dispatched, quirks)
}

/// Returns the compared part of a recorded dispatch. If the original's loop ends before its table,
/// only that fact is compared.
fn asked(expect: &Plain) -> Plain {
    if *field(expect, "note") == Plain::Null {
        return expect.clone();
    }
    Plain::map([("before", Plain::Bool(true))])
}

/// Returns a decision in the original's words, with the recorded keys.
fn said(found: &Dispatched, expect: &Plain) -> Plain {
    if *field(expect, "note") != Plain::Null {
        return Plain::map([("before", Plain::Bool(found.row.starts_with("before the table")))]);
    }
    let (action, kind, at, why, level) = match &found.decision {
        DispatchOutcome::Dispatch { kind, at } => {
            ("dispatch", Plain::from(kind.as_str()), Plain::from(at.as_str()), None, None)
        }
        DispatchOutcome::Stop { level, why } => {
            ("stop", Plain::Null, Plain::Null, Some(why.clone()), Some(level.as_str()))
        }
        DispatchOutcome::Skip { .. } => ("skip", Plain::Null, Plain::Null, None, None),
    };
    let all = Plain::map([
        ("action", action.into()),
        ("unitType", kind),
        ("unitId", at),
        ("matchedRule", found.row.into()),
        ("reason", why.map_or(Plain::Null, Plain::from)),
        ("level", level.map_or(Plain::Null, Plain::from)),
    ]);
    let keys = entries(expect).iter().map(|(key, _)| (key.clone(), field(&all, key).clone()));
    Plain::Map(keys.collect())
}

fn expected(file: &Path) -> Result<Plain, String> {
    let text = std::fs::read_to_string(file).map_err(|bad| format!("{}: {bad}", file.display()))?;
    read(&text)
}

/// A tree on disk, read as it is: an empty folder has a meaning too.
struct Tree(PathBuf);

impl Files for Tree {
    fn list(&self, folder: &str) -> Result<Option<Vec<FolderEntry>>, String> {
        let Ok(listing) = std::fs::read_dir(self.0.join(folder)) else { return Ok(None) };
        let mut entries = Vec::new();
        for entry in listing {
            let entry = entry.map_err(|bad| bad.to_string())?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let found = if entry.path().is_dir() { EntryType::Folder } else { EntryType::File };
            entries.push(FolderEntry { name, found });
        }
        entries.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(Some(entries))
    }

    fn read(&self, path: &str) -> Result<Option<Cow<'_, str>>, String> {
        let text = std::fs::read(self.0.join(path)).ok();
        Ok(text.map(|text| Cow::Owned(String::from_utf8_lossy(&text).into_owned())))
    }
}
