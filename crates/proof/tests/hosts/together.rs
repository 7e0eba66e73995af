//! Several calls in one message: forbidden ones are denied and the others run, whichever one the
//! host checks first.

use sprag_testkit::model::Step;

use crate::client::Client;
use crate::session::Session;
use crate::workflow;
use crate::world::{PART, World};

/// A file created in the same message that leaves the phase which forbids it.
const OTHER: &str = "other.txt";

/// The phase that judges a call after `workflow_step` in the same message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    /// The phase at the start of the message: the host checks all calls before any of them runs.
    Old,
    /// The next phase: the host checks each call when its turn comes.
    New,
    /// Either: the host checks one call while another runs.
    Either,
}

pub(crate) fn shows<C: Client>(after: After) {
    let steps = |world: &World| {
        vec![
            Step::uses([
                C::shell("echo beside"),
                C::makes(world, PART, "too early"),
                C::step("a plan"),
                C::makes(world, OTHER, "in the same message"),
            ]),
            Step::uses([C::step("all of it")]),
            Step::says("All phases are through."),
        ]
    };
    let Some(session) = Session::of::<C>("calls at once", workflow::started, steps) else { return };
    session.told(1, "beside");
    session.told(1, "is blocked during the plan phase");
    session.told(1, "Advanced: plan → 🔨 build");
    session.told(2, "Two Complete");
    let env = &session.world.env;
    session.must(env.read(PART).is_none(), "a denied call ran");
    let seen = if env.read(OTHER).is_some() { After::New } else { After::Old };
    let what = format!("what follows a step is judged by the {seen:?} phase");
    session.must(after == After::Either || after == seen, &what);
}
