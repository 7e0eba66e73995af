//! Locates the work of a run and the files that its receipts are about: those of the branch that
//! collects the work, or the project's own.
//!
//! A branch is judged on its own, merged or not: its receipts are about its commit. A deleted
//! branch is judged by its last recorded commit. Only if a person merged the work and then changed
//! files are the project's own files judged, as in any other run. Assignments share a branch: each
//! finished one is judged by the commit that brought its own work in.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::time::Duration;

use sprag_core::event::WorkMerged;
use sprag_core::reporting::{BranchState, WorkBranch};
use sprag_core::{Attempt, Fence, Hash, RunId, Time};
use sprag_store::{Place, View};
use sprag_world::git::{QuietGit, Registered, is_commit};
use sprag_world::root::{self, RootSearch};
use sprag_world::tree::Tree;

use super::ACTOR;
use super::inbox::driven;
use super::is_inbox;
use crate::agents_file::AgentsFile;
use crate::draft::Draft;
use crate::engine::{Engine, EngineError, PATIENT};
use crate::now::Now;
use crate::open_run::OpenRun;
use crate::run_file::RunFile;

/// The state of a branch in git.
enum Tip {
    At(String),
    Gone,
    /// git failed.
    Unknown,
}

impl Engine<'_> {
    /// Returns the branch of a run and the hash of the files that it is judged by, if known. `None`
    /// if the run works in the project itself.
    pub(crate) fn branch_of(
        &self,
        view: &View<'_>,
        run: &RunId,
    ) -> Option<(WorkBranch, Option<Hash>)> {
        // If the ledger cannot be read, only the project itself is left to look at.
        let noted = AgentsFile::read(view, run).ok()?;
        let name = noted.branch.filter(|name| is_branch(name))?;
        let commit = noted.commit.filter(|commit| is_commit(commit));
        let tip = self.tip(&name);
        let at = match (&commit, &tip) {
            (None, _) => BranchState::Empty,
            (Some(own), Tip::At(tip)) if self.is_past(view, run, (own, tip)) => {
                BranchState::Past { commit: own.clone(), merged: self.has_merged(own) }
            }
            (Some(_), Tip::At(tip)) if self.has_merged(tip) => BranchState::Merged(tip.clone()),
            (Some(_), Tip::At(tip)) => BranchState::Open(tip.clone()),
            (Some(commit), Tip::Unknown) => BranchState::Open(commit.clone()),
            (Some(commit), Tip::Gone) => {
                BranchState::Gone { commit: commit.clone(), merged: self.has_merged(commit) }
            }
        };
        let mut branch = WorkBranch { name, at };
        let files = self.files_in(&branch);
        let known = noted.tree.filter(|_| branch.commit() == commit.as_ref());
        let mut tree = files.map(|tree| tree.hash()).or(known);
        if let Some(commit) = branch.merged() {
            let own = self.tree().ok().map(|tree| tree.hash());
            // A merge of the branch includes the work of others in it.
            let is_whole = matches!(&tip, Tip::At(tip) if tip != commit && self.has_files_of(tip));
            if own == tree || !(is_whole || self.has_files_of(commit)) {
                (branch.at, tree) = (BranchState::Here, own);
            }
        }
        Some((branch, tree))
    }

    /// Returns the hash of the files that a run is judged by.
    pub(crate) fn judged_by(
        &self,
        view: &View<'_>,
        run: &RunId,
        now: &Now<'_>,
    ) -> Result<Hash, EngineError> {
        match self.branch_of(view, run) {
            // An unknown tree gets a hash that no receipt has.
            Some((_, tree)) => Ok(tree.unwrap_or_else(|| Hash::of(""))),
            None => now.hash(),
        }
    }

    /// Also returns the files themselves, if they are in a readable folder.
    pub(crate) fn judged_in<'n>(
        &'n self,
        view: &View<'_>,
        run: &RunId,
        now: &'n Now<'n>,
    ) -> Result<(Hash, Option<Cow<'n, Tree>>), EngineError> {
        let own = || Ok((now.hash()?, now.listed()?.map(Cow::Borrowed)));
        match self.branch_of(view, run) {
            None | Some((WorkBranch { at: BranchState::Here, .. }, _)) => own(),
            Some((branch, hash)) => {
                let files = self.files_in(&branch).filter(|tree| Some(tree.hash()) == hash);
                Ok((hash.unwrap_or_else(|| Hash::of("")), files.map(Cow::Owned)))
            }
        }
    }

    /// Scans a branch where it is checked out, unless it has moved past the commit that a finished
    /// assignment is judged by.
    fn files_in(&self, branch: &WorkBranch) -> Option<Tree> {
        if matches!(branch.at, BranchState::Past { .. }) {
            return None;
        }
        let holder = self.holder_of(&branch.name)?;
        Tree::take_unless(&holder, self.environment, self.stop.as_ref()).ok()
    }

    /// Returns the runs whose branch is not merged into the checkout, with that branch. Several
    /// runs of the inbox share one.
    pub fn unmerged(&self, runs: &[RunId]) -> Result<Vec<(RunId, String)>, EngineError> {
        let noted = |view: &View<'_>, run: &RunId| {
            let noted = AgentsFile::read(view, run).ok().filter(|noted| noted.commit.is_some())?;
            Some((run.clone(), noted.branch?))
        };
        let mut noted: Vec<(RunId, String)> =
            self.look(|view| Ok(runs.iter().filter_map(|run| noted(view, run)).collect()))?;
        if noted.is_empty() {
            return Ok(noted);
        }
        let words =
            ["for-each-ref", "--no-merged=HEAD", "--format=%(refname)", "refs/heads/sprag/"];
        let said = QuietGit::reading(self.environment).ask(&self.place.root, &words, &[]);
        // If git fails, no branch is reported.
        let out = said.ok().filter(|said| said.exit == Some(0)).map(|said| said.out);
        let out = String::from_utf8_lossy(&out.unwrap_or_default()).into_owned();
        let mut open: BTreeSet<_> =
            out.lines().filter_map(|name| name.strip_prefix("refs/heads/")).collect();
        noted.retain(|(_, branch)| open.remove(branch.as_str()));
        Ok(noted)
    }

    /// Records the branch that collects the agents' work; `None` if they work in the project
    /// itself.
    pub fn drive_apart(&self, run: &RunId, branch: Option<&str>) -> Result<(), EngineError> {
        self.note_work(run, branch, None, None)
    }

    /// Records that a run's work was merged into its branch, whose files the engine looks at.
    /// `merged` is the attempt that did so just now.
    pub fn drive_merged(
        &self,
        run: &RunId,
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

    /// Returns the last recorded commit that contains a run's work. For the inbox, the commits are
    /// recorded with its assignments.
    pub fn drive_brought(&self, run: &RunId) -> Result<Option<String>, EngineError> {
        let mut noted = self.look(|view| {
            let runs = if is_inbox(run) { driven(view)?.1 } else { vec![run.clone()] };
            let noted = runs.iter().map(|run| Ok(AgentsFile::read(view, run)?.commit));
            noted.filter_map(Result::transpose).collect::<Result<Vec<_>, EngineError>>()
        })?;
        noted.retain(|commit| is_commit(commit));
        if noted.len() < 2 {
            return Ok(noted.pop());
        }
        // Assignments end in any order: the newest commit is the one that no other contains.
        let mut words = vec!["merge-base", "--independent"];
        words.extend(noted.iter().map(String::as_str));
        let said = QuietGit::reading(self.environment).ask(&self.place.root, &words, &[]).ok();
        let out = said.map(|said| String::from_utf8_lossy(&said.out).into_owned());
        let last = out.and_then(|out| out.lines().next().map(str::to_owned));
        Ok(last.filter(|commit| is_commit(commit)))
    }

    fn note_work(
        &self,
        run: &RunId,
        branch: Option<&str>,
        stands: Option<(&str, Hash)>,
        merged: Option<Fence>,
    ) -> Result<(), EngineError> {
        self.commit(ACTOR, PATIENT, |view| {
            let mut ledger = AgentsFile::read(view, run)?;
            let mut draft = Draft::default();
            let stays = ledger.branch.as_deref() == branch;
            let before = (ledger.commit.take(), ledger.tree.take());
            (ledger.commit, ledger.tree) = match stands {
                Some((commit, tree)) => (Some(commit.to_owned()), Some(tree)),
                // A restart keeps the record of work merged before.
                None if stays => before.clone(),
                None => (None, None),
            };
            if !stays || before != (ledger.commit.clone(), ledger.tree) {
                ledger.branch = branch.map(str::to_owned);
                draft.edit(ledger.edit(run)?);
            }
            if let Some(fence) = merged {
                let (branch, commit) = (branch.map(str::to_owned), ledger.commit);
                let merged = WorkMerged { fence, branch, commit };
                draft.note(Some(run), merged);
            }
            Ok((draft, ()))
        })
    }

    fn tip(&self, branch: &str) -> Tip {
        let name = format!("refs/heads/{branch}");
        let words = ["rev-parse", "--quiet", "--verify", &name];
        let said = QuietGit::reading(self.environment).ask(&self.place.root, &words, &[]);
        let Ok(said) = said else { return Tip::Unknown };
        let commit = String::from_utf8_lossy(&said.out).trim_end().to_owned();
        match said.exit {
            Some(0) if is_commit(&commit) => Tip::At(commit),
            Some(1) => Tip::Gone,
            Some(_) | None => Tip::Unknown,
        }
    }

    /// Returns whether other work entered a branch after that of a finished assignment, whose
    /// receipts are about its own commit.
    fn is_past(&self, view: &View<'_>, run: &RunId, (own, tip): (&str, &str)) -> bool {
        let is_over = |file: RunFile| file.live.info().is_assigned && file.header.ended.is_some();
        own != tip
            && RunFile::open(self.kinds, view, run, None).is_ok_and(is_over)
            && self.is_part(own, tip)
    }

    /// Returns the project in the worktree that has a branch checked out. `None` if there is none,
    /// or git fails.
    fn holder_of(&self, branch: &str) -> Option<Place> {
        let git = QuietGit::reading(self.environment);
        let said = git.ask(&self.place.root, &Registered::LIST, &[]).ok()?;
        let mut all = Registered::read(&said.out).into_iter();
        let root = all.find(|one| one.branch.as_deref() == Some(branch))?.folder;
        let root = root.join(&self.place.below);
        let start = RootSearch { folder: &root, home: None, named: Some(&root) };
        root::find(start).ok().flatten()
    }
}

