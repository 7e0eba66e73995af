use std::collections::BTreeMap;

use crate::{
    Attempt, Bound, Deadline, Fields, Name, Plain, Run, RunId, Stored, UnitId, Unreadable, stored,
};

stored!(struct Deadline { wall_millis as "wall_ms", at });

impl Stored for (RunId, UnitId) {
    fn lower(&self) -> Plain {
        Plain::map([("run", self.0.lower()), ("unit", self.1.lower())])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        Ok((fields.get("run")?, fields.get("unit")?))
    }
}

impl<P: Stored> Stored for Run<P> {
    fn lower(&self) -> Plain {
        Plain::map([
            ("id", self.id.lower()),
            ("subject", self.subject.lower()),
            ("owner", self.owner.lower()),
            ("hold", self.hold.lower()),
            ("cancelled", self.cancelled.lower()),
            ("deadline", self.deadline.lower()),
            ("bounds", self.bounds.lower()),
            ("failed", self.failed.lower()),
            ("lost", self.lost.lower()),
            ("sent_back", self.sent_back.lower()),
            ("walls", self.walls.lower()),
            ("attempts", self.attempts.lower()),
            ("outbox", self.outbox.lower()),
            ("position", self.position.lower()),
        ])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        let run = Self {
            id: fields.get("id")?,
            subject: fields.get("subject")?,
            owner: fields.get("owner")?,
            hold: fields.get("hold")?,
            cancelled: fields.get("cancelled")?,
            deadline: fields.get("deadline")?,
            bounds: fields.get("bounds")?,
            failed: fields.get("failed")?,
            lost: fields.get("lost")?,
            sent_back: fields.get("sent_back")?,
            walls: fields.get("walls")?,
            attempts: fields.get("attempts")?,
            outbox: fields.get("outbox")?,
            position: fields.get("position")?,
        };
        match fault(&run) {
            None => Ok(run),
            Some(why) => Err(Unreadable::here(why).below("attempts")),
        }
    }
}

/// Returns why no sequence of signals could have led to a run, if so.
fn fault<P>(run: &Run<P>) -> Option<String> {
    if run.cancelled && !run.attempts.is_empty() {
        return Some("a cancelled run has none".to_owned());
    }
    if let Some(pair) = run.attempts.windows(2).find(|pair| pair[0].fence >= pair[1].fence) {
        return Some(format!("attempt {} does not come after {}", pair[1].fence, pair[0].fence));
    }
    let attempts = run.attempts.iter();
    twice(attempts.clone().map(|attempt| attempt.unit.as_str()), "unit")
        .or_else(|| twice(attempts.clone().filter_map(|a| Some(a.agent()?.as_str())), "agent"))
        .or_else(|| twice(attempts.flat_map(|a| &a.locks).map(Name::as_str), "lock"))
        .or_else(|| overspent(&run.bounds, &run.attempts))
}

/// Returns an error if two attempts use the same name.
fn twice<'a>(names: impl Iterator<Item = &'a str>, what: &str) -> Option<String> {
    let mut names: Vec<_> = names.collect();
    names.sort_unstable();
    let pair = names.windows(2).find(|pair| pair[0] == pair[1])?;
    Some(format!("the {what} `{}` stands twice", pair[0]))
}

/// Returns an error if attempts spent more of a bound than is used.
fn overspent(bounds: &BTreeMap<Name, Bound>, attempts: &[Attempt]) -> Option<String> {
    let mut spent = BTreeMap::<&Name, u32>::new();
    for name in attempts.iter().flat_map(|attempt| &attempt.spent) {
        *spent.entry(name).or_default() += 1;
    }
    spent.into_iter().find_map(|(name, spent)| {
        let used = bounds.get(name).map_or(0, Bound::used);
        (spent > used).then(|| format!("{spent} of `{name}` are spent, but {used} are used"))
    })
}
