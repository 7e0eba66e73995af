//! Stops inside a project: one that is refused, and one that finds its receipt.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::rounds::Pair;
use crate::{Failure, Figure};

/// A repository with a guard, and sessions of Claude Code in it.
struct World<'a> {
    sprag: &'a Path,
    root: PathBuf,
    home: PathBuf,
}

impl World<'_> {
    /// Makes a repository of so many files whose guard asks for the file `done`.
    fn new<'a>(sprag: &'a Path, scratch: &Path, files: usize) -> Result<World<'a>, Failure> {
        let root = scratch.join(format!("repository-{files}"));
        let home = scratch.join(format!("home-{files}"));
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
        Ok(world)
    }

    fn run(&self, command: &mut Command, input: impl Into<Stdio>) -> Result<(), Failure> {
        command.current_dir(&self.root).env("HOME", &self.home).env_remove("XDG_STATE_HOME");
        let status = command.stdin(input).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
        if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}").into()) }
    }

    /// Says something to sprag as the host does.
    fn says(&self, session: usize, event: &str, more: &str) -> Result<(), Failure> {
        let cwd = self.root.display();
        let payload = format!(
            "{{\"session_id\":\"s{session}\",\"cwd\":\"{cwd}\",\"hook_event_name\":\"{event}\"{more}}}"
        );
        let path = self.home.join("payload");
        std::fs::write(&path, payload)?;
        self.run(Command::new(self.sprag).args(["hook", "claude"]), File::open(path)?)
    }

    /// Begins a session that changed a file.
    fn works(&self, session: usize) -> Result<(), Failure> {
        self.says(session, "SessionStart", ",\"source\":\"startup\"")?;
        let edit = ",\"tool_name\":\"Edit\",\"tool_input\":{\"file_path\":\"work.txt\"}";
        self.says(session, "PreToolUse", edit)?;
        Ok(std::fs::write(self.root.join("work.txt"), format!("{session}\n"))?)
    }

    fn stops(&self, session: usize) -> Result<(), Failure> {
        self.says(session, "Stop", "")
    }
}

/// Measures the first stop of a session, which is refused, against the smallest program there is.
pub(crate) fn refused(sprag: &Path, scratch: &Path, runs: usize) -> Result<Figure, Failure> {
    let world = World::new(sprag, scratch, 20)?;
    for session in 0..runs {
        world.works(session)?;
    }
    let mut session = 0..;
    let pair = Pair::measure(
        runs,
        || world.stops(session.next().unwrap_or_default()),
        || world.run(&mut Command::new("/bin/true"), Stdio::null()),
    )?;
    let runs = std::fs::read_dir(world.root.join(".sprag/runs"))?.count();
    if runs == 0 {
        return Err("no stop was refused".into());
    }
    Ok(pair.ratio("a refused stop, one commit / `true`", 3.0))
}

/// Measures a stop that finds its receipt in a repository of so many files.
pub(crate) fn fresh(
    sprag: &Path,
    scratch: &Path,
    files: usize,
    what: &'static str,
    goal: Option<f64>,
) -> Result<Figure, Failure> {
    let world = World::new(sprag, scratch, files)?;
    world.works(0)?;
    std::fs::write(world.root.join("done"), "")?;
    // The first one leaves the receipt; a stamp of this very moment proves nothing yet.
    for _ in 0..20 {
        world.stops(0)?;
    }
    let pair = Pair::measure(
        50,
        || world.stops(0),
        || world.run(&mut Command::new("/bin/true"), Stdio::null()),
    )?;
    Ok(pair.millis(what, goal))
}
