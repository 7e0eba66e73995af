//! Compares passes with the state that the run found when it began.

use super::{GateLine, Material, Slip, Unproven, UnprovenReason};
use crate::event::RunStarted;
use crate::{CheckKind, Event, Hash, Missing, MissingText, Receipt, Verdict};

/// Returns the reasons why passes do not prove the work of the run.
pub(super) fn of(material: &Material, gates: &[GateLine]) -> Vec<Unproven> {
    let names = untouched(material, gates).map(GateLine::name).collect();
    let [gone, away, changed] = missing(&material.missing);
    let all = [
        gone,
        away,
        changed,
        unseen(material),
        Unproven::new(UnprovenReason::Unfollowed, material.unfollowed.clone()),
        Unproven::new(UnprovenReason::Rewritten, material.rewritten.clone()),
        Unproven::new(UnprovenReason::Untouched, names),
        Unproven::new(UnprovenReason::Unguarded, material.unguarded.clone()),
    ];
    all.into_iter().flatten().collect()
}

/// Lists the files that lack a person's edits, those that lack the agent's work, and those that were
/// not compared.
pub fn missing(missing: &Missing) -> [Option<Unproven>; 3] {
    let names = |texts: &[MissingText]| texts.iter().map(ToString::to_string).collect();
    let [gone, away] =
        [(UnprovenReason::Gone, &missing.gone), (UnprovenReason::Away, &missing.away)]
            .map(|(what, texts)| Unproven::new(what, names(texts)));
    [gone, away, Unproven::new(UnprovenReason::Unseen, missing.unseen.clone())]
}

/// Counts the uncommitted files that were not recorded; a worktree has none of a person's.
fn unseen(material: &Material) -> Option<Unproven> {
    let count = usize::try_from(began(material)?.more?).ok()?;
    material.branch.is_none().then_some(Unproven {
        what: UnprovenReason::Unseen,
        count,
        names: Vec::new(),
    })
}

fn began(material: &Material) -> Option<&RunStarted> {
    let mut own = material.facts.iter().filter(|fact| fact.own);
    own.find_map(|fact| if let Event::RunStarted(one) = &fact.event { Some(one) } else { None })
}

/// Returns the gates that passed on the very files that the run began with. A gate that also failed
/// on them did not pass before.
fn untouched<'g>(
    material: &'g Material,
    gates: &'g [GateLine],
) -> impl Iterator<Item = &'g GateLine> {
    let start = began(material).and_then(|started| started.tree);
    gates.iter().filter(move |gate| {
        // A person may well agree to unchanged files.
        let decided = gate.last.as_ref().filter(|last| last.kind != CheckKind::Human);
        let decided = decided.map(|last| &last.receipt);
        let fails = |slip: &Slip| {
            let receipt = &slip.receipt;
            receipt.verdict == Verdict::Fail
                && decided
                    .is_some_and(|last| (&last.gate, last.tree) == (&receipt.gate, receipt.tree))
        };
        decided.is_some_and(|last| is_untouched(last, start)) && !material.slips.iter().any(fails)
    })
}

/// Returns whether a gate passed on the very files that its run began with.
pub fn is_untouched(receipt: &Receipt, start: Option<Hash>) -> bool {
    receipt.verdict == Verdict::Pass && Some(receipt.tree) == start
}
