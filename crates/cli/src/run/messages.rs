//! Describes the events of a driven run as lines: a verb and its object.

use std::path::PathBuf;
use std::time::Duration;

use sprag_core::basis::{InputKey, InputKeys};
use sprag_core::reporting::{UnitEvidence, Unproven};
use sprag_core::{Time, Verdict};
use sprag_engine::drive::{EvaluatedOn, GateShown, ReviewResult, UnitEnd, first_line, in_a_line};
use sprag_engine::run_file::Source;
use sprag_run::RunEvent;

use crate::style::{Tone, count};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ProgressLine {
    pub(super) tone: Tone,
    pub(super) verb: &'static str,
    pub(super) text: String,
    /// The end of the line, which is not cut if there is room.
    pub(super) end: String,
    /// The indentation of wrapped lines.
    pub(super) hang: usize,
}

impl ProgressLine {
    pub(super) fn new(tone: Tone, verb: &'static str, text: impl Into<String>) -> Self {
        Self { tone, verb, text: text.into(), end: String::new(), hang: 0 }
    }
}

/// Describes an event. `claim` is the last message of its agent.
pub(super) fn lines(
    seen: &RunEvent<'_>,
    source: &Source,
    claim: &str,
    now: Time,
) -> Vec<ProgressLine> {
    let name = |unit: &str| unit_name(source, unit);
    match seen {
        RunEvent::Assigned { unit, agent, run } => {
            let text = format!("{}  {agent}  {run}", name(unit.as_str()));
            vec![ProgressLine::new(Tone::Good, "Assigned", text)]
        }
        RunEvent::Aborted { unit, why, unanswered } => {
            let text = format!("{}  {}", name(unit.as_str()), first_line(why));
            let mut lines = vec![ProgressLine::new(Tone::Note, "Aborted", text)];
            let untold = |why: &&str| format!("it could not be answered: {}", first_line(why));
            lines.extend(
                unanswered.as_ref().map(|why| ProgressLine::new(Tone::Bad, "", untold(why))),
            );
            lines
        }
        RunEvent::Begun { unit, host: None, .. } => {
            vec![ProgressLine::new(
                Tone::Quiet,
                "Judging",
                format!("{}  as it is", name(unit.as_str())),
            )]
        }
        RunEvent::Begun { unit, retry: Some((number, max)), host: Some(host), .. } => {
            let text = format!("{}  {number} of {max}  {host}", name(unit.as_str()));
            vec![ProgressLine::new(Tone::Note, "Retry", text)]
        }
        RunEvent::Begun { unit, retry: None, host: Some(host), .. } => {
            let verb = if source.info().has_phases { "Entered" } else { "Started" };
            vec![ProgressLine::new(Tone::Good, verb, format!("{}  {host}", name(unit.as_str())))]
        }
        RunEvent::Heard { .. } => Vec::new(),
        RunEvent::Ended { end, .. } => vec![spoken(&end.how(), &end.said, claim)],
        RunEvent::Judged { unit, gates, end, .. } => {
            let gates = gates.iter().map(gate);
            gates.chain(judged(&name(unit.as_str()), end)).collect()
        }
        RunEvent::Conflict { unit, files, .. } => {
            let text = format!("{}  {}", name(unit.as_str()), names(files));
            vec![ProgressLine::new(Tone::Note, "Conflict", text)]
        }
        RunEvent::Strays { unit, what, .. } => {
            let text =
                format!("{} went beyond its files: {}", name(unit.as_str()), what.join(", "));
            vec![ProgressLine::new(Tone::Note, "Strayed", text)]
        }
        RunEvent::Limited { host, until, why } => {
            let text = format!("{host}  {}  {}", resumes(*until, now), first_line(why));
            vec![ProgressLine::new(Tone::Note, "Limited", text)]
        }
        RunEvent::Waiting { on, until } => {
            let until =
                until.map_or_else(String::new, |until| format!("  {}", resumes(until, now)));
            vec![ProgressLine::new(Tone::Quiet, "Waiting", format!("{on}{until}"))]
        }
        RunEvent::Branch { from, to } => {
            let text = format!("was `{from}` and is `{to}` now: agents work in this folder,");
            let more = format!("so what they do from here on is on `{to}`, and judged there");
            vec![
                ProgressLine::new(Tone::Bad, "Branch", text),
                ProgressLine::new(Tone::Note, "", more),
            ]
        }
        RunEvent::Resumed { fence } => {
            vec![ProgressLine::new(Tone::Good, "Resumed", format!("from event {}", fence.0.0))]
        }
    }
}

/// Returns a unit's display name: the only unit of a task has no name of its own.
pub(super) fn unit_name(source: &Source, unit: &str) -> String {
    source.info().unit.unwrap_or(unit).to_owned()
}

