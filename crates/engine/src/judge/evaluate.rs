//! Evaluates what a decision needs: gates, commands of rules, and files.
//!
//! Gates run one at a time in a working folder, before the answer is due. The commands of rules
//! take long as well, so both run between two looks at the documents. Files are read within the
//! decision, so that a changed file repeats the decision.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::time::Duration;

use sprag_core::basis::Worth;
use sprag_core::rules::{Rule, refused};
use sprag_core::{Ask, Denied, EffectId, Event, Facts, Hold, Next, Plain, Signal, Time, Verdict};
use sprag_formats::Checks;
use sprag_store::{CacheDir, CacheLock, Doc, Lasting, StoreError, View};
use sprag_world::process::{Family, StopHandle};
use sprag_world::trust::Deed;
use sprag_world::{clock, ids};

use crate::engine::kind::Kind;
use crate::engine::{Engine, EngineError};
use crate::gate::{self, Evaluated, GateError, GateRunner};
use crate::integrity::in_force::InForce;
use crate::integrity::law;
use crate::judge::{Known, Needs};
use crate::now::Now;
use crate::open_run::OpenRun;
use crate::receipt::{Evidence, GateOrigin};

/// How many times one step may ask for more files.
const FILES: u32 = 8;

/// The answers of rules and files.
pub(crate) type Answers = BTreeMap<Ask, Plain>;

/// A gate that a decision needs evaluated.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Wanted {
    pub(crate) asked: GateOrigin,
    pub(crate) spec: sprag_core::GateSpec,
}

/// Hosts wait this much longer than the due time, so a gate may run over by it.
const SLACK: Duration = Duration::from_secs(15);

/// The file that names the running gate, so that the next process can end it after a crash.
const RUNNING: &str = "running";

impl Engine<'_> {
    /// Evaluates gates in order until one fails or the time is short. `until` is when the answer is
    /// due.
    pub(crate) fn evaluate(
        &self,
        needs: &Needs,
        until: Time,
        now: Now<'_>,
        turn: &CacheLock<'_>,
        known: &mut Known,
    ) -> Result<(), EngineError> {
        let wanted = &needs.gates;
        let mut tree = now.into_tree()?;
        let deed = self.deed();
        let bench = self.bench(&deed, needs.checks);
        // If a gate failed already and more are wanted, the caller wants all results.
        let wants_all = needs.every || known.evidence.iter().any(is_failure);
        for (nth, one) in wanted.iter().enumerate() {
            // The rest is requested again in a later turn.
            if nth > 0 && !one.fits(until) {
                break;
            }
            let receipt = ids::receipt()?;
            let runs = !gate::commands(&one.spec.gate.check).is_empty();
            if runs {
                note(turn, Some(&receipt.effect()));
            }
            match bench.evaluate(&one.spec, &one.asked, &receipt, &mut tree)? {
                Evaluated::Decided(evidence) => {
                    let failed = evidence.last().is_some_and(is_failure);
                    known.evidence.extend(evidence);
                    if failed && !wants_all {
                        break;
                    }
                }
                Evaluated::Person { what } => {
                    let hold = Hold::Asked { what };
                    known.held.push((one.asked.run.clone(), one.spec.gate.name.clone(), hold));
                }
                Evaluated::Untrusted { what } => {
                    let hold = Hold::Untrusted { what };
                    known.held.push((one.asked.run.clone(), one.spec.gate.name.clone(), hold));
                    if !needs.every {
                        break;
                    }
                }
            }
        }
        if wanted.iter().any(|one| !gate::commands(&one.spec.gate.check).is_empty()) {
            note(turn, None);
        }
        known.tree = Some(tree);
        Ok(())
    }

    /// Fills in the answers of rules whose commands may not run, without running them.
    pub(crate) fn foresee(&self, case: &OpenRun, facts: &mut Facts) {
        let deed = self.deed();
        let bench = self.bench(&deed, case.law.config.checks);
        let may_not = |rule: &Rule| rule.command_words().is_some_and(|argv| !bench.may_run(argv));
        for _ in 0..FILES {
            let asks = case.run.live.unanswered(facts);
            if asks.is_empty() || !asks.iter().all(|(rule, _)| may_not(rule)) {
                return;
            }
            if self.ask_rules(&asks, case.law.config.checks, &mut facts.answers).is_err() {
                return;
            }
        }
    }

    /// Runs the commands of rules one after another. An interrupted command leaves no answer.
    pub(crate) fn ask_rules(
        &self,
        asks: &[(Rule, Ask)],
        checks: Checks,
        answers: &mut Answers,
    ) -> Result<(), EngineError> {
        let deed = self.deed();
        let bench = self.bench(&deed, checks);
        for (rule, ask) in asks {
            if let Ask::Rule { question, .. } = ask {
                let fact = match self.rewritten_scripts(rule)? {
                    Some(hold) => refused(&hold),
                    None => bench.ask_rule(rule, question),
                };
                if bench.stop.is_some_and(StopHandle::is_asked) {
                    return Err(GateError::Interrupted.into());
                }
                answers.insert(ask.clone(), fact);
            }
        }
        Ok(())
    }

    /// Returns the hold for a rule whose script an agent rewrote, until a person agrees to the new
    /// text.
    fn rewritten_scripts(&self, rule: &Rule) -> Result<Option<Hold>, EngineError> {
        let scripts = law::scripts_of(rule.command_words().into_iter());
        if scripts.is_empty() {
            return Ok(None);
        }
        let now = Now::new(self);
        let changed =
            self.look(|view| Ok(InForce::begins(view, &now, "")?.rewritten(view, &scripts)))?;
        let names: Vec<String> = changed.iter().map(|path| format!("`{path}`")).collect();
        let why = format!("the agent changed {}, which this rule runs", names.join(", "));
        Ok((!changed.is_empty()).then(|| Hold::Unproven { gate: rule.name.clone(), why }))
    }

    /// Returns whether a person approved all commands of a gate.
    pub(crate) fn may_run(&self, wanted: &Wanted, checks: Checks) -> bool {
        let deed = self.deed();
        self.bench(&deed, checks).untrusted(&wanted.spec.gate.check).is_empty()
    }

    pub(crate) fn bench<'t>(&'t self, deed: &'t Deed, checks: Checks) -> GateRunner<'t> {
        let stop = self.stop.as_ref();
        GateRunner { place: self.files, environment: self.environment, deed, checks, stop }
    }
}

