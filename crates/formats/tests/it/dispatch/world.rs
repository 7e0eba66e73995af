//! One tree, its run, and an agent that usually does its assigned work.

use std::collections::BTreeSet;

use sprag_core::gsd::{Definition, Gsd, Position, Reading, Tree};
use sprag_core::rules::{Chain, Rule};
use sprag_core::{
    Ask, Check, Denied, DocPath, Facts, Fence, Gate, Hash, Next, Plain, Ran, Receipt, Run, RunId,
    Seq, Signal, Stepped, Stored as _, Time, Unit, UnitId, Verdict, Word, apply, next, step,
};
use sprag_formats::gsd::{Depth, Memory, keep, load, load_for, tick};

use super::{rules, tree};
use crate::random::Random;

pub(super) struct World {
    random: Random,
    files: Memory,
    rules: Chain,
    run: Run<Position>,
    seq: u64,
    /// Every task that was ever done.
    finished: BTreeSet<String>,
    /// The tasks that were done before the run started.
    before: BTreeSet<String>,
    pub(super) dispatched: usize,
    pub(super) reworked: usize,
    over: bool,
}

impl World {
    pub(super) fn new(mut random: Random) -> Self {
        let files = tree::tree(&mut random);
        let rules = rules::chain(&mut random);
        let definition = definition(&files, &rules, &[]);
        let id = RunId::parse("r-1").unwrap();
        let run = Run::new::<Gsd>(id, &definition, Position::start(&definition));
        let (finished, before) = (BTreeSet::new(), BTreeSet::new());
        let (seq, dispatched, reworked, over) = (0, 0, 0, false);
        let mut world =
            Self { random, files, rules, run, seq, finished, before, dispatched, reworked, over };
        let all = load(&world.files, None, Depth::Everything, Reading::Ours).tree;
        world.note_finished(&all);
        world.before.clone_from(&world.finished);
        world
    }

    pub(super) const fn is_done(&self) -> bool {
        self.over
    }

    /// Dispatches the next unit and works on it. Returns whether work is left.
    pub(super) fn step(&mut self) -> bool {
        let definition = definition(&self.files, &self.rules, &self.run.slices());
        self.run.learn::<Gsd>(&definition);
        let mut facts = self.facts();
        let units = loop {
            match next::<Gsd>(&definition, &self.run, &facts) {
                Next::Ask(asks) => self.answer(&asks, &mut facts),
                Next::Units(units) => break units,
                Next::Held(_) | Next::Wait { .. } => {
                    return self.random.below(3) > 0
                        && self.send(&definition, &Signal::Resume, facts);
                }
                Next::Done | Next::Cancelled => {
                    self.over = true;
                    return false;
                }
            }
        };
        let unit = units[0].clone();
        self.check(&unit);
        let begin = Signal::Begin { unit: unit.id.clone(), agent: None, session: None };
        let fence = Fence(facts.seq);
        if !self.send(&definition, &begin, facts) {
            return false;
        }
        self.dispatched += 1;
        self.work(&unit);
        self.end(fence);
        true
    }

    /// Fails if a finished task would be done again.
    fn check(&mut self, unit: &Unit) {
        let (kind, at) = unit.id.as_str().split_once(' ').unwrap();
        let own = ["review-task", "fix-task", "look"].contains(&kind) || kind.starts_with("hook/");
        self.reworked += usize::from(own);
        if kind == "execute-task" {
            assert!(!self.finished.contains(at), "{at} is finished and dispatched again");
        }
        if kind == "complete-slice" {
            self.check_reviewed(at);
        }
        if let Some((_, batch)) = at.split_once("reactive+") {
            let slice = at.rsplit_once('/').unwrap().0;
            for task in batch.split(',') {
                assert!(!self.finished.contains(&format!("{slice}/{task}")), "{task} in {batch}");
            }
        }
    }

    /// Fails if a task of a slice escaped the review, dispatched or not.
    fn check_reviewed(&self, slice: &str) {
        let is_review = |rule: &Rule| rule.name.as_str() == "review-loop";
        if !self.rules.rules().iter().any(is_review) {
            return;
        }
        let of_run = self.finished.difference(&self.before);
        let (milestone, folder) = slice.split_once('/').unwrap();
        for at in of_run.filter(|at| at.starts_with(&format!("{slice}/"))) {
            let task = at.rsplit_once('/').unwrap().1;
            let own = format!("milestones/{milestone}/slices/{folder}/tasks/{task}-");
            let beside = self.files.0.range(own.clone()..);
            let mut beside = beside.take_while(|(path, _)| path.starts_with(&own));
            let reviewed = beside.any(|(_, text)| text.contains("completedReviews"));
            assert!(reviewed, "{at} was never reviewed: {:?}", self.files);
        }
    }

