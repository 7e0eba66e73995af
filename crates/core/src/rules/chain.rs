//! Asks the rules in order and decides about a unit.

use std::collections::BTreeMap;

use super::answer::of_fact;
use super::{
    Do, EndedUnit, How, Question, RequestedUnit, Rule, RuleDecision, RulePoint, UnitInfo, Wording,
};
use crate::event::RuleAnswer;
use crate::{Ask, Hold, Name, Plain};

/// Rules in the order in which they are asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chain(Vec<Rule>);

/// The context of a chain besides the unit.
pub struct Around<'a> {
    /// The state of the project.
    pub state: &'a Plain,
    /// Returns the state that a rule keeps with the unit's task, slice or milestone.
    pub kept: &'a dyn Fn(&Rule) -> Plain,
    /// Returns the number of cycles that a rule has spent on the unit.
    pub cycle: &'a dyn Fn(&Rule) -> u32,
    /// The answers of commands.
    pub answers: &'a BTreeMap<Ask, Plain>,
}

/// The decision of a chain.
#[derive(Clone, Debug, PartialEq)]
pub struct Decided {
    pub end: End,
    /// The rules' new states.
    pub keeps: Vec<(Name, Plain)>,
    /// The answers in order.
    pub said: Vec<RuleReply>,
    /// The rules that were not asked.
    pub losers: Vec<Name>,
}

/// The answer of one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleReply {
    pub rule: Name,
    pub what: RuleAnswer,
}

#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// The unit may be dispatched.
    Go {
        kind: Name,
        /// The rules' changes of its instruction.
        wording: Wording,
    },
    /// The unit is not dispatched.
    Skip {
        /// The deciding rule.
        rule: Name,
        why: String,
    },
    /// Other work about the unit comes first.
    Rework {
        /// The deciding rule.
        rule: Name,
        wish: RequestedUnit,
    },
    /// The work is held.
    Hold(Hold),
    /// These commands must run first.
    Ask(Vec<Ask>),
}

impl Chain {
    /// Sorts rules by priority, lowest first; equal ones stay in the order of registration.
    pub fn new(mut rules: Vec<Rule>) -> Self {
        rules.sort_by_key(|rule| rule.priority);
        Self(rules)
    }

    pub fn rules(&self) -> &[Rule] {
        &self.0
    }

    /// Returns whether any rule is asked about units of a kind.
    pub fn asks_about(&self, kind: &Name) -> bool {
        self.0.iter().any(|rule| rule.before.has(kind) || rule.after.has(kind))
    }

    pub fn rule(&self, name: &Name) -> Option<&Rule> {
        self.0.iter().find(|rule| rule.name == *name)
    }

    /// Decides about a unit before its dispatch; rules in `passed` were overruled by a person.
    pub fn before(&self, unit: &UnitInfo, passed: &[Name], around: &Around<'_>) -> Decided {
        let due = |rule: &&Rule| rule.before.has(&unit.kind) && !passed.contains(&rule.name);
        let rules = self.0.iter().filter(due).collect();
        Walk::new(RulePoint::Before, unit, around).through(rules, None)
    }

    /// Decides what follows an ended unit. Rules in `passed` have already let it pass; the first of
    /// the others learns what has just `ended`, which may be a rule's own unit.
    pub fn after(
        &self,
        unit: &UnitInfo,
        passed: &[Name],
        ended: Option<&EndedUnit>,
        around: &Around<'_>,
    ) -> Decided {
        let due = |rule: &&Rule| rule.after.has(&unit.kind) && !passed.contains(&rule.name);
        let rules = self.0.iter().filter(due).collect();
        Walk::new(RulePoint::After, unit, around).through(rules, ended)
    }
}

/// A chain in progress.
struct Walk<'a> {
    at: RulePoint,
    derived: &'a UnitInfo,
    wording: Wording,
    around: &'a Around<'a>,
    keeps: Vec<(Name, Plain)>,
    said: Vec<RuleReply>,
}

