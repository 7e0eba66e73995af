//! Finished tasks that the rules do not know of: rules are asked about each of them before anything
//! else is dispatched, as if it had been a unit of its own.

use super::look::{NextStep, TreeLook, keeps, told};
use super::{Keep, SliceFolder};
use crate::rules::{End, EndedUnit, Following, How};
use crate::{Event, Name, Next, UnitId};

/// The rules' effects for tasks that they let pass on the way.
#[derive(Default)]
pub(super) struct Passed {
    pub(super) keeps: Vec<Keep>,
    pub(super) events: Vec<Event>,
}

impl TreeLook<'_> {
    /// Returns the rules' business with the first task that they do not let pass, if any.
    pub(super) fn owed(&self) -> (Passed, Option<NextStep>) {
        let task = Name::literal("execute-task");
        let mut passed = Passed::default();
        for at in self.unheard() {
            let following = Following::new(task.clone(), at.clone());
            let ended = EndedUnit { kind: task.clone(), how: How::Passed, text: None };
            let Some((decided, after)) = self.hear(&following, Some(&ended)) else { continue };
            let (keeps, events) = (keeps(&at, &decided), told(&task, &at, &decided));
            let next = match &decided.end {
                End::Go { .. } | End::Skip { .. } => {
                    passed.keeps.extend(keeps);
                    passed.events.extend(events);
                    continue;
                }
                End::Ask(asks) => Next::Ask(asks.clone()),
                End::Hold(hold) => Next::Held(hold.clone()),
                End::Rework { .. } => match self.due(after.as_ref()) {
                    Some(next) => next,
                    None => continue,
                },
            };
            let looked = NextStep { following: after, keeps, events, ..NextStep::of(next) };
            return (passed, Some(looked));
        }
        (passed, None)
    }

    /// Returns the finished tasks of the watched slice that the rules were not asked about.
    fn unheard(&self) -> Vec<UnitId> {
        let Some(seen) = &self.run.position().seen else { return Vec::new() };
        let Some((milestone, slice)) = seen.slice.as_str().split_once('/') else {
            return Vec::new();
        };
        let folder = self.definition.tree.slice(milestone, slice);
        let tasks = folder.into_iter().flat_map(SliceFolder::tasks);
        let unheard = tasks.filter(|task| task.is_done() && !seen.done.contains(&task.id));
        unheard
            .filter_map(|task| UnitId::parse(&format!("{}/{}", seen.slice, task.id)).ok())
            .collect()
    }
}
