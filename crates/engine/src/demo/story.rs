//! What happens in the demo, and what must hold after each part of it.

use std::ffi::OsStr;
use std::fs;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io;
use std::path::{Path, PathBuf};

use sprag_store::{CommitError, Place, Store, StoreError};

use super::writer::{self, Odd};
use crate::process::Speaker;

/// How often the writer is killed.
const KILLS: u64 = 20;

/// A demo under way.
#[derive(Debug)]
pub struct Demo<'a> {
    program: &'a Path,
    folder: PathBuf,
    store: Store,
}

/// Says that a promise did not hold, or that the demo could not be played.
#[derive(Debug, thiserror::Error)]
pub enum Broken {
    /// The folder or the process could not be had.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// The documents are not what they should be.
    #[error(transparent)]
    Odd(#[from] Odd),
    /// A commit failed.
    #[error("a commit failed: {0}")]
    Commit(#[from] CommitError<Odd>),
    /// Something that was acknowledged is gone, or something is there that nobody wrote.
    #[error("{said} was acknowledged, {found} is there")]
    Lost {
        /// The last number that was said.
        said: u64,
        /// The number in the documents.
        found: u64,
    },
    /// More than one line of a document changed.
    #[error("state.yaml lost something of yours")]
    Overwritten,
}

impl From<StoreError> for Broken {
    fn from(error: StoreError) -> Self {
        Self::Odd(error.into())
    }
}

impl<'a> Demo<'a> {
    /// Prepares a demo in a new folder below `parent`; `program` is ourselves.
    #[expect(clippy::disallowed_methods, reason = "the demo's own folder is no state")]
    pub fn new(program: &'a Path, parent: &Path) -> Result<Self, Broken> {
        let name = format!("sprag-demo-{:08x}", random() & 0xffff_ffff);
        let folder = parent.join(name);
        let made = fs::create_dir(&folder).and_then(|()| fs::write(folder.join(writer::MARK), ""));
        made.map_err(|error| Broken::Io(folder.clone(), error))?;
        let store = Store::open(&Place::of(&folder))?;
        Ok(Self { program, folder, store })
    }

    /// Returns where it plays.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Plays it. `say` hears a verb and what was done, right after it was done.
    pub fn play(&self, mut say: impl FnMut(&str, &str)) -> Result<(), Broken> {
        writer::write_next(&self.store)?;
        let last = self.store.last()?;
        say("Committed", &format!("state.yaml and notes.md together, event {last}"));
        let (acknowledged, said) = self.kill_writers()?;
        say("Killed", &format!("the process that writes them, {KILLS} times, with -9"));
        let checked =
            format!("{acknowledged} commits it had acknowledged: all kept, no file torn,");
        say("Checked", &checked);
        say("", "the two files never apart");
        // A person sees the files; the last kill may have left one behind the journal.
        self.store.tidy(writer::WAIT)?;
        self.edit_by_hand()?;
        say("Edited", "state.yaml by hand, as you would");
        let lines = self.write_one_value()?;
        say("Committed", &format!("one value in it: {lines} line changed, yours stay"));
        self.tear_journal()?;
        say("Tore", "the end of the journal, as a power cut would");
        expect(self.read()?, said + 1)?;
        writer::write_next(&self.store)?;
        expect(self.read()?, said + 2)?;
        say("Went on", "from the same state; nothing to repair");
        Ok(())
    }

    /// Kills writer after writer, and checks after each. Returns how many commits were
    /// acknowledged, and the last number there is.
    fn kill_writers(&self) -> Result<(usize, u64), Broken> {
        let (mut acknowledged, mut there) = (0, 1);
        for _ in 0..KILLS {
            let words = [OsStr::new(writer::WRITER), self.folder.as_os_str()];
            let io = |error| Broken::Io(self.program.to_owned(), error);
            let mut writer = Speaker::start(self.program, &words).map_err(io)?;
            let mut heard: Vec<String> = Vec::new();
            for _ in 0..=random() % 40 {
                heard.extend(writer.hear());
            }
            heard.extend(writer.kill().map_err(io)?);
            acknowledged += heard.len();
            let said = heard.last().and_then(|line| line.parse().ok()).unwrap_or(there);
            there = self.read()?;
            // One commit may have happened without having been said.
            if there < said || there > said + 1 {
                return Err(Broken::Lost { said, found: there });
            }
        }
        Ok((acknowledged, there))
    }

    fn read(&self) -> Result<u64, Odd> {
        self.store.read(writer::read)
    }

    fn state_file(&self) -> PathBuf {
        self.folder.join("state.yaml")
    }

    fn text(&self) -> Result<String, Broken> {
        fs::read_to_string(self.state_file()).map_err(|error| Broken::Io(self.state_file(), error))
    }

    #[expect(clippy::disallowed_methods, reason = "here the demo plays a person")]
    fn edit_by_hand(&self) -> Result<(), Broken> {
        let text = self.text()?;
        let mine = format!("mine: 'keep me'   # and this\n\n{text}# the end\n");
        fs::write(self.state_file(), mine).map_err(|error| Broken::Io(self.state_file(), error))
    }

    /// Commits a number into the document that was edited by hand; returns how many lines differ.
    fn write_one_value(&self) -> Result<usize, Broken> {
        let before = self.text()?;
        writer::write_next(&self.store)?;
        let after = self.text()?;
        let pairs = before.lines().zip(after.lines());
        let changed = pairs.filter(|(old, new)| old != new).count();
        let whole = before.lines().count() == after.lines().count();
        if whole && changed == 1 { Ok(changed) } else { Err(Broken::Overwritten) }
    }

    /// Leaves the journal as a crash in the middle of a write would.
    #[expect(clippy::disallowed_methods, reason = "here the demo plays a crash")]
    fn tear_journal(&self) -> Result<(), Broken> {
        let journal = self.folder.join(".sprag/journal");
        let io = |error| Broken::Io(journal.clone(), error);
        fs::remove_file(journal.join("head")).map_err(io)?;
        let mut segments = Vec::new();
        for entry in fs::read_dir(&journal).map_err(io)? {
            let path = entry.map_err(io)?.path();
            if path.extension().is_some_and(|end| end == "jsonl") {
                segments.push(path);
            }
        }
        let newest =
            segments.into_iter().max().ok_or_else(|| io(io::Error::other("no segment")))?;
        let mut bytes = fs::read(&newest).map_err(io)?;
        bytes.extend_from_slice(b"{\"v\":1,\"seq\":99999,\"at\":\"20");
        fs::write(&newest, bytes).map_err(io)
    }
}

fn expect(found: u64, said: u64) -> Result<(), Broken> {
    if found == said { Ok(()) } else { Err(Broken::Lost { said, found }) }
}

/// Returns a random number: the keys of std's hash maps come from the operating system.
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}
