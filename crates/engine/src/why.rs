//! Explains why a session cannot stop, and why a tool is blocked.

use sprag_core::reporting::{GateEvidence, Limited};
use sprag_core::{Call, Facts, Hold, RunId, SessionId};
use sprag_store::View;

use crate::drive::limits;
use crate::engine::kind::{Kind, Kinds};
use crate::engine::{Engine, EngineError};
use crate::now::Now;
use crate::open_run::OpenRun;
use crate::run_file::Unusable;
use crate::run_file::runs;

/// The state of one run, for an explanation.
#[derive(Clone, Debug)]
pub struct RunExplanation {
    pub run: RunId,
    /// The position in one line.
    pub at: String,
    /// The session that drives it.
    pub owner: Option<SessionId>,
    /// The gates of the current unit, in order.
    pub gates: Vec<String>,
    pub evidence: GateEvidence,
    pub holds: Vec<Hold>,
    /// The limited hosts that it waits for.
    pub limits: Vec<Limited>,
    /// How many stops of its session were refused without progress.
    pub refused: u32,
}

impl Engine<'_> {
    /// Explains every open run, and returns the errors of unreadable runs.
    pub fn why(&self) -> Result<(Vec<RunExplanation>, Vec<String>), EngineError> {
        let now = Now::new(self);
        self.look(|view| {
            let Opened { cases, unread } = Opened::all(self.kinds, view, |_| true)?;
            let why = |(id, case)| self.why_of(view, &case, id, &now);
            Ok((cases.into_iter().map(why).collect::<Result<_, _>>()?, unread))
        })
    }

    fn why_of(
        &self,
        view: &View<'_>,
        case: &OpenRun,
        id: RunId,
        now: &Now<'_>,
    ) -> Result<RunExplanation, EngineError> {
        let evidence = self.gate_evidence(view, case, &id, now)?;
        let facts = Facts::new(now.at, view.seq(), self.judged_by(view, &id, now)?);
        let specs = case.run.live.specs().iter();
        Ok(RunExplanation {
            at: case.run.at(),
            owner: case.run.live.owner().cloned(),
            gates: specs.map(|spec| spec.gate.name.to_string()).collect(),
            evidence,
            holds: case.run.live.waiting(&facts).into_iter().map(|one| one.hold).collect(),
            limits: limits(view, case, now.at)?,
            refused: case.owner.as_ref().map_or(0, |(_, file)| file.idle),
            run: id,
        })
    }

    /// Returns for each open workflow why a tool is blocked in its phase, or `None` if it is not,
    /// and the errors of unreadable runs. Tools have different names at each host, so the call is
    /// built for the session that drives the run.
    pub fn why_tool(
        &self,
        call: impl Fn(Option<&SessionId>) -> Call,
    ) -> Result<(Vec<Blocks>, Vec<String>), EngineError> {
        self.look(|view| {
            let Opened { cases, unread } =
                Opened::all(self.kinds, view, |live| live.info().has_phases)?;
            let mut all = Vec::new();
            for (id, case) in cases {
                let call = call(case.run.live.owner());
                all.push((id, case.run.live.blocks(&call)));
            }
            Ok((all, unread))
        })
    }
}

/// A run, and why it blocks a tool, or `None` if it does not.
pub type Blocks = (RunId, Option<String>);

/// The open runs.
struct Opened {
    cases: Vec<(RunId, OpenRun)>,
    /// The errors of unreadable runs.
    unread: Vec<String>,
}

impl Opened {
    /// Opens the `wanted` ones of the open runs. If there is none, an unreadable run is an error, because it
    /// may be the one that holds the session.
    fn all(
        kinds: Kinds,
        view: &View<'_>,
        wanted: fn(&dyn Kind) -> bool,
    ) -> Result<Self, EngineError> {
        let (mut cases, mut unread) = (Vec::new(), Vec::new());
        for id in runs(view)? {
            match OpenRun::open(kinds, view, &id) {
                Ok(case) if case.run.header.ended.is_some() || !wanted(&*case.run.live) => {}
                Ok(case) => cases.push((id, case)),
                Err(EngineError::Run(Unusable::Absent(_))) => {}
                Err(error) => unread.push(error),
            }
        }
        match unread.pop() {
            Some(error) if cases.is_empty() => Err(error),
            last => {
                let unread = unread.iter().chain(&last).map(ToString::to_string).collect();
                Ok(Self { cases, unread })
            }
        }
    }
}
