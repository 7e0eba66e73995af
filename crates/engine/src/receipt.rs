//! The record of a gate on disk: the receipt, its output, and the journal event that vouches for
//! both.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use sprag_core::event::GateReceipt;
use sprag_core::{
    BadPath, CheckKind, DocPath, Event, Hash, Kind, Name, Receipt, ReceiptId, RunId, Time, Verdict,
};
use sprag_store::{Edit, Listing, Store, View};

#[cfg(test)]
mod tests;

const VERSION: u32 = 1;

/// Takes the place of a run's id for the first check in `init`. It has only receipts, and no list
/// of runs includes it.
pub const INIT: &str = "init";

/// A receipt in its stored form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    v: u32,
    /// Also the id of the effect that left it.
    pub id: ReceiptId,
    pub run: RunId,
    /// The phase or unit that the gate was evaluated for.
    pub phase: Option<String>,
    pub gate: String,
    pub kind: CheckKind,
    /// The command, if the check runs one.
    pub argv: Option<Vec<String>>,
    /// The folder in which the command ran, relative to the root; empty for the root.
    pub cwd: String,
    pub started: Time,
    /// The duration in milliseconds.
    pub ms: u64,
    pub exit: Option<i32>,
    pub verdict: Verdict,
    /// The reason in one line.
    pub why: String,
    /// The end of the output.
    pub tail: String,
    /// The file with the whole output, if there is any.
    pub output: Option<DocPath>,
    /// The hash of the files that it is valid for.
    pub tree: Hash,
    /// The digest of the definition that the gate belongs to.
    pub definition: Option<Hash>,
    /// The fingerprint of the protected files.
    pub protect: Option<Hash>,
    /// Who decided: `sprag`, or the person who waived or approved.
    pub by: String,
}

/// The origin of a gate, recorded in its receipts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateOrigin {
    pub run: RunId,
    pub phase: Option<String>,
    pub definition: Option<Hash>,
}

/// The result of a gate before it becomes a record.
#[derive(Clone, Debug)]
pub(crate) struct GateResult {
    pub(crate) gate: Name,
    pub(crate) kind: CheckKind,
    pub(crate) argv: Option<Vec<String>>,
    pub(crate) started: Time,
    pub(crate) ms: u64,
    pub(crate) exit: Option<i32>,
    pub(crate) verdict: Verdict,
    pub(crate) why: String,
    pub(crate) output: String,
    pub(crate) tree: Hash,
    pub(crate) protect: Option<Hash>,
}

/// A record and its output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    pub record: Record,
    /// The output, shortened in the middle if it is long.
    pub output: String,
}

/// Why a text is not a receipt.
#[derive(Debug, thiserror::Error)]
#[error("not a receipt: {0}")]
pub struct BadRecord(String);

/// How many bytes of the output's end the receipt itself contains.
const TAIL: usize = 4096;

impl Evidence {
    pub(crate) fn new(
        id: ReceiptId,
        asked: &GateOrigin,
        mut found: GateResult,
    ) -> Result<Self, BadPath> {
        cut(&mut found.output);
        let output = folder(&asked.run, "output")?.join(&format!("{id}.txt"))?;
        let record = Record {
            v: VERSION,
            id,
            run: asked.run.clone(),
            phase: asked.phase.clone(),
            gate: found.gate.to_string(),
            kind: found.kind,
            argv: found.argv,
            cwd: String::new(),
            started: found.started,
            ms: found.ms,
            exit: found.exit,
            verdict: found.verdict,
            why: line(&found.why),
            tail: tail(&found.output).to_owned(),
            output: (!found.output.is_empty()).then_some(output),
            tree: found.tree,
            definition: asked.definition,
            protect: found.protect,
            by: "sprag".to_owned(),
        };
        Ok(Self { record, output: found.output })
    }

