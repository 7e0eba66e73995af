use super::{Around, Chain, Decided, End, Ended, Rule, Wish, Work};
use crate::event::RuleAnswer;
use crate::{Hold, Name, UnitId, stored};

/// A unit that ended and that not every rule has let pass yet.
///
/// It says where its chain stands: who has passed, whose unit is under way, or why it waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Following {
    /// The kind of the unit.
    pub kind: Name,
    /// What it was about.
    pub id: UnitId,
    /// The rules that have let it pass.
    pub passed: Vec<Name>,
    /// What is done about it now, and for which rule.
    pub due: Option<Due>,
    /// Why it waits for a person.
    pub hold: Option<Hold>,
    /// What the next rule has yet to hear of, where only a command can answer to it.
    pub told: Option<Ended>,
}

/// A unit that a rule asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due {
    /// Which rule.
    pub rule: Name,
    /// What it asked for.
    pub wish: Wish,
}

impl Following {
    /// Returns the beginning of the chain after a unit.
    pub const fn new(kind: Name, id: UnitId) -> Self {
        Self { kind, id, passed: Vec::new(), due: None, hold: None, told: None }
    }

    /// Returns the chain as it stands where `rule` has work of its own under way, and nothing else
    /// is known of it.
    pub fn at(chain: &Chain, rule: &Rule, kind: Name, id: UnitId) -> Self {
        let before = chain.rules().iter().take_while(|other| *other != rule);
        let passed = before.filter(|other| other.after.has(&kind));
        let passed = passed.map(|other| other.name.clone()).collect();
        Self { passed, ..Self::new(kind, id) }
    }

    /// Returns the kind of what is done about it now.
    pub fn due_kind(&self) -> Option<Name> {
        self.due.as_ref().map(|due| due.wish.kind_for(&self.id))
    }

    /// Goes on after something `ended`; returns what was decided, and the chain as it stands then:
    /// nothing when every rule has let it pass.
    pub fn hear(
        &self,
        chain: &Chain,
        unit: &Work,
        ended: Option<&Ended>,
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

impl Wish {
    /// Returns the kind of the unit, about `id`.
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
