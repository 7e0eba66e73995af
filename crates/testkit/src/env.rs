use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A hermetic environment: a project folder and a home directory in a temporary folder.
///
/// Programs started in it see none of the caller's environment except `PATH`. Clock, ids, home,
/// locale, and git's author and dates are fixed.
#[derive(Debug)]
pub struct TestEnv {
    /// Removed on drop; `None` if another process owns the folder.
    folder: Option<TempDir>,
    top: PathBuf,
    variables: Vec<(String, String)>,
}

impl TestEnv {
    /// The fixed time in this environment.
    pub const NOW: &'static str = "2026-03-05T10:30:00.000Z";

    /// Makes the environment with an empty project.
    pub fn new() -> Self {
        let folder = TempDir::with_prefix("sprag-test-").expect("a temporary folder");
        let top = folder.path().canonicalize().expect("its real path");
        for name in ["home", "project"] {
            std::fs::create_dir(top.join(name)).expect("a folder in the temporary folder");
        }
        let env = Self { folder: Some(folder), top, variables: Vec::new() };
        env.let_own(&env.project());
        env
    }

    /// Marks a project as the person's own, in the format of the first release.
    pub fn let_own(&self, project: &Path) {
        let folder = self.home().join(".local/state/sprag");
        std::fs::create_dir_all(&folder).expect("a folder at home");
        let list = folder.join("trust.json");
        let known = std::fs::read_to_string(&list).ok();
        let known = known.and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok());
        let mut known = known.unwrap_or_else(|| serde_json::json!({ "v": 1, "roots": {} }));
        known["roots"][project.to_str().expect("a path in UTF-8")] = serde_json::json!([]);
        std::fs::write(&list, known.to_string()).expect("a file at home");
        std::fs::set_permissions(&list, std::os::unix::fs::PermissionsExt::from_mode(0o600))
            .expect("a file of the person's alone");
    }

    /// Makes an environment whose person has agreed to nothing, as if the project came from
    /// elsewhere.
    pub fn of_a_stranger() -> Self {
        let env = Self::new();
        std::fs::remove_dir_all(env.home().join(".local")).expect("a folder at home");
        env
    }

    /// Enters an environment that another process made.
    pub fn visit(top: &Path) -> Self {
        Self { folder: None, top: top.to_path_buf(), variables: Vec::new() }
    }

    pub fn project(&self) -> PathBuf {
        self.top.join("project")
    }

    pub fn home(&self) -> PathBuf {
        self.top.join("home")
    }

    /// The folder that contains project and home.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// Sets a variable for every program started from now on.
    pub fn set(&mut self, name: &str, value: &str) {
        self.variables.retain(|(known, _)| known != name);
        self.variables.push((name.to_owned(), value.to_owned()));
    }

    /// Writes a file of the project and creates its folders.
    pub fn write(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let path = self.project().join(path);
        std::fs::create_dir_all(path.parent().expect("a file below the project")).unwrap();
        std::fs::write(&path, content)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    pub fn remove(&self, path: impl AsRef<Path>) {
        let path = self.project().join(path);
        std::fs::remove_file(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    /// Sets the modification time of a project file back.
    pub fn aged(&self, path: impl AsRef<Path>, by: std::time::Duration) {
        let path = self.project().join(path);
        let file = std::fs::File::options().append(true).open(&path).unwrap();
        let then = file.metadata().unwrap().modified().unwrap() - by;
        file.set_modified(then).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    /// Waits until `happened` returns true, a minute at most.
    pub fn wait_until(&self, what: &str, mut happened: impl FnMut() -> bool) {
        let start = std::time::Instant::now();
        while !happened() {
            assert!(start.elapsed().as_secs() < 60, "{what}: it did not happen in a minute");
            std::thread::yield_now();
        }
    }

    /// The program to test: the one in `SPRAG_BIN`, else `built`.
    pub fn program(built: &str) -> String {
        std::env::var("SPRAG_BIN").unwrap_or_else(|_| built.to_owned())
    }

    /// Reads a file of the project, or returns `None` if it cannot be read.
    pub fn read(&self, path: impl AsRef<Path>) -> Option<String> {
        std::fs::read_to_string(self.project().join(path)).ok()
    }

    /// Creates a symbolic link in the project; `target` is relative to the link's folder.
    #[cfg(unix)]
    pub fn link(&self, target: &str, path: impl AsRef<Path>) {
        std::os::unix::fs::symlink(target, self.project().join(path)).unwrap();
    }

    /// Lists every file below the project, sorted, except those in `.git`.
    pub fn files(&self) -> Vec<String> {
        let (mut files, mut folders) = (Vec::new(), vec![self.project()]);
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("a readable folder") {
                let path = entry.expect("a readable entry").path();
                if path.is_dir() && !path.is_symlink() {
                    folders.extend((!path.ends_with(".git")).then_some(path));
                } else {
                    let below = path.strip_prefix(self.project()).expect("below the project");
                    files.push(below.display().to_string());
                }
            }
        }
        files.sort();
        files
    }

    /// Returns a command that runs in the project and sees only this environment.
    pub fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command.current_dir(self.project()).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", self.home()).env("TMPDIR", &self.top);
        command.envs([("LC_ALL", "C.UTF-8"), ("TZ", "UTC"), ("COLUMNS", "80")]);
        command.envs([("SPRAG_TEST_NOW", Self::NOW), ("SPRAG_TEST_IDS", "1")]);
        command.env("SPRAG_TEST_ALONE", "1");
        command.envs([("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_CONFIG_GLOBAL", "/dev/null")]);
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "Test");
            command.env(format!("GIT_{who}_EMAIL"), "test@example.com");
            command.env(format!("GIT_{who}_DATE"), "2026-03-05T10:00:00Z");
        }
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs git in the project and returns its output; it must succeed.
    pub fn git(&self, arguments: &[&str]) -> String {
        let given = ["-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always"];
        let out =
            self.command("git").args(given).args(arguments).output().expect("git is installed");
        let said = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "git {arguments:?}: {said}");
        String::from_utf8_lossy(&out.stdout).trim_end().to_owned()
    }

    /// Replaces the folders of this environment, which differ from run to run.
    pub fn normal(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (path, name) in
            [(self.project(), "[PROJECT]"), (self.home(), "[HOME]"), (self.top.clone(), "[TOP]")]
        {
            text = text.replace(path.to_str().expect("a temporary folder in UTF-8"), name);
        }
        text
    }
}

impl Default for TestEnv {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for TestEnv {
    /// Makes read-only folders writable again, so that the temporary folder can be removed.
    fn drop(&mut self) {
        let mut folders: Vec<_> = self.folder.iter().map(|own| own.path().to_path_buf()).collect();
        while let Some(folder) = folders.pop() {
            if let Ok(found) = std::fs::symlink_metadata(&folder) {
                let mut mode = found.permissions();
                if found.is_dir() && mode.readonly() {
                    #[expect(clippy::permissions_set_readonly_false, reason = "it is about to go")]
                    mode.set_readonly(false);
                    let _ = std::fs::set_permissions(&folder, mode);
                }
            }
            let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
            folders.extend(
                entries
                    .map(|entry| entry.path())
                    .filter(|path| path.symlink_metadata().is_ok_and(|found| found.is_dir())),
            );
        }
    }
}
