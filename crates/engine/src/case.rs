//! One run with everything it is judged by, for verbs that name a run and not a session.

use std::collections::BTreeMap;

use sprag_core::{DocPath, Facts, Hash, Id, Signal, Word};
use sprag_store::{Listing, View};

use crate::draft::Draft;
use crate::drive::assignment;
use crate::engine::{Engine, EngineError};
use crate::evaluate::Gathered;
use crate::receipt::INIT;
use crate::run_file::{RunFile, Source};
use crate::session::{self, Known, SessionFile, SessionId};
use crate::sitting::{Law, Now};
use crate::standing::Standing;
use crate::stop::settle;

/// A run and what it is judged by.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) run: RunFile,
    pub(crate) law: Law,
    /// The session that drives it.
    pub(crate) owner: Option<(SessionId, Box<SessionFile>)>,
}

impl Case {
    /// Opens a run.
    pub(crate) fn open(view: &View<'_>, id: &Id) -> Result<Self, EngineError> {
        let run = RunFile::open(view, id, None)?;
        let owner = run.live.owner().and_then(|owner| SessionId::parse(owner.as_str()));
        let owner = match owner {
            Some(owner) => match session::read(view, &owner)? {
                Known::Seen(file) => Some((owner, file)),
                Known::New => None,
                Known::Unreadable { path, why } => {
                    return Err(EngineError::Unreadable { path: path.to_string(), why });
                }
            },
            None => None,
        };
        let recorded = match run.header.source {
            Source::Assignment => assignment::judged_by(view, id)?,
            Source::Guard
            | Source::Until
            | Source::Task
            | Source::Workflow(_)
            | Source::Plan(_)
            | Source::Loop
            | Source::Gsd
            | Source::Pr => owner.as_ref().and_then(|(_, file)| file.config.clone()),
        };
        let (law, _) = Law::of(view, recorded.as_deref())?;
        let run = match run.header.source {
            Source::Guard | Source::Assignment => {
                RunFile::open(view, id, law.config.guard.as_ref())?
            }
            Source::Until
            | Source::Task
            | Source::Workflow(_)
            | Source::Plan(_)
            | Source::Loop
            | Source::Gsd
            | Source::Pr => run,
        };
        Ok(Self { run, law, owner })
    }

    /// Finds out what is known of its gates.
    pub(crate) fn standing(
        &self,
        engine: &Engine<'_>,
        view: &View<'_>,
        now: &Now<'_>,
        gathered: &Gathered,
    ) -> Result<Standing, EngineError> {
        let none = BTreeMap::<String, Hash>::new();
        let guarded = self.owner.as_ref().map_or(&none, |(_, file)| &file.protected);
        Standing::of_run(engine, view, &self.run, &self.law, guarded, now.tree()?, gathered)
    }

    /// Ends what can be ended by what is known, without evaluating anything, and takes note of it.
    pub(crate) fn conclude(
        &mut self,
        engine: &Engine<'_>,
        view: &View<'_>,
        now: &Now<'_>,
        gathered: &Gathered,
        draft: &mut Draft,
    ) -> Result<Vec<String>, EngineError> {
        let facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
        let standing = self.standing(engine, view, now, gathered)?;
        let id = self.run.id().clone();
        let attempts = self.run.live.attempts().iter();
        for fence in attempts.map(sprag_core::Attempt::fence).collect::<Vec<_>>() {
            let receipts = standing.receipts.clone();
            let end = Signal::End { fence, word: Word::None, receipts };
            // What cannot be ended now is ended by the next stop.
            if let Ok(events) = self.run.live.step(&end, &facts) {
                draft.tell(&id, events);
            }
        }
        settle(&mut self.run, now, &facts, draft)
    }
}

impl Engine<'_> {
    /// Returns the run that a name or the beginning of one means.
    pub fn find_run(&self, name: &str) -> Result<Id, EngineError> {
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

/// Returns the names of all runs there are.
pub(crate) fn runs(view: &View<'_>) -> Result<Vec<Id>, EngineError> {
    let folder = DocPath::parse(".sprag/runs")?;
    match view.list(&folder) {
        Listing::Absent => Ok(Vec::new()),
        // What is no name of a run is shown by status.
        Listing::Names(names) => {
            let runs = names.iter().filter(|name| *name != INIT);
            Ok(runs.filter_map(|name| Id::parse(name).ok()).collect())
        }
        Listing::Unknown(why) => {
            Err(EngineError::Unreadable { path: folder.to_string(), why: why.to_string() })
        }
    }
}
