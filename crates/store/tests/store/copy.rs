//! The copy of the journal in the git folder, and restoring from it.

use std::convert::Infallible;
use std::fs;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::PathBuf;

use sprag_core::Seq;
use sprag_store::{Doc, Place, Settings, Store, StoreError};

use crate::folder::{WAIT, change, path, write};

/// A project in a git repository.
struct Repository {
    temp: tempfile::TempDir,
    first: u64,
}

impl Repository {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        fs::create_dir(temp.path().join(".git")).unwrap();
        Self { temp, first: 1 }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.temp.path().join(name)
    }

    fn store(&self) -> Store {
        let place = Place { common: Some(self.file(".git")), ..Place::of(self.temp.path()) };
        let boot = Some("boot-1".to_owned());
        Store::open_with(&place, Settings { boot, ..Settings::new(Seq(self.first)) }).unwrap()
    }

    fn put(&self, doc: &str, text: &str) {
        let edits = vec![write(doc, text)];
        self.store().commit(WAIT, |_| Ok::<_, Infallible>(change(edits.clone()))).unwrap();
    }

    fn read(&self, doc: &str) -> Doc {
        self.store().read(|view| Ok::<_, StoreError>(view.read(&path(doc)))).unwrap()
    }

    /// Does the work of `git clean -fdx` where nothing is committed.
    fn clean(&self) {
        for entry in fs::read_dir(self.temp.path()).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if entry.file_name() != ".git" {
                if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
                    .unwrap();
            }
        }
    }

    fn copy(&self) -> PathBuf {
        let all =
            fs::read_dir(self.file(".git/sprag/journal")).unwrap().map(|one| one.unwrap().path());
        let mut all: Vec<_> = all.filter(|path| path.extension().is_some()).collect();
        all.sort();
        all.pop().unwrap()
    }

    fn kinds(&self) -> Vec<String> {
        let records = self.store().history().unwrap().map(Result::unwrap);
        records.flat_map(|record| record.events).map(|event| event.kind.to_string()).collect()
    }
}

fn text(text: &str) -> Doc {
    Doc::Text(text.to_owned())
}

#[test]
fn everything_acknowledged_survives_the_cleaning_of_the_tree() {
    let project = Repository::new();
    let large = "x".repeat(200 << 10);
    for number in 0..70 {
        project.put("box/a.json", &number.to_string());
    }
    project.put("large.md", &large);
    project.put(".sprag/runs/r-1/run.yaml", "v: 1\n");
    project.put("kept.md", "ours");
    let last = project.store().last().unwrap();
    project.clean();
    fs::write(project.file("kept.md"), "a person's").unwrap();

    let restored = project.store().restore(WAIT).unwrap().unwrap();
    assert_eq!(restored.written, [".sprag/runs/r-1/run.yaml", "box/a.json", "large.md"]);
    assert_eq!(restored.lost, [""; 0]);
    assert_eq!(project.read("box/a.json"), text("69"));
    assert_eq!(project.read("large.md"), text(&large));
    assert_eq!(project.read("kept.md"), text("a person's"), "what is there stays");
    assert!(project.store().last().unwrap() > last, "the numbers go on");
    assert_eq!(project.kinds()[0], "journal.restored");
    assert_eq!(project.store().restore(WAIT).unwrap(), None, "a journal is never replaced");
    project.put("box/a.json", "70");
    project.clean();
    assert!(project.store().restore(WAIT).unwrap().is_some(), "and again");
    assert_eq!(project.read("box/a.json"), text("70"));
}

#[test]
fn whoever_commits_where_the_journal_is_gone_goes_on_with_the_old_one() {
    for folder in [".sprag", ".sprag/journal"] {
        let project = Repository::new();
        project.put("a.md", "1");
        let last = project.store().last().unwrap();
        fs::remove_dir_all(project.file(folder)).unwrap();
        project.put("b.md", "2");
        assert!(project.store().last().unwrap() > last);
        assert_eq!(project.kinds().iter().filter(|kind| *kind == "test.happened").count(), 2);
        assert!(project.kinds().contains(&"journal.restored".to_owned()));
    }
}

