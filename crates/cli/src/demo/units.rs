//! The second act: two agents share six units of a plan, and one agent is killed with -9.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use sprag_core::event::{AgentStarted, EndedBy};
use sprag_core::{Event, Fence};

use super::scene::{Act, Scene, Told, asked, short};
use super::step::Beat;
use crate::fault::EarlyExit;

/// The tools that the units write, and their output for `a,b` and `c,d`.
const UNITS: [(&str, &str); 6] = [
    ("header", "a,b"),
    ("rows", "c,d"),
    ("columns", "a\nb"),
    ("upper", "A,B\nC,D"),
    ("last", "c,d"),
    ("spaces", "a b\nc d"),
];

pub(super) const COUNT: usize = UNITS.len();
/// The unit whose first agent is killed: the fourth. Its script waits for that.
const VICTIM: &str = "T04";
const WAITS: &str = "upper/pid";

const STATE: &str = "---\nmilestone: v1\nphase: null\ntask: null\nphases_complete: []\n\
                     phases_in_progress: []\nphases_pending: [1]\nloop:\n  active: false\n---\n";

/// Returns the tests of the units, and the plan.
pub(super) fn files() -> Vec<(String, String)> {
    // Each goal is a test of its task: a goal only in the plan would be nothing but a claim.
    let mut plan = "---\nphase: 1\ntitle: Small tools\n---\n\n## Wave 1\n".to_owned();
    let mut files = Vec::new();
    for (number, (name, expected)) in (1..).zip(UNITS) {
        let _ = write!(
            plan,
            "\n<task id=\"{number:02}\" wave=\"1\">\n  <files>\n    \
             <file action=\"create\">src/{name}.sh</file>\n  </files>\n  <action>\n    \
             Write src/{name}.sh.\n  </action>\n  <verify>\n    \
             <check type=\"test\" cmd=\"sh tests/{name}.sh\">its test passes</check>\n  </verify>\n  \
             <done>tests/{name}.sh passes</done>\n</task>\n"
        );
        let test = format!(
            "# src/{name}.sh makes this of two lines of CSV.\nexpected='{expected}'\n\
             got=$(printf 'a,b\\nc,d\\n' | sh src/{name}.sh)\n[ \"$got\" = \"$expected\" ]\n"
        );
        files.push((format!("tests/{name}.sh"), test));
    }
    files.push((".gsd/plans/phase-1/plan.md".to_owned(), plan));
    files.push((".gsd/STATE.md".to_owned(), STATE.to_owned()));
    let roadmap = "# Roadmap\n\n## Phase 1: Small tools\n\n**Status:** PLANNED\n";
    files.push((".gsd/ROADMAP.md".to_owned(), roadmap.to_owned()));
    files.push((".gsd/config.md".to_owned(), "---\nmode: yolo\n---\n".to_owned()));
    files
}

/// The progress of the second act.
#[derive(Debug, Default)]
pub(super) struct Units {
    /// The unit of each attempt.
    begun: BTreeMap<Fence, String>,
    /// The attempts with an agent at work.
    working: BTreeSet<Fence>,
    /// The units whose agents were killed with -9.
    killed: Vec<String>,
    /// The last receipt of each command.
    receipts: BTreeMap<String, String>,
    /// How many times each unit was lost, and passed.
    lost: BTreeMap<String, u32>,
    passed: BTreeMap<String, u32>,
    is_shared: bool,
    is_hit: bool,
}

impl Act for Units {
    fn hear(&mut self, event: &Event, scene: &Scene<'_>) -> Result<Vec<Told>, EarlyExit> {
        if let Event::AgentStarted(started) = event {
            return self.started(started, scene);
        } else if let Event::AgentEnded(ended) = event {
            self.working.remove(&ended.fence);
            if ended.how == "signal 9" {
                self.killed.extend(ended.unit.clone());
            }
        } else if let Event::AttemptLost(lost) = event {
            return Ok(self.lost(lost.fence).into_iter().collect());
        } else if let Event::GateReceipt(left) = event {
            let command = left.gate.trim_start_matches("run ").to_owned();
            self.receipts.insert(command, short(&left.id).to_owned());
        } else if let Some(end) = event.ending().filter(|end| end.how == EndedBy::Passed) {
            return Ok(self.passed(&end.unit).into_iter().collect());
        }
        Ok(Vec::new())
    }
}

