//! The hosts' real behaviour, as seen in their payloads: what is no stop, which prompts are no
//! person's, and which session owns a run. The real clients show the same in `scripts/test
//! --hosts`.

use std::sync::Barrier;

use serde_json::{Value, json};
use sprag_hosts::{HOSTS, Host};

use crate::agents::{GUARD, World};
use crate::client::{At, Client};

/// Begins a session that has changed something.
fn at_work<'w>(world: &'w World, host: Host, session: &str) -> Client<'w> {
    world.env.write("code.txt", "start\n");
    let client = Client::new(world, host, session);
    client.begins();
    assert_eq!(client.edits("code.txt", "bad\n"), None);
    client
}

fn with_workflow(config: &str) -> World {
    let world = World::new(config);
    let folder = ".sprag/workflows/two";
    let flow = "name: Two\ncommandName: two\ninitialMessage: Begin.\nphases: [plan.md, do.md]\n";
    world.env.write(format!("{folder}/workflow.yaml"), flow);
    let phase = |id: &str, more: &str| format!("---\nid: {id}\nname: {id}\nemoji: 🔨\n{more}---\n");
    let plan = phase("plan", "tools: {blacklist: ['@edit']}\n");
    world.env.write(format!("{folder}/plan.md"), plan + "Plan it.\n");
    world.env.write(format!("{folder}/do.md"), phase("do", "") + "Do it.\n");
    world
}

