//! Shows a person the changes in doubt and records their approval.

use sprag_core::basis::{AgreedText, Doubts, InputKey, OpenDoubt, Role};
use sprag_core::event::DoubtsAgreed;
use sprag_core::{DocPath, Hash, RunId, SessionId};
use sprag_store::View;
use sprag_world::tree;

use crate::agents_file::work_branch;
use crate::draft::Draft;
use crate::engine::{Engine, EngineError};
use crate::integrity::definitions::is_defining;
use crate::integrity::doubts::shown;
use crate::integrity::in_force::{Base, InForce};
use crate::integrity::law::LawText;
use crate::integrity::{DoubtsDoc, Turns, files, law, texts};
use crate::judge::tx::Tx;
use crate::now::Now;
use crate::run_file::RunFile;
use crate::session::{self, LoadedSession};

/// A change in doubt, with both texts of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownDoubt {
    key: InputKey,
    now: Option<Hash>,
    /// The input's display name.
    pub name: String,
    pub path: String,
    /// The earlier text of the file; `None` if it did not exist or was not kept.
    pub before: Option<Vec<u8>>,
    /// Whether the file existed before.
    pub was_there: bool,
    /// The current text; `None` if the file is missing or binary.
    pub after: Option<Vec<u8>>,
    /// The agent's own explanation.
    pub said: Option<String>,
    /// Whether it is sprag's own record that is missing, so that there are no texts to show.
    pub is_record: bool,
}

impl ShownDoubt {
    /// Collects both texts of a doubt, from the current files or from those of a branch.
    fn of(engine: &Engine<'_>, doubt: &OpenDoubt, branch: Option<&str>) -> Self {
        let path = doubt.key.path();
        let is_in_project = doubt.key.part_name() == Some(law::PROJECT);
        let root =
            if is_in_project { law::project_of(engine) } else { engine.files.root.as_path() };
        let read = if is_defining(doubt.role) { files::linked_text } else { files::text };
        let after = match (doubt.after, branch.filter(|_| !is_in_project)) {
            (Some(name), Some(_)) => texts::kept(engine.place, name),
            (_, None) => read(root, path),
            (None, Some(branch)) => engine.committed_text(&format!("refs/heads/{branch}"), path),
        };
        Self {
            key: doubt.key.clone(),
            now: doubt.now,
            name: shown(&doubt.key),
            path: path.to_owned(),
            before: doubt
                .text
                .and_then(|name| texts::kept(engine.place, name))
                .or_else(|| in_history(engine, path, doubt.was?)),
            was_there: doubt.was.is_some(),
            after,
            said: doubt.said.clone(),
            is_record: doubt.role == Role::Memory,
        }
    }

    /// Builds the entry of a document whose earlier text is in force.
    fn of_law(engine: &Engine<'_>, path: &str, earlier: Option<LawText>) -> Self {
        let (key, root) = (InputKey::file(path), &engine.place.root);
        Self {
            now: tree::content(root, path),
            name: shown(&key),
            key,
            path: path.to_owned(),
            before: earlier.and_then(|text| texts::kept(engine.place, text.text)),
            was_there: earlier.is_some(),
            after: files::text(root, path),
            said: None,
            is_record: false,
        }
    }
}

impl Engine<'_> {
    /// Returns the doubts about a run's files, for a person's approval.
    pub fn in_doubt(&self, run: &RunId) -> Result<Vec<ShownDoubt>, EngineError> {
        let now = Now::new(self);
        let (doubts, branch) = self.look(|view| {
            Ok((crate::integrity::doubts_of(self, view, run, &now)?, work_branch(view, run)?))
        })?;
        let shown = |doubt: &OpenDoubt| ShownDoubt::of(self, doubt, branch.as_deref());
        Ok(doubts.iter().map(shown).collect())
    }

    /// Returns the doubts about one of these files. An agent in its own worktree is checked against
    /// the branch that its work is merged into.
    pub fn in_doubt_at(&self, path: &str) -> Result<Vec<ShownDoubt>, EngineError> {
        let (doc, earlier) = self.look(|view| {
            let earlier = InForce::read(view)?.earlier(view, path, Base::Here);
            Ok((DoubtsDoc::read(self, view, None)?, earlier))
        })?;
        let is_it = |doubt: &&OpenDoubt| doubt.key.path() == path;
        let mut own: Vec<_> = doc.doubts.iter().filter(is_it).collect();
        if own.is_empty() {
            own.extend(doc.elsewhere.iter().flat_map(Doubts::iter).filter(is_it));
        }
        let own = own.into_iter();
        let mut shown: Vec<ShownDoubt> =
            own.map(|doubt| ShownDoubt::of(self, doubt, None)).collect();
        // The agent that changed it has not been judged yet.
        if let (true, Some(earlier)) = (shown.is_empty(), earlier) {
            shown.push(ShownDoubt::of_law(self, path, earlier));
        }
        Ok(shown)
    }

    /// Records a person's approval of exactly these changes and returns those that were approved. A
    /// text that changed since stays in doubt.
    pub fn agree(
        &self,
        run: &RunId,
        seen: &[ShownDoubt],
        by: &str,
    ) -> Result<Vec<String>, EngineError> {
        let now = Now::new(self);
        self.transact(by, &now, |tx| {
            let branch = work_branch(tx.view, run)?;
            let mut doc = DoubtsDoc::read(self, tx.view, branch.as_deref())?;
            if branch.is_none() {
                let mut turns = Turns::read(tx.view)?;
                turns.judge_others("", &now, &mut doc)?;
                turns.save(tx)?;
            }
            let seen = || seen.iter().map(|one| (&one.key, one.now));
            let mut agreed = settle(&mut doc, seen());
            doc.save(tx);
            for mut apart in
                DoubtsDoc::apart(tx.view, &RunFile::open(self.kinds, tx.view, run, None)?)?
            {
                agreed.extend(settle(&mut apart, seen()));
                apart.save(tx);
            }
            agreed.dedup();
            if !agreed.is_empty() {
                tx.note(Some(run), DoubtsAgreed { inputs: agreed.clone() });
            }
            Ok(agreed)
        })
    }

    /// Approves all changes that a session left in doubt, and returns them.
    pub fn agree_in_session(&self, id: &SessionId, by: &str) -> Result<Vec<String>, EngineError> {
        let now = Now::new(self);
        self.transact(by, &now, |tx| agree_to(tx, id, |_| true))
    }
}

