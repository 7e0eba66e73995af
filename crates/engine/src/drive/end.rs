//! Ends the attempt of a driven agent: its message is a claim, the gates decide.

use sprag_core::reporting::UnitEvidence;
use sprag_core::workflow::ReviewStep;
use sprag_core::{
    Denied, Event, Facts, Fence, Hold, Name, Ran, Receipt, Reply, RunId, Signal, StopFacts, Stuck,
    Unit, UnitId, Vote, merge, prompt,
};
use sprag_store::View;

use super::ended::{Judged, UnitEnd, shown};
use super::notify::first_line;
use super::{ACTOR, effect, open};
use crate::after_step::after_step;
use crate::agents_file::{AgentsFile, Tally, work_branch};
use crate::conclude::Concluded;
use crate::draft::Draft;
use crate::engine::kind::Kind;
use crate::engine::{Engine, EngineError};
use crate::gate;
use crate::integrity::{DoubtsDoc, unit_key};
use crate::judge::gate_results::GateResults;
use crate::judge::tx::Tx;
use crate::judge::{Decision, Known, Needs, Progress, Within};
use crate::open_run::OpenRun;
use crate::weigh::of_unit::{TurnAtAttempt, TurnCame};

/// How many ends without any change are refused before the attempt is held.
const REFUSALS: u32 = 1;
/// How many characters of an agent's message the next phase gets.
const SUMMARY: usize = 600;

impl Engine<'_> {
    /// Ends an attempt by its agent's last message and its gates.
    pub fn drive_end(&self, run: &RunId, fence: Fence, said: &str) -> Result<Judged, EngineError> {
        let mut end = EndUnit { run, fence, said, foresees: false };
        let mut judged = self.settle(ACTOR, Within::Driver, &mut end)?;
        if let UnitEnd::Passed(evidence) = &mut judged.end {
            // If this cannot be read, the end still counts, as it did when the agent ended.
            evidence.weak.extend(self.left_of(run).unwrap_or_default().1.weak());
        }
        Ok(judged)
    }

    /// Finds out how an attempt would end on the current files. If it would pass, only the receipts
    /// are stored; otherwise it ends now.
    pub fn drive_foresee(
        &self,
        run: &RunId,
        fence: Fence,
        said: &str,
    ) -> Result<Judged, EngineError> {
        let mut end = EndUnit { run, fence, said, foresees: true };
        self.settle(ACTOR, Within::Driver, &mut end)
    }

    /// Records an attempt as lost: its process crashed, never started, or took too long. Returns
    /// how many attempts of its unit were lost in a row.
    pub fn drive_lost(
        &self,
        run: &RunId,
        fence: Fence,
        ran: Ran,
        why: &str,
    ) -> Result<u32, EngineError> {
        let why = prompt::short(first_line(why), SUMMARY);
        self.drive_signal(run, fence, &Signal::Lost { fence, ran, why })
    }

    /// Holds an attempt without charging a retry, for a usage limit or another external cause.
    pub fn drive_stall(&self, run: &RunId, fence: Fence, hold: Hold) -> Result<(), EngineError> {
        self.drive_signal(run, fence, &Signal::Hold { fence, hold }).map(drop)
    }

    fn drive_signal(&self, run: &RunId, fence: Fence, signal: &Signal) -> Result<u32, EngineError> {
        self.settle(ACTOR, Within::Driver, &mut |tx: &mut Tx<'_>, _: &Known| {
            let mut case = open(tx.view, run, tx.now)?;
            tx.judge_by(tx.now.hash()?);
            let mut attempts = case.run.live.attempts().iter();
            let unit = attempts.find(|one| one.fence() == fence).map(|one| one.unit().clone());
            match case.run.live.step_reading(tx.view, signal, tx.facts()?) {
                Ok(events) => tx.tell(&case.run.id().clone(), events),
                Err(Denied::Needs(asks)) => return Ok(case.asks(&asks)),
                Err(other) => return Err(other.into()),
            }
            after_step(tx, &mut case.run)?;
            tx.run(&case.run)?;
            forget(tx.view, run, &case, tx, |_| {})?;
            let lost = unit.map_or(0, |unit| case.run.live.lost(&unit));
            Ok(Progress::Done(lost))
        })
    }
}

