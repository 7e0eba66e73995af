use super::{Around, Chain, Decided, End, EndedUnit, RequestedUnit, Rule, UnitInfo};
use crate::event::RuleAnswer;
use crate::{Hold, Name, UnitId, stored};

/// An ended unit that not every rule has let pass yet.
///
/// It records the progress of its chain: the rules that let it pass, the unit in progress, or the
/// reason of a wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Following {
    pub kind: Name,
    /// Its task, slice or milestone.
    pub id: UnitId,
    /// The rules that have let it pass.
    pub passed: Vec<Name>,
    /// The current work about it, and the rule that requested it.
    pub due: Option<Due>,
    /// Why it waits for a person.
    pub hold: Option<Hold>,
    /// The event that the next rule has yet to be asked about, if only a command can answer.
    pub told: Option<EndedUnit>,
}

/// A unit that a rule requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due {
    pub rule: Name,
    pub wish: RequestedUnit,
}

impl Following {
    /// Creates the start of the chain after a unit.
    pub const fn new(kind: Name, id: UnitId) -> Self {
        Self { kind, id, passed: Vec::new(), due: None, hold: None, told: None }
    }

    /// Creates the chain for a rule whose own work is in progress, if nothing else is known.
    pub fn at(chain: &Chain, rule: &Rule, kind: Name, id: UnitId) -> Self {
        let before = chain.rules().iter().take_while(|other| *other != rule);
        let passed = before.filter(|other| other.after.has(&kind));
        let passed = passed.map(|other| other.name.clone()).collect();
        Self { passed, ..Self::new(kind, id) }
    }

    /// Returns the kind of the current work about it.
    pub fn due_kind(&self) -> Option<Name> {
        self.due.as_ref().map(|due| due.wish.kind_for(&self.id))
    }

    /// Continues after something `ended`; returns the decision and the new state of the chain, or
    /// `None` if every rule has let the unit pass.
    pub fn hear(
        &self,
        chain: &Chain,
        unit: &UnitInfo,
        ended: Option<&EndedUnit>,
        around: &Around<'_>,
    ) -> (Decided, Option<Self>) {
        let decided = chain.after(unit, &self.passed, ended, around);
        let mut next = Self { due: None, hold: None, told: None, ..self.clone() };
        let passed = decided.said.iter().filter(|said| said.what == RuleAnswer::Pass);
        next.passed.extend(passed.map(|said| said.rule.clone()));
        let next = match &decided.end {
            End::Go { .. } | End::Skip { .. } => None,
            End::Rework { rule, wish } => {
                next.due = Some(Due { rule: rule.clone(), wish: wish.clone() });
                Some(next)
            }
            End::Hold(hold) => {
                next.hold = Some(hold.clone());
                Some(next)
            }
            End::Ask(_) => Some(self.clone()),
        };
        (decided, next)
    }
}

impl RequestedUnit {
    /// Returns the kind of the requested unit about `id`.
    pub fn kind_for(&self, id: &UnitId) -> Name {
        let plain = match id.as_str().split('/').count() {
            1 => "fix-milestone",
            2 => "fix-slice",
            _ => "fix-task",
        };
        self.kind.clone().unwrap_or(Name::literal(plain))
    }
}

stored!(struct Due { rule, wish });

stored!(struct Following { kind, id, passed, due, hold, told });
