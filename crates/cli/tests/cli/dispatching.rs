//! Sending work out and taking it in: sling, done, the watch, and unreadable documents.

use serde_json::Value;
use sprag_testkit::{Output, Test, TestEnv};

use crate::support::{SPRAG, ends};

/// A repository with a remote beside it, and one open unit.
fn repository() -> Test {
    let test = Test::of(SPRAG).file("readme", "hello\n").file(".sprag/config.yaml", "v: 1\n");
    let test = test.git(&["init", "-q"]).git(&["add", "readme"]).git(&["commit", "-qm", "start"]);
    let test = test.git(&["init", "-q", "--bare", "../remote.git"]);
    let remote = test.env.top().join("remote.git").display().to_string();
    let test = test.git(&["remote", "add", "origin", &remote]);
    ends(test, "agent work add One --id gt-1 --as mayor", 0).1
}

fn json(env: &TestEnv, path: &str) -> Value {
    let found = env.read(path).unwrap_or_else(|| panic!("{path} is missing"));
    serde_json::from_str(&found).unwrap()
}

fn worktree(env: &TestEnv) -> String {
    env.top().join("project-work/gt-1").display().to_string()
}

#[test]
fn sling_finds_an_agent_and_a_place_and_tells_everybody() {
    let (said, test) = ends(repository(), "agent sling gt-1 --as mayor", 0);
    assert!(said.stdout.starts_with("gt-1: polecat-1 has it, in "), "{}", said.stdout);
    let record = json(&test.env, ".chipset/state/dispatch/gt-1.json");
    assert_eq!(
        (&record["stage"], &record["branch"]),
        (&"confirmed".into(), &"polecat/gt-1".into())
    );
    assert_eq!(json(&test.env, ".chipset/state/agents/polecat-1.json")["status"], "active");
    let (again, test) = ends(test, "agent sling gt-1 --as mayor", 0);
    assert_eq!(again.stdout, "gt-1: polecat-1 has it\n", "once more changes nothing");
    let (mail, test) = ends(test, "agent mail ls witness", 0);
    assert_eq!(mail.stdout.lines().count(), 1, "{}", mail.stdout);
    let branch = test.env.git(&["-C", &worktree(&test.env), "branch", "--show-current"]);
    assert_eq!(branch, "polecat/gt-1");
    ends(test, "agent sling gt-1 --as polecat-1", 3);
}

#[test]
fn sling_stops_where_everybody_works_and_leaves_the_unit_open() {
    let mut test = Test::of(SPRAG);
    for number in 1..=11 {
        test = ends(test, &format!("agent work add T --id gt-{number} --as mayor"), 0).1;
    }
    for number in 1..=10 {
        test = ends(test, &format!("agent sling gt-{number} --as mayor"), 0).1;
    }
    let (full, test) = ends(test, "agent sling gt-11 --as mayor", 5);
    assert!(full.stderr.contains("all 10 agents of `default` work; gt-11 stays open"));
    assert_eq!(json(&test.env, ".chipset/state/work/gt-11.json")["status"], "open");
    let (mail, _) = ends(test, "agent mail ls mayor", 0);
    assert!(mail.stdout.contains("CAPACITY: gt-11 waits"), "{}", mail.stdout);
}

#[test]
fn a_unit_that_waits_is_refused_before_it_has_a_place() {
    let (_, test) = ends(repository(), "agent work add Two --id gt-2 --needs gt-1 --as mayor", 0);
    let (refused, test) = ends(test, "agent sling gt-2 --as mayor", 8);
    assert!(refused.stderr.contains("Work item gt-2 waits for gt-1"), "{}", refused.stderr);
    let place = worktree(&test.env).replace("gt-1", "gt-2");
    assert!(!std::path::Path::new(&place).exists(), "{place}");
}

#[test]
fn what_was_left_half_way_is_finished_by_the_next_sling() {
    for stage in ["stored", "launched"] {
        let (_, test) = ends(repository(), "agent sling gt-1 --as mayor", 0);
        let path = ".chipset/state/dispatch/gt-1.json";
        let record = test.env.read(path).unwrap().replace("confirmed", stage);
        let (said, test) = ends(test.file(path, record), "agent sling --as mayor", 0);
        assert_eq!(said.stdout, "finished: gt-1\n");
        assert_eq!(json(&test.env, path)["stage"], "confirmed");
    }
}

