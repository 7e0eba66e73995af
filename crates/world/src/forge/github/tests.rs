use std::ffi::OsString;
use std::time::Duration;

use serde_json::{Value, json};
use sprag_core::pr::{Light, ReviewTurn, compute};
use sprag_testkit::gh::Gh;

use super::*;

/// A folder with a scripted `gh`.
struct ScriptedForge {
    folder: tempfile::TempDir,
    gh: Gh,
    environment: Vec<(OsString, OsString)>,
}

impl ScriptedForge {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let gh = Gh::at(&folder.path().join("bin"));
        let environment = vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())];
        gh.serve("pr-list", "[{\"number\":7}]");
        Self { folder, gh, environment }
    }

    fn ask<T>(&self, ask: impl Fn(&GitHub<'_>) -> T) -> T {
        let program = self.gh.program();
        ask(&GitHub {
            program: &program,
            folder: self.folder.path(),
            environment: &self.environment,
            repository: Repository::of_remote("git@github.com:acme/we.b.git").unwrap(),
            head: Some("bbb".to_owned()),
            tree: Some("ttt".to_owned()),
            owner: None,
            known: None,
            limit: Duration::from_secs(20),
            pause: Duration::ZERO,
            stop: None,
        })
    }

    fn asked(&self, key: &str) -> usize {
        self.gh.calls().iter().filter(|call| call.starts_with(key)).count()
    }
}

fn review(id: &str, at: Option<&str>, body: &str, minimized: bool, author: Option<&str>) -> Value {
    let author = author.map(|login| json!({ "login": login }));
    let commit =
        json!({ "oid": format!("c-{id}"), "parents": { "nodes": [{ "oid": format!("p-{id}") }] } });
    let reason = minimized.then_some("RESOLVED");
    json!({ "id": id, "body": body, "submittedAt": at, "isMinimized": minimized,
            "minimizedReason": reason, "author": author, "commit": commit })
}

/// Builds a page; `more` is the cursor for further reviews.
fn page(reviews: &[Value], comments: &[Value], checks: &[Value], more: Option<&str>) -> String {
    let end = |next: Option<&str>| json!({ "hasNextPage": next.is_some(), "endCursor": next });
    let thread = json!({ "id": "T1", "path": "a.rs", "line": 3, "isResolved": false,
        "isCollapsed": false, "comments": { "nodes": [{ "id": "x", "body": "why?",
        "createdAt": "2026-01-01T10:00:00Z", "author": null }] } });
    let hidden = json!({ "id": "T2", "path": "b.rs", "line": null, "isResolved": true,
        "isCollapsed": true, "comments": { "nodes": [] } });
    let threads = if more.is_some() { vec![thread, hidden] } else { vec![] };
    json!({ "data": { "repository": { "pullRequest": {
        "title": "t", "body": "one\r\ntwo", "baseRefName": "main", "headRefOid": "bbb",
        "reviewDecision": "", "author": { "login": "ann" },
        "reviews": { "pageInfo": end(more), "nodes": reviews },
        "reviewThreads": { "pageInfo": end(None), "nodes": threads },
        "comments": { "pageInfo": end(None), "nodes": comments },
        "commits": { "nodes": [{ "commit": { "oid": "bbb", "statusCheckRollup": { "contexts": {
            "pageInfo": end(None), "nodes": checks } } } }] } } } } })
    .to_string()
}

