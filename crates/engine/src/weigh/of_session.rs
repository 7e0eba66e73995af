//! The baseline of a session: recorded when it begins, and updated with persons' changes between
//! its turns.

use sprag_core::basis::{Consent, Doubts, Role, Worth};
use sprag_core::{GateSpec, SessionId, Time};
use sprag_store::View;
use sprag_world::process;

use super::session_edits;
use crate::draft::Draft;
use crate::engine::{Engine, EngineError};
use crate::integrity::doubts::shown;
use crate::integrity::in_force::InForce;
use crate::integrity::law::{self, TakenLaw};
use crate::integrity::left_turns::TurnStart;
use crate::integrity::{
    Baseline, DoubtsDoc, Holder, OpenTurn, Opens, TurnFacts, TurnState, TurnUnit, Turns,
    UnitUnderJudgement, Weighing, session_key,
};
use crate::now::Now;
use crate::run_file::RunFile;
use crate::session::SessionFile;
use crate::snapshot::Snapshot;

/// How many inputs in doubt a message names.
const NAMED: usize = 5;

/// Returns every gate that may judge a session.
fn gates(sitting: &Snapshot) -> Vec<&GateSpec> {
    let of_runs = sitting.runs.iter().flat_map(|run| run.live.specs());
    sitting.specs().iter().chain(of_runs).collect()
}

/// Returns whether a session has a baseline: not if its driver judges it, or nothing does.
fn is_compared(sitting: &Snapshot) -> bool {
    let is_judged = !gates(sitting).is_empty() || sitting.file.config.is_some();
    sitting.file.driven.is_none() && is_judged
}

/// Returns whether a person's uncommitted edits are watched: without gates nothing is ever proven.
fn is_watched(sitting: &Snapshot) -> bool {
    !gates(sitting).is_empty()
}

/// Records the documents in force that a session is judged by.
fn law(
    view: &View<'_>,
    sitting: &Snapshot,
    now: &Now<'_>,
    in_force: &InForce,
) -> Result<TakenLaw, EngineError> {
    let docs = law::documents(view, now.engine.place, sitting.runs.iter())?;
    Ok(TakenLaw::take(view, now, &docs, in_force))
}

/// Records the baseline of a session: its documents, and the inputs of its gates if it has any.
fn taken(sitting: &Snapshot, now: &Now<'_>, law: TakenLaw) -> Result<Baseline, EngineError> {
    if gates(sitting).is_empty() {
        return Ok(Baseline::of_law(law));
    }
    let later: Vec<GateSpec> =
        sitting.runs.iter().flat_map(|run| run.live.reachable_specs()).collect();
    Ok(Baseline::take(now, gates(sitting), &later)?.under(law))
}

/// Returns whether a document that judges a session differs from its baseline.
pub(crate) fn is_law_changed(sitting: &Snapshot, now: &Now<'_>) -> bool {
    let kept = sitting.file.baseline.and_then(|name| Baseline::kept(now.engine, name));
    kept.is_some_and(|kept| kept.law != kept.law.as_it_is(now.engine))
}

/// Records the baseline of a session that begins.
pub(crate) fn begins(
    view: &View<'_>,
    sitting: &mut Snapshot,
    now: &Now<'_>,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    if sitting.file.baseline.is_some() || !is_compared(sitting) {
        return Ok(());
    }
    let (mut turns, mut doc) = (Turns::read(view)?, DoubtsDoc::read(now.engine, view, None)?);
    take(view, sitting, now, &mut turns, &mut doc)?;
    doc.save(draft);
    turns.save(draft)
}

fn take(
    view: &View<'_>,
    sitting: &mut Snapshot,
    now: &Now<'_>,
    turns: &mut Turns,
    doc: &mut DoubtsDoc,
) -> Result<Option<Baseline>, EngineError> {
    let in_force = InForce::begins(view, now, &key(sitting, now))?;
    look_at_others(sitting, now, turns, doc)?;
    let baseline = taken(sitting, now, law(view, sitting, now, &in_force)?)?;
    doc.adopt(&baseline, now.engine);
    sitting.file.baseline = baseline.keep(now.engine);
    if is_watched(sitting) {
        session_edits::begins(&mut sitting.file, now, turns)?;
    }
    Ok(sitting.file.baseline.map(|_| baseline))
}

/// Judges the changes of others in these files, and accepts texts that a person committed.
fn look_at_others(
    sitting: &Snapshot,
    now: &Now<'_>,
    turns: &mut Turns,
    doc: &mut DoubtsDoc,
) -> Result<(), EngineError> {
    turns.judge_others(&key(sitting, now), now, doc)?;
    if turns.are_judged(now.engine.worktree()) {
        doc.settle(now);
    }
    Ok(())
}

