//! A folder with a store in it, and helpers for the tests.

use std::convert::Infallible;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sprag_core::{DocPath, Seq, Splice, Time};
use sprag_store::{
    CommitError, CommitRequest, Committed, Doc, Edit, Event, Place, Settings, Store,
};

pub(crate) const WAIT: Duration = Duration::from_secs(5);

pub(crate) struct Folder {
    temp: tempfile::TempDir,
    pub(crate) settings: Settings,
}

pub(crate) type Outcome = Result<Committed, CommitError<Infallible>>;

pub(crate) fn path(text: &str) -> DocPath {
    DocPath::parse(text).unwrap()
}

pub(crate) fn write(doc: &str, text: &str) -> Edit {
    Edit::Write { doc: path(doc), text: text.to_owned() }
}

pub(crate) fn change(edits: Vec<Edit>) -> CommitRequest {
    let event = Event { run: None, kind: "test.happened".into(), data: serde_json::Value::Null };
    CommitRequest { at: Time::from_millis(0), actor: "test".to_owned(), events: vec![event], edits }
}

impl Folder {
    pub(crate) fn new() -> Self {
        let settings = Settings { boot: Some("boot-1".to_owned()), ..Settings::new(Seq(1)) };
        Self { temp: tempfile::tempdir().unwrap(), settings }
    }

    pub(crate) fn root(&self) -> &Path {
        self.temp.path()
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    pub(crate) fn store(&self) -> Store {
        Store::open_with(&Place::of(self.root()), self.settings.clone()).unwrap()
    }

    pub(crate) fn commit(&self, edits: &[Edit]) -> Outcome {
        self.store().commit(WAIT, |_| Ok(change(edits.to_vec())))
    }

    /// Commits one text and expects it to be written.
    pub(crate) fn put(&self, doc: &str, text: &str) {
        let committed = self.commit(&[write(doc, text)]).unwrap();
        assert!(committed.unwritten.is_empty());
        assert_eq!(self.on_disk(doc).as_deref(), Some(text));
    }

    pub(crate) fn splice(&self, doc: &str, range: std::ops::Range<usize>, text: &str) -> Outcome {
        let splices = vec![Splice { range, text: text.to_owned() }];
        self.store().commit(WAIT, |view| {
            view.read(&path(doc));
            Ok(change(vec![Edit::Splice { doc: path(doc), splices: splices.clone() }]))
        })
    }

    pub(crate) fn read(&self, doc: &str) -> Doc {
        self.store().read(|view| Ok::<_, sprag_store::StoreError>(view.read(&path(doc)))).unwrap()
    }

    pub(crate) fn on_disk(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.file(name)).ok()
    }

    pub(crate) fn by_hand(&self, name: &str, text: &str) {
        fs::write(self.file(name), text).unwrap();
    }

    /// The kinds of all events, oldest first.
    pub(crate) fn kinds(&self) -> Vec<String> {
        let mut records: Vec<_> = self.store().history().unwrap().map(Result::unwrap).collect();
        records.reverse();
        records.into_iter().flat_map(|r| r.events).map(|event| event.kind.to_string()).collect()
    }

    /// The journal's segment files, oldest first.
    pub(crate) fn segments(&self) -> Vec<PathBuf> {
        let mut all: Vec<_> = fs::read_dir(self.file(".sprag/journal"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|end| end == "jsonl"))
            .collect();
        all.sort();
        all
    }
}
