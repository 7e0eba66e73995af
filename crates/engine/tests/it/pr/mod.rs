//! A whole review loop with a scripted `gh`, driven by a program that is killed between any two of
//! its steps: the posts are the same, each once.

mod driver;
mod session;
mod together;

use std::process::{Command, Stdio};

use sprag_core::pr::Metadata;
use sprag_engine::pr::{Beginning, ForgeLook, Posting, Refreshed};
use sprag_formats::pr::LoopConfig;
use sprag_testkit::gh::Gh;

use crate::world::World;
use driver::{Driver, End, Story};

/// Creates a repository with a branch, a pull request and a loop.
pub(in crate::pr) fn world() -> World {
    let world = World::new("{}\n");
    let env = &world.env;
    env.write(".gitignore", ".sprag\n.thoughts\n");
    env.git(&["init", "-q", "-b", "topic"]);
    env.git(&["remote", "add", "origin", "git@github.com:acme/web.git"]);
    env.git(&["add", "."]);
    env.git(&["commit", "-q", "-m", "start"]);
    world
}

pub(in crate::pr) fn begun(world: &World, story: Story) {
    let driver = Driver::new(world, story, None);
    driver.sync();
    let engine = world.engine();
    let github = driver.github();
    assert_eq!(engine.review_refresh(&github, "test").unwrap(), Refreshed::Pull(7));
    let mut config = LoopConfig { max_rounds: Some(6), ..LoopConfig::default() };
    config.agents =
        ["rev", "dev", "", "fix"].map(|name| Some(name.to_owned()).filter(|name| !name.is_empty()));
    engine.review_begin(&Beginning { config }).unwrap();
}

pub(in crate::pr) fn known(world: &World) -> sprag_core::pr::PullRecord {
    match world.engine().review_metadata().unwrap() {
        Metadata::Known(known) => *known,
        other @ (Metadata::Missing | Metadata::Failed { .. } | Metadata::NoPr) => {
            panic!("{other:?}")
        }
    }
}

/// Returns the posts without the parts that differ between runs.
pub(in crate::pr) fn posts(world: &World) -> Vec<String> {
    let gh = Gh::at(&world.env.top().join("gh"));
    let first = |(kind, text): (String, String)| {
        format!("{kind}: {}", text.lines().next().unwrap_or_default())
    };
    gh.posts().into_iter().map(first).collect()
}

pub(in crate::pr) const WHOLE: [&str; 3] =
    ["review: # Round 1", "comment: # Addressed PR feedback Review Round 1", "review: # Round 2"];

#[test]
fn red_checks_then_findings_then_an_answer_then_approved() {
    let world = world();
    begun(&world, Story::Good);
    let end = Driver::new(&world, Story::Good, None).drive();
    assert_eq!(end, End::Done);
    assert_eq!(posts(&world), WHOLE);
    let known = known(&world);
    assert!(known.approved && !known.review_loop.unwrap().active);
    assert!(!world.env.project().join(".thoughts/pr/review.md").exists(), "it was taken");
    let log = world.env.read(".thoughts/pr/ci/unit.55.log").unwrap();
    assert_eq!(log, "code.txt: it is wrong\n", "the failure is kept for its fixer");
    let gh = Gh::at(&world.env.top().join("gh"));
    assert_eq!(gh.hidden(), ["N0"], "the answered review is hidden, the approving one is not");
}

/// Acts as the process to be killed, if it was started as that.
fn is_driver() -> bool {
    let Some(top) = std::env::var_os("SPRAG_PR_WORLD") else { return false };
    let steps = std::env::var("SPRAG_PR_STEPS").unwrap().parse().unwrap();
    let world = World::at(top.as_ref());
    assert_eq!(Driver::new(&world, Story::Good, Some(steps)).drive(), End::Done);
    true
}

