//! The table of gates, and every receipt with the end of its output.

use std::fmt::Write as _;

use sprag_core::Verdict;
use sprag_core::reporting::{GateLine, Report, Slip, Standing};

use super::super::sections::{length, moment};
use super::safe::{lines, safe};

/// The most gates and receipts; the newest receipts are kept.
const GATES: usize = 200;
const RECEIPTS: usize = 200;
/// The most output in total, to limit the page's size.
const OUTPUT: usize = 256 << 10;
/// The most output per receipt.
const TAIL: usize = 3_000;

pub(super) fn gates(out: &mut String, report: &Report) {
    if report.evidence.gates.lines.is_empty() && report.evidence.doubts.is_empty() {
        out.push_str("<section>\n<h2>Gates</h2>\n<p>Nothing was checked.</p>\n</section>\n");
        return;
    }
    out.push_str(
        "<section>\n<h2>Gates</h2>\n<table class=\"gates\">\n<thead><tr><th></th>\
        <th>Gate</th><th>Stands</th><th>Took</th><th>Checked</th><th>Receipt</th></tr></thead>\n\
        <tbody>\n",
    );
    let mut gates: Vec<&GateLine> = report.evidence.gates.lines.iter().collect();
    if gates.len() > GATES {
        // Proven gates go last, so that they are the first to be cut.
        gates.sort_by_key(|gate| gate.standing == Standing::Holds);
    }
    gates.iter().take(GATES).for_each(|gate| row(out, gate));
    out.push_str("</tbody>\n</table>\n");
    more(out, report.evidence.gates.lines.len().saturating_sub(GATES), "gates");
    if !report.evidence.doubts.is_empty() {
        out.push_str("<h3>Receipts that count for nothing</h3>\n<ul class=\"bad\">\n");
        for doubt in report.evidence.doubts.iter().take(GATES) {
            let (id, why) = (safe(&doubt.id, 80), doubt.wrong.as_str());
            let _ = writeln!(out, "<li><code>{id}</code> {why}</li>");
        }
        out.push_str("</ul>\n");
    }
    out.push_str("</section>\n");
}

fn row(out: &mut String, gate: &GateLine) {
    let (class, sign) = mark(gate.standing);
    let standing = gate.standing.as_str();
    let _ = write!(
        out,
        "<tr><td class=\"sign {class}\" aria-label=\"{standing}\">{sign}</td><td>{}",
        safe(&gate.name(), 120)
    );
    let Some(last) = &gate.last else {
        let _ = writeln!(out, "</td><td>{standing}</td><td></td><td></td><td></td></tr>");
        return;
    };
    if let Some(command) = &last.command {
        let _ = write!(out, "<br><code>{}</code>", safe(command, 160));
    }
    let times = match gate.times {
        0 | 1 => String::new(),
        times => format!("<br><span class=\"quiet\">{times} times</span>"),
    };
    let _ = writeln!(
        out,
        "</td><td>{standing}{times}</td><td class=\"number\">{}</td>\
         <td class=\"number\">{}</td><td><a href=\"#{id}\"><code>{id}</code></a></td></tr>",
        length(last.ms),
        moment(last.receipt.at),
        id = last.id,
    );
}

/// Writes the receipts, newest first.
pub(super) fn receipts(out: &mut String, report: &Report) {
    if report.evidence.gates.receipts.is_empty() {
        return;
    }
    let _ = writeln!(out, "<section class=\"receipts\">\n<h2>Receipts</h2>");
    let mut left = OUTPUT;
    for slip in report.evidence.gates.receipts.iter().rev().take(RECEIPTS) {
        receipt(out, slip, &mut left);
    }
    more(out, report.evidence.gates.receipts.len().saturating_sub(RECEIPTS), "older receipts");
    out.push_str("</section>\n");
}

fn receipt(out: &mut String, slip: &Slip, left: &mut usize) {
    let receipt = &slip.receipt;
    let (class, sign) = verdict(receipt.verdict);
    let gate = match &slip.phase {
        Some(phase) => format!("{phase}/{}", receipt.gate),
        None => receipt.gate.to_string(),
    };
    let word = receipt.verdict.as_str();
    let _ = write!(
        out,
        "<details id=\"{id}\"><summary><span class=\"sign {class}\">{sign}</span> {}\
         <span class=\"quiet\"> {word} · {} · {}</span></summary>\n<dl>",
        safe(&gate, 120),
        moment(receipt.at),
        length(slip.ms),
        id = slip.id,
    );
    let mut fact = |name: &str, value: String| {
        let _ = write!(out, "<div><dt>{name}</dt><dd>{value}</dd></div>");
    };
    fact("Receipt", format!("<code>{}</code>", slip.id));
    if let Some(command) = &slip.command {
        fact("Command", format!("<code>{}</code>", safe(command, 400)));
    }
    if let Some(exit) = receipt.exit {
        fact("Exit", exit.to_string());
    }
    if !receipt.why.is_empty() {
        fact("Why", safe(&receipt.why, 600));
    }
    fact("Decided by", safe(&slip.by, 120));
    fact("Files", format!("tree <code>{}</code>", receipt.tree.short(12)));
    out.push_str("</dl>\n");
    let tail = lines(&receipt.tail, TAIL.min(*left));
    if !tail.trim().is_empty() && *left > 0 {
        *left = left.saturating_sub(tail.len());
        let _ = writeln!(out, "<pre>{tail}</pre>");
    }
    out.push_str("</details>\n");
}

fn more(out: &mut String, number: usize, what: &str) {
    if number > 0 {
        let _ = writeln!(out, "<p class=\"quiet\">and {number} more {what}</p>");
    }
}

/// Returns the CSS class and the sign of a standing.
fn mark(standing: Standing) -> (&'static str, &'static str) {
    match standing {
        Standing::Holds => ("good", "✓"),
        Standing::Agreed => ("good", "☑"),
        Standing::Stale => ("note", "◦"),
        Standing::Waived => ("note", "⚠"),
        Standing::Fails => ("bad", "✗"),
        Standing::Unknown | Standing::Uncounted | Standing::Missing => ("note", "?"),
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