fn key(sitting: &Snapshot, now: &Now<'_>) -> String {
    session_key(&sitting.id, now.engine.worktree())
}

/// Opens a turn when a person sends a prompt. Changes since the last turn are the person's, as far
/// as that can be determined.
pub(crate) fn prompted(
    view: &View<'_>,
    sitting: &mut Snapshot,
    now: &Now<'_>,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    if !is_compared(sitting) {
        return Ok(());
    }
    let (mut turns, mut doc) = (Turns::read(view)?, DoubtsDoc::read(now.engine, view, None)?);
    let own = key(sitting, now);
    let known = sitting.file.baseline.and_then(|name| Baseline::kept(now.engine, name));
    let is_first = turns.get(&own).is_none() && !sitting.file.worked;
    let found = match known {
        Some(mut baseline) if !is_first => {
            let in_force = InForce::begins(view, now, &own)?;
            look_at_others(sitting, now, &mut turns, &mut doc)?;
            let current = taken(sitting, now, law(view, sitting, now, &in_force)?)?;
            let start = turns.take_persons(&own, &mut baseline, &current, (now, &mut doc))?;
            baseline.law.clone_from(&current.law);
            sitting.file.baseline = baseline.keep(now.engine).or(sitting.file.baseline);
            match start {
                TurnStart::Fresh => {
                    sitting.file.touched.clear();
                    if is_watched(sitting) {
                        session_edits::begins(&mut sitting.file, now, &turns)?;
                    }
                    Some(current)
                }
                TurnStart::GoesOn(found) => {
                    let facts = turns.get(&own).map(|turn| turn.facts(true, now));
                    let is_persons = |path: &str| {
                        let whose = facts.as_ref().map(|facts| facts.whose(path, now));
                        whose.is_some_and(|whose| whose.author.is_trusted())
                    };
                    session_edits::goes_on(&mut sitting.file, now, is_persons);
                    Some(found.under(current.law))
                }
            }
        }
        // Its baseline was lost; it is not replaced, and so nothing is proven.
        None if sitting.file.baseline.is_some() => None,
        Some(_) | None => take(view, sitting, now, &mut turns, &mut doc)?,
    };
    doc.save(draft);
    sitting.file.stopped = false;
    open(sitting, found.as_ref(), now, &mut turns);
    turns.save(draft)
}

/// Opens a turn without a prompt, before a tool changes files: the session moved to other files
/// during a turn, or its agent continues after an allowed stop.
pub(crate) fn works(
    view: &View<'_>,
    sitting: &mut Snapshot,
    now: &Now<'_>,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let is_new = sitting.file.baseline.is_none();
    if !(is_new || sitting.file.stopped) || !is_compared(sitting) {
        return Ok(());
    }
    let mut turns = Turns::read(view)?;
    if std::mem::take(&mut sitting.file.stopped) {
        turns.reopen(&key(sitting, now), now.at);
        return turns.save(draft);
    }
    let mut doc = DoubtsDoc::read(now.engine, view, None)?;
    let found = take(view, sitting, now, &mut turns, &mut doc)?;
    doc.save(draft);
    open(sitting, found.as_ref(), now, &mut turns);
    turns.save(draft)
}

/// Opens a turn of a session with these inputs.
fn open(sitting: &Snapshot, found: Option<&Baseline>, now: &Now<'_>, turns: &mut Turns) {
    let law = found.map(|found| found.law.clone()).unwrap_or_default();
    let found = found.and_then(|found| found.keep(now.engine));
    let (Some(baseline), Some(found)) = (sitting.file.baseline, found) else { return };
    let own = key(sitting, now);
    let before = turns.get(&own).filter(|turn| turn.is_unjudged());
    let shared = before.is_some_and(|turn| turn.shared);
    let turn = turn(sitting, (baseline, found), shared, TurnState::Open, now);
    turns.open(&own, OpenTurn { law, ..turn }, now);
}

