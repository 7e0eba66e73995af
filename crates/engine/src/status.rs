//! What is going on in a project: the read model behind `sprag` and `sprag doctor`.
//!
//! It reads the state as it is now and the journal since its last checkpoint, so it costs the same
//! however long the journal is. It changes nothing.

use std::path::{Path, PathBuf};

use sprag_core::{DocPath, Name, RunId, Seq};
use sprag_formats::Config;
use sprag_store::{Doc, Journal, Listing, PathError, Place, Store, StoreError, Traced, View};

use crate::git::{Git, Head};
use crate::inbox::board::{self, Board};
use crate::receipt::INIT;
use crate::strict::{self, Pointed};
use crate::{clock, recorded};

#[cfg(test)]
mod tests;

/// A project at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// Its folder.
    pub root: PathBuf,
    /// What git has checked out there, if it is a repository.
    pub head: Option<Head>,
    /// The last line of the journal; zero when there is none.
    pub last: Option<Seq>,
    /// Its runs, by name.
    pub runs: Vec<RunId>,
    /// The gates that every agent session here is held to.
    pub guard: Vec<Name>,
    /// The inbox, where there is one.
    pub board: Option<Board>,
    /// What cannot be read. Nothing is concluded from it.
    pub unknown: Vec<Unknown>,
    /// What can be read and looks like a mistake.
    pub notes: Vec<Note>,
    /// Documents whose committed text is not yet in their files.
    pub pending: Vec<String>,
    /// Documents that somebody else wrote since the last checkpoint; their text counts.
    pub foreign: Vec<String>,
    /// Documents brought forward again after a reboot or a kill, since the last checkpoint.
    pub redone: Vec<String>,
    /// Files that killed processes left behind.
    pub leftovers: Vec<String>,
    /// Whether another command is writing just now.
    pub busy: bool,
    /// The last host hooks that let go, oldest first.
    pub let_go: Vec<String>,
}

/// Something that is there and cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// Which kind of thing it is.
    pub what: What,
    /// Where it is, from the project's folder.
    pub path: String,
    /// Why it cannot be read.
    pub why: String,
    /// The place in the file, where it is a text that is wrong.
    pub at: Option<Pointed>,
}

/// A key of the configuration that nobody knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The file, from the project's folder.
    pub path: String,
    /// The place in it.
    pub at: Pointed,
}

/// What cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The journal: nothing can be committed until a person has looked.
    Journal,
    /// The state folder itself.
    State,
    /// A document.
    Document,
}

/// So often is looked again whether documents are really left behind.
const LOOKS: u32 = 3;
/// So many of the host hooks that let go are looked at.
pub const LET_GO: usize = 100;

impl Status {
    /// Looks at a project. What cannot be read is part of the answer; the only error is a writer
    /// that leaves no quiet moment to look.
    pub fn of(place: &Place) -> Result<Self, StoreError> {
        let mut status = Self {
            root: place.root.clone(),
            // A broken link was reported when the place was found.
            head: Git::around(&place.root).ok().flatten().map(|git| git.head()),
            last: None,
            runs: Vec::new(),
            guard: Vec::new(),
            board: None,
            unknown: Vec::new(),
            notes: Vec::new(),
            pending: Vec::new(),
            foreign: Vec::new(),
            redone: Vec::new(),
            leftovers: Vec::new(),
            busy: false,
            let_go: Vec::new(),
        };
        match status.look(place) {
            Ok(()) => {}
            Err(StoreError::Unknown { path, why }) => {
                status.unknown = vec![status.unknown_at(What::Journal, &path, why)];
            }
            Err(StoreError::Path(PathError { path, source, .. })) => {
                let what = if is_no_journal(&path, &source) { What::Journal } else { What::State };
                status.unknown = vec![status.unknown_at(what, &path, source.to_string())];
            }
            Err(error @ StoreError::Away { .. }) => {
                let why = error.to_string();
                status.unknown = vec![status.unknown_at(What::State, &place.state, why)];
            }
            Err(busy @ StoreError::Busy { .. }) => return Err(busy),
        }
        Ok(status)
    }

