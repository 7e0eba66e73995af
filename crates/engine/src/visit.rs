//! What happens in a session besides its stops: it begins, a person speaks, a tool is used, it ends.

use std::path::PathBuf;

use sprag_core::event::SessionEnded;
use sprag_core::{Call, DocPath, Facts, RunId, SessionId, Signal};
use sprag_store::{StoreError, View};

use crate::engine::{BEFORE_TOOL, Engine, EngineError, PATIENT};
use crate::inbox;
use crate::inbox::gupp::{AtWork, When};
use crate::live::Live;
use crate::old_sessions::close_guard;
use crate::pr::METADATA;
use crate::run_file::{RunFile, Source};
use crate::session::{self, Known, SessionFile};
use crate::sitting::{Now, Sitting};
use crate::tx::Draft;
use crate::whose::{Told, Unclaimed, claim};

/// A tool about to be used.
#[derive(Clone, Copy, Debug)]
pub struct Using<'a> {
    /// The call, as a phase's policy sees it.
    pub call: &'a Call,
    /// Whether it can change files.
    pub changes: bool,
    /// The files it names to write, whole paths.
    pub writes: &'a [PathBuf],
    /// Whether a subagent uses it: those are not judged by the phase's policy.
    pub subagent: bool,
}

/// How a session begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// Anew, or once more after it was away.
    Plain,
    /// In the place of the one before it in the same process of the host: cleared, or forked.
    Follows,
}

/// What a session is told at its beginning or with a prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hears {
    /// What the agent is told.
    pub context: Option<String>,
    /// What the person should know.
    pub say: Vec<String>,
}

impl Hears {
    /// Adds what the agent is told of its work, before everything else.
    fn with(mut self, work: Option<&AtWork>) -> Self {
        if let Some(job) = work.and_then(|work| work.context.clone()) {
            self.context = Some(match self.context {
                Some(context) => format!("{job}\n\n{context}"),
                None => job,
            });
        }
        self
    }
}

/// How much an agent is told unasked.
const CONTEXT: usize = 1500;

/// How an agent without pi's tool moves a workflow.
pub const STEP: &str = "Here `workflow_step` is a command of the shell: `sprag step next`, \
                               `sprag step loop`, `sprag step status`.";