#[test]
fn done_commits_pushes_and_hands_in_and_can_be_asked_again_after_a_kill() {
    let (_, test) = ends(repository(), "agent sling gt-1 --as mayor", 0);
    let folder = worktree(&test.env);
    let test = test.file("../project-work/gt-1/readme", "hello, world\n");
    let test = test.at(&folder);
    let (early, test) = ends(test, "agent done polecat-1 --as polecat-1", 1);
    assert!(early.stderr.contains("No active hook for agent polecat-1"), "{}", early.stderr);
    let (_, test) = ends(test, "agent activate polecat-1 --as polecat-1", 0);
    let (done, test) = ends(test, "agent done polecat-1 --as polecat-1", 0);
    assert_eq!(done.stdout, "polecat-1: gt-1 is done, polecat/gt-1 is in origin\n");
    let pushed = test.env.git(&["-C", "../remote.git", "show", "polecat/gt-1:readme"]);
    assert_eq!(pushed, "hello, world");
    assert_eq!(json(&test.env, ".chipset/state/work/gt-1.json")["status"], "done");
    assert_eq!(json(&test.env, ".chipset/state/hooks/polecat-1.json")["status"], "completed");
    let request = json(&test.env, ".chipset/state/merge-queue/mr-gt-1.json");
    assert_eq!((&request["status"], &request["targetBranch"]), (&"pending".into(), &"main".into()));
    assert_eq!(test.env.read(".chipset/state/dispatch/gt-1.json"), None);
    assert!(std::path::Path::new(&folder).exists(), "nothing is removed");
    let (_, test) = ends(test, "agent clear polecat-1 --as mayor", 0);
    assert_eq!(json(&test.env, ".chipset/state/work/gt-1.json")["status"], "done");
}

#[test]
fn work_that_cannot_be_pushed_stays_active_and_somebody_is_told() {
    let (_, test) = ends(repository(), "agent sling gt-1 --as mayor", 0);
    let (_, test) = ends(test, "agent activate polecat-1 --as polecat-1", 0);
    let test = test.git(&["remote", "set-url", "origin", "../nowhere.git"]);
    let folder = worktree(&test.env);
    let (failed, test) = ends(test.at(folder), "agent done polecat-1 --as polecat-1", 1);
    assert!(failed.stderr.contains("`git push` failed"), "{}", failed.stderr);
    assert_eq!(json(&test.env, ".chipset/state/work/gt-1.json")["status"], "in_progress");
    assert_eq!(json(&test.env, ".chipset/state/hooks/polecat-1.json")["status"], "active");
    let (mail, _) = ends(test, "agent mail ls mayor", 0);
    assert!(mail.stdout.contains("FAILED: gt-1 is not pushed"), "{}", mail.stdout);
}

#[test]
fn uncommitted_work_on_another_branch_is_not_swept_up() {
    let (_, test) = ends(repository(), "agent set polecat-1 gt-1 --as mayor", 0);
    let (_, test) = ends(test, "agent activate polecat-1 --as polecat-1", 0);
    let (refused, test) =
        ends(test.file("readme", "x\n"), "agent done polecat-1 --as polecat-1", 1);
    assert!(refused.stderr.contains("this is not `polecat/gt-1`"), "{}", refused.stderr);
    assert_eq!(test.env.git(&["status", "--porcelain", "readme"]), " M readme");
}

#[test]
fn done_never_moves_a_branch_off_the_work_it_has() {
    let test = Test::of(SPRAG).file("readme", "hello\n").file(".sprag/config.yaml", "v: 1\n");
    let test = test.git(&["init", "-q"]).git(&["add", "readme"]).git(&["commit", "-qm", "start"]);
    let test = test.git(&["branch", "polecat/gt-1"]).git(&["checkout", "-q", "polecat/gt-1"]);
    let test = test.git(&["commit", "-q", "--allow-empty", "-m", "work"]);
    let work = test.env.git(&["rev-parse", "polecat/gt-1"]);
    let test = test.git(&["checkout", "-q", "-"]);
    let (_, test) = ends(test, "agent set polecat-1 gt-1 --title One --as mayor", 0);
    let (_, test) = ends(test, "agent activate polecat-1 --as polecat-1", 0);
    let (refused, test) = ends(test, "agent done polecat-1 --as polecat-1", 1);
    assert!(refused.stderr.contains("is not checked out anywhere"), "{}", refused.stderr);
    assert_eq!(test.env.git(&["rev-parse", "polecat/gt-1"]), work, "it has the work still");
    let test = test.git(&["merge", "-q", "polecat/gt-1"]);
    let (done, _) = ends(test, "agent done polecat-1 --as polecat-1", 0);
    assert_eq!(done.stdout, "polecat-1: gt-1 is done, polecat/gt-1 is in this repository\n");
}