    fn look(&mut self, place: &Place) -> Result<(), StoreError> {
        let store = Store::open(place, clock::first())?;
        // A trace that cannot be read is a note about itself; it is not the state.
        self.let_go = match store.traces(LET_GO) {
            Ok(traces) => {
                let let_go = traces.into_iter().filter(|one| one.what == Traced::LetGo);
                let_go.map(|one| one.line).collect()
            }
            Err(error) => vec![error.to_string()],
        };
        let mut health = store.health()?;
        for _ in 0..LOOKS {
            // A writer may have come and gone between two looks.
            if health.busy || health.pending.is_empty() {
                break;
            }
            health = store.health()?;
        }
        self.busy = health.busy;
        // A writer at work has what it writes, and temporaries of its own.
        if !health.busy {
            (self.pending, self.leftovers) = (health.pending, health.leftovers);
        }
        (self.foreign, self.redone) = (health.foreign, health.redone);
        match health.journal {
            Journal::Absent => self.last = Some(Seq(0)),
            Journal::Good(last) => self.last = Some(last),
            Journal::Unknown(error) => return Err(error),
        }
        let has_inbox = board::is_there(place);
        let look = |view: &View<'_>| {
            let has_inbox = has_inbox || board::was_there(view);
            let board = has_inbox.then(|| Board::read(&store, view));
            Ok::<_, StoreError>((runs(view), config(view), board))
        };
        let ((runs, mut unknown), law, board) = store.read(look)?;
        for (path, why) in board.iter().flat_map(|board| &board.unknown) {
            unknown.push(document(path, why.clone()));
        }
        self.board = board;
        if place.state != place.root {
            for one in &mut unknown {
                one.path = place.state.join(&one.path).display().to_string();
            }
        }
        match law {
            Err(one) => unknown.push(*one),
            Ok((config, notes)) => {
                let gates = config.guard.map(|guard| guard.gates).unwrap_or_default();
                self.guard = gates.into_iter().map(|spec| spec.gate.name).collect();
                self.notes = notes;
            }
        }
        (self.runs, self.unknown) = (runs, unknown);
        Ok(())
    }

    /// Names the file from the project's folder, where it lies below.
    fn unknown_at(&self, what: What, path: &Path, why: String) -> Unknown {
        let below = path.strip_prefix(&self.root).unwrap_or(path);
        let below = if below.as_os_str().is_empty() { Path::new(".") } else { below };
        Unknown { what, path: below.display().to_string(), why, at: None }
    }
}

/// Returns whether something else stands where the journal or a part of it should: that can be set
/// aside like a journal that cannot be read. An error of the disk cannot.
fn is_no_journal(path: &Path, error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{InvalidInput, IsADirectory, NotADirectory};
    let kinds = matches!(error.kind(), InvalidInput | IsADirectory | NotADirectory);
    kinds && path.components().any(|name| name.as_os_str() == "journal")
}

const RUNS: &str = ".sprag/runs";

/// Returns whether the folder of a run has nothing in it.
fn is_empty(view: &View<'_>, name: &str) -> bool {
    let folder = DocPath::parse(&format!("{RUNS}/{name}"));
    folder.is_ok_and(|folder| view.list(&folder) == Listing::Names(Vec::new()))
}

/// Lists the runs that can be read and those that cannot.
fn runs(view: &View<'_>) -> (Vec<RunId>, Vec<Unknown>) {
    let (mut runs, mut unknown) = (Vec::new(), Vec::new());
    let names = match DocPath::parse(RUNS).map(|folder| view.list(&folder)) {
        Ok(Listing::Names(names)) => names,
        Ok(Listing::Unknown(why)) => {
            unknown.push(document(RUNS, why.to_string()));
            Vec::new()
        }
        Ok(Listing::Absent) | Err(_) => Vec::new(),
    };
    for name in names.into_iter().filter(|name| name != INIT) {
        let path = format!("{RUNS}/{name}/run.yaml");
        let found = match RunId::parse(&name) {
            Err(error) => Err(document(&path, error.to_string())),
            Ok(id) => match read(view, &path) {
                Err(why) => Err(document(&path, why)),
                // What a killed or refused command may leave.
                Ok(None) if is_empty(view, &name) => continue,
                Ok(None) => Err(document(&path, "it is missing".to_owned())),
                Ok(Some(text)) => match strict::run(&text, || recorded::load(view, &id).ok()) {
                    Ok(()) => Ok(id),
                    Err(at) => Err(wrong(&path, at)),
                },
            },
        };
        match found {
            Ok(id) => runs.push(id),
            Err(one) => unknown.push(one),
        }
    }
    (runs, unknown)
}

/// Reads the configuration, where there is one, and what looks like a mistake in it.
fn config(view: &View<'_>) -> Result<(Config, Vec<Note>), Box<Unknown>> {
    const CONFIG: &str = ".sprag/config.yaml";
    let found = crate::config::document(view).map_err(|bad| document(CONFIG, bad.to_string()))?;
    let text = text_of(found).map_err(|why| document(CONFIG, why))?.unwrap_or_default();
    let (config, notes) = strict::config(&text).map_err(|at| wrong(CONFIG, at))?;
    let note = |at| Note { path: CONFIG.to_owned(), at };
    Ok((config, notes.into_iter().map(note).collect()))
}

fn read(view: &View<'_>, path: &str) -> Result<Option<String>, String> {
    text_of(view.read(&DocPath::parse(path).map_err(|error| error.to_string())?))
}

fn text_of(doc: Doc) -> Result<Option<String>, String> {
    match doc {
        Doc::Text(text) => Ok(Some(text)),
        Doc::Absent => Ok(None),
        Doc::Unknown(why) => Err(why.to_string()),
    }
}

fn document(path: &str, why: String) -> Unknown {
    Unknown { what: What::Document, path: path.to_owned(), why, at: None }
}

fn wrong(path: &str, at: Pointed) -> Unknown {
    Unknown { why: at.why.clone(), at: Some(at), ..document(path, String::new()) }
}
