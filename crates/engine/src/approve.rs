//! A person approves a run's hold, answers its question, or waives one of its gates.

use sprag_core::workflow::REVIEW;
use sprag_core::{
    Check, Commands, Doubt, Facts, Hold, Name, RunId, Signal, UnitId, Verdict, Way, typed,
};
use sprag_formats::Checks;
use sprag_store::View;
use sprag_world::ids;
use sprag_world::trust;

use crate::conclude::Concluded;
use crate::draft::Draft;
use crate::drive::{allows_commands, answered, is_apart, is_at_work, looked_at, other_than_shown};
use crate::engine::{Engine, EngineError};
use crate::judge::Known;
use crate::judge::tx::Tx;
use crate::now::Now;
use crate::open_run::OpenRun;
use crate::persons::Said;
use crate::receipt::{Evidence, GateOrigin, PersonVerdict, Record};
use crate::snapshot::protected;
use crate::{config, gate, integrity, receipt_index};

impl Engine<'_> {
    /// Approves a run's hold: a question, a command, or a change of protected files. A run that
    /// gave up tries again.
    ///
    /// `shown` is the hold that the person saw, if the run had several. If that hold is gone,
    /// nothing is approved.
    pub fn approve(
        &self,
        run: &RunId,
        shown: Option<&Hold>,
        by: &str,
    ) -> Result<Said, EngineError> {
        let now = Now::new(self);
        let hold = self.look(|view| waited_for(self, view, run, shown, &now))?;
        if let Hold::Unreadable { path } = &hold {
            return Err(EngineError::Unreadable {
                path: path.to_string(),
                why: "it cannot be read, so nothing can be agreed to".to_owned(),
            });
        }
        if let Hold::Untrusted { what } = &hold {
            self.trust_shown(run, what)?;
        }
        if let Hold::SetUp { what } = &hold {
            self.trust_before(run, what)?;
        }
        self.transact(by, &now, |tx| {
            let view = tx.view;
            let mut case = OpenRun::open(self.kinds, view, run)?;
            let mut words = Vec::new();
            if accept_review(tx, &mut case)? {
                let said = go_on(tx, &mut case, words)?;
                let what = "the work is accepted as it is, and not reviewed to the end";
                return Ok(join(format!("{run}: {what}"), said));
            }
            let what = match &hold {
                Hold::Asked { what } | Hold::RoundsOver { what } => {
                    words = agree(view, &case, by, what, &now)?;
                    accept_work(tx, &mut case)?;
                    format!("agreed: {what}")
                }
                Hold::Unproven { gate, why } => {
                    self.accept(view, &mut case, gate, why, &now, tx)?;
                    format!("agreed: {why}")
                }
                Hold::Doubtful { why: why @ Doubt::Inputs { inputs }, .. } => {
                    self.accept_inputs(view, &mut case, inputs, &now, tx)?;
                    format!("agreed: {}", why.in_a_receipt())
                }
                Hold::Doubtful { gate, why } => {
                    let why = why.in_a_receipt();
                    self.accept(view, &mut case, gate, &why, &now, tx)?;
                    format!("agreed: {why}")
                }
                Hold::Untrusted { what } | Hold::SetUp { what } => {
                    format!("`{what}` may run here now")
                }
                Hold::Changed { what } => {
                    case.run.take_text();
                    format!("agreed: {what}")
                }
                Hold::NoProgress { .. } => {
                    accept_work(tx, &mut case)?;
                    "it goes on".to_owned()
                }
                Hold::Person { .. }
                | Hold::Interrupted
                | Hold::DriverGone { .. }
                | Hold::Budget(_)
                | Hold::NoHost(_)
                | Hold::NoPart { .. }
                | Hold::Blocked { .. }
                | Hold::Until { .. }
                | Hold::Exhausted { .. }
                | Hold::Unreadable { .. } => goes_on(run, &hold)?,
            };
            let said = go_on(tx, &mut case, words)?;
            Ok(join(format!("{run}: {what}"), said))
        })
    }

    /// Answers a question of a plan, a loop, or one of their agents with the person's text.
    pub fn answer(&self, run: &RunId, text: &str, by: &str) -> Result<Said, EngineError> {
        let now = Now::new(self);
        let is_asked = self.look(|view| {
            let case = OpenRun::open(self.kinds, view, run)?;
            let facts = Facts::new(now.at, view.seq(), now.hash()?);
            let mut waiting = case.run.live.waiting(&facts).into_iter();
            let in_words = case.run.live.info().is_reported;
            Ok(in_words && waiting.any(|one| one.hold.question().is_some()))
        })?;
        if !is_asked {
            let what = format!("{run} asks nothing that words answer");
            let help = format!("`sprag approve {run}` agrees to what waits");
            return Err(EngineError::Refused { what, help });
        }
        self.plan_answer(run, text, by)?;
        Ok(format!("{run}: answered"))
    }

    /// Waives a gate of a run and records the waiver.
    pub fn waive(&self, run: &RunId, gate: &str, why: &str, by: &str) -> Result<Said, EngineError> {
        let now = Now::new(self);
        self.transact(by, &now, |tx| {
            let mut case = OpenRun::open(self.kinds, tx.view, run)?;
            let mut names = case.run.live.specs().iter().map(|spec| &spec.gate.name);
            let name = names.find(|name| name.as_str() == gate);
            let name = name.cloned().ok_or_else(|| EngineError::NotFound {
                what: format!("{run} has no gate `{}`", gate.escape_debug()),
            })?;
            if case.run.live.info().is_reported {
                // A plan's file has no field for a waiver, so every verification would ask again.
                let what = format!("`{gate}` is a check of a plan, and these are not waived");
                let help = format!("correct or remove it in plan.md, then `sprag resume {run}`");
                return Err(EngineError::Refused { what, help });
            }
            if is_in_review(&case, tx.facts()?) {
                // A waiver would have no effect: a review runs no gates, and a fix changes the
                // files.
                let what = format!("`{gate}` is not asked now: its phase is in review");
                let help = format!(
                    "waive it when it fails; `sprag approve {run}` accepts the work as it is, once \
                     its review waits for you"
                );
                return Err(EngineError::Refused { what, help });
            }
            let word =
                PersonVerdict { by, why, at: now.at, tree: looked_at(tx.view, &case, &now)? };
            let words = vec![record(&case, &name, Verdict::Waived, &word)?];
            let said = go_on(tx, &mut case, words)?;
            Ok(join(format!("{run}: `{gate}` is waived, not proven"), said))
        })
    }

    /// Approves exactly those commands of a run that the person was shown.
    fn trust_shown(&self, run: &RunId, shown: &Commands) -> Result<(), EngineError> {
        let (specs, of_rules) = self.look(|view| {
            let case = OpenRun::open(self.kinds, view, run)?;
            allows_commands(case.law.config.checks)?;
            Ok((case.run.live.specs().to_vec(), case.run.live.rule_commands()))
        })?;
        let deed = self.deed();
        let bench = self.bench(&deed, Checks::Ask);
        if let Some(argv) = of_rules.iter().find(|argv| *shown == typed(argv).into()) {
            return self.trust_commands(std::slice::from_ref(argv));
        }
        let spec = specs.iter().find(|spec| bench.untrusted(&spec.gate.check) == *shown);
        let spec = spec.ok_or_else(other_than_shown)?;
        let commands = gate::commands(&spec.gate.check).into_iter().map(<[String]>::to_vec);
        self.trust_commands(&commands.collect::<Vec<_>>())
    }

    pub(crate) fn trust_commands(&self, commands: &[Vec<String>]) -> Result<(), EngineError> {
        let digests: Vec<_> = commands.iter().map(|argv| trust::digest(argv, "", &[])).collect();
        self.trust_digests(&digests)
    }

    /// Approves the commands with these digests in this project.
    pub(crate) fn trust_digests(&self, digests: &[sprag_core::Hash]) -> Result<(), EngineError> {
        Ok(trust::approve(&self.deeds_or_refuse()?, self.place, digests)?)
    }

    /// Accepts the protected files and the run's inputs as they are now.
    fn accept(
        &self,
        view: &View<'_>,
        case: &mut OpenRun,
        gate: &Name,
        why: &str,
        now: &Now<'_>,
        draft: &mut Draft,
    ) -> Result<(), EngineError> {
        if case.run.live.info().rechecks {
            // The checks are looked at again whenever an attempt ends.
            return record_again(view, case, now, draft);
        }
        let specs = case.run.live.specs().to_vec();
        let records = receipt_index::find(self, view, now.tree()?.hash(), &specs);
        let passed = |record: &Record| record.verdict == Verdict::Pass;
        if !records.iter().any(|record| record.gate == gate.as_str() && passed(record)) {
            let mut help = format!("mend it and `sprag resume {}`", case.run.id());
            // Only gates of the run can be waived.
            if specs.iter().any(|spec| spec.gate.name.as_str() == gate.as_str()) {
                help.push_str(", or waive it: `--waive \"why\"`");
            }
            let what = format!("`{gate}` did not run, so there is nothing to agree to: {why}");
            return Err(EngineError::Refused { what, help });
        }
        take_anew(view, case, now, draft)
    }

    /// Accepts the run's inputs as they are now, after a person agreed to every change.
    fn accept_inputs(
        &self,
        view: &View<'_>,
        case: &mut OpenRun,
        inputs: &[String],
        now: &Now<'_>,
        draft: &mut Draft,
    ) -> Result<(), EngineError> {
        let run = case.run.id();
        let doubts = integrity::doubts_of(self, view, run, now)?;
        if doubts.iter().any(|doubt| inputs.contains(&doubt.key.to_string())) {
            let what = format!("the changes of {run} were not agreed to yet");
            let help = format!("`sprag approve {run}` shows them and asks");
            return Err(EngineError::Refused { what, help });
        }
        take_anew(view, case, now, draft)
    }
}

