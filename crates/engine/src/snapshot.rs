//! A loaded session: its file, the configuration that judges it, and its runs.

use std::collections::BTreeMap;

use sprag_core::event::SessionBegan;
use sprag_core::{Facts, GateSpec, Hash, Role, RunId, SessionId, StopCounter};
use sprag_formats::{Config, GuardConfig};
use sprag_store::{Doc, View};
use sprag_world::gates::protect;

use crate::config::{self, Configured};
use crate::draft::Draft;
use crate::engine::EngineError;
use crate::engine::kind::{Kinds, Moment};
use crate::integrity::in_force::InForce;
use crate::integrity::session_key;
use crate::now::Now;
use crate::run_file::{RunFile, Unusable};
use crate::session::{self, LoadedSession, SessionFile};

/// The configuration that a session is judged by, as it was when the session began.
#[derive(Debug)]
pub(crate) struct ConfigSnapshot {
    pub(crate) config: Box<Config>,
    /// The digest of the configuration, or of its recorded text.
    pub(crate) digest: Hash,
}

/// A loaded session.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub(crate) id: SessionId,
    pub(crate) file: SessionFile,
    /// Its file as it was read; `None` for a session seen for the first time.
    read: Option<SessionFile>,
    pub(crate) law: ConfigSnapshot,
    /// The runs it drives, then its guard, then the run that a person holds it to.
    pub(crate) runs: Vec<RunFile>,
    /// Its role, which is that of the unit it works on.
    pub(crate) role: Option<Role>,
    /// Errors of documents that could not be used, for a trace.
    pub(crate) trouble: Vec<String>,
}

impl Snapshot {
    /// Loads a session. For a new one, the project's current state is the baseline.
    pub(crate) fn load(
        view: &View<'_>,
        id: &SessionId,
        now: &Now<'_>,
    ) -> Result<Self, EngineError> {
        let (file, read) = match session::read(view, id)? {
            LoadedSession::Seen(file) => (*file.clone(), Some(*file)),
            LoadedSession::New => {
                let file = SessionFile::new(now.at, now.tree()?.hash());
                (file.beginning_in(now.engine.worktree()), None)
            }
            LoadedSession::Unreadable { path, why } => {
                return Err(EngineError::Unreadable { path: path.to_string(), why });
            }
        };
        Self::of(view, id, file, read, now)
    }

    /// Loads a session's runs again after its file has taken over another session's.
    pub(crate) fn reload(self, view: &View<'_>, now: &Now<'_>) -> Result<Self, EngineError> {
        Self::of(view, &self.id, self.file, self.read, now)
    }

    fn of(
        view: &View<'_>,
        id: &SessionId,
        file: SessionFile,
        read: Option<SessionFile>,
        now: &Now<'_>,
    ) -> Result<Self, EngineError> {
        let mut file = file;
        file.turn_to(now.engine.worktree());
        let (law, recorded) = match file.config.clone() {
            Some(text) => (ConfigSnapshot::of(view, Some(&text))?.0, Some(text)),
            None if read.is_none() => ConfigSnapshot::of_new(view, now)?,
            // No configuration was in force when it began, so the current one can only be stricter.
            None => ConfigSnapshot::configured(config::load_as_it_is(view)?)?,
        };
        let id = id.clone();
        let (runs, trouble) = (vec![], vec![]);
        let mut sitting = Self { id, file, read, law, runs, role: None, trouble };
        if sitting.file.config.is_none() {
            sitting.file.config = recorded;
            if !globs(sitting.specs()).is_empty() {
                sitting.file.protected = protected(now, sitting.specs())?;
            }
        }
        for run in sitting.file.runs.clone() {
            sitting.open(now.engine.kinds, view, &run);
        }
        if let Some(run) = sitting.file.driven.clone() {
            sitting.open(now.engine.kinds, view, &run);
        }
        for guard in [sitting.file.guard.clone(), sitting.file.until.clone()].iter().flatten() {
            sitting.open(now.engine.kinds, view, guard);
        }
        Ok(sitting)
    }

    pub(crate) fn open(&mut self, kinds: Kinds, view: &View<'_>, run: &RunId) {
        match RunFile::open(kinds, view, run, self.law.config.guard.as_ref()) {
            Ok(file) => self.runs.push(file),
            // Old runs are removed; a new guard begins when needed.
            Err(Unusable::Absent(_)) if self.file.guard.as_ref() == Some(run) => {
                self.file.guard = None;
            }
            Err(Unusable::Absent(_)) if self.file.until.as_ref() == Some(run) => {
                self.file.until = None;
            }
            Err(error) => self.trouble.push(error.to_string()),
        }
    }