    /// Also does another task of the slice, without being asked.
    fn overdo(&mut self, at: &str) {
        let mut parts = at.splitn(3, '/');
        let (Some(milestone), Some(slice)) = (parts.next(), parts.next()) else { return };
        let folder = format!("milestones/{milestone}/slices/{slice}");
        let plan = format!("{folder}/{slice}-PLAN.md");
        let Some(text) = self.files.0.get_mut(&plan) else { return };
        let task = ["T01", "T02", "T03"][self.random.below(3)];
        let Ok(splices) = tick(text, task, true) else { return };
        *text = apply(text, &splices).unwrap();
        let summary = "---\nid: x\n---\n# Text\n\nDone.\n".to_owned();
        self.files.0.entry(format!("{folder}/tasks/{task}-SUMMARY.md")).or_insert(summary);
    }

    /// Usually does the work that a unit's gates require.
    fn work(&mut self, unit: &Unit) {
        let (_, at) = unit.id.as_str().split_once(' ').unwrap();
        if self.random.below(6) == 0 {
            self.overdo(at);
        }
        if self.random.below(8) == 0 {
            return;
        }
        for gate in &unit.gates {
            self.satisfy(&gate.check);
        }
        let (kind, at) = unit.id.as_str().split_once(' ').unwrap();
        if kind.starts_with("hook/") {
            let name = ["OK.md", "NO.md"][self.random.below(2)];
            let (slice, task) = at.rsplit_once('/').unwrap();
            let (milestone, slice) = slice.split_once('/').unwrap();
            let path = format!("milestones/{milestone}/slices/{slice}/tasks/{task}-{name}");
            self.files.0.insert(path, "text\n".into());
        }
    }

    fn satisfy(&mut self, check: &Check) {
        if let Check::File { path } = check {
            let path = below(path.as_str());
            let text = self.text(&path);
            self.files.0.entry(path).or_insert(text);
        } else if let Check::Content { path, has } = check {
            let path = below(path.as_str());
            let text = self.files.0.entry(path).or_default();
            if text.contains(has.as_str()) {
                return;
            }
            let id = has.trim_start_matches("[x] **").trim_end_matches(':').to_owned();
            match tick(text, &id, true) {
                Ok(splices) => *text = apply(text, &splices).unwrap(),
                Err(_) => text.push_str(&sample(has)),
            }
        } else if let Check::Any { of } = check {
            self.satisfy(&of[0]);
        } else {
            check.parts().iter().for_each(|check| self.satisfy(check));
        }
    }

    /// Returns a text for a new file.
    fn text(&mut self, path: &str) -> String {
        if !path.contains("CODE-REVIEW") {
            return "---\nid: x\nverdict: pass\n---\n# Text\n\nDone.\n".to_owned();
        }
        match self.random.below(4) {
            0 => "I cannot say.\n".to_owned(),
            1 => "VERDICT: pass\n".to_owned(),
            many => {
                let of = |at| format!("- [critical] finding {}\n", "x".repeat(at + many));
                format!("VERDICT: issues\n{}", (0..many).map(of).collect::<String>())
            }
        }
    }

    /// Ends the attempt, judged by the current files.
    fn end(&mut self, fence: Fence) {
        let definition = definition(&self.files, &self.rules, &self.run.slices());
        self.run.learn::<Gsd>(&definition);
        self.note_finished(&definition.tree);
        let mut facts = self.facts();
        if self.random.below(12) == 0 {
            let ran = if self.random.below(2) == 0 { Ran::No } else { Ran::Yes };
            self.send(&definition, &Signal::Lost { fence, ran, why: String::new() }, facts);
            return;
        }
        let mut receipts = Vec::new();
        for _ in 0..20 {
            let end = Signal::End {
                fence,
                word: Word::Done,
                receipts: receipts.clone(),
                worth: Some(sprag_core::basis::Worth::Proven),
            };
            match step::<Gsd>(&definition, &self.run, &end, &facts) {
                Ok(stepped) => return self.commit(&definition, &stepped),
                Err(Denied::Needs(asks)) => {
                    self.answer(&asks, &mut facts);
                    for ask in asks {
                        let Ask::Gate(gate) = ask else { continue };
                        receipts.push(self.evaluate(&gate, &facts));
                    }
                }
                // It stays started, as it would until a person looks.
                Err(_) => {
                    self.send(
                        &definition,
                        &Signal::Lost { fence, ran: Ran::Yes, why: String::new() },
                        facts,
                    );
                    return;
                }
            }
        }
        panic!("the end needs something for ever");
    }

