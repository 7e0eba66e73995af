//! The events of a session besides stops: it begins, gets a prompt, uses a tool, ends.

use std::path::PathBuf;

use sprag_core::event::SessionEnded;
use sprag_core::{Call, DocPath, Facts, RunId, SessionId, Signal, prompt};
use sprag_store::{StoreError, View};

use crate::attach::{HookEnv, Unclaimed, claim};
use crate::draft::Draft;
use crate::engine::{BEFORE_TOOL, Engine, EngineError, PATIENT};
use crate::inbox;
use crate::inbox::on_session_event::{AtWork, When};
use crate::integrity::in_force::InForce;
use crate::now::Now;
use crate::old_sessions::{close_guard, end_guard};
use crate::run_file::RunFile;
use crate::session::{self, LoadedSession, SessionFile};
use crate::snapshot::Snapshot;
use crate::weigh::{of_session, session_edits};

/// A tool call that is about to run.
#[derive(Clone, Copy, Debug)]
pub struct ToolUse<'a> {
    /// The call in the form that a phase's policy checks.
    pub call: &'a Call,
    /// Whether it can change files.
    pub changes: bool,
    /// The files it writes by name, as absolute paths.
    pub writes: &'a [PathBuf],
    /// Whether a subagent makes the call; the phase's policy does not apply to those.
    pub subagent: bool,
}

/// How a session begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// As a new session, or as one that returns.
    Plain,
    /// In place of the previous session of the same host process: cleared, or forked.
    Follows,
}

/// The messages for a session that begins or gets a prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HookOutput {
    /// The message for the agent.
    pub context: Option<String>,
    /// Messages for the person.
    pub say: Vec<String>,
}