    /// Adopts the configuration that a person changed since the last turn. An invalid one is
    /// reported, and the previous one stays in force.
    pub(crate) fn take_config(
        mut self,
        view: &View<'_>,
        now: &Now<'_>,
    ) -> Result<Self, EngineError> {
        if self.is_new() || self.file.driven.is_some() {
            return Ok(self);
        }
        let own = session_key(&self.id, now.engine.worktree());
        let in_force = InForce::begins(view, now, &own)?;
        let found = match now.engine.guarded_by(view, &in_force)? {
            Some(main) => Doc::Text(main),
            None => config::document_by(view, &in_force)?,
        };
        let text = match found {
            Doc::Text(text) => Some(text),
            Doc::Absent => None,
            Doc::Unknown(_) => return Ok(self),
        };
        if text == self.file.config {
            return Ok(self);
        }
        if let Some(Err(faults)) =
            text.as_deref().map(|text| Config::read(text, &sprag_hosts::names()))
        {
            let why = faults.first().map_or_else(String::new, ToString::to_string);
            self.trouble.push(format!("{}: {why}; the one before holds", config::PATH));
            return Ok(self);
        }
        self.file.config = text;
        let mut sitting = self.reload(view, now)?;
        sitting.file.protected = if globs(sitting.specs()).is_empty() {
            BTreeMap::new()
        } else {
            protected(now, sitting.specs())?
        };
        Ok(sitting)
    }

    /// Returns its counters and role for a stop.
    pub(crate) fn desk(&self) -> StopCounter {
        StopCounter { role: self.role.clone(), ..self.file.desk(self.id.clone()) }
    }

    /// Takes the role of the unit it works on in a run. The session continues with the next unit
    /// only if that has the same role.
    pub(crate) fn play(&mut self, at: usize, facts: &Facts) {
        let run = &self.runs[at];
        let mut attempts = run.live.attempts().iter();
        let works = attempts.any(|attempt| attempt.session() == Some(&self.id));
        if let Some(unit) = run.live.unit(facts).filter(|_| works) {
            self.role = unit.role;
        }
    }

    pub(crate) const fn is_new(&self) -> bool {
        self.read.is_none()
    }

    /// Returns the gates of the guard.
    pub(crate) fn specs(&self) -> &[GateSpec] {
        self.law.config.guard.as_ref().map_or(&[], |guard| &guard.gates)
    }

    /// Returns the guard's configuration, if it has gates.
    pub(crate) fn guard(&self) -> Option<&GuardConfig> {
        self.law.config.guard.as_ref().filter(|guard| !guard.gates.is_empty())
    }

    /// Writes the session and its runs, if they changed.
    pub(crate) fn save(&self, draft: &mut Draft) -> Result<(), EngineError> {
        for run in &self.runs {
            draft.run(run)?;
        }
        let mut file = self.file.clone();
        file.turn_home();
        if self.read.as_ref() != Some(&file) {
            if self.is_new() {
                draft.note(None, SessionBegan { session: self.id.to_string() });
            }
            draft.session(&self.id, &file)?;
        }
        Ok(())
    }
}

impl ConfigSnapshot {
    /// Loads the configuration for a session or run that begins now, and the text to record if any.
    pub(crate) fn of_new(
        view: &View<'_>,
        now: &Now<'_>,
    ) -> Result<(Self, Option<String>), EngineError> {
        let in_force = InForce::begins(view, now, "")?;
        match now.engine.guarded_by(view, &in_force)? {
            Some(main) => Ok((Self::of(view, Some(&main))?.0, Some(main))),
            None => Self::configured(config::load_by(view, &in_force)?),
        }
    }

    /// Loads the configuration of a session: the recorded one if that parses, else the current one.
    /// Also returns the text to record, if any.
    pub(crate) fn of(
        view: &View<'_>,
        recorded: Option<&str>,
    ) -> Result<(Self, Option<String>), EngineError> {
        let kept = recorded
            .and_then(|text| Some((Config::read(text, &sprag_hosts::names()).ok()?.0, text)));
        if let Some((config, text)) = kept {
            return Ok((Self { config: Box::new(config), digest: Hash::of(text) }, None));
        }
        Self::configured(config::load(view)?)
    }

    fn configured(configured: Configured) -> Result<(Self, Option<String>), EngineError> {
        match configured {
            Configured::Known { config, text, .. } => {
                let digest = Hash::of(text.as_deref().unwrap_or_default());
                Ok((Self { config, digest }, text))
            }
            Configured::Wrong(faults) => Err(EngineError::Config(faults)),
            Configured::Unreadable(why) => {
                let (path, why) = (config::PATH.to_owned(), why.to_string());
                Err(EngineError::Unreadable { path, why })
            }
        }
    }
}

/// Returns the protected files of some gates.
pub(crate) fn protected(
    now: &dyn Moment,
    specs: &[GateSpec],
) -> Result<BTreeMap<String, Hash>, EngineError> {
    Ok(protect::files(&now.engine().files.root, now.tree()?, &globs(specs)))
}

fn globs(specs: &[GateSpec]) -> Vec<sprag_core::Glob> {
    specs.iter().flat_map(|spec| spec.protect.iter().cloned()).collect()
}