/// The end of an attempt in a driven run.
struct EndUnit<'a> {
    run: &'a RunId,
    fence: Fence,
    said: &'a str,
    /// Whether a passing end is only predicted and not recorded.
    foresees: bool,
}

impl Decision for EndUnit<'_> {
    type Out = Judged;

    fn decide(&mut self, tx: &mut Tx<'_>, known: &Known) -> Result<Progress<Judged>, EngineError> {
        Ok(match self.end(tx, known)? {
            Ok(ended) => {
                let is_foreseen = self.foresees && ended.is_through();
                let judged = Judged { end: ended, shown: shown(known) };
                if is_foreseen { Progress::Looked(judged) } else { Progress::Done(judged) }
            }
            Err(needs) => Progress::Needs(needs),
        })
    }
}

impl EndUnit<'_> {
    /// Ends the attempt, or returns the gates and rules that this needs first.
    fn end(
        &self,
        tx: &mut Tx<'_>,
        known: &Known,
    ) -> Result<Result<UnitEnd, Box<Needs>>, EngineError> {
        let (view, fence) = (tx.view, self.fence);
        let mut case = open(view, self.run, tx.now)?;
        tx.receipts(known, |_| true)?;
        let begun = case.run.live.attempts().iter().find(|attempt| attempt.fence() == fence);
        let unit = begun.map(|attempt| attempt.unit().clone()).ok_or(Denied::Stale { fence })?;
        let part = case.run.live.review_stage(&unit, tx.facts()?);
        if let Some((ask, said)) = case.run.live.told(&unit, view)? {
            tx.answer(ask, said)?;
        }
        let unanswered = case.run.live.unanswered(tx.facts()?);
        if !unanswered.is_empty() {
            return Ok(Err(Box::new(Needs::new(&case.law.config, Vec::new(), unanswered))));
        }
        let standing = standing(tx, &case, known)?;
        let name = case.run.id().clone();
        let word = case.run.live.claim(&unit, part, self.said);
        let signal = known.end(name.as_str(), fence, word, &standing.receipts);
        let branch = work_branch(view, self.run)?;
        let mut doubts =
            DoubtsDoc::read(tx.engine(), view, branch.as_deref())?.seeing(&known.looks);
        let turn = TurnAtAttempt::of(&case, fence, tx.facts()?);
        let stepped = case.end_weighed(tx, &signal, fence, Some(self.said), &mut doubts)?;
        let evidence = match stepped {
            Ok(events) => {
                case.run.header.forget_baselines(&events);
                turn.judged(view, TurnCame::of(&events), tx.now, tx)?;
                let apart = unit_key(self.run, unit.as_str());
                let is_ended = events.iter().find_map(Event::ending).is_some();
                if self.foresees && !is_ended {
                    doubts.save_apart(tx.engine(), &apart, tx)?;
                } else {
                    DoubtsDoc::drop_apart(view, &apart, tx)?;
                    doubts.save(tx);
                }
                let start = AgentsFile::read(view, self.run)?.found.and_then(|found| found.tree);
                let (receipts, decided) = (&standing.receipts, standing.decided().cloned());
                let evidence = UnitEvidence::of(&events, &unit, receipts, decided, start);
                standing.tell(tx, &name, events);
                evidence
            }
            Err(Denied::Needs(asks)) => {
                let gates = standing.wanted(&case.run, &asks)?;
                let rules = case.run.live.rules_of(&asks);
                let needs = Needs::new(&case.law.config, gates, rules);
                return Ok(Err(Box::new(needs.looking(doubts.take_wanted()))));
            }
            Err(Denied::Unchanged { .. }) => {
                turn.judged(view, TurnCame::Refused, tx.now, tx)?;
                let attempt = (fence, &unit, &standing.receipts[..]);
                let ended = unchanged(tx, self.run, &mut case, attempt)?;
                tx.run(&case.run)?;
                return Ok(Ok(ended));
            }
            Err(Denied::Held(hold)) => return Ok(Ok(UnitEnd::Held { hold })),
            Err(other) => return Err(other.into()),
        };
        let was_work = part.is_none() && (case.run.has_moved() || case.run.is_reviewed());
        if was_work && case.run.live.info().has_phases {
            case.run.header.summary = summary(self.said);
        }
        after_step(tx, &mut case.run)?;
        if let Some(report) = case.run.live.write_report(&unit, &standing.receipts)? {
            tx.edit(report);
        }
        let facts = tx.facts()?;
        let ended = match part {
            Some(ReviewStep::Review) => UnitEnd::Reviewed(case.run.live.reviewed()),
            Some(ReviewStep::Fix) => {
                ended(&case, (fence, &unit), evidence, facts).but(case.run.live.disputed())
            }
            None => ended(&case, (fence, &unit), evidence, facts),
        };
        let tree = facts.tree;
        tx.run(&case.run)?;
        let count = |ledger: &mut AgentsFile| {
            ledger.tally.count(&ended);
            ledger.looked(fence, tree);
        };
        forget(view, self.run, &case, tx, count)?;
        Ok(Ok(ended))
    }
}

