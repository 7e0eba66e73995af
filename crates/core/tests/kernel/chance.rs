//! Random signals that fit the current run often enough to make progress.

use proptest::prelude::*;
use sprag_core::{Agent, Effect, Fence, Hold, Ran, Run, Seq, Signal, Time, UnitId, Verdict, Word};

use crate::toy::{receipt, session};

/// A random event, as small numbers that are interpreted in the current run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chance {
    pub(crate) what: u8,
    pub(crate) which: u8,
    pub(crate) how: u8,
    pub(crate) files: u8,
}

pub(crate) fn chances(most: usize) -> impl Strategy<Value = Vec<Chance>> {
    let chance = (0u8..28, 0u8..6, 0u8..8, 0u8..5).prop_map(|(what, which, how, files)| Chance {
        what,
        which,
        how,
        files,
    });
    prop::collection::vec(chance, 1..most)
}

impl Chance {
    pub(crate) fn fence<P>(self, run: &Run<P>) -> Fence {
        let live = run.attempts().get(usize::from(self.which)).map(sprag_core::Attempt::fence);
        live.unwrap_or(Fence(Seq(u64::from(self.how))))
    }

    fn session(self) -> sprag_core::SessionId {
        session(["s1", "s2"][usize::from(self.how % 2)])
    }

    fn hold(self, now: Time) -> Hold {
        match self.how % 3 {
            0 => Hold::NoProgress { what: "x".into() },
            1 => Hold::Until { at: now.plus_millis(3), why: "limit".into() },
            _ => Hold::Asked { what: "?".into() },
        }
    }

    pub(crate) fn word(self) -> Word {
        match self.how {
            0 => Word::Done,
            1 => Word::Failed { why: "cannot".into() },
            2 => Word::Question { what: "?".into() },
            3 => Word::Said { text: "typo".into() },
            _ => Word::None,
        }
    }

    fn end<P>(self, run: &Run<P>, verdicts: &[Verdict]) -> Signal {
        let verdict = verdicts[usize::from(self.which + self.how) % verdicts.len()];
        let tail = ["boom", "bang"][usize::from(self.how % 2)];
        let files = self.files.to_string();
        let said = |gate| receipt(gate, verdict, tail, &files);
        let receipts = vec![said("test"), said("lint")];
        Signal::End {
            fence: self.fence(run),
            word: self.word(),
            receipts,
            worth: Some(sprag_core::basis::Worth::Proven),
        }
    }

    fn begin(self, units: &[UnitId]) -> Signal {
        let agent = (self.how > 5).then(|| Agent::parse("alpha").unwrap());
        let session = (self.how != 0).then(|| self.session());
        let unit = units[usize::from(self.which) % units.len()].clone();
        Signal::Begin { unit, agent, session }
    }

    pub(crate) fn signal<P>(self, run: &Run<P>, units: &[UnitId], now: Time) -> Signal {
        let fence = self.fence(run);
        match self.what {
            0..=6 => self.begin(units),
            7..=13 => self.end(run, &Verdict::ALL),
            14 | 15 => {
                let ran = [Ran::No, Ran::Yes, Ran::Returned][usize::from(self.how % 3)];
                Signal::Lost { fence, ran, why: String::new() }
            }
            16 => Signal::Attach { fence, session: self.session() },
            17 => Signal::ReportDone { fence, session: self.session() },
            18 => Signal::Hold { fence, hold: self.hold(now) },
            19 => Signal::Verb { verb: ["again", "fly"][usize::from(self.how % 2)].into() },
            20 => Signal::Refresh,
            21 => {
                let (at, why) = (now.plus_millis(2), "lunch".to_owned());
                let is_timed = self.how.is_multiple_of(2);
                let hold = if is_timed { Hold::Until { at, why } } else { Hold::Person { why } };
                Signal::Pause { hold }
            }
            22 | 23 => Signal::Resume,
            24 => Signal::Answered { text: "yes".into() },
            25 => Signal::Claimed { session: self.session() },
            26 if self.how == 0 => Signal::Cancel,
            26 => Signal::Released,
            _ => Signal::Performed { effect: Effect::Notify { text: "again".into() } },
        }
    }
}
