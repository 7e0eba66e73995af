//! The calls by which a plan is driven: a unit begins, its agent ends, is lost or waits, a person
//! answers. Each is one commit, and after each the documents say where the plan stands.

use sprag_core::plan::{Definition, Report, ReportResult, Told, VERIFY};
use sprag_core::{
    Ask, Denied, Facts, Fence, Hash, Hold, Id, Ran, Signal, Stored as _, Time, UnitId, Word,
};
use sprag_store::View;

use super::docs;
use crate::case::Case;
use crate::draft::Draft;
use crate::engine::{Engine, EngineError, PATIENT};
use crate::evaluate::{Came, Floor, Gathered, Wanted};
use crate::gate;
use crate::known;
use crate::live::{Live, PlanRun};
use crate::sitting::Now;
use crate::standing::Standing;
use crate::stop::settle;

/// So often gates are asked for again because the files changed meanwhile.
const ROUNDS: u32 = 6;

/// A unit that was begun, for the agent that works on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Working {
    /// Which attempt.
    pub fence: Fence,
    /// Of which unit.
    pub unit: UnitId,
    /// What the agent is told.
    pub prompt: String,
}

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Nothing speaks against it.
    Passed,
    /// A check, or the agent itself, says no.
    Failed {
        /// What failed.
        why: String,
    },
    /// It waits for a person.
    Held {
        /// Why.
        hold: Hold,
    },
}

/// What a round came to.
enum Round {
    Done(Ended),
    Needs(Vec<Wanted>, sprag_formats::Checks),
}