#[test]
fn a_pull_request_is_read_over_all_its_pages() {
    let world = ScriptedForge::new();
    let first = [
        review("R1", Some("2026-01-01T10:00:00Z"), "old", true, Some("rev")),
        review("R2", None, "not sent", false, Some("rev")),
    ];
    let second = [review("R3", Some("2026-01-02T10:00:00Z"), "# Round 2\n\nx", false, None)];
    let comment = json!({ "id": "C1", "body": "done", "createdAt": "2026-01-03T00:00:00Z", "author": { "login": "ann" } });
    let early = json!({ "id": "C0", "body": "hi", "createdAt": "2026-01-01T00:00:00Z", "author": { "login": "ann" } });
    let checks = [
        json!({ "__typename": "CheckRun", "name": "unit", "status": "COMPLETED",
            "conclusion": "SUCCESS", "detailsUrl": "https://h/actions/runs/101/job/5", "isRequired": true,
            "checkSuite": { "workflowRun": { "workflow": { "name": "CI" } } } }),
        json!({ "__typename": "StatusContext", "context": "ci/ext", "state": "PENDING",
            "targetUrl": "https://e", "isRequired": false }),
    ];
    world.gh.serve("api-graphql.1", &page(&first, &[early, comment], &checks, Some("CUR")));
    world.gh.serve("api-graphql.2", &page(&second, &[], &[], None));
    let pull = world.ask(|github| github.pull("topic")).unwrap().unwrap();
    assert!(world.gh.calls()[2].contains("reviews=CUR"), "{:?}", world.gh.calls());
    assert_eq!((pull.number, pull.review_count), (7, 2));
    assert_eq!(pull.description.as_deref(), Some("one\ntwo"));
    assert_eq!(pull.reviews.len(), 1, "neither the minimised nor the draft");
    assert_eq!(pull.minimized.as_ref().unwrap().id.as_deref(), Some("R1"));
    assert_eq!(pull.reviewed_commit.as_deref(), Some("p-R3"));
    assert_eq!((pull.comments.len(), pull.historical.len(), pull.threads.len()), (1, 1, 1));
    assert_eq!(pull.decision, None);
    assert_eq!(pull.checks[1].light(), Light::Pending);
    assert_eq!(
        compute(&pull).turn,
        ReviewTurn::Review,
        "a check that is not required holds nothing up"
    );
    assert!(world.gh.calls()[0].contains("-R acme/we.b --head topic"));
}

#[test]
fn a_moment_of_trouble_is_tried_again_and_more_of_it_is_an_error() {
    let world = ScriptedForge::new();
    for call in ["api-graphql.1", "api-graphql.2"] {
        world.gh.fail(call, 1, "HTTP 502: bad gateway");
    }
    world.gh.serve("api-graphql", &page(&[], &[], &[], None));
    assert!(world.ask(|github| github.pull("topic")).is_ok());
    assert_eq!(world.asked("api graphql"), 3);
    world.gh.fail("api-graphql", 1, "HTTP 502: bad gateway\nmore");
    let down = ForgeError::Down { said: "HTTP 502: bad gateway".to_owned() };
    assert_eq!(world.ask(|github| github.pull("topic")), Err(down));
    assert_eq!(world.asked("api graphql"), 6);
}

#[test]
fn whatever_goes_wrong_has_a_reason() {
    let world = ScriptedForge::new();
    let why = || world.ask(|github| github.pull("topic")).unwrap_err().to_string();
    world.gh.fail("pr-list", 4, "");
    assert!(why().ends_with("gh` exited with 4 and no message"), "{}", why());
    world.gh.fail("pr-list", 4, "\n  \nno such host\n");
    assert_eq!(why(), "it could not be asked: no such host");
    world.gh.run("pr-list", "kill -9 $$");
    assert!(why().contains("signal 9 ended `"), "{}", why());
    world.gh.run("pr-list", "echo '[{\"number\":7}]'");
    for (kind, said) in [("RATE_LIMITED", "for a while: it is an"), ("", "understood: it is an")] {
        let answer = json!({ "errors": [{ "type": kind, "message": "" }] });
        world.gh.serve("api-graphql", &answer.to_string());
        assert!(why().ends_with(&format!("{said} error")), "{}", why());
    }
}

#[test]
fn what_does_not_get_better_by_asking_is_not_asked_again() {
    for (complaint, limited) in [
        ("API rate limit exceeded for user ID 1.", true),
        ("To get started with GitHub CLI, please run:  gh auth login", false),
    ] {
        let world = ScriptedForge::new();
        world.gh.fail("pr-list", 4, complaint);
        match world.ask(|github| github.pull("topic")) {
            Err(ForgeError::RateLimited { .. }) => assert!(limited),
            Err(ForgeError::NotLoggedIn { .. }) => assert!(!limited),
            other => panic!("{other:?}"),
        }
        assert_eq!(world.gh.calls().len(), 1);
    }
}