fn turn(
    sitting: &Snapshot,
    (baseline, found): (sprag_core::Hash, sprag_core::Hash),
    shared: bool,
    state: TurnState,
    now: &Now<'_>,
) -> OpenTurn {
    let session = sitting.id.as_str();
    let guard = sitting.guard().map(|guard| &guard.may_change[..]).unwrap_or_default();
    let guard = guard.iter().map(|may| may.as_str().to_owned());
    let of_runs = sitting.runs.iter().flat_map(|run| run.header.may_change.iter().cloned());
    OpenTurn {
        baseline,
        found,
        worktree: now.engine.worktree().to_owned(),
        since: now.at,
        state,
        shared,
        holder: holder(session, sitting.file.process.clone()),
        unit: TurnUnit {
            run: sitting.file.guard.clone().or_else(|| sitting.file.runs.first().cloned()),
            host: host(session).map(str::to_owned),
            may_change: guard.chain(of_runs).chain(sitting.file.may_change.clone()).collect(),
            tests: sitting.law.config.tests,
        },
        law: TakenLaw::default(),
    }
}

/// Ends the turns of a session that ends. `heard` is its last sign of life.
pub(crate) fn ends(
    view: &View<'_>,
    session: &SessionId,
    heard: Time,
    engine: &Engine<'_>,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let mut turns = Turns::read(view)?;
    let tool = engine.open_tool(session.as_str());
    for key in turns.keys_of(session) {
        turns.end(&key, heard, tool);
    }
    turns.save(draft)
}

/// Transfers the turns of a session to its successor in the same process.
pub(crate) fn follows(
    view: &View<'_>,
    (before, after): (&SessionId, &SessionId),
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let mut turns = Turns::read(view)?;
    for key in turns.keys_of(before) {
        let Some(mut turn) = turns.remove(&key) else { continue };
        let known = holder(after.as_str(), turn.holder.process.take());
        // Processes of the previous session still have its name.
        let marks = known.marks.iter().chain(&turn.holder.marks).cloned().collect();
        let new = session_key(after, &turn.worktree);
        turn.holder = Holder { marks, ..known };
        turns.put(&new, turn);
    }
    turns.save(draft)
}

fn holder(session: &str, process: Option<String>) -> Holder {
    let marks = process::session_marks(session);
    Holder { process, session: Some(session.to_owned()), marks }
}

/// Returns the facts about a session's turn.
pub(crate) fn facts(
    turns: &Turns,
    session: &SessionId,
    file: &SessionFile,
    now: &Now<'_>,
) -> TurnFacts {
    let own = session_key(session, now.engine.worktree());
    let known = turns.get(&own).map_or_else(TurnFacts::alone, |turn| turn.own_facts(now));
    let others = known.others || turns.is_another_at_work(&own, now);
    TurnFacts { others, touched: file.touched.clone(), ..known }
}

/// Weighs the passes of one run of this session, or of everything that judges it. `None` if
/// `doubts` needs a second look first.
pub(crate) fn weigh(
    view: &View<'_>,
    sitting: &Snapshot,
    run: Option<(&RunFile, &sprag_core::Unit)>,
    said: Option<&str>,
    now: &Now<'_>,
    doubts: &mut DoubtsDoc,
) -> Result<Option<Worth>, EngineError> {
    let turns = Turns::read(view)?;
    let guard = sitting.file.guard.clone();
    let id = run.map(|(run, _)| run.id().clone()).or(guard);
    let of_run = run.and_then(|(run, unit)| run.header.baselines.get(&unit.id).copied());
    let baseline = of_run.or(sitting.file.baseline).or_else(|| sitting.file.baseline_at_home());
    let specs = run.map_or_else(|| gates(sitting), |(run, _)| run.live.specs().iter().collect());
    let gates = match run {
        Some((_, unit)) => unit.gates.iter().map(|gate| gate.name.to_string()).collect(),
        None => specs.iter().map(|spec| spec.gate.name.to_string()).collect(),
    };
    let unit = UnitUnderJudgement {
        run: id.as_ref(),
        host: host(sitting.id.as_str()),
        said,
        gates,
        specs,
        baseline,
        recorded: run.map(|(run, _)| law::recorded(view, now.engine, run)).unwrap_or_default(),
        consents: consents(sitting, run),
        sent_back: run.and_then(|(run, unit)| run.live.sent_back(&unit.id).cloned()),
        tests: sitting.law.config.tests,
        facts: facts(&turns, &sitting.id, &sitting.file, now),
        turns: &turns,
        opens: Opens::All,
    };
    let weighed = match (unit.weigh(now, doubts)?, run) {
        (Weighing::Undecided(_, look), Some(_)) => {
            doubts.want(*look);
            return Ok(None);
        }
        // No gate passed, so no second look is needed.
        (Weighing::Done(weighed), _) | (Weighing::Undecided(weighed, _), None) => weighed,
    };
    match run {
        Some((run, unit)) => doubts.take(run.id(), &unit.id, &weighed),
        // No unit passed, so no verdict depends on it.
        None => doubts.doubts.clone_from(&weighed.doubts),
    }
    Ok(Some(weighed.worth))
}

