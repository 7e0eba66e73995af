//! `sprag hook`: the calls of hosts. An error never blocks a session, and is never silent.

use crate::support::{project, sprag};

const PAYLOAD: &str = "{\"session_id\":\"s1\",\"cwd\":\"/\",\"hook_event_name\":\"Stop\"}";

#[test]
fn outside_a_project_nothing_happens() {
    let test =
        sprag().folder("src").at("src").stdin(PAYLOAD).run(["hook", "claude", "Stop"]).exit(0);
    assert_eq!(test.env.files(), Vec::<String>::new());
}

#[test]
fn in_a_project_it_lets_go_and_leaves_a_trace() {
    let test = project().file(".sprag/config.yaml", "off: 3\n");
    let (said, test) = test.stdin(PAYLOAD).run(["hook", "claude", "Stop"]).output();
    let told = "{\"systemMessage\":\"sprag: let go: .sprag/config.yaml:1:6: expected";
    assert!(said.stdout.starts_with(told), "{}", said.stdout);
    assert_eq!(said.exit, Some(0));
    let trace = "2026-03-05T10:30:00.000Z claude Stop let go: .sprag/config.yaml:1:6: expected";
    assert!(test.env.read(".sprag/trace").unwrap().starts_with(trace));
    test.env.remove(".sprag/config.yaml");
    test.env.remove(".sprag/trace");
    let test = test.run(["hook", "nobody", "Stop"]).exit(0);
    let trace = "2026-03-05T10:30:00.000Z nobody Stop let go: an unknown host\n";
    assert_eq!(test.env.read(".sprag/trace").as_deref(), Some(trace));
    let (said, test) = test.run([""; 0]).output();
    let shown = format!(" HOST HOOKS\n  ! 1 let go, the last one:\n    {trace}");
    assert!(said.stdout.contains(&shown), "{}", said.stdout);
    let (said, _) = test.run(["doctor"]).output();
    let shown = format!(" ! 1 host hook let go, the last one:\n   {trace}");
    assert!(said.stdout.contains(&shown), "{}", said.stdout);
}

#[test]
fn where_no_trace_can_be_left_the_person_is_told() {
    let test = project().file(".sprag/config.yaml", "off: 3\n").file(".sprag/trace/in-the-way", "");
    let (said, test) = test.stdin(PAYLOAD).run(["hook", "claude", "Stop"]).output();
    let told = "{\"systemMessage\":\"sprag: let go: .sprag/config.yaml:1:6: expected";
    assert!(said.stdout.starts_with(told), "{}", said.stdout);
    assert_eq!(said.exit, Some(0));
    let call = PAYLOAD.replace("\"Stop\"", "\"PreToolUse\",\"tool_name\":\"Edit\"");
    let (said, _) = test.stdin(&call).run(["hook", "claude", "PreToolUse"]).output();
    assert_eq!(said.stdout, "", "not at every tool");
}

#[test]
fn in_a_foreign_folder_without_ours_no_folder_is_made() {
    let test = sprag().file(".gsd/STATE.md", "").run(["hook", "codex"]).exit(0);
    assert_eq!(test.env.files(), [".gsd/STATE.md"]);
}

#[test]
fn switched_off_it_does_not_even_look() {
    let test = project().set("SPRAG", "off").run(["hook", "claude", "Stop"]).exit(0);
    assert_eq!(test.env.read(".sprag/trace"), None);
    let (said, _) = test.run([""; 0]).output();
    assert!(said.stdout.contains("  ! SPRAG=off is set here: they let every session go\n"));
}

#[test]
fn whatever_is_broken_the_answer_is_go_on() {
    sprag().file(".sprag", "not a folder").run(["hook", "claude"]).exit(0);
    sprag().set("SPRAG_ROOT", "/nowhere").run(["hook", "claude"]).exit(0);
    project().file(".git", "gitdir: /nowhere\n").run(["hook", "claude"]).exit(0);
    project().folder(".sprag/trace").run(["hook", "claude"]).exit(0);
    project().run(["hook"]).exit(0);
    project().run(["hook", "--help"]).exit(0);
    project().run(["-C", ".", "hook", "claude", "Stop"]).exit(0);
}

#[test]
fn hostile_words_stay_one_short_line() {
    let long = "x".repeat(5000);
    let test = project().run(["hook", "a\nb\u{1b}[2J", &long]).exit(0);
    let trace = test.env.read(".sprag/trace").unwrap();
    assert_eq!(trace.lines().count(), 1);
    assert!(trace.len() < 200 && !trace.contains('\u{1b}'), "{trace:?}");
}

#[test]
fn a_pipe_in_the_place_of_git_keeps_nobody_waiting() {
    let test = project();
    let made = test.env.command("mkfifo").arg(test.env.project().join(".git")).status();
    assert!(made.unwrap().success());
    test.run(["hook", "claude", "Stop"]).exit(0);
}

#[test]
fn a_pipe_in_the_place_of_a_session_keeps_nobody_waiting() {
    let test = project().folder(".sprag/sessions");
    let pipe = test.env.project().join(".sprag/sessions/claude-s1.json");
    assert!(test.env.command("mkfifo").arg(pipe).status().unwrap().success());
    let (said, test) = test.stdin(PAYLOAD).run(["hook", "claude", "Stop"]).output();
    let told = "{\"systemMessage\":\"sprag: let go: .sprag/sessions/claude-s1.json: ";
    assert!(said.exit == Some(0) && said.stdout.starts_with(told), "{}", said.stdout);
    assert!(test.env.read(".sprag/trace").unwrap().contains("claude-s1.json"));
}

#[test]
fn the_status_line_is_one_line_and_nothing_where_nothing_is_held() {
    let line = |test: sprag_testkit::Test, session: &str| {
        let payload = format!("{{\"session_id\":\"{session}\",\"cwd\":\"/\",\"version\":\"2\"}}");
        test.stdin(&payload).run(["hook", "claude", "statusline"])
    };
    let test = line(project(), "s1").stdout("").exit(0);
    let config = "guard:\n  gates:\n    - run: sh test.sh\n";
    let test = test.file(".sprag/config.yaml", config);
    let test = line(test, "s1").stdout("sprag · guard: sh test.sh\n").exit(0);
    assert_eq!(test.env.files(), [".sprag/config.yaml"], "looking writes nothing");
    let prompt = |text: &str| {
        format!(
            "{{\"session_id\":\"s1\",\"cwd\":\"/\",\"hook_event_name\":\"UserPromptSubmit\",\"prompt\":\"{text}\"}}"
        )
    };
    let test = test.stdin(&prompt("/sprag:until true")).run(["hook", "claude"]).output().1;
    let both = "sprag · until: true · guard: sh test.sh\n";
    let test = line(test, "s1").stdout(both).exit(0);
    let test = test.stdin(&prompt("/sprag:pause")).run(["hook", "claude"]).output().1;
    let test = line(test, "s1").stdout("sprag · free, set so by a person\n").exit(0);
    line(test.file(".sprag/config.yaml", "off: true\n"), "s2").stdout("sprag · off\n").exit(0);
}
