//! Computes the next step in a tree with rules: first the rules' open business with ended units,
//! then the decision of the table as the rules admit it.

use super::machine::parts;
use super::{
    Definition, DispatchOutcome, Keep, Phase, Position, StopSeverity, Stopped, dispatch,
    instruction, kernel_id, unit,
};
use crate::event::{RuleAnswer, RuleDecided};
use crate::rules::{
    Around, Decided, Due, End, EndedUnit, Following, Rule, TABLE, UnitInfo, Wording,
};
use crate::{
    Ask, Check, Closes, Event, Facts, Gate, Hold, Name, Next, Plain, Run, Stuck, Unit, UnitId,
};

/// Maximum number of units that rules may skip in one look.
const SKIPS: u32 = 32;

/// The next step, and the data to remember when it begins.
#[derive(Clone, Debug)]
pub struct NextStep {
    pub next: Next,
    /// The kind that the table derived for the unit.
    pub derived: Option<Name>,
    /// The ended unit that rules still deal with, if any.
    pub following: Option<Following>,
    /// New values that rules keep.
    pub keeps: Vec<Keep>,
    /// Events for the journal.
    pub events: Vec<Event>,
    /// Units that rules skipped, with the reason.
    pub skipped: Vec<(Name, UnitId, String)>,
    /// The unit of the table that a rule holds.
    pub stopped: Option<Stopped>,
}

/// One look at a tree.
pub(super) struct TreeLook<'a> {
    pub(super) definition: &'a Definition,
    pub(super) run: &'a Run<Position>,
    pub(super) facts: &'a Facts,
}

