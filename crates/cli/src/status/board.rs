//! The inbox in `sprag` status: assignments and waits.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sprag_core::inbox::AssignmentStatus;
use sprag_engine::inbox::board::{AgentRow, Board};

use super::text::{heading, list};
use crate::agent::{row_line, row_object};
use crate::style::{StreamStyle, WIDTH};

/// Appends the inbox to the text.
pub(super) fn text(out: &mut String, look: StreamStyle, board: &Board) {
    let (busy, idle): (Vec<&AgentRow>, Vec<&AgentRow>) = board.agents.iter().partition(|row| {
        row.polled.slot.status() != AssignmentStatus::Empty || row.polled.abort.is_some()
    });
    if !board.agents.is_empty() {
        heading(out, look, "AGENTS");
        let rows = busy.iter().map(|row| format!("  {}\n", row_line(look, row)));
        list(out, rows.collect::<Vec<_>>().into_iter());
        if !idle.is_empty() {
            let _ = writeln!(out, "  {} without work", idle.len());
        }
    }
    if !board.units.is_empty() {
        heading(out, look, "UNITS");
        let counts: Vec<_> =
            board.units.iter().map(|(status, many)| format!("{many} {status}")).collect();
        let _ = writeln!(out, "  {}", look.clip(&counts.join(", "), WIDTH - 2));
    }
    records(out, look, board);
}

fn records(out: &mut String, look: StreamStyle, board: &Board) {
    if !board.convoys.is_empty() {
        heading(out, look, "CONVOYS");
        let lines = board.convoys.iter().map(|(convoy, done)| {
            let line = format!("{}  {done} of {} done", convoy.name, convoy.units.len());
            format!("  {}\n", look.clip(&line, WIDTH - 2))
        });
        list(out, lines.collect::<Vec<_>>().into_iter());
    }
    if !board.merges.is_empty() {
        heading(out, look, "TO BE MERGED");
        let lines = board.merges.iter().map(|merge| {
            let line = format!("{}  {}  to {}", merge.source, merge.status, merge.target);
            format!("  {}\n", look.clip(&line, WIDTH - 2))
        });
        list(out, lines.collect::<Vec<_>>().into_iter());
    }
    if !board.events.is_empty() {
        heading(out, look, "LAST IN THE EVENT LOG");
        let lines = board.events.iter().map(|event| {
            let line = format!("{}  {}  {}", event.at, event.severity, event.message);
            format!("  {}\n", look.clip(&line, WIDTH - 2))
        });
        list(out, lines.collect::<Vec<_>>().into_iter());
    }
}

/// Returns the inbox as JSON.
pub(super) fn object(board: &Board) -> Value {
    let convoy = |(convoy, done): &(sprag_formats::chipset::Convoy, usize)| json!({ "id": convoy.id, "name": convoy.name, "done": done, "units": convoy.units });
    let merge = |merge: &sprag_formats::chipset::MergeRequest| {
        json!({
            "id": merge.id,
            "unit": merge.unit,
            "source": merge.source,
            "target": merge.target,
            "status": merge.status,
        })
    };
    let event = |event: &sprag_formats::chipset::Logged| json!({ "at": event.at, "severity": event.severity, "message": event.message });
    json!({
        "agents": board.agents.iter().map(row_object).collect::<Vec<_>>(),
        "units": board.units,
        "convoys": board.convoys.iter().map(convoy).collect::<Vec<_>>(),
        "merges": board.merges.iter().map(merge).collect::<Vec<_>>(),
        "events": board.events.iter().map(event).collect::<Vec<_>>(),
    })
}
