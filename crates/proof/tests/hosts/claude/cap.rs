//! The host accepts eight refusals in a row and overrides the next one: sprag never gets there,
//! however many retries a project configures.

use sprag_testkit::model::{Model, Step};

use super::Claude;
use crate::client::{Client, program};
use crate::process::Process;
use crate::session::{PROMPT, Session};
use crate::world::{PART, World};

/// Two fewer than Claude Code accepts, since other hooks refuse stops too.
const REFUSALS: usize = 6;

#[test]
fn claude_is_let_go_before_its_own_cap() {
    let Some(program) = program::<Claude>("the host's cap") else { return };
    let world = World::guarded();
    let config = world.env.read(".sprag/config.yaml").unwrap();
    world
        .env
        .write(".sprag/config.yaml", format!("{config}limits: {{blocks_without_progress: 20}}\n"));
    let stubborn = vec![Step::says("I am done."); REFUSALS + 1];
    let steps = [vec![Step::uses([Claude::makes(&world, PART, "bad")])], stubborn].concat();
    let count = steps.len();
    let model = Model::start(steps);
    let ended =
        Process::start(Claude::command(&program, &world, &model, PROMPT), Claude::LIMIT).end();
    let session = Session::judged(world, &model, count, ended);
    let log = session.world.person(&["log"]);
    session.must(log.matches("stop.refused").count() == REFUSALS, &log);
    let status = session.world.status();
    let why = status["waits"][0]["why"].to_string();
    session.must(why.contains("refused 6 times"), &why);
}
