//! The moves of a workflow: to the next phase, back to the first, into and out of others.

use super::{Definitions, OrderEntry, Position, Segment};

/// A step forward.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advanced {
    /// The name of the entry before the step.
    pub from: String,
    /// The name of the entry after the step; `None` at the end.
    pub to: Option<String>,
    pub position: Position,
}

/// A step back to the first entry of the innermost workflow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Looped {
    /// The name of the entry after the step.
    pub to: String,
    pub position: Position,
}

/// Why there is no step back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoLoop {
    /// The workflow disables loops.
    #[error("Looping is disabled for this workflow.")]
    Disabled,
    /// The workflow no longer exists.
    #[error("The workflow definition is no longer available.")]
    Missing,
}

/// Returns the position at the start of a workflow.
pub fn start(definitions: &Definitions, key: &str) -> Position {
    let mut path = vec![Segment::new(key.to_owned(), 0)];
    enter(definitions, &mut path);
    Position { path, steps: 0, done: false, review: None }
}

/// Returns the step to the next phase; `None` if the position is invalid.
pub fn advance(definitions: &Definitions, from: &Position) -> Option<Advanced> {
    let entry = entry_at(definitions, &from.path)?;
    let mut to = from.clone();
    to.steps += 1;
    to.review = None;
    let known = match entry {
        // The position is before another workflow: enter it.
        OrderEntry::Workflow(target) => {
            to.path.push(Segment::new(target.clone(), 0));
            definitions.get(target).is_some()
        }
        OrderEntry::Phase(_) => after(definitions, &mut to.path),
    };
    if known {
        enter(definitions, &mut to.path);
    }
    to.done = !known;
    let name = entry_at(definitions, &to.path).filter(|_| known);
    Some(Advanced {
        from: definitions.name_of(entry).to_owned(),
        to: name.map(|entry| definitions.name_of(entry).to_owned()),
        position: to,
    })
}

/// Returns the step back to the first entry of the innermost workflow.
pub fn back(definitions: &Definitions, from: &Position) -> Result<Looped, NoLoop> {
    let scope =
        from.path.last().and_then(|top| definitions.get(&top.key)).ok_or(NoLoop::Missing)?;
    if scope.loopable == Some(false) {
        return Err(NoLoop::Disabled);
    }
    let mut position = from.clone();
    position.steps += 1;
    position.review = None;
    if let Some(top) = position.path.last_mut() {
        top.index = 0;
    }
    enter(definitions, &mut position.path);
    let entry = entry_at(definitions, &position.path).ok_or(NoLoop::Missing)?;
    Ok(Looped { to: definitions.name_of(entry).to_owned(), position })
}

/// Moves to the entry after the innermost one, leaving every workflow that ends there; returns
/// whether there is one.
fn after(definitions: &Definitions, path: &mut Vec<Segment>) -> bool {
    let outermost = path.len() == 1;
    loop {
        let last = path.len() == 1;
        let Some(top) = path.last_mut() else { return false };
        // The original leaves the index of a plain workflow on its last phase.
        let Some(scope) = definitions.get(&top.key) else { return false };
        if scope.entry(top.index.saturating_add(1)).is_some() {
            top.index += 1;
            return true;
        }
        if last {
            if !outermost {
                top.index += 1;
            }
            return false;
        }
        path.pop();
    }
}

/// Enters other workflows while the innermost entry is one.
pub(super) fn enter(definitions: &Definitions, path: &mut Vec<Segment>) {
    while let Some(OrderEntry::Workflow(target)) = entry_at(definitions, path) {
        // A workflow inside itself would never end; the loader rejects such workflows.
        if definitions.get(target).is_none() || path.iter().any(|above| above.key == *target) {
            return;
        }
        path.push(Segment::new(target.clone(), 0));
    }
}

/// Returns the innermost entry.
pub(super) fn entry_at<'d>(
    definitions: &'d Definitions,
    path: &[Segment],
) -> Option<&'d OrderEntry> {
    let top = path.last()?;
    definitions.get(&top.key)?.entry(top.index)
}