impl Engine<'_> {
    /// Begins a unit of a plan; its counters are charged in this commit, before any agent starts.
    pub fn plan_begin(&self, run: &Id, unit: &UnitId) -> Result<Fence, EngineError> {
        let begin = Signal::Begin { unit: unit.clone(), agent: None, session: None };
        self.plan_signal(run, &begin, "sprag")
    }

    /// Takes note that an attempt is gone: a crash, or a process that never started.
    pub fn plan_lost(&self, run: &Id, fence: Fence, ran: Ran) -> Result<(), EngineError> {
        self.plan_signal(run, &Signal::Lost { fence, ran }, "sprag").map(drop)
    }

    /// Holds an attempt: a rate limit, or what else is nobody's fault. No retry is spent.
    pub fn plan_stall(&self, run: &Id, fence: Fence, hold: Hold) -> Result<(), EngineError> {
        self.plan_signal(run, &Signal::Stall { fence, hold }, "sprag").map(drop)
    }

    /// Takes a person's answer to what the plan or one of its agents asked.
    pub fn plan_answer(&self, run: &Id, text: &str, by: &str) -> Result<(), EngineError> {
        self.plan_signal(run, &Signal::Answered { text: text.to_owned() }, by).map(drop)
    }

    fn plan_signal(&self, run: &Id, signal: &Signal, by: &str) -> Result<Fence, EngineError> {
        let now = Now::new(self);
        self.commit(by, PATIENT, |view| {
            let mut draft = Draft::default();
            let mut case = plan_case(view, run, &now)?;
            let facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
            if matches!(signal, Signal::Begin { .. }) {
                room(&case, now.at)?;
            }
            draft.tell(&case.run.id().clone(), case.run.live.step(signal, &facts)?);
            settle(&mut case.run, &now, &facts, &mut draft)?;
            draft.run(&case.run)?;
            Ok((draft, Fence(facts.seq)))
        })
    }

    /// Ends an attempt by what its agent said last and what the checks say: a word is a claim.
    pub fn plan_end(&self, run: &Id, fence: Fence, message: &str) -> Result<Ended, EngineError> {
        let mut gathered = Gathered::default();
        let floor = Floor::default();
        let mut turn = None;
        for _ in 0..ROUNDS {
            let now = Now::knowing(self, gathered.tree.take());
            let round = self.commit("sprag", PATIENT, |view| {
                self.plan_round(view, run, (fence, message), &now, &gathered)
            })?;
            let (wanted, checks) = match round {
                Round::Done(ended) => {
                    known::remember(self.place, &gathered.evidence);
                    return Ok(ended);
                }
                Round::Needs(wanted, checks) => (wanted, checks),
            };
            let until = crate::step::soon();
            match floor.enter(self, &mut turn, until)? {
                Came::Ready => {}
                Came::After => continue,
                Came::Late => break,
            }
            if let Some(turn) = &turn {
                self.evaluate(&wanted, checks, until, now, turn, &mut gathered)?;
            }
        }
        Err(EngineError::Restless)
    }

    fn plan_round(
        &self,
        view: &View<'_>,
        id: &Id,
        attempt: (Fence, &str),
        now: &Now<'_>,
        gathered: &Gathered,
    ) -> Result<(Draft, Round), EngineError> {
        let (fence, message) = attempt;
        let mut draft = Draft::default();
        let mut case = plan_case(view, id, now)?;
        for evidence in &gathered.evidence {
            draft.evidence(evidence)?;
        }
        let begun = case.run.live.attempts().iter().find(|attempt| attempt.fence() == fence);
        let unit = begun.map(|attempt| attempt.unit().clone()).ok_or(Denied::Stale { fence })?;
        let facts = facts(view, &case, &unit, now)?;
        let standing = self.plan_standing(view, &case, now, gathered)?;
        let stands = gathered.held.iter().find(|(of, ..)| of == id);
        let signal = if let Some((_, _, hold)) = stands {
            Signal::Stall { fence, hold: hold.clone() }
        } else {
            let receipts = standing.receipts.clone();
            Signal::End { fence, word: word(&unit, message), receipts }
        };
        let run = case.run.id().clone();
        match case.run.live.step(&signal, &facts) {
            Ok(events) => draft.tell(&run, events),
            Err(Denied::Needs(asks)) => {
                let wanted = standing.wanted(&case.run, &asks)?;
                return Ok((Draft::default(), Round::Needs(wanted, case.law.config.checks)));
            }
            Err(Denied::Held(hold)) => return Ok((draft, Round::Done(Ended::Held { hold }))),
            Err(other) => return Err(other.into()),
        }
        settle(&mut case.run, now, &facts, &mut draft)?;
        super::report::write(&case, &unit, &standing.receipts, &mut draft)?;
        draft.run(&case.run)?;
        Ok((draft, Round::Done(ended(&case, fence, &unit))))
    }

    /// Finds out what is known of the gates. A look at a file costs nothing, and not every file is
    /// part of the tree, so only a look of this very end counts.
    fn plan_standing(
        &self,
        view: &View<'_>,
        case: &Case,
        now: &Now<'_>,
        gathered: &Gathered,
    ) -> Result<Standing, EngineError> {
        let mut standing = case.standing(self, view, now, gathered)?;
        let fresh = |name: &str| gathered.evidence.iter().any(|one| one.record.gate == name);
        let is_cheap = |name: &sprag_core::Name| {
            let spec = case.run.live.specs().iter().find(|spec| spec.gate.name == *name);
            spec.is_some_and(|spec| gate::commands(&spec.gate.check).is_empty())
        };
        standing.receipts.retain(|one| fresh(one.gate.as_str()) || !is_cheap(&one.gate));
        Ok(standing)
    }
}

/// Refuses a begin where as many work as may at the same time.
fn room(case: &Case, now: Time) -> Result<(), EngineError> {
    let Live::Plan(held) = &case.run.live else { return Ok(()) };
    let most = held.definition.settings.max_parallel;
    if super::next::free(held, now).count() < most as usize {
        return Ok(());
    }
    Err(EngineError::Refused {
        what: format!("at most {most} at the same time"),
        help: "end one, or raise `loop.max_parallel` in `.gsd/config.md`".to_owned(),
    })
}