/// Work that was dispatched and begun, with a commit and an uncommitted change in its worktree.
fn begun_in_its_worktree() -> Test {
    let (_, test) = ends(repository(), "agent sling gt-1 --as mayor", 0);
    let (_, test) = ends(test, "agent activate polecat-1 --as polecat-1", 0);
    let test = test.file("../project-work/gt-1/readme", "committed\n");
    let test = test.git(&["-C", "../project-work/gt-1", "commit", "-qam", "work"]);
    let test = test.file("../project-work/gt-1/more", "not committed\n");
    test.git(&["push", "-q", "origin", "HEAD"])
}

#[test]
fn done_in_the_main_checkout_hands_in_what_the_worktree_has() {
    let test = begun_in_its_worktree();
    let (done, test) = ends(test, "agent done polecat-1 --as polecat-1", 0);
    assert_eq!(done.stdout, "polecat-1: gt-1 is done, polecat/gt-1 is in origin\n");
    for (file, text) in [("readme", "committed"), ("more", "not committed")] {
        let name = format!("polecat/gt-1:{file}");
        assert_eq!(test.env.git(&["-C", "../remote.git", "show", &name]), text);
    }
}

#[test]
fn done_finds_the_worktree_with_a_git_that_knows_no_z() {
    let test = begun_in_its_worktree();
    let old = test.env.top().join("old");
    let test = test.file(
        "../old/git",
        "#!/bin/sh\ncase \"$*\" in *'worktree list'*' -z') exit 129;; esac\n\
         PATH=/usr/local/bin:/usr/bin:/bin exec git \"$@\"\n",
    );
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(old.join("git"), mode).unwrap();
    let test = test.set("PATH", &format!("{}:/usr/bin:/bin", old.display()));
    let (done, _) = ends(test, "agent done polecat-1 --as polecat-1", 0);
    assert_eq!(done.stdout, "polecat-1: gt-1 is done, polecat/gt-1 is in origin\n");
}

#[test]
fn done_elsewhere_leaves_nothing_behind_there() {
    let test = begun_in_its_worktree().file("readme", "by hand\n");
    let (refused, test) = ends(test, "agent done polecat-1 --as polecat-1", 1);
    assert!(refused.stderr.contains("something here is not committed"), "{}", refused.stderr);
    assert!(refused.stderr.contains("-work/gt-1"), "{}", refused.stderr);
    let test = test.git(&["commit", "-qam", "by hand"]);
    let (refused, test) = ends(test, "agent done polecat-1 --as polecat-1", 1);
    assert!(refused.stderr.contains("commits here are in no remote"), "{}", refused.stderr);
    let test = test.git(&["push", "-q", "origin", "HEAD"]);
    let test = test.git(&["-C", "../project-work/gt-1", "checkout", "-q", "--detach"]);
    let (refused, test) = ends(test, "agent done polecat-1 --as polecat-1", 1);
    assert!(refused.stderr.contains("it is not on `polecat/gt-1`"), "{}", refused.stderr);
    assert_eq!(json(&test.env, ".chipset/state/work/gt-1.json")["status"], "in_progress");
}

#[test]
fn done_of_a_project_in_a_subfolder_looks_at_the_whole_repository() {
    let test = Test::of(SPRAG).file("readme", "hello\n").file("sub/.sprag/config.yaml", "v: 1\n");
    let test = test.git(&["init", "-q"]).git(&["add", "readme"]).git(&["commit", "-qm", "start"]);
    test.env.let_own(&test.env.project().join("sub"));
    let folder = test.env.top().join("project/sub").display().to_string();
    let test = test.at(folder);
    let (_, test) = ends(test, "agent set polecat-1 gt-1 --title One --as mayor", 0);
    let (_, test) = ends(test, "agent activate polecat-1 --as polecat-1", 0);
    let test = test.file("outside", "work\n");
    let (refused, test) = ends(test, "agent done polecat-1 --as polecat-1", 1);
    assert!(refused.stderr.contains("something is not committed"), "{}", refused.stderr);
    let test = test.git(&["worktree", "add", "-q", "--detach", "inside"]);
    let test = test.git(&["checkout", "-qb", "polecat/gt-1"]);
    let (_, test) = ends(test, "agent done polecat-1 --as polecat-1", 0);
    let names = test.env.git(&["ls-tree", "-r", "--name-only", "--full-tree", "polecat/gt-1"]);
    assert_eq!(names, "outside\nreadme", "neither our state nor another worktree");
}