/// The mark of a claim.
const CLAIM: &str = "  (a claim)";

/// Describes an agent's final message, which is only a claim.
fn spoken(how: &str, said: &str, claim: &str) -> ProgressLine {
    let claim = if claim.is_empty() { first_line(said) } else { claim };
    let (text, end) = match (claim, how) {
        // `how` already contains its error output.
        ("", how) if how.contains(": ") => (how.to_owned(), ""),
        ("", how) => (format!("{how}, without a word"), ""),
        (claim, "exit 0") => (format!("\"{claim}\""), CLAIM),
        (claim, how) => (format!("{how}: \"{claim}\""), CLAIM),
    };
    ProgressLine { end: end.to_owned(), ..ProgressLine::new(Tone::Quiet, "Agent", text) }
}

fn gate(gate: &GateShown) -> ProgressLine {
    let (tone, said) = match gate.verdict {
        Verdict::Pass => (Tone::Good, "PASS"),
        Verdict::Fail => (Tone::Bad, "FAIL"),
        Verdict::Waived => (Tone::Note, "WAIVED"),
        Verdict::Void => (Tone::Note, "VOID"),
        Verdict::Unknown => (Tone::Note, "UNKNOWN"),
    };
    let took = short(Duration::from_millis(gate.ms));
    let (verb, on) = match &gate.on {
        EvaluatedOn::Project { receipt, tree } => ("Gate", format!("tree {tree}  {receipt}")),
        EvaluatedOn::EarlierTests => ("Recheck", "with the earlier tests".to_owned()),
    };
    // A long command is cut before its verdict.
    let end = format!(" {said:<5} {took:>6}  {on}");
    ProgressLine { end, ..ProgressLine::new(tone, verb, format!("{:<20}", gate.gate)) }
}

fn judged(unit: &str, end: &UnitEnd) -> Vec<ProgressLine> {
    let line = match end {
        UnitEnd::Passed(UnitEvidence { weak, claims, .. }) if !weak.is_empty() => {
            let weak = weak.iter().map(Unproven::brief);
            let all: Vec<String> = weak.chain(claims.iter().cloned()).collect();
            ProgressLine::new(Tone::Note, "Passed", format!("{unit}  {}", all.join("; ")))
        }
        UnitEnd::Passed(UnitEvidence { proven: true, .. }) => {
            ProgressLine::new(Tone::Good, "Proven", unit)
        }
        UnitEnd::Passed(UnitEvidence { claims, .. }) if claims.is_empty() => {
            ProgressLine::new(Tone::Note, "Claimed", format!("{unit}  no gate looks at it"))
        }
        UnitEnd::Passed(UnitEvidence { claims, .. }) => {
            let all = count(claims.len(), "claim");
            let text = format!("{unit}  {all} without proof: {}", claims.join("; "));
            ProgressLine::new(Tone::Note, "Claimed", text)
        }
        UnitEnd::Open { why } => {
            ProgressLine::new(Tone::Note, "Open", format!("{unit}  {}", evidence(why)))
        }
        UnitEnd::Failed { why } => {
            ProgressLine::new(Tone::Bad, "Refused", format!("{unit}  {}", evidence(why)))
        }
        UnitEnd::SentBack { inputs } => {
            ProgressLine::new(Tone::Bad, "Refused", format!("{unit}  {}", sent_back(inputs)))
        }
        UnitEnd::Unchanged { why, .. } => {
            let text = format!("{unit}  nothing has changed: {}", evidence(why));
            ProgressLine::new(Tone::Bad, "Refused", text)
        }
        UnitEnd::Reviewed(reviewed) => return review(unit, reviewed),
        UnitEnd::Held { hold } => {
            ProgressLine::new(Tone::Note, "Held", format!("{unit}  {}", in_a_line(hold)))
        }
        UnitEnd::Lost { why, .. } => {
            ProgressLine::new(Tone::Bad, "Lost", format!("{unit}  {}", first_line(why)))
        }
        // The attempt is not over; the driver reports its wait as a separate event.
        UnitEnd::Limited(_) | UnitEnd::NotStarted { .. } | UnitEnd::Stopped => return Vec::new(),
    };
    vec![line]
}

/// The most gate inputs named when an agent is sent back.
const INPUTS: usize = 3;

/// `it passes, but the agent changed a_test.py, package.json (scripts.test)`.
pub(super) fn sent_back(inputs: &InputKeys) -> String {
    let mut names: Vec<_> = inputs.iter().take(INPUTS).map(InputKey::in_words).collect();
    if inputs.len() > INPUTS {
        names.push(format!("and {} more", inputs.len() - INPUTS));
    }
    format!("it passes, but the agent changed {}", names.join(", "))
}