impl HookOutput {
    /// Puts the description of the agent's work before everything else.
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

/// How many files that a session touched are recorded.
const TOUCHED: usize = 300;

/// The most bytes of context that an agent gets without asking.
const CONTEXT: usize = 1500;

/// How an agent without pi's tool moves a workflow.
pub const STEP: &str = "Here `workflow_step` is a command of the shell: `sprag step next`, \
                               `sprag step loop`, `sprag step status`.";

impl Engine<'_> {
    /// Records that a session begins, and returns its messages.
    pub fn session_begins(
        &self,
        id: &SessionId,
        beginning: Beginning,
        process: Option<&str>,
        told: HookEnv<'_>,
    ) -> Result<HookOutput, EngineError> {
        let now = Now::new(self);
        self.commit(id.as_str(), PATIENT, |view| {
            let mut draft = Draft::default();
            let mut sitting = Snapshot::load(view, id, &now)?;
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
                // The session is back, so its guard is active again.
                if run.live.info().is_guard && !run.live.is_cancelled() {
                    run.header.ended = None;
                }
            }
            if !sitting.law.config.off {
                of_session::begins(view, &mut sitting, &now, &mut draft)?;
            }
            let asked = (When::Begins, &mut draft);
            let work = self.at_work(view, &mut sitting, told, &now, asked)?;
            let mut hears = told_at_start(&mut sitting).with(work.as_ref());
            hears.say.extend(InForce::begins(view, &now, id.as_str())?.said(view));
            if let Some(mut work) = work {
                work.seat.save(&mut draft)?;
            }
            sitting.save(&mut draft)?;
            self.forget_sessions(view, now.at, &mut draft)?;
            self.forget_texts(view, now.at)?;
            Ok((draft, hears))
        })
    }

    /// Records a prompt and returns the messages to add to it. `person` is the prompt's text, or
    /// `None` if the host itself sent it.
    pub fn prompted(
        &self,
        id: &SessionId,
        person: Option<&str>,
        told: HookEnv<'_>,
    ) -> Result<HookOutput, EngineError> {
        let now = Now::new(self);
        let hears = self.commit(id.as_str(), PATIENT, |view| {
            let mut draft = Draft::default();
            let mut sitting = Snapshot::load(view, id, &now)?;
            let words = person.filter(|words| !sitting.file.was_refused_with(words));
            if words.is_some() {
                sitting = sitting.take_config(view, &now)?;
            }
            if sitting.law.config.off {
                return Ok((draft, HookOutput::default()));
            }
            self.take_up(view, &mut sitting, told, &now, &mut draft)?;
            let asked = (When::Speaks, &mut draft);
            let mut work = self.at_work(view, &mut sitting, told, &now, asked)?;
            if let Some(words) = words {
                if sitting.file.driven.is_none() && !sitting.file.is_paused(now.at) {
                    let name = std::cell::OnceCell::new();
                    self.adopt(view, &mut sitting, told, (&now, &name), &mut draft)?;
                }
                self.loops_prompted(view, &mut sitting, words, &now, &mut draft)?;
                // A new prompt resets the counters of refused stops.
                (sitting.file.idle, sitting.file.refused) = (0, 0);
                of_session::prompted(view, &mut sitting, &now, &mut draft)?;
                let_try_again(view, &mut sitting, &now, &mut draft)?;
                if let Some(work) = &mut work {
                    work.try_again(view, &now, &mut draft)?;
                }
            }
            let say = std::mem::take(&mut sitting.trouble);
            let hears = HookOutput { context: context(&sitting), say }.with(work.as_ref());
            if let Some(mut work) = work {
                work.seat.save(&mut draft)?;
            }
            sitting.save(&mut draft)?;
            Ok((draft, hears))
        })?;
        if person.is_some() {
            self.tools_over(id);
        }
        Ok(hears)
    }

    /// Returns whether a prompt only repeats the last refusal of this session's stop.
    pub fn is_refusal(&self, id: &SessionId, words: &str) -> Result<bool, EngineError> {
        self.look(|view| match session::read(view, id)? {
            LoadedSession::Seen(file) => Ok(file.was_refused_with(words)),
            LoadedSession::New | LoadedSession::Unreadable { .. } => Ok(false),
        })
    }

    /// Returns why a tool call is blocked, or `None` if it may run.
    pub fn before_tool(
        &self,
        id: &SessionId,
        using: &ToolUse<'_>,
    ) -> Result<Option<String>, EngineError> {
        let now = Now::new(self);
        let decide = |view: &View<'_>| {
            let mut draft = Draft::default();
            let mut sitting = Snapshot::load(view, id, &now)?;
            if sitting.law.config.off {
                return Ok((draft, (None, Vec::new())));
            }
            self.take_up(view, &mut sitting, HookEnv::default(), &now, &mut draft)?;
            let free = sitting.file.is_paused(now.at);
            let by_phase = |run: &RunFile| run.live.denies(using.call, now.at);
            let blocked = sitting.runs.iter().find_map(by_phase).filter(|_| !using.subagent);
            let blocked = self.defines(&sitting, using).or(blocked);
            let blocked = blocked.or_else(|| self.protects(&sitting, using));
            let blocked = blocked.filter(|_| !free);
            if using.changes && blocked.is_none() {
                of_session::works(view, &mut sitting, &now, &mut draft)?;
                sitting.file.works();
                self.note_touched(&mut sitting, using);
                for run in &mut sitting.runs {
                    run.live.open_turn();
                }
            }
            sitting.save(&mut draft)?;
            Ok((draft, (blocked, sitting.trouble)))
        };
        let (blocked, trouble) = match self.commit(id.as_str(), BEFORE_TOOL, decide) {
            // The next call records what this one could not; the answer is valid without it.
            Err(EngineError::Store(StoreError::Busy { .. })) => {
                self.look(|view| decide(view).map(|(_, decided)| decided))
            }
            decided => decided,
        }?;
        self.trace_trouble(id, "before a tool", blocked.is_some(), &trouble);
        Ok(blocked)
    }

    /// Returns the refusal to write a file that defines a run of this session.
    fn defines(&self, sitting: &Snapshot, using: &ToolUse<'_>) -> Option<String> {
        let refusal =
            |run: &RunFile| Some((run.live.rank(), run.live.defined_by(self, using.writes)?));
        let all = sitting.runs.iter().filter_map(refusal);
        // A pull request's refusal comes before a workflow's.
        all.reduce(|one, other| if other.0 > one.0 { other } else { one }).map(|(_, why)| why)
    }

    /// Returns the refusal to write a file that a person protects and that existed when the session
    /// or the phase began.
    fn protects(&self, sitting: &Snapshot, using: &ToolUse<'_>) -> Option<String> {
        let of_runs = sitting.runs.iter().map(|run| &run.header.protected);
        let known: Vec<_> = of_runs.chain([&sitting.file.protected]).collect();
        let mut names = using.writes.iter().filter_map(|path| self.below_root(path));
        let found = names.find(|name| known.iter().any(|files| files.contains_key(name)))?;
        Some(format!(
            "`{found}` is protected here, so a person decides about changes of it. New files beside \
             it are fine."
        ))
    }

    /// Records the files that a tool writes by name: of several active sessions, each answers for
    /// its own files.
    fn note_touched(&self, sitting: &mut Snapshot, using: &ToolUse<'_>) {
        for name in using.writes.iter().filter_map(|path| self.below_root(path)) {
            session_edits::note_written(self, &mut sitting.file, &name);
            if sitting.file.touched.len() < TOUCHED {
                sitting.file.touched.insert(name);
            }
        }
    }

    /// Returns a file's path relative to the root, if it is below it.
    fn below_root(&self, path: &std::path::Path) -> Option<String> {
        let root = &self.place.root;
        let below =
            path.strip_prefix(root).map(std::path::Path::to_path_buf).ok().or_else(|| {
                let real = std::fs::canonicalize(path.parent()?).ok()?.join(path.file_name()?);
                real.strip_prefix(std::fs::canonicalize(root).ok()?).ok().map(Into::into)
            })?;
        below.to_str().map(str::to_owned)
    }

    /// Records a tool call that ran, and returns messages for immediate delivery.
    pub fn after_tool(&self, id: &SessionId, told: HookEnv<'_>) -> Result<HookOutput, EngineError> {
        self.seen(id)?;
        if !inbox::board::is_there(self.place) {
            return Ok(HookOutput::default());
        }
        let now = Now::new(self);
        self.commit(id.as_str(), BEFORE_TOOL, |view| {
            let mut draft = Draft::default();
            let mut sitting = Snapshot::load(view, id, &now)?;
            let asked = (When::Works, &mut draft);
            let work = self.at_work(view, &mut sitting, told, &now, asked)?;
            let hears = HookOutput::default().with(work.as_ref());
            if let Some(mut work) = work {
                work.seat.save(&mut draft)?;
            }
            Ok((draft, hears))
        })
    }

    /// Records that a session is alive.
    pub fn seen(&self, id: &SessionId) -> Result<(), EngineError> {
        Ok(self.store.touch(&session::path(id)?)?)
    }

    /// Records the end of a session and releases its runs, unless it continues elsewhere.
    pub fn session_ends(&self, id: &SessionId, goes_on: bool) -> Result<(), EngineError> {
        let now = Now::new(self);
        // Taken before the end is written, which is no sign of life from the agent.
        let heard = self.store.seen_at(&session::path(id)?)?.unwrap_or(now.at);
        self.commit(id.as_str(), PATIENT, |view| {
            let mut draft = Draft::default();
            let known = session::read(view, id)?;
            if goes_on || matches!(known, LoadedSession::New) {
                return Ok((draft, ()));
            }
            let mut sitting = Snapshot::load(view, id, &now)?;
            sitting.file.ended = Some(now.at);
            let runs = std::mem::take(&mut sitting.file.runs);
            // A host gives the end of a session little time, and ownership does not depend on the
            // files.
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
                if run.live.info().is_guard {
                    close_guard(run, now.at, view);
                }
            }
            for guard in sitting.file.other_guards() {
                end_guard(self.kinds, view, guard, now.at, &mut draft)?;
            }
            of_session::ends(view, &sitting.id, heard, self, &mut draft)?;
            draft.note(None, SessionEnded { session: id.to_string() });
            sitting.save(&mut draft)?;
            Ok((draft, ()))
        })
    }

    /// Takes over the state of the previous session in the same host process.
    fn inherit(
        &self,
        view: &View<'_>,
        mut sitting: Snapshot,
        now: &Now<'_>,
        draft: &mut Draft,
    ) -> Result<Snapshot, EngineError> {
        let Some((id, mut before)) = self.predecessor(view, &sitting)? else { return Ok(sitting) };
        let guards = before.guard.iter().chain(&before.until);
        let runs: Vec<RunId> = before.runs.iter().chain(guards).cloned().collect();
        sitting.file.inherit(&mut before);
        before.ended = Some(now.at);
        draft.session(&id, &before)?;
        of_session::follows(view, (&id, &sitting.id), draft)?;
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

    /// Returns the newest other session of the same host process.
    fn predecessor(
        &self,
        view: &View<'_>,
        sitting: &Snapshot,
    ) -> Result<Option<(SessionId, SessionFile)>, EngineError> {
        let Some(process) = &sitting.file.process else { return Ok(None) };
        let mut newest: Option<(SessionId, SessionFile)> = None;
        for (name, _) in self.store.seen(&DocPath::parse(session::FOLDER)?)? {
            let Some(id) = session::of_file(&name).filter(|id| *id != sitting.id) else { continue };
            let LoadedSession::Seen(file) = session::read(view, &id)? else { continue };
            let is_newer = newest.as_ref().is_none_or(|(_, known)| file.began > known.began);
            if file.process.as_ref() == Some(process) && file.ended.is_none() && is_newer {
                newest = Some((id, *file));
            }
        }
        Ok(newest)
    }
}

