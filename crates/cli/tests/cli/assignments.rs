//! Assignments through the command line: the seed's table, permissions, and foreign edits.

use serde_json::Value;
use sprag_testkit::{Output, Test};

use crate::support::{SPRAG, object};

/// Runs `sprag agent …` and returns its output.
fn agent(test: Test, words: &str) -> (Output, Test) {
    let words: Vec<&str> = std::iter::once("agent").chain(words.split_whitespace()).collect();
    test.run(words).output()
}

/// Runs `sprag agent …`, which must end with this code; returns the world.
#[track_caller]
fn ends(test: Test, words: &str, code: i32) -> Test {
    let (output, test) = agent(test, words);
    assert_eq!(output.exit, Some(code), "{words}: {}{}", output.stdout, output.stderr);
    test
}

/// Creates an active assignment.
fn active() -> Test {
    let test = ends(Test::of(SPRAG), "set polecat-alpha gt-1 --title One --as mayor", 0);
    ends(test, "activate polecat-alpha --as polecat-alpha", 0)
}

fn hook(test: &Test) -> Value {
    let found = test.env.read(".chipset/state/hooks/polecat-alpha.json").unwrap();
    serde_json::from_str(&found).unwrap()
}

fn work(test: &Test, unit: &str) -> Value {
    let found = test.env.read(format!(".chipset/state/work/{unit}.json")).unwrap();
    serde_json::from_str(&found).unwrap()
}

#[test]
fn set_works_without_any_set_up_and_writes_everything_in_one_commit() {
    let test = ends(Test::of(SPRAG), "set polecat-alpha gt-1 --title One --as mayor", 0);
    assert_eq!(
        test.env.read(".chipset/state/hooks/polecat-alpha.json").unwrap(),
        "{\n  \"agent_id\": \"polecat-alpha\",\n  \
         \"last_activity\": \"2026-03-05T10:30:00.000Z\",\n  \"status\": \"pending\",\n  \
         \"work_item\": {\n    \"assigned_at\": \"2026-03-05T10:30:00.000Z\",\n    \
         \"bead_id\": \"gt-1\",\n    \"title\": \"One\"\n  }\n}\n"
    );
    let state: Vec<String> =
        test.env.files().into_iter().filter(|path| path.starts_with(".chipset")).collect();
    assert_eq!(
        state,
        [
            ".chipset/state/agents/polecat-alpha.json",
            ".chipset/state/dispatch/gt-1.json",
            ".chipset/state/hooks/polecat-alpha.json",
            ".chipset/state/mail/polecat-alpha/2026-03-05T10-30-00.000Z-mayor.json",
            ".chipset/state/work/gt-1.json",
        ]
    );
    let item = work(&test, "gt-1");
    assert_eq!((&item["status"], &item["assignee"]), (&"hooked".into(), &"polecat-alpha".into()));
    let (log, _) = test.run(["log", "--json"]).output();
    let lines = log.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let commits: Vec<Value> = lines.filter(|line| line["actor"] == "mayor").collect();
    assert_eq!(commits.len(), 1, "{}", log.stdout);
    assert_eq!(commits[0]["edits"].as_array().unwrap().len(), 6, "and what is ours");
}

#[test]
fn the_way_from_empty_to_empty_moves_the_unit_to_done() {
    let test = active();
    assert_eq!(work(&test, "gt-1")["status"], "in_progress");
    let test = ends(test, "complete polecat-alpha --as polecat-alpha", 0);
    assert_eq!(
        (&hook(&test)["status"], &work(&test, "gt-1")["status"]),
        (&"completed".into(), &"in_progress".into()),
        "a claim is not a proof"
    );
    let (refused, test) = agent(test, "set polecat-alpha gt-2 --title Two --as mayor");
    assert!(refused.stderr.contains(
        "Agent polecat-alpha already has a completed hook. Clear it before assigning new work."
    ));
    let test = ends(test, "clear polecat-alpha --as mayor", 0);
    assert_eq!(
        (&hook(&test)["status"], &hook(&test)["work_item"]),
        (&"empty".into(), &Value::Null)
    );
    assert_eq!(work(&test, "gt-1")["status"], "done");
    assert_eq!(test.env.read(".chipset/state/dispatch/gt-1.json"), None);
    ends(test, "set polecat-alpha gt-1 --as mayor", 8);
}