/// Records the protected files and the run's inputs that are in force now as the new baseline.
fn take_anew(
    view: &View<'_>,
    case: &mut OpenRun,
    now: &Now<'_>,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let specs = case.run.live.specs().to_vec();
    if case.run.live.info().has_phases {
        case.run.header.protected = protected(now, &specs)?;
        return record_again(view, case, now, draft);
    }
    record_again(view, case, now, draft)?;
    if case.run.live.info().has_config {
        case.run.header.protected = protected(now, &specs)?;
        if let Some(edit) = config::copy_again(view, case.run.id())? {
            draft.edit(edit);
        }
        return Ok(());
    }
    let Some((owner, file)) = &mut case.owner else { return Ok(()) };
    file.protected = protected(now, &specs)?;
    if let config::Configured::Known { text, config, .. } = config::load(view)? {
        if let Some(guard) = &config.guard {
            file.protected = protected(now, &guard.gates)?;
        }
        file.config = text;
    }
    draft.session(owner, file)
}

/// Resumes a run after a person's approval, and ends every attempt that can now pass.
fn go_on(
    tx: &mut Tx<'_>,
    case: &mut OpenRun,
    words: Vec<Evidence>,
) -> Result<Vec<String>, EngineError> {
    let (view, at) = (tx.view, tx.now.at);
    let facts = tx.facts()?.clone();
    if case.run.live.info().is_reported {
        // The agents of such a run end their own attempts; a person only releases the hold.
        let asks = |one: &sprag_core::Waiting| one.hold.question().is_some();
        let is_held = case.run.live.standing_hold(at).is_some();
        let signal = if !is_held && case.run.live.waiting(&facts).iter().any(asks) {
            Signal::Answered { text: String::new() }
        } else {
            Signal::Resume
        };
        tx.step(&mut case.run, &signal)?;
        answered(view, case, (&signal, &Concluded::default()), &facts, tx)?;
        tx.run(&case.run)?;
        return Ok(Vec::new());
    }
    let held = case.held();
    // The work is in other files or still in progress: the driver judges it with this evidence.
    let is_handed_on = is_apart(view, case)? || is_at_work(tx.engine(), view, case, at)?;
    tx.step(&mut case.run, &Signal::Resume)?;
    for word in &words {
        tx.evidence(word)?;
    }
    let is_waiver = |word: &&Evidence| word.record.verdict == Verdict::Waived;
    let waived = words.iter().filter(is_waiver).map(|word| word.record.id.clone()).collect();
    let (said, mut concluded) = if is_handed_on {
        let mut concluded = Concluded::default();
        if !words.is_empty() {
            concluded.judged = case.hand_on(held, &words, &facts, tx);
        }
        (Vec::new(), concluded)
    } else {
        case.conclude(tx, &Known { evidence: words, ..Known::default() })?
    };
    concluded.waived = waived;
    answered(view, case, (&Signal::Resume, &concluded), &facts, tx)?;
    tx.run(&case.run)?;
    Ok(said)
}

