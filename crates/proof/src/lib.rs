//! The tests that kill, starve and race sprag, and the common parts of their programs.
//!
//! The programs are in `src/bin`. `commit-docs` commits documents. `drive-plan` and `drive-tree`
//! work through a plan and a milestone tree, and end themselves before a step. `register` plays one
//! process of a race on one document. `broken` commits and races wrongly, so that the tests can
//! show that they detect it. They are here and not in testkit because cargo exposes a program's
//! path only to the tests of its own package.

pub mod edits;
pub mod exit;
pub mod register;
pub mod steps;

/// Returns the place of a project; one with a git folder keeps a copy of its journal there.
pub fn place(root: &std::path::Path) -> sprag_store::Place {
    let found = root.join(".git").symlink_metadata();
    // Only absence means that there is none, not an error that a test injects.
    let is_none = found.is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound);
    let git = Some(root.join(".git")).filter(|_| !is_none);
    sprag_store::Place { common: git, ..sprag_store::Place::of(root) }
}
