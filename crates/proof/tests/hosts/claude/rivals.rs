//! Two sessions begin at once where a run waits for one: exactly one drives it, the other is free.

use sprag_testkit::model::{Model, Step};

use super::Claude;
use crate::client::{Client, program};
use crate::process::Process;
use crate::session::{PROMPT, Session};
use crate::workflow;

/// The number of steps of the held session, and of the free one up to its end.
const HELD: usize = 5;
const FREE: usize = 2;

#[test]
fn claude_twice_at_once_claims_a_run_once() {
    let Some(program) = program::<Claude>("two at once") else { return };
    let world = workflow::started();
    let model = |name: &str| {
        Model::start([
            Step::uses([Claude::makes(&world, name, "made")]),
            Step::says("I am done."),
            Step::uses([Claude::step("a plan")]),
            Step::uses([Claude::step("all of it")]),
            Step::says("All phases are through."),
        ])
    };
    let models = [model("one.txt"), model("two.txt")];
    let commands = models.each_ref().map(|model| Claude::command(&program, &world, model, PROMPT));
    let running = commands.map(|command| Process::start(command, Claude::LIMIT));
    let [one, two] = running.map(Process::end);

    let holds_one = models[0].heard().len() > models[1].heard().len();
    let [first, second] = if holds_one { [HELD, FREE] } else { [FREE, HELD] };
    let one = Session::judged(world, &models[0], first, one);
    let free_is_told = |session: &Session| session.says("Workflow path");
    one.must(free_is_told(&one) == holds_one, "the free one learns of the run");
    let made = [one.world.env.read("one.txt"), one.world.env.read("two.txt")];
    one.must(made.map(|made| made.is_some()) == [!holds_one, holds_one], "who was held?");
    let two = Session::judged(one.world, &models[1], second, two);
    two.must(free_is_told(&two) != holds_one, "the free one learns of the run");
    let log = two.world.person(&["log"]);
    two.must(log.matches("run.claimed").count() == 1, &log);
    two.must(log.matches("stop.refused").count() == 1, &log);
}
