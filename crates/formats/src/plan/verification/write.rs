//! Writes the findings of sprag's own full run.

use std::fmt::Write as _;

use sprag_core::plan::{CiStage, Gap, VerificationStatus};
use sprag_core::prompt::{escaped, short};

use crate::plan::table::cell;

/// The longest evidence per line, in characters.
const LINE: usize = 500;

/// The findings of a full run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FullRun {
    /// The phase, as written.
    pub phase: String,
    /// The overall result.
    pub status: VerificationStatus,
    /// The stages of CI, in the order in which they ran.
    pub ci: Vec<CiRow>,
    /// The checks of the tasks.
    pub checks: Vec<CheckRow>,
    pub gaps: Vec<Gap>,
    /// The items that a person must look at.
    pub human: Vec<String>,
}

/// A stage of CI and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CiRow {
    pub stage: CiStage,
    pub result: CiResult,
    /// Additional information; may be empty.
    pub note: String,
}

/// The result of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CiResult {
    Pass,
    Fail,
    /// Did not run: it is not configured, or an earlier stage failed.
    Skip,
}

impl CiResult {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "PASS",
            Self::Fail => "FAIL",
            Self::Skip => "SKIP",
        }
    }
}

/// A check of a task and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckRow {
    /// The task's id.
    pub task: String,
    /// The text of the check.
    pub text: String,
    pub result: CheckResult,
    /// May be empty.
    pub evidence: String,
}

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckResult {
    /// The engine verified it.
    Proven,
    /// An agent claims it, and sprag has no means to decide it.
    Claimed,
    /// It does not hold.
    Failed,
}

impl CheckResult {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Proven => "PROVEN",
            Self::Claimed => "CLAIMED",
            Self::Failed => "FAILED",
        }
    }
}

/// Writes the report as a file.
pub fn write(run: &FullRun) -> String {
    let FullRun { phase, status, ci, checks, gaps, human } = run;
    let mut out = format!("# Verification Report: Phase {}\n\n", one_line(phase));
    let _ = writeln!(out, "## Status: {}\n", status.as_str());
    out.push_str(
        "## CI Checks\n\n| Check | Status | Time | Notes |\n|-------|--------|------|-------|\n",
    );
    for CiRow { stage, result, note } in ci {
        let _ =
            writeln!(out, "| {} | {} | - | {} |", stage.as_str(), result.as_str(), in_cell(note));
    }
    out.push_str(
        "\n## Observable Truths\n\n| Truth | Status | Evidence |\n|-------|--------|----------|\n",
    );
    for CheckRow { task, text, result, evidence } in checks {
        let truth = in_cell(&format!("{task}: {text}"));
        let _ = writeln!(out, "| {truth} | {} | {} |", result.as_str(), in_cell(evidence));
    }
    out.push_str("\n## Gaps\n\n<gaps>\n");
    for gap in gaps {
        write_gap(&mut out, gap);
    }
    out.push_str("</gaps>\n\n## Human Verification Required\n\n");
    if human.is_empty() {
        out.push_str("None\n");
    }
    for asked in human {
        let _ = writeln!(out, "- [ ] {}", one_line(asked));
    }
    out
}

fn write_gap(out: &mut String, gap: &Gap) {
    let Gap { kind, file, from, to, check, story, text } = gap;
    let _ = write!(out, "  <gap type=\"{}\"", escaped(&one_line(kind)));
    let named = [("file", file), ("from", from), ("to", to), ("check", check), ("story", story)];
    for (name, value) in named.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?)))
    {
        let _ = write!(out, " {name}=\"{}\"", escaped(&one_line(value)));
    }
    let _ = writeln!(out, ">{}</gap>", escaped(&short(&one_line(text), LINE)));
}

fn in_cell(text: &str) -> String {
    cell(&short(&one_line(text), LINE))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
