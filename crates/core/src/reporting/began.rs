//! What a pass is worth against what the run found when it began.

use super::{Gap, GateLine, Material, Slip, Unproven};
use crate::event::RunStarted;
use crate::{CheckKind, Event, Hash, Receipt, Verdict};

/// Says what keeps passes from proving the work of the run.
pub(super) fn of(material: &Material, gates: &[GateLine]) -> Vec<Unproven> {
    let names = untouched(material, gates).map(GateLine::name).collect();
    let Material { gone, reverted, rewritten, .. } = material;
    let [gone, reverted, rewritten] = taken(gone.clone(), reverted.clone(), rewritten.clone());
    let all = [
        gone,
        reverted,
        unseen(material),
        rewritten,
        Unproven::new(Gap::Untouched, names),
        Unproven::new(Gap::Unguarded, material.unguarded.clone()),
    ];
    all.into_iter().flatten().collect()
}

/// Says which files of a person are gone, which edits are, and which gates' own files are others.
pub fn taken(
    gone: Vec<String>,
    reverted: Vec<String>,
    rewritten: Vec<String>,
) -> [Option<Unproven>; 3] {
    [(Gap::Gone, gone), (Gap::Reverted, reverted), (Gap::Rewritten, rewritten)]
        .map(|(what, names)| Unproven::new(what, names))
}

/// Counts the files beyond those that were written down; a worktree has nobody's own.
fn unseen(material: &Material) -> Option<Unproven> {
    let count = usize::try_from(began(material)?.more?).ok()?;
    material.branch.is_none().then_some(Unproven { what: Gap::Unseen, count, names: Vec::new() })
}

fn began(material: &Material) -> Option<&RunStarted> {
    let mut own = material.facts.iter().filter(|fact| fact.own);
    own.find_map(|fact| if let Event::RunStarted(one) = &fact.event { Some(one) } else { None })
}

/// Returns the gates that passed on the very files that the run began with. One that failed on them,
/// too, did not pass before.
fn untouched<'g>(
    material: &'g Material,
    gates: &'g [GateLine],
) -> impl Iterator<Item = &'g GateLine> {
    let start = began(material).and_then(|started| started.tree);
    gates.iter().filter(move |gate| {
        // A person may well agree to what is there.
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
