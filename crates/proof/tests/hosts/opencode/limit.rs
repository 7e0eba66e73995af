//! A long limit, during which opencode waits silently.

use sprag_testkit::model::{Error, Step};

use super::Opencode;
use crate::client::Client as _;
use crate::driven::{Driven, prepared};
use crate::world::{PART, World};

/// The script of another agent that takes over.
const OTHER: &str = "cat > /dev/null; echo good > part.txt; echo done > RESULT.txt; echo did it\n";

fn long() -> Error {
    let message = "Rate limit reached for scripted. Please try again in 20m0s.";
    let error = serde_json::json!({ "message": message, "code": "rate_limit_exceeded" });
    let headers = vec![("retry-after", "1200".to_owned())];
    Error::limit(headers, serde_json::json!({ "error": error }))
}

#[test]
fn opencode_that_waits_silently_is_ended_and_another_takes_over() {
    let world = || {
        let world = prepared::<Opencode>();
        world.env.write("other.sh", OTHER);
        world
    };
    let steps = |world: &World| {
        let plan = Opencode::makes(world, "PLAN.md", "a plan");
        vec![Step::uses([plan]), Step::says("It is planned."), Step::fails(long)]
    };
    let idle = format!("{}s", Opencode::IDLE.as_secs());
    let more = ["--idle", &idle, "--or", "sh other.sh"];
    let Some(driven) = Driven::of::<Opencode>("a long limit", world, steps, &more) else { return };
    driven.tells(&[
        "attempt.began three/plan",
        "attempt.ended three/plan passed",
        "attempt.began three/build",
        "host.limited",
        "attempt.ended three/build passed",
        "attempt.began three/check",
        "attempt.ended three/check passed",
    ]);
    driven.must(driven.world.env.read(PART).as_deref() == Some("good\n"), "no agent took over");
}
