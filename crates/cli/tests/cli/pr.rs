//! `sprag pr` and `sprag next pr`: the loop as used by a person and by gitx's scripts.

use serde_json::{Value, json};
use sprag_testkit::gh::Gh;
use sprag_testkit::{Output, Test};

use crate::support::{object, sprag};

const FILE: &str = ".thoughts/pr/metadata.yaml";

const TEXT: &str = "# kept\npr: 7\nauthor: ann\nturn: REVIEW # whose\napproved: false\n\
                    reviewCount: 0\nlatestReviews: []\nciStatus: []\nreviewLoop:\n  active: true\n  \
                    maxRounds: 5\n  pausedAt: null\n  reviewer: rev\n  developer: dev\n";

/// A repository with a branch and a loop.
fn begun() -> Test {
    repository().file(FILE, TEXT)
}

fn repository() -> Test {
    let test = sprag().git(&["init", "-q", "-b", "topic"]).file("a", "1").git(&["add", "a"]);
    test.git(&["commit", "-qm", "one"])
}

/// Runs `sprag pr meta`; returns its output and its exit code.
fn meta(test: Test, words: &[&str]) -> (String, Option<i32>, Test) {
    let (Output { stdout, stderr, exit }, test) =
        test.run([&["pr", "meta"][..], words].concat()).output();
    (format!("{stdout}{stderr}").trim_end().to_owned(), exit, test)
}

#[test]
fn next_says_who_works_and_why() {
    let (said, exit) = object(begun().run(["next", "pr", "--json"]));
    assert_eq!(exit, Some(0));
    for (key, value) in [
        ("action", json!("run")),
        ("role", json!("reviewer")),
        ("agent", json!("rev")),
        ("storedTurn", json!("REVIEW")),
        ("computedTurn", json!("REVIEW")),
        ("round", json!(0)),
        ("maxRounds", json!(5)),
    ] {
        assert_eq!(said[key], value, "{key}: {said}");
    }
    let (output, _) = begun().run(["next", "pr"]).output();
    let expected = "    Next reviewer rev
    Says turn REVIEW: CI does not block, and a review is due
   Round 0 of 5
    Turn REVIEW is written, REVIEW is what the forge shows
     Why no CI checks
     Why reviewCount=0
";
    assert_eq!(output.stdout, expected);
}

#[test]
fn a_pause_keeps_everything_else_and_a_resume_undoes_it() {
    let test = begun().run(["pr", "pause"]);
    let (said, test) = test.output();
    assert!(said.stdout.starts_with("Loop paused. Resume with: "), "{said:?}");
    let written = test.env.read(FILE).unwrap();
    let stamp = "2026-03-05T10:30:00Z";
    let paused = TEXT
        .replace("pausedAt: null", &format!("pausedAt: \"{stamp}\""))
        .replace("active: true", "active: false");
    assert_eq!(written, format!("{paused}updatedAt: \"{stamp}\"\n"));
    let (output, test) = test.run(["pr", "resume"]).output();
    assert_eq!((output.stdout.as_str(), output.exit), ("the loop goes on\n", Some(0)));
    assert_eq!(output.stderr, "No config file found, using CLI arguments\n");
    let written = test.env.read(FILE).unwrap();
    assert_eq!(written, format!("{TEXT}updatedAt: \"{stamp}\"\n"));
    let over = "the loop is over: not approved after 0 rounds; 0 reviews, 0 comments, 0 open \
                threads\n";
    let test = test.run(["pr", "complete"]).stdout(over).exit(0);
    let (output, _) = test.run(["pr", "resume"]).output();
    assert!(output.stderr.contains("Review loop completed."), "{output:?}");
    assert_eq!(output.exit, Some(1));
}

#[test]
fn an_agent_does_not_let_itself_out() {
    for words in [
        &["pr", "complete"][..],
        &["pr", "pause"],
        &["pr", "meta", "set-approved", "true"],
        &["pr", "meta", "update", "reviewLoop.active", "false"],
        &["pr", "meta", "remove-field", ".approved"],
        &["pr", "meta", "set-resolve-level", "critical"],
        &["pr", "meta", "update", "resolveLevel", "\"critical\""],
        &["pr", "init", "--reviewer", "a", "--developer", "b", "--max-rounds", "100"],
    ] {
        let (output, test) = begun().set("CLAUDECODE", "1").run(words).output();
        assert_eq!(output.exit, Some(3), "{words:?}: {output:?}");
        assert_eq!(test.env.read(FILE).unwrap(), TEXT);
    }
}

