//! A person's uncommitted edits during a session: what each turn found, and what its agent left.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use sprag_core::event::WorkMissing;
use sprag_core::reporting::missing;
use sprag_core::{Hash, Missing, MissingText};
use sprag_store::View;
use sprag_world::git::{Git, GitHead};
use sprag_world::root;

use crate::draft::Draft;
use crate::edits::MadeApart;
use crate::edits::{EditState, PersonsEdits};
use crate::engine::{Engine, EngineError};
use crate::integrity::{Turns, texts};
use crate::now::Now;
use crate::run_file::RunFile;
use crate::session::SessionFile;
use crate::snapshot::Snapshot;

const VERSION: u32 = 1;
/// How many linked worktrees are recorded.
const MOST_WORKTREES: usize = 200;

/// What a turn of a session found.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct FoundEdits {
    v: u32,
    /// The hash of all files.
    tree: Hash,
    edits: PersonsEdits,
    /// The linked worktrees of the repository.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    worktrees: BTreeSet<String>,
    /// Commits on branches that an earlier turn made, if its work was elsewhere at its stop.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    made: Vec<String>,
    /// What was missing at the last stop that was allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stop: Option<AtStop>,
}

/// What was missing at a stop.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct AtStop {
    /// The files that lacked a person's edits.
    gone: Vec<String>,
    /// Whether work of the agent was elsewhere.
    is_away: bool,
    /// Whether files could not be compared.
    #[serde(default)]
    is_unseen: bool,
    /// The stash entries.
    stashes: Vec<String>,
}

impl AtStop {
    const fn is_empty(&self) -> bool {
        self.gone.is_empty() && !self.is_away && !self.is_unseen
    }
}

impl FoundEdits {
    fn take(now: &Now<'_>, turns: &Turns) -> Result<Self, EngineError> {
        let mut edits = now.persons_edits().clone();
        edits.leave_out(turns.agents_uncommitted(now.engine).iter(), &now.engine.place.root);
        let (tree, worktrees) = (now.tree()?.hash(), now.engine.linked_worktrees());
        Ok(Self { v: VERSION, tree, edits, worktrees, made: Vec::new(), stop: None })
    }

    /// Adds what earlier turns lost. It stays missing until it is back.
    fn after(mut self, before: &Self) -> Self {
        let Some(stop) = &before.stop else { return self };
        self.edits.keep_lost(&before.edits, &stop.gone);
        let marks = (&mut self.edits.marks, &before.edits.marks);
        if stop.is_away {
            (marks.0.log, self.tree) = (marks.1.log, before.tree);
            self.made.clone_from(&before.made);
            self.worktrees.clone_from(&before.worktrees);
        }
        let is_agents = |one: &String| stop.stashes.contains(one) && !marks.1.stashes.contains(one);
        marks.0.stashes.retain(|one| !is_agents(one));
        self.stop.clone_from(&before.stop);
        self
    }

    fn kept(engine: &Engine<'_>, name: Hash) -> Option<Self> {
        let read: Self = serde_json::from_slice(&texts::kept(engine.place, name)?).ok()?;
        (read.v <= VERSION).then_some(read)
    }

    /// Stores it and returns its name. If that fails, it is missing at the stop, and then nothing
    /// is proven.
    fn keep(&self, engine: &Engine<'_>) -> Option<Hash> {
        let bytes = serde_json::to_vec(self).ok()?;
        Some(texts::keep(engine.place, &bytes).unwrap_or_else(|| Hash::of(&bytes)))
    }
}

/// Records the person's edits when a session begins, or a new turn.
pub(crate) fn begins(
    file: &mut SessionFile,
    now: &Now<'_>,
    turns: &Turns,
) -> Result<(), EngineError> {
    let before = match file.edits {
        Some(name) => match FoundEdits::kept(now.engine, name) {
            Some(before) => Some(before),
            // The record was lost; it is not replaced, and so nothing is proven.
            None => return Ok(()),
        },
        None => None,
    };
    let mut found = FoundEdits::take(now, turns)?;
    if let Some(before) = &before {
        found = found.after(before);
    }
    file.edits = found.keep(now.engine);
    file.uncommitted = found.edits.with_lines().cloned().collect();
    file.rewrote.clear();
    Ok(())
}

/// Leaves out edits that a person took back while a turn was interrupted.
pub(crate) fn goes_on(file: &mut SessionFile, now: &Now<'_>, is_persons: impl Fn(&str) -> bool) {
    let kept = file.edits.and_then(|name| FoundEdits::kept(now.engine, name));
    let Some(mut found) = kept else { return };
    let gone = now.engine.missing(&found.edits, None, &MadeApart::default()).gone;
    let taken: Vec<_> = gone.into_iter().filter(|one| is_persons(&one.path)).collect();
    if !taken.is_empty() {
        found.edits.forget(taken.iter().map(|one| one.path.as_str()));
        file.edits = found.keep(now.engine);
    }
}

/// Returns the lines that a person added to a file, if any.
pub(crate) fn persons_lines(
    engine: &Engine<'_>,
    file: &SessionFile,
) -> impl Fn(&str) -> Option<String> {
    let found = file.edits.and_then(|name| FoundEdits::kept(engine, name));
    move |path| {
        let lines = found.as_ref()?.edits.added(path).to_string();
        (!lines.is_empty()).then_some(lines)
    }
}

