//! One open run with its configuration and owner, for verbs that name a run and not a session.

use sprag_core::{Facts, Fence, Hash, Hold, RunId, SessionId, Signal, UnitId};
use sprag_store::View;
use sprag_world::tree::Tree;

use crate::config;
use crate::draft::Draft;
use crate::engine::kind::Kinds;
use crate::engine::{Engine, EngineError};
use crate::now::Now;
use crate::run_file::RunFile;
use crate::run_file::runs;
use crate::session::{self, LoadedSession, SessionFile};
use crate::snapshot::ConfigSnapshot;

/// A run, the configuration it is judged by, and its session.
#[derive(Debug)]
pub(crate) struct OpenRun {
    pub(crate) run: RunFile,
    pub(crate) law: ConfigSnapshot,
    /// The session that drives the run.
    pub(crate) owner: Option<(SessionId, Box<SessionFile>)>,
}

impl OpenRun {
    pub(crate) fn open(kinds: Kinds, view: &View<'_>, id: &RunId) -> Result<Self, EngineError> {
        let run = RunFile::open(kinds, view, id, None)?;
        let owner = match run.live.owner() {
            Some(owner) => match session::read(view, owner)? {
                LoadedSession::Seen(file) => Some((owner.clone(), file)),
                LoadedSession::New => None,
                LoadedSession::Unreadable { path, why } => {
                    return Err(EngineError::Unreadable { path: path.to_string(), why });
                }
            },
            None => None,
        };
        let info = run.live.info();
        let recorded = if info.has_config {
            config::copy(view, id)?
        } else {
            owner.as_ref().and_then(|(_, file)| file.config.clone())
        };
        let (law, _) = ConfigSnapshot::of(view, recorded.as_deref())?;
        let run = if info.is_guarded {
            RunFile::open(kinds, view, id, law.config.guard.as_ref())?
        } else {
            run
        };
        Ok(Self { run, law, owner })
    }

    /// Returns the first hold that waits for a person.
    pub(crate) fn waits_for_person(&self) -> Option<&Hold> {
        let mut holds = self.run.live.attempts().iter().filter_map(sprag_core::Attempt::hold);
        holds.find(|hold| hold.ends().is_none())
    }

    pub(crate) fn held(&self) -> Vec<(Fence, UnitId)> {
        let waits = |hold: &Hold| hold.ends().is_none();
        let attempts = self.run.live.attempts().iter();
        let held = attempts.filter(|attempt| attempt.hold().is_some_and(waits));
        held.map(|attempt| (attempt.fence(), attempt.unit().clone())).collect()
    }
}

impl Engine<'_> {
    /// Resolves a run's name or an unambiguous prefix of it.
    pub fn find_run(&self, name: &str) -> Result<RunId, EngineError> {
        self.look(|view| {
            let runs = runs(view)?;
            if let Some(exact) = runs.iter().find(|run| run.as_str() == name) {
                return Ok(exact.clone());
            }
            let mut like = runs.into_iter().filter(|run| run.as_str().starts_with(name));
            match (like.next(), like.next()) {
                (Some(one), None) => Ok(one),
                (Some(one), Some(other)) => Err(EngineError::Several {
                    what: format!("more than one run begins with `{}`", name.escape_debug()),
                    names: [one, other].into_iter().chain(like).map(|id| id.to_string()).collect(),
                }),
                (None, _) => Err(EngineError::NotFound {
                    what: format!("no run is called `{}`", name.escape_debug()),
                }),
            }
        })
    }
}

/// Holds a whole run within a larger commit.
pub(crate) fn pause(
    view: &View<'_>,
    run: &RunId,
    hold: &Hold,
    now: &Now<'_>,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let signal = Signal::Pause { hold: hold.clone() };
    let mut case = OpenRun::open(now.engine.kinds, view, run)?;
    // A pause must work even if the files cannot be listed.
    let tree = now.tree().map_or_else(|_| Hash::of(""), Tree::hash);
    let facts = Facts::new(now.at, view.seq(), tree);
    draft.tell(&case.run.id().clone(), case.run.live.step(&signal, &facts)?);
    draft.run(&case.run)
}