impl dyn Kind {
    /// Steps the machine, and reads the files that it asks for on the way.
    pub(crate) fn step_reading(
        &mut self,
        view: &View<'_>,
        signal: &Signal,
        facts: &Facts,
    ) -> Result<Vec<Event>, Denied> {
        let mut facts = facts.clone();
        for _ in 0..FILES {
            match self.step(signal, &facts) {
                Err(Denied::Needs(asks)) if read(view, &asks, &mut facts.answers) => {}
                other => return other,
            }
        }
        self.step(signal, &facts)
    }

    /// Steps the machine with the end of an attempt; if the gates pass, `weigh` decides what the
    /// pass is worth. If `weigh` cannot decide yet, nothing ends, and the step is denied as needing
    /// more.
    pub(crate) fn step_weighed(
        &mut self,
        view: &View<'_>,
        signal: &Signal,
        facts: &Facts,
        mut weigh: impl FnMut(&Self) -> Result<Option<Worth>, EngineError>,
    ) -> Result<Result<Vec<Event>, Denied>, EngineError> {
        let weighed = match self.step_reading(view, signal, facts) {
            Err(Denied::Unweighed { .. }) => weigh(self)?,
            other => return Ok(other),
        };
        let Some(weighed) = weighed else { return Ok(Err(Denied::Needs(Vec::new()))) };
        let mut signal = signal.clone();
        if let Signal::End { worth, .. } = &mut signal {
            *worth = Some(weighed);
        }
        Ok(self.step_reading(view, &signal, facts))
    }

    /// Returns the questions to rules that decide the next unit.
    pub(crate) fn unanswered(&self, facts: &Facts) -> Vec<(Rule, Ask)> {
        if !self.info().has_rules {
            return Vec::new();
        }
        match self.next(facts) {
            Next::Ask(asks) => self.rules_of(&asks),
            Next::Units(_) | Next::Wait { .. } | Next::Held(_) | Next::Done | Next::Cancelled => {
                Vec::new()
            }
        }
    }

    /// Returns the command lines of the run's rules.
    pub(crate) fn rule_commands(&self) -> Vec<Vec<String>> {
        let rules = self.rules().iter();
        rules.filter_map(|rule| rule.command_words().map(<[String]>::to_vec)).collect()
    }

