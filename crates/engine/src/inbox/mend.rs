//! Sets unreadable documents of the inbox aside and replaces them with known contents.
//!
//! The old text is kept whole under `.sprag/agents/aside/`. An assignment is restored as we last
//! knew it, unless another agent has its unit now. A unit is restored as far as its assignment
//! describes it, an agent as one that waits for work, and an abort without its details. Other
//! documents are removed.

use sprag_core::event::DocumentSetAside;
use sprag_core::inbox::{AgentRecord, Slot};
use sprag_core::{Agent, DocPath};
use sprag_formats::chipset::{AgentFile, Dialect, Hook, Laid, WorkFile, lay};
use sprag_store::{Doc, Edit, View};
use sprag_world::clock;

use super::assignment_files::{not_elsewhere, read_ours, read_work, unreadable, wrong};
use super::board::Board;
use super::{nudge, paths};
use crate::draft::Draft;
use crate::engine::{Engine, EngineError, PATIENT};

/// The folder for documents that were set aside.
pub const ASIDE: &str = ".sprag/agents/aside";

/// The replacement of an unreadable document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mend {
    pub path: DocPath,
    /// The current text; `None` if the document is missing.
    pub before: Option<String>,
    /// The new text; `None` if the document is removed.
    pub after: Option<String>,
}

impl Engine<'_> {
    /// Returns the possible replacements. A document that is not text is left to a person.
    pub fn mends(&self) -> Result<Vec<Mend>, EngineError> {
        self.look(|view| {
            let mut mends = Vec::new();
            for (path, _) in Board::read(self.kinds, &self.store, view).unknown {
                let Ok(path) = DocPath::parse(&path) else { continue };
                let before = match view.read(&path) {
                    Doc::Text(text) => Some(text),
                    Doc::Absent => None,
                    Doc::Unknown(_) => continue,
                };
                // Our own documents have no source to restore them from, so a person has to look at
                // them.
                if path.as_str().starts_with(paths::STATE) {
                    // Without our own record the contents are unknown.
                    let Ok(after) = known(view, &path, before.as_deref()) else { continue };
                    mends.extend((before != after).then_some(Mend { path, before, after }));
                }
            }
            Ok(mends)
        })
    }

    /// Replaces one document, if it has not changed since it was shown.
    pub fn set_aside(&self, mend: &Mend, by: &str) -> Result<(), EngineError> {
        self.commit_at_once(by, PATIENT, |view| {
            let mut draft = Draft::default();
            if view.read(&mend.path).text() != mend.before.as_deref() {
                return Err(unreadable(&mend.path, "it changed since it was shown"));
            }
            let at = clock::now().to_string().replace(':', "-");
            // Includes the folder, because every agent has a `latest.json`.
            let below = mend.path.names().skip(2).collect::<Vec<_>>().join("-");
            let name = format!("{at}-{below}");
            let kept = DocPath::parse(&format!("{ASIDE}/{name}"))?;
            if let Some(text) = &mend.before {
                draft.edit(Edit::Write { doc: kept.clone(), text: text.clone() });
            }
            let doc = mend.path.clone();
            draft.edit(match &mend.after {
                Some(text) => Edit::Write { doc, text: text.clone() },
                None => Edit::Remove { doc },
            });
            let (doc, kept) = (mend.path.to_string(), kept.to_string());
            draft.note(None, DocumentSetAside { doc, kept });
            Ok((draft, ()))
        })
    }
}

/// Returns whether an unreadable nudge may be an abort; those are never lost.
fn seems_abort(names: &[&str], before: Option<&str>) -> bool {
    let waits = names.contains(&"queue") || names.contains(&"latest.json");
    waits && before.is_some_and(|text| text.contains("\"abort"))
}

/// Builds the replacement of an unreadable abort. Its sender and reason are in the text set aside.
fn abort(path: &DocPath, names: &[&str]) -> Result<Option<String>, EngineError> {
    let why = "an abort that could not be read; a person set it aside";
    let mut nudge = nudge::abort("person", why, clock::now());
    // In `latest.json`, a nudge gets its id when it is read.
    nudge.id.take_if(|_| !names.contains(&"queue"));
    made(path, &nudge.made())
}

/// Returns the known contents of an unreadable document whose text is `before`.
fn known(
    view: &View<'_>,
    path: &DocPath,
    before: Option<&str>,
) -> Result<Option<String>, EngineError> {
    let names: Vec<&str> = path.names().collect();
    let (Some(kind), Some(stem)) = (names.get(2), path.file_name().strip_suffix(".json")) else {
        return Ok(None);
    };
    let Ok(agent) = Agent::parse(stem) else { return Ok(None) };
    if let Some(text) = as_left(view, path, &agent) {
        return Ok(Some(text));
    }
    if *kind == "nudge" {
        return if seems_abort(&names, before) { abort(path, &names) } else { Ok(None) };
    }
    if *kind == "agents" {
        return made(path, &AgentFile::new(agent.as_str(), AgentFile::RIG).made());
    }
    if *kind != "hooks" {
        return Ok(None);
    }
    let (_, holder) = read_ours::<AgentRecord>(view, &paths::holder(&agent)?)?;
    let edits = match &holder.known {
        None => return Ok(None),
        Some(slot) => stood(view, &agent, slot),
    };
    made(path, &edits)
}

/// Returns our last text of an assignment or a unit that another tool damaged or removed. `None` if
/// our own record has changed since.
fn as_left(view: &View<'_>, path: &DocPath, agent: &Agent) -> Option<String> {
    let text = view.left(path).ok().flatten().filter(|_| view.is_foreign(path))?;
    match path.names().nth(2) {
        Some("work") => WorkFile::read(&text).ok().map(|_| text),
        Some("hooks") => {
            let (_, holder) = read_ours::<AgentRecord>(view, &paths::holder(agent).ok()?).ok()?;
            let slot = Hook::read(&text).ok()?.slot;
            let unit = slot.unit().map(|unit| read_work(view, unit, Some("")));
            let work = unit.and_then(Result::ok).and_then(|(_, work)| work);
            let is_free = work.is_none_or(|work| not_elsewhere(agent, &work.unit, &work).is_ok());
            (holder.known == Some(slot) && is_free).then_some(text)
        }
        Some(_) | None => None,
    }
}

/// Returns the edits that restore an assignment as we last knew it. A unit whose document names
/// another agent is not restored, because that would be inconsistent again.
fn stood(view: &View<'_>, agent: &Agent, slot: &Slot) -> Vec<sprag_formats::Edit> {
    let (now, whole) = (clock::now(), sprag_formats::Value::Null);
    let cleared = || Hook::clear(Dialect::Skill, agent.as_str(), now);
    let Some(unit) = slot.unit() else { return cleared() };
    // An unreadable unit has no say here and gets its own replacement.
    let work = read_work(view, unit, Some("")).ok().and_then(|(_, work)| work);
    let work = work.unwrap_or_else(|| WorkFile::new(unit.clone(), ""));
    if not_elsewhere(agent, unit, &work).is_err() {
        return cleared();
    }
    let mut edits = Hook::assign(Dialect::Skill, agent.as_str(), unit, &work.title, &whole, now);
    edits.extend(Hook::go(Dialect::Skill, slot.status(), now));
    edits
}

fn made(path: &DocPath, edits: &[sprag_formats::Edit]) -> Result<Option<String>, EngineError> {
    match lay(None, edits).map_err(|fault| wrong(path, &fault))? {
        Laid::New(text) => Ok(Some(text)),
        Laid::Changed(_) => Ok(None),
    }
}