#[test]
fn a_forge_that_dawdles_is_not_waited_for() {
    let world = ScriptedForge::new();
    world.gh.dawdle("pr-list");
    let limit = Duration::from_millis(300);
    let slow = world.ask(|github| GitHub { limit, ..github.clone() }.pull("topic"));
    assert_eq!(slow, Err(ForgeError::Slow { limit }));
}

#[test]
fn odd_answers_and_a_missing_program_are_said() {
    let world = ScriptedForge::new();
    world.gh.serve("api-graphql", "{\"errors\":[{\"message\":\"no such thing\"}]}");
    let odd = world.ask(|github| github.pull("topic")).unwrap_err();
    assert!(odd.to_string().contains("no such thing"), "{odd}");
    world.gh.serve("api-graphql", "{}");
    assert!(matches!(world.ask(|github| github.pull("t")), Err(ForgeError::Odd { .. })));
    world.gh.serve("pr-list", "[]");
    assert_eq!(world.ask(|github| github.pull("topic")), Ok(None));
    let missing = world.ask(|github| GitHub { program: "/no/gh", ..github.clone() }.pull("t"));
    assert!(matches!(missing, Err(ForgeError::Missing { .. })));
}

#[test]
fn a_post_is_only_a_comment_and_is_found_by_its_marker() {
    let world = ScriptedForge::new();
    let comment = json!({ "id": "C1", "body": "x <!-- m1 -->", "createdAt": "2026-01-03T00:00:00Z", "author": null });
    world.gh.serve("api-graphql", &page(&[], &[comment], &[], None));
    assert_eq!(world.ask(|github| github.has(7, "<!-- m1 -->")), Ok(true));
    assert_eq!(world.ask(|github| github.has(7, "<!-- m2 -->")), Ok(false));
    world.ask(|github| github.post(7, Post::Review, "a\nb")).unwrap();
    world.ask(|github| github.post(7, Post::Comment, "c")).unwrap();
    let posts = [("review".to_owned(), "a\nb".to_owned()), ("comment".to_owned(), "c".to_owned())];
    assert_eq!(world.gh.posts(), posts);
    let calls = world.gh.calls();
    assert_eq!(calls[calls.len() - 2], "pr review 7 -R acme/we.b --comment --body-file -");
    assert_eq!(calls[calls.len() - 1], "pr comment 7 -R acme/we.b --body-file -");
    world.gh.fail("pr-review", 1, "HTTP 502");
    assert!(world.ask(|github| github.post(7, Post::Review, "d")).is_err());
    assert_eq!(world.asked("pr review"), 2, "a post that may have arrived is not tried again");
}

#[test]
fn remotes_are_read_in_all_their_forms() {
    let of = |url: &str| Repository::of_remote(url).map(|found| found.to_string());
    for url in [
        "git@github.com:acme/we.b.git",
        "https://github.com/acme/we.b",
        "https://token@github.com/acme/we.b.git/",
        "ssh://git@github.com:22/acme/we.b.git",
    ] {
        assert_eq!(of(url).as_deref(), Ok("acme/we.b"), "{url}");
    }
    assert_eq!(of("git@github-work:acme/we.b.git").as_deref(), Ok("acme/we.b"));
    assert_eq!(of("git@git.corp.example:a/b.git").as_deref(), Ok("git.corp.example/a/b"));
    for url in
        ["", "/srv/git/x.git", "github.com", "git@github.com:-x/y", "https://github.com/a/b c"]
    {
        assert!(of(url).is_err(), "{url}");
    }
}

