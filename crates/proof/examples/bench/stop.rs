//! Measures stops inside a project: a refused one, and one that finds its receipt.

use std::cell::Cell;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::rounds::Pair;
use crate::{Failure, Figure, own};

/// A repository with a guard, and sessions of Claude Code in it.
struct World<'a> {
    sprag: &'a Path,
    root: PathBuf,
    home: PathBuf,
}

impl World<'_> {
    /// Creates a repository of `files` files whose guard requires the file `done`.
    fn new<'a>(
        sprag: &'a Path,
        scratch: &Path,
        name: &str,
        files: usize,
    ) -> Result<World<'a>, Failure> {
        let root = scratch.join(format!("repository-{name}"));
        let home = scratch.join(format!("home-{name}"));
        std::fs::create_dir_all(&home)?;
        for number in 0..files {
            let folder = root.join(format!("src/{}", number / 100));
            if number % 100 == 0 {
                std::fs::create_dir_all(&folder)?;
            }
            std::fs::write(folder.join(format!("{number}.txt")), format!("file {number}\n"))?;
        }
        std::fs::create_dir_all(root.join(".sprag"))?;
        std::fs::write(root.join(".sprag/config.yaml"), "guard: {gates: [{file: done}]}\n")?;
        let world = World { sprag, root, home };
        for words in [&["init", "-q"][..], &["add", "."], &["commit", "-qm", "start"]] {
            let mut git = Command::new("git");
            git.args(["-c", "user.name=bench", "-c", "user.email=bench@example.com"]).args(words);
            world.run(&mut git, Stdio::null())?;
        }
        own::let_own(sprag, &world.home, &world.root)?;
        Ok(world)
    }

    /// Runs a command and returns its output.
    fn run(&self, command: &mut Command, input: impl Into<Stdio>) -> Result<Vec<u8>, Failure> {
        command.current_dir(&self.root).env("HOME", &self.home).env_remove("XDG_STATE_HOME");
        let done = command.stdin(input).stderr(Stdio::null()).output()?;
        let failed = || format!("{command:?}: {}", done.status);
        if done.status.success() { Ok(done.stdout) } else { Err(failed().into()) }
    }

    /// Runs the smallest possible program in the same way.
    fn nothing(&self) -> Result<(), Failure> {
        self.run(&mut Command::new("/bin/true"), Stdio::null()).map(drop)
    }

    /// Sends an event to sprag as the host does.
    fn says(&self, session: usize, event: &str, more: &str) -> Result<Vec<u8>, Failure> {
        let cwd = self.root.display();
        let payload = format!(
            "{{\"session_id\":\"s{session}\",\"cwd\":\"{cwd}\",\"hook_event_name\":\"{event}\"{more}}}"
        );
        let path = self.home.join("payload");
        std::fs::write(&path, payload)?;
        self.run(Command::new(self.sprag).args(["hook", "claude"]), File::open(path)?)
    }

    /// Returns the file of the only run.
    fn guard(&self) -> Result<PathBuf, Failure> {
        let run = std::fs::read_dir(self.root.join(".sprag/runs"))?.next().ok_or("no run")??;
        Ok(run.path().join("run.yaml"))
    }

    /// Begins a session that changed a file.
    fn works(&self, session: usize) -> Result<(), Failure> {
        self.says(session, "SessionStart", ",\"source\":\"startup\"")?;
        let edit = ",\"tool_name\":\"Edit\",\"tool_input\":{\"file_path\":\"work.txt\"}";
        self.says(session, "PreToolUse", edit)?;
        Ok(std::fs::write(self.root.join("work.txt"), format!("{session}\n"))?)
    }

    /// Stops; the answer must contain `answer`, since a wrong answer would be fast but meaningless.
    fn stops(&self, session: usize, answer: &str) -> Result<(), Failure> {
        let said = self.says(session, "Stop", "")?;
        let said = String::from_utf8_lossy(&said);
        if said.contains(answer) && (said.is_empty() == answer.is_empty()) {
            return Ok(());
        }
        Err(format!("a stop was answered {said:?}").into())
    }
}

const BLOCK: &str = "\"decision\":\"block\"";

/// Sessions in a small repository whose stops are refused. Each measured stop is a session's second
/// refusal: it counts, commits and finds the receipt of the first.
pub(crate) struct Refusals<'a> {
    world: World<'a>,
    session: Cell<usize>,
}

impl<'a> Refusals<'a> {
    const SESSIONS: usize = 10;

