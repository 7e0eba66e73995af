//! A report as a single HTML page: no scripts, no external resources, readable in dark mode and on
//! paper. All text is untrusted until it is escaped.

use std::fmt::Write as _;

use sprag_core::Outcome;
use sprag_core::reporting::Report;

use super::sections::{counts, moment};
use super::text;
use safe::{attribute, safe};

mod chart;
mod lists;
mod receipts;
mod safe;

const STYLE: &str = include_str!("html/page.css");

/// Loads nothing, runs nothing and sends nothing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
    form-action 'none'";

pub(super) fn page(name: &str, report: &Report) -> String {
    let title = report.task.as_deref().unwrap_or(&report.at);
    let mut out = String::with_capacity(64 << 10);
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{} · sprag report</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n",
        attribute(&format!(
            "{}: {}",
            report.run,
            report.evidence.outcome.map_or(Outcome::OPEN, Outcome::as_str)
        )),
    );
    head(&mut out, name, title, report);
    chart::draw(&mut out, &report.timeline);
    receipts::gates(&mut out, report);
    lists::all(&mut out, report);
    receipts::receipts(&mut out, report);
    let _ = write!(
        out,
        "<footer><p>Made by sprag {} on {} UTC from the journal and the receipts of this run. \
         Times are UTC. Check it again: <code>sprag report {} --verify</code></p></footer>\n\
         </main>\n</body>\n</html>\n",
        env!("CARGO_PKG_VERSION"),
        moment(report.now),
        report.run,
    );
    out
}

fn head(out: &mut String, name: &str, title: &str, report: &Report) {
    let (class, word) = badge(report);
    let _ = write!(
        out,
        "<header>\n<p class=\"crumb\">{} <span>·</span> {} <span>·</span> {}</p>\n\
         <h1>{}</h1>\n<p class=\"outcome\"><strong class=\"badge {class}\">{word}</strong> {}</p>\n\
         </header>\n<dl class=\"facts\">\n",
        safe(name, 80),
        safe(&report.source, 80),
        report.run,
        safe(title, 400),
        safe(&text::outcome(report), 200),
    );
    let unproven = report.evidence.unproven();
    let unproven = match unproven {
        [] => "Nothing".to_owned(),
        some => some.iter().map(|one| safe(&one.to_string(), 300)).collect::<Vec<_>>().join("<br>"),
    };
    let waiting = match report.waits.as_slice() {
        [] => "Nothing".to_owned(),
        some => {
            let wait = |wait: &sprag_core::reporting::Wait| {
                format!("{} <code>{}</code>", safe(&wait.why, 300), safe(&wait.command, 120))
            };
            some.iter().map(wait).collect::<Vec<_>>().join("<br>")
        }
    };
    let diff = match &report.files {
        None => safe(&text::no_difference(report), 200),
        Some(files) => {
            let (added, removed) = files.lines();
            let number = files.changed.len();
            let plural = if number == 1 { "" } else { "s" };
            format!(
                "<code>{}</code><br>{number} file{plural}, <span class=\"plus\">+{added}</span> \
                 <span class=\"minus\">−{removed}</span>",
                safe(&report.whole_command().unwrap_or_default(), 600),
            )
        }
    };
    fact(out, "Not proven", &unproven);
    fact(out, "Waiting for you", &waiting);
    fact(out, "Cost", &safe(&text::cost(report), 200));
    fact(out, "Changes", &diff);
    if let Some(branch) = &report.branch {
        fact(out, "Branch", &safe(&branch.sentence(), 200));
    }
    let counts = counts(report);
    if !counts.is_empty() {
        fact(out, "On the way", &safe(&counts.join(", "), 400));
    }
    out.push_str("</dl>\n");
}

fn fact(out: &mut String, name: &str, value: &str) {
    let _ = writeln!(out, "<div><dt>{name}</dt><dd>{value}</dd></div>");
}

/// Returns the CSS class and the label of the outcome.
fn badge(report: &Report) -> (&'static str, &'static str) {
    match report.evidence.outcome {
        Some(Outcome::Proven) => ("good", "Done, proven"),
        Some(Outcome::NotProven) => ("note", "Done"),
        Some(Outcome::Doubted) => ("note", "Done, not proven"),
        None => ("note", "Not done"),
        Some(Outcome::Held | Outcome::GaveUp | Outcome::Unreadable) => ("note", "Held"),
        Some(Outcome::Paused) => ("note", "Paused"),
        Some(Outcome::Cancelled) => ("quiet", "Cancelled"),
        Some(Outcome::Failed) => ("note", "Failed"),
    }
}
