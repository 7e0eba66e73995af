//! From time to time everything written so far is synced, and a line says so.
//!
//! Until then a power cut may take documents back to an older version, and the lines since the
//! last checkpoint bring them forward again.

use sprag_core::Kind;

use crate::apply;
use crate::dir::Dir;
use crate::error::PathError;
use crate::known::Known;
use crate::line::Event;
use crate::place::Bases;
use crate::tail::Tail;
use crate::{segment, temp};

/// How many lines there are from one checkpoint to the next.
const EVERY: u64 = 64;

const IGNORE_FILE: &str = ".gitignore";
const IGNORED: &str = "\
# Written by sprag: what belongs to this machine and not to the repository.
/runs/
/journal/
/journal.aside-*/
/sessions/
/agents/
/cache/
/trace
/trace.old
/lock
";

/// Returns whether the next commit must begin with a checkpoint. A new segment always does.
pub(crate) fn is_due(tail: &Tail) -> bool {
    tail.segment.is_none()
        || tail.end >= segment::FULL
        || tail.last.0 - tail.checkpoint.1.0 >= EVERY
}

pub(crate) fn event(known: &Known) -> Event {
    Event { run: None, kind: Kind::Checkpoint, data: known.to_data() }
}

/// Syncs every document that changed since the last checkpoint, and sweeps beside it.
pub(crate) fn sync(bases: &Bases, known: &Known) -> Result<(), PathError> {
    for key in &known.changed {
        let Some(spot) = bases.locate(key) else { continue };
        temp::sweep_beside(&spot);
        // What is no document any more (a link, a pipe) is not ours to sync; an error is one.
        if !matches!(apply::read_to_replace(&spot)?, crate::Doc::Unknown(_)) {
            apply::sync(&spot)?;
        }
    }
    Ok(())
}

/// Keeps git from taking the state of one machine for part of the repository.
pub(crate) fn write_ignore_file(state: &Dir) -> Result<(), PathError> {
    if state.stat(IGNORE_FILE)?.is_some() {
        return Ok(());
    }
    temp::place(state, IGNORE_FILE, IGNORED)
}
