//! `.sprag/doubts.json`: the changes that agents made to their own judgement and that no person
//! approved.
//!
//! The project's files have this document. Each linked worktree has its own, and so has each branch
//! that collects the work of runs, because its doubts are not about these files. The first unit in
//! such files inherits the doubts about the texts that it begins with.

use std::collections::BTreeSet;

use sprag_core::basis::{AgreedText, Consent, Doubts, InputKey, OpenDoubt, Role, TextNow};
use sprag_core::event::InputsChanged;
use sprag_core::{DocPath, Doubt, Hash, Hold, Name, RunId, UnitId};
use sprag_store::{Doc, Edit, Listing, View};

use super::{Baseline, LookAnswers, Turns, WantedLook, Weighed, definitions, texts, unit_key};
use crate::agents_file::{has_merged_work, work_branch};
use crate::draft::Draft;
use crate::engine::{Engine, EngineError};
use crate::now::Now;
use crate::run_file::RunFile;

/// The document of the main worktree.
const MAIN: &str = ".sprag/doubts.json";
/// The folder of the documents of other worktrees and of branches.
pub(crate) const FOLDER: &str = ".sprag/doubts";

/// One document of doubts.
#[derive(Debug)]
pub(crate) struct DoubtsDoc {
    path: DocPath,
    /// The document as it was read; `None` if there is none.
    read: Option<Doubts>,
    /// The doubts to write.
    pub(crate) doubts: Doubts,
    /// The doubts about the other files of the repository.
    pub(crate) elsewhere: Vec<Doubts>,
    /// The changed inputs of every weighed pass, for the journal.
    named: Vec<(RunId, InputsChanged)>,
    /// The results of second looks for this decision.
    pub(crate) looks: LookAnswers,
    /// The second looks that a pass needs before it can be weighed.
    wanted: Vec<WantedLook>,
}

impl DoubtsDoc {
    /// Loads the doubts about the judged files: those of this worktree, or of the branch that
    /// collects the work.
    pub(crate) fn read(
        engine: &Engine<'_>,
        view: &View<'_>,
        branch: Option<&str>,
    ) -> Result<Self, EngineError> {
        let path = match branch {
            Some(name) => format!("{FOLDER}/branch-{}.json", Hash::of(name).short(16)),
            None => path_in(engine.worktree()),
        };
        let path = DocPath::parse(&path)?;
        let read = read(view, &path)?;
        let elsewhere = others(view, &path)?;
        let mut doubts = read.clone().unwrap_or_default();
        doubts.forget_found(|name| texts::kept(engine.place, name).is_some());
        let (looks, wanted) = (LookAnswers::default(), Vec::new());
        Ok(Self { path, doubts, read, elsewhere, named: Vec::new(), looks, wanted })
    }

    /// Adds the results of second looks for this decision.
    #[must_use]
    pub(crate) fn seeing(self, looks: &LookAnswers) -> Self {
        Self { looks: looks.clone(), ..self }
    }

    /// Requests a second look that a pass needs.
    pub(crate) fn want(&mut self, look: WantedLook) {
        self.wanted.push(look);
    }

    /// Returns the looks to take before the decision is repeated.
    pub(crate) fn take_wanted(&mut self) -> Vec<WantedLook> {
        std::mem::take(&mut self.wanted)
    }

    /// Adopts the result of weighing a unit's pass.
    pub(crate) fn take(&mut self, run: &RunId, unit: &UnitId, weighed: &Weighed) {
        self.doubts.clone_from(&weighed.doubts);
        if !weighed.named.is_empty() {
            let (unit, changed) = (unit.to_string(), weighed.named.clone());
            self.named.push((run.clone(), InputsChanged { unit, changed }));
        }
    }

    /// Writes the doubts if they changed, and records the changed inputs of passes.
    pub(crate) fn save(&self, draft: &mut Draft) {
        self.note_changes(draft);
        if self.doubts != self.read.clone().unwrap_or_default() {
            draft.edit(Edit::Write { doc: self.path.clone(), text: self.doubts.write() });
        }
    }

    fn note_changes(&self, draft: &mut Draft) {
        for (run, changed) in &self.named {
            draft.note(Some(run), changed.clone());
        }
    }