/// Takes back the runs that a session drove when it ended, if they have no other driver.
fn take_back(
    view: &View<'_>,
    sitting: &mut Snapshot,
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
        let Ok(mut run) = RunFile::open(now.engine.kinds, view, &id, None) else { continue };
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

/// Gives a guard that gave up another try, because a person sent a prompt.
fn let_try_again(
    view: &View<'_>,
    sitting: &mut Snapshot,
    now: &Now<'_>,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    for run in &mut sitting.runs {
        if !run.live.info().is_guard {
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

/// Builds the context for an agent whose session begins.
fn told_at_start(sitting: &mut Snapshot) -> HookOutput {
    // A driven agent got everything from its driver.
    if sitting.file.driven.is_some() {
        return HookOutput { context: None, say: std::mem::take(&mut sitting.trouble) };
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
    // Without such files there is nothing to protect.
    let specs = Some(sitting.specs()).filter(|_| !sitting.file.protected.is_empty());
    parts.extend(prompt::protected(specs.into_iter().flatten().flat_map(|spec| &spec.protect)));
    parts.extend(context(sitting));
    let context = (!parts.is_empty()).then(|| parts.join("\n\n"));
    HookOutput { context, say: std::mem::take(&mut sitting.trouble) }
}

/// Describes the positions of the session's workflows, short enough for every prompt.
fn context(sitting: &Snapshot) -> Option<String> {
    if sitting.file.driven.is_some() {
        return None;
    }
    let open = sitting.runs.iter().filter(|run| !run.live.is_cancelled());
    let text = |run: &RunFile| {
        let protect = run.live.specs().iter().flat_map(|spec| &spec.protect);
        let protected = prompt::protected(protect).map(|told| format!("\n{told}"));
        Some(run.live.view()?.context() + &protected.unwrap_or_default())
    };
    let texts: Vec<String> = open.filter_map(text).collect();
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

/// Describes the command that a person holds the session to.
fn until(sitting: &Snapshot) -> Option<String> {
    let held = |run: &&RunFile| run.live.info().is_typed && run.header.ended.is_none();
    let command = sitting.runs.iter().find(held)?.live.specs().first()?.gate.name.clone();
    Some(format!("A person said: this session ends only when `{command}` passes; sprag checks it."))
}