/// Starts a driver that kills itself after `steps` steps; returns whether it finished.
fn start(world: &World, steps: u32) -> bool {
    let done = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "pr::killed_between_any_two_steps_the_same_is_posted_once"])
        .env("SPRAG_PR_STEPS", steps.to_string())
        .env("SPRAG_PR_WORLD", world.env.top())
        .env_remove("SPRAG_TEST_NOW")
        .env_remove("SPRAG_TEST_IDS")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    done.success()
}

#[test]
fn killed_between_any_two_steps_the_same_is_posted_once() {
    // The same program is the one that is killed.
    if is_driver() {
        return;
    }
    let mut steps = 1;
    loop {
        let world = world();
        begun(&world, Story::Good);
        let came_through = start(&world, steps);
        if !came_through {
            assert!(start(&world, u32::MAX), "after a kill at step {steps}");
        }
        assert_eq!(posts(&world), WHOLE, "killed after step {steps}");
        assert!(known(&world).approved);
        if came_through {
            break;
        }
        steps += 1;
    }
    assert!(steps > 15, "a kill between any two of {steps} steps");
}

#[test]
fn a_driver_killed_again_and_again_still_comes_to_its_end() {
    let world = world();
    begun(&world, Story::Good);
    // Eight steps at a time: fewer than any unit takes from its first look to its post.
    let came = (0..60).any(|_| start(&world, 8));
    assert!(came, "it moves on, however little time it has");
    assert_eq!(posts(&world), WHOLE);
}

#[test]
fn a_reviewer_who_repeats_what_was_refused_is_for_a_person() {
    let world = world();
    begun(&world, Story::Refused);
    let end = Driver::new(&world, Story::Refused, None).drive();
    assert!(matches!(&end, End::Held(why) if why.contains("refused")), "{end:?}");
    assert!(!known(&world).approved);
}

#[test]
fn a_developer_who_changes_nothing_makes_no_progress() {
    let world = world();
    begun(&world, Story::Idle);
    let end = Driver::new(&world, Story::Idle, None).drive();
    assert!(
        matches!(&end, End::Held(why) if why.contains("neither dealt with nor refused")),
        "{end:?}"
    );
}

#[test]
fn no_checks_after_a_push_are_waited_for() {
    let world = world();
    begun(&world, Story::NoChecks);
    let end = Driver::new(&world, Story::NoChecks, None).drive();
    assert_eq!(end, End::Waits, "none at all right after a push is unknown, not green");
    assert_eq!(known(&world).turn.as_deref(), Some("CI-PENDING"));
}

#[test]
fn a_forge_that_goes_down_leaves_the_file_and_is_for_a_person() {
    let world = world();
    begun(&world, Story::Good);
    let run = world.engine().review_run("test").unwrap();
    let driver = Driver::new(&world, Story::Good, None);
    let before = world.env.read(".thoughts/pr/metadata.yaml");
    driver.gh.fail("pr-list", 1, "HTTP 503");
    for _ in 0..2 {
        let looked = world.engine().review_look(&run, &driver.github(), "test").unwrap();
        assert!(matches!(looked, ForgeLook::Down(_)));
    }
    assert_eq!(world.env.read(".thoughts/pr/metadata.yaml"), before);
    assert!(world.engine().review_refresh(&driver.github(), "test").is_err());
    assert_eq!(world.env.read(".thoughts/pr/metadata.yaml"), before);
    assert!(matches!(driver.next(&run), End::Held(why) if why.contains("forge")));
}

#[test]
fn a_dry_run_shows_posts_and_sends_none() {
    let world = world();
    begun(&world, Story::Idle);
    let driver = Driver::new(&world, Story::Idle, None);
    let run = world.engine().review_run("test").unwrap();
    while posts(&world).is_empty() && driver.due(&run) == 0 {
        driver.step(&run);
    }
    let github = driver.github();
    let shown = world.engine().review_post(&run, &github, Posting::Show, "test").unwrap().unwrap();
    assert!(shown[0].body.starts_with("# Round 1") && !shown[0].sent);
    assert_eq!((posts(&world).len(), driver.due(&run)), (0, 1));
}
