//! Journals that are torn, cut, damaged or without a head, and texts at the limits of size.

use std::fs::OpenOptions;
use std::io::Write as _;

use sprag_proof::exit;
use sprag_store::{CommitError, Doc, MAX_DOCUMENT, StoreError, UnreadableCause};

use crate::project::{Project, doc, lines, try_commit};

fn head(project: &Project) -> std::path::PathBuf {
    project.path(".sprag/journal/head")
}

/// Asserts that reads and commits are refused, and that nothing is written.
fn assert_unknown(project: &Project) {
    let before = sprag_testkit::folder::entries(&project.root).unwrap();
    let read = project.store().read(|view| Ok::<_, StoreError>(view.read(&doc("a.md"))));
    assert!(matches!(read, Err(StoreError::Unknown { .. })), "{read:?}");
    let commit = try_commit(&project.store(), &["a.md=x\n"]).unwrap_err();
    assert!(matches!(commit, CommitError::Store(StoreError::Unknown { .. })), "{commit}");
    assert!(commit.to_string().contains(".jsonl"), "{commit}");
    let output = project.run(&["a.md=x\n"]);
    assert_eq!(output.status.code(), Some(i32::from(exit::UNKNOWN)));
    assert_eq!(sprag_testkit::folder::entries(&project.root).unwrap(), before);
}

#[test]
fn a_torn_tail_is_cut() {
    for rest in ["{", "{\"v\":1,\"seq\":99,\"at\":\"2026", "garbage\n", "\0\0\0\0"] {
        let project = Project::with_documents();
        let count = project.lines().len();
        let mut file = OpenOptions::new().append(true).open(project.segment()).unwrap();
        file.write_all(rest.as_bytes()).unwrap();
        assert_eq!(project.seen("a.md"), Doc::Text("one\n".to_owned()), "{rest:?}");
        project.commit(&["a.md=x\n"]);
        assert_eq!(project.lines().len(), count + 1, "{rest:?}");
        let lines = std::fs::read_to_string(project.segment()).unwrap();
        assert_eq!(lines.lines().count(), count + 1, "{rest:?}");
    }
}

#[test]
fn a_bad_line_followed_by_others_is_unknown() {
    let project = Project::with_documents();
    project.commit(&["a.md=second\n"]);
    project.commit(&["a.md=third\n"]);
    let text = std::fs::read_to_string(project.segment()).unwrap();
    std::fs::write(project.segment(), text.replacen("second", "sEcond", 1)).unwrap();
    std::fs::remove_file(head(&project)).unwrap();
    assert_unknown(&project);
}

#[test]
fn damage_before_the_head_is_found_by_whoever_reads_the_journal() {
    let project = Project::with_documents();
    project.commit(&["a.md=second\n"]);
    project.commit(&["a.md=third\n"]);
    let text = std::fs::read_to_string(project.segment()).unwrap();
    std::fs::write(project.segment(), text.replacen("second", "sEcond", 1)).unwrap();
    assert!(matches!(lines(&project.store()), Err(StoreError::Unknown { .. })));
}

#[test]
fn a_segment_shorter_than_the_head_says_is_unknown() {
    let project = Project::with_documents();
    project.commit(&["a.md=second\n"]);
    let length = project.segment().metadata().unwrap().len();
    for cut in [1, 20, length] {
        let file = OpenOptions::new().write(true).open(project.segment()).unwrap();
        file.set_len(length - cut).unwrap();
        assert_unknown(&project);
    }
}

#[test]
fn a_missing_segment_is_unknown() {
    let project = Project::with_documents();
    std::fs::remove_file(project.segment()).unwrap();
    assert_unknown(&project);
}

#[test]
fn a_missing_or_torn_head_is_recovered() {
    let whole = |project: &Project| std::fs::read(head(project)).unwrap();
    let damage: [fn(Vec<u8>) -> Vec<u8>; 4] = [
        |_| Vec::new(),
        |bytes| bytes[..bytes.len() / 2].to_vec(),
        |_| b"garbage\n".to_vec(),
        |bytes| bytes.iter().map(|byte| byte ^ 1).collect(),
    ];
    for damage in damage {
        let project = Project::with_documents();
        project.commit(&["a.md=second\n"]);
        std::fs::write(head(&project), damage(whole(&project))).unwrap();
        recovers(&project);
    }
    let project = Project::with_documents();
    project.commit(&["a.md=second\n"]);
    std::fs::remove_file(head(&project)).unwrap();
    recovers(&project);
}

fn recovers(project: &Project) {
    let count = project.lines().len();
    assert_eq!(project.seen("a.md"), Doc::Text("second\n".to_owned()));
    project.commit(&["a.md+=third\n"]);
    assert_eq!(project.disk("a.md").unwrap(), "second\nthird\n");
    assert_eq!(project.lines().len(), count + 1);
}

#[test]
fn large_texts_go_to_blobs_and_come_back_from_there() {
    let project = Project::with_documents();
    let large = "0123456789abcde\n".repeat(6 << 10);
    let killed =
        project.commit_with("store.committed=kill", &[&format!("a.md={large}")]).status().unwrap();
    assert_eq!(killed.code(), None);
    assert_eq!(project.disk("a.md").unwrap(), "one\n");
    assert_eq!(project.seen("a.md"), Doc::Text(large.clone()));
    project.commit(&["notes/b.md=x\n"]);
    assert_eq!(project.disk("a.md").unwrap(), large);
    assert_eq!(std::fs::read_dir(project.path(".sprag/journal/blobs")).unwrap().count(), 1);
    let segment = std::fs::read_to_string(project.segment()).unwrap();
    assert!(segment.lines().all(|line| line.len() < 64 << 10), "a line is too long");
}

#[test]
fn documents_over_a_mebibyte_are_refused() {
    let project = Project::with_documents();
    let fits = format!("a.md={}", "x".repeat(MAX_DOCUMENT));
    project.commit(&[&fits]);
    assert_eq!(project.disk("a.md").unwrap().len(), MAX_DOCUMENT);
    let count = project.lines().len();
    let error = try_commit(&project.store(), &[&format!("{fits}x"), "notes/b.md=y"]).unwrap_err();
    assert!(matches!(error, CommitError::TooLarge { .. }), "{error}");
    let error = try_commit(&project.store(), &["a.md+=x"]).unwrap_err();
    assert!(matches!(error, CommitError::TooLarge { .. }), "{error}");
    assert_eq!((project.lines().len(), project.disk("notes/b.md").unwrap().len()), (count, 4));
    project.write("a.md", vec![b'x'; MAX_DOCUMENT + 1]);
    assert_eq!(project.seen("a.md"), Doc::Unknown(UnreadableCause::TooLarge));
}

#[test]
fn a_document_that_is_not_text_is_unknown_and_stays() {
    let project = Project::with_documents();
    project.write("a.md", b"\xff\xfe");
    assert_eq!(project.seen("a.md"), Doc::Unknown(UnreadableCause::NotText { at: 0 }));
    let error = try_commit(&project.store(), &["a.md=x"]).unwrap_err();
    assert!(matches!(error, CommitError::Unknown { .. }), "{error}");
    assert_eq!(std::fs::read(project.path("a.md")).unwrap(), b"\xff\xfe");
    project.commit(&["notes/b.md=others go on\n"]);
}
