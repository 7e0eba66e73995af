//! `sprag init` and its effects, through the binary.
#![expect(clippy::disallowed_methods, reason = "tests make and break files as they like")]

mod doctor;
mod doubles;
mod first_minute;
mod hosts;
mod parts;
mod plan;
mod tree;
mod trouble;
mod undo;

use std::os::unix::fs::PermissionsExt as _;

use serde_json::Value;
use sprag_testkit::{Output, TestEnv};

use crate::support::SPRAG;

/// The script `scripts/test` of the project.
const TEST: &str =
    "#!/bin/sh\ngrep -q good code.txt || { echo 'code.txt: expected good'; exit 1; }\n";
const LOCAL: &str = ".claude/settings.local.json";
const CONFIG: &str = ".sprag/config.yaml";

/// A repository with a test, and Claude Code on the search path.
struct World {
    env: TestEnv,
    sprag: String,
}

impl World {
    fn new() -> Self {
        let world = Self::bare();
        world.program("claude", "echo '2.1.325 (Claude Code)'\n");
        world
    }

    /// The same without any host.
    fn bare() -> Self {
        let mut env = TestEnv::new();
        // Several processes take part: each needs its own ids, and time must pass.
        env.set("SPRAG_TEST_IDS", "");
        env.set("SPRAG_TEST_NOW", "");
        let path = format!("{}:/usr/bin:/bin", env.top().join("bin").display());
        env.set("PATH", &path);
        let world = Self { env, sprag: TestEnv::program(SPRAG) };
        world.executable("scripts/test", TEST);
        world.env.write("code.txt", "good\n");
        world.env.git(&["init", "-q"]);
        world.env.git(&["add", "."]);
        world.env.git(&["commit", "-qm", "start"]);
        world
    }

    /// Installs a program on the search path.
    fn program(&self, name: &str, script: &str) {
        self.executable(&format!("../bin/{name}"), &format!("#!/bin/sh\n{script}"));
    }

    fn executable(&self, path: &str, text: &str) {
        self.env.write(path, text);
        let path = self.env.project().join(path);
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn types(&self, words: &[&str]) -> Output {
        let mut command = self.env.command(&self.sprag);
        command.args(words).stdin(std::process::Stdio::null());
        let done = command.output().unwrap();
        Output {
            stdout: self.env.normal(&String::from_utf8_lossy(&done.stdout)),
            stderr: self.env.normal(&String::from_utf8_lossy(&done.stderr)),
            exit: done.status.code(),
        }
    }

    /// Runs a command that must succeed.
    fn person(&self, words: &[&str]) -> String {
        let said = self.types(words);
        assert_eq!(said.exit, Some(0), "sprag {words:?}: {}{}", said.stdout, said.stderr);
        said.stdout
    }

    fn json(&self, words: &[&str]) -> Value {
        serde_json::from_str(&self.types(words).stdout).unwrap()
    }

    /// Returns the entries of an event in a settings file of Claude Code.
    fn entries(&self, file: &str, event: &str) -> Vec<Value> {
        let text = self.env.read(file).unwrap_or_else(|| panic!("no {file}"));
        let settings: Value = serde_json::from_str(&text).unwrap();
        let groups = settings["hooks"][event].as_array().cloned().unwrap_or_default();
        groups.iter().flat_map(|group| group["hooks"].as_array().unwrap().clone()).collect()
    }

    /// Lists the project's files outside `.sprag`, and those of the home directory.
    fn files(&self) -> Vec<String> {
        let own = self.env.files().into_iter().filter(|file| !file.starts_with(".sprag/"));
        let home = sprag_testkit::folder::entries(&self.env.home()).unwrap();
        let home = home.into_keys().filter(|path| !path.starts_with(".local"));
        own.chain(home.map(|path| format!("~/{path}"))).collect()
    }
}