#[test]
fn a_flood_a_colour_and_another_host_do_not_mislead() {
    let world = ScriptedForge::new();
    world.gh.run("pr-list", "yes '[' | head -c 80000000");
    let flood = world.ask(|github| github.pull("topic")).unwrap_err();
    assert!(flood.to_string().contains("larger"), "{flood}");
    let mut world = ScriptedForge::new();
    for name in ["GH_HOST", "GH_REPO", "GH_FORCE_TTY"] {
        world.environment.push((name.into(), "evil".into()));
    }
    world.gh.run("pr-list", "echo \"[{\\\"number\\\":7$GH_HOST$GH_REPO$GH_FORCE_TTY}]\"");
    world.gh.serve("api-graphql", &page(&[], &[], &[], None));
    assert_eq!(world.ask(|github| github.pull("topic")).unwrap().unwrap().number, 7);
}

#[test]
fn a_program_that_hangs_with_its_output_closed_is_ended_with_all_it_started() {
    let world = ScriptedForge::new();
    let child = "sh -c 'echo $$ > child; exec sleep 60' & until [ -s child ]; do :; done";
    world.gh.run("pr-list", &format!("exec >&- 2>&-; {child}; sleep 60"));
    let limit = Duration::from_secs(2);
    let slow = world.ask(|github| GitHub { limit, ..github.clone() }.once(&["pr", "list"], &[]));
    assert_eq!(slow.err(), Some(ForgeError::Slow { limit }));
    let child = std::fs::read_to_string(world.folder.path().join("bin/child")).unwrap();
    let child = child.trim().parse().unwrap();
    assert!(!crate::process::is_running(child), "it is ended, too");
}

#[test]
fn a_program_that_writes_is_told_from_a_person_and_marks_of_others_count_for_nothing() {
    let world = ScriptedForge::new();
    let bot = json!({ "id": "C1", "body": "m1", "createdAt": "2026-01-03T00:00:00Z",
        "viewerDidAuthor": false, "author": { "__typename": "Bot", "login": "ci" } });
    let own = review("R1", Some("2026-01-02T10:00:00Z"), "m2", false, Some("rev"));
    let mut others = review("R2", Some("2026-01-02T11:00:00Z"), "m2", false, Some("eve"));
    others["viewerDidAuthor"] = json!(false);
    let page = page(&[own, others], &[bot], &[], None);
    world.gh.serve("api-graphql", &page);
    let pull = world.ask(|github| github.pull("topic")).unwrap().unwrap();
    assert_eq!(pull.comments[0].author.as_deref(), Some("ci[bot]"));
    assert_eq!(pull.answers().count(), 0);
    assert_eq!(world.ask(|github| github.has(7, "m1")), Ok(false), "another user wrote it");
    let ids = ["R1", "R2"].map(str::to_owned);
    assert_eq!(world.ask(|github| github.minimize(7, &ids)), Ok(()));
    assert_eq!(world.gh.hidden(), ["R1"], "only our own are hidden");
}

#[test]
fn checks_of_the_commit_before_are_not_those_of_the_head() {
    let world = ScriptedForge::new();
    let check = json!({ "__typename": "CheckRun", "name": "unit", "status": "COMPLETED",
        "conclusion": "SUCCESS" });
    let page = page(&[], &[], &[check], None).replacen("\"oid\":\"bbb\"", "\"oid\":\"aaa\"", 1);
    world.gh.serve("api-graphql", &page);
    let pull = world.ask(|github| github.pull("topic")).unwrap().unwrap();
    assert!(!pull.is_of_head(), "{:?}", pull.forge_head);
    assert_eq!(compute(&pull).turn, ReviewTurn::CiPending);
}

#[test]
fn a_round_is_read_where_the_word_stands_alone_and_logs_are_shortened() {
    let world = ScriptedForge::new();
    let body = "Around here: ROUND 12\n\nx";
    let said = [review("R1", Some("2026-01-02T10:00:00Z"), body, false, None)];
    world.gh.serve("api-graphql", &page(&said, &[], &[], None));
    let pull = world.ask(|github| github.pull("topic")).unwrap().unwrap();
    assert_eq!((pull.review_count, pull.tree.as_deref()), (12, Some("ttt")));
    world.gh.run("run-view", "echo begin; yes x | head -c 300000; printf '\\377end'");
    let log = world.ask(|github| github.log("55")).unwrap();
    assert!(log.starts_with("begin") && log.ends_with("end") && log.len() < 70_000);
}
