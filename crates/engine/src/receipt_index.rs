//! An index of recent receipts by tree, across runs.
//!
//! The index holds only pointers, in the cache; the receipts themselves are documents. If it is
//! deleted, a failure from before a session began is unknown and counts as new.

use std::time::Duration;

use sprag_core::{DocPath, GateSpec, Hash, ReceiptId, RunId, Verdict};
use sprag_store::{CacheDir, Lasting, Place, View};

use crate::engine::Engine;
use crate::receipt::{Evidence, Record};

const FILE: &str = "receipts";
/// How many of the latest receipts the index holds.
const MOST: usize = 256;
const MAX: u64 = 1 << 20;
/// How long to wait for the index's lock; losing an entry does no harm.
const PATIENCE: Duration = Duration::from_millis(20);
const CACHE: &str = ".sprag/cache";

/// Adds receipts that were just committed.
pub(crate) fn remember(place: &Place, evidence: &[Evidence]) {
    if evidence.is_empty() {
        return;
    }
    let Ok(shelf) = CacheDir::make_below(&place.state, CACHE) else { return };
    let Ok(turn) = shelf.turn(PATIENCE) else { return };
    let mut lines = lines(&shelf);
    let line = |one: &Evidence| format!("{} {} {}", one.record.tree, one.record.run, one.record.id);
    lines.extend(evidence.iter().map(line));
    let old = lines.len().saturating_sub(MOST);
    let text = lines[old..].join("\n");
    // A lost entry costs one evaluation and nothing else.
    let _ = turn.write(FILE, text.as_bytes(), 0o666, Lasting::Cached);
}

/// Returns the receipts of these gates on a tree, oldest first.
pub(crate) fn find(
    engine: &Engine<'_>,
    view: &View<'_>,
    tree: Hash,
    specs: &[GateSpec],
) -> Vec<Record> {
    let Ok(Some(shelf)) = CacheDir::open_below(&engine.place.state, CACHE) else {
        return Vec::new();
    };
    let tree = tree.to_string();
    let mut records: Vec<Record> = lines(&shelf)
        .iter()
        .filter_map(|line| {
            let mut words = line.split(' ');
            let (on, run, id) = (words.next()?, words.next()?, words.next()?);
            (on == tree).then(|| (RunId::parse(run), ReceiptId::parse(id)))
        })
        .filter_map(|(run, id)| {
            let path = format!(".sprag/runs/{}/receipts/{}.json", run.ok()?, id.ok()?);
            let doc = view.read(&DocPath::parse(&path).ok()?);
            doc.text().and_then(|text| Record::read(text).ok())
        })
        .filter(|record| counts(record) && specs.iter().any(|spec| is_of(record, spec)))
        .filter(|record| record.is_told(&engine.store))
        .collect();
    records.sort_by_key(|record| record.started);
    records
}

/// Returns whether a receipt is a fact about the files, valid for every run. A person's verdict
/// belongs to one run, and a command that could not run then may run now.
fn counts(record: &Record) -> bool {
    !record.is_word() && matches!(record.verdict, Verdict::Pass | Verdict::Fail)
}

/// Returns whether a receipt answers exactly this gate's check.
pub(crate) fn is_of(record: &Record, spec: &GateSpec) -> bool {
    let check = &spec.gate.check;
    record.gate == spec.gate.name.as_str()
        && record.kind == check.kind()
        && record.argv.as_ref() == check.argv()
}

fn lines(shelf: &CacheDir) -> Vec<String> {
    let bytes = shelf.read(FILE, MAX).ok().flatten().unwrap_or_default();
    String::from_utf8(bytes)
        .map_or_else(|_| Vec::new(), |text| text.lines().map(str::to_owned).collect())
}
