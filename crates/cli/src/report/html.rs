//! A report as a single HTML page: no scripts, no external resources, readable in dark mode and on
//! paper. The templates escape all text.

use maud::{Markup, PreEscaped, Render, html};
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
    let outcome = report.evidence.outcome.map_or(Outcome::OPEN, Outcome::as_str);
    let page = html! {
        (PreEscaped("<!doctype html>\n"))
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                title { (attribute(&format!("{}: {outcome}", report.run))) " · sprag report" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    (head(name, title, report))
                    (chart::draw(&report.timeline))
                    (receipts::gates(report))
                    (lists::all(report))
                    (receipts::receipts(report))
                    footer {
                        p {
                            "Made by sprag " (env!("CARGO_PKG_VERSION")) " on " (moment(report.now))
                            " UTC from the journal and the receipts of this run. Times are UTC. \
                             Check it again: "
                            code { "sprag report " (report.run) " --verify" }
                        }
                    }
                }
            }
        }
        "\n"
    };
    page.into_string()
}

fn head(name: &str, title: &str, report: &Report) -> Markup {
    let (class, word) = badge(report);
    let unproven: Vec<Markup> = report
        .evidence
        .unproven()
        .iter()
        .map(|one| html! { (safe(&one.to_string(), 300)) })
        .collect();
    let wait = |wait: &sprag_core::reporting::Wait| {
        html! { (safe(&wait.why, 300)) " " code { (safe(&wait.command, 120)) } }
    };
    let waiting: Vec<Markup> = report.waits.iter().map(wait).collect();
    let counts = counts(report);
    html! {
        header {
            p class="crumb" {
                (safe(name, 80)) " " span { "·" } " " (safe(&report.source, 80)) " "
                span { "·" } " " (report.run)
            }
            h1 { (safe(title, 400)) }
            p class="outcome" {
                strong class={ "badge " (class) } { (word) } " " (safe(&text::outcome(report), 200))
            }
        }
        dl class="facts" {
            (fact("Not proven", or_nothing(&unproven)))
            (fact("Waiting for you", or_nothing(&waiting)))
            (fact("Cost", safe(&text::cost(report), 200)))
            (fact("Changes", difference(report)))
            @if let Some(branch) = &report.branch {
                (fact("Branch", safe(&branch.sentence(), 200)))
            }
            @if !counts.is_empty() {
                (fact("On the way", safe(&counts.join(", "), 400)))
            }
        }
    }
}

/// Lists the items, one a line.
fn or_nothing(items: &[Markup]) -> Markup {
    html! {
        @if items.is_empty() { "Nothing" }
        @for (at, item) in items.iter().enumerate() {
            @if at > 0 { br; }
            (item)
        }
    }
}

fn difference(report: &Report) -> Markup {
    let Some(files) = &report.files else {
        return html! { (safe(&text::no_difference(report), 200)) };
    };
    let (added, removed) = files.lines();
    let number = files.changed.len();
    let plural = if number == 1 { "" } else { "s" };
    html! {
        code { (safe(&report.whole_command().unwrap_or_default(), 600)) }
        br;
        (number) " file" (plural) ", " (plus_minus(added, removed))
    }
}

fn plus_minus(added: impl Render, removed: impl Render) -> Markup {
    html! { span class="plus" { "+" (added) } " " span class="minus" { "−" (removed) } }
}

fn fact(name: &str, value: impl Render) -> Markup {
    html! { div { dt { (name) } dd { (value) } } }
}

/// Says how many more there are than the page shows.
fn more(number: usize, what: &str) -> Markup {
    html! { @if number > 0 { p class="quiet" { "and " (number) " more" (what) } } }
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