impl Engine<'_> {
    /// Takes note of a session that begins, and returns what it should know.
    pub fn session_begins(
        &self,
        id: &SessionId,
        beginning: Beginning,
        process: Option<&str>,
        told: Told<'_>,
    ) -> Result<Hears, EngineError> {
        let now = Now::new(self);
        self.commit(id.as_str(), PATIENT, |view| {
            let mut draft = Draft::default();
            let mut sitting = Sitting::load(view, id, &now)?;
            sitting.file.process = process.map(str::to_owned);
            sitting.file.ended = None;
            if beginning == Beginning::Follows && sitting.is_new() {
                sitting = self.inherit(view, sitting, &now, &mut draft)?;
            }
            take_back(view, &mut sitting, &now, &mut draft)?;
            if !sitting.law.config.off {
                self.take_up(view, &mut sitting, told, &now, &mut draft)?;
            }
            for run in &mut sitting.runs {
                // The session is back, and so is its guard.
                if matches!(run.live, Live::Guard(_)) && !run.live.is_cancelled() {
                    run.header.ended = None;
                }
            }
            let asked = (When::Begins, &mut draft);
            let work = self.at_work(view, &mut sitting, told, &now, asked)?;
            let hears = told_at_start(&mut sitting).with(work.as_ref());
            if let Some(mut work) = work {
                work.seat.save(&mut draft)?;
            }
            sitting.save(&mut draft)?;
            self.forget_sessions(view, now.at, &mut draft)?;
            Ok((draft, hears))
        })
    }

    /// Takes note of a prompt, and returns what the agent should know with it. `person` is what was
    /// said, where it was not the host itself that spoke.
    pub fn prompted(
        &self,
        id: &SessionId,
        person: Option<&str>,
        told: Told<'_>,
    ) -> Result<Hears, EngineError> {
        let now = Now::new(self);
        self.commit(id.as_str(), PATIENT, |view| {
            let mut draft = Draft::default();
            let mut sitting = Sitting::load(view, id, &now)?;
            if sitting.law.config.off {
                return Ok((draft, Hears::default()));
            }
            self.take_up(view, &mut sitting, told, &now, &mut draft)?;
            let asked = (When::Speaks, &mut draft);
            let mut work = self.at_work(view, &mut sitting, told, &now, asked)?;
            if person.is_some_and(|words| !sitting.file.was_refused_with(words)) {
                // Who was asked anew has not yet been told twice in vain.
                sitting.file.idle = 0;
                let_try_again(view, &mut sitting, &now, &mut draft)?;
                if let Some(work) = &mut work {
                    work.try_again(view, &now, &mut draft)?;
                }
            }
            let say = std::mem::take(&mut sitting.trouble);
            let hears = Hears { context: context(&sitting), say }.with(work.as_ref());
            if let Some(mut work) = work {
                work.seat.save(&mut draft)?;
            }
            sitting.save(&mut draft)?;
            Ok((draft, hears))
        })
    }

    /// Returns whether a prompt only says what a stop of this session was refused with.
    pub fn is_refusal(&self, id: &SessionId, words: &str) -> Result<bool, EngineError> {
        self.look(|view| match session::read(view, id)? {
            Known::Seen(file) => Ok(file.was_refused_with(words)),
            Known::New | Known::Unreadable { .. } => Ok(false),
        })
    }

    /// Returns why a tool may not be used, or nothing when it may.
    pub fn before_tool(
        &self,
        id: &SessionId,
        using: &Using<'_>,
    ) -> Result<Option<String>, EngineError> {
        let now = Now::new(self);
        let decide = |view: &View<'_>| {
            let mut draft = Draft::default();
            let mut sitting = Sitting::load(view, id, &now)?;
            if sitting.law.config.off {
                return Ok((draft, (None, Vec::new())));
            }
            self.take_up(view, &mut sitting, Told::default(), &now, &mut draft)?;
            let free = sitting.file.is_paused(now.at);
            let by_phase = |run: &RunFile| run.live.denies(using.call, now.at);
            let blocked = sitting.runs.iter().find_map(by_phase).filter(|_| !using.subagent);
            let blocked = self.defines(&sitting, using).or(blocked);
            let blocked = blocked.filter(|_| !free);
            if using.changes && blocked.is_none() {
                sitting.file.worked = true;
            }
            sitting.save(&mut draft)?;
            Ok((draft, (blocked, sitting.trouble)))
        };
        let (blocked, trouble) = match self.commit(id.as_str(), BEFORE_TOOL, decide) {
            // What could not be noted is noted with the next call; the answer stands.
            Err(EngineError::Store(StoreError::Busy { .. })) => {
                self.look(|view| decide(view).map(|(_, decided)| decided))
            }
            decided => decided,
        }?;
        self.trace_trouble(id, "before a tool", blocked.is_some(), &trouble);
        Ok(blocked)
    }

    /// Returns why a file may not be written: a run of this session may be defined by it.
    fn defines(&self, sitting: &Sitting, using: &Using<'_>) -> Option<String> {
        let find = |wanted: fn(&Source) -> bool| {
            sitting.runs.iter().find(move |run| wanted(&run.header.source))
        };
        let metadata = self.place.root.join(METADATA);
        if let Some(run) = find(|source| *source == Source::Pr)
            && using.writes.contains(&metadata)
        {
            let id = run.id();
            return Some(format!(
                "`{METADATA}` says where {id} stands; `sprag pr meta` sets fields"
            ));
        }
        let run = find(|source| matches!(source, Source::Workflow(_)))?;
        let folders = self.search().folders();
        let is_there = |path: &&PathBuf| folders.iter().any(|folder| path.starts_with(folder));
        let found = using.writes.iter().find(is_there)?.display();
        Some(format!("`{found}` may define {}, so it is not for agents to change", run.id()))
    }

    /// Takes note of a tool that was used, and returns what the agent should know at once.
    pub fn after_tool(&self, id: &SessionId, told: Told<'_>) -> Result<Hears, EngineError> {
        self.seen(id)?;
        if !inbox::board::is_there(self.place) {
            return Ok(Hears::default());
        }
        let now = Now::new(self);
        self.commit(id.as_str(), BEFORE_TOOL, |view| {
            let mut draft = Draft::default();
            let mut sitting = Sitting::load(view, id, &now)?;
            let asked = (When::Works, &mut draft);
            let work = self.at_work(view, &mut sitting, told, &now, asked)?;
            let hears = Hears::default().with(work.as_ref());
            if let Some(mut work) = work {
                work.seat.save(&mut draft)?;
            }
            Ok((draft, hears))
        })
    }

    /// Marks a session as there just now.
    pub fn seen(&self, id: &SessionId) -> Result<(), EngineError> {
        Ok(self.store.touch(&session::path(id)?)?)
    }

    /// Takes note of a session that ends; what it drove is nobody's, unless it goes on elsewhere.
    pub fn session_ends(&self, id: &SessionId, goes_on: bool) -> Result<(), EngineError> {
        let now = Now::new(self);
        self.commit(id.as_str(), PATIENT, |view| {
            let mut draft = Draft::default();
            let known = session::read(view, id)?;
            if goes_on || matches!(known, Known::New) {
                return Ok((draft, ()));
            }
            let mut sitting = Sitting::load(view, id, &now)?;
            sitting.file.ended = Some(now.at);
            let runs = std::mem::take(&mut sitting.file.runs);
            // A host gives its end little time, and who drives a run has nothing to do with files.
            let facts = Facts::new(now.at, view.seq(), sitting.file.tree);
            let mut unclaimed = Unclaimed::read(view)?;
            for run in sitting.runs.iter_mut().filter(|run| is_among(&runs, run)) {
                let released = run.live.step(&Signal::Released, &facts)?;
                draft.tell(&run.id().clone(), released);
            }
            if !runs.is_empty() {
                unclaimed.runs.extend(runs.iter().cloned());
                draft.edit(unclaimed.edit()?);
            }
            sitting.file.released = runs;
            for run in &mut sitting.runs {
                if matches!(run.live, Live::Guard(_)) {
                    close_guard(run, now.at, view);
                }
            }
            draft.note(None, SessionEnded { session: id.to_string() });
            sitting.save(&mut draft)?;
            Ok((draft, ()))
        })
    }

    /// Takes over what the session before had in the same process of the host.
    fn inherit(
        &self,
        view: &View<'_>,
        mut sitting: Sitting,
        now: &Now<'_>,
        draft: &mut Draft,
    ) -> Result<Sitting, EngineError> {
        let Some((id, mut before)) = self.predecessor(view, &sitting)? else { return Ok(sitting) };
        let guards = before.guard.iter().chain(&before.until);
        let runs: Vec<RunId> = before.runs.iter().chain(guards).cloned().collect();
        sitting.file.inherit(&mut before);
        before.ended = Some(now.at);
        draft.session(&id, &before)?;
        let mut sitting = sitting.reload(view, now)?;
        let facts = Facts::new(now.at, view.seq(), sitting.file.tree);
        for run in sitting.runs.iter_mut().filter(|run| is_among(&runs, run)) {
            if run.live.owner().is_some() {
                let released = run.live.step(&Signal::Released, &facts)?;
                draft.tell(&run.id().clone(), released);
            }
            claim(run, &sitting.id, &facts, draft);
        }
        Ok(sitting)
    }

    /// Returns the newest other session of the same process of the host.
    fn predecessor(
        &self,
        view: &View<'_>,
        sitting: &Sitting,
    ) -> Result<Option<(SessionId, SessionFile)>, EngineError> {
        let Some(process) = &sitting.file.process else { return Ok(None) };
        let mut newest: Option<(SessionId, SessionFile)> = None;
        for (name, _) in self.store.seen(&DocPath::parse(session::FOLDER)?)? {
            let Some(id) = session::of_file(&name).filter(|id| *id != sitting.id) else { continue };
            let Known::Seen(file) = session::read(view, &id)? else { continue };
            let is_newer = newest.as_ref().is_none_or(|(_, known)| file.began > known.began);
            if file.process.as_ref() == Some(process) && file.ended.is_none() && is_newer {
                newest = Some((id, *file));
            }
        }
        Ok(newest)
    }
}

