use std::path::Path;

use sprag_core::gsd::{
    Count, DispatchOutcome, Dispatched, Quirk, Reading, derive_as, dispatch, nothing_skipped,
};
use sprag_formats::gsd::{Depth, Noted};

use super::{Era, NoTree, look};

/// A summary of a tree, shown before anything is done with it.
#[derive(Debug)]
pub struct Telling {
    pub era: Era,
    /// The number of milestones, and of complete ones.
    pub milestones: Count,
    /// The number of slices in all roadmaps, and of done ones.
    pub slices: Count,
    /// The number of tasks in all plans, and of done ones.
    pub tasks: Count,
    /// The next dispatch.
    pub next: Dispatched,
    /// The original's next dispatch, if it differs.
    pub other: Option<Other>,
    /// The number of problems in the tree.
    pub problems: usize,
}

/// The original's next dispatch.
#[derive(Debug)]
pub struct Other {
    pub next: Dispatched,
    /// The quirks that cause the difference, each with its place.
    pub why: Vec<(Quirk, String)>,
}

/// Reads a tree both ways and summarizes it.
pub fn tell(root: &Path, home: Option<&Path>) -> Result<Telling, NoTree> {
    let ours = look(root, home, Depth::Everything, Reading::Ours)?;
    let theirs = look(root, home, Depth::Answer, Reading::Original)?;
    let derived = derive_as(&ours.loaded.tree, Reading::Ours);
    let original = derive_as(&theirs.loaded.tree, Reading::Original);
    let next = dispatch(&ours.loaded.tree, &derived.state, &nothing_skipped);
    let other = dispatch(&theirs.loaded.tree, &original.state, &nothing_skipped);
    let differs = !is_same(&next.decision, &other.decision);
    let why = || {
        let place = |noted: &Noted| format!("{}:{}", noted.file, noted.place.line);
        let read = theirs.loaded.noted.iter().map(|noted| (noted.quirk, place(noted)));
        read.chain(original.noted.iter().cloned()).collect()
    };
    let tree = &ours.loaded.tree;
    Ok(Telling {
        era: ours.era,
        milestones: derived.state.progress.milestones,
        slices: tree.count_slices(),
        tasks: tree.count_tasks(),
        other: differs.then(|| Other { next: other, why: why() }),
        next,
        problems: ours.loaded.problems.len(),
    })
}

/// Two stops are equal regardless of their messages.
fn is_same(ours: &DispatchOutcome, theirs: &DispatchOutcome) -> bool {
    match (ours, theirs) {
        (DispatchOutcome::Stop { .. }, DispatchOutcome::Stop { .. }) => true,
        (
            DispatchOutcome::Dispatch { .. }
            | DispatchOutcome::Stop { .. }
            | DispatchOutcome::Skip { .. },
            _,
        ) => ours == theirs,
    }
}
