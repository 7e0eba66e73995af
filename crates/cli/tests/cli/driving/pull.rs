//! `sprag run pr` with a scripted forge: a missing push is neither worked on nor called done.

use sprag_testkit::gh::Gh;

use super::{Ran, World};

/// A loop that polls every second, and does not wait for checks to begin.
const LOOP: &str = "pr: 7\nauthor: ann\nturn: REVIEW\napproved: false\nreviewCount: 0\n\
                    latestReviews: []\nciStatus: []\nreviewLoop:\n  active: true\n  maxRounds: 5\n  \
                    pausedAt: null\n  reviewer: rev\n  developer: dev\n  ciWait:\n    grace: 0\n    \
                    timeout: 60\n    poll: 1\n";

/// Answers as a forge whose branch is the pushed one.
const PULL: &str = r#"head=$(git --git-dir ../forge.git rev-parse refs/heads/topic)
none='{"pageInfo":{"hasNextPage":false},"nodes":[]}'
printf '{"data":{"repository":{"pullRequest":{"title":"T","body":"","baseRefName":"main",'
printf '"headRefOid":"%s","author":{"login":"ann"},"reviews":%s,' "$head" "$none"
printf '"reviewThreads":%s,"comments":%s,"commits":{"nodes":[' "$none" "$none"
[ ! -s ../red ] || printf '{"commit":{"oid":"%s","statusCheckRollup":{"contexts":%s}}}' "$head" \
'{"pageInfo":{"hasNextPage":false},"nodes":[{"__typename":"CheckRun","name":"unit","status":"COMPLETED","conclusion":"FAILURE"}]}'
printf ']}}}}}'
"#;

/// Creates a pushed branch with a loop, and its forge.
pub(super) fn pull(agent: &str) -> (World, Gh) {
    let mut world = World::new(agent);
    let bare = world.env.top().join("forge.git").display().to_string();
    world.env.write(".gitignore", ".sprag\n.thoughts\n");
    for words in [
        &["checkout", "-qb", "topic"][..],
        &["add", "."],
        &["commit", "-qm", "topic"],
        &["init", "-q", "--bare", &bare],
        &["remote", "add", "origin", "git@github.com:acme/web.git"],
        &["config", "remote.origin.pushurl", &bare],
        &["push", "-q", "origin", "topic"],
    ] {
        world.env.git(words);
    }
    let gh = Gh::at(&world.env.top().join("gh"));
    gh.serve("pr-list", "[{\"number\":7}]");
    gh.run("api-graphql", PULL);
    let path = format!("{}:/usr/local/bin:/usr/bin:/bin", world.env.top().join("gh").display());
    world.env.set("PATH", &path);
    world.env.write(".thoughts/pr/metadata.yaml", LOOP);
    (world, gh)
}

/// Asserts that a run is held for a person, with the command that resumes it.
fn is_held(world: &World, ran: &Ran, why: &str) {
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.exit, Some(3), "{said}");
    assert!(said.contains(why) && said.contains("sprag resume r-"), "{said}");
    let status = world.sprag(&["status"]).stdout;
    assert!(status.contains(why) && status.contains("sprag resume r-"), "{status}");
}

const PASSES: &str = "echo 'VERDICT: pass' > .thoughts/pr/review.md; echo reviewed";

#[test]
fn nobody_begins_while_the_forge_is_not_reached() {
    let (world, gh) = pull(PASSES);
    gh.fail("pr-list", 1, "HTTP 401: Bad credentials");
    let ran = world.sprag(&["run", "pr"]);
    is_held(&world, &ran, "could not be reached");
    assert_eq!((world.turns(), gh.posts().len()), (0, 0), "{}", ran.stdout);
    assert_eq!(world.env.read(".thoughts/pr/metadata.yaml").as_deref(), Some(LOOP));
}

#[test]
fn a_loop_whose_last_review_was_not_posted_is_not_done() {
    let (world, gh) = pull(PASSES);
    gh.fail("pr-review", 1, "HTTP 401: Bad credentials");
    let ran = world.sprag(&["run", "pr"]);
    is_held(&world, &ran, "could not be reached");
    assert_eq!((world.turns(), gh.posts().len()), (1, 0), "{}", ran.stdout);
    gh.mend("pr-review");
    let ran = world.sprag(&["resume", &world.run()]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!((world.turns(), gh.posts().len()), (1, 1), "{}", ran.stdout);
}

/// Has a finding in the first review only; `$does` is the developer's action.
const REVIEWED: &str = r#"case "$prompt" in
Review*) if [ -e ../seen ]; then echo 'VERDICT: pass' > .thoughts/pr/review.md
  else touch ../seen; printf 'VERDICT: issues\n- [important] a:1: bad\n' > .thoughts/pr/review.md; fi;;