#[test]
fn an_agent_or_a_message_that_cannot_be_read_is_shown_and_set_aside() {
    let (_, test) = ends(Test::of(SPRAG), "agent set polecat-1 gt-1 --title One --as mayor", 0);
    let agent = ".chipset/state/agents/polecat-1.json";
    let mail = ".chipset/state/mail/polecat-1/torn.json";
    let whole = test.env.read(agent).unwrap();
    let test = test.file(agent, "{ torn").file(mail, "{ torn");
    let (shown, test) = ends(test, "status --plain", 9);
    for path in [agent, mail] {
        assert!(shown.stdout.contains(path), "{}", shown.stdout);
    }
    let (_, test) = ends(test, "doctor --fix --yes", 0);
    assert_eq!(test.env.read(agent).unwrap(), whole);
    assert_eq!(test.env.read(mail), None);
    ends(test, "status --plain", 0);
}

#[test]
fn what_was_mended_once_needs_no_mending_again() {
    let hook = ".chipset/state/hooks/polecat-1.json";
    let work = ".chipset/state/work/gt-1.json";
    let elsewhere = "{\"beadId\":\"gt-1\",\"title\":\"One\",\"status\":\"in_progress\",\
                     \"assignee\":\"polecat-2\"}\n";
    // Its unit was assigned to another agent by hand; or both documents are torn.
    for (slot, unit) in [(None, elsewhere), (Some("{ torn"), elsewhere), (Some("{ torn"), "{ torn")]
    {
        let (_, test) = ends(Test::of(SPRAG), "agent set polecat-1 gt-1 --title One --as mayor", 0);
        let mut test = test.file(work, unit);
        if let Some(slot) = slot {
            test = test.file(hook, slot);
        }
        let (_, test) = ends(test, "status --plain", 9);
        let (_, test) = ends(test, "doctor --fix --yes", 0);
        let (again, test) = ends(test, "doctor --fix --yes", 0);
        assert_eq!(again.stdout, "nothing that --fix can mend\n", "{slot:?}, {unit}");
        let (_, test) = ends(test, "status --plain", 0);
        let left = test.env.read(hook).unwrap();
        assert_eq!(left.contains("gt-1"), unit == "{ torn", "{left}");
        ends(test, "agent ls", 0);
    }
}

#[test]
fn the_watch_nudges_restarts_and_tells_a_person_and_a_declared_wait_is_none() {
    let (_, test) = ends(Test::of(SPRAG), "agent set polecat-1 gt-1 --title One --as mayor", 0);
    let (quiet, test) = ends(test, "agent watch --once", 0);
    assert_eq!(quiet.stdout, "", "the clock of this world is behind the files");
    let mut test = ends(test, "agent activate polecat-1 --as polecat-1", 0).1;
    let said = [
        ("2099-01-01T00:00:00Z", "HEALTH_CHECK: polecat-1 is silent on gt-1\n"),
        (
            "2099-01-01T00:05:00Z",
            "RESTART_REQUEST: polecat-1 is silent on gt-1. Restart #1 of 3.\n",
        ),
        ("2099-01-01T00:05:30Z", "HEALTH_CHECK: polecat-1 is silent on gt-1\n"),
    ];
    for (now, expected) in said {
        let (output, after) = ends(test.set("SPRAG_TEST_NOW", now), "agent watch --once", 0);
        assert_eq!(output.stdout, expected);
        test = after;
    }
    let (nudges, test) = ends(test, "agent nudge ls polecat-1", 0);
    assert_eq!(nudges.stdout.lines().count(), 2, "{}", nudges.stdout);
    let (_, test) = ends(test, "agent wait polecat-1 --on review --for 1h --as polecat-1", 0);
    let test = test.set("SPRAG_TEST_NOW", "2099-01-01T00:30:00Z");
    let (quiet, test) = ends(test, "agent watch --once", 0);
    assert_eq!(quiet.stdout, "", "a declared wait is no stall");
    let test = test.set("SPRAG_TEST_NOW", "2099-01-01T09:00:00Z");
    ends(test, "agent watch --once", 0);
}