#[test]
fn the_copy_is_of_the_same_files_or_else_of_their_bytes() {
    let project = Repository::new();
    project.put("a.md", "1");
    let name = project.copy().file_name().unwrap().to_owned();
    let live = project.file(".sprag/journal").join(name);
    let same = |one: &PathBuf, other: &PathBuf| {
        fs::metadata(one).unwrap().ino() == fs::metadata(other).unwrap().ino()
    };
    assert!(same(&live, &project.copy()));
    // As after `cp -r`: other files of the same names.
    let bytes = fs::read(&live).unwrap();
    fs::remove_file(project.copy()).unwrap();
    fs::write(project.file(".git/sprag/journal").join(live.file_name().unwrap()), &bytes).unwrap();
    project.put("a.md", "2");
    assert!(!same(&live, &project.copy()) && fs::read(project.copy()).unwrap() == bytes, "left");
    project.store().keep_copy(WAIT).unwrap();
    assert!(same(&live, &project.copy()), "and made up for");
}

#[test]
fn a_torn_copy_loses_its_last_line_at_most_and_a_damaged_one_is_never_restored() {
    let project = Repository::new();
    for number in 0..5 {
        project.put("a.md", &number.to_string());
    }
    project.clean();
    let whole = fs::read(project.copy()).unwrap();
    fs::write(project.copy(), &whole[..whole.len() - 9]).unwrap();
    assert!(project.store().restore(WAIT).unwrap().is_some());
    assert_eq!(project.read("a.md"), text("3"));

    project.clean();
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    fs::write(project.copy(), &damaged).unwrap();
    assert!(matches!(project.store().restore(WAIT), Err(StoreError::Unknown { .. })));
    assert_eq!(project.read("a.md"), Doc::Absent, "nothing of it is there");
    assert_eq!(fs::read(project.copy()).unwrap(), damaged, "and it is left for a person");
    // The commit starts a new journal after it, and keeps the copy aside.
    project.put("b.md", "1");
    assert!(project.store().last().unwrap() > Seq(1000));
    assert!(project.file(".git/sprag/journal.aside").is_dir());
    assert_eq!(project.store().restore(WAIT).unwrap(), None);
}

#[test]
fn an_emptied_journal_is_as_good_as_none() {
    let project = Repository::new();
    project.put("a.md", "1");
    // The files are replaced by empty ones, so the copy keeps the old ones.
    for entry in fs::read_dir(project.file(".sprag/journal")).unwrap().map(Result::unwrap) {
        fs::remove_file(entry.path()).unwrap();
        fs::write(entry.path(), "").unwrap();
    }
    fs::remove_file(project.file("a.md")).unwrap();
    assert!(project.store().restore(WAIT).unwrap().is_some());
    assert_eq!(project.read("a.md"), text("1"));
}

#[test]
fn links_are_not_followed_and_a_git_folder_that_cannot_be_written_is_in_nobodys_way() {
    let project = Repository::new();
    fs::create_dir(project.file("away")).unwrap();
    symlink(project.file("away"), project.file(".git/sprag")).unwrap();
    project.put("a.md", "1");
    assert!(project.store().keep_copy(WAIT).is_err());
    assert_eq!(fs::read_dir(project.file("away")).unwrap().count(), 0);
    fs::remove_file(project.file(".git/sprag")).unwrap();
    fs::remove_dir(project.file(".git")).unwrap();
    fs::write(project.file(".git"), "no folder").unwrap();
    project.put("a.md", "2");
    assert_eq!(project.read("a.md"), text("2"));
}

#[test]
fn a_journal_that_was_begun_anew_is_copied_instead_of_the_old_one() {
    let project = Repository::new();
    project.put("a.md", "1");
    project.store().restart_journal(sprag_core::Time::from_millis(0), "person", WAIT).unwrap();
    project.put("a.md", "2");
    project.store().keep_copy(WAIT).unwrap();
    project.clean();
    assert!(project.store().restore(WAIT).unwrap().is_some());
    assert_eq!(project.read("a.md"), text("2"));
    project.store().forget_copy().unwrap();
    project.clean();
    assert_eq!(project.store().restore(WAIT).unwrap(), None, "a person gave the project up");
}

#[test]
fn an_older_ignore_file_gets_the_lines_it_lacks_and_keeps_a_persons() {
    let project = Repository::new();
    project.put("a.md", "1");
    let file = project.file(".sprag/.gitignore");
    let whole = fs::read_to_string(&file).unwrap();
    let older = whole.replace("/journal.restoring/\n", "") + "/mine\n";
    fs::write(&file, &older).unwrap();
    for number in 0..70 {
        project.put("a.md", &number.to_string());
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), older + "/journal.restoring/\n");
    fs::write(&file, "*\n").unwrap();
    for number in 0..70 {
        project.put("a.md", &number.to_string());
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "*\n", "one of a person's own");
}