    /// Returns the documents and the event for the caller's commit. The event holds the receipt's
    /// hash, so that a forged or edited receipt can be detected.
    pub(crate) fn commit(&self) -> Result<(Vec<Edit>, GateReceipt), BadPath> {
        let record = &self.record;
        let (doc, text) = (record.path()?, record.text());
        let told = GateReceipt {
            id: record.id.to_string(),
            gate: record.gate.clone(),
            verdict: Some(record.verdict),
            exit: record.exit,
            ms: record.ms,
            tree: Some(record.tree),
            hash: Some(Hash::of(&text)),
        };
        let mut edits = vec![Edit::Write { doc, text }];
        if let Some(doc) = &record.output {
            edits.push(Edit::Write { doc: doc.clone(), text: self.output.clone() });
        }
        Ok((edits, told))
    }
}

impl Record {
    /// Returns whether it records a person's verdict.
    pub(crate) fn is_word(&self) -> bool {
        self.kind == CheckKind::Human
    }

    /// Builds the record of a person's verdict: `Pass` for an approved question, `Waived` for a
    /// waived gate.
    pub fn of_person(
        id: ReceiptId,
        asked: &GateOrigin,
        gate: &Name,
        verdict: Verdict,
        word: &PersonVerdict<'_>,
    ) -> Evidence {
        let record = Self {
            v: VERSION,
            id,
            run: asked.run.clone(),
            phase: asked.phase.clone(),
            gate: gate.to_string(),
            kind: CheckKind::Human,
            argv: None,
            cwd: String::new(),
            started: word.at,
            ms: 0,
            exit: None,
            verdict,
            why: line(word.why),
            tail: String::new(),
            output: None,
            tree: word.tree,
            definition: asked.definition,
            protect: None,
            by: word.by.to_owned(),
        };
        Evidence { record, output: String::new() }
    }

    /// Parses a receipt.
    pub fn read(text: &str) -> Result<Self, BadRecord> {
        let record: Self = serde_json::from_str(text).map_err(|bad| BadRecord(bad.to_string()))?;
        if record.v > VERSION {
            let why = format!("it has version {}, and this sprag knows {VERSION}", record.v);
            return Err(BadRecord(why));
        }
        record.receipt().map(|_| record)
    }

    /// Returns the content of the receipt's file.
    pub fn text(&self) -> String {
        // A struct of texts and numbers can always be serialized.
        serde_json::to_string_pretty(self).map(|text| format!("{text}\n")).unwrap_or_default()
    }

    /// Returns whether the journal contains exactly this receipt. One that was written or edited by
    /// hand does not count.
    pub(crate) fn is_told(&self, store: &Store) -> bool {
        // A forged failure helps no one, and refusing a stop must be quick.
        if self.verdict == Verdict::Fail {
            return true;
        }
        let hash = Hash::of(self.text());
        let is_it = |event: &sprag_store::Event| {
            event.kind == Kind::GateReceipt
                && event.run.as_ref() == Some(&self.run)
                && matches!(event.read(), Event::GateReceipt(told)
                    if told.id == self.id.as_str() && told.hash == Some(hash))
        };
        // An unreadable journal vouches for nothing.
        store.tells(&hash.to_string(), is_it).unwrap_or(false)
    }

    pub fn path(&self) -> Result<DocPath, BadPath> {
        folder(&self.run, "receipts")?.join(&format!("{}.json", self.id))
    }

    /// Converts to the kernel's receipt.
    pub fn receipt(&self) -> Result<Receipt, BadRecord> {
        let ms = i64::try_from(self.ms).unwrap_or(i64::MAX);
        Ok(Receipt {
            gate: Name::parse(&self.gate).map_err(|bad| BadRecord(bad.to_string()))?,
            verdict: self.verdict,
            exit: self.exit,
            why: self.why.clone(),
            tail: self.tail.clone(),
            tree: self.tree,
            at: self.started.plus_millis(ms),
            doubt: None,
        })
    }
}

/// A person's verdict on a gate.
#[derive(Clone, Copy, Debug)]
pub struct PersonVerdict<'a> {
    pub by: &'a str,
    pub why: &'a str,
    pub at: Time,
    /// The hash of the files at that time.
    pub tree: Hash,
}

/// Returns the receipts of a run, oldest first, and the names of the unreadable ones.
pub fn of_run(view: &View<'_>, run: &RunId) -> Result<(Vec<Record>, Vec<String>), BadPath> {
    let (filed, unreadable) = filed(view, run)?;
    Ok((filed.into_iter().map(|(record, _)| record).collect(), unreadable))
}