#[test]
fn pending_work_that_nobody_begins_reaches_a_person_once() {
    let (_, test) = ends(Test::of(SPRAG), "agent set polecat-1 gt-1 --title One --as mayor", 0);
    let test = test.set("SPRAG_TEST_NOW", "2099-01-01T00:00:00Z");
    let (told, test) = ends(test, "agent watch --once", 3);
    assert!(told.stdout.contains("HUMAN_ESCALATION: polecat-1, gt-1: it was assigned and never"));
    let (quiet, test) = ends(test, "agent watch --once", 3);
    assert_eq!(quiet.stdout, "", "it is told once, and waits for a person still");
    let (mail, test) = ends(test, "agent mail ls mayor", 0);
    assert!(mail.stdout.contains("HUMAN_ESCALATION"), "{}", mail.stdout);
    let (status, test) = ends(test, "status --plain", 0);
    for part in ["NEEDS YOU", "it was assigned and never begun", "sprag resume polecat-1"] {
        assert!(status.stdout.contains(part), "{part}: {}", status.stdout);
    }
    let (_, test) = ends(test, "resume 1", 0);
    let (status, test) = ends(test, "status --plain", 0);
    assert!(!status.stdout.contains("NEEDS YOU"), "{}", status.stdout);
    ends(test.set("SPRAG_TEST_NOW", "2099-01-01T01:00:00Z"), "agent watch --once", 3);
}

#[test]
fn a_nudge_to_somebody_nobody_knows_is_refused_or_said_as_mail_is() {
    let mut test = ends(Test::of(SPRAG), "agent set polecat-1 gt-1 --title One --as mayor", 0).1;
    for kind in ["abort", "health_check"] {
        let send = |to: &str| format!("agent nudge send {to} now --as mayor --type {kind}");
        let (refused, after) = ends(test, &send("polcat-1"), 4);
        assert!(refused.stderr.contains("did you mean `polecat-1`?"), "{}", refused.stderr);
        let (said, after) = ends(after, &send("polecat-2"), 0);
        assert!(said.stdout.contains("no agent polecat-2 is known yet"), "{}", said.stdout);
        test = after;
    }
}

#[test]
fn a_sign_of_life_from_another_clock_hides_no_stall() {
    let (_, test) = ends(Test::of(SPRAG), "agent set polecat-1 gt-1 --title One --as mayor", 0);
    // The files of this world are of today, but its clock is in March.
    let mut test = ends(test, "agent activate polecat-1 --as polecat-1", 0).1;
    let said = [
        ("2026-03-05T10:31:00Z", ""),
        ("2026-03-05T10:35:00Z", ""),
        ("2026-03-05T10:36:00Z", "HEALTH_CHECK: polecat-1 is silent on gt-1\n"),
    ];
    for (now, expected) in said {
        let (output, after) = ends(test.set("SPRAG_TEST_NOW", now), "agent watch --once", 0);
        assert_eq!(output.stdout, expected, "{now}");
        test = after;
    }
    let test = test.set("SPRAG_TEST_NOW", "2026-03-05T10:50:00Z");
    let (board, _) = ends(test, "agent ls", 0);
    assert!(board.stdout.contains("20 min  may be taken back"), "{}", board.stdout);
}

#[test]
fn an_abort_of_the_originals_own_tools_stands_until_it_is_answered() {
    let latest = ".chipset/state/nudge/polecat-1/latest.json";
    let abort = "{\"from\":\"mayor\",\"type\":\"abort\",\"message\":\"stop\",\
                 \"timestamp\":\"2026-03-05T10:29:00Z\",\"requires_response\":true}";
    let test = Test::of(SPRAG).file(latest, abort).set("SPRAG_TEST_IDS", "");
    let (_, test) = ends(test, "agent nudge send polecat-1 alive? --as witness", 0);
    assert_eq!(json(&test.env, latest)["type"], "abort");
    let (all, test) = ends(test, "agent nudge ls polecat-1", 0);
    let lines: Vec<&str> = all.stdout.lines().collect();
    assert!(lines.len() == 2 && lines[0].contains("abort  mayor: stop"), "{}", all.stdout);
    let id = lines[0].split_whitespace().next().unwrap();
    let reply = format!("agent nudge reply polecat-1 {id} --as polecat-1");
    let (_, test) = ends(test, &reply, 0);
    assert_eq!(json(&test.env, latest)["type"], "health_check");
}

