//! A host that no other code knows is decoded, answered, started without a person and installed.
//! This file is all that it needs; `docs/adding-a-host.md` has the same steps for a real host.
#![expect(clippy::unwrap_used, reason = "helpers of tests are tests, though clippy cannot tell")]

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt as _;

use sprag_core::EffectId;
use sprag_engine::attach::HookEnv;
use sprag_engine::engine::Engine;
use sprag_engine::hooks::{Beginning, ToolUse};
use sprag_engine::init::hosts::HostState;
use sprag_engine::init::plan::{InitPlan, InitRequest};
use sprag_engine::stop::{StopAnswer, Stopping};
use sprag_hosts::headless::{OutputEvent, StartCommand, StartOptions};
use sprag_hosts::install::{Component, FileSpec, Scope, SettingsLayout, Slash};
use sprag_hosts::row::{
    CommandField, ContextField, DenyField, EntryLayout, Headless, Hooks, HostRow, Install,
    JsonLine, Payload, ReplyFormat, ServerFormat, SessionVariable, StreamState, TimeUnit, Variable,
    Variables, denied, named,
};
use sprag_hosts::{
    Ability, Class, Grade, HookCall, HookEvent, Host, HostAnswer, Limit, NotUnderstood, Reply,
    Setting, session_file,
};
use sprag_run::agent::{AgentKind, Exit, Job, Limits, StopHandle, work};
use sprag_store::Place;
use sprag_testkit::TestEnv;

// The row: names, marks and limits.

const TOY: Host = Host::of(&ROW);

static HOSTS: [Host; 1] = [TOY];

const ROW: HostRow = HostRow {
    name: "toy",
    observed: "0.1.0",
    refusals: Some(8),
    settings: &[Setting::project(".toy/hooks.json")],
    tools: &[(Class::Edit, &["scribble"]), (Class::Shell, &["type"])],
    counterparts: &[("write", &["scribble"]), ("bash", &["type"])],
    served: &[("", "_")],
    limits: &[Limit::never(Ability::StatusLine, "the toy asks for no status line")],
    variables: Variables {
        marks: &["TOY_SESSION"],
        session: SessionVariable::Id(Variable {
            name: "TOY_SESSION",
            meaning: "The same, as the toy says it.",
        }),
        others: &[],
    },
    hooks: Hooks { decode, room },
    headless: Headless { start, read, read_log: None, local_times: false },
    install: INSTALL,
};

// The hooks: its own names for events, and its own fields for answers.

fn decode(host: Host, event: &str, payload: Payload) -> Result<HookEvent, NotUnderstood> {
    let name = match event {
        "awake" => "SessionStart",
        "asked" => "UserPromptSubmit",
        "reaches" => "PreToolUse",
        "rests" => "Stop",
        "asleep" => "SessionEnd",
        other => other,
    };
    named(host, name, payload)
}

fn room(happening: &HookEvent) -> ReplyFormat {
    let (context, no) = match happening {
        HookEvent::SessionStart { .. } | HookEvent::Prompt { .. } => {
            (ContextField::Flat, DenyField::Never)
        }
        HookEvent::BeforeTool(_) | HookEvent::Stop { .. } => {
            (ContextField::Nowhere, DenyField::Decision("no"))
        }
        HookEvent::AfterTool { .. }
        | HookEvent::SubagentStop
        | HookEvent::SessionEnd { .. }
        | HookEvent::PreCompact
        | HookEvent::Notification { .. }
        | HookEvent::StopFailure { .. }
        | HookEvent::StatusLine
        | HookEvent::Ignored { .. } => return ReplyFormat::Nothing,
    };
    ReplyFormat::Fields { context, no, person: false }
}

// Headless: the command that starts it, and the lines that it prints.

fn start(host: Host, wish: &StartOptions<'_>) -> StartCommand {
    let mut start = StartCommand::of(host, &["--alone"], wish);
    start.lists("--without=", &denied(host, wish.deny));
    start.word(wish.resume.map(|id| format!("--again={id}")));
    start.extra(wish)
}

fn read(line: &JsonLine, state: &mut StreamState) {
    match line.kind() {
        "hello" => state.session(line.text("id")),
        "says" => state.text(line.text("text").unwrap_or_default()),
        "does" => state.tool(line.text("tool"), line.about("input")),
        _ => {}
    }
}

// Installation: its files, and our parts of them.

const FILES: &[FileSpec] =
    &[FileSpec::project(".toy/hooks.json", &[Component::Entries, Component::Server]), WHY];

