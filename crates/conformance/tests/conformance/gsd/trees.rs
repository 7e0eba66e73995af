//! Sample trees: the state that the original derives, and what it dispatches.

use std::collections::BTreeMap;
use std::path::Path;

use sprag_conformance::{Tally, entries, field, read};
use sprag_core::Plain;
use sprag_core::gsd::{
    Decision, Dispatched, Quirk, Reading, State, derive_as, nothing_skipped, table,
};
use sprag_formats::gsd::{Depth, Memory, load};

use super::{Answer, outcome, plain};

/// Runs the cases of a folder, one a tree.
pub(super) fn hold(folder: &Path, tally: &mut Tally) -> Result<(), String> {
    let listing =
        std::fs::read_dir(folder).map_err(|bad| format!("{}: {bad}", folder.display()))?;
    let mut trees: Vec<_> = listing.filter_map(|entry| Some(entry.ok()?.path())).collect();
    trees.sort();
    for tree in trees.iter().filter(|tree| tree.is_dir()) {
        let name = tree.file_name().unwrap_or_default().to_string_lossy();
        let mut files = BTreeMap::new();
        collect(&tree.join(".gsd"), "", &mut files)?;
        let files = Memory(files);
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

fn answer(files: &Memory, reading: Reading) -> (State, Dispatched, Vec<Quirk>) {
    let loaded = load(files, None, Depth::Answer, reading);
    let derived = derive_as(&loaded.tree, reading);
    let noted = loaded.noted.iter().map(|noted| noted.quirk);
    let quirks = noted.chain(derived.noted.iter().map(|(quirk, _)| *quirk)).collect();
    let dispatched = table(&loaded.tree, &derived.state, &nothing_skipped);
    (derived.state, dispatched, quirks)
}

/// Returns what of a recorded dispatch is compared: where the original's loop ends before its
/// table, only that it does.
fn asked(expect: &Plain) -> Plain {
    if *field(expect, "note") == Plain::Null {
        return expect.clone();
    }
    Plain::map([("before", Plain::Bool(true))])
}

/// Returns a decision in the original's words, with the keys that the recording has.
fn said(found: &Dispatched, expect: &Plain) -> Plain {
    if *field(expect, "note") != Plain::Null {
        return Plain::map([("before", Plain::Bool(found.row.starts_with("before the table")))]);
    }
    let (action, kind, at, why, level) = match &found.decision {
        Decision::Dispatch { kind, at } => {
            ("dispatch", Plain::from(kind.as_str()), Plain::from(at.as_str()), None, None)
        }
        Decision::Stop { level, why } => {
            ("stop", Plain::Null, Plain::Null, Some(why.clone()), Some(level.as_str()))
        }
        Decision::Skip { .. } => ("skip", Plain::Null, Plain::Null, None, None),
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

fn collect(folder: &Path, below: &str, files: &mut BTreeMap<String, String>) -> Result<(), String> {
    let say = |bad: std::io::Error| format!("{}: {bad}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(say)? {
        let entry = entry.map_err(say)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        if entry.path().is_dir() {
            collect(&entry.path(), &path, files)?;
        } else {
            let text = std::fs::read(entry.path()).map_err(say)?;
            files.insert(path, String::from_utf8_lossy(&text).into_owned());
        }
    }
    Ok(())
}
