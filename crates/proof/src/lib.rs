//! The tests that kill, starve and race sprag, and what their programs have in common.
//!
//! The programs are in `src/bin`: `commit-docs` commits some documents, `drive-plan` and `drive-tree`
//! work through a plan and a milestone tree and end themselves before a step, `register` plays one process of a race on one document, and
//! `broken` commits and races wrongly, so that the tests can show that they would notice. They live
//! here and not in testkit because cargo names a program's path only to the tests of its own package.

pub mod edits;
pub mod exit;
pub mod register;
pub mod steps;