impl TreeLook<'_> {
    /// Computes the next step as if no unit were begun.
    pub(super) fn next(&self) -> NextStep {
        let altered = &self.run.position().altered;
        if !altered.is_empty() {
            let why = altered.join(", ");
            return NextStep::of(Next::Held(Hold::Unproven { gate: Name::literal("tree"), why }));
        }
        if let Some(looked) = self.sent_back() {
            return looked;
        }
        if let Some(looked) = self.open() {
            return looked;
        }
        let followed = self.run.position().following.as_ref();
        if let Some(looked) = followed.and_then(|following| self.follow(following)) {
            return looked;
        }
        let (passed, owed) = self.owed();
        let mut looked = owed.unwrap_or_else(|| self.table());
        looked.keeps.splice(0..0, passed.keeps);
        looked.events.splice(0..0, passed.events);
        looked
    }

    /// Returns the hash of the files, if known.
    pub(super) fn files(&self) -> Option<&Plain> {
        self.facts.answers.get(&Ask::Work)
    }

    /// Returns the table's unit whose agent was sent back: it has not passed, whatever its
    /// documents contain.
    pub(super) fn sent_back(&self) -> Option<NextStep> {
        let given = self.run.position().given.as_ref()?;
        self.run.sent_back(&given.unit)?;
        let (kind, at) = parts(&given.unit)?;
        let wording = Wording::whole(given.prompt.clone());
        let unit = self.given(&given.derived, &kind, &at, wording)?;
        let derived = Some(given.derived.clone());
        Some(NextStep { derived, ..NextStep::of(Next::Units(vec![unit])) })
    }

    /// Returns a rule's work in progress, as recorded in its kept values: it takes precedence over
    /// everything else.
    fn open(&self) -> Option<NextStep> {
        let rules = || self.definition.rules.rules().iter();
        for kept in &self.definition.state.extensions {
            let is_open = |rule: &&Rule| rule.is_open(&self.kept(&kept.at, rule));
            let Some(rule) = rules().find(is_open) else { continue };
            let known = self.run.position().following.clone();
            let known = known.filter(|one| one.id == kept.at && !one.passed.contains(&rule.name));
            let following = known.map_or_else(
                || Following::at(&self.definition.rules, rule, trigger(rule), kept.at.clone()),
                |known| Following { due: None, hold: None, ..known },
            );
            if let Some(looked) = self.follow(&following) {
                return Some(looked);
            }
        }
        None
    }

    /// Returns the rules' business with an ended unit; `None` if all rules let it pass, or if it is
    /// no longer in the tree.
    fn follow(&self, following: &Following) -> Option<NextStep> {
        if let Some(hold) = &following.hold {
            let next = Next::Held(hold.clone());
            return Some(NextStep { following: Some(following.clone()), ..NextStep::of(next) });
        }
        if let Some(due) = &following.due {
            let next = self.rework(following, due)?;
            return Some(NextStep { following: Some(following.clone()), ..NextStep::of(next) });
        }
        let (decided, after) = self.hear(following, following.told.as_ref())?;
        let next = match &decided.end {
            End::Go { .. } | End::Skip { .. } => return None,
            End::Ask(asks) => Next::Ask(asks.clone()),
            End::Hold(hold) => Next::Held(hold.clone()),
            End::Rework { .. } => self.due(after.as_ref())?,
        };
        let keeps = keeps(&following.id, &decided);
        let events = told(&following.kind, &following.id, &decided);
        Some(NextStep { following: after, keeps, events, ..NextStep::of(next) })
    }

    /// Builds the unit that is due after a chain; `None` if its subject is gone.
    pub(super) fn due(&self, after: Option<&Following>) -> Option<Next> {
        let after = after?;
        self.rework(after, after.due.as_ref()?)
    }

    /// Asks the rules about an ended unit; `None` if it is no longer in the tree.
    pub(super) fn hear(
        &self,
        following: &Following,
        ended: Option<&EndedUnit>,
    ) -> Option<(Decided, Option<Following>)> {
        let Following { kind, id, .. } = following;
        let work = self.work(kind, id)?;
        let rules = &self.definition.rules;
        Some(self.around(kind, id, |around| following.hear(rules, &work, ended, around)))
    }

    /// Returns the decision of the table, as the rules admit it.
    fn table(&self) -> NextStep {
        let Definition { tree, state, rules } = self.definition;
        let mut skipped: Vec<(Name, UnitId, String)> = Vec::new();
        for _ in 0..SKIPS {
            let by = |kind: &Name, at: &UnitId| {
                let found = skipped.iter().find(|(k, a, _)| k == kind && a == at);
                found.map(|(.., by)| by.clone())
            };
            let (kind, at) = match dispatch(tree, state, &by).decision {
                DispatchOutcome::Dispatch { kind, at } => (kind, at),
                DispatchOutcome::Stop { level, why } => {
                    return NextStep { skipped, ..NextStep::of(stopped(level, state.phase, why)) };
                }
                // The driver of the tree writes the document and looks again.
                DispatchOutcome::Skip { why, .. } => {
                    return NextStep {
                        skipped,
                        ..NextStep::of(Next::Wait { on: why, until: None })
                    };
                }
            };
            let Some(work) = self.work(&kind, &at) else {
                let what = format!("{kind} {at} is not in the tree");
                return NextStep::of(Next::Held(Hold::Asked { what }));
            };
            let id = kernel_id(&kind, &at);
            if let Some(hold) = self.run.position().stuck(&id) {
                return NextStep { skipped, ..NextStep::of(Next::Held(hold)) };
            }
            let answered = self.run.position().answered_for(&id);
            let decided = self.around(&kind, &at, |around| rules.before(&work, answered, around));
            let next = match &decided.end {
                End::Skip { rule, why } => {
                    skipped.push((kind, at, format!("`{rule}`: {why}")));
                    continue;
                }
                // A table name for other work would mislead readers.
                End::Go { kind: now, .. } if *now != kind && TABLE.contains(&now.as_str()) => {
                    let by = decided.said.last().map_or(now, |said| &said.rule);
                    Next::Held(made_by_table(by, now))
                }
                End::Go { kind: now, wording } => self.derived(&kind, now, &at, wording),
                End::Hold(hold) => Next::Held(hold.clone()),
                End::Ask(asks) => Next::Ask(asks.clone()),
                End::Rework { rule, .. } => Next::Held(made_by_table(rule, &kind)),
            };
            let (keeps, events) = (keeps(&at, &decided), told(&kind, &at, &decided));
            let stopped = stopped_by(id, &decided);
            let derived = Some(kind);
            return NextStep { derived, keeps, events, skipped, stopped, ..NextStep::of(next) };
        }
        let what = Stuck::Skips { most: SKIPS };
        NextStep { skipped, ..NextStep::of(Next::Held(Hold::NoProgress { what })) }
    }

    /// Builds the unit that the table derived, as the rules admit it.
    fn derived(&self, kind: &Name, now: &Name, at: &UnitId, wording: &Wording) -> Next {
        match self.given(kind, now, at, wording.clone()) {
            Some(unit) => Next::Units(vec![unit]),
            None => Next::Held(Hold::Asked { what: format!("{kind} {at} is gone") }),
        }
    }

    /// Builds a unit of the table. Its required artefacts are those of the derived kind.
    pub(super) fn given(
        &self,
        derived: &Name,
        kind: &Name,
        at: &UnitId,
        wording: Wording,
    ) -> Option<Unit> {
        let mut made = unit(derived, at, &self.definition.tree)?;
        made.id = kernel_id(kind, at);
        made.kind = kind.clone();
        made.wording = wording;
        name_gates(&mut made, "");
        Some(made)
    }

    /// Builds the unit that a rule asked for; `None` if its subject is gone.
    fn rework(&self, following: &Following, due: &Due) -> Option<Next> {
        let Definition { tree, rules, .. } = self.definition;
        let kind = due.wish.kind_for(&following.id);
        if TABLE.contains(&kind.as_str()) {
            return Some(Next::Held(made_by_table(&due.rule, &kind)));
        }
        let mut made = unit(&kind, &following.id, tree)?;
        made.closes = Closes::Stop;
        made.retries = Vec::new();
        let rule = rules.rule(&due.rule)?;
        let used = self.used(rule, &following.kind, &following.id);
        let bound = rule.bound(&following.kind, &following.id)?;
        let is_new = due.wish.cycle.is_none_or(|cycle| cycle > used);
        made.spends = vec![if is_new { bound } else { again(&bound)? }];
        made.gates = match &due.wish.file {
            Some(file) => {
                let check = Check::File { path: tree.beside(&following.id, file)? };
                vec![Gate { name: Name::literal("file"), check }]
            }
            // Earlier work must still be there.
            None => unit(&following.kind, &following.id, tree)?.gates,
        };
        name_gates(&mut made, due.wish.file.as_deref().unwrap_or_default());
        // A rule names files relative to the unit; the agent's working folder is elsewhere.
        let place = |name: &Option<String>| tree.beside(&following.id, name.as_deref()?);
        let must =
            place(&due.wish.file).map(|path| format!("It is done when this is written: {path}"));
        let may = place(&due.wish.reply).map(|path| format!("A reply, where there is one: {path}"));
        let prompt = [Some(due.wish.prompt.clone()), must, may];
        made.wording = Wording::whole(prompt.into_iter().flatten().collect::<Vec<_>>().join("\n"));
        Some(Next::Units(vec![made]))
    }

    fn work(&self, kind: &Name, id: &UnitId) -> Option<UnitInfo> {
        let Definition { tree, rules, .. } = self.definition;
        let is_asked = rules.asks_about(kind);
        let prompt = if is_asked { instruction(kind, id, tree)? } else { String::new() };
        let files = if is_asked { tree.names(id) } else { Vec::new() };
        tree.has(id).then(|| UnitInfo { kind: kind.clone(), id: id.clone(), prompt, files })
    }

    fn kept(&self, at: &UnitId, rule: &Rule) -> Plain {
        self.run.position().kept(&self.definition.state, at, &rule.name)
    }

    fn used(&self, rule: &Rule, kind: &Name, id: &UnitId) -> u32 {
        let Some(name) = rule.bound(kind, id) else { return 0 };
        let used = self.run.bounds().get(&name).map_or(0, crate::Bound::used);
        // A running attempt was charged at its begin, but rules are asked about earlier ones only.
        let begun = self.run.attempts().iter().flat_map(crate::Attempt::spent);
        let begun = begun.filter(|spent| **spent == name).count();
        used.saturating_sub(u32::try_from(begun).unwrap_or(u32::MAX))
    }

    fn around<T>(&self, kind: &Name, id: &UnitId, then: impl FnOnce(&Around<'_>) -> T) -> T {
        then(&Around {
            state: &self.definition.state.plain(),
            kept: &|rule| self.kept(id, rule),
            cycle: &|rule| self.used(rule, kind, id),
            answers: &self.facts.answers,
        })
    }
}