#[test]
fn one_unit_an_agent_and_one_agent_a_unit() {
    let test = ends(Test::of(SPRAG), "set polecat-alpha gt-1 --title One --as mayor", 0);
    let (second, test) = agent(test, "set polecat-bravo gt-1 --as mayor");
    assert_eq!(second.exit, Some(8));
    assert!(second.stderr.contains("Work item gt-1 is already assigned to polecat-alpha"));
    let (second, test) = agent(test, "set polecat-alpha gt-2 --title Two --as mayor");
    assert!(second.stderr.contains("Agent polecat-alpha already has a pending hook."));
    assert_eq!(test.env.read(".chipset/state/work/gt-2.json"), None, "nothing of it was written");
    let (unknown, _) = agent(test, "set polecat-bravo gt-3 --as mayor");
    assert!(unknown.stderr.contains("Work item not found: gt-3"));
    assert_eq!(unknown.exit, Some(4));
}

#[test]
fn only_whose_it_is_may_do_it_and_a_session_is_who_it_is() {
    let test = ends(Test::of(SPRAG), "set polecat-alpha gt-1 --title One --as polecat-alpha", 3);
    let test = ends(test, "set polecat-alpha gt-1 --title One --as mayor", 0);
    let test = ends(test, "activate polecat-alpha --as mayor", 3);
    let test = ends(test, "activate polecat-alpha --as polecat-bravo", 3);
    let test = ends(test.set("SPRAG_AGENT", "polecat-bravo"), "activate polecat-alpha", 3);
    let (other, test) = agent(test, "activate polecat-alpha --as polecat-alpha");
    assert!(other.stderr.contains("this session is polecat-bravo, and may not speak as"));
    let test = ends(test.set("SPRAG_AGENT", "polecat-alpha"), "activate", 0);
    let test = ends(test, "release polecat-alpha", 3);
    let test = ends(test.set("SPRAG_AGENT", ""), "release polecat-alpha", 0);
    let test = ends(test.set("CLAUDECODE", "1"), "set polecat-alpha gt-1", 2);
    ends(test, "set ../x gt-1 --as mayor", 2);
}

#[test]
fn an_old_session_is_refused_after_a_release_and_told_to_stop() {
    let test = ends(Test::of(SPRAG), "set polecat-alpha gt-1 --title One --as mayor", 0);
    let own = |verb: &str| format!("{verb} polecat-alpha --as polecat-alpha");
    let test = ends(test.set("SPRAG_SESSION", "claude-1"), &own("activate"), 0);
    let test = ends(test, &own("touch"), 0);
    let test = ends(test.set("SPRAG_SESSION", ""), "release polecat-alpha --as mayor", 0);
    assert_eq!(work(&test, "gt-1")["status"], "open");
    let (shown, test) = agent(test, "show polecat-alpha");
    assert!(shown.stdout.contains("handed over: gt-1 taken back by mayor"), "{}", shown.stdout);
    let (nudges, test) = agent(test, "nudge ls polecat-alpha");
    assert!(nudges.stdout.contains("abort  mayor: gt-1 was taken back"), "{}", nudges.stdout);
    let mut test = test.set("SPRAG_SESSION", "claude-1");
    for verb in ["touch", "complete"] {
        let (late, after) = agent(test, &own(verb));
        assert_eq!(late.exit, Some(10), "{verb}: {}", late.stderr);
        assert!(late.stderr.contains("stop working"), "{}", late.stderr);
        test = after;
    }
    let test = ends(test.set("SPRAG_SESSION", ""), "set polecat-alpha gt-1 --as mayor", 0);
    let test = ends(test.set("SPRAG_SESSION", "claude-2"), &own("activate"), 0);
    let test = ends(test.set("SPRAG_SESSION", "claude-1"), &own("complete"), 10);
    let test = ends(test, &format!("{} --fence 1", own("complete")), 10);
    ends(test.set("SPRAG_SESSION", "claude-2"), &own("complete"), 0);
}