    pub(crate) fn new(sprag: &'a Path, scratch: &Path, name: &str) -> Result<Self, Failure> {
        let world = World::new(sprag, scratch, name, 20)?;
        // All sessions begin before the first judgment: an earlier failure would not be their own.
        for session in 0..Self::SESSIONS {
            world.works(session)?;
        }
        for session in 0..Self::SESSIONS {
            world.stops(session, BLOCK)?;
        }
        Ok(Self { world, session: Cell::new(0) })
    }

    /// Prepares the next session for one more refused stop. The third stop without progress is
    /// held, and a prompt lets the work continue.
    pub(crate) fn prepare(&self) -> Result<(), Failure> {
        let next = self.session.get() + 1;
        self.session.set(next);
        if next > Self::SESSIONS {
            self.world.stops(next % Self::SESSIONS, "waits for you")?;
            self.world.says(next % Self::SESSIONS, "UserPromptSubmit", ",\"prompt\":\"go on\"")?;
            self.world.stops(next % Self::SESSIONS, BLOCK)?;
        }
        Ok(())
    }

    pub(crate) fn stop(&self) -> Result<(), Failure> {
        self.world.stops(self.session.get() % Self::SESSIONS, BLOCK)
    }
}

/// Measures a refused stop in a small repository against the smallest possible program.
pub(crate) fn refused(sprag: &Path, scratch: &Path, runs: usize) -> Result<Figure, Failure> {
    let ours = Refusals::new(sprag, scratch, "small")?;
    let nothing = || ours.world.nothing();
    let pair = Pair::measure_after(runs, || ours.prepare(), || ours.stop(), nothing)?;
    Ok(pair.ratio("a refused stop, one commit / `true`", Some(3.0)))
}

/// Measures a refused stop in a project with very many old sessions, and the first refusal of a
/// session, which begins a run.
pub(crate) fn refused_among_many(
    sprag: &Path,
    scratch: &Path,
    runs: usize,
) -> Result<[Figure; 2], Failure> {
    let world = World::new(sprag, scratch, "sessions", 20)?;
    for session in 0..runs {
        world.works(session)?;
    }
    let measure = || {
        let mut session = 0..;
        let stop = || world.stops(session.next().unwrap_or_default(), BLOCK);
        Pair::measure(runs, stop, || world.nothing())
    };
    let (first, second) = (measure()?, measure()?);
    Ok([
        second.ratio("the same, as many sessions as rounds / `true`", None),
        first.ratio("a session's first, which begins a run / `true`", None),
    ])
}

/// Measures a stop that finds its receipt, in a repository of `files` files.
pub(crate) fn fresh(
    sprag: &Path,
    scratch: &Path,
    files: usize,
    what: &'static str,
    goal: Option<f64>,
) -> Result<Figure, Failure> {
    let world = World::new(sprag, scratch, &files.to_string(), files)?;
    world.works(0)?;
    std::fs::write(world.root.join("done"), "")?;
    // The first stop leaves the receipt; a time stamp of this very moment proves nothing yet.
    for _ in 0..20 {
        world.stops(0, "")?;
    }
    if !std::fs::read_to_string(world.guard()?)?.contains("green:") {
        return Err("the guard did not pass".into());
    }
    let pair = Pair::measure(50, || world.stops(0, ""), || world.nothing())?;
    Ok(pair.millis(what, goal))
}

/// Measures the start of a session in a repository of `files` files, of which every tenth is a
/// test. The start records the baseline for later comparisons.
pub(crate) fn begins(
    sprag: &Path,
    scratch: &Path,
    files: usize,
    what: &'static str,
) -> Result<Figure, Failure> {
    let world = World::new(sprag, scratch, &format!("begins-{files}"), files)?;
    let gate = "guard: {gates: [{run: sh check.sh}]}\n";
    std::fs::write(world.root.join(".sprag/config.yaml"), gate)?;
    std::fs::write(world.root.join("check.sh"), "true\n")?;
    std::fs::create_dir_all(world.root.join("tests"))?;
    for number in 0..files / 10 {
        std::fs::write(world.root.join(format!("tests/{number}_test.sh")), "true\n")?;
    }
    let mut session = 0..;
    let begin = || {
        let session = session.next().unwrap_or_default();
        world.says(session, "SessionStart", ",\"source\":\"startup\"").map(drop)
    };
    Ok(Pair::measure(50, begin, || world.nothing())?.millis(what, None))
}
