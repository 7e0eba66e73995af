//! A scratch repository with a test of its own that the user has approved.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use sprag_testkit::TestEnv;

/// The file that the agent works on, and that the project's test checks.
pub(crate) const PART: &str = "part.txt";

/// The output of the project's test when it fails.
pub(crate) const EVIDENCE: &str = "part.txt: expected good";

const TEST: &str = "if grep -qs bad part.txt; then echo 'part.txt: expected good'; exit 1; fi\n";

const PACKAGE: &str = "{ \"name\": \"part\", \"scripts\": { \"test\": \"sh test.sh\" } }\n";

const GUARD: &str = "guard:\n  gates:\n    - run: sh test.sh\n";

/// The script that runs the tests in a repository with several.
pub(crate) const CHECK: &str = "check.sh";

/// A test that existed before any agent came.
pub(crate) const OLD_TEST: &str = "tests/part_test.sh";

/// Another one, which the user protects.
pub(crate) const LOCKED_TEST: &str = "tests/locked/all_test.sh";

const TESTED: &str =
    "guard:\n  gates:\n    - run: sh check.sh\n      protect: [\"tests/locked/**\"]\n";

/// The folder of the user's own programs, below their home.
const BIN: &str = ".local/bin";

/// A repository and the sprag program that guards it.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) env: TestEnv,
    sprag: PathBuf,
}

impl World {
    /// A repository in which no session ends while `sh test.sh` fails.
    pub(crate) fn guarded() -> Self {
        Self::adopted(&[(".sprag/config.yaml", GUARD)])
    }

    /// A repository in which no session ends while a test fails, and where the user protects some
    /// of the tests.
    pub(crate) fn tested() -> Self {
        Self::adopted(&[
            (".sprag/config.yaml", TESTED),
            (CHECK, "for test in tests/*_test.sh; do sh \"$test\" || exit 1; done\n"),
            (
                OLD_TEST,
                "if grep -qs bad part.txt; then echo 'part.txt: expected good'; exit 1; fi\n",
            ),
            (LOCKED_TEST, "true\n"),
        ])
    }

    /// A repository without a guard, with these files of a workflow `two`.
    pub(crate) fn with_workflow(files: &[(&str, &str)]) -> Self {
        // The user approved `sh test.sh`, and then removed the guard.
        let world = Self::guarded();
        world.env.remove(".sprag/config.yaml");
        for (name, text) in files {
            world.env.write(format!(".sprag/workflows/two/{name}"), text);
        }
        world.commit();
        world
    }

    /// A repository with these files, adopted by the user.
    fn adopted(files: &[(&str, &str)]) -> Self {
        let world = Self::holding(files);
        world.person(&["adopt", "--yes"]);
        world
    }

    /// A repository with these files added to its own, which sprag has never seen.
    pub(crate) fn holding(files: &[(&str, &str)]) -> Self {
        let world = Self::untouched();
        for (name, text) in files {
            world.env.write(name, text);
        }
        world.commit();
        world
    }

    /// An ordinary repository that sprag has never seen; `npm test` runs `sh test.sh`.
    pub(crate) fn untouched() -> Self {
        let mut env = TestEnv::of_a_stranger();
        // Several processes take part: each needs its own ids, and time must pass.
        env.set("SPRAG_TEST_IDS", "");
        env.set("SPRAG_TEST_NOW", "");
        let sprag = env.home().join(BIN).join("sprag");
        let world = Self { env, sprag };
        // As on a real machine, even a shell that sets its own path finds it.
        world.at_home(".profile", &format!("PATH=\"$HOME/{BIN}:$PATH\"\n"));
        world.installs("sprag", &built());
        world.env.write("test.sh", TEST);
        world.env.write("package.json", PACKAGE);
        world.env.git(&["init", "-q"]);
        world.commit();
        world
    }

    /// Installs a program on the user's search path.
    pub(crate) fn installs(&self, name: &str, program: &Path) {
        let folder = self.env.home().join(BIN);
        std::fs::create_dir_all(&folder).unwrap();
        std::os::unix::fs::symlink(program, folder.join(name)).unwrap();
    }

    fn commit(&self) {
        self.env.git(&["add", "-A"]);
        self.env.git(&["commit", "-qm", "work", "--allow-empty"]);
    }