/// Closes the turn of a session whose stop is allowed, and records its doubts, even if no gate
/// passed.
pub(crate) fn stopped(
    view: &View<'_>,
    sitting: &mut Snapshot,
    now: &Now<'_>,
    mut doubts: DoubtsDoc,
    draft: &mut Draft,
) -> Result<PersonMessages, EngineError> {
    let Some(name) = sitting.file.baseline.filter(|_| is_compared(sitting)) else {
        return Ok(PersonMessages::default());
    };
    let law = Baseline::kept(now.engine, name).map(|baseline| baseline.law).unwrap_or_default();
    let left_law = law.as_it_is(now.engine);
    let is_judged = sitting.file.worked || law != left_law;
    if is_judged {
        weigh(view, sitting, None, None, now, &mut doubts)?;
    }
    doubts.save(draft);
    let doubted = if is_judged { told(&doubts.doubts, sitting) } else { Vec::new() };
    let (mut turns, own) = (Turns::read(view)?, key(sitting, now));
    let found = turns.get(&own).and_then(|turn| turn.recall(now.engine));
    let left = taken(sitting, now, left_law)?;
    turns.note_commits(&own, now);
    if let Some(found) = &found {
        let persons = session_edits::persons_lines(now.engine, &sitting.file);
        turns.note_left(now.engine, found, &left, persons);
    }
    let missing = if sitting.file.worked && is_watched(sitting) {
        let made = found.as_ref().map(|found| left.refs.since(&found.refs)).unwrap_or_default();
        session_edits::stopped(view, sitting, made, (now, &turns), draft)
    } else {
        Vec::new()
    };
    let left = left.keep(now.engine).unwrap_or(name);
    let found = turns.get(&own).map_or(left, |turn| turn.found);
    let state = TurnState::Stopped { left, at: now.at, refused: false };
    turns.put(&own, turn(sitting, (name, found), false, state, now));
    sitting.file.stopped = true;
    turns.save(draft)?;
    Ok(PersonMessages { doubted, missing })
}

/// The messages of an allowed stop for the person.
#[derive(Clone, Debug, Default)]
pub(crate) struct PersonMessages {
    /// Why finished work is not proven.
    pub(crate) doubted: Vec<String>,
    /// What is missing in the files.
    pub(crate) missing: Vec<String>,
}

/// Tells the person which finished work is not proven.
fn told(doubts: &Doubts, sitting: &Snapshot) -> Vec<String> {
    let run = sitting.file.guard.as_ref().or(sitting.file.runs.first());
    let mut said = Vec::new();
    for doubt in doubts.iter().take(NAMED) {
        let by = doubt.host.as_deref().unwrap_or("an agent");
        let gate = doubt.gate.as_deref().unwrap_or("a gate");
        let why = doubt.said.as_deref().map_or_else(String::new, |why| format!(" (\"{why}\")"));
        let key = shown(&doubt.key);
        said.push(if doubt.role == Role::Memory {
            format!("sprag's record {key} is missing, so changes may be hidden")
        } else {
            format!("{by} changed {key}, which {gate} depends on{why}")
        });
    }
    let more = doubts.iter().count().saturating_sub(NAMED);
    said.extend((more > 0).then(|| format!("{more} more files changed")));
    if said.is_empty() {
        return Vec::new();
    }
    let review = match (run, doubts.iter().next()) {
        (Some(run), _) => format!("sprag approve {run}"),
        (None, Some(doubt)) => format!("sprag diff {}", doubt.key.path()),
        (None, None) => return Vec::new(),
    };
    vec![format!("done, not proven: {}. Review: {review}", said.join("; "))]
}

/// Returns the consents that persons gave beforehand.
fn consents(sitting: &Snapshot, run: Option<(&RunFile, &sprag_core::Unit)>) -> Vec<Consent> {
    let guard = sitting.guard().map(|guard| guard.may_change.clone()).unwrap_or_default();
    let mut all: Vec<Consent> = guard.iter().map(Consent::from).collect();
    all.extend(crate::integrity::parsed(&sitting.file.may_change));
    if let Some((run, unit)) = run {
        all.extend(crate::integrity::parsed(&run.header.may_change));
        all.extend(run.live.may_change(&unit.id));
    }
    all
}

/// Returns the host in a session's name.
fn host(session: &str) -> Option<&str> {
    session.split_once('-').map(|(host, _)| host)
}
