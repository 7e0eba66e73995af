//! A person's commands to sprag in a session, in each host; and who cannot use them.

use serde_json::json;
use sprag_hosts::{HOSTS, Host, SLASH_BODIES};

use crate::agents::{GUARD, World};
use crate::client::{At, Client};

#[test]
fn until_holds_a_session_that_no_guard_holds_in_every_host() {
    for host in HOSTS {
        let world = World::new("");
        let client = Client::new(&world, host, "a");
        client.begins();
        assert_eq!(client.stops(), None, "{host:?}: nothing holds it");
        let said = client.types("/sprag:until sh test.sh");
        let expected = "sprag: this session ends only when `sh test.sh` passes\n\
                        To end that: /sprag:until off";
        assert!(said.ends_with(expected), "{host:?}: {said}");
        let why = client.stops().unwrap_or_else(|| panic!("{host:?} was allowed to stop"));
        assert!(why.starts_with("Not finished: `sh test.sh` exit 1"), "{host:?}: {why}");
        assert!(why.contains("expected good"), "{host:?}: {why}");
        assert_eq!(client.edits("code.txt", "good\n"), None);
        assert_eq!(client.stops(), None, "{host:?}: it passes");
        assert_eq!(client.edits("code.txt", "bad again\n"), None);
        assert!(client.stops().is_some(), "{host:?}: it is held for what comes after, too");
        let said = client.types("/sprag:until off");
        assert!(said.ends_with("`sh test.sh` does not hold this session any more"), "{said}");
        assert_eq!(client.stops(), None, "{host:?}: it is over");
    }
}

