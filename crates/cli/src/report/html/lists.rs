//! The lists of claims, waivers, decisions, skipped units, reviews, strays and changed files.

use std::fmt::Write as _;

use sprag_core::is_test;
use sprag_core::reporting::{Change, Claim, Report, Reviewed, Source};

use super::super::sections::moment;
use super::safe::{lines, safe};

/// The most entries per list.
const MOST: usize = 200;
/// The most characters of an agent's text; the journal keeps no more.
const WORDS: usize = 900;

/// Writes every list that is not empty.
pub(super) fn all(out: &mut String, report: &Report) {
    let story = &report.story;
    let claims: Vec<_> = report.evidence.claims.iter().map(claim).collect();
    list(out, "Claimed, not proven", "What agents said. Only gates and people prove.", &claims);
    let waiver = |one: &sprag_core::reporting::Waiver| {
        let (gate, by) = (safe(&one.gate, 120), safe(&one.by, 80));
        let (why, at) = (safe(&one.why, 400), moment(one.at));
        format!("<strong>{gate}</strong> by {by} <span class=\"quiet\">{at}</span><br>{why}")
    };
    let waivers: Vec<_> = report.evidence.waivers.iter().map(waiver).collect();
    list(out, "Waived", "A person let these through. They are not proven.", &waivers);
    let decision = |one: &sprag_core::reporting::Decision| {
        let (question, answer) = (safe(&one.question, 400), safe(&one.answer, 400));
        format!(
            "{question}<br><strong>{answer}</strong> <span class=\"quiet\">{}</span>",
            moment(one.at)
        )
    };
    let decisions: Vec<_> = story.decisions.iter().map(decision).collect();
    list(out, "Decided for you", "No person answered, so sprag took the default.", &decisions);
    let skip = |(unit, rule): &(String, String)| {
        format!("{} <span class=\"quiet\">by the rule {}</span>", safe(unit, 160), safe(rule, 80))
    };
    let skipped: Vec<_> = story.skipped.iter().map(skip).collect();
    list(out, "Skipped", "Rules left these out.", &skipped);
    let of_unit = |(unit, what): &(String, String)| {
        format!("<strong>{}</strong> {}", safe(unit, 160), safe(what, 300))
    };
    let strays: Vec<_> = story.strays.iter().map(of_unit).collect();
    list(out, "Beyond its unit", "Changed or left behind, and not named by the unit.", &strays);
    let put_back: Vec<_> = story.put_back.iter().map(|line| safe(line, 300)).collect();
    list(out, "Put back", "Fields of documents that are not the agent's to set.", &put_back);
    let conflicts: Vec<_> = story.conflicts.iter().map(of_unit).collect();
    let said = "Others changed the same lines; the unit's agent brought them together.";
    list(out, "Conflicts given to an agent", said, &conflicts);
    let reviews: Vec<_> = report.evidence.reviews.iter().map(review).collect();
    list(out, "Reviewed", "What each review came to, and what was open after it.", &reviews);
    files(out, report);
}

fn review(one: &Reviewed) -> String {
    let refused = one.ended.refused.iter().map(ToString::to_string);
    let findings = one.ended.findings.iter().cloned().chain(refused);
    let findings = findings.map(|finding| format!("<br>{}", safe(&finding, 500)));
    format!("<strong>{}</strong>{}", safe(&one.line(), 200), findings.collect::<String>())
}

fn claim(claim: &Claim) -> String {
    let unit = safe(claim.unit.as_deref().unwrap_or("the run"), 120);
    let at = moment(claim.at);
    let said = match claim.source {
        Source::Said => format!("<blockquote>{}</blockquote>", lines(&claim.text, WORDS)),
        Source::Ungated => "<br>It has no gate and ended on its agent's word.".to_owned(),
        Source::Known => {
            format!("<br><code>{}</code> failed in the same way before.", safe(&claim.text, 120))
        }
        Source::Judged => format!("<br>By its agent's word: {}", safe(&claim.text, 400)),
    };
    format!("<strong>{unit}</strong> <span class=\"quiet\">{at}</span>{said}")
}

fn list(out: &mut String, title: &str, about: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    let _ = writeln!(out, "<section>\n<h2>{title}</h2>\n<p class=\"quiet\">{about}</p>\n<ul>");
    let rest = items.len().saturating_sub(MOST);
    for item in items.iter().take(MOST) {
        let _ = writeln!(out, "<li>{item}</li>");
    }
    out.push_str("</ul>\n");
    if rest > 0 {
        let _ = writeln!(out, "<p class=\"quiet\">and {rest} more</p>");
    }
    out.push_str("</section>\n");
}

fn files(out: &mut String, report: &Report) {
    let Some(files) = report.files.as_ref().filter(|files| !files.changed.is_empty()) else {
        return;
    };
    let tests = files.tests().count();
    let about = match tests {
        0 => "No test was changed.".to_owned(),
        1 => "1 test was changed; it stands first.".to_owned(),
        some => format!("{some} tests were changed; they stand first."),
    };
    let since = if files.exact {
        ""
    } else {
        " The run did not note its commit, so this is since the last one before it."
    };
    let _ = writeln!(
        out,
        "<section>\n<h2>Files</h2>\n<p class=\"quiet\">{about}{since}</p>\n<table class=\"files\">\n<tbody>"
    );
    let mut sorted: Vec<&Change> = files.changed.iter().collect();
    sorted.sort_by_key(|change| !is_test(&change.path));
    for change in sorted.iter().take(MOST) {
        let test = if is_test(&change.path) { " <span class=\"tag\">test</span>" } else { "" };
        let new = if change.untracked { " <span class=\"tag\">new</span>" } else { "" };
        let lines = match (change.added, change.removed) {
            (Some(added), Some(removed)) => format!(
                "<span class=\"plus\">+{added}</span> <span class=\"minus\">−{removed}</span>"
            ),
            (_, _) => "<span class=\"quiet\">not text</span>".to_owned(),
        };
        let path = safe(&change.path, 200);
        let _ = writeln!(
            out,
            "<tr><td><code>{path}</code>{new}{test}</td><td class=\"number\">{lines}</td></tr>"
        );
    }
    out.push_str("</tbody>\n</table>\n");
    let rest = sorted.len().saturating_sub(MOST);
    if rest > 0 {
        let _ = writeln!(out, "<p class=\"quiet\">and {rest} more</p>");
    }
    out.push_str("</section>\n");
}
