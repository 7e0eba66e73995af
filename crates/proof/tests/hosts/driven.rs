//! The required behaviour of every client under `sprag run`, as the agent of a workflow of three
//! phases whose gates are a file, a command and a file's content. The client stops early, meets a
//! limit of its provider, or hangs. Each case ends as specified, in one conversation.

use std::collections::BTreeSet;
use std::process::{Output, Stdio};

use serde_json::{Value, json};
use sprag_core::Time;
use sprag_testkit::model::{Model, Step};

use crate::client::{Client, program};
use crate::world::{EVIDENCE, PART, World};

const HEAD: &str = "name: Three\ncommandName: three\ninitialMessage: \"Work on: {description}\"\n\
                    phases: [plan.md, build.md, check.md]\n";

const GOOD: &str = "grep -qs good part.txt || { echo 'part.txt: expected good'; exit 1; }\n";

/// A run that has ended.
pub(crate) struct Driven {
    pub(crate) world: World,
    pub(crate) model: Model,
    ended: Output,
    events: Vec<Value>,
}

/// Returns a repository with the workflow.
pub(crate) fn prepared<C: Client>() -> World {
    planned::<C>("")
}

/// Returns a repository with the workflow, with `plan` added to the first phase.
pub(crate) fn planned<C: Client>(plan: &str) -> World {
    let phase = |id: &str, gate: &str, more: &str| {
        format!("---\nid: {id}\nname: {id}\nemoji: x\ngates: [{gate}]\n{more}---\nDo {id}.\n")
    };
    let folder = ".sprag/workflows/three";
    let check = "{content: {path: RESULT.txt, has: done}}";
    World::holding(&[
        (&format!("{folder}/workflow.yaml"), HEAD),
        (&format!("{folder}/plan.md"), &phase("plan", "{file: PLAN.md}", plan)),
        (&format!("{folder}/build.md"), &phase("build", "{run: sh good.sh}", "")),
        (&format!("{folder}/check.md"), &phase("check", check, "")),
        (".sprag/config.yaml", &config::<C>()),
        ("good.sh", GOOD),
    ])
}

/// Returns the configuration with the client's extra arguments.
fn config<C: Client>() -> String {
    let words = C::words();
    if words.is_empty() {
        "v: 1\n".to_owned()
    } else {
        format!("hosts: {}\n", json!({ C::NAME: { "argv": words } }))
    }
}

/// Returns the model's script, with additional steps before the build and before the check.
fn script<C: Client>(world: &World, building: &[Step], checking: &[Step]) -> Vec<Step> {
    let plan = [Step::uses([C::makes(world, "PLAN.md", "a plan")]), Step::says("It is planned.")];
    let build = [Step::uses([C::makes(world, PART, "good")]), Step::says("It is built.")];
    let check = [Step::uses([C::makes(world, "RESULT.txt", "done")]), Step::says("It is done.")];
    [&plan[..], building, &build, checking, &check].concat()
}

impl Driven {
    /// Drives a world's workflow to its end, with the model's `steps`. Returns `None` if the client
    /// is not installed.
    pub(crate) fn of<C: Client>(
        what: &str,
        world: impl FnOnce() -> World,
        steps: impl FnOnce(&World) -> Vec<Step>,
        more: &[&str],
    ) -> Option<Self> {
        let program = program::<C>(&format!("driven: {what}"))?;
        let world = world();
        world.installs(C::NAME, &program);
        let steps = steps(&world);
        let count = steps.len();
        let model = Model::start(steps);
        C::settle(&world, &model);
        // An interrupt ends its agents. The marks of an agent are absent, since an agent may not
        // run it.
        let mut command = world.command("timeout".as_ref());
        let limit = C::LIMIT.as_secs().to_string();
        command.args(["--foreground", "--signal=INT", "--kill-after=20", &limit, world.sprag()]);
        for (name, value) in C::start(&program, &world, &model, "").get_envs() {
            value.map(|value| command.env(name, value));
        }
        command.envs(C::subscribed()).env("SPRAG_TEST_ALONE", "1");
        command.args(["run", "three", "a part", "--yes", "--host", C::NAME]).args(more);
        let ended = command.stdin(Stdio::null()).output().unwrap();
        let events = world.events();
        let driven = Self { world, model, ended, events };
        let heard = driven.model.heard().len();
        driven.must(heard == count, &format!("{count} requests are due, not {heard}"));
        driven.must(driven.model.faults().is_empty(), "the model does not understand it");
        driven.must(driven.ended.status.success(), "the run is not done");
        driven.must(driven.world.left() == Vec::<String>::new(), "something is left behind");
        Some(driven)
    }

    /// Returns the events of some kinds, each with its unit and its result.
    fn story(&self, kinds: &[&str]) -> Vec<String> {
        let told =
            self.events.iter().filter(|event| kinds.iter().any(|kind| event["kind"] == *kind));
        let line = |event: &Value| {
            let data = &event["data"];
            let words = [&event["kind"], &data["unit"], &data["how"], &data["verdict"]];
            let words = words.iter().filter_map(|word| word.as_str());
            words.collect::<Vec<_>>().join(" ")
        };
        told.map(line).collect()
    }

    fn count(&self, kind: &str) -> usize {
        self.story(&[kind]).len()
    }

