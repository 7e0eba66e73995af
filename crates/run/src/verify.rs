//! Runs the gates of a run again on the branch that holds its merged work, not on the files in the
//! current folder.

use std::ffi::OsString;

use sprag_core::reporting::{Report, WorkBranch};
use sprag_core::{RunId, WorktreeName};
use sprag_engine::engine::{Engine, EngineError};
use sprag_engine::verify::Checked;
use sprag_store::Place;
use sprag_world::process::StopHandle;

use crate::RunError;
use crate::workspace::{environment, place};
use crate::worktrees::{PREFIX, Worktrees, WorktreesError};

/// Returns the run that owns the branch: the run itself, or the inbox.
fn owner(branch: &str) -> Result<RunId, EngineError> {
    Ok(RunId::parse(branch.strip_prefix(PREFIX).unwrap_or(branch))?)
}

/// Runs the gates of a run on the files of `branch`, or on its last commit if the branch is gone.
/// They run in a worktree that is always removed afterwards, even when `stop` is asked meanwhile.
pub fn verify_branch(
    project: &Place,
    variables: &[(OsString, OsString)],
    (run, branch): (&RunId, &WorkBranch),
    report: &Report,
    stop: &StopHandle,
) -> Result<Vec<Checked>, RunError> {
    let engine = Engine::open(project, variables)?;
    let (config, deed) = (engine.drive_config()?, engine.deed());
    let bench = engine.drive_bench(&deed, config.checks);
    let worktrees =
        Worktrees::planned(&bench, &owner(&branch.name)?, &config.worktree)?.ended_by(stop);
    let variables = environment(worktrees.variables(), variables);
    worktrees
        .aside(&branch.revision(), |root| {
            let files = place(root)?;
            let judge = Engine::judging(project, &files, &variables)?.ended_by(stop);
            Ok(judge.verify(run, report)?)
        })
        .map_err(RunError::from)
        .and_then(|checked: Result<_, RunError>| checked)
}

impl Worktrees {
    /// Passes `look` a temporary worktree of a commit, then removes it.
    fn aside<T>(
        &self,
        from: &str,
        look: impl FnOnce(&std::path::Path) -> T,
    ) -> Result<T, WorktreesError> {
        let tree =
            self.take_from(&WorktreeName::parse(&format!("verify-{}", std::process::id()))?, from)?;
        let seen = look(tree.root());
        self.discard(&tree)?;
        Ok(seen)
    }
}
