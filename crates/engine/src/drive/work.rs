//! Where the work of a run is, and which files its receipts are about: those of the branch in which
//! it is brought together, or those of the project itself.
//!
//! A branch is judged where it stands, whether or not a person has merged it: its receipts are about
//! that. One that is gone is judged by what was noted of it last. Only where a person went on with
//! what they merged, their own files are judged, as after any other run.

use sprag_core::reporting::{At, Branch};
use sprag_core::{Fence, Hash, Id, Kind, RunId};
use sprag_store::{Place, View};

use super::ACTOR;
use super::ledger::Ledger;
use crate::draft::Draft;
use crate::engine::{Engine, EngineError, PATIENT};
use crate::git::Registered;
use crate::root::{self, Start};
use crate::sitting::Now;
use crate::tree::{GitFiles, Tree};

/// What git says of a branch.
enum Tip {
    At(String),
    Gone,
    /// It cannot be asked.
    Unknown,
}

impl Engine<'_> {
    /// Returns the branch of a run and the files that it is judged by, where they can be told; nothing
    /// where it works in the project itself.
    pub(crate) fn branch_of(&self, view: &View<'_>, run: &Id) -> Option<(Branch, Option<Hash>)> {
        // Where nobody can read how it was driven, only the project itself is left to look at.
        let noted = Ledger::read(view, run).ok()?;
        let name = noted.branch.filter(|name| is_branch(name))?;
        let commit = noted.commit.filter(|commit| is_commit(commit));
        let at = match (&commit, self.tip(&name)) {
            (None, _) => At::Empty,
            (Some(_), Tip::At(tip)) if self.has_merged(&tip) => At::Merged(tip),
            (Some(_), Tip::At(tip)) => At::Open(tip),
            (Some(commit), Tip::Unknown) => At::Open(commit.clone()),
            (Some(commit), Tip::Gone) => {
                At::Gone { commit: commit.clone(), merged: self.has_merged(commit) }
            }
        };
        let mut branch = Branch { name, at };
        let files = self.holder_of(&branch.name).and_then(|holder| {
            Tree::take_unless(&holder, self.environment, self.stop.as_ref()).ok()
        });
        let known = noted.tree.filter(|_| branch.commit() == commit.as_ref());
        let mut tree = files.map(|tree| tree.hash()).or(known);
        if let Some(commit) = branch.merged() {
            let own = self.tree().ok().map(|tree| tree.hash());
            if own == tree || !self.has_files_of(commit) {
                (branch.at, tree) = (At::Here, own);
            }
        }
        Some((branch, tree))
    }

    /// Returns the files that a run is judged by, wherever they are.
    pub(crate) fn judged_by(
        &self,
        view: &View<'_>,
        run: &Id,
        now: &Now<'_>,
    ) -> Result<Hash, EngineError> {
        match self.branch_of(view, run) {
            // Files that cannot be told are not those of any receipt.
            Some((_, tree)) => Ok(tree.unwrap_or_else(|| Hash::of(""))),
            None => Ok(now.tree()?.hash()),
        }
    }

    /// Takes note of the branch into which agents' work is merged from now on; none where they work in
    /// the project itself.
    pub fn drive_apart(&self, run: &Id, branch: Option<&str>) -> Result<(), EngineError> {
        self.note_work(run, branch, None, None)
    }

    /// Takes note that work of a run is in its branch, on whose files this is: in the attempt that
    /// merged it, where one did just now.
    pub fn drive_merged(
        &self,
        run: &Id,
        branch: &str,
        merged: Option<Fence>,
    ) -> Result<(), EngineError> {
        let commit = match self.tip(branch) {
            Tip::At(tip) => Some(tip),
            Tip::Gone | Tip::Unknown => None,
        };
        let tree = self.tree()?.hash();
        self.note_work(run, Some(branch), commit.as_deref().map(|commit| (commit, tree)), merged)
    }

    fn note_work(
        &self,
        run: &Id,
        branch: Option<&str>,
        stands: Option<(&str, Hash)>,
        merged: Option<Fence>,
    ) -> Result<(), EngineError> {
        self.commit(ACTOR, PATIENT, |view| {
            let mut ledger = Ledger::read(view, run)?;
            let mut draft = Draft::default();
            let stays = ledger.branch.as_deref() == branch;
            let before = (ledger.commit.take(), ledger.tree.take());
            (ledger.commit, ledger.tree) = match stands {
                Some((commit, tree)) => (Some(commit.to_owned()), Some(tree)),
                // Whoever begins again has lost nothing of what is merged already.
                None if stays => before.clone(),
                None => (None, None),
            };
            if !stays || before != (ledger.commit.clone(), ledger.tree) {
                ledger.branch = branch.map(str::to_owned);
                draft.edit(ledger.edit(run)?);
            }
            if let Some(fence) = merged {
                let data = serde_json::json!({
                    "fence": fence.0.0, "branch": branch, "commit": ledger.commit,
                });
                draft.note(Some(&RunId::parse(run.as_str())?), Kind::WorkMerged, data);
            }
            Ok((draft, ()))
        })
    }

    fn tip(&self, branch: &str) -> Tip {
        let name = format!("refs/heads/{branch}");
        let words = ["rev-parse", "--quiet", "--verify", &name];
        let said = GitFiles::new(self.environment).ask(&self.place.root, &words, &[]);
        let Ok(said) = said else { return Tip::Unknown };
        let commit = String::from_utf8_lossy(&said.out).trim_end().to_owned();
        match said.exit {
            Some(0) if is_commit(&commit) => Tip::At(commit),
            Some(1) => Tip::Gone,
            Some(_) | None => Tip::Unknown,
        }
    }

    /// Returns whether a commit is part of what is checked out: then its work is in these files.
    fn has_merged(&self, commit: &str) -> bool {
        let git = GitFiles::new(self.environment);
        let said = git.ask(&self.place.root, &["merge-base", "--is-ancestor", commit, "HEAD"], &[]);
        said.is_ok_and(|said| said.exit == Some(0))
    }

    /// Returns the project in the working tree that has a branch checked out; nothing where none
    /// has, or git cannot tell.
    fn holder_of(&self, branch: &str) -> Option<Place> {
        let git = GitFiles::new(self.environment);
        let said = git.ask(&self.place.root, &Registered::LIST, &[]).ok()?;
        let mut all = Registered::read(&said.out).into_iter();
        let root = all.find(|one| one.branch.as_deref() == Some(branch))?.folder;
        let root = root.join(&self.place.below);
        let start = Start { folder: &root, home: None, named: Some(&root) };
        root::find(start).ok().flatten()
    }
}

/// Returns whether a text can only mean a commit.
pub(crate) fn is_commit(text: &str) -> bool {
    (40..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Returns whether a name out of a document can only mean a branch.
fn is_branch(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte);
    !name.is_empty()
        && !name.starts_with(['-', '.', '/'])
        && !name.contains("..")
        && name.bytes().all(plain)
}
