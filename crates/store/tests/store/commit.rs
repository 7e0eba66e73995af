use crate::folder::{Folder, WAIT, change, path, write};
use sprag_core::{Hash, Seq};
use sprag_store::{
    CommitError, CommitRequest, Doc, Edit, Event, Listing, StoreError, UnreadableCause,
};
use std::cell::Cell;
use std::convert::Infallible;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

#[test]
fn the_first_commit_makes_the_folder_and_keeps_git_out_of_it() {
    let folder = Folder::new();
    folder.put(".sprag/runs/r-1/run.yaml", "v: 1\n");
    assert!(folder.on_disk(".sprag/.gitignore").unwrap().contains("/journal/\n"));
    assert_eq!(folder.kinds(), ["checkpoint", "test.happened"]);
}

#[test]
fn nothing_to_say_writes_nothing() {
    let folder = Folder::new();
    folder.put("a.md", "one");
    let before = folder.store().last().unwrap();
    let nothing = CommitRequest { events: vec![], ..change(vec![write("a.md", "one")]) };
    let done = folder.store().commit(WAIT, |_| Ok::<_, Infallible>(nothing.clone())).unwrap();
    assert_eq!(done.seq, None);
    assert_eq!(folder.store().last().unwrap(), before);
}

#[test]
fn a_splice_changes_only_its_bytes() {
    let folder = Folder::new();
    folder.put("a.md", "one two\r\n");
    folder.splice("a.md", 4..7, "2").unwrap();
    assert_eq!(folder.on_disk("a.md").unwrap(), "one 2\r\n");
}

#[test]
fn a_splice_of_a_text_that_was_not_read_is_refused() {
    let folder = Folder::new();
    folder.put("a.md", "one");
    let error = folder.commit(&[Edit::Splice { doc: path("a.md"), splices: vec![] }]);
    assert!(matches!(error, Err(CommitError::Misfit { .. })));
}

#[test]
fn removing_takes_the_document_away() {
    let folder = Folder::new();
    folder.put("a.md", "one");
    folder.commit(&[Edit::Remove { doc: path("a.md") }]).unwrap();
    assert_eq!(folder.on_disk("a.md"), None);
    assert_eq!(folder.read("a.md"), Doc::Absent);
}

#[test]
fn one_document_is_seen_as_in_its_folder() {
    let folder = Folder::new();
    let store = folder.store();
    assert_eq!(store.seen_at(&path("notes/a.md")).unwrap(), None, "not even its folder is there");
    folder.put("notes/a.md", "one");
    let all = store.seen(&path("notes")).unwrap();
    assert_eq!(all.len(), 1);
    assert_eq!(store.seen_at(&path("notes/a.md")).unwrap(), Some(all[0].1));
    assert_eq!(store.seen_at(&path("notes/b.md")).unwrap(), None);
}

#[test]
fn a_refusal_writes_nothing_at_all() {
    let folder = Folder::new();
    let refused = folder.store().commit(WAIT, |_| Err::<CommitRequest, _>("no"));
    assert!(matches!(refused, Err(CommitError::Refused("no"))));
    assert!(!folder.file(".sprag").exists());
}

#[test]
fn a_decision_is_made_again_when_what_it_read_has_changed() {
    let folder = Folder::new();
    folder.put("a.md", "1");
    let calls = Cell::new(0);
    let store = folder.store();
    let done = store.commit(WAIT, |view| {
        let Doc::Text(seen) = view.read(&path("a.md")) else { panic!() };
        if calls.replace(calls.get() + 1) == 0 {
            folder.put("a.md", "2"); // a rival, between the decision and the lock
        }
        Ok::<_, Infallible>(change(vec![write("a.md", &format!("{seen}+"))]))
    });
    done.unwrap();
    // The first look was disturbed, the second undisturbed: the rival's text is not lost.
    assert_eq!(folder.on_disk("a.md").unwrap(), "2+");
}

#[test]
fn a_listing_that_was_read_counts_as_read() {
    let folder = Folder::new();
    folder.put(".gsd/a.md", "1");
    let calls = Cell::new(0);
    let store = folder.store();
    store
        .commit(WAIT, |view| {
            let Listing::Names(names) = view.list(&path(".gsd")) else { panic!() };
            if calls.replace(calls.get() + 1) == 0 {
                folder.by_hand(".gsd/b.md", "by hand, unknown to the journal");
            }
            Ok::<_, Infallible>(change(vec![write("out.md", &names.join(" "))]))
        })
        .unwrap();
    assert_eq!((calls.get(), folder.on_disk("out.md").unwrap()), (2, "a.md b.md".to_owned()));
}

#[test]
fn the_place_a_decision_asks_for_is_the_place_it_gets() {
    let folder = Folder::new();
    for round in 0..200_u32 {
        if round % 7 == 0 && round > 0 {
            folder.by_hand("fence.md", "by hand"); // puts a `foreign.edit` line before ours
        }
        let done = folder.store().commit(WAIT, |view| {
            view.read(&path("fence.md"));
            let text = view.seq().to_string();
            Ok::<_, Infallible>(change(vec![write("fence.md", &text)]))
        });
        let seq = done.unwrap().seq.unwrap();
        assert_eq!(folder.on_disk("fence.md").unwrap(), seq.to_string(), "round {round}");
    }
}

