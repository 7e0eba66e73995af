//! `sprag run` with real processes as agents: their actions, and the results.

mod afresh;
mod asked;
mod bad;
mod branch;
mod broken;
mod claims;
mod consents;
mod crash;
mod ends;
mod face;
mod folder;
mod inbox;
mod inbox_told;
mod inside;
mod interrupt;
mod lost;
mod merged;
mod pull;
mod second;
mod shown;
mod task;
mod terminal;
mod together;
mod touched;
mod tree;
mod truth;
mod typed;
mod waived;
mod wall;

use std::os::unix::fs::PermissionsExt as _;
use std::process::Child;

use serde_json::Value;
use sprag_testkit::TestEnv;

use crate::support::SPRAG;

/// A repository and a scripted agent beside it.
pub(super) struct World {
    pub(super) env: TestEnv,
    sprag: String,
}

/// How a command ended.
pub(super) struct Ran {
    pub(super) exit: Option<i32>,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

impl World {
    /// Creates a repository whose `sh test.sh` passes when `code.txt` is good, and an agent with
    /// this script. The prompt is in `$prompt`, and `$turn` counts its turns from 1.
    pub(super) fn new(agent: &str) -> Self {
        let mut env = TestEnv::new();
        // Several processes take part: each needs its own ids, and time must pass.
        env.set("SPRAG_TEST_IDS", "");
        env.set("SPRAG_TEST_NOW", "");
        env.write("test.sh", "cat code.txt; grep -q good code.txt\n");
        env.write("code.txt", "start\n");
        env.git(&["init", "-q"]);
        env.git(&["add", "."]);
        env.git(&["commit", "-qm", "start"]);
        Self::agent(&env, "agent.sh", agent);
        Self { env, sprag: TestEnv::program(SPRAG) }
    }

    /// Creates an agent with this script, and returns its path.
    fn agent(env: &TestEnv, name: &str, does: &str) -> String {
        let (top, script) = (env.top(), env.top().join(name));
        let text = format!(
            "#!/bin/sh\nprompt=$(cat)\nturn=$(mkdir -p {top}/turns; echo x >> {top}/turns/all; \
             wc -l < {top}/turns/all | tr -d ' ')\n\
             printf '%s' \"$prompt\" > {top}/turns/$turn\n{does}\n",
            top = top.display()
        );
        env.write(format!("../{name}"), text);
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
        script.display().to_string()
    }

    fn host(&self) -> String {
        self.env.top().join("agent.sh").display().to_string()
    }

    fn command(&self, words: &[&str]) -> std::process::Command {
        let mut command = self.env.command(&self.sprag);
        command.args(words);
        // A command that names its own host gets no default options.
        if words.first() == Some(&"run") && !words.contains(&"--host") {
            command.args(["--host", &self.host(), "--yes"]);
        }
        command
    }

    /// Runs sprag to its end.
    pub(super) fn sprag(&self, words: &[&str]) -> Ran {
        let out = self.command(words).output().unwrap();
        Ran {
            exit: out.status.code(),
            stdout: String::from_utf8(out.stdout).unwrap(),
            stderr: String::from_utf8(out.stderr).unwrap(),
        }
    }

    /// Removes the repository.
    pub(super) fn forget_git(&self) {
        let status = self.env.command("rm").args(["-rf", ".git"]).status().unwrap();
        assert!(status.success());
    }

    /// Removes the cache, which may be removed at any time.
    pub(super) fn clear_cache(&self) {
        let status = self.env.command("rm").args(["-rf", ".sprag/cache"]).status().unwrap();
        assert!(status.success());
    }

    /// Starts sprag without waiting for its end.
    pub(super) fn start(&self, words: &[&str]) -> Child {
        let mut command = self.command(words);
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
        command.spawn().unwrap()
    }

    /// Returns how many turns the agent had.
    pub(super) fn turns(&self) -> usize {
        let all = std::fs::read_to_string(self.env.top().join("turns/all"));
        all.map_or(0, |all| all.lines().count())
    }

    /// Returns the agent's prompt in a turn.
    pub(super) fn told(&self, turn: usize) -> String {
        std::fs::read_to_string(self.env.top().join(format!("turns/{turn}"))).unwrap()
    }

    /// Returns the events of the journal.
    pub(super) fn events(&self) -> Vec<Value> {
        let out = self.sprag(&["log", "-n", "100000", "--json"]);
        let lines = out.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.flat_map(|line| line["events"].as_array().cloned().unwrap_or_default()).collect()
    }

    /// Returns how many events of a kind there are.
    pub(super) fn count(&self, kind: &str) -> usize {
        self.events().iter().filter(|event| event["kind"] == kind).count()
    }

    /// Returns the only run.
    pub(super) fn run(&self) -> String {
        let (object, _) = self.json(&["status"]);
        object["runs"][0]["id"].as_str().unwrap_or_else(|| panic!("{object}")).to_owned()
    }

    /// Runs sprag and parses the object that it prints.
    pub(super) fn json(&self, words: &[&str]) -> (Value, Option<i32>) {
        let mut all = words.to_vec();
        all.push("--json");
        let ran = self.sprag(&all);
        let object = serde_json::from_str(&ran.stdout);
        (object.unwrap_or_else(|_| panic!("{}{}", ran.stdout, ran.stderr)), ran.exit)
    }

    /// Panics if any process that an agent started in this world still exists.
    pub(super) fn nobody_is_left(&self) {
        let mark = format!("HOME={}", self.env.home().display());
        let left: Vec<String> = std::fs::read_dir("/proc")
            .unwrap()
            .flatten()
            .filter_map(|entry| {
                let environ = std::fs::read(entry.path().join("environ")).ok()?;
                let mut variables = environ.split(|byte| *byte == 0);
                let is_ours = variables.any(|variable| variable == mark.as_bytes());
                let words = std::fs::read(entry.path().join("cmdline")).ok()?;
                (is_ours && !words.is_empty()).then(|| String::from_utf8_lossy(&words).into_owned())
            })
            .collect();
        assert_eq!(left, Vec::<String>::new());
    }
}