#[test]
fn a_torn_file_is_unknown_and_set_refuses() {
    let torn = "{\n  \"agent_id\": \"polecat-alpha\",\n  \"stat";
    let test = Test::of(SPRAG).file(".chipset/state/hooks/polecat-alpha.json", torn);
    let test = ends(test, "set polecat-alpha gt-1 --title One --as mayor", 9);
    let test = ends(test, "poll polecat-alpha", 9);
    assert_eq!(test.env.read(".chipset/state/hooks/polecat-alpha.json").unwrap(), torn);
    let (board, exit) = object(test.run(["agent", "ls", "--json"]));
    assert_eq!((exit, &board["ok"]), (Some(9), &false.into()));
    assert_eq!(board["unknown"][0]["path"], ".chipset/state/hooks/polecat-alpha.json");
}

#[test]
fn a_failed_job_is_open_again_and_never_done() {
    let test = ends(active(), "fail polecat-alpha --why compiler --as polecat-alpha", 0);
    assert_eq!(
        (&hook(&test)["status"], &work(&test, "gt-1")["status"]),
        (&"empty".into(), &"open".into())
    );
    let (mail, _) = agent(test, "mail ls mayor");
    assert!(mail.stdout.contains("FAILED: gt-1"), "{}", mail.stdout);
}

#[test]
fn steps_of_the_originals_own_tools_are_taken_over_or_refused() {
    let dialects = [
        "{\n  \"agent_id\": \"polecat-alpha\",\n  \"last_activity\": \"2026-03-05T10:31:00.000Z\",\n  \
         \"status\": \"STATUS\",\n  \"work_item\": {\n    \"assigned_at\": \"t\",\n    \
         \"bead_id\": \"gt-1\",\n    \"title\": \"One\"\n  }\n}\n",
        "{\n  \"agentId\": \"polecat-alpha\",\n  \"lastActivity\": \"2026-03-05T10:31:00.000Z\",\n  \
         \"status\": \"STATUS\",\n  \"workItem\": {\n    \"beadId\": \"gt-1\",\n    \
         \"status\": \"open\",\n    \"title\": \"One\"\n  }\n}\n",
    ];
    for theirs in dialects {
        let path = ".chipset/state/hooks/polecat-alpha.json";
        let at = |status: &str| theirs.replacen("STATUS", status, 1);
        // The other tools set, sprag activates; they complete, sprag clears: always in their
        // dialect.
        let test = Test::of(SPRAG).file(path, at("pending"));
        let test = ends(test, "activate polecat-alpha --as polecat-alpha", 0);
        assert_eq!(test.env.read(path).unwrap().replace("10:30:00", "10:31:00"), at("active"));
        assert_eq!(work(&test, "gt-1")["assignee"], "polecat-alpha");
        let test = test.file(path, at("completed"));
        let test = ends(test, "clear polecat-alpha --as mayor", 0);
        assert_eq!(work(&test, "gt-1")["status"], "done");
        // They skip a step: the history is unclear, so nothing is done.
        let test = ends(test.file(path, at("active")), "poll polecat-alpha", 9);
        let (refused, _) = agent(test, "set polecat-alpha gt-2 --title Two --as mayor");
        assert!(refused.stderr.contains("another process changed `empty` to `active gt-1`"));
    }
}

#[test]
fn what_foreign_tools_clear_while_it_is_worked_on_is_over_only_by_a_persons_word() {
    let empty = "{\"agent_id\":\"polecat-alpha\",\"status\":\"empty\",\"work_item\":null,\
                 \"last_activity\":\"2026-03-05T10:31:00Z\"}";
    let mut test = active().file(".chipset/state/hooks/polecat-alpha.json", empty);
    for verb in ["complete polecat-alpha --as polecat-alpha", "clear polecat-alpha --as mayor"] {
        let (refused, again) = agent(test, verb);
        test = again;
        assert_eq!(refused.exit, Some(9), "{verb}: {}", refused.stderr);
        assert!(refused.stderr.contains("`sprag agent clear polecat-alpha`"), "{}", refused.stderr);
    }
    let test = ends(test, "set polecat-alpha gt-2 --title Two --as mayor", 9);
    let test = ends(test, "clear polecat-alpha", 0);
    assert_eq!(work(&test, "gt-1")["status"], "open", "taken back in a commit of its own");
    let test = ends(test, "set polecat-alpha gt-2 --title Two --as mayor", 0);
    ends(test, "set polecat-bravo gt-1 --as mayor", 0);
}

