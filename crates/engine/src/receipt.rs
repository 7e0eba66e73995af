//! What a gate leaves on the disk: the receipt, its output, and the event that vouches for both.

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

/// Stands in the place of a run for what `init` checks before there is any. It has receipts and
/// nothing else, and no list of runs shows it.
pub const INIT: &str = "init";

/// A receipt as it stands in its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    v: u32,
    /// Its own name, and that of the effect that left it.
    pub id: ReceiptId,
    /// The run it belongs to.
    pub run: RunId,
    /// The phase or unit it was asked for.
    pub phase: Option<String>,
    /// The gate.
    pub gate: String,
    /// How the gate is decided.
    pub kind: CheckKind,
    /// The command, where the gate is one.
    pub argv: Option<Vec<String>>,
    /// The folder it ran in, below the root; empty is the root itself.
    pub cwd: String,
    /// When it began.
    pub started: Time,
    /// How long it took.
    pub ms: u64,
    /// The exit code, where there was one.
    pub exit: Option<i32>,
    /// What it decided.
    pub verdict: Verdict,
    /// One line of reason.
    pub why: String,
    /// The end of the output.
    pub tail: String,
    /// Where the whole output stands, where there is any.
    pub output: Option<DocPath>,
    /// The files it is true of.
    pub tree: Hash,
    /// The digest of the definition that asked for it.
    pub definition: Option<Hash>,
    /// The fingerprint of the protected files.
    pub protect: Option<Hash>,
    /// Who decided: `sprag`, or the person who waived or agreed.
    pub by: String,
}

/// Who asks for a gate, as its receipts say it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The run.
    pub run: RunId,
    /// The phase or unit.
    pub phase: Option<String>,
    /// The digest of the definition.
    pub definition: Option<Hash>,
}

/// What was found out, before it is a record.
#[derive(Clone, Debug)]
pub(crate) struct Found {
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

/// A record and the output that goes beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The receipt.
    pub record: Record,
    /// The output, its middle left out where it is long.
    pub output: String,
}

/// Why a text is not a receipt.
#[derive(Debug, thiserror::Error)]
#[error("not a receipt: {0}")]
pub struct BadRecord(String);

/// How much of the end of an output stands in the receipt itself.
const TAIL: usize = 4096;

impl Evidence {
    pub(crate) fn new(id: ReceiptId, asked: &Asked, mut found: Found) -> Result<Self, BadPath> {
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

    /// Returns the documents and the event for the caller's commit. The event holds the hash of
    /// the receipt, so that whoever doubts one can compare.
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
    /// Returns whether it records a person's word.
    pub(crate) fn is_word(&self) -> bool {
        self.kind == CheckKind::Human
    }

    /// Makes the record of a person's word: `Pass` for a question that was agreed to, `Waived` for
    /// a gate that was let through unproven.
    pub fn of_person(
        id: ReceiptId,
        asked: &Asked,
        gate: &Name,
        verdict: Verdict,
        word: &Word<'_>,
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

    /// Reads the text of a receipt.
    pub fn read(text: &str) -> Result<Self, BadRecord> {
        let record: Self = serde_json::from_str(text).map_err(|bad| BadRecord(bad.to_string()))?;
        if record.v > VERSION {
            let why = format!("it has version {}, and this sprag knows {VERSION}", record.v);
            return Err(BadRecord(why));
        }
        record.receipt().map(|_| record)
    }

    /// Returns the text of its file.
    pub fn text(&self) -> String {
        // A struct of texts and numbers can always be written.
        serde_json::to_string_pretty(self).map(|text| format!("{text}\n")).unwrap_or_default()
    }

    /// Returns whether the journal tells of exactly this receipt: one that somebody wrote or
    /// changed by hand counts for nothing.
    pub(crate) fn is_told(&self, store: &Store) -> bool {
        // Nobody gains by a failure that never was, and a refused stop must be quick.
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
        // Where the journal cannot be read, nothing is known.
        store.tells(&hash.to_string(), is_it).unwrap_or(false)
    }

    /// Returns where it stands.
    pub fn path(&self) -> Result<DocPath, BadPath> {
        folder(&self.run, "receipts")?.join(&format!("{}.json", self.id))
    }

    /// Returns what the kernel judges by.
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

/// A person's word about a gate.
#[derive(Clone, Copy, Debug)]
pub struct Word<'a> {
    /// Who.
    pub by: &'a str,
    /// Why.
    pub why: &'a str,
    /// When.
    pub at: Time,
    /// The files as they were then.
    pub tree: Hash,
}

/// Returns the receipts of a run, oldest first, and the names of those that cannot be read.
pub fn of_run(view: &View<'_>, run: &RunId) -> Result<(Vec<Record>, Vec<String>), BadPath> {
    let (filed, unreadable) = filed(view, run)?;
    Ok((filed.into_iter().map(|(record, _)| record).collect(), unreadable))
}

/// The files that receipts are about, by run and name. A receipt never changes, so a process that
/// drives a run for long need not read those of other files again and again.
static ABOUT: Mutex<BTreeMap<RunId, BTreeMap<Box<str>, Hash>>> = Mutex::new(BTreeMap::new());
/// So many are remembered of a run.
const REMEMBERED: usize = 20_000;

/// Returns the receipts of a run that can say something on the files as they are, oldest first:
/// those about these files, and persons' words.
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

/// Returns the receipts of a run, oldest first, each with the hash of its file, and the names of
/// those that cannot be read.
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

/// How much of an output is kept; well below what a document may have.
const OUTPUT: usize = 512 << 10;
/// How long a reason may be.
const LINE: usize = 600;

/// Cuts the beginning off an output that is too long for a document.
fn cut(output: &mut String) {
    let mut from = output.len().saturating_sub(OUTPUT);
    while !output.is_char_boundary(from) {
        from += 1;
    }
    if from > 0 {
        output.replace_range(..from, &format!("… {from} bytes left out …\n"));
    }
}

/// Returns a reason as one line of bounded length, without control characters.
fn line(why: &str) -> String {
    let visible = why.chars().map(|c| if c.is_control() { ' ' } else { c });
    let short: String = visible.clone().take(LINE).collect();
    if visible.count() > LINE { format!("{short}…") } else { short }
}

/// Returns the end of an output, from the start of a line where there is one.
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
