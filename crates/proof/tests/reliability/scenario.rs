//! The states of a journal in which a commit does something special.

use std::path::Path;

use sprag_testkit::folder;

use crate::project::{COMMIT_DOCS, Project, segments};

/// Commits of one, two and three documents: whole texts, a splice, a removal.
pub(crate) const EDITS: [&[&str]; 3] = [
    &["a.md=one, new\n"],
    &["a.md+=more\n", "notes/b.md=two, new\n"],
    &["a.md=one, new\n", "notes/b.md+=more\n", "notes/c.md!"],
];

/// There is no journal yet; two documents exist, and one folder does not.
pub(crate) fn first() -> Project {
    let project = Project::new();
    project.write("a.md", "one\n");
    project.write("notes/c.md", "three\n");
    project
}

/// A journal with a few lines.
pub(crate) fn existing() -> Project {
    let project = Project::with_documents();
    project.commit(&["a.md+=again\n"]);
    project
}

/// The previous commit was killed between its line and its documents.
pub(crate) fn unfinished() -> Project {
    let project = Project::with_documents();
    let words = ["a.md=killed\n", "notes/b.md+=killed\n", "notes/c.md=killed\n"];
    let status = project.commit_with("store.committed=kill", &words).status().unwrap();
    assert_eq!(status.code(), None);
    project
}

/// The next commit begins with a checkpoint.
pub(crate) fn checkpoint() -> Project {
    let project = Project::with_documents();
    grow(&project, "x", |copy| text_of(copy).matches("\"checkpoint\"").count());
    project
}

/// The next commit begins a new segment.
pub(crate) fn rotation() -> Project {
    let project = Project::with_documents();
    let large = "x".repeat(50 << 10);
    grow(&project, &large, |copy| segments(copy).len());
    project
}

/// Commits until the next commit would change the result of `count`.
fn grow(project: &Project, text: &str, count: impl Fn(&Path) -> usize) {
    for number in 0..200 {
        let copy = tempfile::tempdir().unwrap();
        folder::copy(&project.root, copy.path()).unwrap();
        let before = count(copy.path());
        let run =
            std::process::Command::new(COMMIT_DOCS).arg(copy.path()).arg("a.md=probe").output();
        assert!(run.unwrap().status.success());
        if count(copy.path()) > before {
            return;
        }
        project.commit(&[&format!("notes/b.md={number} {text}\n")]);
    }
    panic!("the journal never came to the point");
}

fn text_of(root: &Path) -> String {
    segments(root).iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}