    /// Writes the new doubts about unmerged work that waits for a person. They are stored apart:
    /// the branch lacks these texts, so its other units would settle the doubts.
    pub(crate) fn save_apart(
        &self,
        engine: &Engine<'_>,
        unit: &str,
        draft: &mut Draft,
    ) -> Result<(), EngineError> {
        self.note_changes(draft);
        let known = |doubt: &OpenDoubt| self.read.as_ref().and_then(|read| read.get(&doubt.key));
        let mut apart = Doubts::default();
        for doubt in self.doubts.iter().filter(|doubt| known(doubt) != Some(*doubt)) {
            let text = super::files::text(&engine.files.root, doubt.key.path());
            let after = text.and_then(|text| texts::keep(engine.place, &text));
            apart.adopt(OpenDoubt { after, ..doubt.clone() });
        }
        draft.edit(Edit::Write { doc: apart_path(unit)?, text: apart.write() });
        Ok(())
    }

    /// Drops the doubts about a unit's unmerged work; approvals stay.
    pub(crate) fn drop_apart(
        view: &View<'_>,
        unit: &str,
        draft: &mut Draft,
    ) -> Result<(), EngineError> {
        let doc = apart_path(unit)?;
        if let Some(apart) = read(view, &doc)?.filter(|apart| !apart.is_empty()) {
            let text = apart.settled(|doubt| TextNow::Is(doubt.was), &[]).write();
            draft.edit(Edit::Write { doc, text });
        }
        Ok(())
    }

    /// Loads the doubts about a run's unmerged work that waits for a person.
    pub(crate) fn apart(view: &View<'_>, run: &RunFile) -> Result<Vec<Self>, EngineError> {
        let units = run.live.attempts().iter().map(sprag_core::Attempt::unit);
        let docs = units.map(|unit| apart_path(&unit_key(run.id(), unit.as_str())));
        let mut found = Vec::new();
        for path in docs {
            let path = path?;
            if let Some(doubts) = read(view, &path)? {
                found.push(Self {
                    path,
                    read: Some(doubts.clone()),
                    doubts,
                    elsewhere: Vec::new(),
                    named: Vec::new(),
                    looks: LookAnswers::default(),
                    wanted: Vec::new(),
                });
            }
        }
        Ok(found)
    }

    /// Inherits the doubts about the texts that a new worktree or branch begins with. Texts that a
    /// person commits there later are the person's.
    pub(crate) fn adopt(&mut self, baseline: &Baseline, engine: &Engine<'_>) {
        if self.read.is_some() || self.path.as_str() == MAIN {
            return;
        }
        let open: Vec<OpenDoubt> = self.elsewhere.iter().flat_map(Doubts::iter).cloned().collect();
        for doubt in open {
            if baseline.hash_of(engine, &doubt.key) == doubt.now {
                self.doubts.adopt(doubt);
            }
        }
        // From now on the document exists, even without doubts.
        self.doubts.stand_at(engine.checked_out_here());
    }

    /// Drops settled doubts while no agent is working: the text is back, a person committed it, or
    /// approved the same text elsewhere.
    pub(crate) fn settle(&mut self, now: &Now<'_>) {
        if self.doubts.tracked().next().is_none() {
            return;
        }
        let head = now.engine.checked_out_here();
        if head.is_some() && head.as_deref() != self.doubts.head() {
            self.agree_to(|doubt| is_committed(now, doubt, head.as_deref()));
            self.doubts.stand_at(head);
        }
        self.agree_as_elsewhere();
        self.doubts = self.doubts.settled(|doubt| definitions::text_now(now, doubt), &[]);
    }

    /// Adopts a person's approvals of the same texts in other files of the repository.
    fn agree_as_elsewhere(&mut self) {
        let agreed = self.agreed_elsewhere();
        self.agree_to(|doubt| agreed.contains(&Consent::OfText(doubt.key.clone(), doubt.now)));
    }

    /// Records a person's approval of these doubts' texts.
    fn agree_to(&mut self, is_agreed: impl Fn(&OpenDoubt) -> bool) {
        let agreed = self.doubts.tracked().filter(|doubt| is_agreed(doubt));
        let agreed = agreed.map(|doubt| AgreedText { key: doubt.key.clone(), text: doubt.now });
        for one in agreed.collect::<Vec<_>>() {
            self.doubts.agree(one);
        }
    }

