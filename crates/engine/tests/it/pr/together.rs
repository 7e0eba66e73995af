//! Concurrency: two posters, two working trees, a person next to the driver.

use std::sync::{Barrier, Mutex};

use sprag_core::pr::Pull;
use sprag_engine::pr::{Beginning, Posting, Refreshed};
use sprag_formats::pr::LoopConfig;
use sprag_world::forge::{Forge, ForgeError, GitHub, Post};

use super::driver::{Driver, End, Story};
use super::{begun, known, posts, world};
use crate::world::World;

/// A forge in memory that takes its time between a check and a post.
#[derive(Default)]
struct Board {
    texts: Mutex<Vec<String>>,
}

impl Forge for Board {
    fn pull(&self, _: &str) -> Result<Option<Pull>, ForgeError> {
        Ok(None)
    }

    fn has(&self, _: u32, marker: &str) -> Result<bool, ForgeError> {
        let found = self.texts.lock().unwrap().iter().any(|text| text.contains(marker));
        (0..5000).for_each(|_| std::thread::yield_now());
        Ok(found)
    }

    fn post(&self, _: u32, _: Post, body: &str) -> Result<(), ForgeError> {
        self.texts.lock().unwrap().push(body.to_owned());
        Ok(())
    }

    fn minimize(&self, _: u32, _: &[String]) -> Result<(), ForgeError> {
        Ok(())
    }

    fn log(&self, _: &str) -> Result<String, ForgeError> {
        Ok(String::new())
    }
}

#[test]
fn two_who_post_at_once_post_once() {
    let world = world();
    begun(&world, Story::Idle);
    let run = due(&world, Story::Idle);
    let (board, gate) = (Board::default(), Barrier::new(2));
    let sent: usize = std::thread::scope(|scope| {
        let posts = || {
            gate.wait();
            let posted = world.engine().review_post(&run, &board, Posting::Send, "test");
            posted.unwrap().unwrap().iter().filter(|post| post.sent).count()
        };
        let one = scope.spawn(posts);
        posts() + one.join().unwrap()
    });
    assert_eq!((sent, board.texts.into_inner().unwrap().len()), (1, 1));
    assert_eq!(Driver::new(&world, Story::Idle, None).due(&run), 0);
}

#[test]
fn the_run_of_one_working_tree_is_not_that_of_another() {
    let world = world();
    begun(&world, Story::Good);
    let first = world.engine().review_run("test").unwrap();
    assert_eq!(world.engine().review_run("test").unwrap(), first);
    let text = world.env.read(".thoughts/pr/metadata.yaml").unwrap();
    world.env.write(".thoughts/pr/metadata.yaml", text.replace("pr: 7", "pr: 9"));
    let second = world.engine().review_run("test").unwrap();
    assert_ne!(first, second, "another pull request has a run of its own");
    let driver = Driver::new(&world, Story::Good, None);
    let end = driver.next(&first);
    assert!(matches!(&end, End::Held(why) if why.contains("#7") && why.contains("#9")), "{end:?}");
    world.env.write(".thoughts/pr/metadata.yaml", &text);
    assert_eq!(world.engine().review_run("test").unwrap(), first);
}

/// Drives until a post is due.
fn due(world: &World, story: Story) -> sprag_core::RunId {
    let driver = Driver::new(world, story, None);
    let run = world.engine().review_run("test").unwrap();
    while driver.due(&run) == 0 {
        driver.step(&run);
    }
    run
}

#[test]
fn a_person_who_refreshes_posts_first_and_nothing_is_reviewed_twice() {
    let world = world();
    begun(&world, Story::Good);
    due(&world, Story::Good);
    let driver = Driver::new(&world, Story::Good, None);
    let synced = world.engine().review_sync(&driver.github(), Posting::Send, "person").unwrap();
    assert_eq!((synced.posted.len(), synced.found), (1, Refreshed::Pull(7)));
    assert_eq!(known(&world).turn.as_deref(), Some("RESPONSE"));
    assert_eq!(driver.drive(), End::Done);
    assert_eq!(posts(&world), super::WHOLE);
}

#[test]
fn a_person_who_resumes_settles_what_held_the_run_and_one_who_begins_anew_ends_it() {
    let world = world();
    begun(&world, Story::Idle);
    let driver = Driver::new(&world, Story::Idle, None);
    assert!(matches!(driver.drive(), End::Held(_)));
    let run = world.engine().review_run("test").unwrap();
    world.engine().review_resume(&LoopConfig::default()).unwrap();
    assert_eq!(driver.next(&run), End::Goes, "it is not held any more");
    let agents = ["rev", "dev", "", "fix"].map(|name| Some(name.to_owned()));
    let config = LoopConfig { agents, ..LoopConfig::default() };
    world.engine().review_begin(&Beginning { config }).unwrap();
    assert_ne!(world.engine().review_run("test").unwrap(), run);
}

#[test]
fn used_up_rounds_get_more_without_a_run() {
    let world = world();
    begun(&world, Story::Good);
    let text = world.env.read(".thoughts/pr/metadata.yaml").unwrap();
    let text = text.replace("reviewCount: 0", "reviewCount: 6");
    world.env.write(".thoughts/pr/metadata.yaml", &text);
    world.engine().review_resume(&LoopConfig::default()).unwrap();
    assert_eq!(known(&world).review_loop.unwrap().max_rounds, 9);
}

#[test]
fn a_dry_run_decides_everything_and_writes_nothing() {
    let world = world();
    begun(&world, Story::Good);
    let text = world.env.read(".thoughts/pr/metadata.yaml").unwrap();
    let engine = world.engine().rehearsing();
    engine.review_pause().unwrap();
    let changes = engine.rehearsed();
    assert_eq!(changes.len(), 1);
    assert!(changes[0].after.contains("active: false"), "{changes:?}");
    assert_eq!(world.env.read(".thoughts/pr/metadata.yaml"), Some(text));
}

#[test]
fn the_forge_is_found_as_git_would_find_it() {
    let world = world();
    let env = &world.env;
    env.git(&["remote", "set-url", "origin", "work:acme/we.b"]);
    env.git(&["config", "url.git@github.com:.insteadOf", "work:"]);
    let here = sprag_engine::pr::local(&env.project()).unwrap();
    let folder = env.project();
    // If a git started us, its variables are about its own repository.
    let led = ("GIT_DIR".into(), "/nowhere".into());
    let variables: Vec<_> = world.variables().iter().cloned().chain([led]).collect();
    let github = GitHub::of(&folder, &here, &variables, Some(7)).unwrap();
    assert_eq!(github.repository.to_string(), "acme/we.b");
    assert_eq!(github.tree, Some(env.git(&["rev-parse", "HEAD^{tree}"])));
    let gone = GitHub { program: "/no/gh", ..github };
    assert!(gone.pull("topic").is_err());
    // A person's settings in variables count as well: many CI systems have nothing else.
    env.git(&["config", "--unset", "url.git@github.com:.insteadOf"]);
    let github = GitHub::of(&folder, &here, &variables, Some(7)).unwrap();
    assert_ne!(github.repository.to_string(), "acme/we.b");
    let set = [
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "url.git@github.com:.insteadOf"),
        ("GIT_CONFIG_VALUE_0", "work:"),
    ];
    let set = set.map(|(name, value)| (name.into(), value.into()));
    let variables: Vec<_> = variables.into_iter().chain(set).collect();
    let github = GitHub::of(&folder, &here, &variables, Some(7)).unwrap();
    assert_eq!(github.repository.to_string(), "acme/we.b");
}
