//! The state that the rule keeps, in the keys of GSD's proposal and a few more.

use crate::review::FindingStatus::Refused;
use crate::review::{Ledger, Threshold};
use crate::rules::{Fields, Plain, Stored, Unreadable, stored};

/// The whole state kept with a task.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ReviewState {
    pub(super) active: Option<Active>,
    pub(super) held: Option<HeldReview>,
    /// The completed reviews as in the file; the rule only appends to them.
    completed: Vec<Plain>,
    /// Unknown keys of a later version.
    rest: Vec<(String, Plain)>,
}

/// An active review.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Active {
    pub(super) task: String,
    pub(super) cycle: u32,
    pub(super) status: ReviewStatus,
    /// The number of this cycle's review file, if it differs from the cycle's number.
    pub(super) number: Option<u32>,
    /// The path of the last review, relative to the folder of the slice.
    pub(super) path: String,
    /// The number of failures in this cycle.
    pub(super) tries: u32,
    /// An additional message for the next agent.
    pub(super) advice: Option<String>,
    pub(super) ledger: Ledger,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReviewStatus {
    Reviewing,
    Fixing,
}

/// A review that waits for a person.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct HeldReview {
    pub(super) review: Active,
    pub(super) why: HoldReason,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum HoldReason {
    Exhausted,
    Repeats(String),
    NoProgress(String),
    Disputed(String),
    Unclear(String),
    /// The reviewer wrote no review, or changed another file.
    Void,
    Lost,
    NotFixed,
}

const ACTIVE: &str = "activeReview";
const HELD: &str = "heldReview";
const COMPLETED: &str = "completedReviews";

impl ReviewState {
    pub(super) fn read(plain: &Plain) -> Result<Self, Unreadable> {
        if *plain == Plain::Null {
            return Ok(Self::default());
        }
        let fields = Fields::of(plain)?;
        let Plain::Map(entries) = plain else { return Ok(Self::default()) };
        let known = |key: &String| [ACTIVE, HELD, COMPLETED].contains(&key.as_str());
        Ok(Self {
            active: fields.get(ACTIVE)?,
            held: fields.get(HELD)?,
            completed: fields.get::<Option<Vec<Plain>>>(COMPLETED)?.unwrap_or_default(),
            rest: entries.iter().filter(|(key, _)| !known(key)).cloned().collect(),
        })
    }

    /// Returns the state, if it is about `task`.
    pub(super) fn of(self, task: &str) -> Result<Self, Unreadable> {
        let reviews = [self.active.as_ref(), self.held.as_ref().map(|held| &held.review)];
        let other = reviews.into_iter().flatten().find(|review| review.task != task);
        match other.map(|other| format!("it is about `{}`", other.task)) {
            Some(why) => Err(Unreadable::here(why)),
            None => Ok(self),
        }
    }

    pub(super) fn lower(&self) -> Plain {
        let own = [
            (ACTIVE, self.active.lower()),
            (HELD, self.held.lower()),
            (COMPLETED, self.completed.lower()),
        ];
        let own = own.into_iter().map(|(key, value)| (key.to_owned(), value));
        let empty = [Plain::Null, Plain::List(Vec::new())];
        let is_filled = |(_, value): &(String, Plain)| !empty.contains(value);
        Plain::Map(own.filter(is_filled).chain(self.rest.iter().cloned()).collect())
    }

    /// Records a finished review, including the number of refused findings so that they are not
    /// overlooked.
    pub(super) fn complete(&mut self, active: &Active, passed: bool) {
        let refused = active.ledger.entries().iter();
        let refused = refused.filter(|entry| matches!(entry.status, Refused { .. })).count();
        self.completed.push(Plain::filled([
            ("taskId", active.task.lower()),
            ("cycles", active.cycle.lower()),
            ("passed", passed.lower()),
            ("refused", u32::try_from(refused).ok().filter(|many| *many > 0).lower()),
        ]));
    }

    /// Records that a person accepts the work; that is not a pass.
    pub(super) fn accept(&mut self, active: &Active, why: &HoldReason) {
        if *why != HoldReason::Exhausted {
            self.complete(active, false);
        }
        if let Some(Plain::Map(entries)) = self.completed.last_mut() {
            entries.push(("accepted".to_owned(), Plain::Bool(true)));
        }
    }
}