#[test]
fn meta_answers_as_the_original_does() {
    let (said, exit, test) = meta(begun(), &["ensure"]);
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!((said["status"].clone(), exit), (json!("ok"), Some(0)));
    let (said, exit, test) = meta(test, &["read", "reviewLoop.maxRounds"]);
    assert_eq!((said.as_str(), exit), ("5", Some(0)));
    let (said, exit, test) = meta(test, &["read", "nothing"]);
    assert_eq!((said.as_str(), exit), ("null", Some(0)));
    for (words, error) in [
        (&["read"][..], "Field name required"),
        (&["update", "a"], "Field and value required"),
        (&["set-resolve-level", "x"], "Invalid resolve level. Use: all, critical, important"),
        (&["set-approved", "x"], "Invalid approved value. Use: true, false"),
    ] {
        let (said, exit, _) = meta(begun(), words);
        assert_eq!((said, exit), (json!({ "error": error }).to_string(), Some(1)));
    }
    for (words, reply) in [
        (&["update", "a.b", "1"][..], json!({ "status": "ok" })),
        (&["remove-field", "a"], json!({ "status": "ok", "removed": "a" })),
        (&["set-approved", "false"], json!({ "status": "ok", "approved": false })),
        (&["set-resolve-level", "all"], json!({ "status": "ok", "resolveLevel": "all" })),
        (&["set-turn", "./", "REVIEW"], json!({ "status": "ok", "turn": "REVIEW" })),
        (&["clear-ci-status"], json!({ "status": "ok", "cleared": "ciStatus" })),
        (&["read", ".", "reviewLoop.maxRounds"], json!(5)),
    ] {
        // The original's scripts pass the folder first.
        let (said, _, _) = meta(begun(), words);
        let said: Value = serde_json::from_str(&said).unwrap();
        assert_eq!(said, reply, "{words:?}");
    }
    for (op, error) in [
        ("set-turn", "Turn value required"),
        ("set-approved", "Approved value required (true/false)"),
        ("set-resolve-level", "Resolve level required"),
    ] {
        let (said, exit, _) = meta(begun(), &[op]);
        assert_eq!((said, exit), (json!({ "error": error }).to_string(), Some(1)));
    }
    let (said, _, test) = meta(test, &["set-turn", "x"]);
    assert!(said.contains("Invalid turn value. Use: "), "{said}");
    let (_, exit, test) = meta(test, &["set-turn", "AUTHOR"]);
    assert_eq!(exit, Some(0));
    let (_, exit, test) = meta(test, &["post-push"]);
    assert_eq!(exit, Some(0));
    let head = test.env.git(&["rev-parse", "HEAD"]);
    let written = test.env.read(FILE).unwrap();
    assert!(written.contains("turn: CI-PENDING # whose") && written.contains(&head), "{written}");
    let (said, exit, _) = meta(repository(), &["ensure"]);
    assert!(said.contains("needs_fetch") && exit == Some(1), "{said}");
    let (said, exit, _) = meta(repository(), &["read", "turn"]);
    assert_eq!(exit, Some(1));
    assert!(said.contains("Metadata not found") && said.contains("\"needs_fetch\":true"), "{said}");
}

#[test]
fn init_asks_the_forge_and_takes_the_configuration() {
    let test = repository().git(&["remote", "add", "origin", "git@github.com:acme/web.git"]);
    let gh = Gh::at(&test.env.top().join("gh"));
    gh.serve("pr-list", "[{\"number\":7}]");
    let none = json!({ "pageInfo": { "hasNextPage": false }, "nodes": [] });
    let pull = json!({ "title": "T", "body": "", "baseRefName": "main", "headRefOid": "x",
        "author": { "login": "ann" }, "reviews": none, "reviewThreads": none, "comments": none,
        "commits": { "nodes": [] } });
    let answer = json!({ "data": { "repository": { "pullRequest": pull } } });
    gh.serve("api-graphql", &answer.to_string());
    let folder = test.env.top().join("gh").display().to_string();
    let path = format!("{folder}:/usr/local/bin:/usr/bin:/bin");
    let config = "version: 1\nreviewer: rev\nprompts:\n  reviewer: Be strict.\n";
    let test = test.set("PATH", &path).file(".config/review-loop/config.yaml", config);
    let (output, test) = test.run(["pr", "init"]).output();
    assert!(output.stderr.contains("Using config: ") && output.stderr.contains("`developer`"));
    assert_eq!(output.exit, Some(1));
    let (output, test) =
        test.run(["pr", "init", "--developer", "dev", "--level", "critical"]).output();
    assert_eq!(output.exit, Some(0), "{output:?}");
    let written = test.env.read(FILE).unwrap();
    for line in ["pr: 7", "resolveLevel: critical", "developer: dev", "promptsFile: "] {
        assert!(written.contains(line), "{line}\n{written}");
    }
    assert!(test.env.read(".thoughts/review-loop/prompts.yaml").unwrap().contains("Be strict."));
    gh.fail("pr-list", 1, "HTTP 503");
    let (output, test) = test.run(["pr", "refresh"]).output();
    assert_eq!((output.exit, test.env.read(FILE).unwrap()), (Some(1), written));
}

#[test]
fn a_folder_without_git_is_refused() {
    let (output, _) = sprag().run(["pr", "status", "--worktree", "."]).output();
    assert!(output.stderr.contains("Error: '.' is not a git repository"), "{output:?}");
    assert_eq!(output.exit, Some(2));
}

