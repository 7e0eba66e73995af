use crate::{
    Attempt, Bound, Effect, Fields, Fingerprint, Hash, LastFailure, LossCount, Plain, Receipt,
    Stored, Unreadable, Verdict, stored,
};

impl Stored for Bound {
    fn lower(&self) -> Plain {
        Plain::map([
            ("used", self.used().lower()),
            ("max", self.max().lower()),
            ("refunded", self.refunded().lower()),
        ])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        let (used, max): (u32, u32) = (fields.get("used")?, fields.get("max")?);
        Self::stored(used, max, fields.get("refunded")?)
            .ok_or_else(|| Unreadable::here(format!("{used} are used of at most {max}")))
    }
}

stored!(word Verdict);

stored!(struct Receipt { gate, verdict, exit, why, tail, tree, at, doubt });

stored!(struct LastFailure { same, receipt } where fault);

/// Returns why a recorded failure is invalid, if it is.
fn fault(red: &LastFailure) -> Option<Unreadable> {
    let verdict = red.receipt.verdict;
    let why = || format!("a failure cannot rest on `{}`", verdict.as_str());
    (verdict != Verdict::Fail).then(|| Unreadable::here(why()).below("receipt.verdict"))
}

impl Stored for LossCount {
    fn lower(&self) -> Plain {
        // Without a reason, only the number is stored, as in older versions.
        if self.why.is_empty() {
            return self.times.lower();
        }
        Plain::map([("times", self.times.lower()), ("why", self.why.lower())])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let Plain::Map(_) = plain else {
            return Ok(Self { times: u32::lift(plain)?, why: String::new() });
        };
        let fields = Fields::of(plain)?;
        Ok(Self { times: fields.get("times")?, why: fields.get("why")? })
    }
}

stored!(struct Attempt {
    fence, unit, agent, session, claimed, spent, locks, wall, hold
});

stored!(enum Effect, "effect" {
    "kill" => Kill(fence),
    "post" => Post { marker, body },
    "notify" => Notify(text),
});

impl Stored for Fingerprint {
    fn lower(&self) -> Plain {
        self.hash().lower()
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        Hash::lift(plain).map(Self::from)
    }
}