impl Active {
    pub(super) fn new(task: &str) -> Self {
        Self {
            task: task.to_owned(),
            cycle: 1,
            status: ReviewStatus::Reviewing,
            number: None,
            path: String::new(),
            tries: 0,
            advice: None,
            ledger: Ledger::default(),
        }
    }

    /// Restarts after a person resumed the review: open findings stay open, without their history.
    pub(super) fn begin_anew(&mut self, level: Threshold, max: u32) {
        self.number = Some(self.number());
        self.ledger.begin_anew(level);
        if self.cycle >= max {
            self.cycle = 1;
        }
    }

    /// Returns the number of this cycle's review file.
    pub(super) fn number(&self) -> u32 {
        self.number.unwrap_or(self.cycle)
    }

    /// Selects a file for the next review that is not taken: an old or partial review is never read
    /// as a new one.
    pub(super) fn renumber(&mut self, is_taken: impl Fn(u32) -> bool) {
        let from = self.cycle.max(self.number.unwrap_or(0));
        let free = (from..u32::MAX).find(|number| !is_taken(*number)).unwrap_or(from);
        self.number = (free != self.cycle).then_some(free);
    }
}

impl Stored for Active {
    fn lower(&self) -> Plain {
        let status = match self.status {
            ReviewStatus::Reviewing => "pending_review",
            ReviewStatus::Fixing => "fixing",
        };
        let tries = if self.tries == 0 { Plain::Null } else { self.tries.lower() };
        Plain::filled([
            ("taskId", self.task.lower()),
            ("cycle", self.cycle.lower()),
            ("status", status.into()),
            ("review", self.number.lower()),
            ("lastReviewPath", self.path.lower()),
            ("tries", tries),
            ("advice", self.advice.lower()),
            ("ledger", Plain::unless_default(&self.ledger)),
        ])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        let status = match fields.get::<String>("status")?.as_str() {
            "pending_review" => ReviewStatus::Reviewing,
            "fixing" => ReviewStatus::Fixing,
            _ => return Err(Unreadable::here("expected pending_review or fixing").below("status")),
        };
        let cycle = fields.get("cycle")?;
        if cycle == 0 {
            return Err(Unreadable::here("cycles are counted from 1").below("cycle"));
        }
        Ok(Self {
            task: fields.get("taskId")?,
            cycle,
            status,
            number: fields.get("review")?,
            path: fields.get::<Option<String>>("lastReviewPath")?.unwrap_or_default(),
            tries: fields.get::<Option<u32>>("tries")?.unwrap_or_default(),
            advice: fields.get("advice")?,
            ledger: fields.get("ledger")?,
        })
    }
}

stored!(struct HeldReview { review, why });

impl Stored for HoldReason {
    fn lower(&self) -> Plain {
        match self {
            Self::Exhausted => "exhausted".into(),
            Self::Lost => "lost".into(),
            Self::Void => "void".into(),
            Self::NotFixed => "not fixed".into(),
            Self::Repeats(what) => Plain::map([("repeats", what.lower())]),
            Self::NoProgress(what) => Plain::map([("no progress", what.lower())]),
            Self::Disputed(what) => Plain::map([("disputed", what.lower())]),
            Self::Unclear(what) => Plain::map([("unclear", what.lower())]),
        }
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        if let Plain::Text(word) = plain {
            return match word.as_str() {
                "exhausted" => Ok(Self::Exhausted),
                "lost" => Ok(Self::Lost),
                "void" => Ok(Self::Void),
                "not fixed" => Ok(Self::NotFixed),
                _ => Err(Unreadable::here("expected exhausted, lost, void or not fixed")),
            };
        }
        let (word, what) = Fields::of(plain)?.only()?;
        let what = String::lift(what)?;
        match word {
            "repeats" => Ok(Self::Repeats(what)),
            "no progress" => Ok(Self::NoProgress(what)),
            "disputed" => Ok(Self::Disputed(what)),
            "unclear" => Ok(Self::Unclear(what)),
            _ => Err(Unreadable::here("expected repeats, no progress, disputed or unclear")),
        }
    }
}
