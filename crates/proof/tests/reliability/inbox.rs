//! Assignments with real processes: races, kills, bursts. Each test prints its counts.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use sprag_testkit::skip;

use crate::machine;
use crate::project::{Project, lines};
use crate::t1_doctor::sprag;

/// Starts `sprag agent …` as a person at a keyboard.
pub(crate) fn agent(sprag: &Path, root: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(sprag);
    command.arg("-C").arg(root).arg("agent").args(words);
    command.env_clear().envs(machine::variables(root));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the command to its end.
pub(crate) fn ran(sprag: &Path, root: &Path, words: &[&str]) -> Output {
    agent(sprag, root, words).output().unwrap()
}

/// Reads a document of the inbox, which must be whole.
pub(crate) fn document(root: &Path, path: &str) -> Value {
    let path = root.join(".chipset/state").join(path);
    let name = path.display();
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}: {text}"))
}

const RACERS: usize = 8;

fn rounds() -> usize {
    if skip::is_long() { 1000 } else { 100 }
}

/// Runs eight processes at once; exactly one may win, and the others must be refused.
fn race(sprag: &Path, root: &Path, commands: &[Vec<String>]) -> usize {
    let start = |words: &Vec<String>| -> Child {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        agent(sprag, root, &words).spawn().unwrap()
    };
    let children: Vec<Child> = commands.iter().map(start).collect();
    let outputs: Vec<Output> =
        children.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
    let won: Vec<usize> = (0..outputs.len()).filter(|at| outputs[*at].status.success()).collect();
    for (at, output) in outputs.iter().enumerate().filter(|(at, _)| !won.contains(at)) {
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(8), "{:?}: {said}", commands[at]);
    }
    assert_eq!(won.len(), 1, "winners of {commands:?}");
    won[0]
}

#[test]
fn eight_units_race_for_one_agent_and_one_wins_every_round() {
    let Some(sprag) = sprag() else { return };
    let project = Project::new();
    for round in 0..rounds() {
        let set = |racer: usize| {
            let unit = format!("gt-{round}-{racer}");
            let words =
                ["set", &format!("polecat-{round}"), &unit, "--title", "T", "--as", "mayor"];
            words.map(str::to_owned).to_vec()
        };
        let won = race(&sprag, &project.root, &(0..RACERS).map(set).collect::<Vec<_>>());
        let hook = document(&project.root, &format!("hooks/polecat-{round}.json"));
        assert_eq!(hook["work_item"]["bead_id"], format!("gt-{round}-{won}"));
    }
    let begun = count(&project, "attempt.began");
    assert_eq!(begun, rounds());
    println!("one agent: {} rounds of {RACERS}, one winner each, 0 invalid files", rounds());
}

#[test]
fn eight_agents_race_for_one_unit_and_one_wins_every_round() {
    let Some(sprag) = sprag() else { return };
    let project = Project::new();
    for round in 0..rounds() {
        let set = |racer: usize| {
            let agent = format!("polecat-{round}-{racer}");
            let words = ["set", &agent, &format!("gt-{round}"), "--title", "T", "--as", "mayor"];
            words.map(str::to_owned).to_vec()
        };
        let won = race(&sprag, &project.root, &(0..RACERS).map(set).collect::<Vec<_>>());
        let work = document(&project.root, &format!("work/gt-{round}.json"));
        assert_eq!(work["assignee"], format!("polecat-{round}-{won}"));
        let hooks = std::fs::read_dir(project.path(".chipset/state/hooks")).unwrap().count();
        assert_eq!(hooks, round + 1, "no other agent has it");
    }
    println!("one unit: {} rounds of {RACERS}, one winner each, 0 invalid files", rounds());
}

/// Counts the events of a kind in the journal.
pub(crate) fn count(project: &Project, kind: &str) -> usize {
    let all = lines(&project.store()).unwrap();
    let events = all.iter().flat_map(|line| &line.events);
    events.filter(|event| event.kind.as_str() == kind).count()
}

#[test]
fn a_thousand_mails_in_one_millisecond_are_a_thousand_files() {
    let Some(sprag) = sprag() else { return };
    let project = Project::new();
    let (many, at_once) = (1000, 8);
    for _ in 0..many / at_once {
        let send = |_| {
            let words = ["mail", "send", "polecat-alpha", "Hello", "--as", "mayor"];
            let mut command = agent(&sprag, &project.root, &words);
            command.env("SPRAG_TEST_NOW", "2026-03-05T10:30:00.000Z").spawn().unwrap()
        };
        for child in (0..at_once).map(send).collect::<Vec<Child>>() {
            let output = child.wait_with_output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{said}");
        }
    }
    let folder = project.path(".chipset/state/mail/polecat-alpha");
    let files: Vec<_> = std::fs::read_dir(folder).unwrap().flatten().collect();
    assert_eq!(files.len(), many);
    for file in files {
        let text = std::fs::read_to_string(file.path()).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["subject"], "Hello");
    }
}
