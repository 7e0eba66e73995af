//! Measures starts of the binary: a host hook with nothing to do, and the status with a long
//! journal.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::rounds::Pair;
use crate::{Failure, Figure, journal};

/// A host's payload when an agent wants to stop.
pub(crate) const PAYLOAD: &str =
    r#"{"session_id":"bench","hook_event_name":"Stop","cwd":"/","stop_hook_active":false}"#;

fn run(command: &mut Command) -> Result<(), Failure> {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}").into()) }
}

/// A folder that has nothing to do with sprag.
pub(crate) struct Elsewhere {
    folder: tempfile::TempDir,
    payload: PathBuf,
}

impl Elsewhere {
    pub(crate) fn new() -> Result<Self, Failure> {
        let folder = tempfile::tempdir()?;
        let payload = folder.path().join("payload");
        std::fs::write(&payload, PAYLOAD)?;
        Ok(Self { folder, payload })
    }

    fn start(&self, command: &mut Command) -> Result<(), Failure> {
        run(command.current_dir(self.folder.path()).stdin(File::open(&self.payload)?))
    }

    pub(crate) fn hook(&self, sprag: &Path) -> Result<(), Failure> {
        self.start(Command::new(sprag).args(["hook", "claude"]))
    }
}

/// Measures a host hook outside a project against the smallest possible program.
pub(crate) fn hook(sprag: &Path, runs: usize) -> Result<Figure, Failure> {
    let elsewhere = Elsewhere::new()?;
    let nothing = || elsewhere.start(&mut Command::new("/bin/true"));
    let pair = Pair::measure(runs, || elsewhere.hook(sprag), nothing)?;
    Ok(pair.ratio("`sprag hook claude`, not our folder / `true`", Some(1.3)))
}

/// Measures the status with a million events against the status with ten.
pub(crate) fn status(sprag: &Path, scratch: &Path, runs: usize) -> Result<Figure, Failure> {
    let (many, few) = (scratch.join("many"), scratch.join("few"));
    journal::make(&many, 1_000_000)?;
    journal::make(&few, 10)?;
    let start = |root: &Path| run(Command::new(sprag).arg("--json").current_dir(root));
    let pair = Pair::measure(runs, || start(&many), || start(&few))?;
    Ok(pair.ratio("`sprag --json`, 1,000,000 events / 10", Some(1.1)))
}
