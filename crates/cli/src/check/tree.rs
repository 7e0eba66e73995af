//! Checks a milestone tree: unreadable files, oddities, and differences from how GSD reads it.

use std::path::Path;

use sprag_core::gsd::{Count, Reading, derive};
use sprag_engine::gsd::{NoTree, look};
use sprag_formats::gsd::Depth;

use super::findings::{Checked, FindingKind, Findings};
use super::shown::PathBases;
use crate::codes::Code;
use crate::style::count;

/// Checks the tree of a project, if it has one.
pub(super) fn check(shown: &PathBases, root: &Path, home: Option<&Path>, findings: &mut Findings) {
    let looked = match look(root, home, Depth::Everything, Reading::Ours) {
        Ok(looked) => looked,
        Err(NoTree::Absent) => return,
        Err(error @ (NoTree::Flat | NoTree::OnlyDatabase | NoTree::Unreadable(_))) => {
            let why = error.to_string();
            findings.complaints.push(shown.unreadable(Code::State, ".gsd", &why));
            return;
        }
    };
    let tree = &looked.loaded.tree;
    let of = |done: Count, noun: &str| format!("{}, {} done", count(done.total, noun), done.done);
    let told = format!(
        "{}; {}",
        of(derive(tree).progress.milestones, "milestone"),
        of(tree.count_tasks(), "task"),
    );
    if tree.unreadable.is_empty() {
        let kind = FindingKind::Tree { told };
        findings.checked.push(Checked { file: ".gsd".to_owned(), kind, parts: vec![] });
    }
    let said = looked.loaded.problems.iter().map(|problem| shown.complaint(problem));
    findings.complaints.extend(said);
}
