//! Documents that other programs removed after we wrote them, and the sequence numbers of a new
//! journal.

use std::fs;

use sprag_core::{Seq, Time};
use sprag_store::{Doc, StoreError, View};

use crate::folder::{Folder, WAIT, change, path, write};

fn look<T>(folder: &Folder, look: impl Fn(&View<'_>) -> T) -> T {
    folder.store().read(|view| Ok::<_, StoreError>(look(view))).unwrap()
}

fn next(folder: &Folder) -> Seq {
    folder.store().read(|view| Ok::<_, StoreError>(view.seq())).unwrap()
}

#[test]
fn a_loss_stays_known_whatever_is_committed_until_the_document_is_written_again() {
    let folder = Folder::new();
    folder.put("box/a.json", "1");
    folder.splice("box/a.json", 0..1, "one").unwrap();
    folder.put("box/b.json", "b");
    fs::remove_dir_all(folder.file("box")).unwrap();
    for _ in 0..70 {
        // Another decision sees the loss and continues, even past a checkpoint.
        folder
            .store()
            .commit(WAIT, |view| {
                assert!(view.is_lost(&path("box/a.json")) && view.is_lost(&path("box/b.json")));
                Ok::<_, StoreError>(change(vec![write("c.md", &view.last().to_string())]))
            })
            .unwrap();
    }
    assert!(!folder.kinds().contains(&"foreign.edit".to_owned()));
    assert_eq!(look(&folder, |view| view.left_in(&path("box")).unwrap()), ["a.json", "b.json"]);
    let left = look(&folder, |view| view.left(&path("box/a.json")).unwrap());
    assert_eq!(left.as_deref(), Some("one"), "its very bytes");
    folder.put("box/a.json", "two");
    assert!(!look(&folder, |view| view.is_lost(&path("box/a.json"))));
    assert!(look(&folder, |view| view.is_lost(&path("box/b.json"))));
    assert!(!look(&folder, |view| view.is_lost(&path("never.json"))));
}

#[test]
fn what_we_removed_ourselves_is_not_lost() {
    let folder = Folder::new();
    folder.put("a.md", "1");
    folder.commit(&[sprag_store::Edit::Remove { doc: path("a.md") }]).unwrap();
    assert!(!look(&folder, |view| view.is_lost(&path("a.md"))));
    assert_eq!(look(&folder, |view| view.left(&path("a.md")).unwrap()), None);
}

#[test]
fn a_journal_begins_where_it_is_told_and_never_behind_another() {
    let mut folder = Folder::new();
    folder.settings.first = Seq(1_790_000_000_000_000);
    folder.put("a.md", "1");
    assert_eq!(folder.store().last().unwrap(), Seq(1_790_000_000_000_001), "a checkpoint first");
    let asked = next(&folder);
    assert_eq!(asked, Seq(1_790_000_000_000_002));
    // The journal is gone: the next one starts later, following the clock.
    fs::remove_dir_all(folder.file(".sprag/journal")).unwrap();
    folder.settings.first = Seq(1_790_000_009_000_000);
    assert_eq!(next(&folder), Seq(1_790_000_009_000_000));
    folder.put("b.md", "2");
    assert_eq!(folder.store().last().unwrap(), Seq(1_790_000_009_000_001));
    // A journal was set aside, and the clock was set back.
    folder.settings.first = Seq(7);
    folder.store().restart_journal(Time::from_millis(0), "test", WAIT).unwrap();
    assert!(folder.store().last().unwrap() > Seq(1_790_000_009_000_001));
    fs::remove_dir_all(folder.file(".sprag/journal")).unwrap();
    assert!(next(&folder) > Seq(1_790_000_009_000_001));
}

#[test]
fn a_decision_gets_the_place_it_asked_for_in_a_journal_that_begins() {
    let mut folder = Folder::new();
    folder.settings.first = Seq(500);
    let mut asked = Seq(0);
    let committed = folder.store().commit(WAIT, |view| {
        asked = view.seq();
        Ok::<_, StoreError>(change(vec![write("a.md", &asked.to_string())]))
    });
    assert_eq!(committed.unwrap().seq, Some(asked));
    assert_eq!(folder.read("a.md"), Doc::Text("501".to_owned()));
}
