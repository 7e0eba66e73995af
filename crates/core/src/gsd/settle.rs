//! What the commit of a step writes into the documents of a tree, beside the run itself.
//!
//! It is decided here alone: the engine lays it over the documents, and a test that has none goes on
//! with the definition as it is read afterwards.

use std::collections::BTreeMap;

use super::{Decision, Definition, Gsd, Keep, Kept, Position, Tree, dispatch, nothing_skipped};
use crate::{Denied, DocPath, Facts, Name, Next, Plain, Run, Signal, UnitId, next, step};

/// The documents that a commit changes, each with what rules keep in its front matter from now on,
/// in the order in which that was decided.
pub type Settled<'r> = BTreeMap<&'r DocPath, Vec<&'r Keep>>;

/// A rule keeps something with what has no document.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{rule}` wants to keep something with {at}, which has no document")]
pub struct Homeless {
    /// Which rule.
    pub rule: Name,
    /// With what.
    pub at: UnitId,
}

/// Returns what the commit writes that `run` is the outcome of.
pub fn settle<'r>(
    definition: &'r Definition,
    run: &'r Run<Position>,
) -> Result<Settled<'r>, Homeless> {
    let mut settled = Settled::new();
    for keep in &run.position().keeps {
        let Keep { at, rule, .. } = keep;
        let home = definition.state.home(at);
        let home = home.ok_or_else(|| Homeless { rule: rule.clone(), at: at.clone() })?;
        settled.entry(home).or_default().push(keep);
    }
    Ok(settled)
}

/// Returns a run that remembers what holds it, for those who look and ask no command; nothing where
/// it has nothing to remember.
pub fn note_hold(
    definition: &Definition,
    run: &Run<Position>,
    facts: &Facts,
) -> Result<Option<Run<Position>>, Denied> {
    let is_idle = run.attempts().is_empty() && !run.is_cancelled();
    if !is_idle || !matches!(next::<Gsd>(definition, run, facts), Next::Held(_)) {
        return Ok(None);
    }
    step::<Gsd>(definition, run, &Signal::Look, facts).map(|stepped| Some(stepped.run))
}

impl Definition {
    /// Returns the definition as it is read once a commit is done.
    #[must_use]
    pub fn settled(&self, settled: &Settled<'_>) -> Self {
        let mut tree = self.tree.clone();
        for (home, keeps) in settled {
            if let Some(kept) = tree.kept_in(home) {
                lay(&mut kept.values, keeps);
            }
        }
        Self::new(tree, self.rules.clone())
    }

    /// Returns the document and its text where the table skips a unit by writing what it would leave.
    pub fn skip_writes(&self) -> Option<(DocPath, String)> {
        match dispatch(&self.tree, &self.state, &nothing_skipped).decision {
            Decision::Skip { writes, .. } => writes,
            Decision::Dispatch { .. } | Decision::Stop { .. } => None,
        }
    }
}

impl Tree {
    /// Returns what rules keep in a document.
    fn kept_in(&mut self, home: &DocPath) -> Option<&mut Kept> {
        let all = self.milestones.iter_mut().flat_map(|milestone| {
            let slices = milestone.slices.iter_mut().flat_map(|slice| {
                let plan = slice.plan.iter_mut().flat_map(|plan| &mut plan.tasks);
                slice.kept.iter_mut().chain(plan.filter_map(|task| task.kept.as_mut()))
            });
            milestone.kept.iter_mut().chain(slices)
        });
        all.into_iter().find(|kept| kept.home == *home)
    }
}

/// Lays what rules keep over what they kept; nothing in its place forgets it.
fn lay(values: &mut Vec<(String, Plain)>, keeps: &[&Keep]) {
    for Keep { rule, value, .. } in keeps {
        let known = values.iter_mut().find(|(name, _)| name == rule.as_str());
        match (known, value) {
            (_, Plain::Null) => values.retain(|(name, _)| name != rule.as_str()),
            (Some((_, known)), value) => known.clone_from(value),
            (None, value) => values.push((rule.to_string(), value.clone())),
        }
    }
}