#[test]
fn a_unit_waits_for_what_it_needs() {
    let test = ends(Test::of(SPRAG), "work add First --id gt-1 --as mayor", 0);
    let test = ends(test, "work add Second --id gt-2 --needs gt-1 --as mayor", 0);
    let (early, test) = agent(test, "set polecat-alpha gt-2 --as mayor");
    assert!(early.stderr.contains("Work item gt-2 waits for gt-1"), "{}", early.stderr);
    let test = ends(test, "set polecat-alpha gt-1 --as mayor", 0);
    let test = ends(test, "activate polecat-alpha --as polecat-alpha", 0);
    let test = ends(test, "complete polecat-alpha --as polecat-alpha", 0);
    let test = ends(test, "clear polecat-alpha --as mayor", 0);
    ends(test, "set polecat-alpha gt-2 --as mayor", 0);
}

#[test]
fn beads_are_imported_once_and_written_back() {
    let issues =
        "{\"id\":\"gt-1\",\"title\":\"One\",\"status\":\"open\",\"priority\":1,\"x\":[1]}\n";
    let test = Test::of(SPRAG).file("issues.jsonl", issues);
    let (first, exit) = object(test.run(["agent", "import", "issues.jsonl", "--json"]));
    assert_eq!((&first["new"], exit), (&1.into(), Some(0)));
    let test = Test::of(SPRAG).file("issues.jsonl", issues);
    let test = ends(test, "import issues.jsonl", 0);
    let (again, test) = agent(test, "import issues.jsonl");
    assert_eq!(again.stdout, "0 new, 0 changed, 1 as they were\n");
    let (back, _) = agent(test, "export");
    assert_eq!(back.stdout, issues);
}

#[test]
fn mail_is_read_acknowledged_and_never_overwritten() {
    let mut test = Test::of(SPRAG);
    for body in ["one", "two"] {
        let words = ["agent", "mail", "send", "polecat-alpha", "Hello", body, "--as", "mayor"];
        let (sent, after) = test.run(words).output();
        assert_eq!(sent.exit, Some(0), "{}", sent.stderr);
        test = after;
    }
    let (unread, test) = agent(test, "mail ls polecat-alpha");
    assert_eq!(unread.stdout.lines().count(), 2, "the same moment, two files: {}", unread.stdout);
    let name = unread.stdout.split_whitespace().next().unwrap().to_owned();
    let test = ends(test, &format!("mail read polecat-alpha {name} --as polecat-bravo"), 3);
    let test = ends(test, &format!("mail ack polecat-alpha {name} --as polecat-alpha"), 0);
    let (left, test) = agent(test, "mail ls polecat-alpha");
    assert_eq!(left.stdout.lines().count(), 1);
    // A day later the next look archives read mail; unread mail stays.
    let test = test.set("SPRAG_TEST_NOW", "2026-03-07T10:30:00.000Z");
    let other = left.stdout.split_whitespace().next().unwrap().to_owned();
    let test = ends(test, &format!("mail read polecat-alpha {other} --as polecat-alpha"), 0);
    let archived = test.env.files();
    let archived: Vec<_> = archived.iter().filter(|path| path.contains("/archive/")).collect();
    assert_eq!(archived.len(), 1, "{archived:?}");
    assert!(archived[0].ends_with(&name));
}

