/// What an agent's last message says, as far as a marker in it counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// What it says.
    pub result: ReportResult,
    /// The text after the marker: why it failed, what must be decided, how the gap was closed.
    pub reason: String,
    /// The line `Blocker:`.
    pub blocker: Option<String>,
    /// The line `Suggested fix:`.
    pub suggested_fix: Option<String>,
    /// What it found beside its task.
    pub issues: Vec<Issue>,
}

/// What an agent says it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportResult {
    /// `TASK COMPLETE`.
    Complete,
    /// `TASK FAILED`, none or two of the markers.
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

/// Something found beside the task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// How bad it is, as it is written.
    pub severity: String,
    /// What it is.
    pub text: String,
}
