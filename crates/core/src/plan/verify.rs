//! The verify loop: the whole plan is verified, gaps become fixes, and the whole is verified again;
//! only a full verification without gaps ends it.

use super::position::{Closed, Fix};
use super::question::GapAnswer;
use super::{
    Definition, Effective, Gap, LoopKind, LoopState, Position, Round, Stage, Verification,
};
use super::{execute::lock, gates, prompt, question::bound};
use crate::{
    Ask, Closes, Denied, Facts, Gate, Hash, Hold, Name, Next, Receipt, Run, Stored, Stuck, Unit,
    UnitId, Verdict, stored,
};

/// The unit that verifies the whole plan.
pub const VERIFY: UnitId = UnitId::literal("verify");
/// The gate name for an invalid report.
const REPORT: Name = Name::literal("VERIFICATION.md");

/// Returns the units that can be worked on.
pub(super) fn next(definition: &Definition, run: &Run<Position>) -> Next {
    let position = run.position();
    if position.gaps.iter().all(|fix| fix.said.is_some()) {
        return Next::Units(vec![verification(definition)]);
    }
    if !definition.settings.auto_loop {
        let why =
            format!("Verification found {} gaps; automatic fixes are off", position.gaps.len());
        return Next::Held(Hold::Person { why });
    }
    let open = position.gaps.iter().enumerate().filter(|(_, fix)| fix.said.is_none());
    Next::Units(open.map(|(at, fix)| fixing(position, at, &fix.gap)).collect())
}

fn verification(definition: &Definition) -> Unit {
    let mut unit = Unit::new(VERIFY, Name::literal("verify"), Definition::VERIFY);
    // The rounds are counted by their fixes: with 20 rounds there are 21 verifications.
    unit.retries.clear();
    unit.gates = gates::of_all(definition);
    unit.closes = Closes::Exit;
    unit
}

fn fixing(position: &Position, at: usize, gap: &Gap) -> Unit {
    let id = fix_id(position, at);
    let mut unit = Unit::new(id, Name::literal("fix"), Definition::VERIFY);
    unit.retries.clear();
    // A round is charged once, by whichever of its fixes begins first.
    if position.opened.is_none() {
        unit.spends.push(Definition::VERIFY);
    }
    unit.locks = gap.touches().map(lock).into_iter().collect();
    unit.closes = Closes::Exit;
    unit
}

/// Returns the prompt of a fix: the gap, and the round that it belongs to or opens.
pub(super) fn fix_prompt(run: &Run<Position>, unit: &UnitId) -> String {
    let position = run.position();
    let Some(at) = place_of(position, unit) else { return String::new() };
    let rounds = bound(run, &Definition::VERIFY);
    let number = rounds.used() + u32::from(position.opened.is_none());
    prompt::fix(&position.gaps[at].gap, number, rounds.max())
}

fn fix_id(position: &Position, at: usize) -> UnitId {
    let number = u64::from(position.fixed) + at as u64 + 1;
    UnitId::parse(&format!("FIX-{number:02}")).unwrap_or(UnitId::literal("FIX"))
}

/// Returns the index of a unit's fix.
fn place_of(position: &Position, unit: &UnitId) -> Option<usize> {
    (0..position.gaps.len()).find(|at| fix_id(position, *at) == *unit)
}

/// Records that a fix began.
pub(super) fn begins(position: &mut Position, unit: &UnitId) {
    if place_of(position, unit).is_some() && position.opened.is_none() {
        position.opened = Some(unit.clone());
    }
}

/// Records that a fix never ran: if it opened the round, its charge was refunded.
pub(super) fn never_ran(position: &mut Position, unit: &UnitId) {
    position.opened.take_if(|opened| opened == unit);
}

/// Records the result of a fix.
pub(super) fn fixed(position: &mut Position, unit: &UnitId, said: Closed) {
    let Some(at) = place_of(position, unit) else { return };
    position.gaps[at].said = Some(said);
    if position.gaps.iter().all(|fix| fix.said == Some(Closed::No)) {
        let gaps = position.gaps.iter().map(|fix| fix.gap.name()).collect();
        position.hold = Some(Hold::NoProgress { what: Stuck::Unfixed { gaps } });
    }
}

/// Returns the report of the verification, or requests it if unknown.
pub(super) fn report(position: &Position, facts: &Facts) -> Result<Verification, Denied> {
    let Some(answer) = facts.answers.get(&Ask::Verification) else {
        return Err(Denied::Needs(vec![Ask::Verification]));
    };
    let refused = |why: String| Denied::Refused { why };
    let told = VerificationAnswer::lift(answer).map_err(|bad| refused(bad.to_string()))?;
    // Gaps count in any case, but the report of another attempt cannot pass.
    let passes = match told.report.effective() {
        Effective::Passed | Effective::HumanNeeded => true,
        Effective::GapsFound | Effective::UnparseableGaps | Effective::Invalid => false,
    };
    let is_old = told.digest == position.stale || (passes && told.digest == position.seen);
    Ok(if told.digest.is_none() || is_old { Verification::default() } else { told.report })
}

/// Records the report that exists when a verification begins.
pub(super) fn sees(position: &mut Position, facts: &Facts) {
    let told = facts
        .answers
        .get(&Ask::Verification)
        .and_then(|answer| VerificationAnswer::lift(answer).ok());
    position.seen = told.and_then(|told| told.digest);
}

/// The answer to [`Ask::Verification`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerificationAnswer {
    pub report: Verification,
    /// The hash of its text; `None` if there is no report.
    pub digest: Option<Hash>,
}

stored!(struct VerificationAnswer { report, digest });

