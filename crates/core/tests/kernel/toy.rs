//! A small machine with dependencies, locks and several bounds, and helpers to drive any machine.

use std::collections::{BTreeMap, BTreeSet};

use sprag_core::{
    Ask, Check, Closes, Counts, Denied, Effect, Facts, Fence, Fields, Gate, Hash, KernelDecision,
    Machine, Move, Name, Next, Plain, Prompt, Rank, Receipt, Role, Run, RunId, Seq, SessionId,
    Signal, Stepped, Stored, Time, Unit, UnitId, Unreadable, Verdict, Word, next, prompt, step,
};

/// A machine whose units are done once; a unit waits for its dependencies.
pub(crate) struct Toy;

pub(crate) struct Plan {
    pub(crate) units: Vec<Unit>,
    pub(crate) depends: BTreeMap<UnitId, Vec<UnitId>>,
    pub(crate) limits: Vec<(Name, u32)>,
    /// Whether the machine first asks for the state of the pull request.
    pub(crate) asks: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Done(pub(crate) BTreeSet<UnitId>);

impl Stored for Done {
    fn lower(&self) -> Plain {
        Plain::map([("done", self.0.iter().cloned().collect::<Vec<_>>().lower())])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let done: Vec<UnitId> = Fields::of(plain)?.get("done")?;
        Ok(Self(done.into_iter().collect()))
    }
}

impl Machine for Toy {
    type Definition = Plan;
    type Position = Done;
    const RANK: Rank = Rank::Loop;

    fn limits(plan: &Plan) -> Vec<(Name, u32)> {
        plan.limits.clone()
    }

    fn next(plan: &Plan, run: &Run<Done>, facts: &Facts) -> Next {
        if plan.asks && !facts.answers.contains_key(&Ask::Pull) {
            return Next::Ask(vec![Ask::Pull]);
        }
        let done = &run.position().0;
        let met = |unit: &&Unit| {
            let needs = plan.depends.get(&unit.id).map_or(&[][..], Vec::as_slice);
            !done.contains(&unit.id) && needs.iter().all(|need| done.contains(need))
        };
        let units: Vec<_> = plan.units.iter().filter(met).cloned().collect();
        if units.is_empty() { Next::Done } else { Next::Units(units) }
    }

    fn prompt(_: &Plan, _: &Run<Done>, unit: &Unit, _: &Facts) -> Prompt {
        Prompt::of(format!("Do {}.", unit.id))
    }

    fn step(
        _: &Plan,
        run: &Run<Done>,
        heard: &KernelDecision<'_>,
        _: &Facts,
    ) -> Result<Move<Done>, Denied> {
        let mut to = Move::to(run.position().clone());
        match heard {
            KernelDecision::Passed { unit, .. } => {
                to.position.0.insert(unit.id.clone());
            }
            KernelDecision::Do { verb: "again" } => {
                to.position.0.clear();
                to.counts = Counts::Renew;
                to.effects.push(Effect::Notify { text: "again".into() });
            }
            KernelDecision::Do { .. } => {
                return Err(Denied::Refused { why: "no such verb".into() });
            }
            KernelDecision::Began { .. }
            | KernelDecision::Failed { .. }
            | KernelDecision::Gone { .. }
            | KernelDecision::Lost { .. }
            | KernelDecision::Look
            | KernelDecision::Resumed
            | KernelDecision::Answered { .. } => {}
        }
        Ok(to)
    }
}

pub(crate) fn name(text: &str) -> Name {
    Name::parse(text).unwrap()
}

pub(crate) fn id(text: &str) -> UnitId {
    UnitId::parse(text).unwrap()
}

pub(crate) fn session(text: &str) -> SessionId {
    SessionId::parse(text).unwrap()
}

pub(crate) fn tree(text: &str) -> Hash {
    Hash::of(text)
}

pub(crate) fn gate(text: &str) -> Gate {
    Gate { name: name(text), check: Check::Run { argv: vec![text.into()] } }
}

pub(crate) fn unit(text: &str, gates: &[&str], locks: &[&str]) -> Unit {
    let mut unit = Unit::new(id(text), name("task"), name("retry"));
    unit.gates = gates.iter().map(|text| gate(text)).collect();
    unit.locks = locks.iter().map(|text| name(text)).collect();
    unit
}

pub(crate) fn receipt(gate: &str, verdict: Verdict, tail: &str, files: &str) -> Receipt {
    Receipt {
        gate: name(gate),
        verdict,
        exit: (verdict == Verdict::Fail).then_some(1),
        why: String::new(),
        tail: tail.into(),
        tree: tree(files),
        at: Time::from_millis(1_000_000),
        doubt: None,
    }
}

/// Five units: `a` and `b` share a lock, `c` waits for `a`, `d` spends rounds, `e` ends by the
/// agent's word.
pub(crate) fn plan() -> Plan {
    let mut d = unit("d", &["test"], &["y"]);
    d.spends = vec![name("rounds")];
    let mut e = unit("e", &[], &["z"]);
    e.closes = Closes::Claim;
    e.role = Some(Role::parse("worker").unwrap());
    Plan {
        units: vec![
            unit("a", &["test", "lint"], &["x"]),
            unit("b", &["test"], &["x", "y"]),
            unit("c", &["test"], &["x"]),
            d,
            e,
        ],
        depends: [(id("c"), vec![id("a")])].into(),
        limits: vec![(name("retry"), 3), (name("rounds"), 2)],
        asks: false,
    }
}

/// One run of a machine, and a clock that advances with every signal.
pub(crate) struct World<M: Machine> {
    pub(crate) definition: M::Definition,
    pub(crate) run: Run<M::Position>,
    pub(crate) facts: Facts,
    pub(crate) told: Vec<String>,
    /// The last event of the last signal.
    pub(crate) last: Option<sprag_core::Event>,
}

impl World<Toy> {
    pub(crate) fn toy() -> Self {
        Self::new(plan(), Done::default())
    }
}

impl<M: Machine> World<M> {
    pub(crate) fn new(definition: M::Definition, position: M::Position) -> Self {
        let run = Run::new::<M>(RunId::parse("r-7k2m").unwrap(), &definition, position);
        let facts = Facts::new(Time::from_millis(1_000_000), Seq(0), tree("0"));
        Self { definition, run, facts, told: Vec::new(), last: None }
    }

