//! Finds the agent for the next unit in a pull request's loop.

use sprag_core::pr::{Pr, TurnRole};
use sprag_core::{Facts, Hash, Machine as _, Next, RunId};
use sprag_world::clock;

use super::PrRun;
use crate::engine::{Engine, EngineError};
use crate::open_run::OpenRun;

impl Engine<'_> {
    /// Returns the agent that a loop names for its next or open unit. `None` if there is no such
    /// unit, or for any other run.
    pub fn review_named(&self, run: &RunId) -> Result<Option<(TurnRole, String)>, EngineError> {
        let now = clock::now();
        self.look(|view| {
            let case = OpenRun::open(self.kinds, view, run)?;
            let Some(held) = case.run.live.of::<PrRun>() else { return Ok(None) };
            let over = case.run.header.ended.is_some() || case.run.live.is_cancelled();
            if over || case.run.live.standing_hold(now).is_some() {
                return Ok(None);
            }
            // The next unit does not depend on the files.
            let facts = Facts::new(now, view.seq(), Hash::of(""));
            let Next::Units(units) = Pr::next(&held.definition, &held.run, &facts) else {
                return Ok(None);
            };
            let role = units.first().and_then(|unit| unit.role.as_ref());
            let is_role = |part: &TurnRole| role.is_some_and(|role| role.as_str() == part.as_str());
            let known = held.definition.metadata.known();
            let review_loop = known.and_then(|known| known.review_loop.as_ref());
            Ok(TurnRole::ALL.into_iter().find(is_role).and_then(|part| {
                let name = review_loop.and_then(|review_loop| review_loop.agent(part));
                name.map(|name| (part, name.to_owned()))
            }))
        })
    }
}