/// Checks that approving this hold resumes the run; otherwise refuses with the hold's own command.
fn goes_on(run: &RunId, hold: &Hold) -> Result<String, EngineError> {
    let ways = hold.ways();
    if ways.has(&Way::Approve) {
        return Ok("it goes on".to_owned());
    }
    Err(EngineError::Refused {
        what: format!("there is nothing to agree to: {hold}"),
        help: format!("`{}`", ways.first().command(run)),
    })
}

/// Returns whether the current phase is in review, or would be if its review were not held.
fn is_in_review(case: &OpenRun, facts: &Facts) -> bool {
    let live = &case.run.live;
    let is_begun = || live.begun(facts).iter().any(|unit| unit.kind == REVIEW);
    live.phase_review().is_some_and(|review| review.is_held || is_begun())
}

/// Ends the review that holds a phase, because a person accepts the work as it is.
fn accept_review(tx: &mut Tx<'_>, case: &mut OpenRun) -> Result<bool, EngineError> {
    let (facts, live) = (tx.facts()?, &case.run.live);
    let Some(review) = live.phase_review() else { return Ok(false) };
    let is_held = |unit: &UnitId| {
        live.attempts().iter().any(|attempt| attempt.unit() == unit && attempt.hold().is_some())
    };
    // A gate of the phase itself may wait as well; that is a separate question.
    let mut reviews = live.begun(facts).into_iter().filter(|unit| unit.kind == REVIEW);
    if !reviews.any(|unit| is_held(&unit.id)) && !review.is_held {
        return Ok(false);
    }
    tx.step(&mut case.run, &Signal::Answered { text: "approve".to_owned() })?;
    Ok(true)
}