#[test]
fn one_agent_that_cannot_be_read_does_not_hide_the_others_from_the_watch() {
    let mut test = Test::of(SPRAG).set("SPRAG_TEST_IDS", "");
    for agent in ["polecat-1", "polecat-2"] {
        let set = format!("agent set {agent} gt-{agent} --title One --as mayor");
        test = ends(test, &set, 0).1;
        test = ends(test, &format!("agent activate {agent} --as {agent}"), 0).1;
    }
    let test = test.file(".chipset/state/nudge/polecat-1/queue/torn.json", "{\"from");
    let (seen, _) =
        ends(test.set("SPRAG_TEST_NOW", "2099-01-01T00:00:00Z"), "agent watch --once", 9);
    assert!(seen.stdout.contains("HEALTH_CHECK: polecat-2"), "{}", seen.stdout);
    assert!(seen.stdout.contains("polecat-1/queue/torn.json"), "{}", seen.stdout);
}

#[test]
fn a_line_of_the_event_log_that_is_none_is_shown_in_its_place() {
    let log = "{\"timestamp\":\"t\",\"severity\":\"warn\",\"message\":\"m\"}\n\nnone\n";
    let test = Test::of(SPRAG).file(".chipset/state/events/system.jsonl", log);
    let (board, _) = ends(test, "agent ls", 9);
    assert!(board.stdout.contains("events/system.jsonl: 3:1: "), "{}", board.stdout);
}

#[test]
fn work_is_taken_back_whatever_lies_in_the_way_of_the_nudge() {
    for torn in ["latest.json", "queue/torn.json", "dropped.json"] {
        let path = format!(".chipset/state/nudge/polecat-1/{torn}");
        let (_, test) = ends(Test::of(SPRAG), "agent set polecat-1 gt-1 --title One --as mayor", 0);
        let (_, test) =
            ends(test.file(path.clone(), "{ torn"), "agent release polecat-1 --as mayor", 0);
        assert_eq!(test.env.read(&path).as_deref(), Some("{ torn"));
        let queue = ".chipset/state/nudge/polecat-1/queue/";
        let files = test.env.files();
        let sent = files.iter().filter(|file| file.starts_with(queue) && !file.contains("torn"));
        assert_eq!(sent.count(), 1, "{torn}: {files:?}");
        ends(test, "agent set polecat-2 gt-1 --as mayor", 0);
    }
}

#[test]
fn an_abort_that_cannot_be_read_is_kept_aside_and_stays_an_abort() {
    for name in ["latest.json", "queue/0001-n-1.json"] {
        let path = format!(".chipset/state/nudge/polecat-1/{name}");
        let (_, test) = ends(Test::of(SPRAG), "agent set polecat-1 gt-1 --title One --as mayor", 0);
        let test = test.file(path, "{\"type\":\"abort\",\"from");
        let (said, test) = ends(test, "doctor --fix --yes", 0);
        assert!(said.stdout.contains("kept in .sprag/agents/aside/."), "{}", said.stdout);
        assert!(said.stdout.contains("-{\"type\":\"abort\",\"from"), "{}", said.stdout);
        let (poll, test) = ends(test, "agent poll polecat-1", 0);
        assert!(poll.stdout.contains("ABORT from person: an abort that could"), "{}", poll.stdout);
        let (again, _) = ends(test, "doctor --fix --yes", 0);
        assert_eq!(again.stdout, "nothing that --fix can mend\n");
    }
}

