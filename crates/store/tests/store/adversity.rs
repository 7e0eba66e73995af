//! Acts that a store must survive although they should not happen.

use crate::folder::{Folder, WAIT, change, path, write};
use sprag_core::{Hash, Time};
use sprag_store::{CommitError, Doc, StoreError};
use std::fs;

fn restart(folder: &Folder) -> String {
    let restarted = folder.store().restart_journal(Time::from_millis(7), "person", WAIT).unwrap();
    assert!(restarted.unsynced.is_none());
    restarted.aside
}

/// Commits, then restores the old head and document, as a kill before the rename would leave them.
fn kill_before_the_rename(folder: &Folder, old: &str, new: &str) {
    let head = fs::read(folder.file(".sprag/journal/head")).unwrap();
    folder.put("a.md", new);
    fs::write(folder.file(".sprag/journal/head"), head).unwrap();
    folder.by_hand("a.md", old);
}

#[test]
fn a_lock_that_is_removed_under_a_writer_loses_nobodys_commit() {
    let folder = Folder::new();
    folder.put("a.md", "1");
    let mut calls = 0;
    let first = folder.store().commit(WAIT, |view| {
        calls += 1;
        view.read(&path("a.md"));
        match calls {
            1 => folder.by_hand("a.md", "by hand"), // so that the commit decides again under the lock
            2 => {
                fs::remove_file(folder.file(".sprag/lock")).unwrap(); // git clean -fdX
                folder.put("b.md", "acknowledged");
            }
            _ => {}
        }
        Ok::<_, StoreError>(change(vec![write("a.md", "2")]))
    });
    assert!(matches!(first, Err(CommitError::Store(StoreError::Busy { .. }))), "{first:?}");
    let segment = fs::read_to_string(&folder.segments()[0]).unwrap();
    assert!(segment.contains(r#""doc":"b.md""#), "the other's line is still there");
    folder.put("a.md", "3");
}

#[test]
fn a_damaged_line_that_was_applied_is_unknown_after_a_reboot_too() {
    let mut folder = Folder::new();
    folder.put("a.md", "1");
    folder.put("a.md", "2");
    let segment = &folder.segments()[0];
    let mut bytes = fs::read(segment).unwrap();
    let at = bytes.len() - 60;
    bytes[at] ^= 1;
    fs::write(segment, bytes).unwrap();
    folder.settings.boot = Some("boot-2".to_owned());
    let again = folder.commit(&[write("b.md", "x")]);
    assert!(matches!(again, Err(CommitError::Store(StoreError::Unknown { .. }))), "{again:?}");
}

#[test]
fn a_reader_sees_no_mixture_while_the_journal_is_set_aside() {
    let folder = Folder::new();
    folder.commit(&[write("a.md", "1"), write("b.md", "1")]).unwrap();
    let mut calls = 0;
    let seen = folder.store().read(|view| {
        calls += 1;
        let first = view.read(&path("a.md"));
        if calls == 1 {
            restart(&folder);
            folder.commit(&[write("a.md", "2"), write("b.md", "2")]).unwrap();
        }
        Ok::<_, StoreError>((first, view.read(&path("b.md"))))
    });
    let (first, second) = seen.unwrap();
    assert_eq!((calls, first), (2, second));
}

#[test]
fn a_damaged_blob_is_written_again() {
    let folder = Folder::new();
    let large = "x".repeat(100_000);
    folder.put("a.md", &large);
    folder.put("a.md", "small");
    let mut blobs = fs::read_dir(folder.file(".sprag/journal/blobs")).unwrap();
    fs::write(blobs.next().unwrap().unwrap().path(), "truncated").unwrap();
    kill_before_the_rename(&folder, "small", &large);
    assert_eq!(folder.read("a.md"), Doc::Text(large));
}

#[test]
fn without_a_boot_id_nothing_is_lost_and_a_version_taken_back_comes_forward_again() {
    let mut folder = Folder::new();
    folder.settings.boot = None;
    folder.put("a.md", "1");
    folder.put("a.md", "2");
    folder.by_hand("a.md", "1");
    assert_eq!(folder.read("a.md"), Doc::Text("2".into()));
    folder.by_hand("a.md", "another text");
    assert_eq!(folder.read("a.md"), Doc::Text("another text".into()));
}

#[test]
fn a_folder_with_the_name_of_a_temporary_is_let_alone() {
    let folder = Folder::new();
    folder.put("d/a.md", "1");
    fs::create_dir(folder.file("d/.sprag-tmp-1-1")).unwrap();
    folder.put("d/a.md", "2");
    folder.store().tidy(WAIT).unwrap();
    assert!(folder.file("d/.sprag-tmp-1-1").exists());
}

#[test]
fn any_kind_of_broken_journal_can_be_set_aside() {
    let breakages: [fn(&Folder); 5] = [
        |folder| {
            let segment = fs::File::options().write(true).open(&folder.segments()[0]).unwrap();
            segment.set_len(100 << 20).unwrap();
        },
        |folder| {
            fs::remove_file(folder.file(".sprag/journal/head")).unwrap();
            fs::create_dir(folder.file(".sprag/journal/head")).unwrap();
        },
        |folder| {
            fs::rename(folder.file(".sprag/journal"), folder.file("elsewhere")).unwrap();
            let link = folder.file(".sprag/journal");
            std::os::unix::fs::symlink(folder.file("elsewhere"), link).unwrap();
        },
        |folder| {
            fs::remove_dir_all(folder.file(".sprag/journal")).unwrap();
            folder.by_hand(".sprag/journal", "a file");
        },
        |folder| {
            let body = r#"{"v":1,"seq":18446744073709551615,"at":"2026-01-01T00:00:00.000Z","actor":"x","events":[],"edits":[]"#;
            let line = format!("{body},\"sum\":\"{}\"}}\n", Hash::of(body).short(16));
            let segment = &folder.segments()[0];
            fs::write(segment, fs::read_to_string(segment).unwrap() + &line).unwrap();
        },
    ];
    for (number, breakage) in breakages.into_iter().enumerate() {
        let folder = Folder::new();
        folder.put("a.md", "1");
        let last = folder.store().last().unwrap();
        breakage(&folder);
        assert!(folder.commit(&[write("a.md", "2")]).is_err(), "breakage {number}");
        restart(&folder);
        folder.put("a.md", "2");
        assert!(folder.store().last().unwrap().0 > last.0.min(7), "breakage {number}");
    }
}

#[test]
fn setting_the_journal_aside_keeps_what_was_acknowledged() {
    let folder = Folder::new();
    folder.put("a.md", "1");
    kill_before_the_rename(&folder, "1", "2");
    let segment = &folder.segments()[0];
    fs::write(segment, fs::read_to_string(segment).unwrap() + "garbage\nmore\n").unwrap();
    assert!(folder.commit(&[write("b.md", "x")]).is_err());
    restart(&folder);
    assert_eq!(folder.on_disk("a.md").unwrap(), "2");
}

#[test]
fn a_text_from_before_our_time_is_kept_before_it_is_written_over() {
    let folder = Folder::new();
    folder.by_hand("a.md", "a person's");
    folder.put("a.md", "ours");
    let segment = fs::read_to_string(&folder.segments()[0]).unwrap();
    assert!(segment.contains(r#"[0,null,"a person's"]"#), "{segment}");
    assert!(folder.store().health().unwrap().foreign.is_empty(), "no process changed it under us");
}