/// Collects the results of the gates. A check of a file is cheap, and not every file is part of the
/// tree, so only a check made for this end counts.
fn standing(tx: &Tx<'_>, case: &OpenRun, known: &Known) -> Result<GateResults, EngineError> {
    let mut standing = case.standing(tx.engine(), tx.view, tx.now.tree()?, known)?;
    let is_cheap = |name: &sprag_core::Name| {
        let spec = case.run.live.specs().iter().find(|spec| spec.gate.name == *name);
        spec.is_some_and(|spec| gate::commands(&spec.gate.check).is_empty())
    };
    let is_word = |one: &Receipt| standing.words.contains(one);
    standing
        .receipts
        .retain(|one| is_word(one) || known.is_fresh(one.gate.as_str()) || !is_cheap(&one.gate));
    Ok(standing)
}

/// Counts an end that changed nothing while a gate fails as before. Too many in a row hold the
/// attempt. Once resumed it is judged first, because its fix may not be in a file.
fn unchanged(
    tx: &mut Tx<'_>,
    run: &RunId,
    case: &mut OpenRun,
    attempt: (Fence, &UnitId, &[Receipt]),
) -> Result<UnitEnd, EngineError> {
    let (fence, unit, receipts) = attempt;
    let facts = tx.facts()?;
    let mut ledger = AgentsFile::read(tx.view, run)?;
    let working = ledger.working.entry(fence.0.0).or_default();
    let desk = working.desk(&effect(run, fence)?, facts.tree);
    // No file changed, so the mark equals that of the last refusal.
    let (limit, refusals) = (Some(REFUSALS), None);
    let stop = StopFacts { cap: None, limit, refusals, mark: facts.tree, now: facts.now };
    let live = &case.run.live;
    let begun = live.begun(facts).into_iter().find(|begun| begun.id == *unit);
    let refused = || Unit::new(unit.clone(), Name::literal("unit"), Name::literal("retry"));
    let vote = Vote::Refuse { unit: Box::new(begun.unwrap_or_else(refused)) };
    let votes = [(live.rank(), vote)];
    let (desk, reply) = merge(&desk, &stop, &votes, |_, unit| live.prompt(unit, facts));
    let is_too_much = matches!(reply, Reply::Stalled { .. });
    working.sit(&desk, is_too_much);
    working.said.take_if(|_| !is_too_much);
    ledger.looked(fence, facts.tree);
    ledger.tally.refused = ledger.tally.refused.saturating_add(1);
    tx.edit(ledger.edit(run)?);
    let red = case.run.live.red_of(unit).map(|red| &red.receipt);
    let now = receipts.iter().rfind(|one| red.is_some_and(|red| red.gate == one.gate));
    let why = now.or(red).map_or_else(String::new, |red| failure(unit, red));
    if !is_too_much {
        let told = red.map(|red| red.tail.trim());
        let is_news = now.is_some_and(|now| told != Some(now.tail.trim()));
        return Ok(UnitEnd::Unchanged { why, is_news });
    }
    let failure = first_line(&why).to_owned();
    let hold = Hold::NoProgress { what: Stuck::Unchanged { unit: unit.clone(), failure } };
    let stall = Signal::Hold { fence, hold: hold.clone() };
    let events = case.run.live.step_reading(tx.view, &stall, tx.facts()?)?;
    tx.tell(&case.run.id().clone(), events);
    Ok(UnitEnd::Held { hold })
}

