//! Takes second looks: evaluates gates in a copy of the project with its earlier tests.

use std::time::Duration;

use sprag_core::{Hash, Time, Verdict};
use sprag_store::CacheLock;
use sprag_world::ids;
use sprag_world::project_copy::{NoCopy, Original, ProjectCopy};

use crate::engine::{Engine, EngineError};
use crate::gate::{self, GateError, GateRunner};
use crate::integrity::{LookAnswer, LookAnswers, WantedLook};
use crate::judge::Needs;
use crate::judge::evaluate::{left, note};

/// A look begins only with at least this much time.
const LEAST: Duration = Duration::from_secs(1);

impl Engine<'_> {
    /// Returns the project whose files gates judge, as the source of copies.
    pub(crate) fn original(&self) -> Original<'_> {
        let (root, environment) = (&self.files.root, self.environment);
        Original { root, environment, stop: self.stop.as_ref() }
    }

    /// Takes the second looks that a decision needs; `until` is when the answer is due.
    pub(crate) fn look_again(
        &self,
        needs: &Needs,
        until: Time,
        turn: &CacheLock<'_>,
        answers: &mut LookAnswers,
    ) -> Result<(), EngineError> {
        let deed = self.deed();
        let bench = self.bench(&deed, needs.checks);
        for look in &needs.looks {
            let again = SecondLooker { engine: self, bench: &bench, look, until, turn };
            if let Some(why) = again.take(answers)? {
                answers.give_up(std::slice::from_ref(look), &why);
            }
        }
        Ok(())
    }
}

/// Takes one second look.
struct SecondLooker<'a> {
    engine: &'a Engine<'a>,
    bench: &'a GateRunner<'a>,
    look: &'a WantedLook,
    until: Time,
    turn: &'a CacheLock<'a>,
}

impl SecondLooker<'_> {
    /// Evaluates the gates in a copy until one does not pass. Returns the reason if that is
    /// impossible.
    fn take(&self, answers: &mut LookAnswers) -> Result<Option<String>, EngineError> {
        let open: Vec<_> = self.look.gates.iter().filter(|(look, _)| !answers.has(*look)).collect();
        if open.is_empty() {
            return Ok(None);
        }
        if open.iter().any(|(_, spec)| !self.bench.untrusted(&spec.gate.check).is_empty()) {
            return Ok(Some("a person has not approved its command".to_owned()));
        }
        if !answers.count_copy() {
            return Ok(Some("the files change all the time".to_owned()));
        }
        if left(self.until) < LEAST {
            return Ok(Some("there was no time".to_owned()));
        }
        let copy = match self.engine.original().copy(&self.look.plan, ids::receipt()?.as_str()) {
            Ok(copy) => copy,
            Err(NoCopy::Interrupted) => return Err(GateError::Interrupted.into()),
            Err(why @ (NoCopy::TooLarge | NoCopy::NoPlace | NoCopy::Io(_))) => {
                return Ok(Some(why.to_string()));
            }
        };
        // If the files changed during the copy, it is worthless; the decision is repeated.
        if self.engine.tree()?.hash() != self.look.tree {
            return Ok(None);
        }
        for (known_by, spec) in open {
            let answer = self.evaluate(&copy, *known_by, spec)?;
            let is_pass = answer.found.verdict == Some(Verdict::Pass);
            answers.insert(*known_by, answer);
            if !is_pass {
                break;
            }
        }
        Ok(None)
    }

    fn evaluate(
        &self,
        copy: &ProjectCopy,
        known_by: Hash,
        spec: &sprag_core::GateSpec,
    ) -> Result<LookAnswer, EngineError> {
        let effect = ids::effect()?;
        if !gate::commands(&spec.gate.check).is_empty() {
            note(self.turn, Some(&effect));
        }
        let limit = left(self.until);
        let came = self.bench.evaluate_in(copy, spec, &effect, limit);
        note(self.turn, None);
        let mut came = came?;
        // The code may rewrite the tests that it has to pass.
        if came.verdict == Verdict::Pass && !copy.has_texts_of(&self.look.plan) {
            came.verdict = Verdict::Fail;
            "the earlier tests were changed while they ran".clone_into(&mut came.why);
        }
        let mut found = self.look.found(known_by, spec, came.verdict);
        found.exit = came.exit;
        found.why = Some(came.why).filter(|why| !why.is_empty());
        found.ms = came.ms;
        let is_decided = match came.verdict {
            Verdict::Pass | Verdict::Fail => true,
            // It may be decided with more time.
            Verdict::Void | Verdict::Waived | Verdict::Unknown => {
                limit >= spec.timeout.unwrap_or(gate::LIMIT)
            }
        };
        Ok(LookAnswer { run: self.look.run.clone(), found, is_kept: is_decided })
    }
}