/// Answers a rule's hold: a person accepts the work as it is.
fn accept_work(tx: &mut Tx<'_>, case: &mut OpenRun) -> Result<(), EngineError> {
    if !case.run.live.info().has_rules {
        return Ok(());
    }
    tx.step(&mut case.run, &Signal::Answered { text: "approve".to_owned() })
}

/// Returns the hold that the person was shown, or the run's first one.
fn waited_for(
    engine: &Engine<'_>,
    view: &View<'_>,
    run: &RunId,
    shown: Option<&Hold>,
    now: &Now<'_>,
) -> Result<Hold, EngineError> {
    let case = OpenRun::open(engine.kinds, view, run)?;
    let mut facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
    engine.foresee(&case, &mut facts);
    let mut holds = case.run.live.waiting(&facts).into_iter().map(|waiting| waiting.hold);
    let found = holds.find(|hold| shown.is_none_or(|shown| hold == shown));
    found.ok_or_else(|| EngineError::Refused {
        what: format!("nothing in {run} waits for a person, or no longer what was shown"),
        help: "`sprag` lists what does".to_owned(),
    })
}

/// Records that a person answered yes to a gate's question.
fn agree(
    view: &View<'_>,
    case: &OpenRun,
    by: &str,
    what: &str,
    now: &Now<'_>,
) -> Result<Vec<Evidence>, EngineError> {
    let word = PersonVerdict { by, why: what, at: now.at, tree: looked_at(view, case, now)? };
    let asks = case.run.live.specs().iter().filter(|spec| asks(&spec.gate.check, what));
    asks.map(|spec| record(case, &spec.gate.name, Verdict::Pass, &word)).collect()
}

/// Returns whether a check contains exactly this question.
fn asks(check: &Check, what: &str) -> bool {
    let is_it = check.question().is_some_and(|asked| asked == what);
    is_it || check.parts().iter().any(|check| asks(check, what))
}

/// Builds the record of a person's verdict on a gate.
fn record(
    case: &OpenRun,
    gate: &Name,
    verdict: Verdict,
    word: &PersonVerdict<'_>,
) -> Result<Evidence, EngineError> {
    let asked = GateOrigin {
        run: case.run.id().clone(),
        phase: case.run.phase(),
        definition: case.run.header.definition.as_ref().map(|known| known.digest),
    };
    Ok(Record::of_person(ids::receipt()?, &asked, gate, verdict, word))
}

fn join(first: String, more: Vec<String>) -> Said {
    std::iter::once(first).chain(more).collect::<Vec<_>>().join("\n")
}

/// Records the current definition of a run after a person accepted it.
fn record_again(
    view: &View<'_>,
    case: &mut OpenRun,
    now: &Now<'_>,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    for edit in case.run.record_again(view, now)? {
        draft.edit(edit);
    }
    Ok(())
}