    fn answer(&mut self, asks: &[Ask], facts: &mut Facts) {
        for ask in asks {
            let said = match ask {
                Ask::Rule { .. } => rules::answer(&mut self.random),
                Ask::Text(path) => {
                    let text = self.files.0.get(&below(path.as_str()));
                    text.map_or(Plain::Null, |text| text.as_str().into())
                }
                Ask::Gate(_) | Ask::Verification | Ask::Pull | Ask::Work => continue,
            };
            facts.answers.insert(ask.clone(), said);
        }
    }

    fn evaluate(&self, gate: &Gate, facts: &Facts) -> Receipt {
        let verdict = if self.holds(&gate.check) { Verdict::Pass } else { Verdict::Fail };
        let (gate, tree, at) = (gate.name.clone(), facts.tree, facts.now);
        let (exit, why, tail) = (None, String::new(), String::new());
        Receipt { gate, verdict, exit, why, tail, tree, at, doubt: None }
    }

    fn holds(&self, check: &Check) -> bool {
        let file = |path: &DocPath| self.files.0.get(&below(path.as_str()));
        if let Check::File { path } = check {
            file(path).is_some()
        } else if let Check::Absent { path } = check {
            file(path).is_none()
        } else if let Check::Content { path, has } = check {
            file(path).is_some_and(|text| text.contains(has))
        } else if let Check::Any { of } = check {
            of.iter().any(|check| self.holds(check))
        } else {
            check.parts().iter().all(|check| self.holds(check))
        }
    }

    /// Sends a signal and writes the result. Returns whether the run accepted it.
    fn send(&mut self, definition: &Definition, signal: &Signal, mut facts: Facts) -> bool {
        loop {
            match step::<Gsd>(definition, &self.run, signal, &facts) {
                Ok(stepped) => {
                    self.commit(definition, &stepped);
                    return true;
                }
                Err(Denied::Needs(asks)) => self.answer(&asks, &mut facts),
                Err(_) => return false,
            }
        }
    }

    /// Writes a run, and stores each rule's value in its document.
    fn commit(&mut self, definition: &Definition, stepped: &Stepped<Position>) {
        for kept in &stepped.run.position().keeps {
            let Some(home) = definition.state.home(&kept.at) else { continue };
            let text = self.files.0.get_mut(&below(home.as_str())).unwrap();
            let value = Some(&kept.value).filter(|value| **value != Plain::Null);
            let splices = keep(text, kept.rule.as_str(), value).unwrap();
            *text = apply(text, &splices).unwrap();
        }
        // State that is not in the file is lost.
        self.run = Run::lift(&stepped.run.lower_trimmed()).unwrap();
    }

    fn facts(&mut self) -> Facts {
        self.seq += 1;
        // Every evaluation sees a different tree, so no end is refused because nothing changed.
        let tree = Hash::of(self.seq.to_string());
        Facts::new(Time::from_millis(1000), Seq(self.seq), tree)
    }

    /// Records which tasks are done, by their boxes and summaries.
    fn note_finished(&mut self, tree: &Tree) {
        for milestone in &tree.milestones {
            for slice in &milestone.slices {
                for task in slice.tasks().iter().filter(|task| task.is_done()) {
                    let at = format!("{}/{}/{}", milestone.id, slice.id, task.id);
                    self.finished.insert(at);
                }
            }
        }
    }
}

fn definition(files: &Memory, rules: &Chain, also: &[UnitId]) -> Definition {
    let tree = load_for(files, None, also).tree;
    Definition::new(tree, rules.clone())
}

fn below(path: &str) -> String {
    path.strip_prefix(".gsd/").unwrap().to_owned()
}

/// Returns a line that satisfies the check.
fn sample(has: &str) -> String {
    match has {
        "**T" => "\n## Tasks\n\n- [ ] **T01: New**\n".to_owned(),
        "**S" => "\n## Slices\n\n- [ ] **S01: New** `risk:low` `depends:[]`\n".to_owned(),
        other => format!("\n{other} pass\n"),
    }
}
