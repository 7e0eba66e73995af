use crate::{
    Attempt, Bound, Effect, Fields, Fingerprint, Hash, Hold, Loss, Plain, Receipt, Red, Stored,
    Unreadable, Verdict, stored,
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

impl Stored for Hold {
    fn lower(&self) -> Plain {
        let (name, value) = match self {
            Self::Person { why } => ("person", why.lower()),
            Self::Asked { what } => ("asked", what.lower()),
            Self::Until { at, why } => {
                ("until", Plain::map([("at", at.lower()), ("why", why.lower())]))
            }
            Self::Exhausted { bound, used } => {
                ("exhausted", Plain::map([("bound", bound.lower()), ("used", used.lower())]))
            }
            Self::NoProgress { what } => ("no_progress", what.lower()),
            Self::Unproven { gate, why } => {
                ("unproven", Plain::map([("gate", gate.lower()), ("why", why.lower())]))
            }
            Self::Unreadable { path } => ("unreadable", path.lower()),
            Self::Untrusted { what } => ("untrusted", what.lower()),
            Self::SetUp { what } => ("set_up", what.lower()),
            Self::Changed { what } => ("changed", what.lower()),
        };
        Plain::map([(name, value)])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let (name, value) = Fields::of(plain)?.only()?;
        let hold = || {
            Ok(match name {
                "person" => Self::Person { why: Stored::lift(value)? },
                "asked" => Self::Asked { what: Stored::lift(value)? },
                "until" => {
                    let fields = Fields::of(value)?;
                    Self::Until { at: fields.get("at")?, why: fields.get("why")? }
                }
                "exhausted" => {
                    let fields = Fields::of(value)?;
                    Self::Exhausted { bound: fields.get("bound")?, used: fields.get("used")? }
                }
                "no_progress" => Self::NoProgress { what: Stored::lift(value)? },
                "unproven" => {
                    let fields = Fields::of(value)?;
                    Self::Unproven { gate: fields.get("gate")?, why: fields.get("why")? }
                }
                "unreadable" => Self::Unreadable { path: Stored::lift(value)? },
                "untrusted" => Self::Untrusted { what: Stored::lift(value)? },
                "set_up" => Self::SetUp { what: Stored::lift(value)? },
                "changed" => Self::Changed { what: Stored::lift(value)? },
                _ => return Err(Unreadable::here("there is no hold of this name")),
            })
        };
        hold().map_err(|bad: Unreadable| bad.below(name))
    }
}

stored!(word Verdict);

stored!(struct Receipt { gate, verdict, exit, why, tail, tree, at });

stored!(struct Red { same, receipt } where fault);

/// Returns why a recorded failure cannot be one.
fn fault(red: &Red) -> Option<Unreadable> {
    let verdict = red.receipt.verdict;
    let why = || format!("a failure cannot rest on `{}`", verdict.as_str());
    (verdict != Verdict::Fail).then(|| Unreadable::here(why()).below("receipt.verdict"))
}

impl Stored for Loss {
    fn lower(&self) -> Plain {
        // As it stood before there was a reason, where there is none.
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