#[test]
fn a_nudge_that_cannot_be_read_is_unknown_and_not_none() {
    let latest = |agent: &str| format!(".chipset/state/nudge/{agent}/latest.json");
    for torn in ["{\"from\": \"wit", "", "[]", "{\"from\":7}"] {
        let test = Test::of(SPRAG).file(latest("polecat-1"), torn).file(latest("polecat-2"), torn);
        let test = test.file(".chipset/state/nudge/polecat-3.json", "{}");
        let (one, test) = ends(test, "agent nudge ls polecat-1", 9);
        assert!(one.stderr.contains(&latest("polecat-1")), "{torn}: {}", one.stderr);
        let (board, test) = ends(test, "agent ls", 9);
        for agent in ["polecat-1", "polecat-2"] {
            assert!(board.stdout.contains(&latest(agent)), "{torn}: {}", board.stdout);
        }
        assert!(!board.stdout.contains("polecat-3"), "{}", board.stdout);
        let (_, test) = ends(test, "agent nudge send polecat-1 alive? --as witness", 9);
        assert_eq!(test.env.read(latest("polecat-1")).as_deref(), Some(torn), "it is unknown");
        let (_, test) = ends(test, "doctor --fix --yes", 0);
        let (none, test) = ends(test, "agent nudge ls polecat-1", 0);
        assert_eq!(none.stdout, "no nudges for polecat-1\n");
        let files = test.env.files();
        let aside = files.iter().filter(|file| file.contains("/aside/")).count();
        assert_eq!(aside, 2, "each is kept: {files:?}");
    }
}

#[test]
fn a_torn_assignment_is_kept_aside_and_comes_back_as_it_was_known() {
    let (_, test) = ends(Test::of(SPRAG), "agent set polecat-1 gt-1 --title One --as mayor", 0);
    let path = ".chipset/state/hooks/polecat-1.json";
    let whole = test.env.read(path).unwrap();
    let test = test.file(path, &whole[..40]);
    let (_, test) = ends(test, "agent poll polecat-1", 9);
    ends(Test::of(SPRAG), "doctor --fix --yes", 4);
    let (mended, test) = ends(test, "doctor --fix --yes --plain", 0);
    assert!(mended.stdout.contains("will keep .chipset/state/hooks/polecat-1.json aside"));
    assert!(mended.stdout.contains("+  \"status\": \"pending\","), "{}", mended.stdout);
    assert_eq!(test.env.read(path).unwrap(), whole);
    let files = test.env.files();
    let aside: Vec<_> = files.iter().filter(|file| file.contains("/aside/")).collect();
    assert_eq!(test.env.read(aside[0]).unwrap(), whole[..40]);
    ends(test, "agent activate polecat-1 --as polecat-1", 0);
}

#[test]
fn an_assignment_that_was_deleted_is_unknown_and_can_be_put_back() {
    let (_, test) = ends(Test::of(SPRAG), "agent set polecat-1 gt-1 --title One --as mayor", 0);
    let path = ".chipset/state/hooks/polecat-1.json";
    let whole = test.env.read(path).unwrap();
    test.env.remove(path);
    let (gone, test) = ends(test, "agent set polecat-1 gt-2 --title Two --as mayor", 9);
    assert!(gone.stderr.contains("it is missing, and it held `pending gt-1`"), "{}", gone.stderr);
    let (_, test) = ends(test, "doctor --fix --yes", 0);
    assert_eq!(test.env.read(path).unwrap(), whole);
}

#[test]
fn a_full_queue_of_nudges_drops_its_oldest_and_says_so() {
    let mut test = Test::of(SPRAG).set("SPRAG_TEST_IDS", "");
    for _ in 0..52 {
        test = ends(test, "agent nudge send polecat-1 alive? --as witness", 0).1;
    }
    let (all, _) = ends(test, "agent nudge ls polecat-1", 0);
    assert_eq!(all.stdout.lines().count(), 51, "{}", all.stdout);
    assert!(all.stdout.ends_with("2 were dropped: too many waited\n"), "{}", all.stdout);
}

#[test]
fn a_watch_with_nothing_to_do_writes_nothing() {
    let theirs = "{\"agent_id\":\"polecat-1\",\"status\":\"active\",\
                  \"work_item\":{\"bead_id\":\"gt-1\",\"title\":\"One\"}}";
    let test = Test::of(SPRAG).file(".chipset/state/hooks/polecat-1.json", theirs);
    let (_, test) = ends(test, "agent watch --once", 0);
    // The clock of this world is behind the files, which is noted once.
    let (_, test) = ends(test, "agent watch --once", 0);
    let (first, test) = ends(test, "status --json", 0);
    let (_, test) = ends(test, "agent watch --once", 0);
    let (second, _) = ends(test, "status --json", 0);
    let seq =
        |output: &Output| serde_json::from_str::<Value>(&output.stdout).unwrap()["seq"].clone();
    assert_eq!(seq(&first), seq(&second));
    assert_ne!(seq(&first), 0, "another process had made it active");
}