/// Approves the changes that a session left in doubt and that `is_meant` selects.
pub(crate) fn agree_to(
    tx: &mut Tx<'_>,
    id: &SessionId,
    is_meant: impl Fn(&OpenDoubt) -> bool,
) -> Result<Vec<String>, EngineError> {
    let runs = runs_of(tx.view, id)?;
    let mut doc = DoubtsDoc::read(tx.engine(), tx.view, None)?;
    let open: Vec<OpenDoubt> = doc.doubts.iter().cloned().collect();
    let is_own = |doubt: &&OpenDoubt| doubt.run.as_ref().is_none_or(|run| runs.contains(run));
    let meant = open.iter().filter(is_own).filter(|doubt| is_meant(doubt));
    let agreed = settle(&mut doc, meant.map(|doubt| (&doubt.key, doubt.now)));
    doc.save(tx);
    if !agreed.is_empty() {
        tx.note(None, DoubtsAgreed { inputs: agreed.clone() });
    }
    Ok(agreed)
}

/// How many commits are searched for an earlier text.
const COMMITS: &str = "50";

/// Returns an earlier text of a file from git's history. Large texts are not kept by sprag.
fn in_history(engine: &Engine<'_>, path: &str, was: Hash) -> Option<Vec<u8>> {
    let newest = engine.checked_out_here()?;
    let git = engine.git_of_files();
    let literal = format!(":(literal){path}");
    let commits = git.ask(&["log", "-n", COMMITS, "--format=%H", &newest, "--", &literal])?;
    let commits = String::from_utf8_lossy(&commits).into_owned();
    let mut texts = commits.lines().filter_map(|commit| git.committed(commit, path));
    texts.find(|text| tree::is_content(text, was))
}

/// Records that a person wrote a document that work is judged by. During an open turn, the change
/// could otherwise be attributed to the agent.
pub(crate) fn person_writes(
    engine: &Engine<'_>,
    view: &View<'_>,
    (doc, text): (&DocPath, &str),
    draft: &mut Draft,
) -> Result<(), EngineError> {
    if Turns::read(view)?.with_law().next().is_none() {
        return Ok(());
    }
    let mut doubts = DoubtsDoc::read(engine, view, None)?;
    let [plain, _] = tree::contents_of(Hash::of(text));
    doubts.doubts.agree(AgreedText { key: InputKey::file(doc.as_str()), text: Some(plain) });
    doubts.save(draft);
    Ok(())
}

/// Approves these texts, if they are still the ones in doubt.
fn settle<'d>(
    doc: &mut DoubtsDoc,
    seen: impl Iterator<Item = (&'d InputKey, Option<Hash>)>,
) -> Vec<String> {
    let mut agreed = Vec::new();
    for (key, text) in seen {
        if doc.doubts.get(key).is_some_and(|doubt| doubt.now == text) {
            doc.doubts.agree(AgreedText { key: key.clone(), text });
            agreed.push(shown(key));
        }
    }
    agreed
}

/// Returns the runs that judge a session.
fn runs_of(view: &View<'_>, id: &SessionId) -> Result<Vec<RunId>, EngineError> {
    match session::read(view, id)? {
        LoadedSession::Seen(file) => {
            let guards = file.guard.iter().chain(&file.until).chain(file.other_guards());
            Ok(file.runs.iter().chain(guards).cloned().collect())
        }
        LoadedSession::New => {
            Err(EngineError::NotFound { what: format!("no session `{id}` here") })
        }
        LoadedSession::Unreadable { path, why } => {
            Err(EngineError::Unreadable { path: path.to_string(), why })
        }
    }
}