    /// Asserts that exactly these attempt events happened, in order.
    pub(crate) fn tells(&self, expected: &[&str]) {
        let story = self.story(&["attempt.began", "attempt.ended", "attempt.lost", "host.limited"]);
        self.must(story == expected, &format!("{story:#?}"));
    }

    /// Asserts that all of it was one conversation.
    fn is_one_conversation(&self) {
        let ended = self.events.iter().filter(|event| event["kind"] == "agent.ended");
        let sessions: BTreeSet<&str> =
            ended.filter_map(|event| event["data"]["session"].as_str()).collect();
        self.must(sessions.len() == 1, &format!("{sessions:?}"));
        let last = self.model.heard().pop();
        let knows =
            last.is_some_and(|last| last.says("It is planned.") && last.says("It is built."));
        self.must(knows, "it has forgotten what it said");
    }

    pub(crate) fn must(&self, holds: bool, what: &str) {
        if holds {
            return;
        }
        let Output { status, stdout, stderr } = &self.ended;
        panic!(
            "{what}\n--- sprag run, {status} ---\n{}{}\n--- sprag log ---\n{}\n--- left {:?}, faults \
             {:?}, the last request ---\n{:?}",
            String::from_utf8_lossy(stdout),
            String::from_utf8_lossy(stderr),
            self.world.person(&["log", "-n", "1000"]),
            self.world.left(),
            self.model.faults(),
            self.model.heard().last().map(|last| last.body.to_string()),
        );
    }
}

/// The model does nothing in the build phase: the stop is refused, and it continues with the
/// evidence.
pub(crate) fn stops_early<C: Client>() {
    let early = [Step::says("I think that is it.")];
    let steps = |world: &World| script::<C>(world, &early, &[]);
    let Some(driven) = Driven::of::<C>("stops early", prepared::<C>, steps, &[]) else { return };
    driven.tells(&[
        "attempt.began three/plan",
        "attempt.ended three/plan passed",
        "attempt.began three/build",
        "attempt.ended three/build failed",
        "attempt.began three/build",
        "attempt.ended three/build passed",
        "attempt.began three/check",
        "attempt.ended three/check passed",
    ]);
    let receipts = driven.story(&["gate.receipt"]);
    let verdicts =
        ["pass", "fail", "pass", "pass"].map(|verdict| format!("gate.receipt {verdict}"));
    driven.must(receipts == verdicts, &format!("{receipts:?}"));
    let heard = driven.model.heard();
    driven.must(!heard[2].says(EVIDENCE) && heard[3].says(EVIDENCE), "it is not told why");
    driven.is_one_conversation();
}

/// The provider is limited for a while: in the build phase the client waits by itself, in the check
/// phase the limit ends it.
pub(crate) fn waits<C: Client>() {
    let limit = C::limit();
    let is_ended = !limit.ending.is_empty();
    let steps = |world: &World| script::<C>(world, &limit.outlasted, &limit.ending);
    let Some(driven) = Driven::of::<C>("a limit", prepared::<C>, steps, &[]) else { return };
    let limited: &[&str] = if is_ended { &["host.limited"] } else { &[] };
    let expected = [
        &["attempt.began three/plan", "attempt.ended three/plan passed"],
        &["attempt.began three/build", "attempt.ended three/build passed"],
        &["attempt.began three/check"][..],
        limited,
        &["attempt.ended three/check passed"],
    ];
    driven.tells(&expected.concat());
    driven.must(!is_ended || driven.came_back_late_enough(), "it came back before it was over");
    driven.is_one_conversation();
}

impl Driven {
    /// Returns whether no agent was started between a limit and its end.
    fn came_back_late_enough(&self) -> bool {
        let at = |event: &Value| event["at"].as_str().and_then(Time::parse);
        let limited = self.events.iter().position(|event| event["kind"] == "host.limited");
        let Some((nth, until)) = limited
            .and_then(|nth| Some((nth, Time::parse(self.events[nth]["data"]["until"].as_str()?)?)))
        else {
            return false;
        };
        let mut after = self.events[nth..].iter();
        let started = after.find(|event| event["kind"] == "agent.started");
        started.and_then(at).is_some_and(|started| started >= until)
    }
}

/// The model is silent in the build phase: the client is killed and tried again.
pub(crate) fn hangs<C: Client>() {
    let steps = |world: &World| script::<C>(world, &[Step::thinks()], &[]);
    let more = ["--idle", &format!("{}s", C::IDLE.as_secs())];
    let Some(driven) = Driven::of::<C>("a hang", prepared::<C>, steps, &more) else { return };
    driven.tells(&[
        "attempt.began three/plan",
        "attempt.ended three/plan passed",
        "attempt.began three/build",
        "attempt.lost",
        "attempt.began three/build",
        "attempt.ended three/build passed",
        "attempt.began three/check",
        "attempt.ended three/check passed",
    ]);
    driven.must(driven.count("gate.receipt") == 3, "a lost attempt is not judged");
    let ends = driven.story(&["agent.ended"]);
    let idle = ends.iter().filter(|end| end.ends_with("was silent for too long")).count();
    driven.must(idle == 1, &format!("{ends:?}"));
    driven.is_one_conversation();
}