impl Units {
    /// Returns the number of units that passed exactly once.
    pub(super) fn done(&self) -> usize {
        self.passed.values().filter(|times| **times == 1).count()
    }

    fn started(
        &mut self,
        started: &AgentStarted,
        scene: &Scene<'_>,
    ) -> Result<Vec<Told>, EarlyExit> {
        let AgentStarted { fence, unit, .. } = started;
        self.begun.insert(*fence, unit.clone());
        self.working.insert(*fence);
        // Kills the agent once, when another agent works at the same time.
        let waits = self.working.iter().any(|fence| self.begun[fence] == VICTIM);
        if waits && unit != VICTIM && !self.is_hit {
            self.is_hit = true;
            let process = asked(scene.scratch.wait_for(WAITS))?;
            asked(scene.scratch.kill(process.trim()))?;
        }
        if self.working.len() < 2 || self.is_shared {
            return Ok(Vec::new());
        }
        self.is_shared = true;
        let what = format!("{COUNT} units, each in a git worktree of its own");
        let note = format!("{} agents", self.working.len());
        Ok(vec![(Beat::Shared, what, note)])
    }

    fn lost(&mut self, fence: Fence) -> Option<Told> {
        let unit = self.begun.get(&fence)?.clone();
        *self.lost.entry(unit.clone()).or_default() += 1;
        let number: usize = unit.strip_prefix('T')?.parse().ok()?;
        let what = format!("the agent of unit {number} of {COUNT} with -9");
        let note = "its attempt is lost".to_owned();
        self.killed.contains(&unit).then_some((Beat::Killed, what, note))
    }

    fn passed(&mut self, unit: &str) -> Option<Told> {
        let number: usize = unit.strip_prefix('T')?.parse().ok()?;
        let (name, _) = UNITS.get(number.checked_sub(1)?)?;
        *self.passed.entry(unit.to_owned()).or_default() += 1;
        let command = format!("sh tests/{name}.sh");
        let receipt = self.receipts.get(&command)?;
        let note = format!("{} of {COUNT} units", self.done());
        let once = self.passed[unit] == 1 && self.lost.get(unit) == Some(&1);
        let told = if once {
            (Beat::TakenOver, format!("{unit} by another agent: lost once, passed once"))
        } else {
            (Beat::Unit, format!("{unit} {command}, receipt {receipt}"))
        };
        Some((told.0, told.1, note))
    }
}

#[cfg(test)]
mod tests {
    use sprag_core::Seq;

    use super::*;

    /// Creates units of which the fourth has a receipt, and lost its agent `times` times to -9.
    fn killed(times: u64) -> Units {
        let mut units = Units::default();
        units.receipts.insert("sh tests/upper.sh".to_owned(), "g-1234".to_owned());
        units.killed.push(VICTIM.to_owned());
        for fence in (0..times).map(|place| Fence(Seq(place))) {
            units.begun.insert(fence, VICTIM.to_owned());
            assert!(units.lost(fence).is_some_and(|(beat, ..)| beat == Beat::Killed));
        }
        units
    }

    #[test]
    fn a_unit_is_taken_over_when_it_was_lost_once_and_passed_once() {
        let beat = |units: &mut Units| units.passed(VICTIM).map(|(beat, ..)| beat);
        let mut units = killed(1);
        assert_eq!(beat(&mut units), Some(Beat::TakenOver));
        assert_eq!((beat(&mut units), units.done()), (Some(Beat::Unit), 0), "twice is not once");
        assert_eq!(beat(&mut killed(0)), Some(Beat::Unit));
        assert_eq!(beat(&mut killed(2)), Some(Beat::Unit));
    }

    #[test]
    fn without_a_receipt_nothing_is_told() {
        let mut units = killed(1);
        units.receipts.clear();
        assert_eq!(units.passed(VICTIM), None);
        assert_eq!(units.passed("verify"), None);
    }

    #[test]
    fn an_attempt_that_was_lost_otherwise_is_no_kill() {
        let mut units = killed(0);
        units.killed.clear();
        units.begun.insert(Fence(Seq(7)), VICTIM.to_owned());
        assert_eq!(units.lost(Fence(Seq(7))), None);
    }
}
