//! The current state of a project: the read model behind `sprag` and `sprag doctor`.
//!
//! It reads the current documents and the journal since its last checkpoint, so its cost does not
//! grow with the journal. It changes nothing.

use std::path::{Path, PathBuf};

use sprag_core::{DocPath, Name, RunId, Seq};
use sprag_formats::Config;
use sprag_store::{Doc, Journal, Listing, PathError, Place, Store, StoreError, Traced, View};
use sprag_world::clock;
use sprag_world::git::{Git, GitHead};

use crate::definition_copy;
use crate::engine::kind::Kinds;
use crate::inbox::board::{self, Board};
use crate::receipt::INIT;
use crate::validate::{self, Pointed};

#[cfg(test)]
mod tests;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// Its folder.
    pub root: PathBuf,
    /// Git's HEAD, if the project is in a repository.
    pub head: Option<GitHead>,
    /// The last sequence number of the journal; zero without a journal.
    pub last: Option<Seq>,
    pub runs: Vec<RunId>,
    /// The gates that hold every agent session here.
    pub guard: Vec<Name>,
    pub board: Option<Board>,
    /// Entries that cannot be read. No conclusion is drawn from them.
    pub unknown: Vec<Unknown>,
    /// Entries that can be read but look like a mistake.
    pub notes: Vec<Note>,
    /// Documents whose committed text is not yet in their files.
    pub pending: Vec<String>,
    /// Documents edited outside sprag since the last checkpoint; the edited text counts.
    pub foreign: Vec<String>,
    /// Documents written again after a reboot or a kill, since the last checkpoint.
    pub redone: Vec<String>,
    /// Files that killed processes left behind.
    pub leftovers: Vec<String>,
    /// Whether another command is writing now.
    pub busy: bool,
    /// The last host hooks that could not decide and let the agent continue, oldest first.
    pub let_go: Vec<String>,
}

/// An entry that exists but cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    pub what: What,
    /// The path, relative to the project's folder.
    pub path: String,
    pub why: String,
    /// The position in the file, if its text is invalid.
    pub at: Option<Pointed>,
}

/// An unknown key of the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The path, relative to the project's folder.
    pub path: String,
    pub at: Pointed,
}

/// The kind of an unreadable entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Nothing can be committed until a person repairs the journal.
    Journal,
    /// The state folder itself.
    State,
    Document,
}

/// How many times to look before documents count as left behind.
const LOOKS: u32 = 3;
/// How many traces of such host hooks are read.
pub const LET_GO: usize = 100;

impl Status {
    /// Reads a project's state. Unreadable entries are part of the result; the only error is a
    /// writer that leaves no quiet moment to look.
    pub(crate) fn knowing(kinds: Kinds, place: &Place) -> Result<Self, StoreError> {
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
        match status.look(kinds, place) {
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

    fn look(&mut self, kinds: Kinds, place: &Place) -> Result<(), StoreError> {
        let store = Store::open(place, clock::first())?;
        // A trace that cannot be read is listed in its place; it is not part of the state.
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
        // An active writer has pending documents and temporary files of its own.
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
            let board = has_inbox.then(|| Board::read(kinds, &store, view));
            Ok::<_, StoreError>((runs(kinds, view), config(view), board))
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

    /// Shortens the path to the project's folder if it is inside.
    fn unknown_at(&self, what: What, path: &Path, why: String) -> Unknown {
        let below = path.strip_prefix(&self.root).unwrap_or(path);
        let below = if below.as_os_str().is_empty() { Path::new(".") } else { below };
        Unknown { what, path: below.display().to_string(), why, at: None }
    }
}

/// Returns whether another kind of entry is in the journal's place. It can be set aside like an
/// unreadable journal; after a disk error nothing can.
fn is_no_journal(path: &Path, error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{InvalidInput, IsADirectory, NotADirectory};
    let kinds = matches!(error.kind(), InvalidInput | IsADirectory | NotADirectory);
    kinds && path.components().any(|name| name.as_os_str() == "journal")
}

const RUNS: &str = ".sprag/runs";

/// Returns whether the folder of a run is empty.
fn is_empty(view: &View<'_>, name: &str) -> bool {
    let folder = DocPath::parse(&format!("{RUNS}/{name}"));
    folder.is_ok_and(|folder| view.list(&folder) == Listing::Names(Vec::new()))
}

/// Lists the readable and the unreadable runs.
fn runs(kinds: Kinds, view: &View<'_>) -> (Vec<RunId>, Vec<Unknown>) {
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
                // A killed or refused command may leave an empty folder.
                Ok(None) if is_empty(view, &name) => continue,
                Ok(None) => Err(document(&path, "it is missing".to_owned())),
                Ok(Some(text)) => {
                    match validate::run(kinds, &text, &|| definition_copy::load(view, &id).ok()) {
                        Ok(()) => Ok(id),
                        Err(at) => Err(wrong(&path, at)),
                    }
                }
            },
        };
        match found {
            Ok(id) => runs.push(id),
            Err(one) => unknown.push(one),
        }
    }
    (runs, unknown)
}

/// Loads the configuration, if there is one, and its warnings.
fn config(view: &View<'_>) -> Result<(Config, Vec<Note>), Box<Unknown>> {
    const CONFIG: &str = ".sprag/config.yaml";
    let found = crate::config::document(view).map_err(|bad| document(CONFIG, bad.to_string()))?;
    let text = text_of(found).map_err(|why| document(CONFIG, why))?.unwrap_or_default();
    let (config, notes) = validate::config(&text).map_err(|at| wrong(CONFIG, at))?;
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
