//! Plays a story with one binary: performs its commands and records their results.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

use sprag_core::Time;
use sprag_testkit::TestEnv;

use crate::mask;
use crate::record::{self, Said, Step};

/// The milliseconds between two commands.
const TICK: i64 = 10_000;

/// The id of every project: each story has its own home.
const PROJECT: &str = "00000000000000000000000000";
/// The number of ids reserved for each command.
const IDS: usize = 1000;

/// The time limit of one command.
const LIMIT: Duration = Duration::from_mins(1);

/// The time in a play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clock {
    /// Frozen during a command; the next command is a little later.
    Fixed,
    /// Real, for stories in which a driver waits; all times are masked.
    Real,
}

/// The two binaries that are compared.
#[derive(Clone, Debug)]
pub(crate) struct Twins {
    /// The binary of the recorded commit.
    pub(crate) base: PathBuf,
    /// The binary under test.
    pub(crate) new: PathBuf,
}

/// A binary in the world of a story.
#[derive(Debug)]
pub(crate) struct Player {
    pub(crate) env: TestEnv,
    pub(crate) clock: Clock,
    twins: Twins,
    is_base: bool,
    steps: Vec<Step>,
    /// How many commands have begun.
    begun: usize,
    /// Whether a driver runs in the background.
    is_driven: bool,
    /// Whether a driver has waited for a time.
    has_waited: bool,
    variables: BTreeMap<String, String>,
}

/// A command that runs in the background.
#[derive(Debug)]
pub(crate) struct Started {
    what: String,
    child: Child,
    /// The files of its output, beside the world: a story can wait for a line.
    output: [PathBuf; 2],
}

impl Player {
    /// Creates an empty world in a folder, with one of the two binaries in it.
    pub(crate) fn new(top: &Path, twins: &Twins, is_base: bool) -> Self {
        for name in ["home", "project", "bin"] {
            std::fs::create_dir_all(top.join(name)).unwrap();
        }
        put_binary(top, if is_base { &twins.base } else { &twins.new });
        let mut env = TestEnv::visit(top);
        put_git(&top.join("bin/git"));
        env.set("PATH", &format!("{}:/usr/local/bin:/usr/bin:/bin", top.join("bin").display()));
        Self {
            env,
            clock: Clock::Fixed,
            twins: twins.clone(),
            is_base,
            steps: Vec::new(),
            begun: 0,
            is_driven: false,
            has_waited: false,
            variables: BTreeMap::new(),
        }
    }

    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Makes the base play the beginning in both plays; `upgrades` ends it.
    pub(crate) fn begins_with_the_base(&self) {
        assert!(self.begun == 0, "a story begins with the base or does not");
        put_binary(self.env.top(), &self.twins.base);
    }

    /// Replaces the base by the binary under test; the base's play keeps its own.
    pub(crate) fn upgrades(&self) {
        self.nobody_is_left();
        if !self.is_base {
            put_binary(self.env.top(), &self.twins.new);
        }
    }

    /// Records that a driver waits for a time in this story.
    pub(crate) const fn lets_a_driver_wait(&mut self) {
        self.has_waited = true;
    }

    /// Uses the real clock, so that time passes while a command runs.
    pub(crate) const fn by_the_real_clock(&mut self) {
        self.clock = Clock::Real;
    }