/// Removes the agents of ended attempts from the ledger, and counts their results.
fn forget(
    view: &View<'_>,
    run: &RunId,
    case: &OpenRun,
    draft: &mut Draft,
    count: impl FnOnce(&mut AgentsFile),
) -> Result<(), EngineError> {
    let mut ledger = AgentsFile::read(view, run)?;
    let before = ledger.clone();
    count(&mut ledger);
    forget_agents(&mut ledger, &*case.run.live);
    if ledger != before {
        draft.edit(ledger.edit(run)?);
    }
    Ok(())
}

/// Removes the agents of ended attempts from the ledger.
pub(super) fn forget_agents(ledger: &mut AgentsFile, live: &dyn Kind) {
    let is_on = |fence: &u64| live.attempts().iter().any(|a| a.fence().0.0 == *fence);
    ledger.working.retain(|fence, _| is_on(fence));
}

fn summary(said: &str) -> Option<String> {
    let text = prompt::evidence(said, SUMMARY);
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

impl Concluded {
    /// Counts the units that passed.
    pub(super) fn count(&self, tally: &mut Tally) {
        for event in &self.events {
            let end = event.ending().filter(|end| end.is_through());
            let Some(unit) = end.and_then(|end| UnitId::parse(&end.unit).ok()) else { continue };
            let event = std::slice::from_ref(event);
            let evidence = UnitEvidence::counted(event, &unit, &self.receipts);
            tally.count(&UnitEnd::Passed(evidence));
        }
    }
}

fn ended(
    case: &OpenRun,
    (fence, unit): (Fence, &UnitId),
    evidence: UnitEvidence,
    facts: &Facts,
) -> UnitEnd {
    let attempt = case.run.live.attempts().iter().find(|attempt| attempt.fence() == fence);
    if let Some(hold) = attempt.and_then(|attempt| attempt.hold()) {
        return UnitEnd::Held { hold: hold.clone() };
    }
    if let Some(red) = case.run.live.red_of(unit) {
        return UnitEnd::Failed { why: failure(unit, &red.receipt) };
    }
    if let Some(inputs) = case.run.live.sent_back(unit) {
        return UnitEnd::SentBack { inputs: inputs.clone() };
    }
    if let Some(why) = case.run.live.left_open(unit, facts) {
        return UnitEnd::Open { why };
    }
    UnitEnd::Passed(evidence)
}

fn failure(unit: &UnitId, receipt: &Receipt) -> String {
    let (gate, said) = (&receipt.gate, [receipt.tail.trim(), receipt.why.trim()]);
    match said.into_iter().find(|said| !said.is_empty()) {
        // A unit of a tree has a gate with the unit's own name.
        Some(said) if gate.as_str() == unit.as_str() => said.to_owned(),
        Some(said) => format!("{gate}: {said}"),
        // `false` prints nothing, and a colon would announce output.
        None => format!("{gate} fails"),
    }
}
