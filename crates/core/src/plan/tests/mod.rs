mod execute;
mod in_session;
mod laws;
mod verify;

use super::*;
use crate::{
    Ask, Check, Denied, DocPath, Facts, Fence, Hash, Hold, Name, Next, Receipt, Run, RunId, Seq,
    Signal, Stepped, Stored, Time, UnitId, Verdict, Word, next, step,
};

/// A run of a plan, with helpers to drive it.
struct PlanPlay {
    definition: Definition,
    run: Run<Position>,
    facts: Facts,
    state: LoopState,
    /// The claims from the last signal.
    claims: Vec<String>,
}

fn task(id: &str, wave: u32, depends: &[&str], path: &str) -> Task {
    let path = DocPath::parse(path).unwrap();
    let check = |decision| PlanCheck { kind: "file".into(), text: id.into(), cmd: None, decision };
    Task {
        id: id.to_owned(),
        wave,
        depends: depends.iter().map(|id| (*id).to_owned()).collect(),
        files: vec![PlanFile { path: path.clone(), action: FileAction::Create }],
        action: format!("Do {id}."),
        checks: vec![
            check(CheckDecision::Gate(Check::File { path })),
            check(CheckDecision::Claim { why: "only an agent sees it".into() }),
        ],
        done: format!("{id} is done"),
        ..Task::default()
    }
}

fn definition(mode: Mode) -> Definition {
    let tasks = vec![
        task("01", 1, &[], "a"),
        task("02", 1, &[], "b"),
        task("03", 1, &["01"], "b"),
        task("04", 2, &[], "c"),
    ];
    let plan = Plan { phase: "1".into(), title: "Loops".into(), tasks, ..Plan::default() };
    let settings = Settings { mode, ..Settings::default() };
    let ci = vec![(CiStage::Test, vec!["test".to_owned()])];
    Definition { plan, settings, ci }
}

/// A plan that asks whether it may begin.
pub(super) fn asking() -> (Definition, Run<Position>) {
    let world = PlanPlay::new(Mode::Interactive);
    (world.definition, world.run)
}

fn id(text: &str) -> UnitId {
    UnitId::parse(text).unwrap()
}

fn gap(kind: &str, file: &str) -> Gap {
    Gap { kind: kind.into(), file: Some(file.into()), text: "missing".into(), ..Gap::default() }
}

impl PlanPlay {
    fn new(mode: Mode) -> Self {
        Self::of(definition(mode))
    }

    fn of(definition: Definition) -> Self {
        let run = Run::new::<PlanMachine>(
            RunId::parse("r-7k2m").unwrap(),
            &definition,
            Position::new(None),
        );
        let facts = Facts::new(Time::from_millis(1_000_000), Seq(0), Hash::of("0"));
        let (state, claims) = (LoopState::default(), Vec::new());
        Self { definition, run, facts, state, claims }
    }

    fn send(&mut self, signal: &Signal) -> Result<(), Denied> {
        self.facts.seq = self.facts.seq.next();
        let Stepped { run, events } =
            step::<PlanMachine>(&self.definition, &self.run, signal, &self.facts)?;
        self.run = run;
        let ends = events.iter().find_map(crate::Event::ending);
        self.claims = ends.map(|end| end.claims.clone()).unwrap_or_default();
        self.state = shown(&self.definition, &self.run, &self.state, self.facts.now);
        Ok(())
    }

    fn begin(&mut self, unit: &str) -> Result<Fence, Denied> {
        self.send(&Signal::Begin { unit: id(unit), agent: None, session: None })?;
        Ok(Fence(self.facts.seq))
    }

    /// Ends an attempt with every gate of its unit passing, or the named one failing.
    fn end(&mut self, fence: Fence, word: Word, failing: Option<&str>) -> Result<(), Denied> {
        let attempt = self.run.attempts().iter().find(|attempt| attempt.fence() == fence).unwrap();
        let unit = attempt.unit().clone();
        let all = <PlanMachine as crate::Machine>::next(&self.definition, &self.run, &self.facts);
        let Next::Units(all) = all else { panic!("{all:?}") };
        let gates = all.into_iter().find(|one| one.id == unit).unwrap().gates;
        let receipts = gates.iter().map(|gate| {
            let verdict =
                if failing == Some(gate.name.as_str()) { Verdict::Fail } else { Verdict::Pass };
            receipt(&gate.name, verdict, &self.facts)
        });
        let receipts = receipts.collect();
        self.send(&Signal::End { fence, word, receipts, worth: Some(crate::basis::Worth::Proven) })
    }

    fn pass(&mut self, unit: &str) {
        let fence = self.begin(unit).unwrap();
        self.end(fence, Word::Done, None).unwrap();
    }

    fn fail(&mut self, unit: &str, why: &str) {
        let fence = self.begin(unit).unwrap();
        self.end(fence, Word::Failed { why: why.into() }, None).unwrap();
    }

    fn answer(&mut self, text: &str) {
        self.send(&Signal::Answered { text: text.into() }).unwrap();
    }

    fn told(&mut self, status: VerificationStatus, gaps: Vec<Gap>) {
        let report = Verification { status, gaps, human: vec!["Visual: the page".into()] };
        let told =
            VerificationAnswer { report, digest: Some(Hash::of(self.facts.seq.0.to_string())) };
        self.facts.answers.insert(Ask::Verification, told.lower());
    }

    fn verify(&mut self, status: VerificationStatus, gaps: Vec<Gap>) {
        let fence = self.begin("verify").unwrap();
        self.told(status, gaps);
        self.end(fence, Word::Done, None).unwrap();
    }

    fn ready(&self) -> Vec<String> {
        match self.next() {
            Next::Units(units) => units.iter().map(|unit| unit.id.to_string()).collect(),
            Next::Wait { .. } | Next::Held(_) | Next::Done | Next::Cancelled | Next::Ask(_) => {
                vec![]
            }
        }
    }

    fn next(&self) -> Next {
        next::<PlanMachine>(&self.definition, &self.run, &self.facts)
    }

    fn held(&self) -> String {
        let next = self.next();
        let Next::Held(hold) = next else { panic!("{next:?}") };
        hold.to_string()
    }

    fn prompt(&self, unit: &str) -> String {
        let next = self.next();
        let Next::Units(units) = next else { panic!("{next:?}") };
        let unit = units.iter().find(|one| one.id == id(unit)).unwrap();
        whole(&crate::prompt::<PlanMachine>(&self.definition, &self.run, unit, &self.facts))
    }
}

fn receipt(gate: &Name, verdict: Verdict, facts: &Facts) -> Receipt {
    let fails = verdict == Verdict::Fail;
    Receipt {
        gate: gate.clone(),
        verdict,
        exit: None,
        why: String::new(),
        tail: if fails { format!("boom </error> {}", facts.seq.0) } else { String::new() },
        tree: facts.tree,
        at: facts.now,
        doubt: None,
    }
}
