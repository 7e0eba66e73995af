//! The table of gates, and every receipt with the end of its output.

use maud::{Markup, html};
use sprag_core::Verdict;
use sprag_core::reporting::{GateLine, ReceiptWorth, Report, Slip};

use super::super::sections::{length, moment};
use super::safe::{lines, safe};
use super::{fact, more};

/// The most gates and receipts; the newest receipts are kept.
const GATES: usize = 200;
const RECEIPTS: usize = 200;
/// The most output in total, to limit the page's size.
const OUTPUT: usize = 256 << 10;
/// The most output per receipt.
const TAIL: usize = 3_000;

pub(super) fn gates(report: &Report) -> Markup {
    let doubts = &report.evidence.doubts;
    let mut gates: Vec<&GateLine> = report.evidence.gates.lines.iter().collect();
    if gates.is_empty() && doubts.is_empty() {
        return html! { section { h2 { "Gates" } p { "Nothing was checked." } } };
    }
    if gates.len() > GATES {
        // Proven gates go last, so that they are the first to be cut.
        gates.sort_by_key(|gate| gate.standing == ReceiptWorth::Holds);
    }
    html! {
        section {
            h2 { "Gates" }
            table class="gates" {
                thead {
                    tr {
                        th {}
                        @for column in ["Gate", "Stands", "Took", "Checked", "Receipt"] {
                            th { (column) }
                        }
                    }
                }
                tbody { @for gate in gates.iter().take(GATES) { (row(gate)) } }
            }
            (more(gates.len().saturating_sub(GATES), " gates"))
            @if !doubts.is_empty() {
                h3 { "Receipts that count for nothing" }
                ul class="bad" {
                    @for doubt in doubts.iter().take(GATES) {
                        li { code { (safe(&doubt.id, 80)) } " " (doubt.wrong.as_str()) }
                    }
                }
            }
        }
    }
}

fn row(gate: &GateLine) -> Markup {
    let (class, sign) = mark(gate.standing);
    let standing = gate.standing.as_str();
    let Some(last) = &gate.last else {
        return html! {
            tr {
                td class={ "sign " (class) } aria-label=(standing) { (sign) }
                td { (safe(&gate.name(), 120)) }
                td { (standing) }
                td {}
                td {}
                td {}
            }
        };
    };
    html! {
        tr {
            td class={ "sign " (class) } aria-label=(standing) { (sign) }
            td {
                (safe(&gate.name(), 120))
                @if let Some(command) = &last.command { br; code { (safe(command, 160)) } }
            }
            td {
                (standing)
                @if gate.times > 1 { br; span class="quiet" { (gate.times) " times" } }
            }
            td class="number" { (length(last.ms)) }
            td class="number" { (moment(last.receipt.at)) }
            td { a href={ "#" (last.id) } { code { (last.id) } } }
        }
    }
}

/// Returns the receipts, newest first.
pub(super) fn receipts(report: &Report) -> Markup {
    let slips = &report.evidence.gates.receipts;
    let mut left = OUTPUT;
    html! {
        @if !slips.is_empty() {
            section class="receipts" {
                h2 { "Receipts" }
                @for slip in slips.iter().rev().take(RECEIPTS) { (receipt(slip, &mut left)) }
                (more(slips.len().saturating_sub(RECEIPTS), " older receipts"))
            }
        }
    }
}

fn receipt(slip: &Slip, left: &mut usize) -> Markup {
    let receipt = &slip.receipt;
    let (class, sign) = verdict(receipt.verdict);
    let gate = match &slip.phase {
        Some(phase) => format!("{phase}/{}", receipt.gate),
        None => receipt.gate.to_string(),
    };
    let tail = lines(&receipt.tail, TAIL.min(*left));
    let is_shown = !tail.trim().is_empty() && *left > 0;
    let tail = html! { (tail) };
    if is_shown {
        *left = left.saturating_sub(tail.0.len());
    }
    html! {
        details id=(slip.id) {
            summary {
                span class={ "sign " (class) } { (sign) } " " (safe(&gate, 120))
                span class="quiet" {
                    " " (receipt.verdict.as_str()) " · " (moment(receipt.at)) " · " (length(slip.ms))
                }
            }
            dl {
                (fact("Receipt", html! { code { (slip.id) } }))
                @if let Some(command) = &slip.command {
                    (fact("Command", html! { code { (safe(command, 400)) } }))
                }
                @if let Some(exit) = receipt.exit { (fact("Exit", exit)) }
                @if !receipt.why.is_empty() { (fact("Why", safe(&receipt.why, 600))) }
                (fact("Decided by", safe(&slip.by, 120)))
                (fact("Files", html! { "tree " code { (receipt.tree.short(12)) } }))
            }
            @if is_shown { pre { (tail) } }
        }
    }
}

/// Returns the CSS class and the sign of a standing.
fn mark(standing: ReceiptWorth) -> (&'static str, &'static str) {
    match standing {
        ReceiptWorth::Holds => ("good", "✓"),
        ReceiptWorth::Agreed => ("good", "☑"),
        ReceiptWorth::Stale => ("note", "◦"),
        ReceiptWorth::Waived => ("note", "⚠"),
        ReceiptWorth::Fails => ("bad", "✗"),
        ReceiptWorth::Unknown | ReceiptWorth::Uncounted | ReceiptWorth::Missing => ("note", "?"),
    }
}

/// Returns the CSS class and the sign of a verdict.
pub(super) fn verdict(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Pass => ("good", "✓"),
        Verdict::Fail => ("bad", "✗"),
        Verdict::Waived => ("note", "⚠"),
        Verdict::Void | Verdict::Unknown => ("note", "?"),
    }
}
