//! Several calls in one message: what a phase forbids is denied, and the rest is done, whoever of them
//! the host asks about first.

use sprag_testkit::model::Step;

use crate::client::Client;
use crate::session::Session;
use crate::workflow;
use crate::world::{PART, World};

/// A file that is made in the message that also leaves the phase which forbids it.
const OTHER: &str = "other.txt";

/// By which phase a call is judged that comes after `workflow_step` in the same message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    /// By the one that the message began in: the host asks about all of it before any of it runs.
    Old,
    /// By the next one: the host asks about each when it is its turn.
    New,
    /// By either: the host asks about one while another runs.
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
    session.must(env.read(PART).is_none(), "what is denied was done");
    let seen = if env.read(OTHER).is_some() { After::New } else { After::Old };
    let what = format!("what follows a step is judged by the {seen:?} phase");
    session.must(after == After::Either || after == seen, &what);
}
