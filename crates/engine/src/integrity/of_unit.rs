//! What a unit of a driven run is compared with: taken when it is first begun.

use sprag_core::basis::{Consent, Worth};
use sprag_core::{Facts, Fence, GateSpec, RunId, Unit};
use sprag_store::View;

use super::{
    Baseline, DoubtsDoc, OpenTurn, TurnFacts, TurnState, Turns, UnitUnderJudgement, Weighing,
};
use crate::case::Case;
use crate::engine::EngineError;
use crate::live::Live;
use crate::run_file::RunFile;
use crate::sitting::Now;
use crate::tx::Draft;

/// Returns what the turn at an attempt of a driven run is called.
pub(crate) fn turn_key(run: &RunId, fence: Fence) -> String {
    format!("{run}/{}", fence.0.0)
}

/// Takes what a unit is compared with when it is first begun; one that is tried again keeps what it
/// has.
pub(crate) fn begins(
    view: &View<'_>,
    run: &mut RunFile,
    (unit, fence): (&Unit, Fence),
    now: &Now<'_>,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let mut turns = Turns::read(view)?;
    let key = turn_key(run.id(), fence);
    let name = if let Some(name) = run.header.baselines.get(&unit.id) {
        *name
    } else {
        let mut baseline = Baseline::take(now, specs(run, unit))?;
        turns.hand_over(&key, &mut baseline, now);
        let Some(name) = baseline.keep(now.engine) else { return Ok(()) };
        run.header.baselines.insert(unit.id.clone(), name);
        name
    };
    let turn = OpenTurn {
        baseline: name,
        worktree: now.engine.worktree().to_owned(),
        process: None,
        since: now.at,
        state: TurnState::Open,
    };
    turns.set(&key, turn);
    turns.save(draft)
}

/// Takes what the unit at hand in a run of a session is compared with. `own` names the turn whose
/// earlier units were judged; what the agents of other turns left is taken over.
pub(crate) fn enters(
    view: &View<'_>,
    run: &mut RunFile,
    own: &str,
    facts: &Facts,
    now: &Now<'_>,
) -> Result<(), EngineError> {
    // A guard is compared with what its session began with.
    if run.has_driver() || matches!(run.live, Live::Guard(_)) {
        return Ok(());
    }
    let Some(unit) = run.live.unit(facts) else { return Ok(()) };
    if unit.gates.is_empty() || run.header.baselines.contains_key(&unit.id) {
        return Ok(());
    }
    let mut baseline = Baseline::take(now, specs(run, &unit))?;
    Turns::read(view)?.hand_over(own, &mut baseline, now);
    run.header.baselines.extend(baseline.keep(now.engine).map(|name| (unit.id, name)));
    Ok(())
}

fn specs<'r>(run: &'r RunFile, unit: &'r Unit) -> impl Iterator<Item = &'r GateSpec> {
    let specs = run.live.specs().iter();
    specs.filter(|spec| unit.gates.iter().any(|gate| gate.name == spec.gate.name))
}

/// Weighs a pass of a unit. Returns nothing where `doubts` wants a second look first.
pub(crate) fn weigh(
    case: &Case,
    unit: &Unit,
    (host, said): (Option<&str>, Option<&str>),
    now: &Now<'_>,
    doubts: &mut DoubtsDoc,
) -> Result<Option<Worth>, EngineError> {
    let run = &case.run;
    let guard = case.law.config.guard.as_ref().filter(|_| run.header.source.is_guarded());
    let mut consents: Vec<Consent> =
        guard.into_iter().flat_map(|guard| guard.may_change.iter().map(Consent::from)).collect();
    consents.extend(super::parsed(&run.header.may_change));
    consents.extend(run.live.may_change(&unit.id));
    let of_session = || case.owner.as_ref().and_then(|(_, file)| file.baseline);
    let judged = UnitUnderJudgement {
        run: run.id(),
        host,
        said,
        gates: unit.gates.iter().map(|gate| gate.name.to_string()).collect(),
        specs: specs(run, unit).collect(),
        baseline: run.header.baselines.get(&unit.id).copied().or_else(of_session),
        consents,
        sent_back: run.live.sent_back(&unit.id).cloned(),
        tests: case.law.config.tests,
        facts: TurnFacts::alone(),
    };
    match judged.weigh(now, &doubts.doubts, &doubts.looks)? {
        Weighing::Undecided(_, look) => {
            doubts.want(*look);
            Ok(None)
        }
        Weighing::Done(weighed) => {
            doubts.take(run.id(), &unit.id, &weighed);
            Ok(Some(weighed.worth))
        }
    }
}