#[test]
fn until_is_shown_replaced_and_beside_the_project_s_own_guard() {
    let world = World::trusted(GUARD);
    let client = Client::new(&world, Host::CLAUDE, "a");
    client.begins();
    client.types("/sprag:until false");
    client.types("/sprag:until test -e done.txt");
    let status = world.person(&["status"]);
    assert!(status.contains("until: test -e done.txt"), "{status}");
    assert!(!status.contains("until: false"), "the second one is in its place: {status}");
    let why = world.person(&["why"]);
    assert!(why.contains("until: test -e done.txt"), "{why}");
    let said = client.types("/sprag:why");
    assert!(said.contains("until: test -e done.txt"), "{said}");
    assert!(said.ends_with("To let it stop now:  /sprag:pause"), "{said}");
    let context = client.prompts("go on");
    let context = context["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(context.contains("ends only when `test -e done.txt` passes"), "{context}");
    client.edits("done.txt", "");
    assert!(client.stops().unwrap().contains("`sh test.sh` exit 1"), "the guard holds as before");
    client.edits("code.txt", "good\n");
    assert_eq!(client.stops(), None);
    let log = world.person(&["log", "-n", "50"]);
    assert!(log.contains("source=un"), "{log}");
}

#[test]
fn until_excuses_neither_an_idle_session_nor_a_failure_from_before() {
    let world = World::trusted(GUARD);
    let before = Client::new(&world, Host::CLAUDE, "before");
    before.begins();
    before.edits("code.txt", "bad\n");
    assert!(before.stops().is_some());
    before.ends("other");
    let client = Client::new(&world, Host::CLAUDE, "a");
    client.begins();
    client.types("/sprag:until sh test.sh");
    assert!(client.stops().unwrap().contains("expected good"));
    client.edits("other.txt", "work\n");
    assert!(client.stops().unwrap().contains("expected good"), "it failed before, and must not");
}

#[test]
fn the_status_line_says_what_failed_and_how_often() {
    let world = World::new("");
    let client = Client::new(&world, Host::CLAUDE, "a");
    let line = || {
        let payload = json!({ "session_id": "a", "cwd": world.env.project() }).to_string();
        client.run(&["hook", "claude", "statusLine"], &payload)
    };
    client.begins();
    assert_eq!(line(), "");
    client.types("/sprag:until sh test.sh");
    assert_eq!(line(), "sprag · until: sh test.sh\n");
    client.stops().unwrap();
    assert_eq!(line(), "sprag · until: sh test.sh · ✗ sh test.sh, retry 1 of 3\n");
    client.stops().unwrap();
    assert_eq!(client.stops(), None, "held");
    assert!(line().starts_with("sprag · needs you: no progress: "), "{}", line());
    client.edits("code.txt", "good\n");
    client.prompts("go on");
    assert_eq!(client.stops(), None);
    assert_eq!(line(), "sprag · until: sh test.sh\n");
}

#[test]
fn a_pause_is_over_when_a_person_says_until() {
    let world = World::new("");
    let client = Client::new(&world, Host::CLAUDE, "a");
    client.begins();
    client.types("/sprag:until sh test.sh");
    assert!(client.types("/sprag:pause").contains("claude-a: free"));
    assert_eq!(client.stops(), None);
    client.types("/sprag:pause off");
    assert!(client.stops().is_some());
    assert!(client.types("/sprag:pause --for 1h a call").contains("claude-a: free until 20"));
    client.types("/sprag:until sh test.sh");
    assert!(client.stops().is_some(), "who is to be held is not free");
}

#[test]
fn until_survives_a_clear_and_a_return() {
    let world = World::new("");
    let one = Client::new(&world, Host::CLAUDE, "a").with("CLAUDE_PID", "4711");
    one.begins();
    one.types("/sprag:until sh test.sh");
    one.ends("clear");
    let two = Client::new(&world, Host::CLAUDE, "b").with("CLAUDE_PID", "4711");
    two.says(At::Begin, json!({ "source": "clear" }));
    assert!(two.stops().is_some(), "the same conversation");
    assert_eq!(one.stops(), None, "and only that");
    two.ends("other");
    two.says(At::Begin, json!({ "source": "resume" }));
    assert!(two.stops().is_some(), "it came back");
}

#[test]
fn start_begins_a_workflow_in_this_session() {
    let world = World::new("");
    let folder = ".sprag/workflows/feature";
    let flow = "name: Feature\ncommandName: feature\ninitialMessage: Begin.\nphases: [plan.md]\n";
    world.env.write(format!("{folder}/workflow.yaml"), flow);
    let phase = "---\nid: plan\nname: plan\nemoji: 🔨\n---\nDo it for {description}.\n";
    world.env.write(format!("{folder}/plan.md"), phase);
    let client = Client::new(&world, Host::CLAUDE, "a");
    client.begins();
    let said = client.prompts("/sprag:start feature \"csv export\"");
    let context = said["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(context.contains("Do it for csv export."), "{context}");
    assert!(said["systemMessage"].as_str().unwrap().starts_with("sprag: started r-"), "{said}");
    assert_eq!(said["decision"], json!(null), "the agent begins at once");
    assert!(client.stops().is_some());
    let said = client.types("/sprag:start nothing \"csv export\"");
    assert!(said.starts_with("sprag: no workflow is called `nothing`"), "{said}");
}

#[test]
fn ok_lets_the_agent_of_a_session_change_what_judges_it_in_every_host() {
    for host in HOSTS {
        let world = World::new("");
        let client = Client::new(&world, host, "a");
        client.begins();
        let file = || {
            let text = world.env.read(format!(".sprag/sessions/{}.json", client.file())).unwrap();
            serde_json::from_str::<serde_json::Value>(&text).unwrap()
        };
        let said = client.types("/sprag:ok");
        assert!(
            said.contains("sprag: no change is in doubt in this session\n"),
            "{host:?}: {said}"
        );
        assert_eq!(file().get("may_change"), None, "{host:?}");
        let said = client.types("/sprag:ok tests spec/");
        let expected = "sprag: the agent of this session may change `tests`, `spec/**`";
        assert!(said.ends_with(expected), "{host:?}: {said}");
        let said = client.types("/sprag:ok *.snap tests");
        assert!(said.ends_with("`tests`, `spec/**`, `*.snap`"), "{host:?}: {said}");
        let said = client.types("/sprag:ok ../x y");
        assert!(said.contains("`../x` is not a pattern"), "{host:?}: {said}");
        assert_eq!(file()["may_change"], json!(["tests", "spec/**", "*.snap"]), "{host:?}");
    }
}

#[test]
fn an_agent_cannot_say_ok_for_a_person() {
    let world = World::new("");
    let client = Client::new(&world, Host::CLAUDE, "a");
    client.begins();
    client.prompts("<task-notification>\n/sprag:ok tests");
    client.prompts("go on\n/sprag:ok tests");
    let told = client.types("/sprag:ok tests\nand go on");
    assert!(told.contains("stands alone"), "{told}");
    let text = world.env.read(format!(".sprag/sessions/{}.json", client.file())).unwrap();
    assert!(!text.contains("may_change"), "{text}");
}

#[test]
fn a_prompt_that_comes_while_a_tool_works_agrees_to_nothing() {
    let world = World::trusted(GUARD);
    let client = Client::new(&world, Host::CLAUDE, "a");
    client.begins();
    client.uses("Bash", &json!({"command": "sh x.sh"}));
    for typed in ["/sprag:ok tests", "/sprag:ok"] {
        let told = client.types(typed);
        assert!(told.starts_with("sprag: a tool of this session is still at work"), "{told}");
    }
    let text = world.env.read(format!(".sprag/sessions/{}.json", client.file())).unwrap();
    assert!(!text.contains("may_change"), "{text}");
    // A stop ends every call, also one whose end the host did not report.
    client.stops();
    assert!(client.types("/sprag:ok tests").contains("may change `tests`"));
}

#[test]
fn what_goes_wrong_is_said_and_changes_nothing() {
    let world = World::new("checks: {run: never}\n");
    let client = Client::new(&world, Host::CLAUDE, "a");
    client.begins();
    for (typed, said) in [
        ("/sprag:until true", "`checks: {run: never}` lets no command run here"),
        ("/sprag:until", "there is no command, so nothing was done"),
        ("/sprag:until a && b", "`&` needs a shell, and there is none, so nothing was done"),
        ("/sprag:pause --for ever", "`ever` is no length of time, so nothing was done"),
        ("/sprag:unknown", "sprag has no command `unknown`, so nothing was done"),
    ] {
        let told = client.types(typed);
        assert!(told.starts_with(&format!("sprag: {said}\n")), "{typed}: {told}");
    }
    assert!(!world.env.home().join(".local/state/sprag/roots").exists());
    let off = World::new("off: true\n");
    let client = Client::new(&off, Host::CLAUDE, "a");
    assert!(client.types("/sprag:until true").contains("`off: true` keeps sprag out"));
    assert!(client.types("/sprag:ok tests").contains("`off: true` keeps sprag out"));
}

#[test]
fn only_a_prompt_of_a_person_that_is_nothing_else_acts() {
    let world = World::trusted(GUARD);
    let own = format!("/sprag:pause\n\n{}; there is no more.\n", SLASH_BODIES[0]);
    for (at, (what, prompt, frees)) in [
        ("a task that ended", json!({ "prompt": "<task-notification>\n/sprag:pause" }), false),
        ("a timer", json!({ "prompt": "/sprag:pause", "source": "schedule_wakeup" }), false),
        ("a subagent", json!({ "prompt": "/sprag:pause", "agent_id": "x" }), false),
        ("pasted text", json!({ "prompt": "This is what I found:\n\n/sprag:pause\n" }), false),
        ("text after it", json!({ "prompt": "/sprag:pause\n\nand all that I pasted" }), false),
        ("a person", json!({ "prompt": "/sprag:pause" }), true),
        ("the text of its file", json!({ "prompt": own }), true),
    ]
    .into_iter()
    .enumerate()
    {
        // A test that already fails at the start of a session does not hold it.
        world.env.write("code.txt", "start\n");
        let client = Client::new(&world, Host::CLAUDE, &format!("s{at}"));
        client.begins();
        client.edits("code.txt", &format!("bad {at}\n"));
        client.says(At::Prompt, prompt);
        assert_eq!(client.stops().is_none(), frees, "{what}");
    }
}

#[test]
fn an_agent_cannot_have_it_said_for_itself() {
    let world = World::trusted(GUARD);
    let client = Client::new(&world, Host::CLAUDE, "a");
    client.begins();
    for (tool, input) in [
        ("ScheduleWakeup", json!({ "delaySeconds": 60, "prompt": "/sprag:pause" })),
        ("CronCreate", json!({ "cron": "* * * * *", "prompt": " /sprag:until off" })),
        ("SendMessage", json!({ "to": "self", "message": "/sprag:pause" })),
    ] {
        let why = client.uses(tool, &input).unwrap_or_else(|| panic!("{tool} may"));
        assert_eq!(why, "commands that begin with `/sprag:` are a person's to type");
    }
    let asks = json!({ "description": "x", "prompt": "explain what /sprag:pause does" });
    assert_eq!(client.uses("Agent", &asks), None, "speaking of it is no command");
}

#[test]
fn our_own_refusal_coming_back_is_no_command() {
    // No refusal begins with the gate's name, but the text of that name is up to the agent.
    let world = World::new("");
    let client = Client::new(&world, Host::GEMINI, "a");
    client.begins();
    client.types("/sprag:until sh test.sh");
    let why = client.stops().unwrap();
    client.prompts(&why);
    let session = world.env.read(".sprag/sessions/gemini-a.json").unwrap();
    let hash = sprag_core::Hash::of("/sprag:pause").to_string();
    let refusal = sprag_core::Hash::of(why.trim()).to_string();
    let bytes = |of: &str| format!("\"refusal_bytes\": {}", of.trim().len());
    let session = session.replace(&refusal, &hash).replace(&bytes(&why), &bytes("/sprag:pause"));
    // The journal knows what it wrote, so the edited record is another session's.
    world.env.write(".sprag/sessions/gemini-b.json", session);
    let client = Client::new(&world, Host::GEMINI, "b");
    client.prompts("/sprag:pause");
    let session = world.env.read(".sprag/sessions/gemini-b.json").unwrap();
    assert!(!session.contains("paused"), "these were the words that it was refused with");
}
