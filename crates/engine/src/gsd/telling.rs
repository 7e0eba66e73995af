use std::path::Path;

use sprag_core::gsd::{
    Count, Decision, Dispatched, Quirk, Reading, derive_as, dispatch, nothing_skipped,
};
use sprag_formats::gsd::{Depth, Noted};

use super::{Era, NoTree, look};

/// What is told of a tree before anything is done with it.
#[derive(Debug)]
pub struct Telling {
    /// Which kind it is.
    pub era: Era,
    /// How many milestones there are, and how many are complete.
    pub milestones: Count,
    /// How many slices all roadmaps have, and how many are done.
    pub slices: Count,
    /// How many tasks all plans have, and how many are done.
    pub tasks: Count,
    /// What comes next.
    pub next: Dispatched,
    /// What the original would do instead, where that is something else.
    pub other: Option<Other>,
    /// What is wrong with it.
    pub problems: usize,
}

/// What the original would do instead.
#[derive(Debug)]
pub struct Other {
    /// Its next.
    pub next: Dispatched,
    /// The quirks that were met, each with its place.
    pub why: Vec<(Quirk, String)>,
}

/// Reads a tree both ways and says what there is.
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

/// Two stops are the same whatever their words.
fn is_same(ours: &Decision, theirs: &Decision) -> bool {
    match (ours, theirs) {
        (Decision::Stop { .. }, Decision::Stop { .. }) => true,
        (Decision::Dispatch { .. } | Decision::Stop { .. } | Decision::Skip { .. }, _) => {
            ours == theirs
        }
    }
}
