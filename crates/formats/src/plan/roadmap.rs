//! `.gsd/ROADMAP.md`: the status of each phase, in its section. §1 of opti-gsd.

use sprag_core::Splice;

use super::lines::TextLines;
use super::markdown::{LineKind, parts};

/// A phase of the roadmap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoadmapPhase {
    /// The number, as written.
    pub phase: String,
    /// The text of its status line: `PLANNED`; `None` without a status line.
    pub status: Option<String>,
    /// The bytes of that status.
    at: std::ops::Range<usize>,
}

/// The phases of a roadmap, in order.
pub fn phases(text: &str) -> Vec<RoadmapPhase> {
    let lines = TextLines::of(text);
    let mut found: Vec<RoadmapPhase> = Vec::new();
    let mut inside: Option<usize> = None;
    for (line, part) in parts(&lines) {
        match part {
            LineKind::Heading { level, title } => match phase_of(title) {
                Some(phase) => {
                    inside = Some(level);
                    let phase = phase.to_owned();
                    found.push(RoadmapPhase { phase, status: None, at: 0..0 });
                }
                // A deeper heading belongs to the phase.
                None => inside = inside.filter(|own| level > *own),
            },
            LineKind::Said => {
                let last =
                    found.last_mut().filter(|last| inside.is_some() && last.status.is_none());
                if let (Some(last), Some(status)) = (last, status_of(line.text)) {
                    let start = line.start + line.text.len() - line.text.trim_start().len();
                    let before = line.text.trim_start().len() - status.len();
                    let end = status.trim_end().len();
                    last.at = start + before..start + before + end;
                    last.status = Some(status.trim_end().to_owned());
                }
            }
            LineKind::Fenced(_) | LineKind::Fence => {}
        }
    }
    found
}

/// Returns the splices that set a phase's status; none if it has no status line, or already has
/// that status.
pub fn set_status(text: &str, phase: &str, status: &str) -> Vec<Splice> {
    let found = phases(text).into_iter().find(|one| is_same(&one.phase, phase));
    let differs = |one: &RoadmapPhase| one.status.as_deref().is_some_and(|now| now != status);
    let edit = |one: RoadmapPhase| Splice { range: one.at, text: status.to_owned() };
    found.filter(differs).map(edit).into_iter().collect()
}

/// Returns the number in `Phase 2.1: Title`.
fn phase_of(title: &str) -> Option<&str> {
    let word = title.get(..5).filter(|word| word.eq_ignore_ascii_case("phase"))?;
    let rest = title[word.len()..].trim_start();
    let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
    let number = rest[..end].trim_end_matches('.');
    (!number.is_empty() && !number.starts_with('.')).then_some(number)
}

/// Returns the text after `**Status:**`.
fn status_of(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("**")?;
    let word = rest.get(..6).filter(|word| word.eq_ignore_ascii_case("status"))?;
    let rest = &rest[word.len()..];
    let rest = rest.strip_prefix(":**").or_else(|| rest.strip_prefix("**:"))?;
    Some(rest.trim_start())
}

/// Splits a phase's number for comparison: `01` equals `1`, and `1.10` differs from `1.1`.
fn number(phase: &str) -> Vec<&str> {
    phase.split('.').map(|part| part.trim_start_matches('0')).collect()
}

/// Returns whether two spellings mean the same phase.
pub fn is_same(one: &str, other: &str) -> bool {
    number(one) == number(other)
}

/// Returns the possible folders of a phase's plan: with two digits, as later versions write, and
/// without leading zeros.
pub fn folders(phase: &str) -> [String; 2] {
    let (whole, rest) = phase.split_at(phase.find('.').unwrap_or(phase.len()));
    let short = whole.trim_start_matches('0');
    let whole = if short.is_empty() && !whole.is_empty() { "0" } else { short };
    [format!("phase-{whole:0>2}{rest}"), format!("phase-{whole}{rest}")]
}

#[cfg(test)]
mod tests {
    use sprag_core::apply;

    use super::*;

    const ROADMAP: &str = "# Roadmap\r\n\r\n**Status:** OPEN\r\n\r\n## Phase 1: Loop  \r\n**Status:** DISCUSSED  \r\n\
### Delivers\r\n- x\r\n\r\n## Phase 10 - Ten\r\n```markdown\r\n**Status:** PLANNED\r\n```\r\n### Notes\r\n  **status:** planned\r\n\
## Phase 02.1\r\nno status\r\n## Later\r\n**Status:** LATER\r\n";

    #[test]
    fn a_phase_has_the_first_status_of_its_section() {
        let found = phases(ROADMAP);
        let said: Vec<_> =
            found.iter().map(|one| (one.phase.as_str(), one.status.as_deref())).collect();
        assert_eq!(said, [("1", Some("DISCUSSED")), ("10", Some("planned")), ("02.1", None)]);
    }

    #[test]
    fn only_the_word_changes() {
        let edited = apply(ROADMAP, &set_status(ROADMAP, "01", "COMPLETE")).unwrap();
        assert_eq!(edited, ROADMAP.replace("DISCUSSED", "COMPLETE"));
        assert_eq!(set_status(&edited, "1", "COMPLETE"), []);
        for phase in ["2.1", "3", "0", ""] {
            assert_eq!(set_status(ROADMAP, phase, "COMPLETE"), [], "{phase}");
        }
    }

    #[test]
    fn folders_have_two_digits_or_no_zeros() {
        assert_eq!(folders("1"), ["phase-01", "phase-1"]);
        assert_eq!(folders("01"), ["phase-01", "phase-1"]);
        assert_eq!(folders("0"), ["phase-00", "phase-0"]);
        assert_eq!(folders("2.1"), ["phase-02.1", "phase-2.1"]);
        assert_eq!(folders("10"), ["phase-10", "phase-10"]);
    }
}
