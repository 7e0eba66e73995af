//! The baseline of a driven unit: recorded when it first begins.

use sprag_core::basis::{Consent, Worth};
use sprag_core::event::EndedBy;
use sprag_core::{Event, Facts, Fence, GateSpec, RunId, Unit};
use sprag_store::View;
use sprag_world::process;

use super::of_session;
use crate::agents_file::known_found;
use crate::draft::Draft;
use crate::engine::EngineError;
use crate::engine::kind::unit_of;
use crate::integrity::in_force::InForce;
use crate::integrity::law::{self, TakenLaw};
use crate::integrity::left_turns::TurnStart;
use crate::integrity::{
    Baseline, DoubtsDoc, Holder, OpenTurn, Opens, TurnFacts, TurnState, TurnUnit, Turns,
    UnitUnderJudgement, Weighing, unit_key,
};
use crate::now::Now;
use crate::open_run::OpenRun;
use crate::run_file::RunFile;

/// The prefix that marks a turn's files as those of a branch; the branch's name follows.
const BRANCH: &str = "branch ";

/// Opens the turn of an attempt in the project's own files. The baseline is recorded when the unit
/// first begins; a retry keeps it, updated with a person's changes since.
pub(crate) fn begins(
    view: &View<'_>,
    case: &mut OpenRun,
    (unit, fence, host): (&Unit, Fence, &str),
    now: &Now<'_>,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let mut turns = Turns::read(view)?;
    let mut doc = DoubtsDoc::read(now.engine, view, None)?;
    let (run, key) = (case.run.id().clone(), unit_key(case.run.id(), unit.id.as_str()));
    let law = law(view, &case.run, now, &InForce::begins(view, now, &key)?)?;
    turns.judge_others(&key, now, &mut doc)?;
    if turns.are_judged(now.engine.worktree()) {
        doc.settle(now);
    }
    let current = Baseline::take(now, specs(&case.run, unit), &case.run.live.reachable_specs())?
        .under(law.clone());
    let known = case.run.header.baselines.get(&unit.id);
    let known = known.and_then(|name| Baseline::kept(now.engine, *name));
    let (baseline, start) = match known {
        Some(mut known) => {
            let start = turns.take_persons(&key, &mut known, &current, (now, &mut doc))?;
            (known.under(law.clone()), start)
        }
        None => (current.clone(), TurnStart::Fresh),
    };
    doc.adopt(&current, now.engine);
    doc.save(draft);
    let found = match start {
        TurnStart::Fresh => current.keep(now.engine),
        TurnStart::GoesOn(found) => found.under(law.clone()).keep(now.engine),
    };
    let (Some(baseline), Some(found)) = (baseline.keep(now.engine), found) else { return Ok(()) };
    case.run.header.baselines.insert(unit.id.clone(), baseline);
    let turn = OpenTurn {
        baseline,
        found,
        worktree: now.engine.worktree().to_owned(),
        since: now.at,
        state: TurnState::Open,
        shared: false,
        holder: holder(&run, fence)?,
        unit: turn_unit(case, unit, host),
        law,
    };
    turns.open(&key, turn, now);
    now.engine.drive_sign(&run);
    turns.save(draft)
}

/// Opens the turn of an attempt in its own worktree. The baseline of its work is taken from the
/// branch at the merge; only the documents that judge it are recorded now.
pub(crate) fn begins_apart(
    view: &View<'_>,
    case: &OpenRun,
    (unit, fence, host): (&Unit, Fence, &str),
    branch: &str,
    now: &Now<'_>,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let mut turns = Turns::read(view)?;
    let (run, key) = (case.run.id(), unit_key(case.run.id(), unit.id.as_str()));
    let law = match turns.get(&key) {
        // It continues an earlier driver's turn.
        Some(turn) if !turn.law.is_unknown() => turn.law.clone(),
        // An attempt that was sent back is judged by the texts from before the doubt.
        Some(_) | None => law(view, &case.run, now, &InForce::read(view)?)?.seen_from_a_branch(),
    };
    let Some(baseline) = Baseline::of_law(law.clone()).keep(now.engine) else { return Ok(()) };
    let turn = OpenTurn {
        baseline,
        found: baseline,
        worktree: format!("{BRANCH}{branch}"),
        since: now.at,
        state: TurnState::Open,
        shared: false,
        holder: holder(run, fence)?,
        unit: turn_unit(case, unit, host),
        law,
    };
    turns.note_commits(&key, now);
    turns.put(&key, turn);
    turns.save(draft)
}

