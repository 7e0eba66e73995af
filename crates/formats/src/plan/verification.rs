//! `VERIFICATION.md`: the findings of a verification. §5.1 of opti-gsd.
//!
//! Reads its headline and its gaps; gaps only from their own section, bare or in a fence. sprag
//! writes the results of its own full run in the same form, so that the original can read them.

mod write;

use sprag_core::plan::{Gap, Verification, VerificationStatus};

use super::lines::TextLines;
use super::markdown::{LineKind, parts};
use super::sections::item;
use super::tag::{Element, decoded, elements};

pub use self::write::{CheckResult, CheckRow, CiResult, CiRow, FullRun, write};

/// The most gaps that are listed one by one.
const GAPS: usize = 1000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Gaps,
    Human,
    Other,
}

/// Reads a report. Every text has a result.
pub fn read(text: &str) -> Verification {
    let lines = TextLines::of(text);
    let mut found = Verification::default();
    let mut status = None;
    let mut section = Section::Other;
    let mut gaps = String::new();
    for (line, part) in parts(&lines) {
        match part {
            LineKind::Heading { title, .. } => {
                section = Section::of(title);
                status = status.or_else(|| headline(title));
            }
            LineKind::Fence => {}
            LineKind::Fenced(language) => {
                // In a fence with another language, a gap is quoted, not reported.
                if section == Section::Gaps && matches!(language, "" | "xml") {
                    gaps.push_str(line.text);
                    gaps.push('\n');
                }
            }
            LineKind::Said => {
                status = status.or_else(|| headline(line.said()));
                match section {
                    Section::Gaps => gaps.extend([line.text, "\n"]),
                    Section::Human => found.human.extend(asked(line.said())),
                    Section::Other => {}
                }
            }
        }
    }
    found.status = status.unwrap_or_default();
    found.gaps = elements(&gaps, "gap").iter().take(GAPS).map(gap).collect();
    found
}

impl Section {
    fn of(title: &str) -> Self {
        let title = title.to_lowercase();
        if title.starts_with("gaps") {
            Self::Gaps
        } else if title.starts_with("human verification") {
            Self::Human
        } else {
            Self::Other
        }
    }
}

/// Returns the status from a heading `Status: …` or a line `**Status:** …`.
fn headline(line: &str) -> Option<VerificationStatus> {
    let plain = line.trim_start_matches(['*', '_']);
    let is_status = plain.get(..6).is_some_and(|word| word.eq_ignore_ascii_case("status"));
    let rest = plain.get(6..).filter(|_| is_status)?;
    let rest = rest.trim_start_matches(['*', '_', ' ']).strip_prefix(':')?;
    // `PASSED (7/7)` and `✅ passed` also occur.
    let rest = rest.split('(').next().unwrap_or_default();
    let word = rest.trim_matches(|c: char| !(c.is_alphanumeric() || matches!(c, '{' | '}')));
    let word = word.to_lowercase().replace([' ', '-'], "_");
    let known = VerificationStatus::ALL.into_iter().find(|status| status.as_str() == word);
    Some(known.unwrap_or(VerificationStatus::Invalid))
}

/// Returns the item that a person is asked to look at.
fn asked(line: &str) -> Option<String> {
    let text = item(line)?.strip_prefix('[')?.split_once(']')?.1.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn gap(element: &Element<'_>) -> Gap {
    let attribute = |name: &str| {
        let value = decoded(element.tag.get(name)?.trim());
        (!value.is_empty()).then_some(value)
    };
    let text = element.text.unwrap_or_default();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    Gap {
        kind: attribute("type").unwrap_or_default(),
        file: attribute("file"),
        from: attribute("from"),
        to: attribute("to"),
        check: attribute("check"),
        // The name of a debt is its balance.
        story: attribute("story").or_else(|| attribute("net")),
        text: decoded(&lines.collect::<Vec<_>>().join("\n")),
    }
}

#[cfg(test)]
mod tests;