    /// Sets a variable for all later commands.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.variables.insert(name.to_owned(), value.to_owned());
    }

    pub(crate) fn unset(&mut self, name: &str) {
        self.variables.remove(name);
    }

    /// Runs a command of a person, without a terminal.
    pub(crate) fn types(&mut self, words: &[&str]) -> Outcome<'_> {
        self.gives(words, "")
    }

    /// Runs a command of a person with this input.
    pub(crate) fn gives(&mut self, words: &[&str], input: &str) -> Outcome<'_> {
        let command = self.command(words);
        self.performs(&shown(words, input), command, input)
    }

    /// Runs a command of an agent in a session: its host has marked the shell.
    pub(crate) fn agent_types(&mut self, session: &str, words: &[&str]) -> Outcome<'_> {
        let mut command = self.command(words);
        command.env("CLAUDECODE", "1").env("CLAUDE_CODE_SESSION_ID", session);
        let what = format!("[agent of {session}] {}", shown(words, ""));
        self.performs(&what, command, "")
    }

    /// Starts a command without waiting for its end.
    pub(crate) fn starts(&mut self, words: &[&str]) -> Started {
        let mut command = self.command(words);
        let beside = self.env.top().with_file_name(format!("{}", self.begun));
        let output = ["out", "err"].map(|kind| beside.with_extension(kind));
        let [out, err] = output.each_ref().map(|path| std::fs::File::create(path).unwrap());
        let child = command.stdin(Stdio::null()).stdout(out).stderr(err).spawn().unwrap();
        self.is_driven = true;
        Started { what: shown(words, ""), child, output }
    }

    /// Waits until a started command has printed this.
    pub(crate) fn hears(&self, started: &Started, text: &str) {
        self.env.wait_until(text, || {
            std::fs::read_to_string(&started.output[0]).is_ok_and(|said| said.contains(text))
        });
    }

    /// Sends a signal to a started command.
    pub(crate) fn signals(&self, started: &Started, signal: &str) {
        let id = started.child.id().to_string();
        assert!(self.env.command("kill").args(["-s", signal, &id]).status().unwrap().success());
    }

    /// Waits for the end of a started command.
    pub(crate) fn ends(&mut self, started: Started) -> Outcome<'_> {
        let mut out = self.wait(&started.what, started.child);
        let [stdout, stderr] = started.output.each_ref().map(|path| std::fs::read(path).unwrap());
        (out.stdout, out.stderr) = (stdout, stderr);
        self.is_driven = false;
        self.keep(&format!("{} (to its end)", started.what), &out)
    }

    /// Waits until every process of this world has ended.
    pub(crate) fn nobody_is_left(&self) {
        self.env.wait_until("all processes have ended", || self.everybody().is_empty());
    }

    /// Returns the newest run.
    pub(crate) fn run(&self) -> String {
        self.runs().pop().expect("a run")
    }

    /// Returns all runs, sorted by name.
    pub(crate) fn runs(&self) -> Vec<String> {
        let folder = self.env.project().join(".sprag/runs");
        let names = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut names: Vec<_> =
            names.map(|name| name.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Returns a command in this world, with its own time and ids.
    pub(crate) fn command(&mut self, words: &[&str]) -> Command {
        if self.begun == 0 {
            let (said, files) = (Said::default(), self.files());
            self.steps.push(Step { what: "the world as it is made".to_owned(), said, files });
        }
        self.begun += 1;
        let mut command = self.env.command(self.program());
        command.args(words);
        let later = TICK * i64::try_from(self.begun).unwrap();
        let now = Time::parse(TestEnv::NOW).unwrap().plus_millis(later).to_string();
        let now = if self.clock == Clock::Real { String::new() } else { now };
        command.env("SPRAG_TEST_NOW", now);
        command.env("SPRAG_TEST_IDS", (IDS * self.begun).to_string());
        command.env("SPRAG_TEST_PROJECT", PROJECT);
        command.envs(&self.variables);
        command
    }

    /// Returns the binary's path, which is the same in every play.
    pub(crate) fn program(&self) -> PathBuf {
        self.env.top().join("bin/sprag")
    }

    /// Runs a command to its end.
    pub(crate) fn performs(
        &mut self,
        what: &str,
        mut command: Command,
        input: &str,
    ) -> Outcome<'_> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{what}: {error}"));
        // A command that ends without reading closes the pipe.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let out = self.wait(what, child);
        self.keep(what, &out)
    }

    /// Records one answer of a conversation and the world after it.
    pub(crate) fn keeps_said(&mut self, what: &str, stdout: &str) {
        let said = Said {
            stdout: self.env.normal(stdout),
            stderr: String::new(),
            exit: "goes on".to_owned(),
        };
        let files = self.files();
        let what = self.env.normal(what);
        self.steps.push(Step { what, said, files });
    }

    /// Reads the world, unless a driver is at work in it.
    fn files(&self) -> Option<BTreeMap<String, String>> {
        (!self.is_driven).then(|| {
            let files = record::files(self.env.top());
            let files = if self.has_waited { mask::without_calls(files) } else { files };
            if self.clock == Clock::Real { mask::without_times(files) } else { files }
        })
    }

    fn wait(&self, what: &str, child: Child) -> Output {
        let (sender, receiver) = channel();
        std::thread::spawn(move || sender.send(child.wait_with_output()));
        if let Ok(out) = receiver.recv_timeout(LIMIT) {
            return out.unwrap();
        }
        self.end_everybody();
        panic!("{what}: it did not end in {} s", LIMIT.as_secs());
    }

    fn keep(&mut self, what: &str, out: &Output) -> Outcome<'_> {
        let text = |bytes: &[u8]| self.env.normal(&String::from_utf8_lossy(bytes));
        let exit = match (out.status.code(), out.status.signal()) {
            (Some(code), _) => format!("exit {code}"),
            (None, signal) => format!("signal {}", signal.unwrap_or_default()),
        };
        let said = Said { stdout: text(&out.stdout), stderr: text(&out.stderr), exit };
        let files = self.files();
        let what = self.env.normal(what);
        self.steps.push(Step { what, said, files });
        let is_base = self.is_base;
        Outcome { is_base, step: self.steps.last().unwrap() }
    }

    /// Returns every process of this world, found by its unique home.
    fn everybody(&self) -> Vec<u32> {
        let mark = format!("HOME={}", self.env.home().display());
        let is_ours = |id: &u32| {
            let environ = std::fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
            environ.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes())
        };
        let all = std::fs::read_dir("/proc").unwrap().flatten();
        let ids = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        ids.filter(is_ours).collect()
    }

    /// Kills every process of this world.
    pub(crate) fn end_everybody(&self) {
        for id in self.everybody() {
            let _ = self.env.command("kill").args(["-s", "KILL", &id.to_string()]).status();
        }
    }
}

