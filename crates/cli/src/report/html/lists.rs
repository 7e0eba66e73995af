//! The lists of claims, waivers, decisions, skipped units, reviews, strays and changed files.

use maud::{Markup, html};
use sprag_core::is_test;
use sprag_core::reporting::{
    AssumedAnswer, ChangedFile, Claim, ClaimSource, Report, Reviewed, Waiver,
};

use super::super::sections::moment;
use super::safe::{lines, safe};
use super::{more, plus_minus};

/// The most entries per list.
const MOST: usize = 200;
/// The most characters of an agent's text; the journal keeps no more.
const WORDS: usize = 900;

/// Returns every list that is not empty.
pub(super) fn all(report: &Report) -> Markup {
    let (story, evidence) = (&report.story, &report.evidence);
    let said = "What agents said. Only gates and people prove.";
    let waived = "A person let these through. They are not proven.";
    let decided = "No person answered, so sprag took the default.";
    let beyond = "Changed or left behind, and not named by the unit.";
    let put_back = "Fields of documents that are not the agent's to set.";
    let conflicts = "Others changed the same lines; the unit's agent brought them together.";
    let reviewed = "What each review came to, and what was open after it.";
    html! {
        (list("Claimed, not proven", said, &evidence.claims, claim))
        (list("Waived", waived, &evidence.waivers, waiver))
        (list("Decided for you", decided, &story.decisions, decision))
        (list("Skipped", "Rules left these out.", &story.skipped, skip))
        (list("Beyond its unit", beyond, &story.strays, of_unit))
        (list("Put back", put_back, &story.put_back, |line| html! { (safe(line, 300)) }))
        (list("Conflicts given to an agent", conflicts, &story.conflicts, of_unit))
        (list("Reviewed", reviewed, &evidence.reviews, review))
        (files(report))
    }
}

fn list<T>(title: &str, about: &str, items: &[T], item: impl Fn(&T) -> Markup) -> Markup {
    html! {
        @if !items.is_empty() {
            section {
                h2 { (title) }
                p class="quiet" { (about) }
                ul { @for one in items.iter().take(MOST) { li { (item(one)) } } }
                (more(items.len().saturating_sub(MOST), ""))
            }
        }
    }
}

fn waiver(one: &Waiver) -> Markup {
    html! {
        strong { (safe(&one.gate, 120)) } " by " (safe(&one.by, 80)) " "
        span class="quiet" { (moment(one.at)) }
        br;
        (safe(&one.why, 400))
    }
}

fn decision(one: &AssumedAnswer) -> Markup {
    html! {
        (safe(&one.question, 400))
        br;
        strong { (safe(&one.answer, 400)) } " " span class="quiet" { (moment(one.at)) }
    }
}

fn skip((unit, rule): &(String, String)) -> Markup {
    html! { (safe(unit, 160)) " " span class="quiet" { "by the rule " (safe(rule, 80)) } }
}

fn of_unit((unit, what): &(String, String)) -> Markup {
    html! { strong { (safe(unit, 160)) } " " (safe(what, 300)) }
}

fn review(one: &Reviewed) -> Markup {
    let refused = one.ended.refused.iter().map(ToString::to_string);
    let findings = one.ended.findings.iter().cloned().chain(refused);
    html! {
        strong { (safe(&one.line(), 200)) }
        @for finding in findings { br; (safe(&finding, 500)) }
    }
}

fn claim(claim: &Claim) -> Markup {
    html! {
        strong { (safe(claim.unit.as_deref().unwrap_or("the run"), 120)) } " "
        span class="quiet" { (moment(claim.at)) }
        @match claim.source {
            ClaimSource::Said => blockquote { (lines(&claim.text, WORDS)) },
            ClaimSource::Ungated => {
                br;
                "It has no gate and ended on its agent's word."
            }
            ClaimSource::Known => {
                br;
                code { (safe(&claim.text, 120)) } " failed in the same way before."
            }
            ClaimSource::Judged => {
                br;
                "By its agent's word: " (safe(&claim.text, 400))
            }
        }
    }
}

fn files(report: &Report) -> Markup {
    let Some(files) = report.files.as_ref().filter(|files| !files.changed.is_empty()) else {
        return Markup::default();
    };
    let about = match files.tests().count() {
        0 => "No test was changed.".to_owned(),
        1 => "1 test was changed; it stands first.".to_owned(),
        some => format!("{some} tests were changed; they stand first."),
    };
    let since = if files.exact {
        ""
    } else {
        " The run did not note its commit, so this is since the last one before it."
    };
    let mut sorted: Vec<&ChangedFile> = files.changed.iter().collect();
    sorted.sort_by_key(|change| !is_test(&change.path));
    html! {
        section {
            h2 { "Files" }
            p class="quiet" { (about) (since) }
            table class="files" { tbody { @for change in sorted.iter().take(MOST) { (row(change)) } } }
            (more(sorted.len().saturating_sub(MOST), ""))
        }
    }
}

fn row(change: &ChangedFile) -> Markup {
    html! {
        tr {
            td {
                code { (safe(&change.path, 200)) }
                @if change.untracked { " " span class="tag" { "new" } }
                @if is_test(&change.path) { " " span class="tag" { "test" } }
            }
            td class="number" {
                @match (change.added, change.removed) {
                    (Some(added), Some(removed)) => (plus_minus(added, removed)),
                    (_, _) => span class="quiet" { "not text" },
                }
            }
        }
    }
}
