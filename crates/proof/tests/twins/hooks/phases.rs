//! A workflow in a session: its phases, their tools and gates, and a person's approval.

use crate::player::Player;
use crate::session::{Host, Session};
use crate::twin::twin;

/// Creates a workflow whose first phase forbids edits, whose second has a gate, and whose third
/// asks a person.
fn workflow(play: &mut Player) {
    play.repository("");
    let phases = [
        ("plan", "tools: {blacklist: ['@edit']}\n"),
        ("build", "gates: [{run: sh test.sh}]\n"),
        ("ship", "gates: [{human: may it ship?}]\n"),
    ];
    play.workflow(".sprag", "feature", &phases);
    play.commits("workflow");
}

/// Drives the workflow from its first phase to its end.
fn is_driven(play: &mut Player, host: Host) {
    workflow(play);
    let mut session = Session::anew(host, "a");
    session.begins(play);
    session.types(play, "/sprag:start feature \"csv export\"");
    session.hears(play, "go");
    session.edits(play, "code.txt", "bad\n");
    session.stops(play);
    play.set("SPRAG_SESSION", &session.file());
    play.types(&["step", "status"]).exits(0);
    play.types(&["step", "next", "--summary", "a plan"]).exits(0).says("Advanced");
    play.unset("SPRAG_SESSION");
    session.edits(play, "code.txt", "bad\n");
    session.stops(play);
    play.types(&["approve"]).exits(0);
    session.stops(play);
    play.set("SPRAG_SESSION", &session.file());
    play.types(&["step", "next"]).exits(1);
    session.edits(play, "code.txt", "good\n");
    play.types(&["step", "next"]).exits(0).says("ship");
    play.types(&["step", "next"]).exits(3);
    play.unset("SPRAG_SESSION");
    session.stops(play);
    play.types(&["status"]).exits(0).says("may it ship?");
    play.types(&["approve"]).exits(0);
    session.stops(play);
    session.ends(play, "other");
    play.looks();
}

#[test]
fn claude_is_driven_to_the_end() {
    twin(|play| is_driven(play, Host::Claude));
}

#[test]
fn codex_is_driven_to_the_end() {
    twin(|play| is_driven(play, Host::Codex));
}

#[test]
fn gemini_is_driven_to_the_end() {
    twin(|play| is_driven(play, Host::Gemini));
}

#[test]
fn copilot_is_driven_to_the_end() {
    twin(|play| is_driven(play, Host::Copilot));
}

#[test]
fn opencode_is_driven_to_the_end() {
    twin(|play| is_driven(play, Host::Opencode));
}

#[test]
fn pi_is_driven_to_the_end_by_its_own_command() {
    twin(|play| {
        play.repository("v: 1\n");
        let phases =
            [("plan", "tools: {blacklist: [edit]}\n"), ("build", "gates: [{run: sh test.sh}]\n")];
        play.workflow(".pi", "dev", &phases);
        play.commits("workflow");
        let mut pi = Session::anew(Host::Pi, "tree-1");
        let step = |pi: &mut Session, play: &mut Player, action: &str| {
            pi.event(play, "step", serde_json::json!({ "action": action }));
            pi.event(play, "turn_end", serde_json::json!({}));
        };
        pi.begins(play);
        pi.types(play, "/workflow dev csv export");
        pi.hears(play, "go");
        pi.uses(play, "edit", &serde_json::json!({ "path": "code.txt" }));
        pi.stops(play);
        for action in ["status", "cancel", "next", "next"] {
            step(&mut pi, play, action);
        }
        play.types(&["approve"]).exits(0);
        pi.stops(play);
        play.write("code.txt", "good\n");
        step(&mut pi, play, "next");
        pi.stops(play);
        step(&mut pi, play, "next");
        pi.ends(play, "quit");
        play.looks();
    });
}

#[test]
fn a_loop_a_cancel_and_a_second_workflow() {
    twin(|play| {
        workflow(play);
        let mut session = Session::new(play, Host::Claude, "a");
        session.begins(play);
        play.agent_types("a", &["start", "feature", "one"]).exits(0);
        session.stops(play);
        play.agent_types("a", &["step", "next"]).exits(0);
        play.agent_types("a", &["step", "loop"]);
        play.agent_types("a", &["step", "cancel"]).exits(3);
        play.agent_types("a", &["start", "feature", "two"]);
        play.types(&["why", "Write"]).exits(0);
        play.types(&["why", "K0005"]).exits(0);
        play.types(&["pause"]);
        session.stops(play);
        play.types(&["resume"]);
        session.stops(play);
        let run = play.run();
        play.types(&["cancel", &run]).exits(0);
        session.stops(play);
        play.types(&["step", "status"]);
        session.ends(play, "other");
        play.looks();
    });
}

#[test]
fn a_model_context_client_steps_and_asks() {
    twin(|play| {
        workflow(play);
        play.types(&["start", "feature", "it"]).exits(0);
        let mut lines = String::new();
        let call = |name: &str, arguments: &str| {
            format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"{name}\",\
                 \"arguments\":{arguments}}}}}\n"
            )
        };
        lines.push_str("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{}}\n");
        lines.push_str(&call("sprag_status", "{}"));
        lines.push_str(&call("sprag_why", "{}"));
        lines.push_str(&call("workflow_step", "{\"action\":\"status\"}"));
        lines.push_str(&call("workflow_step", "{\"action\":\"next\"}"));
        lines.push_str(&call("workflow_step", "{\"action\":\"next\"}"));
        play.gives(&["mcp"], &lines).exits(0);
        play.types(&["status"]).exits(0);
    });
}