*) echo fixed >> code.txt; echo fixed > .thoughts/pr/response.md"#;

fn developer(does: &str) -> String {
    format!("{REVIEWED}; {does};;\nesac\necho done")
}

#[test]
fn an_answer_counts_once_the_pull_request_has_it() {
    for words in [&["run", "pr"][..], &["run", "pr", "--agents", "2"]] {
        let (world, gh) = pull(&developer("git commit -qam fix; git push -q origin topic"));
        let ran = world.sprag(words);
        assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
        let heads = gh.posts().into_iter().map(|(_, text)| text.lines().next().unwrap().to_owned());
        let answer = "# Addressed PR feedback Review Round 1";
        assert_eq!(heads.collect::<Vec<_>>(), ["# Round 1", answer, "# Round 2"]);
    }
}

#[test]
fn a_developer_that_changes_what_its_ci_runs_is_sent_back_and_then_waits_for_a_person() {
    let ci = ".github/workflows/ci.yml";
    let weaken =
        format!("echo 'on: push # nothing' > {ci}; git commit -qam fix; git push -q origin topic");
    let (world, gh) = pull(&developer(&weaken));
    world.env.write(ci, "on: push\njobs: {test: {steps: [{run: make test}]}}\n");
    for words in [&["add", "."][..], &["commit", "-qm", "ci"], &["push", "-q", "origin", "topic"]] {
        world.env.git(words);
    }
    let (object, exit) = world.json(&["run", "pr"]);
    assert_eq!(exit, Some(3), "{object}");
    assert!(object["why"].as_str().unwrap().contains(ci), "{object}");
    assert_eq!(object["proven"], false, "{object}");
    let approved = gh.posts().iter().any(|(_, text)| text.contains("# Round 2"));
    assert!(!approved, "no review begins again before a person agrees");
    assert_eq!(world.json(&["report"]).0["doubts"][0]["path"], ci);
}

#[test]
fn a_pull_request_from_a_fork_stays_this_folders_when_its_head_moves() {
    let (world, gh) = pull(&developer("git commit -qam fix; git push -q origin topic"));
    let list = r#"head=$(git --git-dir ../forge.git rev-parse refs/heads/topic)
printf '[{"number":7,"isCrossRepository":true,"headRefOid":"%s"}]' "$head""#;
    gh.run("pr-list", list);
    let ran = world.sprag(&["run", "pr"]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!((world.turns(), gh.posts().len()), (3, 3), "{}", ran.stdout);
}

#[test]
fn the_pull_request_is_the_one_from_where_the_branch_is_pushed_to_and_nobody_guesses() {
    let (world, gh) = pull(PASSES);
    world.env.write(".thoughts/pr/metadata.yaml", LOOP.replace("pr: 7", "pr: 3"));
    let two = r#"[{"number":9,"isCrossRepository":true,"headRepositoryOwner":{"login":"ann"}},
        {"number":7,"isCrossRepository":false,"headRepositoryOwner":{"login":"acme"}},
        {"number":8,"isCrossRepository":false,"headRepositoryOwner":{"login":"acme"}}]"#;
    gh.serve("pr-list", two);
    let said = world.sprag(&["pr", "refresh"]);
    assert!(said.stderr.contains("could be meant: #7, #8; close all but one"), "{}", said.stderr);
    world.env.git(&["remote", "add", "fork", "https://github.com/ann/web.git"]);
    world.env.git(&["config", "branch.topic.pushRemote", "fork"]);
    let said = world.sprag(&["pr", "refresh"]);
    assert_eq!(said.exit, Some(0), "{}", said.stderr);
    let metadata = world.env.read(".thoughts/pr/metadata.yaml").unwrap();
    assert!(metadata.starts_with("pr: 9\n"), "{metadata}");
}

