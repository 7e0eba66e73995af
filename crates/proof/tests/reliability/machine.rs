//! A user's machine: a project, and beside it the home with its deed. Commands of sprag are swept
//! over a copy of both.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sprag_store::Place;
use sprag_testkit::inject::{self, Fault, Sweep, Trial};
use sprag_testkit::skip;
use sprag_testkit::strace::Call;
use sprag_world::trust;

use crate::project::Project;
use crate::t1_kill::conclude;

/// The name of the project's folder on the machine.
const PROJECT: &str = "root";

/// Returns the home of the user who owns the project `root`.
pub(crate) fn home(root: &Path) -> PathBuf {
    root.with_file_name("home")
}

/// Makes a project the user's own in every copy of the machine: its deed names a folder that no
/// longer exists, as after a move.
pub(crate) fn let_own(project: &Project) {
    let before = project.scratch().join("before");
    std::fs::rename(&project.root, &before).unwrap();
    let deeds = home(&project.root).join(".local/state/sprag");
    trust::record(&deeds, &Place::of(&before), |_| ()).unwrap();
    std::fs::rename(&before, &project.root).unwrap();
}

/// Returns the whole environment in which the user of `root` starts programs.
pub(crate) fn variables(root: &Path) -> [(&'static str, OsString); 3] {
    let path = std::env::var_os("PATH").unwrap_or_default();
    [("SPRAG_TEST_ALONE", "1".into()), ("PATH", path), ("HOME", home(root).into())]
}

/// Returns the command prefix that starts a program in that environment.
pub(crate) fn alone(root: &Path) -> Vec<OsString> {
    let set = |(name, value): (&str, OsString)| [name.into(), "=".into(), value];
    let set = variables(root).map(|variable| set(variable).into_iter().collect());
    ["env".into(), "-i".into()].into_iter().chain(set).collect()
}

/// Runs a command of sprag once for each fault, each time on a fresh copy of the whole machine.
/// `command` and `verify` receive the project in it.
pub(crate) fn sweep(
    what: &str,
    project: Project,
    command: &(dyn Fn(&Path) -> Vec<OsString> + Sync),
    faults: fn(&Call) -> Vec<Fault>,
    verify: &(dyn Fn(&Trial<'_>) -> Result<(), String> + Sync),
) -> usize {
    let runs = project.scratch().join("runs");
    std::fs::create_dir(&runs).unwrap();
    let command = |machine: &Path| command(&machine.join(PROJECT));
    let fixture = project.root.parent().unwrap();
    let sweep = Sweep { fixture, command: &command, faults };
    let verify = |trial: &Trial<'_>| {
        let Trial { injection, output, .. } = *trial;
        verify(&Trial { root: &trial.root.join(PROJECT), injection, output })
    };
    let tally = sweep.run(&runs, &verify).unwrap();
    let hits = tally.hits;
    conclude(what, &tally, project);
    hits
}

/// Returns the errors that a whole command of sprag meets at `call`: in the quick form one, another at
/// each next call of that name, and in the long form all of them.
pub(crate) fn errors(call: &Call) -> Vec<Fault> {
    let all = inject::errors(call);
    if skip::is_long() { all } else { vec![all[call.nth as usize % all.len()]] }
}

/// Creates the folders of a machine below `top`, and returns the project's.
pub(crate) fn make(top: &Path) -> PathBuf {
    let root = top.join(PROJECT);
    for folder in [top, &root, &home(&root)] {
        std::fs::create_dir(folder).unwrap();
    }
    root
}