/// Returns the failures of the whole plan, or requests missing results: every gap of a round
/// becomes a fix. After a failed CI stage the later ones do not run.
pub(super) fn failures<'r>(
    unit: &Unit,
    receipts: &'r [Receipt],
    facts: &Facts,
) -> Result<Vec<&'r Receipt>, Denied> {
    let latest = |gate: &Gate| {
        let counts = |one: &&Receipt| one.gate == gate.name && one.tree == facts.tree;
        receipts.iter().rfind(counts)
    };
    let known = unit.gates.iter().filter_map(latest);
    let failed: Vec<_> = known.filter(|one| one.verdict == Verdict::Fail).collect();
    let ci_ended = failed.iter().any(|one| gates::stage_of(&one.gate).is_some());
    let is_due = |gate: &&Gate| {
        latest(gate).is_none() && !(ci_ended && gates::stage_of(&gate.name).is_some())
    };
    let due = unit.gates.iter().filter(is_due).cloned().map(Ask::Gate);
    let asks: Vec<_> = due.collect();
    if asks.is_empty() { Ok(failed) } else { Err(Denied::Needs(asks)) }
}

/// Records a verification: the claims of its report, and the failed gates.
pub(super) fn verified(
    definition: &Definition,
    run: &Run<Position>,
    position: &mut Position,
    report: Verification,
    failed: &[&Receipt],
) {
    let used = bound(run, &Definition::VERIFY).used();
    // A failure that sprag itself observed needs no report.
    let effective = if failed.is_empty() { report.effective() } else { Effective::GapsFound };
    match effective {
        Effective::Passed => {
            remember(position, used, effective, Vec::new());
            (position.stage, position.gaps) = (Stage::Done, Vec::new());
        }
        Effective::GapsFound => {
            let own = failed.iter().map(|receipt| gates::gap(definition, receipt));
            let mut gaps: Vec<Gap> = own.collect();
            let is_new = |gap: &Gap| gaps.iter().all(|known| known.name() != gap.name());
            let claimed: Vec<_> = report.gaps.into_iter().filter(is_new).collect();
            gaps.extend(claimed);
            found(definition, position, used, gaps);
        }
        Effective::UnparseableGaps if !position.asked_again => position.asked_again = true,
        Effective::UnparseableGaps => {
            let why = "it says that there are gaps and names none that can be read".to_owned();
            position.hold = Some(Hold::Unproven { gate: REPORT, why });
        }
        Effective::HumanNeeded => position.human = Some(report.human),
        Effective::Invalid => {
            let why = "there is no new report with a status that counts".to_owned();
            position.hold = Some(Hold::Unproven { gate: REPORT, why });
        }
    }
}

/// Records gaps and checks the rounds for progress.
fn found(definition: &Definition, position: &mut Position, used: u32, gaps: Vec<Gap>) {
    let before = u32::try_from(position.gaps.len()).unwrap_or(u32::MAX);
    position.fixed = position.fixed.saturating_add(before);
    let listed: Vec<_> = gaps.iter().map(Gap::name).collect();
    remember(position, used, Effective::GapsFound, listed);
    position.gaps = gaps.into_iter().map(|gap| Fix { gap, said: None }).collect();
    position.opened = None;
    position.consent = false;
    position.asked_again = false;
    if let Some(what) = circles(definition, position) {
        position.hold = Some(Hold::NoProgress { what });
    }
}

fn remember(position: &mut Position, iteration: u32, effective: Effective, gaps: Vec<String>) {
    let kind = Some(LoopKind::Verify);
    let result = effective.as_str().to_owned();
    position.history.push(Round { iteration, kind, result, gaps });
    position.rounds = position.rounds.saturating_add(1);
    let old = position.history.len().saturating_sub(LoopState::HISTORY);
    position.history.drain(..old);
}

/// Returns the kind of circle that the last rounds went in, if any.
fn circles(definition: &Definition, position: &Position) -> Option<Stuck> {
    let counted = position.rounds as usize;
    let old = position.history.len().saturating_sub(counted);
    let sets: Vec<Vec<&String>> = position.history[old..]
        .iter()
        .map(|round| {
            let mut gaps: Vec<_> = round.gaps.iter().collect();
            gaps.sort();
            gaps.dedup();
            gaps
        })
        .collect();
    let limit = (definition.settings.no_progress_limit as usize).max(2);
    let last = sets.last()?;
    let gaps = || last.iter().map(|gap| (*gap).clone()).collect();
    if sets.len() >= limit && sets.iter().rev().take(limit).all(|set| set == last) {
        return Some(Stuck::SameGaps { gaps: gaps() });
    }
    match sets.as_slice() {
        [.., a, b, c, d] if a == c && b == d && a != b => Some(Stuck::GapsInTurns { gaps: gaps() }),
        _ => None,
    }
}

/// Applies a person's answer about the gaps.
pub(super) fn answered(position: &mut Position, answer: &GapAnswer) {
    match answer {
        GapAnswer::Yes => position.consent = true,
        GapAnswer::No | GapAnswer::Issues(_) => {
            position.hold = Some(Hold::Person { why: "user declined the fixes".to_owned() });
        }
    }
}

/// Applies the result of a person's check.
pub(super) fn looked(
    definition: &Definition,
    run: &Run<Position>,
    position: &mut Position,
    answer: GapAnswer,
) {
    let used = bound(run, &Definition::VERIFY).used();
    match answer {
        GapAnswer::Yes => {
            position.human = None;
            remember(position, used, Effective::Passed, Vec::new());
            (position.stage, position.gaps) = (Stage::Done, Vec::new());
        }
        GapAnswer::Issues(text) => {
            position.human = None;
            found(definition, position, used, vec![Gap { text, ..Gap::default() }]);
        }
        // Neither of the two accepted answers: the question stays open.
        GapAnswer::No => {}
    }
}