impl<'a> Walk<'a> {
    fn new(at: RulePoint, derived: &'a UnitInfo, around: &'a Around<'a>) -> Self {
        let wording = Wording::default();
        Self { at, derived, wording, around, keeps: Vec::new(), said: Vec::new() }
    }

    fn through(mut self, rules: Vec<&Rule>, ended: Option<&EndedUnit>) -> Decided {
        let mut left = rules.into_iter();
        let mut told = ended.cloned();
        while let Some(rule) = left.next() {
            let question = self.question(rule, told.take());
            // Later rules learn about the unit itself.
            told = ended.map(|_| EndedUnit {
                kind: self.derived.kind.clone(),
                how: How::Passed,
                text: None,
            });
            let answer = match self.hear(rule, &question) {
                Ok(answer) => answer,
                Err(ask) => return self.end(End::Ask(vec![ask]), Vec::new()),
            };
            if let Some(end) = self.take(rule, answer) {
                let losers = left.map(|rule| rule.name.clone()).collect();
                return self.end(end, losers);
            }
        }
        let (kind, wording) = (self.derived.kind.clone(), std::mem::take(&mut self.wording));
        self.end(End::Go { kind, wording }, Vec::new())
    }

    /// Returns a rule's answer, or the command that must run for it.
    fn hear(&self, rule: &Rule, question: &Question) -> Result<RuleDecision, Ask> {
        if let Some(answer) = rule.answer(question) {
            return Ok(answer);
        }
        let ask = Ask::Rule { rule: rule.name.clone(), question: question.lower() };
        let fact = self.around.answers.get(&ask);
        fact.map(|fact| of_fact(&rule.name, fact)).ok_or(ask)
    }

    fn question(&self, rule: &Rule, result: Option<EndedUnit>) -> Question {
        let prompt = self.wording.apply(|| self.derived.prompt.clone());
        Question {
            at: self.at,
            unit: UnitInfo { prompt, ..self.derived.clone() },
            derived: self.derived.clone(),
            state: self.around.state.clone(),
            kept: (self.around.kept)(rule),
            cycle: (self.around.cycle)(rule),
            max: rule.max,
            result,
        }
    }

    /// Applies an answer; returns the end of the chain, if it ends the chain.
    fn take(&mut self, rule: &Rule, answer: RuleDecision) -> Option<End> {
        let RuleDecision { what, keep } = answer;
        self.said.push(RuleReply { rule: rule.name.clone(), what: what.word() });
        self.keeps.extend(keep.map(|kept| (rule.name.clone(), kept)));
        let name = || rule.name.clone();
        match (what, self.at) {
            (Do::Pass, _) => None,
            (Do::Change { prepend, append }, RulePoint::Before) => {
                self.wording.put_around(prepend, append);
                None
            }
            (Do::Replace { kind, prompt }, RulePoint::Before) => {
                let kind = kind.unwrap_or_else(|| self.derived.kind.clone());
                Some(End::Go { kind, wording: Wording::whole(prompt) })
            }
            (Do::Skip { why }, RulePoint::Before) => Some(End::Skip { rule: name(), why }),
            (Do::Rework(wish), RulePoint::After) => Some(End::Rework { rule: name(), wish }),
            (Do::Hold(hold), _) => Some(End::Hold(named(rule, self.derived, hold))),
            (
                what @ (Do::Change { .. } | Do::Replace { .. } | Do::Skip { .. }),
                RulePoint::After,
            )
            | (what @ Do::Rework(_), RulePoint::Before) => {
                let why =
                    format!("`{}` is no answer {} a unit", what.word().as_str(), self.at.as_str());
                Some(End::Hold(Hold::Unproven { gate: name(), why }))
            }
        }
    }

    fn end(self, end: End, losers: Vec<Name>) -> Decided {
        Decided { end, keeps: self.keeps, said: self.said, losers }
    }
}

/// Prefixes a hold with its rule and its unit.
fn named(rule: &Rule, unit: &UnitInfo, hold: Hold) -> Hold {
    hold.said_by(|text| format!("{} of {}: {text}", rule.name, unit.id))
}
