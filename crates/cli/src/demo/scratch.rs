//! The scratch folder of the demo: a project with its own tests, scripted agents and home
//! directory. The demo writes nothing outside it, and reads no user settings.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, ErrorKind};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sprag_store::Place;
use sprag_world::process::{Tool, inherited};

use super::job::REVIEWER;
use super::units;

/// Longer than any command of the demo takes.
const LIMIT: Duration = Duration::from_secs(30);
/// The pause between two looks for a file.
const PAUSE: Duration = Duration::from_millis(5);
/// How many random names are tried.
const NAMES: u32 = 16;

/// The initial files of the project, apart from the units.
const FILES: [(&str, &str); 6] = [
    ("src/csv.sh", include_str!("project/csv.sh")),
    ("tests/csv.sh", include_str!("project/csv_test.sh")),
    (".gitignore", ".gsd/\n"),
    (".sprag/workflows/csv/workflow.yaml", include_str!("project/workflow.yaml")),
    (".sprag/workflows/csv/build.md", include_str!("project/build.md")),
    (".sprag/.gitignore", "*\n!workflows/**\n"),
];

/// The scripts of the agents.
const AGENTS: [(&str, &str); 2] =
    [("agent", include_str!("project/agent.sh")), (REVIEWER, include_str!("project/reviewer.sh"))];

#[derive(Debug)]
pub(super) struct Scratch {
    top: PathBuf,
    pub(super) place: Place,
    pub(super) environment: Vec<(OsString, OsString)>,
}

impl Scratch {
    /// Creates a scratch folder below `parent`, for a user with these variables.
    pub(super) fn make(parent: &Path, person: Vec<(OsString, OsString)>) -> io::Result<Self> {
        let top = new_folder(&std::path::absolute(parent)?)?;
        let environment = environment(person, &top);
        let scratch = Self { place: Place::of(top.join("csv")), top, environment };
        let at = |error| io::Error::other(format!("{}: {error}", scratch.top.display()));
        scratch.fill().map_err(at)?;
        Ok(scratch)
    }

    fn fill(&self) -> io::Result<()> {
        for (name, text) in FILES {
            self.write(name, text)?;
        }
        for (name, text) in units::files() {
            self.write(&name, &text)?;
        }
        self.write("../home/.keep", "")?;
        self.write("../turns/last", "0\n")?;
        for (name, text) in AGENTS {
            self.write(&format!("../{name}"), text)?;
            fs::set_permissions(self.top.join(name), fs::Permissions::from_mode(0o755))?;
        }
        self.git(&["init", "-q", "-b", "main"])?;
        self.git(&["add", "."])?;
        self.git(&["commit", "-qm", "A project with a failing test"]).map(drop)
    }

    pub(super) fn project(&self) -> &Path {
        &self.place.root
    }

    /// Runs git in the project.
    pub(super) fn git(&self, words: &[&str]) -> io::Result<String> {
        self.ask("git", words)
    }

    /// Kills a process with -9, as a person would.
    pub(super) fn kill(&self, process: &str) -> io::Result<()> {
        self.ask("sh", &["-c", "kill -9 \"$0\"", process]).map(drop)
    }

    /// Returns a file that the agent saved in a turn.
    pub(super) fn kept(&self, name: &str) -> io::Result<String> {
        fs::read_to_string(self.top.join("turns").join(name))
    }

    /// Waits for a file that an agent is about to save.
    pub(super) fn wait_for(&self, name: &str) -> io::Result<String> {
        for _ in 0..LIMIT.as_millis() / PAUSE.as_millis() {
            match self.kept(name) {
                Err(error) if error.kind() == ErrorKind::NotFound => std::thread::sleep(PAUSE),
                other => return other,
            }
        }
        self.kept(name)
    }

    #[expect(clippy::disallowed_methods, reason = "a scratch project is no state")]
    fn write(&self, name: &str, text: &str) -> io::Result<()> {
        let path = self.place.root.join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, text)
    }

    fn ask(&self, program: &str, words: &[&str]) -> io::Result<String> {
        let words: Vec<&OsStr> = words.iter().map(OsStr::new).collect();
        let (folder, environment) = (self.project(), &self.environment);
        let tool = Tool { program, words: &words, folder, environment, input: b"", limit: LIMIT };
        let not_asked = |error| io::Error::other(format!("cannot ask `{program}`: {error}"));
        let said = tool.ask().map_err(not_asked)?;
        if said.exit == Some(0) {
            return Ok(String::from_utf8_lossy(&said.out).trim().to_owned());
        }
        Err(io::Error::other(format!("`{program}` failed: {}", said.complaint)))
    }
}

fn new_folder(parent: &Path) -> io::Result<PathBuf> {
    let mut tried = 0;
    loop {
        tried += 1;
        let folder = parent.join(format!("sprag-demo-{:04x}", random() & 0xffff));
        match fs::create_dir(&folder) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists && tried < NAMES => {}
            Err(error) => return Err(io::Error::other(format!("{}: {error}", folder.display()))),
            Ok(()) => return Ok(folder),
        }
    }
}

/// Returns a random number: the keys of std's hash maps come from the operating system.
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// Removes variables that point outside the scratch folder.
fn environment(person: Vec<(OsString, OsString)>, top: &Path) -> Vec<(OsString, OsString)> {
    let leads_out = |name: &OsStr| {
        let name = name.to_string_lossy();
        name == "HOME" || name.starts_with("XDG_") || name.starts_with("GIT_") || name == "SPRAG"
    };
    let own = [
        ("HOME", top.join("home").into_os_string()),
        ("GIT_CONFIG_GLOBAL", "/dev/null".into()),
        ("GIT_CONFIG_NOSYSTEM", "1".into()),
        ("GIT_AUTHOR_NAME", "demo".into()),
        ("GIT_AUTHOR_EMAIL", "demo@localhost".into()),
        ("GIT_COMMITTER_NAME", "demo".into()),
        ("GIT_COMMITTER_EMAIL", "demo@localhost".into()),
    ];
    let kept = inherited(person).into_iter().filter(|(name, _)| !leads_out(name));
    kept.chain(own.map(|(name, value)| (name.into(), value))).collect()
}
