//! What a session is compared with: taken when it begins, and kept up with what persons change
//! between its turns.

use sprag_core::GateSpec;
use sprag_core::basis::{Consent, Doubts, Turn, Worth};
use sprag_store::View;

use super::collect::{modified_at, open_tool};
use super::doubts::shown;
use super::{
    Baseline, DoubtsDoc, OpenTurn, TurnFacts, TurnState, Turns, UnitUnderJudgement, Weighing,
};
use crate::engine::EngineError;
use crate::run_file::RunFile;
use crate::sitting::{Now, Sitting};
use crate::tx::Draft;

/// How many inputs in doubt are named to a person.
const NAMED: usize = 5;

/// Returns every gate that a session may be judged by.
fn gates(sitting: &Sitting) -> Vec<&GateSpec> {
    let of_runs = sitting.runs.iter().flat_map(|run| run.live.specs());
    sitting.specs().iter().chain(of_runs).collect()
}

/// Takes what a session that begins is compared with.
pub(crate) fn begins(
    view: &View<'_>,
    sitting: &mut Sitting,
    now: &Now<'_>,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    if sitting.file.baseline.is_some() || gates(sitting).is_empty() {
        return Ok(());
    }
    let mut turns = Turns::read(view)?;
    let worktree = now.engine.worktree();
    let mut doubts = DoubtsDoc::read(now.engine, view, None)?;
    if !turns.is_anybody_at_work(worktree, now.at) {
        doubts.settle(now);
        doubts.save(draft);
    }
    let mut baseline = Baseline::take(now, gates(sitting))?;
    turns.hand_over(sitting.id.as_str(), &mut baseline, now);
    sitting.file.baseline = baseline.keep(now.engine);
    turns.save(draft)
}

/// Opens a turn: a person spoke. What changed since the last one is the person's, as far as it can
/// be told.
pub(crate) fn prompted(
    view: &View<'_>,
    sitting: &mut Sitting,
    now: &Now<'_>,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    if sitting.file.driven.is_some() || gates(sitting).is_empty() {
        return Ok(());
    }
    begins(view, sitting, now, draft)?;
    let Some(name) = sitting.file.baseline else { return Ok(()) };
    let Some(mut baseline) = Baseline::kept(now.engine, name) else { return Ok(()) };
    let mut turns = Turns::read(view)?;
    let (own, worktree) = (sitting.id.as_str().to_owned(), now.engine.worktree());
    if !turns.is_another_at_work(&own, worktree, now.at) {
        let mut doubts = DoubtsDoc::read(now.engine, view, None)?;
        let is_open = turns.get(&own).is_some_and(|turn| turn.state == TurnState::Open);
        if !is_open {
            doubts.settle(now);
            doubts.save(draft);
        }
    }
    let state = &now.engine.place.state;
    let last_call = modified_at(state, &format!(".sprag/sessions/{own}.json"));
    let current = Baseline::take(now, gates(sitting))?;
    let tool = open_tool(now, &own);
    turns.take_persons(&own, last_call, tool, &mut baseline, (&current, now));
    let kept = baseline.keep(now.engine).unwrap_or(name);
    sitting.file.baseline = Some(kept);
    let turn = OpenTurn {
        baseline: kept,
        worktree: worktree.to_owned(),
        process: sitting.file.process.clone(),
        since: now.at,
        state: TurnState::Open,
    };
    turns.set(&own, turn);
    turns.save(draft)
}

