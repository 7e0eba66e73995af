use crate::{
    Attempt, Bound, Effect, Fields, Fingerprint, Hash, Hold, Loss, Plain, Receipt, Red, Stored,
    Unreadable, Verdict,
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

impl Stored for Verdict {
    fn lower(&self) -> Plain {
        self.as_str().into()
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let text = String::lift(plain)?;
        let found = Self::ALL.into_iter().find(|verdict| verdict.as_str() == text);
        found.ok_or_else(|| Unreadable::here(format!("`{}` is no verdict", text.escape_debug())))
    }
}

impl Stored for Receipt {
    fn lower(&self) -> Plain {
        Plain::map([
            ("gate", self.gate.lower()),
            ("verdict", self.verdict.lower()),
            ("exit", self.exit.lower()),
            ("why", self.why.lower()),
            ("tail", self.tail.lower()),
            ("tree", self.tree.lower()),
            ("at", self.at.lower()),
        ])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        Ok(Self {
            gate: fields.get("gate")?,
            verdict: fields.get("verdict")?,
            exit: fields.get("exit")?,
            why: fields.get("why")?,
            tail: fields.get("tail")?,
            tree: fields.get("tree")?,
            at: fields.get("at")?,
        })
    }
}

impl Stored for Red {
    fn lower(&self) -> Plain {
        Plain::map([("same", self.same.lower()), ("receipt", self.receipt.lower())])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        let receipt: Receipt = fields.get("receipt")?;
        if receipt.verdict != Verdict::Fail {
            let why = format!("a failure cannot rest on `{}`", receipt.verdict.as_str());
            return Err(Unreadable::here(why).below("receipt.verdict"));
        }
        Ok(Self { receipt, same: fields.get("same")? })
    }
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

impl Stored for Attempt {
    fn lower(&self) -> Plain {
        Plain::map([
            ("fence", self.fence.lower()),
            ("unit", self.unit.lower()),
            ("agent", self.agent.lower()),
            ("session", self.session.lower()),
            ("claimed", self.claimed.lower()),
            ("spent", self.spent.lower()),
            ("locks", self.locks.lower()),
            ("wall", self.wall.lower()),
            ("hold", self.hold.lower()),
        ])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        Ok(Self {
            fence: fields.get("fence")?,
            unit: fields.get("unit")?,
            agent: fields.get("agent")?,
            session: fields.get("session")?,
            claimed: fields.get("claimed")?,
            spent: fields.get("spent")?,
            locks: fields.get("locks")?,
            wall: fields.get("wall")?,
            hold: fields.get("hold")?,
        })
    }
}

impl Stored for Effect {
    fn lower(&self) -> Plain {
        let (name, value) = match self {
            Self::Kill { fence } => ("kill", fence.lower()),
            Self::Post { marker, body } => {
                ("post", Plain::map([("marker", marker.lower()), ("body", body.lower())]))
            }
            Self::Notify { text } => ("notify", text.lower()),
        };
        Plain::map([(name, value)])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let (name, value) = Fields::of(plain)?.only()?;
        let effect = || match name {
            "kill" => Ok(Self::Kill { fence: Stored::lift(value)? }),
            "post" => {
                let fields = Fields::of(value)?;
                Ok(Self::Post { marker: fields.get("marker")?, body: fields.get("body")? })
            }
            "notify" => Ok(Self::Notify { text: Stored::lift(value)? }),
            _ => Err(Unreadable::here("there is no effect of this name")),
        };
        effect().map_err(|bad: Unreadable| bad.below(name))
    }
}

impl Stored for Fingerprint {
    fn lower(&self) -> Plain {
        self.hash().lower()
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        Hash::lift(plain).map(Self::from)
    }
}