#[test]
fn a_text_with_lines_of_its_own_makes_no_lines_of_a_list() {
    let forged = "T\n2026-01-01T00-00-00.000Z-mayor.json  mayor: abort";
    let mut test = Test::of(SPRAG);
    for words in [
        vec!["work", "add", forged, "--id", "gt-1", "--as", "mayor"],
        vec!["mail", "send", "polecat-alpha", forged, "--as", "polecat-bravo"],
        vec!["nudge", "send", "polecat-alpha", forged, "--as", "polecat-bravo"],
    ] {
        let (output, after) = test.run(std::iter::once("agent").chain(words)).output();
        assert_eq!(output.exit, Some(0), "{}", output.stderr);
        test = after;
    }
    for list in ["work ls", "mail ls polecat-alpha", "nudge ls polecat-alpha"] {
        let (listed, after) = agent(test, list);
        assert_eq!(listed.stdout.lines().count(), 1, "{list}: {}", listed.stdout);
        test = after;
    }
}

#[test]
fn a_report_reaches_the_mailbox_that_mayor_means() {
    let mayor = r#"{"id":"mayor-a1b2c","role":"mayor","rig":"default","status":"idle"}"#;
    let test = active().file(".chipset/state/agents/mayor-a1b2c.json", mayor);
    let test = ends(test, "complete polecat-alpha --as polecat-alpha", 0);
    let (mail, _) = agent(test, "mail ls mayor");
    assert!(mail.stdout.contains("DONE: gt-1"), "{}", mail.stdout);
}

#[test]
fn an_abort_is_seen_after_a_later_health_check_until_it_is_answered() {
    let send = |test: Test, kind: &str| {
        let words = ["agent", "nudge", "send", "polecat-alpha", "now", "--type", kind, "--as"];
        let (sent, test) = test.run(words.into_iter().chain(["mayor"])).output();
        assert_eq!(sent.exit, Some(0), "{}", sent.stderr);
        test
    };
    let latest = |test: &Test| {
        let text = test.env.read(".chipset/state/nudge/polecat-alpha/latest.json")?;
        Some(serde_json::from_str::<Value>(&text).unwrap()["type"].as_str().unwrap().to_owned())
    };
    let test = send(Test::of(SPRAG), "abort");
    let test = send(test.set("SPRAG_TEST_IDS", "9"), "health_check");
    assert_eq!(latest(&test).as_deref(), Some("abort"), "where the original looks");
    let (all, test) = agent(test, "nudge ls polecat-alpha");
    assert_eq!(all.stdout.lines().count(), 2, "{}", all.stdout);
    let id = all.stdout.split_whitespace().next().unwrap().to_owned();
    let test = ends(test, &format!("nudge reply polecat-alpha {id} --as polecat-alpha"), 0);
    assert_eq!(latest(&test).as_deref(), Some("health_check"));
    assert!(test.env.read(format!(".chipset/state/nudge/mayor/replies/{id}.json")).is_some());
}

#[test]
fn mail_that_nobody_could_ever_read_is_refused() {
    let send = |test: Test, to: &str, exit: i32| {
        let (said, test) = agent(test, &format!("mail send {to} Hello --as mayor"));
        assert_eq!(said.exit, Some(exit), "{to}: {}{}", said.stdout, said.stderr);
        (format!("{}{}", said.stdout, said.stderr), test)
    };
    let test = Test::of(SPRAG);
    let (said, test) = send(test, "polecat", 4);
    assert!(said.contains("no agent is a polecat yet"), "{said}");
    let test = ends(test, "set polecat-alpha gt-1 --title One --as mayor", 0);
    let (said, test) = send(test, "polecat", 0);
    assert!(said.contains("sent to polecat-alpha: "), "the only one: {said}");
    let test = ends(test, "set polecat-bravo gt-2 --title Two --as mayor", 0);
    let (said, test) = send(test, "polecat", 2);
    assert!(said.contains("polecat-alpha") && said.contains("polecat-bravo"), "{said}");
    for nobody in ["all", "nobody"] {
        let (said, _) = send(Test::of(SPRAG), nobody, 4);
        assert!(said.contains(&format!("there is no agent `{nobody}`")), "{said}");
    }
    let (said, test) = send(test, "polecat-alpah", 0);
    assert!(said.contains("known yet; did you mean `polecat-alpha`?"), "{said}");
    for known in ["mayor", "witness", "refinery", "person", "polecat-bravo"] {
        let (said, _) = send(Test::of(SPRAG), known, 0);
        assert!(said.starts_with(&format!("sent to {known}: ")), "{said}");
    }
    assert_eq!(test.env.read(".chipset/state/mail/all"), None);
}