/// Returns whether a branch collects the work of a run.
pub(crate) fn is_apart(view: &View<'_>, case: &OpenRun) -> Result<bool, EngineError> {
    Ok(AgentsFile::read(view, case.run.id())?.branch.is_some())
}

/// Returns whether a driven agent works on a run now: then a person's verdict is about the work it
/// will leave.
pub(crate) fn is_at_work(
    engine: &Engine<'_>,
    view: &View<'_>,
    case: &OpenRun,
    now: Time,
) -> Result<bool, EngineError> {
    let run = case.run.id();
    let ledger = AgentsFile::read(view, run)?;
    let works = |attempt: &Attempt| {
        let working = ledger.working.get(&attempt.fence().0.0);
        let is_on = working.is_some_and(|working| working.said.is_none());
        is_on && case.run.live.hold_of(attempt, now).is_none()
    };
    let is_begun = case.run.live.attempts().iter().any(works);
    Ok(is_begun && engine.driven_by(run, Duration::ZERO)?.is_some())
}

/// Returns the hash of the files that a person's verdict is about: those evaluated last, if that
/// was in a worktree.
pub(crate) fn looked_at(
    view: &View<'_>,
    case: &OpenRun,
    now: &Now<'_>,
) -> Result<Hash, EngineError> {
    match looked_at_apart(view, case)? {
        Some(files) => Ok(files),
        None => Ok(now.tree()?.hash()),
    }
}

/// Returns the hash of the worktree files that a run was last evaluated on; `None` if it has no
/// branch.
pub(crate) fn looked_at_apart(
    view: &View<'_>,
    case: &OpenRun,
) -> Result<Option<Hash>, EngineError> {
    let ledger = AgentsFile::read(view, case.run.id())?;
    let held = ledger.working.values().rev().find_map(|working| working.files);
    let failed = || case.run.live.failed().map(|red| red.receipt.tree);
    Ok(held.or_else(failed).filter(|_| ledger.branch.is_some()))
}

/// Returns whether a name from a document is a plain branch name.
fn is_branch(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte);
    !name.is_empty()
        && !name.starts_with(['-', '.', '/'])
        && !name.contains("..")
        && name.bytes().all(plain)
}
