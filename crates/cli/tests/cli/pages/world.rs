//! The place where a page's commands run: one shell after another, as if they were one.

use std::path::PathBuf;

use sprag_testkit::TestEnv;

use super::page::{self, Step};
use crate::support::SPRAG;

/// A clean folder with an empty home, and the page's names for the runs in it.
pub(super) struct World {
    env: TestEnv,
    /// The page's runs that have not appeared yet, last first.
    coming: Vec<String>,
    /// The page's name for each run, and its real name.
    runs: Vec<(String, String)>,
    exit: i32,
}

impl World {
    pub(super) fn new(steps: &[Step]) -> Self {
        let mut env = TestEnv::new();
        // Several processes take part: each needs its own ids, and time must pass.
        env.set("SPRAG_TEST_IDS", "");
        env.set("SPRAG_TEST_NOW", "");
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", env.top().join("bin").display());
        env.set("PATH", &path);
        let program = PathBuf::from(TestEnv::program(SPRAG)).canonicalize().unwrap();
        env.write("../state", "");
        std::fs::create_dir(env.top().join("bin")).unwrap();
        env.link(program.to_str().unwrap(), "../bin/sprag");
        let shown: Vec<_> = steps.iter().flat_map(|step| &step.said).map(String::as_str).collect();
        let shown = shown.join("\n");
        let mut coming: Vec<_> = page::runs(&shown).into_iter().map(str::to_owned).collect();
        coming.reverse();
        Self { env, coming, runs: Vec::new(), exit: 0 }
    }

    /// Runs a command; returns its output with the page's names, and its exit code.
    pub(super) fn types(&mut self, command: &str) -> (String, i32) {
        let here = |command: String, (shown, real): &(String, String)| command.replace(shown, real);
        let command = self.runs.iter().fold(command.to_owned(), here);
        // The folder, the variables and the last exit code carry over from shell to shell.
        let state = self.env.top().join("state");
        let (state, last) = (state.display(), self.exit);
        let script = format!(
            "exec 2>&1\n. {state}\n(exit {last})\n{command}\nended=$?\n\
             {{ export -p; printf 'cd \"%s\"\\n' \"$PWD\"; }} > {state}\nexit $ended\n"
        );
        let mut shell = self.env.command("/bin/sh");
        let out = shell.args(["-c", &script]).stdin(std::process::Stdio::null()).output().unwrap();
        self.exit = out.status.code().unwrap();
        let said = String::from_utf8(out.stdout).unwrap();
        self.meet(&said);
        let shown = |said: String, (shown, real): &(String, String)| said.replace(real, shown);
        (self.runs.iter().fold(said, shown), self.exit)
    }

    /// Records runs that appear for the first time.
    fn meet(&mut self, said: &str) {
        for run in page::runs(said) {
            if self.runs.iter().all(|(_, known)| known != run)
                && let Some(shown) = self.coming.pop()
            {
                self.runs.push((shown, run.to_owned()));
            }
        }
    }
}
