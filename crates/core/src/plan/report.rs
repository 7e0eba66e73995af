/// An agent's last message, as far as its markers count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    pub result: ReportResult,
    /// The text after the marker: the reason of a failure, the needed decision, the description of
    /// a fix.
    pub reason: String,
    /// The line `Blocker:`.
    pub blocker: Option<String>,
    /// The line `Suggested fix:`.
    pub suggested_fix: Option<String>,
    /// Issues found besides the task.
    pub issues: Vec<Issue>,
}

/// The result that an agent reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportResult {
    /// `TASK COMPLETE`.
    Complete,
    /// `TASK FAILED`, no marker, or different ones.
    Failed,
    /// `CHECKPOINT`.
    Checkpoint,
    /// `PHASE COMPLETE`.
    PhaseComplete,
    /// `GAP CLOSED`.
    GapClosed,
    /// `GAP FAILED`.
    GapFailed,
}

/// An issue found besides the task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// The severity, verbatim.
    pub severity: String,
    pub text: String,
}
