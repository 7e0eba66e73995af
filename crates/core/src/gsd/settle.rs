//! The document changes that the commit of a step makes besides the run itself.
//!
//! This is decided here alone: the engine applies it to the documents, and a test without documents
//! continues with the settled definition.

use std::collections::BTreeMap;

use super::{
    Definition, DispatchOutcome, Gsd, Keep, Position, RuleValues, Tree, dispatch, nothing_skipped,
};
use crate::{Denied, DocPath, Facts, Name, Next, Plain, Run, Signal, UnitId, next, step};

/// The documents that a commit changes, each with the new values for its front matter, in the order
/// of their decisions.
pub type Settled<'r> = BTreeMap<&'r DocPath, Vec<&'r Keep>>;

/// A rule keeps a value with something that has no document.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{rule}` wants to keep something with {at}, which has no document")]
pub struct Homeless {
    pub rule: Name,
    /// The place without a document.
    pub at: UnitId,
}

/// Returns the document changes of the commit that stores `run`.
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

/// Returns a run with its hold recorded, for readers that do not run commands; `None` if there is
/// nothing to record.
pub fn note_hold(
    definition: &Definition,
    run: &Run<Position>,
    facts: &Facts,
) -> Result<Option<Run<Position>>, Denied> {
    let is_idle = run.attempts().is_empty() && !run.is_cancelled();
    if !is_idle || !matches!(next::<Gsd>(definition, run, facts), Next::Held(_)) {
        return Ok(None);
    }
    step::<Gsd>(definition, run, &Signal::Refresh, facts).map(|stepped| Some(stepped.run))
}

impl Definition {
    /// Returns the definition as it reads after the commit.
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

    /// Returns the document and its text if the table skips a unit by writing its artefact.
    pub fn skip_writes(&self) -> Option<(DocPath, String)> {
        match dispatch(&self.tree, &self.state, &nothing_skipped).decision {
            DispatchOutcome::Skip { writes, .. } => writes,
            DispatchOutcome::Dispatch { .. } | DispatchOutcome::Stop { .. } => None,
        }
    }
}

impl Tree {
    /// Returns the values that rules keep in a document.
    fn kept_in(&mut self, home: &DocPath) -> Option<&mut RuleValues> {
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

/// Applies new values of rules; null deletes a value.
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