impl NextStep {
    pub(super) fn of(next: Next) -> Self {
        Self {
            next,
            derived: None,
            following: None,
            keeps: Vec::new(),
            events: Vec::new(),
            skipped: Vec::new(),
            stopped: None,
        }
    }
}

/// Returns the kind of unit after which a rule keeps values, if nothing else is known.
fn trigger(rule: &Rule) -> Name {
    match &rule.after {
        crate::rules::Kinds::These(kinds) if !kinds.is_empty() => kinds[0].clone(),
        crate::rules::Kinds::These(_) | crate::rules::Kinds::All => Name::literal("execute-task"),
    }
}

/// Gives the gates of a unit unique names: a receipt of one unit must never count for another.
fn name_gates(unit: &mut Unit, file: &str) {
    let own = format!("{} {file}", unit.id);
    for gate in &mut unit.gates {
        gate.name = Name::parse(own.trim()).unwrap_or(gate.name.clone());
    }
}

/// Returns the bound for repetitions within a cycle.
pub(super) fn again(bound: &Name) -> Option<Name> {
    Name::parse(&format!("{bound}/again")).ok()
}

/// Returns the record of a unit that a rule holds.
fn stopped_by(unit: UnitId, decided: &Decided) -> Option<Stopped> {
    let End::Hold(hold) = &decided.end else { return None };
    let rule = decided.said.last()?.rule.clone();
    Some(Stopped { unit, rule, hold: hold.clone(), allowed: false })
}