/// A repository with a forge that has a pull request with 200 long reviews.
fn with_forge(test: Test) -> (Gh, Test) {
    let test = test.git(&["remote", "add", "origin", "git@github.com:acme/web.git"]);
    let gh = Gh::at(&test.env.top().join("gh"));
    gh.serve("pr-list", "[{\"number\":7}]");
    gh.serve("run-view", "boom\n");
    let head = test.env.git(&["rev-parse", "HEAD"]);
    let list = |nodes: Value| json!({ "pageInfo": { "hasNextPage": false }, "nodes": nodes });
    let reviews: Vec<Value> = (0..200)
        .map(|at| {
            json!({ "id": format!("R{at}"), "body": "\u{1b}[31mx\n".repeat(12_000),
            "submittedAt": "2026-01-01T00:00:00Z", "author": null })
        })
        .collect();
    let check = json!([{ "__typename": "CheckRun", "name": "unit / a", "status": "COMPLETED",
        "conclusion": "FAILURE", "detailsUrl": "https://h/actions/runs/55/job/1" }]);
    let pull = json!({ "title": "T", "body": "one\r\ntwo", "baseRefName": "main",
        "headRefOid": head, "author": { "login": "ann" }, "reviews": list(json!(reviews)),
        "reviewThreads": list(json!([])), "comments": list(json!([])), "commits": { "nodes": [
        { "commit": { "oid": head, "statusCheckRollup": { "contexts": list(check) } } }] } });
    let answer = json!({ "data": { "repository": { "pullRequest": pull } } });
    gh.serve("api-graphql", &answer.to_string());
    let folder = test.env.top().join("gh").display().to_string();
    (gh, test.set("PATH", &format!("{folder}:/usr/local/bin:/usr/bin:/bin")))
}

#[test]
fn a_flood_of_reviews_is_kept_readable_and_what_failed_is_kept() {
    let (_, test) = with_forge(repository());
    let words = ["pr", "init", ".", "<reviewer>rev</reviewer><developer>dev</developer>"];
    let (output, test) = test.run(words).output();
    assert_eq!(output.exit, Some(0), "{output:?}");
    let written = test.env.read(FILE).unwrap();
    assert!(written.len() < 1 << 20, "{}", written.len());
    assert!(written.contains("description: |-\n  one\n  two\n"), "a text of lines is a block");
    assert_eq!(test.env.read(".thoughts/pr/ci/unit___a.55.log").as_deref(), Some("boom\n"));
    let (output, test) = test.run(["check"]).output();
    assert_eq!(output.exit, Some(0), "{output:?}");
    let (output, _) = test.run(["pr", "refresh"]).output();
    assert_eq!(output.stdout, "pull request #7 is as the forge says\n", "{output:?}");
}

#[test]
fn a_dry_run_shows_what_would_change_and_changes_nothing() {
    let (gh, test) = with_forge(begun());
    let mut test = test;
    for words in [&["pr", "pause", "--dry-run"][..], &["pr", "refresh", "--dry-run"]] {
        let (output, after) = test.run(words).output();
        test = after;
        assert!(output.stdout.contains("would change .thoughts/pr/metadata.yaml"), "{output:?}");
        assert!(output.stdout.ends_with("nothing was posted and nothing was written\n"));
    }
    assert_eq!(test.env.read(FILE).unwrap(), TEXT);
    assert_eq!(gh.posts(), []);
}

#[test]
fn a_file_that_is_wrong_is_checked_with_its_place() {
    let text = "pr: 7\nturn: SIDEWAYS\nreviewLoop:\n  active: maybe\n";
    let (output, _) = repository().file(FILE, text).run(["check"]).output();
    assert_eq!(output.exit, Some(6), "{output:?}");
    assert!(output.stdout.contains("metadata.yaml:4:11"), "{output:?}");
    let text = "pr: 7\nturn: SIDEWAYS # odd\n";
    let (output, _) = repository().file(FILE, text).run(["check", FILE]).output();
    assert!(output.stdout.contains("metadata.yaml:2:7"), "{output:?}");
    assert_eq!(output.exit, Some(6), "{output:?}");
}

#[test]
fn a_loop_below_is_found_and_several_are_named() {
    let below = |name: &str| format!("trees/{name}/{FILE}");
    let paused = TEXT.replace("pausedAt: null", "pausedAt: \"2026-01-01T00:00:00Z\"");
    let test = repository().file(below("a"), &paused);
    test.env.let_own(&test.env.project().join("trees/a"));
    let (output, test) = test.run(["pr", "resume"]).output();
    assert_eq!(output.stdout, "the loop goes on\n", "{output:?}");
    let (output, _) = test.file(below("b"), &paused).run(["pr", "resume"]).output();
    assert!(output.stderr.contains("trees/a") && output.stderr.contains("trees/b"), "{output:?}");
    assert_eq!(output.exit, Some(3));
}
