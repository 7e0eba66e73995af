//! `summary.md`: written when all waves are complete. Its existence means "phase executed".

use std::fmt::Write as _;

use super::table::cell;

/// The result of a phase.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PhaseSummary {
    /// The phase, as written.
    pub phase: String,
    pub title: String,
    /// The time of completion, in RFC 3339.
    pub completed: String,
    /// The number of retries.
    pub iterations: u32,
    /// In order.
    pub tasks: Vec<SummaryTask>,
}

/// The result of a task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SummaryTask {
    pub id: String,
    /// The task's own description of the finished work.
    pub done: String,
    /// Whether a person skipped it.
    pub skipped: bool,
    /// The number of its checks that the engine verified.
    pub proven: usize,
    /// The number of its checks that an agent claims to hold.
    pub claimed: usize,
    /// The number of retries.
    pub retries: u32,
}

/// Writes the summary as a file.
pub fn write(summary: &PhaseSummary) -> String {
    let PhaseSummary { phase, title, completed, iterations, tasks } = summary;
    let mut out = format!("# Phase {} Summary: {}\n\n", flat(phase), flat(title));
    let _ = writeln!(out, "**Completed:** {}\n**Retries:** {iterations}\n", flat(completed));
    out.push_str("## Tasks\n\n| Task | Status | Done | Proven | Claimed | Retries |\n|---|---|---|---|---|---|\n");
    for task in tasks {
        let SummaryTask { id, done, skipped, proven, claimed, retries } = task;
        let status = if *skipped { "skipped" } else { "complete" };
        let (id, done) = (cell(id), cell(done));
        let _ = writeln!(out, "| {id} | {status} | {done} | {proven} | {claimed} | {retries} |");
    }
    out.push_str(
        "\nProven: sprag checked it. Claimed: only an agent's word, which nothing here can check.\n",
    );
    out
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_tells_what_is_proven_from_what_is_claimed() {
        let task = SummaryTask {
            id: "01".to_owned(),
            done: "a | b\nexists".to_owned(),
            proven: 2,
            claimed: 1,
            ..SummaryTask::default()
        };
        let summary = PhaseSummary {
            phase: "1".to_owned(),
            title: "Loop".to_owned(),
            completed: "2026-03-05T10:00:00Z".to_owned(),
            iterations: 3,
            tasks: vec![task],
        };
        let text = write(&summary);
        assert!(text.starts_with(
            "# Phase 1 Summary: Loop\n\n**Completed:** 2026-03-05T10:00:00Z\n**Retries:** 3\n"
        ));
        assert!(text.contains("| 01 | complete | a \\| b exists | 2 | 1 | 0 |\n"), "{text}");
    }
}
