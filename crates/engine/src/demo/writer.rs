//! The process that is killed.

use std::time::Duration;

use serde_json::json;
use sprag_core::{BadPath, DocPath, Kind};
use sprag_formats::{Document, Edit as Wish, Fault, Format};
use sprag_store::{Change, CommitError, Doc, Edit, Event, Place, Store, StoreError, View};

use crate::clock;

pub(super) const WAIT: Duration = Duration::from_secs(5);
/// The word that starts it.
pub const WRITER: &str = "demo-writer";
/// Stands in the folder of a demo: the writer writes nowhere else.
pub(super) const MARK: &str = ".sprag-demo";
/// Nobody lets it run so long; this is only its bound.
const MOST: u64 = 1_000_000;

/// Why a document is not what the writer left.
#[derive(Debug, thiserror::Error)]
pub enum Odd {
    /// The store could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A document is missing or cannot be read.
    #[error("{0} is not there as it should be")]
    Missing(DocPath),
    /// A document does not say its number.
    #[error("{0}: {1}")]
    Fault(DocPath, Box<Fault>),
    /// The two documents of one commit do not agree.
    #[error("the documents of one commit say {0} and {1}")]
    Apart(u64, u64),
    /// The folder is somebody else's.
    #[error("only `sprag demo` starts this, in a folder of its own")]
    NotOurs,
    /// A path of the story is wrong.
    #[error(transparent)]
    Path(#[from] BadPath),
}

/// Commits both documents again and again, each time with the next number, and says the number
/// once the commit is there. Ends when nobody listens.
pub fn write_on(place: &Place, mut say: impl FnMut(u64) -> bool) -> Result<(), CommitError<Odd>> {
    if !place.root.join(MARK).is_file() {
        return Err(CommitError::Refused(Odd::NotOurs));
    }
    let store = Store::open(place)?;
    for _ in 0..MOST {
        let number = write_next(&store)?;
        if !say(number) {
            break;
        }
    }
    Ok(())
}

/// Commits the next number and returns it.
pub(super) fn write_next(store: &Store) -> Result<u64, CommitError<Odd>> {
    let mut number = 0;
    store.commit(WAIT, |view| {
        number = read(view)? + 1;
        let edits = vec![state(view, number)?, notes(number)?];
        let event = Event { run: None, kind: Kind::DemoWrote, data: json!({ "number": number }) };
        Ok(Change { at: clock::now(), actor: "demo".to_owned(), events: vec![event], edits })
    })?;
    Ok(number)
}

/// Returns the number that both documents say.
pub(super) fn read(view: &View<'_>) -> Result<u64, Odd> {
    let (state, notes) = (state_path()?, notes_path()?);
    let first = match view.read(&state) {
        Doc::Absent => 0,
        Doc::Text(text) => {
            let number = Document::parse(Format::Yaml, &text)
                .and_then(|doc| doc.need(&["progress", "number"])?.as_u64());
            number.map_err(|fault| Odd::Fault(state, Box::new(fault)))?
        }
        Doc::Unknown(_) => return Err(Odd::Missing(state)),
    };
    let second = match view.read(&notes) {
        Doc::Absent => 0,
        Doc::Text(text) => text.lines().filter(|line| line.starts_with("- ")).count() as u64,
        Doc::Unknown(_) => return Err(Odd::Missing(notes)),
    };
    // The notes start over every 100 numbers, so that they stay a page long.
    if first % 100 == second { Ok(first) } else { Err(Odd::Apart(first, second)) }
}

fn state(view: &View<'_>, number: u64) -> Result<Edit, Odd> {
    let doc = state_path()?;
    let wish = Wish::set(["progress", "number"], number);
    match view.read(&doc) {
        Doc::Text(text) => {
            let parsed = Document::parse(Format::Yaml, &text);
            let splices = parsed.and_then(|parsed| parsed.edit(&[wish]));
            match splices {
                Ok(splices) => Ok(Edit::Splice { doc, splices }),
                Err(fault) => Err(Odd::Fault(doc, Box::new(fault))),
            }
        }
        Doc::Absent => Ok(Edit::Write { doc, text: first_state(number) }),
        Doc::Unknown(_) => Err(Odd::Missing(doc)),
    }
}

fn first_state(number: u64) -> String {
    format!("# The state of the demo.\nprogress:\n  number: {number}\n")
}

fn notes(number: u64) -> Result<Edit, Odd> {
    let first = number - number % 100 + 1;
    let mut text = "# Notes\n\n".to_owned();
    text.extend(
        (first..=number).flat_map(|n| ["- wrote ".to_owned(), n.to_string(), "\n".to_owned()]),
    );
    Ok(Edit::Write { doc: notes_path()?, text })
}

pub(super) fn state_path() -> Result<DocPath, BadPath> {
    DocPath::parse("state.yaml")
}

fn notes_path() -> Result<DocPath, BadPath> {
    DocPath::parse("notes.md")
}