/// The result of one command.
#[derive(Debug)]
pub(crate) struct Outcome<'p> {
    is_base: bool,
    step: &'p Step,
}

impl Outcome<'_> {
    /// Asserts the exit code, for the base only: the other binary is compared with it.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        self.ends_with(&format!("exit {code}"))
    }

    /// Asserts that it was killed, for the base only.
    #[track_caller]
    pub(crate) fn was_killed(self) -> Self {
        self.ends_with("signal 9")
    }

    #[track_caller]
    fn ends_with(self, exit: &str) -> Self {
        let said = &self.step.said;
        let as_told = !self.is_base || said.exit == exit;
        assert!(
            as_told,
            "the base does not do what the story tells: {}: {}, not {exit}\n{}{}",
            self.step.what, said.exit, said.stdout, said.stderr
        );
        self
    }

    /// Asserts a part of the output, for the base only.
    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Self {
        let said = &self.step.said;
        let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let all = flat(&format!("{}\n{}", said.stdout, said.stderr));
        assert!(
            !self.is_base || all.contains(text),
            "the base does not say what the story tells: {}: {text}\n{all}",
            self.step.what
        );
        self
    }

    /// Returns its output, for stories that use it.
    pub(crate) fn stdout(&self) -> String {
        self.step.said.stdout.clone()
    }
}

/// Installs a binary in a world, at the same path in every play.
fn put_binary(top: &Path, binary: &Path) {
    let own = top.join("bin/sprag");
    if own.exists() {
        std::fs::remove_file(&own).unwrap();
    }
    if std::fs::hard_link(binary, &own).is_err() {
        std::fs::copy(binary, &own).unwrap();
    }
}

/// Installs a git in a world that gives all commits the same time. sprag does not pass on the
/// variables for that.
fn put_git(path: &Path) {
    let search = std::env::var_os("PATH").unwrap_or_default();
    let all = std::env::split_paths(&search).map(|folder| folder.join("git"));
    let real = all.into_iter().find(|path| path.is_file()).expect("git is installed");
    let script = format!(
        "#!/bin/sh\nexport GIT_AUTHOR_DATE=2026-03-05T10:00:00Z GIT_COMMITTER_DATE=2026-03-05T10:00:00Z\n\
         exec {} \"$@\"\n",
        real.display()
    );
    std::fs::write(path, script).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// Formats a command as it would be typed.
fn shown(words: &[&str], input: &str) -> String {
    let is_quoted = |word: &str| word.contains([' ', '\n', '"']);
    let word = |word: &&str| {
        if is_quoted(word) { format!("{word:?}") } else { (*word).to_owned() }
    };
    let words: Vec<_> = words.iter().map(word).collect();
    let input = if input.is_empty() { String::new() } else { format!(" < {input:?}") };
    format!("sprag {}{input}", words.join(" "))
}