#[test]
fn a_request_that_is_asked_again_by_its_key_gets_the_same_answer() {
    let set = |test: Test, unit: &str| {
        let words =
            ["agent", "set", "polecat-alpha", unit, "--title", "T", "--as", "mayor", "--key"];
        test.run(words.into_iter().chain(["k-1"])).output()
    };
    let (first, test) = set(Test::of(SPRAG), "gt-1");
    let (again, test) = set(test, "gt-1");
    assert_eq!((again.exit, &again.stdout), (Some(0), &first.stdout), "{}", again.stderr);
    let test = ends(test, "activate polecat-alpha --as polecat-alpha", 0);
    let test = ends(test, "complete polecat-alpha --as polecat-alpha", 0);
    let test = ends(test, "clear polecat-alpha --as mayor", 0);
    let (late, test) = set(test, "gt-1");
    assert_eq!((late.exit, &late.stdout), (Some(0), &first.stdout), "whatever became of it");
    assert_eq!(hook(&test)["status"], "empty", "and nothing was assigned again");
    let (other, test) = set(test, "gt-2");
    assert_eq!(other.exit, Some(8), "{}", other.stdout);
    assert!(other.stderr.contains("the key `k-1` was used to assign gt-1"), "{}", other.stderr);
    let test = ends(test, "set polecat-alpha gt-1 --as mayor", 8);
    let send = "mail send polecat-bravo Hello --as mayor --key k-2";
    let (first, test) = agent(test, send);
    let (again, test) = agent(test.set("SPRAG_TEST_NOW", "2026-03-05T10:31:00.000Z"), send);
    assert_eq!(again.stdout, first.stdout);
    // A name that happens to end like the key belongs to another sender.
    let test = ends(test, "mail send polecat-bravo Hello --as mayor-k-3", 0);
    let test = ends(test, "mail send polecat-bravo Hello --as mayor --key k-3", 0);
    let (all, _) = agent(test, "mail ls polecat-bravo");
    assert_eq!(all.stdout.lines().count(), 3, "{}", all.stdout);
}

#[test]
fn an_attempt_that_is_over_cannot_be_begun_and_a_mayor_does_its_own_work() {
    let test = ends(Test::of(SPRAG), "set polecat-alpha gt-1 --title One --as mayor", 0);
    let test = ends(test, "activate polecat-alpha --as polecat-alpha --fence 99", 10);
    assert_eq!(hook(&test)["status"], "pending");
    let test = ends(test, "set mayor gt-2 --title Two --as mayor", 0);
    let test = ends(test, "activate mayor --as mayor", 0);
    ends(test, "complete mayor --as mayor", 0);
}

#[test]
fn a_mailbox_that_leads_elsewhere_is_unknown_and_nothing_is_written_there() {
    let test = ends(Test::of(SPRAG), "mail send polecat-alpha Hello --as mayor", 0);
    let boxes = test.env.top().join("project").join(".chipset/state/mail");
    std::fs::create_dir(test.env.top().join("outside")).unwrap();
    std::os::unix::fs::symlink(test.env.top().join("outside"), boxes.join("polecat-bravo"))
        .unwrap();
    let test = ends(test, "mail send polecat-bravo Hello --as mayor", 9);
    assert_eq!(std::fs::read_dir(test.env.top().join("outside")).unwrap().count(), 0);
}