    /// Returns the approvals given in other files of the repository.
    pub(crate) fn agreed_elsewhere(&self) -> Vec<Consent> {
        self.elsewhere.iter().flat_map(Doubts::consents).collect()
    }
}

/// Returns the path of a worktree's document; the main worktree has an empty name.
fn path_in(worktree: &str) -> String {
    match worktree {
        "" => MAIN.to_owned(),
        name => format!("{FOLDER}/worktree-{}.json", Hash::of(name).short(16)),
    }
}

/// Returns the path of the document about a unit's unmerged work.
fn apart_path(unit: &str) -> Result<DocPath, EngineError> {
    Ok(DocPath::parse(&format!("{FOLDER}/unit-{}.json", Hash::of(unit).short(16)))?)
}

/// Loads the stored doubts about the files of a worktree.
pub(crate) fn in_worktree(view: &View<'_>, worktree: &str) -> Result<Doubts, EngineError> {
    Ok(read(view, &DocPath::parse(&path_in(worktree))?)?.unwrap_or_default())
}

pub(crate) fn all(view: &View<'_>) -> Result<Vec<Doubts>, EngineError> {
    others(view, &DocPath::parse(FOLDER)?)
}

fn read(view: &View<'_>, path: &DocPath) -> Result<Option<Doubts>, EngineError> {
    let unreadable = |why: String| EngineError::Unreadable { path: path.to_string(), why };
    match view.read_remembered(path).map_err(|error| unreadable(error.to_string()))? {
        Doc::Absent => Ok(None),
        Doc::Text(text) => Doubts::read(&text).map(Some).map_err(|bad| unreadable(bad.to_string())),
        Doc::Unknown(why) => Err(unreadable(why.to_string())),
    }
}

/// Returns the paths of the documents in one of sprag's folders, and of those that are missing there
/// although the journal knows them.
pub(crate) fn names_in(view: &View<'_>, folder: &str) -> Result<BTreeSet<String>, EngineError> {
    let path = DocPath::parse(folder)?;
    let mut names: BTreeSet<String> = view.left_in(&path)?.into_iter().collect();
    match view.list(&path) {
        Listing::Absent => {}
        Listing::Names(found) => names.extend(found),
        Listing::Unknown(why) => {
            return Err(EngineError::Unreadable { path: folder.to_owned(), why: why.to_string() });
        }
    }
    Ok(names.into_iter().map(|name| format!("{folder}/{name}")).collect())
}

/// Returns the doubts of all documents but one.
fn others(view: &View<'_>, own: &DocPath) -> Result<Vec<Doubts>, EngineError> {
    let mut docs = names_in(view, FOLDER)?;
    docs.insert(MAIN.to_owned());
    let mut all = Vec::new();
    for doc in docs.iter().filter(|doc| doc.as_str() != own.as_str()) {
        all.extend(read(view, &DocPath::parse(doc)?)?);
    }
    Ok(all)
}

/// Returns whether the text in doubt equals that of the checked-out commit.
fn is_committed(now: &Now<'_>, doubt: &OpenDoubt, head: Option<&str>) -> bool {
    if doubt.role == Role::Memory {
        // What sprag keeps is in no commit.
        return false;
    }
    let engine = now.engine;
    let is_there = |path: &String| {
        let here = super::files::text(&engine.files.root, path);
        here == head.and_then(|head| engine.committed_text(head, path))
    };
    definitions::files_of(now, doubt).iter().all(is_there)
        && match definitions::text_now(now, doubt) {
            TextNow::Is(text) => text == doubt.now,
            // The commit contains the whole file and with it the part.
            TextNow::Unknown => true,
        }
}

