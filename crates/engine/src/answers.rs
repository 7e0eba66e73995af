//! Answers what a machine asks beside gates: what a file says, and what the command of a rule says.
//!
//! A file is read where the decision is made, so that a change of it makes the decision anew. A
//! command takes long, so it runs between two looks, as gates do.

use std::collections::BTreeMap;

use sprag_core::rules::Rule;
use sprag_core::{Ask, Denied, Event, Facts, Next, Plain, Signal};
use sprag_formats::Checks;
use sprag_store::{Doc, View};

use crate::case::Case;
use crate::engine::{Engine, EngineError};
use crate::gate::GateError;
use crate::live::Live;
use crate::process::Stop;

/// How often a step may ask for another file.
const FILES: u32 = 8;

/// What commands said.
pub(crate) type Answers = BTreeMap<Ask, Plain>;

impl Live {
    /// Takes a signal, reading the files that the machine asks for on the way.
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

    /// Returns the rules that must be asked before anybody can say what comes next.
    pub(crate) fn unanswered(&self, facts: &Facts) -> Vec<(Rule, Ask)> {
        if !matches!(self, Self::Gsd(_)) {
            return Vec::new();
        }
        match self.next(facts) {
            Next::Ask(asks) => self.rules_of(&asks),
            Next::Units(_) | Next::Wait { .. } | Next::Held(_) | Next::Done | Next::Cancelled => {
                Vec::new()
            }
        }
    }

    /// Returns the commands of its rules.
    pub(crate) fn rule_commands(&self) -> Vec<Vec<String>> {
        let Self::Gsd(held) = self else { return Vec::new() };
        let rules = held.definition.rules.rules().iter();
        rules.filter_map(|rule| rule.command_words().map(<[String]>::to_vec)).collect()
    }

    /// Returns the questions to rules among these, each with its rule.
    pub(crate) fn rules_of(&self, asks: &[Ask]) -> Vec<(Rule, Ask)> {
        let Self::Gsd(held) = self else { return Vec::new() };
        let rule = |ask: &Ask| match ask {
            Ask::Rule { rule, .. } => Some((held.rule(rule)?.clone(), ask.clone())),
            Ask::Gate(_) | Ask::Text(_) | Ask::Verification | Ask::Pull => None,
        };
        asks.iter().filter_map(rule).collect()
    }
}

/// Answers the questions about files; returns whether there were any that were not yet answered.
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

impl Engine<'_> {
    /// Answers for the rules whose commands may not run: so much is known without running them.
    pub(crate) fn foresee(&self, case: &Case, facts: &mut Facts) {
        let trust = self.trust();
        let bench = self.bench(&trust, case.law.config.checks);
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

    /// Asks commands of rules, one after another; one that was interrupted has said nothing.
    pub(crate) fn ask_rules(
        &self,
        asks: &[(Rule, Ask)],
        checks: Checks,
        answers: &mut Answers,
    ) -> Result<(), EngineError> {
        let trust = self.trust();
        let bench = self.bench(&trust, checks);
        for (rule, ask) in asks {
            if let Ask::Rule { question, .. } = ask {
                let fact = bench.ask_rule(rule, question);
                if bench.stop.is_some_and(Stop::is_asked) {
                    return Err(GateError::Interrupted.into());
                }
                answers.insert(ask.clone(), fact);
            }
        }
        Ok(())
    }
}
