//! Parses an agent's last message about its task: §4.1 of opti-gsd. All of it is a claim.

use super::report::{Issue, Report, ReportResult};
use crate::report::{ValidMarker, said};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Marker {
    Result(ReportResult),
    Blocker,
    SuggestedFix,
    NewIssue,
}

/// The recognized markers.
const MARKERS: [(&str, Marker); 9] = [
    ("TASK COMPLETE", Marker::Result(ReportResult::Complete)),
    ("TASK FAILED", Marker::Result(ReportResult::Failed)),
    ("CHECKPOINT", Marker::Result(ReportResult::Checkpoint)),
    ("PHASE COMPLETE", Marker::Result(ReportResult::PhaseComplete)),
    ("GAP CLOSED", Marker::Result(ReportResult::GapClosed)),
    ("GAP FAILED", Marker::Result(ReportResult::GapFailed)),
    ("Blocker", Marker::Blocker),
    ("Suggested fix", Marker::SuggestedFix),
    ("NEW ISSUE", Marker::NewIssue),
];

impl Report {
    /// Parses an agent's last message. No marker, or two different ones, is a failure.
    pub fn read(message: &str) -> Self {
        let lines = said(message, &MARKERS);
        let results: Vec<_> = lines
            .iter()
            .filter_map(|line| match line.marker {
                Marker::Result(result) => Some((result, line.rest)),
                Marker::Blocker | Marker::SuggestedFix | Marker::NewIssue => None,
            })
            .collect();
        let (result, reason) = match results.as_slice() {
            [] => (ReportResult::Failed, "no report marker"),
            // Repeated equal markers are one report; the last one counts.
            [(first, _), more @ ..] if more.iter().any(|(other, _)| other != first) => {
                (ReportResult::Failed, "ambiguous report")
            }
            // The text after these two is not a reason.
            [.., (last @ (ReportResult::Complete | ReportResult::PhaseComplete), _)] => (*last, ""),
            [.., (last, reason)] => (*last, *reason),
        };
        Self {
            result,
            reason: reason.to_owned(),
            blocker: first(&lines, Marker::Blocker),
            suggested_fix: first(&lines, Marker::SuggestedFix),
            issues: issues(&lines),
        }
    }
}

fn first(lines: &[ValidMarker<'_, Marker>], wanted: Marker) -> Option<String> {
    lines.iter().find(|line| line.marker == wanted).map(|line| line.rest.to_owned())
}

fn issues(lines: &[ValidMarker<'_, Marker>]) -> Vec<Issue> {
    let found = lines.iter().filter(|line| line.marker == Marker::NewIssue);
    found
        .map(|line| {
            let inside = line.rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
            let (severity, text) = inside.unwrap_or(("", line.rest));
            Issue { severity: severity.trim().to_owned(), text: text.trim().to_owned() }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(message: &str) -> (ReportResult, String) {
        let report = Report::read(message);
        (report.result, report.reason)
    }

    #[test]
    fn exactly_one_kind_of_result_is_expected() {
        let failed = |why: &str| (ReportResult::Failed, why.to_owned());
        assert_eq!(read(""), failed("no report marker"));
        assert_eq!(read("All done!"), failed("no report marker"));
        assert_eq!(read("TASK FAILED: x\nTASK COMPLETE"), failed("ambiguous report"));
        assert_eq!(read("GAP CLOSED: a\nTASK COMPLETE"), failed("ambiguous report"));
        assert_eq!(read("TASK FAILED: {reason}"), failed("no report marker"));
        assert_eq!(read("TASK FAILED: one\nTASK FAILED: two"), failed("two"));
        assert_eq!(read("PHASE COMPLETE"), (ReportResult::PhaseComplete, String::new()));
        let asked = (ReportResult::Checkpoint, "which one".to_owned());
        assert_eq!(read("**CHECKPOINT: which one**"), asked);
    }

    #[test]
    fn an_echo_of_the_instructions_is_no_report() {
        let echo = "<output>\n  - GAP CLOSED: {description of fix}\n  - GAP FAILED: {reason}\n\
                    </output>\nTASK COMPLETE when all checks pass\nTASK FAILED: {reason}\n";
        assert_eq!(read(echo), (ReportResult::Failed, "no report marker".to_owned()));
    }

    #[test]
    fn blocker_fix_and_issues_are_kept() {
        let report = Report::read(
            "TASK FAILED: x\nBlocker: the clock\nSuggested fix: inject one\n\
             NEW ISSUE: [high] no tzdata\nNEW ISSUE: no severity\nNEW ISSUE: [{severity}] {text}\n",
        );
        assert_eq!(report.blocker.as_deref(), Some("the clock"));
        assert_eq!(report.suggested_fix.as_deref(), Some("inject one"));
        let issues: Vec<_> =
            report.issues.iter().map(|one| (one.severity.as_str(), one.text.as_str())).collect();
        assert_eq!(issues, [("high", "no tzdata"), ("", "no severity")]);
    }
}