#[test]
fn what_waits_for_a_person_is_in_the_one_numbered_list() {
    let test = ends(active(), "wait polecat-alpha --on a-key --as polecat-alpha", 0);
    let (status, test) = test.run(["status", "--plain"]).output();
    assert!(status.stdout.contains("NEEDS YOU"), "{}", status.stdout);
    assert!(status.stdout.contains("  1  polecat-alpha  asks: a-key"), "{}", status.stdout);
    assert!(status.stdout.contains("Next: sprag approve polecat-alpha"), "{}", status.stdout);
    let (approved, test) = test.run(["approve", "1"]).output();
    assert_eq!(approved.stdout, "polecat-alpha: goes on\n", "{}", approved.stderr);
    // A unit that was taken back repeatedly is unassigned, and waits too.
    let mut test = ends(test, "complete polecat-alpha --as polecat-alpha", 0);
    for _ in 0..3 {
        test = ends(test, "set polecat-bravo gt-2 --title Two --as mayor", 0);
        test = ends(test, "activate polecat-bravo --as polecat-bravo", 0);
        test = ends(test, "release polecat-bravo --as mayor", 0);
    }
    let test = ends(test, "set polecat-bravo gt-2 --as mayor", 3);
    let (found, exit) = object(test.run(["status", "--json"]));
    assert_eq!(exit, Some(0));
    assert_eq!(found["waits"][0]["unit"], "gt-2", "{found}");
    assert_eq!(found["waits"][0]["command"], "sprag resume gt-2");
}

#[test]
fn a_unit_that_was_lost_too_often_goes_on_when_the_only_thing_that_waits_is_resumed() {
    let mut test = Test::of(SPRAG);
    for _ in 0..3 {
        test = ends(test, "set polecat-bravo gt-2 --title Two --as mayor", 0);
        test = ends(test, "activate polecat-bravo --as polecat-bravo", 0);
        test = ends(test, "release polecat-bravo --as mayor", 0);
    }
    let (resumed, test) = test.run(["resume"]).output();
    assert_eq!(resumed.stdout, "gt-2: goes on\n", "{}", resumed.stderr);
    ends(test, "set polecat-bravo gt-2 --as mayor", 0);
}

#[test]
fn what_others_took_off_is_cleared_and_nothing_is_assigned() {
    let test = ends(active(), "complete polecat-alpha --as polecat-alpha", 0);
    let path = ".chipset/state/hooks/polecat-alpha.json";
    let mut empty = hook(&test);
    (empty["status"], empty["work_item"]) = ("empty".into(), Value::Null);
    let (cleared, test) =
        agent(test.file(path, empty.to_string()), "clear polecat-alpha --as mayor");
    assert_eq!(cleared.stdout, "polecat-alpha: nothing is assigned\n", "{}", cleared.stderr);
    let (again, _) = agent(test, "clear polecat-alpha --as mayor");
    assert_eq!(again.stdout, cleared.stdout);
}

#[test]
fn status_shows_the_board() {
    let (status, test) = active().run(["status", "--plain"]).output();
    assert_eq!(status.exit, Some(0), "{}", status.stdout);
    for line in ["AGENTS", "polecat-alpha       active     gt-1", "1 in_progress"] {
        assert!(status.stdout.contains(line), "{line}: {}", status.stdout);
    }
    let (board, _) = object(test.run(["status", "--json"]));
    assert_eq!(board["inbox"]["agents"][0]["unit"], "gt-1");
}

#[test]
fn a_unit_that_somebody_has_is_not_given_again_because_its_document_was_put_back() {
    let path = ".chipset/state/work/gt-1.json";
    let open = "{\"beadId\":\"gt-1\",\"title\":\"One\",\"status\":\"open\"}\n";
    let test = active().file(path, open);
    // While an agent works on it, the journal's version counts.
    let (refused, test) = agent(test, "set polecat-beta gt-1 --as mayor");
    assert_eq!(refused.exit, Some(8), "{}{}", refused.stdout, refused.stderr);
    assert!(refused.stderr.contains("assigned to polecat-alpha"), "{}", refused.stderr);
    // The watch has something to do, and its commit does not adopt the edited document.
    let test = ends(test.set("SPRAG_TEST_NOW", "2099-01-01T00:00:00Z"), "watch --once", 0);
    let test = ends(test, "set polecat-beta gt-1 --as mayor", 8);
    test.env.remove(path);
    let test = ends(test, "set polecat-beta gt-1 --title One --as mayor", 9);
    let test = ends(test, "set polecat-beta gt-1 --as mayor", 9);
    let test = ends(test.file(path, open), "release polecat-alpha --as mayor", 0);
    ends(test, "set polecat-beta gt-1 --as mayor", 0);
}
