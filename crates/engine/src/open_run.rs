//! One open run with its configuration and owner, for verbs that name a run and not a session.

use sprag_core::basis::Worth;
use sprag_core::event::AttemptEnded;
use sprag_core::{
    Ask, Denied, DocPath, Event, Facts, Fence, Gate, Hold, RunId, SessionId, Signal, Unit, UnitId,
    Verdict,
};
use sprag_store::{Listing, View};
use sprag_world::tree::Tree;

use crate::config;
use crate::draft::Draft;
use crate::drive::Concluded;
use crate::engine::{Engine, EngineError};
use crate::gate_results::GateResults;
use crate::integrity::{DoubtsDoc, of_unit};
use crate::judge::{self, Progress};
use crate::kind::Kinds;
use crate::receipt::{Evidence, INIT};
use crate::run_file::RunFile;
use crate::session::{self, LoadedSession, SessionFile};
use crate::snapshot::ConfigSnapshot;
use crate::stop::{after_step, unit_of};
use crate::tx::Tx;

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

    /// Collects the known results of the run's gates.
    pub(crate) fn standing(
        &self,
        engine: &Engine<'_>,
        view: &View<'_>,
        tree: &Tree,
        known: &judge::Known,
    ) -> Result<GateResults, EngineError> {
        GateResults::of_run(engine, view, &self.run, tree, known)
    }

    /// Ends an attempt with a signal. If its gates pass, the evidence is weighed first against the
    /// session's baseline or the unit's record.
    pub(crate) fn end_weighed(
        &mut self,
        tx: &Tx<'_>,
        signal: &Signal,
        fence: Fence,
        said: Option<&str>,
        doubts: &mut DoubtsDoc,
    ) -> Result<Result<Vec<Event>, Denied>, EngineError> {
        let mut live = self.run.live.clone();
        let facts = tx.facts()?;
        let stepped = live.step_weighed(tx.view, signal, facts, |live| {
            let Some(unit) = unit_of(live, fence, facts) else { return Ok(Some(Worth::Proven)) };
            let host = crate::agents_file::host_of(tx.view, self.run.id(), fence)?;
            let who = (host.as_deref(), said);
            of_unit::weigh(tx.view, self, &unit, who, tx.now, doubts)
        })?;
        self.run.live = live;
        Ok(stepped)
    }

    /// Returns the progress of a decision that needs answers from the run's rules first.
    pub(crate) fn asks<T>(&self, asks: &[Ask]) -> Progress<T> {
        Progress::needs(&self.law.config, Vec::new(), self.run.live.rules_of(asks))
    }

    /// Ends every attempt that the known receipts decide, without evaluating a gate, and records
    /// the result. Returns the lines to show, and what ended.
    pub(crate) fn conclude(
        &mut self,
        tx: &mut Tx<'_>,
        known: &judge::Known,
    ) -> Result<(Vec<String>, Concluded), EngineError> {
        let facts = &tx.facts()?.clone();
        let standing = self.standing(tx.engine(), tx.view, tx.now.tree()?, known)?;
        let id = self.run.id().clone();
        let receipts = standing.receipts.clone();
        let mut concluded = Concluded { receipts, ..Concluded::default() };
        let attempts = self.run.live.attempts().iter();
        let fences: Vec<_> = attempts.map(sprag_core::Attempt::fence).collect();
        let mut doubts = DoubtsDoc::read(tx.engine(), tx.view, None)?.seeing(&known.looks);
        for fence in &fences {
            // The next stop ends the attempts that cannot be ended now.
            let signal = concluded.end(*fence);
            if let Ok(events) = self.end_weighed(tx, &signal, *fence, None, &mut doubts)? {
                self.run.header.forget_baselines(&events);
                concluded.events.extend(events);
            }
        }
        doubts.save(tx);
        if fences.is_empty() {
            concluded.events = self.end_unbegun(&concluded, facts);
        }
        standing.tell(tx, &id, concluded.events.clone());
        Ok((after_step(tx, &mut self.run)?, concluded))
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

    /// Returns the attempts that the driver shall judge as they are, because a person approved
    /// them. Begins the current unit again for this purpose if it had failed or was lost.
    pub(crate) fn hand_on(
        &mut self,
        mut held: Vec<(Fence, UnitId)>,
        words: &[Evidence],
        facts: &Facts,
        draft: &mut Draft,
    ) -> Vec<(Fence, UnitId)> {
        let is_of = |gate: &Gate| words.iter().any(|word| word.record.gate == gate.name.as_str());
        let unit = self.let_through(facts, is_of);
        let live = &mut self.run.live;
        let Some(unit) = unit.filter(|_| live.attempts().is_empty()) else { return held };
        let begin = Signal::Begin { unit: unit.id.clone(), agent: None, session: None };
        if let Ok(events) = live.step(&begin, facts) {
            let id = live.id().clone();
            draft.tell(&id, events);
            held.push((Fence(facts.seq), unit.id));
        }
        held
    }

    /// Returns the current unit if it failed, or if a person waived one of its gates.
    fn let_through(&self, facts: &Facts, is_waived: impl Fn(&Gate) -> bool) -> Option<Unit> {
        let live = &self.run.live;
        let is_through =
            |unit: &Unit| live.red_of(&unit.id).is_some() || unit.gates.iter().any(&is_waived);
        live.unit(facts).filter(is_through)
    }

    /// Ends the current unit if a person waived its gates after it failed or was lost, so that no
    /// agent has to begin it again.
    fn end_unbegun(&mut self, concluded: &Concluded, facts: &Facts) -> Vec<Event> {
        let is_waived = |gate: &Gate| {
            let mut receipts = concluded.receipts.iter();
            receipts.any(|one| one.verdict == Verdict::Waived && one.gate == gate.name)
        };
        let Some(unit) = self.let_through(facts, is_waived) else { return Vec::new() };
        let mut live = self.run.live.clone();
        let begin = Signal::Begin { unit: unit.id, agent: None, session: None };
        let Ok(mut events) = live.step(&begin, facts) else { return Vec::new() };
        // A waiver does not depend on the changed files, so the pass counts in full.
        let mut end = concluded.end(Fence(facts.seq));
        if let Signal::End { worth, .. } = &mut end {
            *worth = Some(Worth::Proven);
        }
        let Ok(ended) = live.step(&end, facts) else {
            return Vec::new();
        };
        if !ended.iter().filter_map(Event::ending).any(AttemptEnded::is_through) {
            return Vec::new();
        }
        self.run.live = live;
        events.extend(ended);
        events
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

pub(crate) fn runs(view: &View<'_>) -> Result<Vec<RunId>, EngineError> {
    let folder = DocPath::parse(".sprag/runs")?;
    match view.list(&folder) {
        Listing::Absent => Ok(Vec::new()),
        // Status shows entries that are not names of runs.
        Listing::Names(names) => {
            let runs = names.iter().filter(|name| *name != INIT);
            Ok(runs.filter_map(|name| RunId::parse(name).ok()).collect())
        }
        Listing::Unknown(why) => {
            Err(EngineError::Unreadable { path: folder.to_string(), why: why.to_string() })
        }
    }
}