fn made_by_table(rule: &Name, kind: &Name) -> Hold {
    let why = format!("it asks for `{kind}`, which only the table dispatches");
    Hold::Unproven { gate: rule.clone(), why }
}

fn stopped(level: StopSeverity, phase: Phase, why: String) -> Next {
    match (level, phase) {
        (StopSeverity::Info, Phase::Complete) => Next::Done,
        (StopSeverity::Info | StopSeverity::Warning | StopSeverity::Error, _) => {
            Next::Held(Hold::Asked { what: why })
        }
    }
}

pub(super) fn keeps(at: &UnitId, decided: &Decided) -> Vec<Keep> {
    let keep = |(rule, value): &(Name, Plain)| Keep {
        at: at.clone(),
        rule: rule.clone(),
        value: value.clone(),
    };
    decided.keeps.iter().map(keep).collect()
}

/// Returns the journal events for a chain in which a rule did more than pass.
pub(super) fn told(kind: &Name, at: &UnitId, decided: &Decided) -> Vec<Event> {
    let Some(last) = decided.said.iter().rev().find(|said| said.what != RuleAnswer::Pass) else {
        return Vec::new();
    };
    let changes = decided.said.iter().filter(|said| said.what == RuleAnswer::Change);
    let told = RuleDecided {
        unit: format!("{kind} {at}"),
        rule: last.rule.to_string(),
        what: last.what,
        changed: changes.map(|said| said.rule.to_string()).collect(),
        losers: decided.losers.iter().map(Name::to_string).collect(),
    };
    vec![told.into()]
}