    /// Sends a signal in the next line of the journal; a denied one must leave no trace.
    pub(crate) fn send(&mut self, signal: Signal) -> Result<(), Denied> {
        self.facts.seq = self.facts.seq.next();
        let Stepped { run, events } = step::<M>(&self.definition, &self.run, &signal, &self.facts)?;
        self.run = run;
        self.last = events.last().cloned();
        self.told = events.iter().map(|event| event.kind().to_string()).collect();
        Ok(())
    }

    pub(crate) fn begin(&mut self, unit: &str) -> Result<Fence, Denied> {
        self.begin_in(unit, "s1")
    }

    pub(crate) fn begin_in(&mut self, unit: &str, by: &str) -> Result<Fence, Denied> {
        self.send(Signal::Begin { unit: id(unit), agent: None, session: Some(session(by)) })?;
        Ok(Fence(self.facts.seq))
    }

    pub(crate) fn end(&mut self, fence: Fence, receipts: &[Receipt]) -> Result<(), Denied> {
        self.send(Signal::End {
            fence,
            word: Word::None,
            receipts: receipts.to_vec(),
            worth: Some(sprag_core::basis::Worth::Proven),
        })
    }

    pub(crate) fn say(&mut self, fence: Fence, word: Word) -> Result<(), Denied> {
        self.send(Signal::End {
            fence,
            word,
            receipts: Vec::new(),
            worth: Some(sprag_core::basis::Worth::Proven),
        })
    }

    pub(crate) fn files(&mut self, text: &str) {
        self.facts.tree = tree(text);
    }

    pub(crate) fn next(&self) -> Next {
        next::<M>(&self.definition, &self.run, &self.facts)
    }

    pub(crate) fn prompt(&self, unit: &Unit) -> Prompt {
        prompt::<M>(&self.definition, &self.run, unit, &self.facts)
    }

    /// Returns the ids of the units that can begin now.
    pub(crate) fn ready(&self) -> Vec<String> {
        match self.next() {
            Next::Units(units) => units.iter().map(|unit| unit.id.to_string()).collect(),
            Next::Wait { .. } | Next::Held(_) | Next::Done | Next::Cancelled | Next::Ask(_) => {
                Vec::new()
            }
        }
    }

    pub(crate) fn used(&self, bound: &str) -> u32 {
        self.run.bounds()[&name(bound)].used()
    }

    /// Fails `unit` once with `tail` on the files `on`.
    pub(crate) fn fail(&mut self, unit: &str, tail: &str, on: &str) -> Result<(), Denied> {
        let fence = self.begin(unit)?;
        self.files(on);
        self.end(fence, &[receipt("test", Verdict::Fail, tail, on)])
    }
}
