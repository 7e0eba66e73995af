//! A world with its own home, search path and project, and a person's actions in it.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use sprag_testkit::TestEnv;

use crate::report::Report;
use crate::session::Session;

/// The stand-ins for the runners; see the file itself.
const RUNNER: &str = include_str!("runner.py");

/// The names of [`RUNNER`] on the search path.
const RUNNERS: [&str; 27] = [
    "bun",
    "cargo",
    "claude",
    "composer",
    "deno",
    "eslint",
    "go",
    "golangci-lint",
    "gradle",
    "jest",
    "just",
    "mix",
    "mocha",
    "mvn",
    "mypy",
    "nox",
    "npm",
    "phpunit",
    "pnpm",
    "pytest",
    "rspec",
    "ruff",
    "task",
    "tox",
    "tsc",
    "vitest",
    "yarn",
];

/// A client that only claims to be done.
const CLAUDE: &str = "#!/bin/sh\ncat > /dev/null\n\
    echo '{\"type\":\"result\",\"subtype\":\"success\",\"result\":\"done\",\"session_id\":\"x\"}'\n";

/// A project and its user.
#[derive(Debug)]
pub(crate) struct Scene {
    pub(crate) env: TestEnv,
    pub(crate) sprag: PathBuf,
}

/// A command's output and exit code.
#[derive(Debug)]
pub(crate) struct Typed {
    pub(crate) exit: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Typed {
    /// Returns the whole output.
    pub(crate) fn all(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }

    /// Asserts the exit code.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert!(self.exit == Some(code), "exit {:?}, not {code}: {}", self.exit, self.all());
        self
    }
}

impl Scene {
    /// Creates an empty project that the user has not agreed to.
    pub(crate) fn empty() -> Self {
        let mut env = TestEnv::of_a_stranger();
        let bin = env.top().join("bin");
        std::fs::create_dir(&bin).unwrap();
        let search = std::env::var_os("PATH").unwrap_or_default();
        for name in ["git", "python3", "make", "sh"] {
            // Prefers the system's folders: a shim of a version manager needs the real home.
            let system = ["/usr/bin", "/bin", "/usr/local/bin"].map(PathBuf::from);
            let found = system.into_iter().chain(std::env::split_paths(&search));
            let found = found.map(|folder| folder.join(name)).find(|path| path.is_file());
            let found = found.unwrap_or_else(|| panic!("`{name}` is missing"));
            std::os::unix::fs::symlink(found, bin.join(name)).unwrap();
        }
        env.set("PATH", &format!("{}:/usr/local/bin:/usr/bin:/bin", bin.display()));
        // Several processes take part: each needs its own ids, and time must pass.
        for real in ["SPRAG_TEST_IDS", "SPRAG_TEST_NOW", "GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"] {
            env.set(real, "");
        }
        env.set("PYTHONDONTWRITEBYTECODE", "1");
        let scene = Self { env, sprag: built() };
        let runner = bin.join("runner.py");
        std::fs::write(&runner, RUNNER).unwrap();
        // Without the packages of this machine, which would be searched at every start.
        let start = format!("#!/bin/sh\nexec python3 -I -S {} \"$@\"\n", runner.display());
        scene.program("runner", &start);
        for name in RUNNERS {
            scene.program(name, &format!("#!/bin/sh\nexec runner {name} \"$@\"\n"));
        }
        scene.program("claude", CLAUDE);
        std::os::unix::fs::symlink(&scene.sprag, bin.join("sprag")).unwrap();
        scene
    }

    /// Creates a repository with these files in one commit.
    pub(crate) fn of<P: AsRef<str>, T: AsRef<str>>(
        files: impl IntoIterator<Item = (P, T)>,
    ) -> Self {
        let scene = Self::empty();
        for (path, text) in files {
            scene.writes(path.as_ref(), text.as_ref());
        }
        scene.env.git(&["init", "-q"]);
        scene.commits();
        scene
    }

    /// Installs a program on the search path.
    pub(crate) fn program(&self, name: &str, text: &str) {
        Self::executable(&self.env.top().join("bin").join(name), text);
    }

    /// Writes an executable file of the project.
    pub(crate) fn writes_program(&self, path: &str, text: &str) {
        Self::executable(&self.path(path), text);
    }

