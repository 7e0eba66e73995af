//! Laws over random signals: everything has an answer, a denied signal leaves no trace, counters
//! never pass their maximum, and a run reloads unchanged.

use proptest::prelude::*;

use super::*;
use crate::{Bound, Ran};

#[derive(Clone, Debug)]
enum Move {
    Begin(u8),
    End(u8, u8, u8),
    Lost(u8, bool),
    Stall(u8),
    Resume,
    Answer(u8),
    Pause,
    Report(u8),
    Later,
}

fn moves() -> impl Strategy<Value = Move> {
    prop_oneof![
        4 => any::<u8>().prop_map(Move::Begin),
        6 => (any::<u8>(), any::<u8>(), any::<u8>()).prop_map(|(a, b, c)| Move::End(a, b, c)),
        1 => (any::<u8>(), any::<bool>()).prop_map(|(a, b)| Move::Lost(a, b)),
        1 => any::<u8>().prop_map(Move::Stall),
        1 => Just(Move::Resume),
        3 => any::<u8>().prop_map(Move::Answer),
        1 => Just(Move::Pause),
        2 => any::<u8>().prop_map(Move::Report),
        1 => Just(Move::Later),
    ]
}

impl PlanPlay {
    fn pick(&self, which: u8) -> Option<Fence> {
        let attempts = self.run.attempts();
        let at = usize::from(which) % attempts.len().max(1);
        attempts.get(at).map(crate::Attempt::fence)
    }

    fn make(&mut self, one: &Move) -> Option<Signal> {
        Some(match one {
            Move::Begin(which) => {
                let ready = self.ready();
                let at = usize::from(*which) % ready.len().max(1);
                let unit = ready.get(at).map_or("T99", String::as_str);
                Signal::Begin { unit: id(unit), agent: None, session: None }
            }
            Move::End(which, word, verdicts) => {
                let fence = self.pick(*which)?;
                let word = match word % 4 {
                    0 => Word::Done,
                    1 => Word::Failed { why: format!("why {}", verdicts % 3) },
                    2 => Word::Question { what: "which".into() },
                    _ => Word::None,
                };
                Signal::End {
                    fence,
                    word,
                    receipts: self.receipts(*verdicts),
                    worth: Some(crate::basis::Worth::Proven),
                }
            }
            Move::Lost(which, ran) => {
                let ran = if *ran { Ran::Yes } else { Ran::No };
                Signal::Lost { fence: self.pick(*which)?, ran, why: String::new() }
            }
            Move::Stall(which) => {
                let at = self.facts.now.plus_millis(10);
                let hold = Hold::Until { at, why: "rate limit".into() };
                Signal::Hold { fence: self.pick(*which)?, hold }
            }
            Move::Resume => Signal::Resume,
            Move::Answer(which) => {
                let text = ["", "n", "Verified", "Issues found: x"][usize::from(which % 4)];
                Signal::Answered { text: text.into() }
            }
            Move::Pause => Signal::Pause { hold: Hold::Person { why: "lunch".into() } },
            Move::Report(which) => {
                let status = VerificationStatus::ALL[usize::from(which % 4)];
                let gaps = (0..which % 3).map(|at| gap("stub", &at.to_string())).collect();
                self.told(status, gaps);
                return None;
            }
            Move::Later => {
                self.facts.now = self.facts.now.plus_millis(20);
                self.facts.tree = Hash::of(self.facts.now.to_string());
                return None;
            }
        })
    }

    fn receipts(&self, verdicts: u8) -> Vec<Receipt> {
        let gates = gates::of_all(&self.definition);
        let numbered = gates.iter().enumerate();
        numbered
            .map(|(at, gate)| {
                let fails = verdicts & (1 << (at % 8)) != 0 && verdicts > 200;
                let verdict = if fails { Verdict::Fail } else { Verdict::Pass };
                receipt(&gate.name, verdict, &self.facts)
            })
            .collect()
    }
}

proptest! {
    #[test]
    fn every_signal_has_an_answer_and_every_run_reloads(
        moves in prop::collection::vec(moves(), 0..120),
        yolo in any::<bool>(),
        auto in any::<bool>(),
    ) {
        let mut definition = definition(if yolo { Mode::Yolo } else { Mode::Interactive });
        definition.settings.auto_loop = auto;
        definition.settings.verify_max_iterations = 3;
        let mut world = PlanPlay::of(definition);
        world.told(VerificationStatus::Invalid, vec![]);
        for one in moves {
            let Some(signal) = world.make(&one) else { continue };
            let before = world.run.clone();
            if world.send(&signal).is_err() {
                prop_assert_eq!(&world.run, &before);
            }
            let again = Run::<Position>::lift(&world.run.lower()).unwrap();
            prop_assert_eq!(&again, &world.run);
            prop_assert!(world.run.bounds().values().all(|bound: &Bound| bound.used() <= bound.max()));
            let state = &world.state;
            prop_assert!(!(state.completed && state.active));
            prop_assert!(!(state.paused && state.active));
            prop_assert!(state.iteration <= state.max_iterations);
            // After any event there is a next step.
            match world.next() {
                Next::Units(units) => prop_assert!(!units.is_empty()),
                Next::Held(_) | Next::Wait { .. } | Next::Done => {}
                other @ (Next::Cancelled | Next::Ask(_)) => prop_assert!(false, "{other:?}"),
            }
        }
    }
}