/// Weighs the passes of a run of this session, or of all that it is judged by. Returns nothing where
/// `doubts` wants a second look first.
pub(crate) fn weigh(
    view: &View<'_>,
    sitting: &Sitting,
    run: Option<(&RunFile, &sprag_core::Unit)>,
    said: Option<&str>,
    now: &Now<'_>,
    doubts: &mut DoubtsDoc,
) -> Result<Option<Worth>, EngineError> {
    let turns = Turns::read(view)?;
    let own = sitting.id.as_str();
    let others = turns.is_another_at_work(own, now.engine.worktree(), now.at);
    let facts = TurnFacts { turn: Turn::Open, others, touched: sitting.file.touched.clone() };
    let guard = sitting.file.guard.clone();
    let Some(id) = run.map(|(run, _)| run.id().clone()).or(guard) else {
        return Ok(Some(Worth::Proven));
    };
    let of_run = run.and_then(|(run, unit)| run.header.baselines.get(&unit.id).copied());
    let baseline = of_run.or(sitting.file.baseline);
    let (specs, gates): (Vec<&GateSpec>, _) = match run {
        Some((run, unit)) => {
            let names = unit.gates.iter().map(|gate| gate.name.to_string()).collect();
            (run.live.specs().iter().collect(), names)
        }
        None => {
            let all = gates(sitting);
            let names = all.iter().map(|spec| spec.gate.name.to_string()).collect();
            (all, names)
        }
    };
    let unit = UnitUnderJudgement {
        run: &id,
        host: host(own),
        said,
        gates,
        specs,
        baseline,
        consents: consents(sitting, run),
        sent_back: run.and_then(|(run, unit)| run.live.sent_back(&unit.id).cloned()),
        tests: sitting.law.config.tests,
        facts,
    };
    let weighed = match (unit.weigh(now, &doubts.doubts, &doubts.looks)?, run) {
        (Weighing::Undecided(_, look), Some(_)) => {
            doubts.want(*look);
            return Ok(None);
        }
        // No gate passed, so none is looked at again.
        (Weighing::Done(weighed), _) | (Weighing::Undecided(weighed, _), None) => weighed,
    };
    match run {
        Some((run, unit)) => doubts.take(run.id(), &unit.id, &weighed),
        // No unit passed, so no verdict rests on it.
        None => doubts.doubts.clone_from(&weighed.doubts),
    }
    Ok(Some(weighed.worth))
}

/// Closes the turn of a session whose stop is allowed: whatever it leaves in doubt is remembered,
/// also where no gate passed.
pub(crate) fn stopped(
    view: &View<'_>,
    sitting: &Sitting,
    now: &Now<'_>,
    mut doubts: DoubtsDoc,
    draft: &mut Draft,
) -> Result<Vec<String>, EngineError> {
    let Some(name) = sitting.file.baseline.filter(|_| sitting.file.driven.is_none()) else {
        return Ok(Vec::new());
    };
    if sitting.file.worked {
        weigh(view, sitting, None, None, now, &mut doubts)?;
    }
    doubts.save(draft);
    let said = if sitting.file.worked { told(&doubts.doubts, sitting) } else { Vec::new() };
    let mut turns = Turns::read(view)?;
    let left = Baseline::take(now, gates(sitting))?.keep(now.engine).unwrap_or(name);
    let turn = OpenTurn {
        baseline: name,
        worktree: now.engine.worktree().to_owned(),
        process: sitting.file.process.clone(),
        since: now.at,
        state: TurnState::Stopped { left },
    };
    turns.set(sitting.id.as_str(), turn);
    turns.save(draft)?;
    Ok(said)
}

/// Says to the person what is done and not proven.
fn told(doubts: &Doubts, sitting: &Sitting) -> Vec<String> {
    let Some(run) = sitting.file.guard.as_ref().or(sitting.file.runs.first()) else {
        return Vec::new();
    };
    let mut said = Vec::new();
    for doubt in doubts.iter().take(NAMED) {
        let by = doubt.host.as_deref().unwrap_or("an agent");
        let gate = doubt.gate.as_deref().unwrap_or("a gate");
        let why = doubt.said.as_deref().map_or_else(String::new, |why| format!(" (\"{why}\")"));
        said.push(format!("{by} changed {}, which {gate} depends on{why}", shown(&doubt.key)));
    }
    let more = doubts.iter().count().saturating_sub(NAMED);
    said.extend((more > 0).then(|| format!("{more} more files changed")));
    if said.is_empty() {
        return Vec::new();
    }
    vec![format!("done, not proven: {}. Review: sprag approve {run}", said.join("; "))]
}

/// Returns what persons agreed to beforehand.
fn consents(sitting: &Sitting, run: Option<(&RunFile, &sprag_core::Unit)>) -> Vec<Consent> {
    let guard = sitting.guard().map(|guard| guard.may_change.clone()).unwrap_or_default();
    let mut all: Vec<Consent> = guard.iter().map(Consent::from).collect();
    all.extend(super::parsed(&sitting.file.may_change));
    if let Some((run, unit)) = run {
        all.extend(super::parsed(&run.header.may_change));
        all.extend(run.live.may_change(&unit.id));
    }
    all
}

/// Returns the host of a session, by its name.
fn host(session: &str) -> Option<&str> {
    session.split_once('-').map(|(host, _)| host)
}