#[test]
fn a_decision_at_once_is_made_under_the_lock_and_gets_its_place() {
    let folder = Folder::new();
    for round in 0..70 {
        folder.by_hand("fence.md", "by hand");
        let mut calls = 0;
        let done = folder.store().commit_at_once(WAIT, |view| {
            calls += 1;
            let lock = fs::File::open(folder.file(".sprag/lock")).unwrap();
            assert!(lock.try_lock().is_err(), "the lock is held");
            view.read(&path("fence.md"));
            Ok::<_, Infallible>(change(vec![write("fence.md", &view.seq().to_string())]))
        });
        let seq = done.unwrap().seq.unwrap();
        assert_eq!(folder.on_disk("fence.md").unwrap(), seq.to_string(), "round {round}");
        assert!(calls <= 2);
    }
}

#[test]
fn several_documents_go_together() {
    let folder = Folder::new();
    let edits = [write("a/1.md", "x"), write("b/2.md", "y"), write("3.md", "z")];
    folder.commit(&edits).unwrap();
    let record = folder.store().history().unwrap().next().unwrap().unwrap();
    assert_eq!(record.edits.len(), 3);
    assert_eq!(record.edits[0].after, Some(Hash::of("x")));
}

#[test]
fn one_document_twice_in_a_change_is_refused() {
    let folder = Folder::new();
    let error = folder.commit(&[write("a.md", "1"), write("a.md", "2")]);
    assert!(matches!(error, Err(CommitError::Misfit { .. })));
    assert!(!folder.file("a.md").exists());
}

#[test]
fn modes_are_kept() {
    let folder = Folder::new();
    folder.put("a.md", "1");
    fs::set_permissions(folder.file("a.md"), PermissionsExt::from_mode(0o640)).unwrap();
    folder.put("a.md", "2");
    assert_eq!(fs::metadata(folder.file("a.md")).unwrap().permissions().mode() & 0o7777, 0o640);
}

#[test]
fn what_is_not_text_is_unknown_and_never_overwritten() {
    let folder = Folder::new();
    fs::write(folder.file("a.md"), b"ok\xff").unwrap();
    assert_eq!(folder.read("a.md"), Doc::Unknown(UnreadableCause::NotText { at: 2 }));
    let error = folder.commit(&[write("a.md", "new")]);
    assert!(matches!(error, Err(CommitError::Unknown { .. })));
    assert_eq!(fs::read(folder.file("a.md")).unwrap(), b"ok\xff");
}

#[test]
fn a_document_of_over_a_mebibyte_is_unknown_to_read_and_refused_to_write() {
    let folder = Folder::new();
    let large = "x".repeat((1 << 20) + 1);
    folder.by_hand("a.md", &large);
    assert_eq!(folder.read("a.md"), Doc::Unknown(UnreadableCause::TooLarge));
    let error = folder.commit(&[write("b.md", &large)]);
    assert!(matches!(error, Err(CommitError::TooLarge { .. })));
    folder.put("b.md", &large[..1 << 20]);
}

#[test]
fn links_are_not_followed() {
    let folder = Folder::new();
    folder.by_hand("canary", "alive");
    symlink(folder.file("canary"), folder.file("a.md")).unwrap();
    symlink(folder.root(), folder.file("dir")).unwrap();
    for doc in ["a.md", "dir/canary"] {
        assert!(matches!(folder.read(doc), Doc::Unknown(UnreadableCause::Refused(_))), "{doc}");
        assert!(folder.commit(&[write(doc, "dead")]).is_err(), "{doc}");
    }
    assert_eq!(folder.on_disk("canary").unwrap(), "alive");
}

#[test]
fn a_pipe_in_a_documents_place_is_unknown_and_does_not_hang() {
    let folder = Folder::new();
    let made = std::process::Command::new("mkfifo").arg(folder.file("a.md")).status().unwrap();
    assert!(made.success());
    assert!(matches!(folder.read("a.md"), Doc::Unknown(UnreadableCause::Refused(_))));
}

#[test]
fn an_event_that_is_too_large_is_refused_before_anything_is_written() {
    let folder = Folder::new();
    folder.put("a.md", "old");
    let data = serde_json::Value::String("x".repeat(70_000));
    let event = Event { run: None, kind: "large".into(), data };
    let large = CommitRequest { events: vec![event], ..change(vec![write("a.md", "new")]) };
    let error = folder.store().commit(WAIT, |_| Ok::<_, Infallible>(large.clone()));
    assert!(matches!(error, Err(CommitError::TooLarge { .. })));
    assert_eq!(folder.on_disk("a.md").unwrap(), "old");
    assert_eq!(folder.store().last().unwrap(), Seq(2));
}

#[test]
fn a_held_lock_is_waited_for_and_then_said() {
    let folder = Folder::new();
    folder.put("a.md", "1");
    let lock = fs::File::open(folder.file(".sprag/lock")).unwrap();
    lock.lock().unwrap();
    let soon = std::time::Duration::from_millis(20);
    let error = folder.store().commit(soon, |_| Ok::<_, Infallible>(change(vec![])));
    assert!(matches!(error, Err(CommitError::Store(StoreError::Busy { .. }))));
    assert!(folder.store().health().unwrap().busy);
    drop(lock);
    folder.put("a.md", "2");
}