    /// Returns the path of the program that the host calls.
    pub(crate) fn sprag(&self) -> &str {
        self.sprag.to_str().unwrap()
    }

    /// Returns a command in the agent's environment, in which it finds sprag.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut command = self.env.command(program);
        let before = std::env::var_os("PATH").unwrap_or_default();
        let folders = [self.env.home().join(BIN)].into_iter().chain(std::env::split_paths(&before));
        command.env("PATH", std::env::join_paths(folders).unwrap()).env("TERM", "dumb");
        // The host's own marks show that an agent is calling.
        command.env_remove("SPRAG_TEST_ALONE");
        command
    }

    /// Runs a sprag command as a user in a terminal; it must succeed.
    pub(crate) fn person(&self, words: &[&str]) -> String {
        let mut command = self.command(&self.sprag);
        // The tests themselves may have been started by an agent.
        let done = command.env("SPRAG_TEST_ALONE", "1").args(words).output().unwrap();
        let (said, wrong) =
            (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
        assert!(done.status.success(), "sprag {words:?}: {said}{wrong}");
        said.into_owned()
    }

    /// Returns the report of the newest run, even if something is not proven.
    pub(crate) fn report(&self) -> Value {
        let mut command = self.command(&self.sprag);
        let done =
            command.env("SPRAG_TEST_ALONE", "1").args(["report", "--json"]).output().unwrap();
        serde_json::from_slice(&done.stdout).unwrap()
    }

    /// Returns the output of `sprag --json`.
    pub(crate) fn status(&self) -> Value {
        serde_json::from_str(&self.person(&["--json"])).unwrap()
    }

    /// Returns the events of the journal, each with its time as `at`.
    pub(crate) fn events(&self) -> Vec<Value> {
        let said = self.person(&["log", "-n", "100000", "--json"]);
        let lines = said.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let timed = |line: Value| {
            let events = line["events"].as_array().cloned().unwrap_or_default();
            events.into_iter().map(move |mut event| {
                event["at"] = line["at"].clone();
                event
            })
        };
        lines.flat_map(timed).collect()
    }

    /// Returns the command lines of all processes of this world that still run.
    pub(crate) fn left(&self) -> Vec<String> {
        let mark = format!("HOME={}", self.env.home().display());
        let words = |folder: std::path::PathBuf| {
            let environ = std::fs::read(folder.join("environ")).ok()?;
            let is_ours = environ.split(|byte| *byte == 0).any(|one| one == mark.as_bytes());
            let words = std::fs::read(folder.join("cmdline")).ok().filter(|_| is_ours)?;
            (!words.is_empty()).then(|| String::from_utf8_lossy(&words).into_owned())
        };
        std::fs::read_dir("/proc").unwrap().flatten().filter_map(|one| words(one.path())).collect()
    }

    /// Returns the verdicts of all receipts, ordered by time.
    pub(crate) fn verdicts(&self) -> Vec<String> {
        let files = self.env.files();
        let receipts = files.iter().filter(|file| file.contains("/receipts/"));
        let mut receipts: Vec<Value> = receipts
            .map(|file| serde_json::from_str(&self.env.read(file).unwrap()).unwrap())
            .collect();
        receipts.sort_by_key(|receipt| receipt["started"].to_string());
        receipts.iter().map(|receipt| receipt["verdict"].as_str().unwrap().to_owned()).collect()
    }

    /// Appends to a file in the user's home.
    pub(crate) fn adds_at_home(&self, path: &str, text: &str) {
        let before = std::fs::read_to_string(self.env.home().join(path)).unwrap();
        self.at_home(path, &format!("{before}{text}"));
    }

    /// Writes a file in the user's home.
    pub(crate) fn at_home(&self, path: &str, text: &str) {
        let path = self.env.home().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

/// Returns the program under test: the one named by `SPRAG_BIN`, else the one built beside these
/// tests.
fn built() -> PathBuf {
    let built = Path::new(env!("CARGO_BIN_EXE_commit-docs")).with_file_name("sprag");
    let path = std::env::var_os("SPRAG_BIN").map_or(built, PathBuf::from);
    assert!(path.exists(), "{} is missing: cargo build -p sprag", path.display());
    path.canonicalize().unwrap()
}