/// Records the documents in force that a run is judged by.
fn law(
    view: &View<'_>,
    run: &RunFile,
    now: &Now<'_>,
    in_force: &InForce,
) -> Result<TakenLaw, EngineError> {
    let docs = law::documents(view, now.engine.place, std::iter::once(run))?;
    Ok(TakenLaw::take(view, now, &docs, in_force))
}

/// Records the baseline of the current unit in a session's run.
pub(crate) fn enters(
    view: &View<'_>,
    run: &mut RunFile,
    facts: &Facts,
    now: &Now<'_>,
) -> Result<(), EngineError> {
    // A guard uses its session's baseline, and a driver begins its own units.
    if run.live.owner().is_none() || run.has_driver() || run.live.info().is_guard {
        return Ok(());
    }
    let Some(unit) = run.live.unit(facts) else { return Ok(()) };
    if unit.gates.is_empty() || run.header.baselines.contains_key(&unit.id) {
        return Ok(());
    }
    let law = law(view, run, now, &InForce::read(view)?)?;
    let baseline = Baseline::take(now, specs(run, &unit), &run.live.reachable_specs())?.under(law);
    run.header.baselines.extend(baseline.keep(now.engine).map(|name| (unit.id, name)));
    Ok(())
}

/// Records the baseline of a unit in its own worktree: the branch before its work is merged.
/// Others' work in the branch is not its own.
pub(crate) fn takes_branch(
    view: &View<'_>,
    case: &mut OpenRun,
    (unit, branch): (&Unit, &str),
    now: &Now<'_>,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let mut docs = law::documents(view, now.engine.place, std::iter::once(&case.run))?;
    // After a merge, the set-up's scripts create the next worktree.
    docs.extend(law::scripts_of(case.law.config.worktree.setup.iter().map(Vec::as_slice)));
    let law = TakenLaw::take(view, now, &docs, &InForce::read(view)?);
    let baseline =
        Baseline::take(now, specs(&case.run, unit), &case.run.live.reachable_specs())?.under(law);
    let mut doc = DoubtsDoc::read(now.engine, view, Some(branch))?;
    doc.adopt(&baseline, now.engine);
    doc.save(draft);
    if let Some(name) = baseline.keep(now.engine) {
        case.run.header.baselines.insert(unit.id.clone(), name);
    }
    Ok(())
}

/// How far the work of a turn got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TurnCame {
    /// It passed.
    Through,
    /// Its gates pass, but after weighing it is sent back.
    Weighed,
    /// A gate refused it, or it waits for a person.
    Refused,
}

impl TurnCame {
    /// Derives the result from the kernel's events.
    pub(crate) fn of(events: &[Event]) -> Self {
        let mut ends = events.iter().filter_map(Event::ending);
        match ends.next() {
            Some(end) if end.is_through() => Self::Through,
            Some(end) if end.how == EndedBy::SentBack => Self::Weighed,
            Some(_) | None => Self::Refused,
        }
    }
}

/// The turn of an attempt that is about to be judged.
pub(crate) struct TurnAtAttempt {
    run: RunId,
    key: String,
    /// Its gates; after the judgement, the run may be at another unit.
    gates: Vec<GateSpec>,
    /// All gates of its run.
    all: Vec<GateSpec>,
}

impl TurnAtAttempt {
    pub(crate) fn of(case: &OpenRun, fence: Fence, facts: &Facts) -> Self {
        let unit = unit_of(&*case.run.live, fence, facts);
        let name = unit.as_ref().map(|unit| unit.id.as_str()).unwrap_or_default();
        let (run, key) = (case.run.id().clone(), unit_key(case.run.id(), name));
        let gates = unit.iter().flat_map(|unit| specs(&case.run, unit).cloned()).collect();
        Self { run, key, gates, all: case.run.live.reachable_specs() }
    }