    /// Picks the questions to rules from these, and pairs each with its rule.
    pub(crate) fn rules_of(&self, asks: &[Ask]) -> Vec<(Rule, Ask)> {
        let rule = |ask: &Ask| match ask {
            Ask::Rule { rule: name, .. } => {
                let rule = self.rules().iter().find(|rule| rule.name == *name)?;
                Some((rule.clone(), ask.clone()))
            }
            Ask::Gate(_) | Ask::Text(_) | Ask::Verification | Ask::Pull | Ask::Work => None,
        };
        asks.iter().filter_map(rule).collect()
    }
}

/// Reads the files that are asked for. Returns whether any of them was new.
fn read(view: &View<'_>, asks: &[Ask], answers: &mut Answers) -> bool {
    let mut any = false;
    for ask in asks {
        let Ask::Text(path) = ask else { continue };
        if answers.contains_key(ask) {
            continue;
        }
        let said = match view.read(path) {
            Doc::Text(text) => text.into(),
            Doc::Absent | Doc::Unknown(_) => Plain::Null,
        };
        answers.insert(ask.clone(), said);
        any = true;
    }
    any
}

/// The lock under which the gates of one working folder run one at a time. The holder keeps it
/// until its results are committed, so that the next process sees the receipts.
#[derive(Debug, Default)]
pub(crate) struct GateLock {
    room: OnceCell<CacheDir>,
}

/// How the lock was acquired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Acquired {
    AtOnce,
    /// After waiting. The last holder may have left the wanted receipt, so look again first.
    AfterOthers,
    /// Not before the deadline.
    Late,
}

impl GateLock {
    /// Takes the lock, unless `turn` holds it already.
    pub(crate) fn enter<'f>(
        &'f self,
        engine: &Engine<'_>,
        turn: &mut Option<CacheLock<'f>>,
        until: Time,
    ) -> Result<Acquired, EngineError> {
        if turn.is_some() {
            return Ok(Acquired::AtOnce);
        }
        if self.room.get().is_none() {
            let _ = self.room.set(gate::room(engine.files).map_err(StoreError::from)?);
        }
        let Some(room) = self.room.get() else { return Ok(Acquired::Late) };
        let is_stopped = || engine.stop.as_ref().is_some_and(StopHandle::is_asked);
        let acquired = match room.turn(Duration::ZERO) {
            Ok(taken) => {
                *turn = Some(taken);
                Acquired::AtOnce
            }
            Err(StoreError::Busy { .. }) => match room.turn_unless(left(until), &is_stopped) {
                Ok(taken) => {
                    *turn = Some(taken);
                    Acquired::AfterOthers
                }
                Err(StoreError::Busy { .. }) if is_stopped() => {
                    return Err(GateError::Interrupted.into());
                }
                Err(StoreError::Busy { .. }) => return Ok(Acquired::Late),
                Err(error) => return Err(error.into()),
            },
            Err(error) => return Err(error.into()),
        };
        end_leftovers(room);
        engine.original().sweep();
        Ok(acquired)
    }
}

/// Returns the time left until then.
pub(crate) fn left(until: Time) -> Duration {
    Duration::from_millis(u64::try_from(until.since(clock::now())).unwrap_or(0))
}

impl Wanted {
    /// Returns whether the gate is sure to finish by then.
    pub(crate) fn fits(&self, until: Time) -> bool {
        self.spec.timeout.unwrap_or(gate::LIMIT) <= left(until) + SLACK
    }
}

fn is_failure(evidence: &Evidence) -> bool {
    evidence.record.verdict == Verdict::Fail
}

/// Ends the processes that a killed holder left running, because no one waits for their result.
fn end_leftovers(room: &CacheDir) {
    let left = room.read(RUNNING, 256).ok().flatten().unwrap_or_default();
    if let Some(effect) =
        std::str::from_utf8(&left).ok().and_then(|text| EffectId::parse(text).ok())
    {
        Family::of(&effect).end();
    }
}

pub(crate) fn note(turn: &CacheLock<'_>, effect: Option<&EffectId>) {
    // Without the note, a crash leaves behind a process that ends by itself.
    let _ =
        turn.write(RUNNING, effect.map_or("", EffectId::as_str).as_bytes(), 0o666, Lasting::Cached);
}
