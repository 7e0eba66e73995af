//! Many agents and one dispatcher, all killed at random: every unit is done exactly once, by its
//! last holder, and none is lost.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Child;

use sprag_core::{Event, Fence};
use sprag_testkit::seed::Seed;
use sprag_testkit::skip;

use crate::inbox::{agent, document};
use crate::machine;
use crate::project::{Project, lines};
use crate::t1_doctor::sprag;

/// The test's view of the agents; it reads the documents like any other program.
struct World<'a> {
    sprag: &'a Path,
    root: &'a Path,
    random: Seed,
    kills: usize,
    /// Agents that lost an attempt and have not been told yet.
    robbed: Vec<(String, u64)>,
}

/// Returns the status and the unit of an agent's assignment.
fn slot(root: &Path, agent: &str) -> (String, String) {
    if !root.join(format!(".chipset/state/hooks/{agent}.json")).exists() {
        return ("empty".to_owned(), String::new());
    }
    let hook = document(root, &format!("hooks/{agent}.json"));
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    (text(&hook["status"]), text(&hook["work_item"]["bead_id"]))
}

impl World<'_> {
    /// Returns the next command for an agent.
    fn next(&mut self, name: &str, open: &mut Vec<String>) -> Option<Vec<String>> {
        let (status, _) = slot(self.root, name);
        let words: Vec<&str> = match status.as_str() {
            "empty" => {
                let unit = open.pop()?;
                return Some(["set", name, &unit, "--as", "mayor"].map(str::to_owned).to_vec());
            }
            "pending" => vec!["activate", name, "--as", name],
            // Every tenth assignment is taken back, as from an agent that has vanished.
            "active" if self.random.below(10) == 0 => {
                self.robbed.extend(fence(self.root, name).map(|fence| (name.to_owned(), fence)));
                vec!["release", name, "--as", "mayor"]
            }
            "active" => vec!["complete", name, "--as", name],
            _ => vec!["clear", name, "--as", "mayor"],
        };
        Some(words.into_iter().map(str::to_owned).collect())
    }

    /// Runs all commands at once and kills every fifth: half of them before any can commit, the
    /// others at a random point. The lock delays them, so that a fast machine is not done before
    /// the kills.
    fn tick(&mut self, all: &[Vec<String>]) {
        let lock = std::fs::File::open(self.root.join(".sprag/lock")).ok();
        if let Some(lock) = &lock {
            lock.lock().unwrap();
        }
        let start = |words: &Vec<String>| -> Child {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            agent(self.sprag, self.root, &words).spawn().unwrap()
        };
        let mut children: Vec<Child> = all.iter().map(start).collect();
        let victims: Vec<usize> =
            (0..children.len()).filter(|_| self.random.below(5) == 0).collect();
        let (early, late) = victims.split_at(victims.len() / 2);
        for &at in early {
            self.kill(&mut children[at]);
        }
        drop(lock);
        for &at in late {
            // When another process has finished, and a little later.
            let other = self.random.below(children.len());
            if other != at {
                children[other].wait().unwrap();
            }
            for _ in 0..self.random.below(400) {
                std::thread::yield_now();
            }
            self.kill(&mut children[at]);
        }
        for (child, words) in children.into_iter().zip(all) {
            let output = child.wait_with_output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            if output.status.code() == Some(3) && said.contains("was lost 3 times in a row") {
                self.person_lets_go_on(&words[2]);
                continue;
            }
            // Killed, done, or refused because an earlier killed process had done it.
            assert!(matches!(output.status.code(), None | Some(0 | 8)), "{words:?}: {said}");
        }
    }

    /// Kills a process, and counts it if it was still running.
    fn kill(&mut self, child: &mut Child) {
        self.kills += usize::from(child.try_wait().unwrap().is_none());
        let _ = child.kill();
    }

    /// Resumes a unit that was taken back too often, as a person.
    fn person_lets_go_on(&self, unit: &str) {
        let mut command = std::process::Command::new(self.sprag);
        command.arg("-C").arg(self.root).args(["resume", unit]);
        command.env_clear().envs(machine::variables(self.root));
        assert!(command.output().unwrap().status.success(), "resume {unit}");
    }

    /// Lets each robbed agent report that it is done: it must be told to stop.
    fn robbed_are_told(&mut self) {
        for (name, fence) in std::mem::take(&mut self.robbed) {
            if self::fence(self.root, &name) == Some(fence) {
                continue;
            }
            let fence = fence.to_string();
            let words = ["complete", &name, "--as", &name, "--fence", &fence];
            let output = agent(self.sprag, self.root, &words).output().unwrap();
            assert_eq!(output.status.code(), Some(10), "{words:?}");
        }
    }
}

/// Returns the attempt that an agent holds, as sprag records it.
fn fence(root: &Path, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(root.join(format!(".sprag/agents/{name}.json"))).ok()?;
    serde_json::from_str::<serde_json::Value>(&text).ok()?["attempt"]["fence"].as_u64()
}

#[test]
fn every_unit_is_done_once_whoever_is_killed() {
    let Some(sprag) = sprag() else { return };
    let (agents, units) = if skip::is_long() { (100, 1000) } else { (20, 200) };
    let project = Project::new();
    machine::let_own(&project);
    let names: Vec<String> = (0..agents).map(|number| format!("polecat-{number}")).collect();
    let all: Vec<String> = (0..units).map(|number| format!("gt-{number}")).collect();
    for unit in &all {
        let text = format!(
            "{{\n  \"beadId\": \"{unit}\",\n  \"status\": \"open\",\n  \"title\": \"T\"\n}}\n"
        );
        project.write(&format!(".chipset/state/work/{unit}.json"), text);
    }
    let root = project.root.as_path();
    let random = Seed::new(7);
    let mut world = World { sprag: &sprag, root, random, kills: 0, robbed: Vec::new() };
    let mut ticks = 0;
    loop {
        let status = |unit: &String| document(root, &format!("work/{unit}.json"))["status"].clone();
        let mut open: Vec<String> =
            all.iter().filter(|unit| status(unit) == "open").cloned().collect();
        let todo: Vec<_> = names.iter().filter_map(|name| world.next(name, &mut open)).collect();
        if todo.is_empty() {
            break;
        }
        world.tick(&todo);
        world.robbed_are_told();
        ticks += 1;
        assert!(ticks < 60 * units / agents, "it does not come to an end");
    }
    println!("{units} units, {agents} agents, {ticks} rounds, {} killed", world.kills);
    assert!(world.kills > units / 10, "too few were killed");
    judge(&project, &all);
}

/// Checks the journal and the documents against the expected result.
fn judge(project: &Project, units: &[String]) {
    let mut done = BTreeMap::<String, Vec<Fence>>::new();
    let mut begun = BTreeSet::<(String, Fence)>::new();
    for line in lines(&project.store()).unwrap() {
        for event in line.events {
            let event = event.read();
            if let Event::AttemptBegan(began) = event {
                assert!(begun.insert((began.unit, began.fence)), "a fence twice");
            } else if let Event::AttemptEnded(end) = event {
                done.entry(end.unit).or_default().push(end.fence);
            }
        }
    }
    for unit in units {
        let work = document(&project.root, &format!("work/{unit}.json"));
        assert_eq!(work["status"], "done", "{unit}");
        let ends = &done[unit];
        assert_eq!(ends.len(), 1, "{unit} was done {ends:?}");
        let last = begun.iter().filter(|(name, _)| name == unit).map(|(_, fence)| *fence).max();
        assert_eq!(Some(ends[0]), last, "{unit}: not by its last holder");
    }
}
