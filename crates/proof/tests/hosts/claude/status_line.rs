//! In a terminal, the line below the prompt shows what holds the session.

use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use serde_json::json;
use sprag_testkit::model::{Model, Step};
use sprag_testkit::skip;

use super::{Claude, connected};
use crate::client::{Client, program};
use crate::process::Process;
use crate::session::PROMPT;
use crate::workflow;
use crate::world::World;

const ID: &str = "7b0e4c52-91d3-4f6a-8c2e-0123456789ab";

#[test]
fn claude_shows_what_holds_its_session() {
    let what = "the status line";
    let Some(program) = program::<Claude>(what) else { return };
    if !Path::new("/usr/bin/script").exists() {
        return skip::skip(
            &format!("claude, {what}"),
            "`script` makes its terminal, and is missing",
        );
    }
    let world = workflow::started();
    let model = Model::start([Step::thinks()]);
    Claude::settle(&world, &model);
    Claude::register(&world);
    let line = json!({ "type": "command", "command": format!("{} hook claude statusLine", world.sprag()) });
    world.at_home(".claude/settings.json", &json!({ "statusLine": line }).to_string());
    let screen = world.env.top().join("screen");
    let shell =
        format!("stty cols 120 rows 40; exec '{}' --session-id {ID} '{PROMPT}'", program.display());
    let mut command = connected(world.command(Path::new("/usr/bin/script")), &model);
    command.args(["-q", "-f", "-e", "-c", &shell]).arg(&screen).env("TERM", "xterm-256color");
    let claude = Process::open(command, Claude::LIMIT);
    model.wait_for(1);

    let line = status_line(&world);
    assert!(line.contains("Two"), "{line}");
    let shown = || String::from_utf8_lossy(&std::fs::read(&screen).unwrap()).contains(&line);
    world.env.wait_until("the line is on the screen", shown);
    claude.stop();
}

/// Returns the line that sprag prints for the session.
fn status_line(world: &World) -> String {
    let mut command = world.command(Path::new(world.sprag()));
    command.args(["hook", Claude::NAME, "statusLine"]);
    let mut asked = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let payload = json!({ "session_id": ID, "cwd": world.env.project() }).to_string();
    asked.stdin.take().unwrap().write_all(payload.as_bytes()).unwrap();
    let said = asked.wait_with_output().unwrap().stdout;
    String::from_utf8(said).unwrap().trim().to_owned()
}