/// The most findings shown per review; the journal has all.
const FINDINGS: usize = 5;

fn review(unit: &str, reviewed: &ReviewResult) -> Vec<ProgressLine> {
    match reviewed {
        ReviewResult::Clean => {
            vec![ProgressLine::new(Tone::Good, "Reviewed", format!("{unit}  0 findings"))]
        }
        ReviewResult::Found { findings } => {
            let many = findings.len();
            let plural = if many == 1 { "" } else { "s" };
            let text = format!("{unit}  {many} finding{plural}");
            let shown = findings.iter().take(FINDINGS);
            let shown = shown.map(|one| ProgressLine::new(Tone::Quiet, "Finding", first_line(one)));
            std::iter::once(ProgressLine::new(Tone::Bad, "Reviewed", text)).chain(shown).collect()
        }
        ReviewResult::Again { why } => {
            let text = format!("{unit}  does not count: {}", first_line(why));
            vec![ProgressLine::new(Tone::Bad, "Reviewed", text)]
        }
    }
}

fn names(files: &[PathBuf]) -> String {
    let names: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
    names.join(", ")
}

/// Returns the first non-empty line of evidence: `gate: its output`.
pub(super) fn evidence(text: &str) -> String {
    let Some((gate, rest)) = text.split_once(": ") else { return first_line(text).to_owned() };
    let said = first_line(rest);
    if said.is_empty() { format!("{gate} fails") } else { format!("{gate}: {said}") }
}

/// `resumes 01:20 UTC (in 00:47:12)`.
pub(super) fn resumes(until: Time, now: Time) -> String {
    format!("resumes {} (in {})", clock_time(until, now), left(until, now))
}

/// `01:20 UTC`, preceded by the date if that is not today.
pub(super) fn clock_time(at: Time, now: Time) -> String {
    let (at, now) = (at.to_string(), now.to_string());
    let from = if at.get(..10) == now.get(..10) { 11 } else { 0 };
    format!("{} UTC", at.get(from..16).unwrap_or(&at).replace('T', " "))
}

/// Formats the time left as a countdown: `00:47:12`.
pub(super) fn left(until: Time, now: Time) -> String {
    let left = until.since(now).max(0) / 1000;
    let (hours, minutes, seconds) = (left / 3600, left / 60 % 60, left % 60);
    format!("{hours:02}:{minutes:02}:{seconds:02}")
}

/// Formats a duration briefly: `340ms`, `41s`, `2m05s`, `5h02m`.
pub(super) fn short(length: Duration) -> String {
    let seconds = length.as_secs();
    match seconds {
        0 => format!("{}ms", length.as_millis()),
        1..=59 => format!("{seconds}s"),
        60..=3599 => format!("{}m{:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h{:02}m", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time_are_short() {
        let said = [0, 340, 1_000, 59_999, 125_000, 3_600_000, 18_120_000]
            .map(|millis| short(Duration::from_millis(millis)));
        assert_eq!(said, ["0ms", "340ms", "1s", "59s", "2m05s", "1h00m", "5h02m"]);
    }

    #[test]
    fn a_countdown_has_the_hour_and_what_is_left_and_never_less_than_nothing() {
        let until = Time::parse("2026-03-05T01:20:00.000Z").unwrap();
        let now = Time::parse("2026-03-05T00:32:48.000Z").unwrap();
        assert_eq!(resumes(until, now), "resumes 01:20 UTC (in 00:47:12)");
        assert_eq!(resumes(now, until), "resumes 00:32 UTC (in 00:00:00)");
        let later = Time::parse("2026-03-07T01:20:00.000Z").unwrap();
        assert_eq!(resumes(later, until), "resumes 2026-03-07 01:20 UTC (in 48:00:00)");
    }

    #[test]
    fn evidence_says_more_than_the_name_of_its_gate() {
        assert_eq!(evidence("npm test: \n\n 2 failed\nmore"), "npm test: 2 failed");
        assert_eq!(evidence("test -f ok: "), "test -f ok fails");
        assert_eq!(evidence("it says no\nmore"), "it says no");
    }

    #[test]
    fn an_end_is_a_claim_and_says_so() {
        let text = |how, said, claim| {
            let line = spoken(how, said, claim);
            line.text + &line.end
        };
        assert_eq!(text("exit 0", "a\nb", "b"), "\"b\"  (a claim)");
        assert_eq!(text("exit 0", "\n a\nb", ""), "\"a\"  (a claim)");
        assert_eq!(text("exit 3", "a", ""), "exit 3: \"a\"  (a claim)");
        assert_eq!(
            text("was silent for too long", "", ""),
            "was silent for too long, without a word"
        );
    }
}
