//! The gates of a plan: its decidable checks and CI.

use std::collections::BTreeSet;

use super::{CheckDecision, CiStage, Definition, Gap, Task};
use crate::{Check, Gate, Hash, Name, Receipt, prompt};

/// The prefix of the name of a CI gate.
const CI: &str = "ci ";
/// The type of a gap found by one of the plan's own checks.
const CHECK_FAILED: &str = "check_failed";
/// Maximum length of a failure text in a gap, in characters.
const TEXT: usize = 500;

/// Returns the gates of a task: its checks that sprag can decide.
pub(super) fn of_task(task: &Task) -> Vec<Gate> {
    let checks = task.checks.iter().filter_map(|check| match &check.decision {
        CheckDecision::Gate(check) => Some(check.clone()),
        CheckDecision::Ending { .. } | CheckDecision::Claim { .. } => None,
    });
    unique(checks.map(named))
}

/// Returns the gates of the whole plan: CI, every decidable check, then the slowest stage.
pub(super) fn of_all(definition: &Definition) -> Vec<Gate> {
    let stage = |last: bool| {
        let stages = definition.ci.iter();
        let wanted = stages.filter(move |(stage, _)| (*stage == CiStage::E2e) == last);
        wanted.map(|(stage, argv)| Gate {
            name: ci(*stage),
            check: Check::Run { argv: argv.clone() },
        })
    };
    let checks = definition.plan.tasks.iter().flat_map(of_task);
    unique(stage(false).chain(checks).chain(stage(true)))
}

fn ci(stage: CiStage) -> Name {
    match stage {
        CiStage::Lint => Name::literal("ci lint"),
        CiStage::Typecheck => Name::literal("ci typecheck"),
        CiStage::Test => Name::literal("ci test"),
        CiStage::Build => Name::literal("ci build"),
        CiStage::E2e => Name::literal("ci e2e"),
    }
}

/// Returns the CI stage of a gate, by its name.
pub fn stage_of(gate: &Name) -> Option<CiStage> {
    let word = gate.as_str().strip_prefix(CI)?;
    CiStage::ALL.into_iter().find(|stage| stage.as_str() == word)
}

/// Converts a failed gate of the whole plan to a gap.
pub(super) fn gap(definition: &Definition, receipt: &Receipt) -> Gap {
    let said = if receipt.tail.trim().is_empty() { &receipt.why } else { &receipt.tail };
    let text = prompt::evidence(said, TEXT).trim().to_owned();
    if let Some(stage) = stage_of(&receipt.gate) {
        let check = Some(stage.as_str().to_owned());
        return Gap { kind: "ci_failure".to_owned(), check, text, ..Gap::default() };
    }
    let failed = of_all(definition).into_iter().find(|gate| gate.name == receipt.gate);
    let file = failed.and_then(|gate| gate.check.path().map(ToString::to_string));
    let text = format!("`{}` does not hold: {text}", receipt.gate);
    Gap { kind: CHECK_FAILED.to_owned(), file, text, ..Gap::default() }
}

/// Names a check by everything it asks: receipts are looked up by this name.
fn named(check: Check) -> Gate {
    let text = check.to_string();
    let visible: String =
        text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    let whole = if visible == text && text.chars().count() <= 160 {
        visible
    } else {
        let digest = Hash::of(&text).to_string();
        format!("{} {}", prompt::short(&visible, 150), &digest[..8])
    };
    // The text is short, non-empty and free of control characters, so it is a valid name.
    Gate { name: Name::parse(&whole).unwrap_or(Name::literal("check")), check }
}

/// Drops duplicate gates.
fn unique(gates: impl Iterator<Item = Gate>) -> Vec<Gate> {
    let mut seen = BTreeSet::new();
    gates.filter(|gate| seen.insert(gate.name.clone())).collect()
}