#[test]
fn what_is_not_committed_or_not_pushed_is_neither_announced_nor_approved() {
    for (does, why) in [("true", "not committed: code.txt"), ("git commit -qam fix", "not pushed")]
    {
        let (world, gh) = pull(&developer(does));
        // The grace period for checks does not matter: nothing comes of a missing push.
        world.env.write(".thoughts/pr/metadata.yaml", LOOP.replace("grace: 0", "grace: 50"));
        let ran = world.sprag(&["run", "pr"]);
        is_held(&world, &ran, why);
        assert!(ran.stdout.contains(&format!("Refused response/1  {why}")), "{}", ran.stdout);
        assert!(!ran.stdout.contains("Waiting"), "{}", ran.stdout);
        assert_eq!((world.turns(), gh.posts().len()), (3, 1), "{}", ran.stdout);
        assert!(world.told(3).contains(why), "{}", world.told(3));
        let metadata = world.env.read(".thoughts/pr/metadata.yaml").unwrap();
        assert!(metadata.contains("approved: false"), "{metadata}");
        // A person does the missing part, and no agent answers again.
        if does == "true" {
            world.env.git(&["commit", "-qam", "fix"]);
        }
        world.env.git(&["push", "-q", "origin", "topic"]);
        // There are no checks, and after a push they are awaited for the grace period.
        let metadata = world.env.read(".thoughts/pr/metadata.yaml").unwrap();
        let hurried = metadata.replace("grace: 50", "grace: 0");
        assert_ne!(metadata, hurried);
        world.env.write(".thoughts/pr/metadata.yaml", &hurried);
        let ran = world.sprag(&["resume", &world.run()]);
        assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
        assert_eq!((world.turns(), gh.posts().len()), (4, 3), "{}", ran.stdout);
    }
}

#[test]
fn a_reviewer_who_changes_the_files_has_reviewed_nothing() {
    let does =
        format!("echo evil >> code.txt; git commit -qam evil; git push -q origin topic; {PASSES}");
    let (world, gh) = pull(&does);
    let ran = world.sprag(&["run", "pr"]);
    is_held(&world, &ran, "the files changed while they were reviewed");
    assert_eq!((world.turns(), gh.posts().len()), (2, 0), "{}", ran.stdout);
    assert!(ran.stdout.contains("Refused review/1  the files changed"), "{}", ran.stdout);
}

#[test]
fn each_part_is_done_by_whom_the_loop_names() {
    let does = developer("echo dev >> ../who; git commit -qam fix; git push -q origin topic");
    let (world, _) = pull(&does);
    let says = "echo rev >> ../who; if [ -e ../seen ]; then echo 'VERDICT: pass'\n\
                else touch ../seen; printf 'VERDICT: issues\\n- [important] a:1: bad\\n'; fi";
    let reviewer = World::agent(&world.env, "rev.sh", says);
    let named = LOOP.replace(": rev\n", ": rev.sh\n").replace(": dev\n", ": agent.sh\n");
    world.env.write(".thoughts/pr/metadata.yaml", named);
    let host = world.host();
    let ran = world.sprag(&["run", "pr", "--host", &host, "--or", &reviewer, "--yes"]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(world.env.read("../who").as_deref(), Some("rev\ndev\nrev\n"), "{}", ran.stdout);
}

#[test]
fn a_host_that_is_named_and_not_here_is_not_stood_in_for_and_another_name_is_loudly() {
    let (world, gh) = pull(PASSES);
    world.env.write(".thoughts/pr/metadata.yaml", LOOP.replace(": rev\n", ": copilot\n"));
    let ran = world.sprag(&["run", "pr"]);
    is_held(&world, &ran, "`copilot` as reviewer, and it is not here");
    assert_eq!((world.turns(), gh.posts().len()), (0, 0), "{}", ran.stdout);
    let ran = world.sprag(&["pr", "resume", "--reviewer", "rev"]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    let ran = world.sprag(&["run", "pr"]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("agent.sh works as reviewer: `rev` is no host"), "{}", ran.stdout);
}

#[test]
fn checks_that_nobody_mends_are_let_go_on_by_what_really_does() {
    let (world, _) = pull(PASSES);
    world.env.write("../red", "checks fail");
    let ran = world.sprag(&["run", "pr"]);
    is_held(&world, &ran, "no `ciFixer` is set");
    let said = format!("{}{}", ran.stdout, world.sprag(&["status"]).stdout);
    assert!(said.contains("--ci-fixer") && !said.contains("sprag approve"), "{said}");
    world.env.write("../red", "");
    let ran = world.sprag(&["resume", &world.run()]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
}