const WHY: FileSpec = FileSpec::project(".toy/commands/why.txt", &[Component::Command(Slash::Why)]);

const INSTALL: Install = Install {
    personal: FILES,
    shared: FILES,
    moved: &[],
    layout: Some(&LAYOUT),
    bridge: None,
    server: ServerFormat::Json { kind: None, lists_tools: false },
    command: Some(command),
    ignore: "*\n",
    asks_for_trust: false,
    both_refuse: "if both refuse, the agent hears both",
};

const LAYOUT: SettingsLayout = SettingsLayout {
    personal: Setting::project(".toy/hooks.json"),
    shared: Setting::project(".toy/hooks.json"),
    read: &[Setting::project(".toy/hooks.json")],
    review: None,
    events: &["awake", "asked", "reaches", "rests", "asleep"],
    stop: "rests",
    switch: Some((&["off"], true)),
    layout: EntryLayout::Flat,
    unit: TimeUnit::Seconds("patience"),
    head: None,
    label: None,
    command: CommandField::Shell("do"),
    other_stop: None,
    plugins: None,
    reads_folder: false,
    also_reads: &[],
};

fn command(slash: Slash) -> String {
    slash.body("{rest}")
}

// The test.

fn heard(event: &str, more: &str) -> HookCall {
    let payload =
        format!(r#"{{"session_id": "s-1", "cwd": "/p", "hook_event_name": "{event}"{more}}}"#);
    TOY.decode(payload.as_bytes(), None).unwrap()
}

fn answer(call: &HookCall, reply: impl Into<Reply>) -> String {
    TOY.encode(call, &reply.into()).stdout
}

#[test]
fn a_new_host_s_events_are_decoded_and_answered_in_its_own_words() {
    assert!(matches!(heard("awake", "").happening, HookEvent::SessionStart { .. }));
    let call = heard("reaches", r#", "tool_name": "scribble", "tool_input": {"path": "a.rs"}"#);
    let HookEvent::BeforeTool(tool) = &call.happening else { panic!("{call:?}") };
    assert_eq!((tool.class, tool.writes()), (Class::Edit, &["a.rs".to_owned()][..]));
    let policed = sprag_hosts::policed(TOY, tool);
    assert_eq!(policed.also, ["@edit", "write"]);
    let why = || "no edits now".to_owned();
    let no = "{\"decision\":\"no\",\"reason\":\"no edits now\"}\n";
    assert_eq!(answer(&call, HostAnswer::Deny { why: why() }), no);
    assert_eq!(answer(&heard("rests", ""), HostAnswer::Refuse { why: why() }), no);
    let context = answer(&heard("asked", r#", "prompt": "hi""#), HostAnswer::Context(why()));
    assert_eq!(context, "{\"additionalContext\":\"no edits now\"}\n");
    assert_eq!(answer(&heard("asleep", ""), HostAnswer::Refuse { why: why() }), "");
    assert_eq!((TOY.grade(Ability::StatusLine), TOY.refusals()), (Grade::Impossible, Some(8)));
}

/// A person's environment, with a program of the host on the search path. The program answers to
/// `--version`; otherwise it writes its words and its input beside itself, and prints three lines.
fn person(env: &TestEnv) -> Vec<(OsString, OsString)> {
    let said = [
        r#"{"type": "hello", "id": "t-7"}"#,
        r#"{"type": "does", "tool": "scribble", "input": {"path": "a.rs"}}"#,
        r#"{"type": "says", "text": "I am done."}"#,
    ];
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && exec echo toy 0.1.0\n\
         here=${{0%/*}}; echo \"$*\" > $here/words; cat > $here/input\ncat <<'END'\n{}\nEND\n",
        said.join("\n")
    );
    env.write("bin/toy", script);
    let program = env.project().join("bin/toy");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/local/bin:/usr/bin:/bin", env.project().join("bin").display());
    vec![("PATH".into(), path.into()), ("HOME".into(), env.home().into())]
}

#[test]
fn a_new_host_is_started_without_a_person() {
    let env = TestEnv::new();
    let job = Job {
        kind: AgentKind::Host(TOY),
        prompt: "do it\n".to_owned(),
        folder: env.project(),
        person: person(&env),
        environment: Vec::new(),
        effect: EffectId::parse(&format!("toy-host-{}", std::process::id())).unwrap(),
        resume: Some("t-6".to_owned()),
        limits: Limits::default(),
        deny: vec!["@shell".to_owned()],
        extra: vec!["--fast".to_owned()],
    };
    let mut heard = Vec::new();
    let end = work(&job, &StopHandle::new().unwrap(), &mut |one| heard.push(one.clone()));
    assert_eq!((&end.exit, end.said.as_str()), (&Ok(Exit::Code(0)), "I am done."), "{end:?}");
    assert_eq!(end.session.as_deref(), Some("t-7"));
    let tool = OutputEvent::Tool { name: "scribble".to_owned(), about: "a.rs".to_owned() };
    assert!(heard.contains(&tool), "{heard:?}");
    assert_eq!(env.read("bin/words").unwrap(), "--alone --without=type --again=t-6 --fast\n");
    assert_eq!(env.read("bin/input").unwrap(), "do it\n");
}

fn only(engine: &Engine<'_>) -> HostState {
    let mut hosts = engine.hosts();
    assert_eq!(hosts.len(), 1, "{hosts:?}");
    hosts.remove(0)
}

/// Stops the session as the host would, and returns what the host reads.
fn stop(engine: &Engine<'_>, call: &HookCall) -> String {
    let session = session_file(call.host, call.session.as_ref().unwrap());
    let told = HookEnv { run: None, agent: None, named: false };
    let stopping = Stopping { cap: call.host.refusals(), told, said: None };
    match engine.stop(&session, stopping).unwrap() {
        StopAnswer::Allow { .. } => answer(call, Reply::default()),
        StopAnswer::Refuse { message, .. } => answer(call, HostAnswer::Refuse { why: message }),
    }
}

#[test]
fn a_new_host_is_installed_held_shown_and_removed_without_a_change_of_the_engine() {
    let env = TestEnv::new();
    let (person, place) = (person(&env), Place::of(env.project()));
    let engine = Engine::open(&place, &person).unwrap().with_hosts(&HOSTS);
    let before = only(&engine);
    assert_eq!((before.host, &before.file, before.missing.len()), (TOY, &None, 5));
    assert_eq!(before.program.unwrap().version.as_deref(), Some("0.1.0"));

    let check = ["grep", "-q", "good", "code.txt"].map(str::to_owned).to_vec();
    let wish = InitRequest {
        gates: &[check],
        hosts: &[],
        scope: Scope::Personal,
        program: "sprag",
        switch: false,
    };
    let plan = InitPlan::make(&engine, &wish).unwrap();
    let applied = engine.apply(&plan, "person");
    assert_eq!(applied.failed, None, "{applied:?}");
    let settings = env.read(".toy/hooks.json").unwrap();
    assert!(settings.contains("sprag hook toy rests; fi"), "{settings}");
    assert!(env.read(".toy/commands/why.txt").unwrap().contains("/sprag:why {rest}"));
    let shown = only(&engine);
    assert_eq!((shown.file.as_deref(), shown.missing.len()), (Some(".toy/hooks.json"), 0));
    assert_eq!(shown.lacks(Ability::Stops), None);

    let begins = heard("awake", "");
    let session = session_file(TOY, begins.session.as_ref().unwrap());
    let told = HookEnv { run: None, agent: None, named: false };
    engine.session_begins(&session, Beginning::Plain, None, told).unwrap();
    let edit = r#", "tool_name": "scribble", "tool_input": {"path": "code.txt"}"#;
    let HookEvent::BeforeTool(tool) = heard("reaches", edit).happening else { panic!() };
    let call = &sprag_hosts::policed(TOY, &tool);
    let using = ToolUse { call, changes: true, writes: &[], subagent: false };
    assert_eq!(engine.before_tool(&session, &using).unwrap(), None);
    engine.tool_began(&session, tool.id.as_deref());
    env.write("code.txt", "bad\n");
    let refused = stop(&engine, &heard("rests", ""));
    assert!(refused.starts_with("{\"decision\":\"no\",") && refused.contains("grep"), "{refused}");
    env.write("code.txt", "good\n");
    assert_eq!(stop(&engine, &heard("rests", "")), "");
    assert_eq!(only(&engine).sessions[0].0, "toy-s-1");

    env.write(".toy/hooks.json", settings.replacen('{', "{\n  \"off\": true,", 1));
    let lacks = only(&engine).lacks(Ability::Stops).unwrap();
    assert!(lacks.starts_with("`off: true` in .toy/hooks.json turns all"), "{lacks}");
    env.write(".toy/hooks.json", settings);
    let undoing = engine.undoing(Scope::Shared).unwrap();
    engine.undo(&undoing, "person");
    assert_eq!((env.read(".toy/hooks.json"), only(&engine).file), (None, None));
}