/// Takes back what a session drove when it ended, where nobody drives it now.
fn take_back(
    view: &View<'_>,
    sitting: &mut Sitting,
    now: &Now<'_>,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let released = std::mem::take(&mut sitting.file.released);
    if released.is_empty() {
        return Ok(());
    }
    let facts = Facts::new(now.at, view.seq(), sitting.file.tree);
    let mut unclaimed = Unclaimed::read(view)?;
    for id in released {
        let Ok(mut run) = RunFile::open(view, &id, None) else { continue };
        if run.live.owner().is_none() && claim(&mut run, &sitting.id, &facts, draft) {
            unclaimed.runs.retain(|known| *known != id);
            sitting.file.runs.push(id);
            sitting.runs.insert(0, run);
        }
    }
    draft.edit(unclaimed.edit()?);
    Ok(())
}

fn is_among(runs: &[RunId], run: &RunFile) -> bool {
    runs.contains(run.id())
}

/// Lets a guard try again that was exhausted: a person has spoken.
fn let_try_again(
    view: &View<'_>,
    sitting: &mut Sitting,
    now: &Now<'_>,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    for run in &mut sitting.runs {
        if !matches!(run.live, Live::Guard(_)) {
            let facts = Facts::new(now.at, view.seq(), sitting.file.tree);
            crate::plan::reached(run, &facts, draft)?;
            continue;
        }
        let facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
        let tired = run.live.waiting(&facts).iter().any(|waiting| waiting.hold.is_tired());
        if tired {
            draft.tell(&run.id().clone(), run.live.step(&Signal::Resume, &facts)?);
        }
    }
    Ok(())
}