fn session(world: &World, file: &str) -> Value {
    let text = world.env.read(format!(".sprag/sessions/{file}.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn spent(world: &World) -> bool {
    world.env.files().iter().any(|file| file.contains("/receipts/"))
}

#[test]
fn a_subagent_and_the_host_s_own_helpers_are_not_the_session() {
    let world = World::trusted(GUARD);
    let before = spent(&world);
    let client = at_work(&world, Host::CLAUDE, "a");
    let said = client.event("SubagentStop", json!({ "agent_id": "x", "agent_type": "Explore" }));
    assert_eq!(said, Value::Null, "a subagent's stop is never refused");
    let said = client.event("SubagentStop", json!({ "agent_id": "y", "agent_type": "" }));
    assert_eq!(said, Value::Null, "nor that of a helper that shortens the conversation");
    assert_eq!(client.stops_with(json!({ "agent_id": "x" })), None, "whatever it is called");
    assert_eq!(spent(&world), before, "nothing was evaluated for any of them");
    let gemini = at_work(&world, Host::GEMINI, "b");
    assert_eq!(gemini.stops_with(json!({ "agent_name": "helper" })), None);
    let copilot = at_work(&world, Host::COPILOT, "c");
    assert_eq!(copilot.event("subagentStop", json!({ "agentName": "x" })), Value::Null);
    assert!(client.stops().is_some(), "the session itself is held");
}

#[test]
fn a_subagent_is_not_judged_by_the_phase_and_still_not_a_person() {
    let world = with_workflow("");
    let client = Client::new(&world, Host::CLAUDE, "a");
    client.begins();
    client.types("/sprag:start two \"it\"");
    let call = |path: &str, more: Value| {
        let file = world.env.project().join(path);
        let mut call = json!({ "tool_name": "Write", "tool_input": { "file_path": file } });
        for (key, value) in more.as_object().unwrap() {
            call[key] = value.clone();
        }
        let said = client.says(At::Tool, call);
        said["hookSpecificOutput"]["permissionDecision"] == "deny"
    };
    assert!(call("code.txt", json!({})));
    assert!(!call("code.txt", json!({ "agent_id": "x" })), "a subagent's own work");
    assert!(call(".sprag/config.yaml", json!({ "agent_id": "x" })), "forbidden to all");
    let shell = json!({ "tool_name": "Bash", "tool_input": { "command": "sprag pause" },
        "agent_id": "x" });
    let said = client.says(At::Tool, shell);
    assert_eq!(said["hookSpecificOutput"]["permissionDecision"], "deny");
}

#[test]
fn what_still_runs_beside_the_agent_is_waited_for_unless_it_is_a_shell() {
    let world = World::trusted(GUARD);
    let task = |kind: &str, status: &str| {
        let task = json!({ "id": "t", "type": kind, "status": status, "description": "d" });
        json!({ "background_tasks": [task] })
    };
    for (at, (kind, status, waits)) in [
        ("subagent", "running", true),
        ("workflow", "running", true),
        ("subagent", "completed", false),
        ("shell", "running", false),
        ("monitor", "running", false),
    ]
    .into_iter()
    .enumerate()
    {
        let client = at_work(&world, Host::CLAUDE, &format!("s{at}"));
        let refused = client.stops_with(task(kind, status)).is_some();
        assert_eq!(refused, !waits, "{kind} {status}");
        let file = session(&world, &client.file());
        assert_eq!((file["guard"].is_null(), &file["idle"]), (waits, &json!(u8::from(refused))));
        client.ends("other");
    }
}

#[test]
fn our_own_refusal_that_comes_back_as_a_prompt_is_no_person() {
    for host in [Host::GEMINI, Host::COPILOT, Host::OPENCODE] {
        let world = World::trusted(GUARD);
        let client = at_work(&world, host, "a");
        let why = client.stops().unwrap();
        client.prompts(&why);
        assert_eq!(
            client.stops().as_deref().and_then(|why| why.lines().last()),
            why.lines().last()
        );
        client.prompts(&why);
        assert_eq!(client.stops(), None, "{host:?}: held, because nothing changed");
        for back in [format!("{why}\nLint as well."), format!("Lint first.\n{why}"), why] {
            client.prompts(&back);
            assert_eq!(client.stops(), None, "{host:?}: our own words change nothing: {back}");
        }
        client.prompts("go on");
        assert!(client.stops().is_some(), "{host:?}: a person spoke");
    }
}

#[test]
fn what_the_host_itself_says_is_no_person() {
    let world = World::trusted(GUARD);
    let client = at_work(&world, Host::CLAUDE, "a");
    client.stops().unwrap();
    client.stops().unwrap();
    assert_eq!(client.stops(), None, "held");
    client.prompts("<task-notification>\n<status>completed</status>");
    assert_eq!(client.stops(), None, "a task ended");
    for source in ["system", "loop_wakeup", "schedule_wakeup", "poll_event"] {
        client.says(At::Prompt, json!({ "prompt": "go on", "source": source }));
        assert_eq!(client.stops(), None, "{source}");
    }
    client.prompts("go on");
    assert!(client.stops().is_some());
}

#[test]
fn parallel_calls_are_all_answered_and_all_noted() {
    let world = World::trusted(GUARD);
    let client = Client::new(&world, Host::CLAUDE, "a");
    client.begins();
    let at_once = Barrier::new(8);
    std::thread::scope(|scope| {
        let calls: Vec<_> = (0..8)
            .map(|at| {
                let (client, at_once) = (&client, &at_once);
                scope.spawn(move || {
                    at_once.wait();
                    client.edits(&format!("part{at}.txt"), "x\n")
                })
            })
            .collect();
        for call in calls {
            assert_eq!(call.join().unwrap(), None);
        }
    });
    assert_eq!(session(&world, "claude-a")["worked"], true);
    assert_eq!(world.env.read(".sprag/trace"), None, "none was allowed undecided");
    let log = world.person(&["log", "-n", "200", "--json"]);
    assert_eq!(log.matches("session.began").count(), 2, "one for each session: {log}");
}

#[test]
fn several_calls_of_one_message_are_judged_before_any_of_them_runs() {
    let world = with_workflow("");
    let client = Client::new(&world, Host::CLAUDE, "a");
    client.begins();
    client.types("/sprag:start two \"it\"");
    let file = json!({ "file_path": world.env.project().join("code.txt") });
    // The host checks the second call before the first has moved the workflow.
    assert_eq!(client.uses("Bash", &json!({ "command": "sprag step next" })), None);
    assert!(client.uses("Write", &file).is_some(), "the phase is still the first one");
    assert!(client.uses("Edit", &file).is_some());
    let stepped = client.with("CLAUDE_CODE_SESSION_ID", "a");
    assert!(stepped.run(&["step", "next"], "").starts_with("✓ Advanced: plan"));
    assert_eq!(stepped.uses("Write", &file), None, "now it is the second");
}

#[test]
fn why_knows_a_tool_by_the_name_it_has_at_the_host_that_drives_the_run() {
    for (host, edits, reads) in [
        (Host::CLAUDE, "Write", "Read"),
        (Host::CODEX, "apply_patch", "Write"),
        (Host::GEMINI, "write_file", "read_file"),
        (Host::COPILOT, "create", "view"),
        (Host::OPENCODE, "write", "read"),
        (Host::PI, "write", "read"),
    ] {
        let world = with_workflow("");
        let client = Client::new(&world, host, "a");
        client.begins();
        client.types("/sprag:start two \"it\"");
        let why = world.person(&["why", edits]);
        assert!(why.contains("is blocked during the plan phase"), "{host:?}: {why}");
        let why = world.person(&["why", reads]);
        assert!(why.contains(&format!("does not block `{reads}`")), "{host:?}: {why}");
        let said = client.types(&format!("/sprag:why {edits}"));
        assert!(said.contains("is blocked during the plan phase"), "{host:?}: {said}");
    }
}

#[test]
fn refusals_stay_below_what_the_host_endures() {
    for host in [Host::CLAUDE, Host::COPILOT] {
        // Whatever limit the project configures.
        let world = World::trusted(&format!("limits: {{blocks_without_progress: 100}}\n{GUARD}"));
        let client = at_work(&world, host, "a");
        let refused = (0..20).take_while(|_| client.stops().is_some()).count();
        assert_eq!((refused, host.refusals()), (6, Some(8)), "{host:?}");
    }
}

#[test]
fn a_session_that_may_only_plan_is_let_go_and_nothing_is_spent() {
    for host in [Host::CLAUDE, Host::CODEX, Host::OPENCODE] {
        let world = World::trusted(GUARD);
        let client = at_work(&world, host, "a");
        for _ in 0..4 {
            assert_eq!(client.stops_with(json!({ "permission_mode": "plan" })), None, "{host:?}");
        }
        assert!(session(&world, &client.file())["guard"].is_null(), "{host:?}");
        assert!(client.stops().is_some(), "{host:?}: out of plan mode it is held");
    }
}

#[test]
fn a_person_s_interrupt_is_no_stop() {
    let world = World::trusted(GUARD);
    let claude = at_work(&world, Host::CLAUDE, "a");
    let call = json!({ "tool_name": "Bash", "tool_input": { "command": "sleep 9" },
        "error": "interrupted", "is_interrupt": true });
    // Claude Code sends no stop after it, and its event about the call changes nothing.
    assert_eq!(claude.event("PostToolUseFailure", call), Value::Null);
    assert!(session(&world, "claude-a")["guard"].is_null());
    let pi = at_work(&world, Host::PI, "b");
    for _ in 0..4 {
        assert_eq!(pi.stops_with(json!({ "outcome": "aborted" })), None);
    }
    assert!(session(&world, "pi-b")["guard"].is_null(), "nothing was spent");
    assert!(pi.stops().is_some(), "its own end is one");
}

#[test]
fn a_foreign_session_is_never_touched() {
    let world = with_workflow(GUARD);
    let mine = Client::new(&world, Host::CLAUDE, "mine");
    mine.begins();
    mine.types("/sprag:start two \"it\"");
    mine.types("/sprag:until false");
    let text = || world.env.read(".sprag/sessions/claude-mine.json");
    let before = text();
    for host in [Host::CLAUDE, Host::CODEX] {
        let other = Client::new(&world, host, "other");
        other.begins();
        let heard = other.prompts("hello")["hookSpecificOutput"]["additionalContext"].clone();
        assert_eq!(heard, Value::Null, "{host:?}: the workflow is not its own");
        assert_eq!(other.uses("Write", &json!({ "file_path": "/x" })), None, "{host:?}: its phase");
        assert_eq!(other.stops(), None, "{host:?}: its until");
        assert!(other.types("/sprag:why").ends_with("Nothing holds this session."));
        other.types("/sprag:until off");
        other.types("/sprag:pause");
        other.ends("other");
    }
    assert_eq!(text(), before, "not a byte of it changed");
    assert!(mine.stops().is_some());
}

#[test]
fn a_run_that_nobody_drives_is_claimed_by_exactly_one_of_many_sessions() {
    for round in 0..4 {
        let world = with_workflow("");
        world.person(&["start", "two", "it"]);
        let at_once = Barrier::new(6);
        std::thread::scope(|scope| {
            for at in 0..6 {
                let (world, at_once) = (&world, &at_once);
                scope.spawn(move || {
                    let host = HOSTS[at % HOSTS.len()];
                    let client = Client::new(world, host, &format!("s{at}"));
                    at_once.wait();
                    client.begins();
                    client.prompts("go");
                });
            }
        });
        let files = world.env.files();
        let sessions = files.iter().filter(|file| file.starts_with(".sprag/sessions/"));
        let drives =
            |file: &&String| world.env.read(file).unwrap().contains("\"runs\": [\n    \"r-");
        let owners = sessions.filter(|file| !file.contains("unclaimed")).filter(drives).count();
        let log = world.person(&["log", "-n", "200", "--json"]);
        let claims = log.matches("run.claimed").count();
        assert!(owners <= 1 && owners == claims, "round {round}: {owners} of {claims} claims");
        // If each saw the others first, none takes it; one that is left alone or named does.
        if owners == 0 {
            let named = Client::new(&world, Host::CLAUDE, "s0").with("SPRAG_SESSION", "claude-s0");
            named.prompts("go on");
            assert!(world.person(&["log", "-n", "200", "--json"]).contains("run.claimed"));
        }
    }
}

#[test]
fn clear_compact_resume_and_fork_keep_what_a_session_answers_for() {
    for source in ["clear", "compact", "resume", "fork"] {
        let world = World::trusted(GUARD);
        world.env.write("code.txt", "start\n");
        let one = Client::new(&world, Host::CLAUDE, "a").with("CLAUDE_PID", "4711");
        one.begins();
        assert_eq!(one.edits("code.txt", "bad\n"), None);
        assert!(one.stops().is_some());
        // A cleared or forked conversation has a new name, the others keep theirs.
        let name = if matches!(source, "clear" | "fork") { "b" } else { "a" };
        if source != "compact" {
            one.ends(if source == "clear" { "clear" } else { "resume" });
        }
        let two = Client::new(&world, Host::CLAUDE, name).with("CLAUDE_PID", "4711");
        let told = two.says(At::Begin, json!({ "source": source }));
        let context = told["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
        assert!(context.contains("`sh test.sh`"), "{source}: it is told again: {context}");
        assert!(two.stops().unwrap().contains("expected good"), "{source}");
        let stranger = Client::new(&world, Host::CLAUDE, "c").with("CLAUDE_PID", "4712");
        stranger.says(At::Begin, json!({ "source": source }));
        assert_eq!(stranger.stops(), None, "{source}: another process inherits nothing");
    }
}

#[test]
fn a_workflow_is_told_again_after_a_compaction_and_goes_with_a_clear() {
    let world = with_workflow("");
    let one = Client::new(&world, Host::CLAUDE, "a").with("CLAUDE_PID", "4711");
    one.begins();
    one.types("/sprag:start two \"it\"");
    assert_eq!(one.event("PreCompact", json!({ "trigger": "auto" })), Value::Null);
    let context = |client: &Client<'_>, source: &str| {
        let told = client.says(At::Begin, json!({ "source": source }));
        told["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned()
    };
    assert!(context(&one, "compact").contains("Plan it."));
    one.ends("clear");
    let two = Client::new(&world, Host::CLAUDE, "b").with("CLAUDE_PID", "4711");
    assert!(context(&two, "clear").contains("Plan it."));
    assert!(two.stops().is_some(), "it drives the run now");
    assert_eq!(one.stops(), None, "and the old name does not");
    two.ends("other");
    assert!(context(&two, "resume").contains("Plan it."), "it takes its run back");
}
