//! Linked worktrees share runs and journal, and each has its own other documents.

use crate::folder::{WAIT, change, path, write};
use sprag_core::Seq;
use sprag_store::{Doc, Place, Settings, Store, StoreError, Worktree};
use std::convert::Infallible;
use std::fs;

/// A main worktree and a linked one, with the project in a folder of each.
struct Two {
    temp: tempfile::TempDir,
}

const BELOW: &str = "packages/shop";

impl Two {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        fs::create_dir_all(temp.path().join("main/.git/worktrees/side")).unwrap();
        fs::create_dir_all(temp.path().join("main").join(BELOW)).unwrap();
        fs::create_dir_all(temp.path().join("side").join(BELOW)).unwrap();
        let link = temp.path().join("side/.git").display().to_string() + "\n";
        fs::write(temp.path().join("main/.git/worktrees/side/gitdir"), link).unwrap();
        Self { temp }
    }

    fn store(&self, name: &str, boot: &str) -> Store {
        let main = self.temp.path().join("main");
        let place = Place {
            root: self.root(name),
            state: self.root("main"),
            common: Some(main.join(".git")),
            below: BELOW.into(),
            worktree: (name != "main").then(|| Worktree(name.to_owned())),
        };
        let settings = Settings { boot: Some(boot.to_owned()), ..Settings::new(Seq(1)) };
        Store::open_with(&place, settings).unwrap()
    }

    fn root(&self, name: &str) -> std::path::PathBuf {
        self.temp.path().join(name).join(BELOW)
    }

    fn put(&self, name: &str, doc: &str, text: &str) {
        let edits = vec![write(doc, text)];
        let store = self.store(name, "1");
        store.commit(WAIT, |_| Ok::<_, Infallible>(change(edits.clone()))).unwrap();
    }

    fn read(&self, name: &str, doc: &str) -> Doc {
        self.store(name, "1").read(|view| Ok::<_, StoreError>(view.read(&path(doc)))).unwrap()
    }
}

#[test]
fn own_documents_are_own_and_runs_are_shared() {
    let two = Two::new();
    two.put("main", ".gsd/STATE.md", "main's");
    two.put("side", ".gsd/STATE.md", "side's");
    let shared = [".sprag/runs/r-1/run.yaml", ".sprag/doubts/0.json", ".sprag/turns.json"];
    for path in shared {
        two.put("side", path, "shared");
        assert_eq!(two.read("main", path), Doc::Text("shared".into()), "{path}");
    }
    assert_eq!(two.read("main", ".gsd/STATE.md"), Doc::Text("main's".into()));
    assert_eq!(two.read("side", ".gsd/STATE.md"), Doc::Text("side's".into()));
    assert!(!two.root("side").join(".sprag").exists());
}

#[test]
fn one_worktree_finishes_what_another_left() {
    let two = Two::new();
    two.put("side", ".gsd/STATE.md", "old");
    two.put("side", ".gsd/STATE.md", "new");
    fs::write(two.root("side").join(".gsd/STATE.md"), "old").unwrap();
    let main = two.store("main", "2"); // after a reboot
    main.commit(WAIT, |_| Ok::<_, Infallible>(change(vec![write("a.md", "x")]))).unwrap();
    assert_eq!(fs::read_to_string(two.root("side").join(".gsd/STATE.md")).unwrap(), "new");
}

#[test]
fn a_worktree_that_is_gone_holds_nobody_up() {
    let two = Two::new();
    two.put("side", ".gsd/STATE.md", "new");
    fs::remove_dir_all(two.temp.path().join("side")).unwrap();
    fs::remove_dir_all(two.temp.path().join("main/.git/worktrees/side")).unwrap();
    let main = two.store("main", "2");
    main.commit(WAIT, |_| Ok::<_, Infallible>(change(vec![write("a.md", "x")]))).unwrap();
    assert!(!two.temp.path().join("side").exists());
}

#[test]
fn a_worktree_that_is_away_keeps_what_was_acknowledged_to_it() {
    let two = Two::new();
    two.put("side", ".gsd/STATE.md", "old");
    let head = two.root("main").join(".sprag/journal/head");
    let kept = fs::read(&head).unwrap();
    two.put("side", ".gsd/STATE.md", "acknowledged");
    fs::write(&head, kept).unwrap(); // killed before the rename
    fs::write(two.root("side").join(".gsd/STATE.md"), "old").unwrap();
    // The disk with the worktree is not mounted now.
    fs::rename(two.temp.path().join("side"), two.temp.path().join("away")).unwrap();
    let edits = vec![write("x.md", "x")];
    let refused =
        two.store("main", "1").commit(WAIT, |_| Ok::<_, Infallible>(change(edits.clone())));
    assert!(refused.unwrap_err().to_string().contains("its worktree is away"));
    fs::rename(two.temp.path().join("away"), two.temp.path().join("side")).unwrap();
    two.put("main", "x.md", "x");
    assert_eq!(two.read("side", ".gsd/STATE.md"), Doc::Text("acknowledged".into()));
}