/// Returns the open doubts about a run's files: includes those about gone agents that were not
/// judged, and leaves out settled ones. Writes no document.
fn doubts_in(
    engine: &Engine<'_>,
    view: &View<'_>,
    run: &RunId,
    branch: Option<&str>,
    now: &Now<'_>,
) -> Result<Doubts, EngineError> {
    let mut doc = DoubtsDoc::read(engine, view, branch)?;
    let mut turns = Turns::read(view)?;
    // If the files cannot be listed, only the stored doubts are known.
    if branch.is_none() && turns.judge_others("", now, &mut doc).is_err() {
        return Ok(doc.doubts);
    }
    // An agent whose turn is not judged may have made the current text.
    if doc.doubts.is_empty() || !turns.are_judged(engine.worktree()) {
        return Ok(doc.doubts);
    }
    if branch.is_none() {
        doc.settle(now);
        return Ok(doc.doubts);
    }
    // A person's merge counts as approval. If an agent merged, the doubts apply here as well.
    let own = DoubtsDoc::read(engine, view, None)?.doubts;
    let is_here = |doubt: &OpenDoubt| own.get(&doubt.key).is_some_and(|own| own.now == doubt.now);
    let is_merged = has_merged_work(engine, view, run)?;
    let head = engine.checked_out_here();
    let is_brought = |doubt: &OpenDoubt| is_merged || is_committed(now, doubt, head.as_deref());
    doc.agree_to(|doubt| !is_here(doubt) && is_brought(doubt));
    doc.agree_as_elsewhere();
    Ok(doc.doubts.settled(|doubt| text_in(engine, branch, doubt), &[]))
}

/// Returns the doubts about a run's files and about its unmerged work.
pub(crate) fn doubts_of(
    engine: &Engine<'_>,
    view: &View<'_>,
    run: &RunId,
    now: &Now<'_>,
) -> Result<Doubts, EngineError> {
    let branch = work_branch(view, run)?;
    let mut doubts = doubts_in(engine, view, run, branch.as_deref(), now)?;
    if branch.is_some() {
        let apart = DoubtsDoc::apart(view, &RunFile::open(engine.kinds, view, run, None)?)?;
        for doubt in apart.iter().flat_map(|doc| doc.doubts.iter()) {
            doubts.adopt(doubt.clone());
        }
    }
    Ok(doubts)
}

/// Returns the text of an input in a branch, if the file alone determines it.
fn text_in(engine: &Engine<'_>, branch: Option<&str>, doubt: &OpenDoubt) -> TextNow {
    let known = branch.filter(|_| doubt.role == Role::Test && doubt.key.part_name().is_none());
    let Some(branch) = known else { return TextNow::Unknown };
    let text = engine.committed_text(&format!("refs/heads/{branch}"), doubt.key.path());
    let is = |hash: Option<Hash>| match (&text, hash) {
        (None, None) => true,
        (Some(text), Some(hash)) => sprag_world::tree::is_content(text, hash),
        (Some(_), None) | (None, Some(_)) => false,
    };
    match [doubt.was, doubt.now].into_iter().find(|hash| is(*hash)) {
        Some(hash) => TextNow::Is(hash),
        None => TextNow::Unknown,
    }
}

/// Returns the runs with doubts that may still be open.
pub(crate) fn runs_in_doubt(view: &View<'_>) -> Result<BTreeSet<RunId>, EngineError> {
    let all = all(view)?;
    Ok(all.iter().flat_map(Doubts::iter).filter_map(|doubt| doubt.run.clone()).collect())
}

/// Returns the hold of a run that left something in doubt; `None` while its agent works.
pub(crate) fn waits_for_yes(
    engine: &Engine<'_>,
    view: &View<'_>,
    run: &RunFile,
    now: &Now<'_>,
) -> Result<Option<Hold>, EngineError> {
    let is_over = run.header.ended.is_some();
    if !is_over && !Turns::read(view)?.are_judged(engine.worktree()) {
        return Ok(None);
    }
    let doubts = doubts_of(engine, view, run.id(), now)?;
    let own: Vec<&OpenDoubt> =
        doubts.iter().filter(|doubt| doubt.run.as_ref() == Some(run.id())).collect();
    let Some(first) = own.first() else { return Ok(None) };
    let gate = first.gate.as_deref().and_then(|gate| Name::parse(gate).ok());
    let inputs = own.iter().map(|doubt| doubt.key.to_string()).collect();
    let gate = gate.unwrap_or(Name::literal("gate"));
    Ok(Some(Hold::Doubtful { gate, why: Doubt::Inputs { inputs } }))
}

pub(crate) fn shown(key: &InputKey) -> String {
    key.in_words()
}