    fn executable(path: &Path, text: &str) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.env.project().join(path)
    }

    /// Writes a file as a person.
    pub(crate) fn writes(&self, path: &str, text: &str) {
        self.env.write(path, text);
    }

    /// Reads a file of the project.
    #[track_caller]
    pub(crate) fn text(&self, path: &str) -> String {
        self.env.read(path).unwrap_or_else(|| panic!("{path} is missing"))
    }

    /// Replaces a part of a file as a person.
    #[track_caller]
    pub(crate) fn changes(&self, path: &str, from: &str, to: &str) {
        let text = self.text(path);
        assert!(text.contains(from), "{path} has no `{from}`:\n{text}");
        self.writes(path, &text.replacen(from, to, 1));
    }

    /// Commits everything.
    pub(crate) fn commits(&self) {
        self.env.git(&["add", "-A"]);
        self.env.git(&["commit", "-qm", "a person's"]);
    }

    /// Runs a shell line in the project.
    #[track_caller]
    pub(crate) fn shell(&self, line: &str) {
        let done = self.env.command("sh").args(["-c", line]).output().unwrap();
        assert!(done.status.success(), "{line}: {}", String::from_utf8_lossy(&done.stderr));
    }

    /// Returns a sprag command.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = self.env.command(&self.sprag);
        command.args(words).stdin(Stdio::null());
        command
    }

    /// Runs a sprag command as a person without a terminal.
    pub(crate) fn types(&self, words: &[&str]) -> Typed {
        typed(self.command(words))
    }

    /// Runs a sprag command in another folder.
    pub(crate) fn types_at(&self, folder: &Path, words: &[&str]) -> Typed {
        let mut command = self.command(words);
        command.current_dir(folder);
        typed(command)
    }

    /// Runs `sprag init` with a guard command.
    #[track_caller]
    pub(crate) fn guarded_by(&self, gate: &str) {
        self.types(&["init", "--host", "claude", "--gate", gate, "--yes"]).exits(0);
    }

    /// Runs `sprag init` with a guard command; then a person rewrites the configuration.
    #[track_caller]
    pub(crate) fn configured(&self, gate: &str, config: &str) {
        self.guarded_by(gate);
        self.writes(".sprag/config.yaml", config);
    }

    /// Opens a session of Claude Code.
    pub(crate) fn session<'s>(&'s self, name: &'s str) -> Session<'s> {
        Session::open(self, name, &self.env.project())
    }

    /// Returns the report of a run, or of the newest one.
    pub(crate) fn report(&self, run: Option<&str>) -> Report {
        self.report_at(&self.env.project(), run)
    }

    /// Returns the report as requested in another folder.
    pub(crate) fn report_at(&self, folder: &Path, run: Option<&str>) -> Report {
        let words: Vec<&str> = ["report"].into_iter().chain(run).chain(["--json"]).collect();
        let said = self.types_at(folder, &words);
        Report::read(&said.stdout, &said.stderr)
    }

    /// Returns the output of `sprag --json`.
    #[track_caller]
    pub(crate) fn status(&self) -> serde_json::Value {
        let said = self.types(&["--json"]);
        serde_json::from_str(&said.stdout).unwrap_or_else(|bad| panic!("{bad}: {}", said.all()))
    }

    /// Returns the newest run of a kind: `task`, `guard`, `workflow`.
    #[track_caller]
    pub(crate) fn run_of(&self, source: &str) -> String {
        let status = self.status();
        let runs = status["runs"].as_array().unwrap().iter();
        let runs =
            runs.filter(|run| run["source"].as_str().is_some_and(|all| all.starts_with(source)));
        let newest = runs.max_by_key(|run| run["started"].as_str().unwrap().to_owned());
        let newest = newest.unwrap_or_else(|| panic!("no run of {source}: {status}"));
        newest["id"].as_str().unwrap().to_owned()
    }

    /// Creates an agent from shell code, and returns the command that starts it. `$told` is its
    /// prompt, and `$turn` counts its turns from 1.
    pub(crate) fn agent(&self, does: &str) -> String {
        self.agent_called("agent", does)
    }

    /// Creates a named agent, for scenes with several.
    pub(crate) fn agent_called(&self, name: &str, does: &str) -> String {
        let path = self.env.top().join(format!("{name}.sh"));
        let head = format!(
            "told=$(cat)\nlog='{}/{name}.told'\nmkdir -p \"$log\"\n\
             turn=$(($(ls \"$log\" | wc -l) + 1))\nprintf '%s' \"$told\" > \"$log/$turn\"\n",
            self.env.top().display()
        );
        std::fs::write(&path, format!("{head}{does}\n")).unwrap();
        format!("sh {}", path.display())
    }

    /// Returns the prompts of an agent, in order.
    pub(crate) fn told(&self, name: &str) -> Vec<String> {
        let folder = self.env.top().join(format!("{name}.told"));
        let prompt = |turn: usize| std::fs::read_to_string(folder.join(turn.to_string())).ok();
        (1..).map_while(prompt).collect()
    }

    /// Drives a run with an agent of shell code; all questions are answered beforehand.
    pub(crate) fn drives(&self, words: &[&str], agent: &str) -> Typed {
        let host = self.agent(agent);
        self.types(&[&["run"], words, &["--host", &host, "--yes"]].concat())
    }

    /// Starts a command without waiting for its end.
    pub(crate) fn starts(&self, words: &[&str]) -> Child {
        let mut command = self.command(words);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// Waits until a file of the world exists.
    pub(crate) fn waits_for(&self, name: &str) {
        let path = self.env.top().join(name);
        self.env.wait_until(name, || path.exists());
    }

    /// Waits until the file system's clock has visibly advanced, so that times show what came
    /// first.
    pub(crate) fn a_moment_passes(&self) {
        let probe = self.env.top().join("probe");
        let touch = || {
            std::fs::write(&probe, "").unwrap();
            probe.metadata().unwrap().modified().unwrap()
        };
        let before = touch();
        let later = || touch().duration_since(before).is_ok_and(|passed| passed.as_millis() >= 20);
        self.env.wait_until("a moment passes", later);
    }
}

impl Drop for Scene {
    /// Kills every process of this world, found by its unique home.
    fn drop(&mut self) {
        let mark = format!("HOME={}", self.env.home().display());
        let is_ours = |id: &i32| {
            let environ = std::fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
            environ.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes())
        };
        let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let ids = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        for id in ids.filter(is_ours).filter_map(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process(id, rustix::process::Signal::KILL);
        }
    }
}

/// Runs a command to its end.
pub(crate) fn typed(mut command: Command) -> Typed {
    let done = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Typed { exit: done.status.code(), stdout: text(&done.stdout), stderr: text(&done.stderr) }
}

/// Returns the program under test: the one named by `SPRAG_BIN`, else the one built beside these
/// tests.
fn built() -> PathBuf {
    let built = Path::new(env!("CARGO_BIN_EXE_commit-docs")).with_file_name("sprag");
    let path = std::env::var_os("SPRAG_BIN").map_or(built, PathBuf::from);
    assert!(path.exists(), "{} is missing: cargo build -p sprag", path.display());
    path.canonicalize().unwrap()
}