/// Returns what an agent is told when its session begins.
fn told_at_start(sitting: &mut Sitting) -> Hears {
    // Its driver has told it all there is.
    if sitting.file.driven.is_some() {
        return Hears { context: None, say: std::mem::take(&mut sitting.trouble) };
    }
    let mut parts: Vec<String> = Vec::new();
    if let Some(guard) = sitting.guard().filter(|_| !sitting.law.config.off) {
        let gates: Vec<_> =
            guard.gates.iter().map(|spec| format!("`{}`", spec.gate.name)).collect();
        parts.push(format!(
            "A session that changed files here ends only when {} passes; sprag checks it.",
            gates.join(", ")
        ));
    }
    parts.extend(context(sitting));
    let context = (!parts.is_empty()).then(|| parts.join("\n\n"));
    Hears { context, say: std::mem::take(&mut sitting.trouble) }
}

/// Returns where the session's workflows stand, short enough to be told with every prompt.
fn context(sitting: &Sitting) -> Option<String> {
    if sitting.file.driven.is_some() {
        return None;
    }
    let open = sitting.runs.iter().filter(|run| !run.live.is_cancelled());
    let views = open.filter_map(|run| run.live.view());
    let texts: Vec<String> = views.map(|view| view.context()).collect();
    if texts.is_empty() {
        return until(sitting);
    }
    let whole = texts.join("\n\n");
    let cut = "\n… `sprag step status` shows the rest.";
    let room = CONTEXT.saturating_sub(cut.len() + STEP.len() + 1);
    let text = if whole.len() <= room {
        whole
    } else {
        let mut end = room;
        while !whole.is_char_boundary(end) {
            end -= 1;
        }
        format!("{}{cut}", &whole[..end])
    };
    let lines = [format!("{text}\n{STEP}")].into_iter().chain(until(sitting));
    Some(lines.collect::<Vec<_>>().join("\n"))
}

/// Returns what a person holds the session for.
fn until(sitting: &Sitting) -> Option<String> {
    let held = |run: &&RunFile| run.header.source == Source::Until && run.header.ended.is_none();
    let command = sitting.runs.iter().find(held)?.live.specs().first()?.gate.name.clone();
    Some(format!("A person said: this session ends only when `{command}` passes; sprag checks it."))
}