/// The tree hash of each receipt, by run and receipt name. Receipts never change, so a long-running
/// driver need not reload those about other files.
static ABOUT: Mutex<BTreeMap<RunId, BTreeMap<Box<str>, Hash>>> = Mutex::new(BTreeMap::new());
/// How many receipts of one run this cache holds.
const REMEMBERED: usize = 20_000;

/// Returns the receipts of a run that can count for the current files, oldest first: those about
/// this tree, and persons' verdicts.
pub(crate) fn about(view: &View<'_>, run: &RunId, tree: Hash) -> Result<Vec<Record>, BadPath> {
    let folder = folder(run, "receipts")?;
    let Listing::Names(names) = view.list(&folder) else { return Ok(Vec::new()) };
    let mut all = ABOUT.lock().unwrap_or_else(PoisonError::into_inner);
    let known = all.entry(run.clone()).or_default();
    if known.len() > REMEMBERED {
        known.clear();
    }
    let mut records = Vec::new();
    for name in names {
        if known.get(name.as_str()).is_some_and(|about| *about != tree) {
            continue;
        }
        let Ok(path) = folder.join(&name) else { continue };
        let Some(Ok(record)) = view.read(&path).text().map(Record::read) else { continue };
        if !record.is_word() {
            known.insert(name.into(), record.tree);
        }
        records.push(record);
    }
    records.sort_by(|one, other| (one.started, &one.id).cmp(&(other.started, &other.id)));
    Ok(records)
}

/// A receipt and the hash of its file.
pub(crate) type Filed = (Record, Hash);

/// Returns the receipts of a run, oldest first, with the hashes of their files, and the names of
/// the unreadable ones.
pub(crate) fn filed(view: &View<'_>, run: &RunId) -> Result<(Vec<Filed>, Vec<String>), BadPath> {
    let folder = folder(run, "receipts")?;
    let (mut records, mut unreadable) = (Vec::new(), Vec::new());
    let names = match view.list(&folder) {
        Listing::Names(names) => names,
        Listing::Absent => Vec::new(),
        Listing::Unknown(_) => return Ok((records, vec![folder.to_string()])),
    };
    for name in names {
        let Ok(path) = folder.join(&name) else {
            unreadable.push(name);
            continue;
        };
        let doc = view.read(&path);
        let hash = Hash::of(doc.text().unwrap_or_default());
        match doc.text().map(Record::read) {
            Some(Ok(record)) => records.push((record, hash)),
            Some(Err(_)) | None => unreadable.push(path.to_string()),
        }
    }
    records.sort_by(|(one, _), (other, _)| (one.started, &one.id).cmp(&(other.started, &other.id)));
    Ok((records, unreadable))
}

fn folder(run: &RunId, name: &str) -> Result<DocPath, BadPath> {
    DocPath::parse(&format!(".sprag/runs/{run}/{name}"))
}

/// How much of an output is kept; well below the limit of a document.
const OUTPUT: usize = 512 << 10;
/// The most characters of a reason.
const LINE: usize = 600;

/// Removes the beginning of an output that is too long for a document.
fn cut(output: &mut String) {
    let mut from = output.len().saturating_sub(OUTPUT);
    while !output.is_char_boundary(from) {
        from += 1;
    }
    if from > 0 {
        output.replace_range(..from, &format!("… {from} bytes left out …\n"));
    }
}

/// Reduces a reason to one line of limited length without control characters.
fn line(why: &str) -> String {
    let visible = why.chars().map(|c| if c.is_control() { ' ' } else { c });
    let short: String = visible.clone().take(LINE).collect();
    if visible.count() > LINE { format!("{short}…") } else { short }
}

/// Returns the end of an output, starting at the beginning of a line if possible.
fn tail(output: &str) -> &str {
    let mut from = output.len().saturating_sub(TAIL);
    while !output.is_char_boundary(from) {
        from += 1;
    }
    if from == 0 {
        return output;
    }
    let end = &output[from..];
    end.split_once('\n').map_or(end, |(_, lines)| if lines.is_empty() { end } else { lines })
}
