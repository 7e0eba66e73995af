//! A scratch project: its folder, its store, and shorthands for tests.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use sprag_core::{DocPath, Seq, Time};
use sprag_proof::edits::Word;
use sprag_store::{
    CommitError, CommitRequest, Committed, Doc, Event, Place, Record, Settings, Store,
};
use sprag_store::{StoreError, View};
use tempfile::TempDir;

use crate::machine;

/// The documents of most tests.
pub(crate) const DOCS: [&str; 3] = ["a.md", "notes/b.md", "notes/c.md"];

/// The texts of some documents; `None` if a document does not exist.
pub(crate) type State = BTreeMap<String, Option<String>>;

/// The program that commits documents.
pub(crate) const COMMIT_DOCS: &str = env!("CARGO_BIN_EXE_commit-docs");

/// A folder of its own for one test.
pub(crate) struct Project {
    scratch: TempDir,
    pub(crate) root: PathBuf,
}

impl Project {
    /// Creates an empty project without a deed.
    pub(crate) fn new() -> Self {
        let scratch = tempfile::tempdir().unwrap();
        let root = machine::make(&scratch.path().canonicalize().unwrap().join("machine"));
        Self { scratch, root }
    }

    /// Creates a project with three committed documents.
    pub(crate) fn with_documents() -> Self {
        let project = Self::new();
        project.commit(&["a.md=one\n", "notes/b.md=two\n", "notes/c.md=three\n"]);
        project
    }

    pub(crate) fn scratch(&self) -> &Path {
        self.scratch.path()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        std::fs::write(self.path(name), text).unwrap();
    }

    /// Commits in this process; the words are those of `commit-docs`.
    pub(crate) fn commit(&self, words: &[&str]) -> Committed {
        try_commit(&self.store(), words).unwrap()
    }

    pub(crate) fn store(&self) -> Store {
        store(&self.root)
    }

    /// Returns the store as after a reboot.
    pub(crate) fn rebooted(&self) -> Store {
        let settings = Settings { boot: Some("another boot".to_owned()), ..Settings::new(Seq(1)) };
        Store::open_with(&Place::of(&self.root), settings).unwrap()
    }

    /// Returns the current content of a document's file.
    pub(crate) fn disk(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.path(name)).ok()
    }

    /// Returns a document as the store's readers see it.
    pub(crate) fn seen(&self, name: &str) -> Doc {
        seen(&self.store(), name)
    }

    /// Returns the journal's entries, oldest first.
    pub(crate) fn lines(&self) -> Vec<Record> {
        lines(&self.store()).unwrap()
    }

    /// Returns the kinds of all events, oldest first.
    pub(crate) fn kinds(&self) -> Vec<String> {
        self.lines()
            .into_iter()
            .flat_map(|line| line.events)
            .map(|event| event.kind.to_string())
            .collect()
    }

    /// Returns the newest segment of the journal.
    pub(crate) fn segment(&self) -> PathBuf {
        segments(&self.root).pop().unwrap()
    }

    /// Prepares `commit-docs` with a failpoint set.
    pub(crate) fn commit_with(&self, failpoints: &str, words: &[&str]) -> Command {
        let mut command = Command::new(COMMIT_DOCS);
        command.arg(&self.root).args(words).env("SPRAG_FAILPOINTS", failpoints);
        command
    }

    /// Runs `commit-docs` to its end.
    pub(crate) fn run(&self, words: &[&str]) -> Output {
        self.commit_with("", words).output().unwrap()
    }

    /// Runs a driving program up to a step. It has the real clock and ids, because several such
    /// processes follow each other.
    pub(crate) fn drive(&self, program: &str, steps: usize, failpoints: &str) -> Output {
        let mut command = Command::new(program);
        command.arg(&self.root).arg(steps.to_string());
        for variable in ["SPRAG_TEST_IDS", "SPRAG_TEST_NOW"] {
            command.env_remove(variable);
        }
        command.env("SPRAG_FAILPOINTS", failpoints).output().unwrap()
    }
}

/// Returns whether a program ended by `kill -9`.
pub(crate) fn is_killed(output: &Output) -> bool {
    output.status.signal() == Some(9)
}

/// Returns the command line of `commit-docs`.
pub(crate) fn commit_docs(root: &Path, words: &[&str]) -> Vec<OsString> {
    let mut command = vec![COMMIT_DOCS.into(), root.into()];
    command.extend(words.iter().map(OsString::from));
    command
}

pub(crate) fn doc(name: &str) -> DocPath {
    DocPath::parse(name).unwrap()
}

pub(crate) fn store(root: &Path) -> Store {
    Store::open(&sprag_proof::place(root), Seq(1)).unwrap()
}

pub(crate) fn seen(store: &Store, name: &str) -> Doc {
    store.read(|view| Ok::<_, StoreError>(view.read(&doc(name)))).unwrap()
}

pub(crate) fn lines(store: &Store) -> Result<Vec<Record>, StoreError> {
    let mut lines = store.history()?.collect::<Result<Vec<_>, _>>()?;
    lines.reverse();
    Ok(lines)
}

pub(crate) fn segments(root: &Path) -> Vec<PathBuf> {
    let Ok(names) = std::fs::read_dir(root.join(".sprag/journal")) else { return Vec::new() };
    let mut found: Vec<PathBuf> = names
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"))
        .collect();
    found.sort();
    found
}

/// Commits at once or not at all: no other process may hold the lock.
pub(crate) fn try_commit(
    store: &Store,
    words: &[&str],
) -> Result<Committed, CommitError<Infallible>> {
    let words: Vec<Word> = words.iter().map(|word| Word::parse(word).unwrap()).collect();
    commit_words(store, &words)
}

pub(crate) fn commit_words(
    store: &Store,
    words: &[Word],
) -> Result<Committed, CommitError<Infallible>> {
    store.commit(Duration::from_secs(5), |view: &View<'_>| {
        Ok(CommitRequest {
            at: Time::from_millis(1_700_000_000_000),
            actor: "test".to_owned(),
            events: vec![Event { run: None, kind: "proof.test".into(), data: ().into() }],
            edits: words.iter().map(|word| word.edit(view)).collect(),
        })
    })
}
