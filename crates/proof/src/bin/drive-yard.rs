//! Takes one agent's work through the yard of a run: a worktree, a file, a commit, a proven merge,
//! and the removal of the worktree. After a kill, the next process does the same from the
//! beginning.
//!
//! `drive-yard ROOT`: the tests put their own `git` on the search path, which ends this process as
//! by `kill -9` at one of its calls.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use sprag_core::{RunId, WorktreeName};
use sprag_engine::gate::GateRunner;
use sprag_formats::{Checks, WorktreeConfig};
use sprag_proof::steps::complain;
use sprag_run::worktrees::{Merged, RemovedWorktree, Worktrees};
use sprag_world::root::{self, RootSearch};
use sprag_world::trust::Deed;

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        complain("usage: drive-yard ROOT");
        return ExitCode::from(2);
    };
    match drive(&folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

fn drive(folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let start = RootSearch { folder, home: None, named: Some(folder) };
    let place = root::find(start)?.ok_or("there is no project")?;
    let environment: Vec<_> = std::env::vars_os().collect();
    let (deed, config) = (Deed::default(), WorktreeConfig::default());
    let bench = GateRunner {
        place: &place,
        environment: &environment,
        deed: &deed,
        checks: Checks::Ask,
        stop: None,
    };
    let yard = Worktrees::open(&bench, &RunId::parse("r-test")?, &config)?;
    let tree = yard.take(&WorktreeName::parse("t1")?)?;
    work(tree.root())?;
    yard.commit(&tree, "work\n")?;
    let proof = |root: &Path| Ok::<_, Infallible>(root.join("new").exists());
    match yard.merge_then(&tree, proof, Ok)? {
        Merged::Kept(_) | Merged::Nothing => {}
        other @ (Merged::Unproven | Merged::Conflict(_)) => return Err(format!("{other:?}").into()),
    }
    match yard.put_away(&tree)? {
        RemovedWorktree::Gone => Ok(()),
        RemovedWorktree::Kept { why } => Err(why.into()),
    }
}

#[expect(clippy::disallowed_methods, reason = "agents write as they like")]
fn work(root: &Path) -> std::io::Result<()> {
    std::fs::write(root.join("new"), "new\n")?;
    std::fs::write(root.join("a.txt"), "changed\n")
}
