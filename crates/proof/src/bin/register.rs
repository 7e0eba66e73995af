//! One process of a race on one document, through the store.
//!
//! `register ROOT DOC PROCESS COUNT SEED`: compare-and-swap is a commit whose decision reads the
//! document and refuses if it holds another value.

use std::io;
use std::process::ExitCode;
use std::time::Duration;

use sprag_core::{DocPath, Seq, Time};
use sprag_proof::register::{Register, Swap, play, text_of, value_of};
use sprag_store::{CommitError, CommitRequest, Doc, Edit, Place, Store, StoreError, View};
use sprag_testkit::linear::Value;
use sprag_testkit::seed::Seed;

/// Long enough for every other process to have its turn.
const WAIT: Duration = Duration::from_mins(1);

struct Document {
    store: Store,
    doc: DocPath,
}

/// Why a decision refused.
enum No {
    Other(Value),
    Unreadable(String),
}

impl Document {
    fn value(&self, view: &View<'_>) -> Result<Value, String> {
        match view.read(&self.doc) {
            Doc::Absent => Ok(0),
            Doc::Text(text) => value_of(Some(&text)).ok_or_else(|| format!("torn: {text:?}")),
            Doc::Unknown(why) => Err(why.to_string()),
        }
    }

    fn decide(&self, view: &View<'_>, from: Value, to: Value) -> Result<CommitRequest, No> {
        match self.value(view).map_err(No::Unreadable)? {
            value if value == from => Ok(CommitRequest {
                at: Time::from_millis(0),
                actor: "register".to_owned(),
                events: Vec::new(),
                edits: vec![Edit::Write { doc: self.doc.clone(), text: text_of(to) }],
            }),
            value => Err(No::Other(value)),
        }
    }
}

impl Register for Document {
    fn read(&mut self) -> io::Result<Value> {
        self.store
            .read(|view| Ok::<_, StoreError>(self.value(view)))
            .map_err(io::Error::other)?
            .map_err(io::Error::other)
    }

    fn swap(&mut self, from: Value, to: Value) -> io::Result<Swap> {
        match self.store.commit(WAIT, |view| self.decide(view, from, to)) {
            Ok(_) => Ok(Swap::Done),
            Err(CommitError::Refused(No::Other(value))) => Ok(Swap::Saw(value)),
            Err(CommitError::Refused(No::Unreadable(why))) => Err(io::Error::other(why)),
            Err(CommitError::Unsynced { .. }) => Ok(Swap::Unclear),
            Err(CommitError::Store(error)) => Err(io::Error::other(error)),
            Err(CommitError::Unknown { doc, why } | CommitError::Misfit { doc, why }) => {
                Err(io::Error::other(format!("{doc}: {why}")))
            }
            Err(CommitError::TooLarge { what, .. }) => Err(io::Error::other(what)),
        }
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [root, doc, process, count, seed] = &words[..] else {
        return Err("usage: register ROOT DOC PROCESS COUNT SEED".into());
    };
    let store = Store::open(&Place::of(root), Seq(1))?;
    let mut register = Document { store, doc: DocPath::parse(doc)? };
    let mut seed = Seed::new(seed.parse()?);
    play(&mut register, process.parse()?, count.parse()?, &mut seed, &mut io::stdout())?;
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            use std::io::Write as _;
            let _ = writeln!(io::stderr(), "register: {error}");
            ExitCode::FAILURE
        }
    }
}
