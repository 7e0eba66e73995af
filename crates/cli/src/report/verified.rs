//! The results of `--verify` as text.

use std::fmt::Write as _;

use sprag_core::reporting::Report;
use sprag_engine::verify::{Again, Checked};

use super::{end, is_waived};
use crate::exit::Exit;
use crate::style::{StreamStyle, Tone, WIDTH, columns, count};

pub(super) fn text(look: StreamStyle, report: &Report, checked: &[Checked]) -> String {
    let mut out = String::new();
    let mut put = |mark: String, said: &str| {
        let _ = writeln!(out, " {mark} {}", look.clip(said, WIDTH - 3));
    };
    let good = look.paint(Tone::Good, look.sign("✓", "+"));
    let bad = look.paint(Tone::Bad, look.sign("✗", "x"));
    let note = look.paint(Tone::Note, "!");
    let branch = report.apart();
    let judged = branch.map_or_else(
        || "the files in this folder, as they are now".to_owned(),
        |branch| format!("the files of {}, not those in this folder", branch.whose()),
    );
    put(note.clone(), &format!("judged: {judged}"));
    if report.evidence.doubts.is_empty() {
        let receipts = count(report.evidence.gates.receipts.len(), "receipt");
        put(good.clone(), &format!("{receipts}, each as the journal has it"));
    }
    for doubt in &report.evidence.doubts {
        put(bad.clone(), &format!("receipt {}: {}", doubt.id, doubt.wrong.as_str()));
    }
    for one in checked {
        let name = look.clip(&one.gate, 30);
        let pad = " ".repeat(31 - columns(&name));
        let (mark, mut said) = match &one.result {
            Again::Holds { receipt } => (&good, format!("holds now, receipt {receipt}")),
            Again::Fails { receipt, why } => (&bad, format!("fails now: {why}, receipt {receipt}")),
            Again::Unknown { why } => (&note, format!("could not run: {why}")),
            Again::Person => (&note, "a person's word, not asked again".to_owned()),
            Again::Untrusted { what } => (&note, format!("`{what}` is not allowed to run here")),
        };
        let is_waived = is_waived(report, one);
        if is_waived {
            said.insert_str(0, "waived; ");
        }
        let mark = if is_waived { &note } else { mark };
        put(mark.clone(), &format!("{name}{pad}{said}"));
    }
    let exit = end(report, Some(checked));
    let holds = |one: &Checked| matches!(one.result, Again::Holds { .. });
    let verdict = if exit == Exit::Done && !checked.iter().any(holds) {
        "was not proven again: no gate of it was evaluated and holds"
    } else if exit == Exit::Done {
        branch.map_or("holds on the files as they are now", |_| "holds on the branch of the run")
    } else if exit == Exit::NeedsPerson {
        "was not checked whole: a person must let its commands run"
    } else {
        "does not hold"
    };
    let _ = writeln!(out, "{} {verdict}", report.run);
    out
}
