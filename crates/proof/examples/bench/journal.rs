//! Creates a journal of any length without a sync per line, and lets the store verify it.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use sprag_core::{Hash, Seq, Time};
use sprag_store::{CommitRequest, Event, Place, Store, StoreError};

use crate::Failure;

const SEGMENT: usize = 1 << 20;
/// A checkpoint is at the start of each segment, and this many lines after the last checkpoint.
const EVERY: u64 = 64;
const CHECKPOINT: &str = r#"{"kind":"checkpoint","data":{"docs":{}}}"#;
const ORDINARY: &str = r#"{"kind":"bench.line","data":{"said":"something of ordinary length"}}"#;

/// Creates a project whose journal has `lines` lines.
pub(crate) fn make(root: &Path, lines: u64) -> Result<(), Failure> {
    std::fs::create_dir_all(root)?;
    // A repository of its own, so that the surrounding one of this program does not count.
    let git = Command::new("git").args(["init", "-q"]).current_dir(root).status()?;
    if !git.success() {
        return Err(format!("git init: {git}").into());
    }
    // The store writes the first line, and with it all files around the journal.
    commit(root)?;
    let folder = root.join(".sprag/journal");
    std::fs::remove_file(folder.join("head"))?;
    let mut file = folder.join(name(1));
    let mut text = std::fs::read_to_string(&file)?;
    let mut last = u64::try_from(text.lines().count())?;
    let mut checkpoint = 1;
    while last + 1 < lines {
        last += 1;
        if text.len() >= SEGMENT {
            std::fs::write(&file, std::mem::take(&mut text))?;
            file = folder.join(name(last));
        }
        if text.is_empty() || last > checkpoint + EVERY {
            checkpoint = last;
        }
        line(&mut text, last, if checkpoint == last { CHECKPOINT } else { ORDINARY })?;
    }
    std::fs::write(&file, text)?;
    let seq = commit(root)?;
    if seq < lines || seq > lines + 2 {
        return Err(format!("the journal has {seq} lines, not {lines}").into());
    }
    Ok(())
}

fn name(first: u64) -> String {
    format!("{first:020}.jsonl")
}

fn line(text: &mut String, seq: u64, event: &str) -> Result<(), Failure> {
    let start = text.len();
    let at = "2026-01-01T00:00:00.000Z";
    write!(
        text,
        r#"{{"v":1,"seq":{seq},"at":"{at}","actor":"bench","events":[{event}],"edits":[]"#
    )?;
    let sum = Hash::of(&text.as_bytes()[start..]).short(16);
    writeln!(text, r#","sum":"{sum}"}}"#)?;
    Ok(())
}

/// Commits one event, which proves that the store can read the journal, and returns its position.
fn commit(root: &Path) -> Result<u64, Failure> {
    let store = Store::open(&Place::of(root), Seq(1))?;
    let decide = |_: &sprag_store::View<'_>| -> Result<CommitRequest, StoreError> {
        let data = serde_json::Value::Null;
        let events = vec![Event { run: None, kind: "bench.real".into(), data }];
        Ok(CommitRequest { at: Time::from_millis(0), actor: "bench".into(), events, edits: vec![] })
    };
    let committed = store.commit(Duration::from_secs(5), decide)?;
    Ok(committed.seq.map_or(0, |seq| seq.0))
}
