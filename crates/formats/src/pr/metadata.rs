use sprag_core::pr::{Lights, LoopSection, Metadata, Pull, PullRecord};
use sprag_core::{Plain, Splice, Stored as _, Unreadable};

use crate::document::{Document, Format};
use crate::edit::Edit;
use crate::fault::Fault;
use crate::stored::{locate, to_whole_value};
use crate::value::{Node, Value};
use crate::{FaultKind, to_yaml};

/// The parsed `metadata.yaml`.
#[derive(Debug)]
pub struct MetadataFile<'t> {
    pub(super) document: Document<'t>,
    metadata: Metadata,
}

/// Keys whose value is always a text, however it is written: `latestCommit: 5555` is not a number.
const TEXTS: [&str; 32] = [
    "author",
    "branch",
    "title",
    "description",
    "base",
    "latestReviewedCommit",
    "latestCommit",
    "headRefOid",
    "latestTree",
    "mergeStateStatus",
    "runId",
    "reviewDecision",
    "turn",
    "resolveLevel",
    "message",
    "body",
    "nodeid",
    "timestamp",
    "commitOid",
    "minimizedReason",
    "path",
    "name",
    "status",
    "conclusion",
    "typename",
    "startedAt",
    "pausedAt",
    "reviewer",
    "developer",
    "ciChecker",
    "ciFixer",
    "promptsFile",
];

impl<'t> MetadataFile<'t> {
    /// Parses the file. An invalid value is a fault with its position.
    pub fn parse(text: &'t str) -> Result<Self, Fault> {
        let document = Document::parse(Format::Yaml, text)?;
        let metadata = match Metadata::lift(&plain(text, document.root())) {
            Ok(metadata) => metadata,
            Err(bad) => return Err(fault(&document, &bad)),
        };
        Ok(Self { document, metadata })
    }

    pub const fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    pub const fn document(&self) -> &Document<'t> {
        &self.document
    }

    /// Returns the splices that change the file to `after`, without touching equal values.
    pub fn edit(&self, after: &PullRecord, now: &str) -> Result<Vec<Splice>, Fault> {
        let blank = PullRecord::default();
        let before = self.metadata.known().unwrap_or(&blank);
        let mut wishes = edits(before, after);
        if before.pull.checks != after.pull.checks {
            wishes.extend(self.result(&after.pull));
        }
        self.stamped(wishes, now)
    }

    /// Returns the edit of the newer original's summary of the checks, if the file has one.
    pub(super) fn result(&self, pull: &Pull) -> Option<Edit> {
        let lights = Lights::of(&pull.checks);
        let result = match (lights.pending.is_empty(), lights.failing.is_empty()) {
            (false, _) => "ONGOING",
            (true, false) => "FAILURE",
            (true, true) => "SUCCESS",
        };
        self.document.get(&["ciResult"]).map(|_| Edit::set(["ciResult"], result))
    }

    /// Makes edits, and if they change anything, also sets `updatedAt`.
    pub(super) fn stamped(&self, mut edits: Vec<Edit>, now: &str) -> Result<Vec<Splice>, Fault> {
        if self.document.edit(&edits)?.is_empty() {
            return Ok(Vec::new());
        }
        edits.push(Edit::set(["updatedAt"], now));
        self.document.edit(&edits)
    }
}

/// The text of a new file.
pub(super) fn new(plain: &Plain) -> String {
    to_yaml(&to_whole_value(plain))
}

/// Returns the edits from one state to another.
pub(super) fn edits(before: &PullRecord, after: &PullRecord) -> Vec<Edit> {
    let mut edits = Vec::new();
    differ(&[], &before.pull.lower(), &after.pull.lower(), &mut edits);
    let own = |known: &PullRecord| {
        Plain::map([
            ("turn", known.turn.lower()),
            ("approved", known.approved.lower()),
            ("resolveLevel", known.level.as_str().into()),
        ])
    };
    differ(&[], &own(before), &own(after), &mut edits);
    match (&before.review_loop, &after.review_loop) {
        (Some(old), Some(new)) => differ(&["reviewLoop"], &old.lower(), &new.lower(), &mut edits),
        (None, Some(new)) => edits.push(whole(new)),
        (Some(_), None) => edits.push(Edit::remove(["reviewLoop"])),
        (None, None) => {}
    }
    edits
}

fn whole(review_loop: &LoopSection) -> Edit {
    Edit::set(["reviewLoop"], to_whole_value(&review_loop.lower()))
}

/// Adds edits for the keys whose values differ. A removed value becomes null, as other tools write
/// it.
fn differ(path: &[&str], before: &Plain, after: &Plain, edits: &mut Vec<Edit>) {
    let (Plain::Map(before), Plain::Map(after)) = (before, after) else { return };
    let find = |map: &[(String, Plain)], key: &str| {
        map.iter().find(|(found, _)| found == key).map_or(Plain::Null, |(_, value)| value.clone())
    };
    let gone = before.iter().filter(|(key, _)| !after.iter().any(|(found, _)| found == key));
    for (key, _) in after.iter().chain(gone) {
        let value = find(after, key);
        if find(before, key) != value {
            let path = path.iter().copied().chain([key.as_str()]);
            edits.push(Edit::set(path, to_whole_value(&value)));
        }
    }
}

/// Returns the values of a file, with the keys in [`TEXTS`] as texts.
fn plain(text: &str, node: &Node) -> Plain {
    match &node.value {
        Value::Map(map) => Plain::Map(
            map.iter()
                .map(|entry| {
                    let written = text.get(entry.node.span.range()).unwrap_or_default();
                    let value = match &entry.node.value {
                        Value::Number(_) | Value::Bool(_) if TEXTS.contains(&&*entry.key) => {
                            Plain::Text(written.to_owned())
                        }
                        Value::Null
                        | Value::Bool(_)
                        | Value::Number(_)
                        | Value::String(_)
                        | Value::List(_)
                        | Value::Map(_) => plain(text, &entry.node),
                    };
                    (entry.key.clone(), value)
                })
                .collect(),
        ),
        Value::List(items) => Plain::List(items.iter().map(|item| plain(text, item)).collect()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => crate::to_plain(node),
    }
}

fn fault(document: &Document<'_>, bad: &Unreadable) -> Fault {
    let span = locate(document.root(), &bad.at);
    let what = match bad.at.as_str() {
        "" => bad.why.clone(),
        at => format!("`{at}`: {}", bad.why),
    };
    document.fault(FaultKind::Type, span, what)
}
