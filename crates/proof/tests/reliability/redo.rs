//! Changes by people, git, kills and reboots between two commits: DESIGN.md "Redo", sentence by
//! sentence.

use std::io::Read as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::process::{Command, Stdio};

use sprag_proof::exit;
use sprag_store::{CommitError, Doc, StoreError};
use sprag_testkit::skip;

use crate::project::{Project, seen, try_commit};
use crate::verify::nothing_is_left;

fn text(text: &str) -> Doc {
    Doc::Text(text.to_owned())
}

fn git(project: &Project, words: &[&str]) {
    let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
    let run = Command::new("git").current_dir(&project.root).args(identity).args(words).output();
    let output = run.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_checkout_between_commits_is_respected() {
    let project = Project::with_documents();
    git(&project, &["init", "-q"]);
    git(&project, &["add", "a.md", "notes"]);
    git(&project, &["commit", "-qm", "first"]);
    project.commit(&["a.md=changed\n"]);
    git(&project, &["checkout", "-q", "a.md"]);
    assert_eq!(project.seen("a.md"), text("one\n"));
    project.commit(&["notes/b.md=other\n"]);
    assert_eq!(project.disk("a.md").unwrap(), "one\n");
    project.commit(&["a.md+=more\n"]);
    assert_eq!(project.disk("a.md").unwrap(), "one\nmore\n");
    assert!(project.kinds().contains(&"foreign.edit".to_owned()));
}

#[test]
fn a_foreign_edit_stands_whole_before_our_line() {
    let project = Project::with_documents();
    project.write("a.md", "by hand\n");
    project.commit(&["a.md+=ours\n"]);
    let lines = project.lines();
    let [.., foreign, ours] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!(foreign.events[0].kind.as_str(), "foreign.edit");
    assert_eq!(foreign.edits[0].after, ours.edits[0].before);
    assert!(std::fs::read_to_string(project.segment()).unwrap().contains("by hand"));
}

/// Runs a commit that pauses at `place`, does `meanwhile`, and lets the commit continue.
fn during(project: &Project, place: &str, words: &[&str], meanwhile: impl FnOnce()) -> Option<i32> {
    let pipe = project.scratch().join("pause");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let failpoint = format!("{place}=pause:{}", pipe.display());
    let mut child = project.commit_with(&failpoint, words).stdout(Stdio::null()).spawn().unwrap();
    // Opening blocks until the commit has reached the place and opens the other end.
    std::fs::File::open(&pipe).unwrap().read_to_end(&mut Vec::new()).unwrap();
    meanwhile();
    std::fs::remove_file(&pipe).unwrap();
    child.wait().unwrap().code()
}

#[test]
fn a_hand_edit_during_a_commit_is_decided_on_and_nothing_is_said_to_be_written_that_is_not() {
    let project = Project::with_documents();
    let words = ["a.md+=ours\n", "notes/b.md+=ours\n", "notes/c.md!", "notes/d.md+=new\n"];
    let code = during(&project, "store.committed", &words, || project.write("a.md", "by hand\n"));
    assert_eq!(code, Some(i32::from(exit::WRITTEN)));
    assert_eq!(project.disk("a.md").unwrap(), "by hand\nours\n");
    assert_eq!(project.disk("notes/b.md").unwrap(), "two\nours\n", "once, not twice");
    assert_eq!(project.disk("notes/c.md"), None);
    assert_eq!(project.disk("notes/d.md").unwrap(), "new\n");
    assert_eq!(project.seen("a.md"), text("by hand\nours\n"));
    let kinds = project.kinds();
    let has = |kind: &str| kinds.iter().filter(|one| *one == kind).count();
    assert_eq!((has("commit.undone"), has("foreign.edit")), (1, 1), "{kinds:?}");
    assert_eq!(has("proof.commit"), 1, "what was taken back did not happen");
    std::fs::remove_file(project.path("notes/d.md")).unwrap();
    assert_eq!(nothing_is_left(&project.root), Ok(()));
}

#[test]
fn readers_see_a_commit_whose_documents_are_not_written_yet() {
    let project = Project::with_documents();
    let words = ["a.md=ours\n", "notes/c.md!"];
    let code = during(&project, "store.committed", &words, || {
        assert_eq!(project.disk("a.md").unwrap(), "one\n");
        assert_eq!(project.seen("a.md"), text("ours\n"));
        assert_eq!(project.seen("notes/c.md"), Doc::Absent);
    });
    assert_eq!(code, Some(i32::from(exit::WRITTEN)));
}

#[test]
fn a_commit_waits_for_another_and_gives_up_in_time() {
    let project = Project::with_documents();
    let code = during(&project, "store.locked", &["a.md=first\n"], || {
        let busy = try_commit(&project.store(), &["a.md=second\n"]).unwrap_err();
        assert!(matches!(busy, CommitError::Store(StoreError::Busy { .. })), "{busy}");
    });
    assert_eq!(code, Some(i32::from(exit::WRITTEN)));
    assert_eq!(project.disk("a.md").unwrap(), "first\n");
}

#[test]
fn what_the_decision_read_may_change_while_it_waits() {
    let project = Project::with_documents();
    // Decided on "one", but changed by hand before the lock is held: decided again.
    let code = during(&project, "store.locked", &["a.md+=ours\n"], || {
        project.write("a.md", "by hand\n");
    });
    assert_eq!(code, Some(i32::from(exit::WRITTEN)));
    assert_eq!(project.disk("a.md").unwrap(), "by hand\nours\n");
}

#[test]
fn after_a_reboot_an_older_version_is_brought_forward() {
    let project = Project::with_documents();
    project.commit(&["a.md=second\n"]);
    project.commit(&["a.md=third\n"]);
    for older in ["one\n", "second\n"] {
        project.write("a.md", older);
        assert_eq!(project.seen("a.md"), text(older), "the same boot: a person meant it");
        assert_eq!(seen(&project.rebooted(), "a.md"), text("third\n"));
    }
    try_commit(&project.rebooted(), &["notes/b.md=x\n"]).unwrap();
    assert_eq!(project.disk("a.md").unwrap(), "third\n");
    assert!(project.kinds().contains(&"redone".to_owned()), "status must be able to say so");
}

#[test]
fn after_a_reboot_a_foreign_text_stays() {
    let project = Project::with_documents();
    project.commit(&["a.md=second\n"]);
    project.write("a.md", "by hand\n");
    assert_eq!(seen(&project.rebooted(), "a.md"), text("by hand\n"));
    try_commit(&project.rebooted(), &["notes/b.md=x\n", "a.md+=more\n"]).unwrap();
    assert_eq!(project.disk("a.md").unwrap(), "by hand\nmore\n");
}

#[test]
fn a_document_lost_in_a_power_cut_comes_back() {
    let project = Project::with_documents();
    std::fs::remove_file(project.path("a.md")).unwrap();
    project.write("notes/b.md", "");
    // A missing file is a version of the chain; an empty one is not, so it is a foreign change.
    assert_eq!(seen(&project.rebooted(), "a.md"), text("one\n"));
    assert_eq!(seen(&project.rebooted(), "notes/b.md"), text(""));
}

#[test]
fn a_kill_between_the_line_and_the_documents_is_made_good() {
    for place in ["store.committed", "store.publish"] {
        let project = Project::with_documents();
        let words = ["a.md=ours\n", "notes/b.md=ours\n", "notes/c.md!"];
        let killed = project.commit_with(&format!("{place}=kill"), &words).status().unwrap();
        assert_eq!(killed.code(), None, "{place}");
        assert_eq!(project.disk("a.md").unwrap(), "one\n");
        assert_eq!(project.seen("a.md"), text("ours\n"));
        project.commit(&["notes/x.md=x"]);
        assert_eq!(project.disk("a.md").unwrap(), "ours\n");
        assert_eq!(project.disk("notes/c.md"), None);
    }
}

#[test]
fn an_error_after_the_line_is_not_a_failure() {
    let project = Project::with_documents();
    let output =
        project.commit_with("store.publish=error:ENOSPC", &["a.md=ours\n"]).output().unwrap();
    assert_eq!(output.status.code(), Some(i32::from(exit::UNWRITTEN)));
    assert!(output.stdout.starts_with(b"ok "));
    assert_eq!(project.seen("a.md"), text("ours\n"));
    project.commit(&["notes/x.md=x"]);
    assert_eq!(project.disk("a.md").unwrap(), "ours\n");
}

#[test]
fn modes_are_kept() {
    let project = Project::with_documents();
    for mode in [0o600, 0o644, 0o755, 0o640] {
        let path = project.path("a.md");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        project.commit(&["a.md+=x\n"]);
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o7777, mode);
    }
}

#[test]
fn what_root_makes_belongs_to_the_owner_of_the_project() {
    if !rustix::process::geteuid().is_root() {
        return skip::skip("files made by root", "needs root");
    }
    let project = Project::new();
    chown(&project.root, Some(12345), Some(23456)).unwrap();
    project.commit(&["a.md=one\n", "notes/deep/b.md=two\n"]);
    project.commit(&["a.md=changed\n"]);
    for name in sprag_testkit::folder::entries(&project.root).unwrap().into_keys() {
        let stat = std::fs::symlink_metadata(project.path(&name)).unwrap();
        assert_eq!((stat.uid(), stat.gid()), (12345, 23456), "{name}");
    }
}
