//! The program that drives a loop in these tests: it has no memory, so it may be killed anywhere.

use std::cell::Cell;
use std::time::Duration;

use serde_json::{Value, json};
use sprag_core::RunId;
use sprag_core::pr::Pull;
use sprag_engine::milestones::Dispatch;
use sprag_engine::pr::{Posting, local};
use sprag_testkit::gh::Gh;
use sprag_world::forge::{Forge, ForgeError, GitHub, Post, Repository};

use crate::world::World;

/// The behaviour of a loop's agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Story {
    /// They find problems, fix them, and then find no more.
    Good,
    /// The developer refuses a finding, and the reviewer insists.
    Refused,
    /// The developer does nothing.
    Idle,
    /// The forge has no checks for the pushed commit.
    NoChecks,
}

/// The state in which a loop ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    Done,
    Held(String),
    Waits,
    /// It can continue.
    Goes,
}

/// A driver that dies after some number of steps.
pub(super) struct Driver<'w> {
    world: &'w World,
    pub(super) gh: Gh,
    program: String,
    folder: std::path::PathBuf,
    story: Story,
    left: Cell<Option<u32>>,
}

const FOUND: &str = "VERDICT: issues\n- [critical] code.txt:1: it is empty\n";

impl<'w> Driver<'w> {
    pub(super) fn new(world: &'w World, story: Story, steps: Option<u32>) -> Self {
        let gh = Gh::at(&world.env.top().join("gh"));
        let program = gh.program();
        let folder = world.env.project();
        Self { world, gh, program, folder, story, left: Cell::new(steps) }
    }