    /// Closes the turn. A passed turn is removed; one with a retry stores the state that later
    /// changes are compared with.
    pub(crate) fn judged(
        &self,
        view: &View<'_>,
        came: TurnCame,
        now: &Now<'_>,
        draft: &mut Draft,
    ) -> Result<(), EngineError> {
        let mut turns = Turns::read(view)?;
        let Some(turn) = turns.get(&self.key).cloned() else { return Ok(()) };
        turns.note_commits(&self.key, now);
        if turn.worktree.starts_with(BRANCH) {
            match came {
                TurnCame::Through => drop(turns.remove(&self.key)),
                TurnCame::Weighed => turns.stop(&self.key, turn.baseline, now.at, true),
                TurnCame::Refused => turns.stop(&self.key, turn.baseline, now.at, false),
            }
            return turns.save(draft);
        }
        let left = turn.law.as_it_is(now.engine);
        let left = Baseline::take(now, &self.gates, &self.all)?.under(left);
        if let Some(found) = Baseline::kept(now.engine, turn.found) {
            let edits = known_found(view, &self.run)?.0.map(|found| found.edits);
            let persons = |path: &str| {
                let lines = edits.as_ref().map(|edits| edits.added(path).to_string());
                lines.filter(|lines| !lines.is_empty())
            };
            turns.note_left(now.engine, &found, &left, persons);
        }
        match left.keep(now.engine).filter(|_| came != TurnCame::Through) {
            Some(left) => turns.stop(&self.key, left, now.at, came == TurnCame::Weighed),
            None => drop(turns.remove(&self.key)),
        }
        turns.save(draft)
    }
}

fn holder(run: &RunId, fence: Fence) -> Result<Holder, EngineError> {
    let effect = crate::agents_file::effect(run, fence)?;
    Ok(Holder {
        process: Some(process::identity(&std::process::id().to_string())),
        session: None,
        marks: vec![format!("{}={effect}", process::EFFECT)],
    })
}

fn turn_unit(case: &OpenRun, unit: &Unit, host: &str) -> TurnUnit {
    TurnUnit {
        run: Some(case.run.id().clone()),
        host: Some(host.to_owned()),
        may_change: may_change(case, unit),
        tests: case.law.config.tests,
    }
}

/// Returns the consents that persons gave beforehand, as typed.
fn may_change(case: &OpenRun, unit: &Unit) -> Vec<String> {
    let guard = case.law.config.guard.as_ref().filter(|_| case.run.live.info().is_guarded);
    let guard = guard.into_iter().flat_map(|guard| &guard.may_change);
    let mut all: Vec<String> = guard.map(|may| may.as_str().to_owned()).collect();
    all.extend(case.run.header.may_change.iter().cloned());
    all.extend(case.run.live.may_change(&unit.id).iter().filter_map(Consent::as_typed));
    all
}

fn specs<'r>(run: &'r RunFile, unit: &'r Unit) -> impl Iterator<Item = &'r GateSpec> {
    let specs = run.live.specs().iter();
    specs.filter(|spec| unit.gates.iter().any(|gate| gate.name == spec.gate.name))
}

/// Weighs a pass of a unit. `None` if `doubts` needs a second look first.
pub(crate) fn weigh(
    view: &View<'_>,
    case: &OpenRun,
    unit: &Unit,
    (host, said): (Option<&str>, Option<&str>),
    now: &Now<'_>,
    doubts: &mut DoubtsDoc,
) -> Result<Option<Worth>, EngineError> {
    let run = &case.run;
    let turns = Turns::read(view)?;
    let turn = turns.get(&unit_key(run.id(), unit.id.as_str()));
    let is_apart = |turn: &&OpenTurn| turn.worktree.starts_with(BRANCH);
    let mut recorded = law::recorded(view, now.engine, run);
    recorded
        .project
        .extend(turn.filter(is_apart).into_iter().flat_map(|turn| turn.law.project.clone()));
    let facts = match (&case.owner, turn.filter(|turn| !is_apart(turn))) {
        (_, Some(turn)) => turn.own_facts(now),
        (Some((session, file)), _) => of_session::facts(&turns, session, file, now),
        (None, _) => TurnFacts::alone(),
    };
    let may_change = may_change(case, unit);
    let of_session = || case.owner.as_ref().and_then(|(_, file)| file.baseline);
    let mut consents: Vec<Consent> = crate::integrity::parsed(&may_change).collect();
    if let Some((_, file)) = &case.owner {
        consents.extend(crate::integrity::parsed(&file.may_change));
    }
    let judged = UnitUnderJudgement {
        run: Some(run.id()),
        host,
        said,
        gates: unit.gates.iter().map(|gate| gate.name.to_string()).collect(),
        specs: specs(run, unit).collect(),
        baseline: run.header.baselines.get(&unit.id).copied().or_else(of_session),
        recorded,
        consents,
        sent_back: run.live.sent_back(&unit.id).cloned(),
        tests: case.law.config.tests,
        facts,
        turns: &turns,
        opens: Opens::All,
    };
    match judged.weigh(now, doubts)? {
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
