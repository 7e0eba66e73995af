//! Checks a project after its writer was killed or met an error.

use std::path::Path;

use sprag_store::{Doc, StoreError};
use sprag_testkit::folder::{self, Entry};

use crate::project::{DOCS, State, doc, lines, store, try_commit};

/// What the writer acknowledged before it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// The change happened.
    Happened,
    /// The change did not happen.
    Never,
    /// Nothing: it was killed.
    Nothing,
}

/// The documents before and after the change, as readers see them.
pub(crate) struct Expect {
    pub(crate) old: State,
    pub(crate) new: State,
    /// The files before the change: older than `old` if a commit was not finished.
    files: State,
}

impl Expect {
    /// Takes the states from two folders.
    pub(crate) fn of(before: &Path, after: &Path) -> Self {
        Self { old: view(before).unwrap(), new: view(after).unwrap(), files: disk(before) }
    }

    /// Checks every promise on one project, and leaves it recovered.
    pub(crate) fn check(&self, root: &Path, told: Told) -> Result<(), String> {
        self.whole_on_disk(root)?;
        let seen = self.one_of_two("the first look", &view(root)?)?;
        match (told, seen) {
            (Told::Happened, Side::Old) => return Err("said to have happened, but lost".into()),
            (Told::Never, Side::New) => return Err("said to have failed, but visible".into()),
            _ => {}
        }
        // Immediately, since no lock may be left behind; in every folder, since leftovers are
        // removed on writes.
        let next = try_commit(&store(root), &["probe=1", "notes/probe=1"])
            .map_err(|error| format!("the next commit fails: {error}"))?;
        if !next.unwritten.is_empty() {
            return Err(format!("the next commit is not written: {:?}", next.unwritten));
        }
        if self.one_of_two("after the next commit", &view(root)?)? != seen {
            return Err("the next commit changed what was seen before it".into());
        }
        if self.one_of_two("on disk after the next commit", &disk(root))? != seen {
            return Err("the files do not hold what the journal says".into());
        }
        journal_is_whole(root)?;
        nothing_is_left(root)
    }

    /// P1: each file holds the whole old or the whole new text.
    pub(crate) fn whole_on_disk(&self, root: &Path) -> Result<(), String> {
        for (name, text) in disk(root) {
            if ![&self.old, &self.new, &self.files].iter().any(|state| state[&name] == text) {
                return Err(format!("{name} is torn: {text:?}"));
            }
        }
        Ok(())
    }

    /// All documents of one commit are old together or new together.
    pub(crate) fn one_of_two(&self, when: &str, state: &State) -> Result<Side, String> {
        if *state == self.old {
            Ok(Side::Old)
        } else if *state == self.new {
            Ok(Side::New)
        } else {
            let short = |text: &String| text.chars().take(60).collect::<String>();
            let state: Vec<_> = state.values().map(|text| text.as_ref().map(short)).collect();
            Err(format!("{when}: neither old nor new: {state:?}"))
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Old,
    New,
}

/// Returns the documents as the store's readers see them.
pub(crate) fn view(root: &Path) -> Result<State, String> {
    let look = |view: &sprag_store::View<'_>| {
        Ok::<_, StoreError>(DOCS.map(|name| (name, view.read(&doc(name)))))
    };
    let docs = store(root).read(look).map_err(|error| format!("cannot be read: {error}"))?;
    docs.into_iter()
        .map(|(name, doc)| match doc {
            Doc::Absent => Ok((name.to_owned(), None)),
            Doc::Text(text) => Ok((name.to_owned(), Some(text))),
            Doc::Unknown(why) => Err(format!("{name} is unknown: {why}")),
        })
        .collect()
}

/// Returns the texts in the files.
pub(crate) fn disk(root: &Path) -> State {
    let text = |name: &str| std::fs::read_to_string(root.join(name)).ok();
    DOCS.into_iter().map(|name| (name.to_owned(), text(name))).collect()
}

fn journal_is_whole(root: &Path) -> Result<(), String> {
    let lines = lines(&store(root)).map_err(|error| format!("the journal is broken: {error}"))?;
    let places = lines.iter().map(|line| line.seq.0);
    if places.clone().ne(1..=lines.len() as u64) {
        return Err(format!("places are missing or doubled: {:?}", places.collect::<Vec<_>>()));
    }
    Ok(())
}

/// Checks that there are only known files, and no temporary ones.
pub(crate) fn nothing_is_left(root: &Path) -> Result<(), String> {
    let own = [".gitignore", "id", "journal", "lock", "journal/head", "journal/blobs"];
    let others = [".sprag", "notes", "probe", "notes/probe"];
    let known = |name: &str| {
        if let Some(name) = name.strip_prefix(".sprag/") {
            let part = Path::new(name).extension().is_some_and(|ending| ending == "jsonl");
            own.contains(&name) || part || name.starts_with("journal/blobs/")
        } else {
            others.contains(&name) || DOCS.contains(&name)
        }
    };
    let found = folder::entries(root).map_err(|error| error.to_string())?;
    for (name, entry) in found {
        let temporary = name.rsplit('/').next().unwrap_or(&name).starts_with(".sprag-tmp-");
        // Of the git folder only the copy of the journal is sprag's.
        let is_known = name.starts_with(".git") || known(&name);
        if temporary || !is_known || matches!(entry, Entry::Other | Entry::Link(_)) {
            return Err(format!("left behind: {name}"));
        }
    }
    Ok(())
}