    pub(super) fn github(&self) -> GitHub<'_> {
        GitHub {
            program: &self.program,
            folder: &self.folder,
            environment: self.world.variables(),
            repository: Repository::of_remote("git@github.com:acme/web.git").unwrap(),
            head: local(&self.folder).unwrap().head,
            tree: Some(self.world.env.git(&["rev-parse", "HEAD^{tree}"])),
            owner: None,
            known: None,
            limit: Duration::from_mins(1),
            pause: Duration::ZERO,
            stop: None,
        }
    }

    /// Dies when its steps run out, by the signal that cannot be caught.
    fn lives(&self) {
        match self.left.get() {
            None => {}
            Some(0) => {
                use rustix::process::{Signal, getpid, kill_process};
                kill_process(getpid(), Signal::KILL).unwrap();
            }
            Some(left) => self.left.set(Some(left - 1)),
        }
    }

    /// Updates the forge with the state of the repository and the posts.
    pub(super) fn sync(&self) {
        self.gh.serve("pr-list", "[{\"number\":7}]");
        let head = local(&self.folder).unwrap().head.unwrap();
        let first = self.world.env.git(&["rev-list", "--max-parents=0", "HEAD"]);
        let conclusion = if head == first { "FAILURE" } else { "SUCCESS" };
        let check = json!({ "__typename": "CheckRun", "name": "unit", "status": "COMPLETED",
            "conclusion": conclusion, "isRequired": null, "detailsUrl": "https://h/runs/55/job/1" });
        self.gh.serve("run-view", "code.txt: it is wrong\n");
        let hidden = self.gh.hidden();
        let checks = match self.story {
            Story::NoChecks if head != first => vec![],
            Story::Good | Story::Refused | Story::Idle | Story::NoChecks => vec![check],
        };
        let (mut reviews, mut comments) = (Vec::<Value>::new(), Vec::<Value>::new());
        for (at, (kind, body)) in self.gh.posts().into_iter().enumerate() {
            let time = format!("2026-01-01T00:00:{at:02}Z");
            let (author, list) = match kind.as_str() {
                "review" => ("rev", &mut reviews),
                _ => ("ann", &mut comments),
            };
            list.push(json!({ "id": format!("N{at}"), "body": body, "submittedAt": time,
                "createdAt": time, "isMinimized": hidden.contains(&format!("N{at}")), "author": { "login": author },
                "commit": { "oid": head, "parents": { "nodes": [] } } }));
        }
        let list = |nodes: Vec<Value>| json!({ "pageInfo": { "hasNextPage": false, "endCursor": null }, "nodes": nodes });
        let pull = json!({ "title": "t", "body": "", "baseRefName": "main", "headRefOid": head,
            "reviewDecision": null, "author": { "login": "ann" }, "reviews": list(reviews),
            "reviewThreads": list(vec![]), "comments": list(comments), "commits": { "nodes": [
            { "commit": { "oid": head, "statusCheckRollup": { "contexts": list(checks) } } }] } });
        let answer = json!({ "data": { "repository": { "pullRequest": pull } } });
        self.gh.serve("api-graphql", &answer.to_string());
    }

    /// Drives until the loop ends or waits.
    pub(super) fn drive(&self) -> End {
        let run = self.world.engine().review_run("test").unwrap();
        self.lives();
        loop {
            match self.step(&run) {
                End::Goes => {}
                end @ (End::Done | End::Held(_) | End::Waits) => return end,
            }
        }
    }

    pub(super) fn due(&self, run: &RunId) -> usize {
        let engine = self.world.engine();
        let due = engine.review_post(run, &self.github(), Posting::Show, "test");
        due.unwrap().unwrap().len()
    }

    /// Posts, looks, and lets the next agent work.
    pub(super) fn step(&self, run: &RunId) -> End {
        let forge = Mortal { driver: self };
        self.world.engine().review_post(run, &forge, Posting::Send, "test").unwrap().unwrap();
        self.lives();
        self.world.engine().review_look(run, &forge, "test").unwrap();
        self.lives();
        self.world.engine().review_post(run, &forge, Posting::Send, "test").unwrap().unwrap();
        self.world.engine().review_logs(&forge, "test").unwrap().unwrap();
        self.world.engine().review_tidy(run, &forge).unwrap().unwrap();
        self.lives();
        self.next(run)
    }

    pub(super) fn next(&self, run: &RunId) -> End {
        match self.world.engine().dispatch(run, "test").unwrap() {
            Dispatch::Held(hold) => End::Held(hold.to_string()),
            Dispatch::Wait(_) => End::Waits,
            Dispatch::Done => End::Done,
            Dispatch::Begun { fence, unit, .. } => {
                self.lives();
                self.work(unit.id.as_str());
                self.lives();
                self.world.engine().drive_end(run, fence, "done").unwrap();
                self.lives();
                End::Goes
            }
        }
    }

    /// Does an agent's work; idempotent.
    fn work(&self, unit: &str) {
        let env = &self.world.env;
        let change = |text: &str| {
            env.write("code.txt", text);
            env.git(&["add", "."]);
            env.git(&["commit", "-q", "--allow-empty", "-m", text.trim()]);
        };
        match (unit, self.story) {
            ("ci-fix", _) => change("mended\n"),
            ("review/1", _) | (_, Story::Refused) if unit.starts_with("review") => {
                env.write(".thoughts/pr/review.md", FOUND);
            }
            (_, _) if unit.starts_with("review") => {
                env.write(".thoughts/pr/review.md", "VERDICT: pass\n");
            }
            (_, Story::Refused) => {
                env.write(".thoughts/pr/response.md", "REFUSE 1: it is meant so\n");
            }
            (_, Story::Idle) => {}
            (_, Story::Good | Story::NoChecks) => {
                change("answered\n");
                env.write(".thoughts/pr/response.md", "It says something now.\n");
            }
        }
    }
}

/// The forge, with a death after every call.
struct Mortal<'d> {
    driver: &'d Driver<'d>,
}

impl Mortal<'_> {
    fn after<T>(&self, ask: impl FnOnce(&GitHub<'_>) -> T) -> T {
        self.driver.sync();
        let said = ask(&self.driver.github());
        self.driver.lives();
        said
    }
}

impl Forge for Mortal<'_> {
    fn pull(&self, branch: &str) -> Result<Option<Pull>, ForgeError> {
        self.after(|github| github.pull(branch))
    }

    fn has(&self, number: u32, marker: &str) -> Result<bool, ForgeError> {
        self.after(|github| github.has(number, marker))
    }

    fn post(&self, number: u32, kind: Post, body: &str) -> Result<(), ForgeError> {
        self.after(|github| github.post(number, kind, body))
    }

    fn minimize(&self, number: u32, ids: &[String]) -> Result<(), ForgeError> {
        self.after(|github| github.minimize(number, ids))
    }

    fn log(&self, run: &str) -> Result<String, ForgeError> {
        self.after(|github| github.log(run))
    }
}