/// Records that a tool is about to write a file by name. If a person's edits are still in it, the
/// agent knows them and edits them further. If the file was set back before, they are lost.
pub(crate) fn note_written(engine: &Engine<'_>, file: &mut SessionFile, path: &str) {
    let name = file.edits.filter(|_| file.uncommitted.contains(path));
    let Some(found) = name.and_then(|name| FoundEdits::kept(engine, name)) else { return };
    match found.edits.state_of(&engine.place.root, path) {
        Some(EditState::There) => drop(file.rewrote.insert(path.to_owned())),
        Some(EditState::SetBack) => drop(file.rewrote.remove(path)),
        Some(EditState::Edited) | None => {}
    }
}

/// Looks for the person's edits and the agent's work when a stop is allowed, and records in the
/// session's runs what is missing. `made` are new commits at the tips of branches. Returns what is
/// missing for the person.
pub(crate) fn stopped(
    view: &View<'_>,
    sitting: &mut Snapshot,
    made: Vec<String>,
    (now, turns): (&Now<'_>, &Turns),
    draft: &mut Draft,
) -> Vec<String> {
    let Some(name) = sitting.file.edits else { return Vec::new() };
    let engine = now.engine;
    let mut was_missing = false;
    let mut lost = if let Some(mut found) = FoundEdits::kept(engine, name) {
        was_missing = found.stop.as_ref().is_some_and(|stop| !stop.is_empty());
        found.made.extend(made);
        let lost = found.lost(sitting, now, turns);
        sitting.file.edits = found.keep(engine);
        lost
    } else {
        let path = format!(".sprag/texts/{name}");
        Missing { gone: vec![MissingText { path, place: None }], ..Missing::default() }
    };
    lost.away.extend(removed_worktrees(view, engine, &sitting.file));
    if was_missing || !lost.is_empty() {
        for run in &sitting.runs {
            let Missing { gone, away, unseen } = lost.clone();
            draft.note(Some(run.id()), WorkMissing { gone, away, unseen });
        }
    }
    let said = missing(&lost).into_iter().flatten();
    said.map(|one| format!("done, not proven: {}", one.brief())).collect()
}

impl FoundEdits {
    /// Finds what is missing now, and records it.
    fn lost(&mut self, sitting: &Snapshot, now: &Now<'_>, turns: &Turns) -> Missing {
        let engine = now.engine;
        let others = engine.branches_of_others(&self.worktrees, turns);
        let apart = MadeApart { commits: self.made.clone(), others };
        let mut lost = engine.missing(&self.edits, Some(self.tree), &apart);
        let (edits, root) = (&self.edits, &engine.place.root);
        let is_edited = |path: &String| {
            sitting.file.rewrote.contains(path)
                && edits.state_of(root, path) == Some(EditState::Edited)
        };
        lost.gone.retain(|one| !is_edited(&one.path));
        lost.unseen.retain(|path| !is_edited(path));
        lost.unseen.extend(edits.more.map(|more| format!("{more} more files")));
        self.stop = Some(AtStop {
            gone: lost.gone.iter().map(|one| one.path.clone()).collect(),
            is_away: !lost.away.is_empty(),
            is_unseen: !lost.unseen.is_empty(),
            stashes: engine.git_marks().stashes,
        });
        lost
    }
}

/// Returns the worktrees that were removed while the session's guard failed there.
fn removed_worktrees(view: &View<'_>, engine: &Engine<'_>, file: &SessionFile) -> Vec<MissingText> {
    let mut names = file.other_worktrees();
    names.retain(|name| root::at_worktree(engine.place, name).is_none());
    let is_red = |name: &String| {
        let guard = file
            .guard_in(name)
            .and_then(|guard| RunFile::open(engine.kinds, view, guard, None).ok());
        guard.is_some_and(|guard| !guard.live.attempts().is_empty())
    };
    names.retain(is_red);
    let text = |name| MissingText { path: format!("removed worktree {name}"), place: None };
    names.into_iter().map(text).collect()
}

impl Engine<'_> {
    /// Returns the names of the repository's linked worktrees.
    fn linked_worktrees(&self) -> BTreeSet<String> {
        let folder = self.place.common.as_ref().map(|common| common.join("worktrees"));
        let found = folder.and_then(|folder| std::fs::read_dir(folder).ok()).into_iter().flatten();
        let names = found.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        names.take(MOST_WORKTREES).collect()
    }

    /// Returns the branches in worktrees that were there before, or in which a session has a turn
    /// of its own.
    fn branches_of_others(&self, before: &BTreeSet<String>, turns: &Turns) -> BTreeSet<String> {
        let Some(common) = &self.place.common else { return BTreeSet::new() };
        let known = before.iter().map(String::as_str).chain(turns.worktrees());
        let branch = |name: &str| {
            let folder = Git::linked(common, name)?;
            match Git::around(&folder).ok().flatten()?.head() {
                GitHead::Branch { name, .. } => Some(name),
                GitHead::Detached { .. } | GitHead::Unknown => None,
            }
        };
        known.filter_map(branch).collect()
    }
}