/// Returns what an end is judged by; that of a verification by its report as well.
fn facts(view: &View<'_>, case: &Case, unit: &UnitId, now: &Now<'_>) -> Result<Facts, EngineError> {
    let mut facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
    if *unit == VERIFY {
        facts.answers.insert(Ask::Verification, told(view, case)?.lower());
    }
    Ok(facts)
}

/// Opens a run of a plan, with its checks decided as far as the files of the project decide.
pub(super) fn plan_case(view: &View<'_>, run: &Id, now: &Now<'_>) -> Result<Case, EngineError> {
    let mut case = Case::open(view, run)?;
    let checks = case.law.config.checks;
    let Live::Plan(held) = &mut case.run.live else {
        return Err(EngineError::NotFound { what: format!("{run} is no run of a plan") });
    };
    decide(held, checks, now)?;
    Ok(case)
}

/// Decides what the checks of a run of a plan mean here.
pub(super) fn decide(
    held: &mut PlanRun,
    checks: sprag_formats::Checks,
    now: &Now<'_>,
) -> Result<(), EngineError> {
    decide_checks(&mut held.definition, checks, now)?;
    held.specs = super::lens::specs(&held.definition);
    Ok(())
}

/// Decides what the checks of a plan mean here.
pub(super) fn decide_checks(
    definition: &mut Definition,
    checks: sprag_formats::Checks,
    now: &Now<'_>,
) -> Result<(), EngineError> {
    let tree = now.tree()?;
    let may_run = docs::may_run(&definition.settings, checks);
    let names = || {
        let name = |file: &crate::tree::File| String::from_utf8(file.path.clone()).ok();
        tree.files().iter().filter_map(name).collect()
    };
    docs::decide(&mut definition.plan, may_run, &names);
    Ok(())
}

/// Returns what an agent's last message means for a unit.
fn word(unit: &UnitId, message: &str) -> Word {
    let report = Report::read(message);
    let failed = |report: &Report| {
        let line = |label: &str, text: &Option<String>| {
            text.as_ref().map_or_else(String::new, |text| format!("\n{label} {text}"))
        };
        let blocker = line("Blocker:", &report.blocker);
        let fix = line("Suggested fix:", &report.suggested_fix);
        Word::Failed { why: format!("{}{blocker}{fix}", report.reason) }
    };
    match report.result {
        ReportResult::Checkpoint => Word::Question { what: report.reason },
        // Whoever looks at the whole says what it found in its report, which is a document.
        _ if *unit == VERIFY => Word::Done,
        ReportResult::Complete | ReportResult::GapClosed | ReportResult::PhaseComplete => {
            Word::Done
        }
        ReportResult::Failed | ReportResult::GapFailed => failed(&report),
    }
}

/// Returns what the report beside the plan says.
fn told(view: &View<'_>, case: &Case) -> Result<Told, EngineError> {
    let Live::Plan(held) = &case.run.live else { return Ok(Told::default()) };
    let text = docs::read(view, &format!("{}/VERIFICATION.md", held.docs.folder))?;
    Ok(text.map_or_else(Told::default, |text| Told {
        report: sprag_formats::plan::verification::read(&text),
        digest: Some(Hash::of(&text)),
    }))
}

fn ended(case: &Case, fence: Fence, unit: &UnitId) -> Ended {
    let attempt = case.run.live.attempts().iter().find(|attempt| attempt.fence() == fence);
    if let Some(hold) = attempt.and_then(|attempt| attempt.hold()) {
        return Ended::Held { hold: hold.clone() };
    }
    let Live::Plan(held) = &case.run.live else { return Ended::Passed };
    match held.run.failed().get(unit) {
        None => Ended::Passed,
        Some(red) => Ended::Failed { why: format!("{}: {}", red.receipt.gate, red.receipt.tail) },
    }
}
