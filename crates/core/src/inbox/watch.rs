//! The watch over assignments: decides when to nudge, to ask for a restart, or to notify a person.
//!
//! A pure function of earlier counts and of the duration of silence. A declared wait is not a
//! stall. Every count is bounded, and an exhausted one goes to a person. Times are judged by the
//! local clock: a sign of life from the future comes from another clock and hides nothing.

use super::AssignmentStatus;
use crate::hold::first_release::is_no_further;
use crate::{Fence, Fields, Hash, Plain, Stored, Time, UnitId, Unreadable};

/// The time limits of the watch, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For pending work that has not begun.
    pub pending: i64,
    /// For active work without a sign of life.
    pub stall: i64,
    /// Minimum time between two nudges.
    pub nudge: i64,
    /// Silence after which a restart is requested.
    pub restart: i64,
    /// Minimum time between two restarts.
    pub cool_down: i64,
    /// For signs of life without progress.
    pub progress: i64,
    /// Maximum number of restarts.
    pub restarts: u32,
}

impl Patience {
    /// The default limits.
    pub const USUAL: Self = Self {
        pending: 90_000,
        stall: 300_000,
        nudge: 120_000,
        restart: 600_000,
        cool_down: 60_000,
        progress: 1_800_000,
        restarts: 3,
    };
}

/// Maximum difference between clocks of one network, in milliseconds.
pub const SKEW: i64 = 60_000;

/// The counters of the watch for one assignment; stored, so that a new watch continues.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watched {
    /// The attempt they belong to; counters of another attempt are ignored.
    pub fence: Option<Fence>,
    /// The unit they belong to; restarts are counted per unit, across attempts.
    pub unit: Option<UnitId>,
    /// Nudges since the last sign of life.
    pub nudged: u32,
    pub nudged_at: Option<Time>,
    /// Number of requested restarts.
    pub restarts: u32,
    /// When a restart was last requested.
    pub restarted_at: Option<Time>,
    /// The state of the work when it was last checked.
    pub mark: Option<Hash>,
    /// When the work was last checked for progress.
    pub since: Option<Time>,
    /// The notification to a person, while it holds.
    pub told: Option<Notification>,
    /// A sign of life dated in the future, while it is there.
    pub ahead: Option<Time>,
    /// When that was first seen, by the local clock.
    pub ahead_at: Option<Time>,
}

/// A notification to a person about an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notification {
    /// The agent gives signs of life but makes no progress.
    NoFurther,
    /// The agent is silent, in these words.
    Silent(String),
    /// A text that an older version did not record.
    Unsaid,
}

impl Notification {
    const NO_FURTHER: &str = "no_further";

    /// Returns the text, if known.
    pub fn why(&self) -> Option<&str> {
        match self {
            Self::NoFurther => Some("it gives signs of life and gets no further"),
            Self::Silent(why) => Some(why),
            Self::Unsaid => None,
        }
    }

    /// Parses a stored notification: by its name, or by its text if an older version wrote it.
    fn of(name: Option<&str>, why: Option<String>) -> Self {
        match (name, why) {
            (Some(Self::NO_FURTHER), _) => Self::NoFurther,
            (None, Some(why)) if is_no_further(&why) => Self::NoFurther,
            (_, Some(why)) => Self::Silent(why),
            (_, None) => Self::Unsaid,
        }
    }

    /// Returns the stored name.
    const fn name(&self) -> Option<&'static str> {
        match self {
            Self::NoFurther => Some(Self::NO_FURTHER),
            Self::Silent(_) => Some("silent"),
            Self::Unsaid => None,
        }
    }
}

/// The watch's view of an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sight {
    pub fence: Fence,
    pub unit: UnitId,
    /// The status of the assignment.
    pub status: AssignmentStatus,
    /// Whether it declared a wait or waits for a person.
    pub waits: bool,
    /// The time of the last sign of life.
    pub beat: Time,
    /// The state of the work, if it was checked.
    pub mark: Option<Hash>,
    pub now: Time,
}

/// An action of the watch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Asks the agent for a sign of life.
    Nudge,
    /// Tells the witness that the agent is silent, and asks again.
    Alert,
    /// Asks the dispatcher to restart the agent.
    Restart {
        /// The number of this restart.
        number: u32,
    },
    /// Notifies a person.
    Escalate { why: String },
}

impl Watched {
    /// Returns whether a progress check is due; it requires reading the files.
    pub fn wants_mark(&self, fence: Fence, now: Time, patience: &Patience) -> bool {
        let known = self.since.filter(|_| self.fence == Some(fence));
        known.is_none_or(|since| is_past(since, patience.progress, now))
    }

    /// Returns the updated counters and the action to take.
    #[must_use]
    pub fn judge(&self, sight: &Sight, patience: &Patience) -> (Self, Option<Act>) {
        let mut counted = self.clone();
        if counted.fence != Some(sight.fence) {
            // A restarted session has a new attempt, so restarts must be counted per unit to be
            // limited.
            let same = self.unit.as_ref() == Some(&sight.unit);
            counted = Self {
                fence: Some(sight.fence),
                unit: Some(sight.unit.clone()),
                restarts: if same { self.restarts } else { 0 },
                restarted_at: self.restarted_at.filter(|_| same),
                ..Self::default()
            };
        }
        let silent = sight.now.since(counted.believed(sight));
        if sight.waits {
            return (counted, None);
        }
        let act = match sight.status {
            AssignmentStatus::Pending => counted.pending(sight, silent, patience),
            AssignmentStatus::Active => counted.active(sight, silent, patience),
            AssignmentStatus::Empty | AssignmentStatus::Completed => None,
        };
        (counted, act)
    }

    /// Returns the credible time of the last sign of life: one from the future counts from the
    /// moment it was first seen.
    fn believed(&mut self, sight: &Sight) -> Time {
        let now = sight.now;
        if sight.beat <= now.plus_millis(SKEW) {
            (self.ahead, self.ahead_at) = (None, None);
            return sight.beat;
        }
        let known = self.ahead_at.filter(|at| self.ahead == Some(sight.beat) && *at <= now);
        let first = known.unwrap_or(now);
        (self.ahead, self.ahead_at) = (Some(sight.beat), Some(first));
        first
    }

    fn pending(&mut self, sight: &Sight, silent: i64, patience: &Patience) -> Option<Act> {
        if silent >= patience.stall {
            return self
                .escalate(Notification::Silent("it was assigned and never begun".to_owned()));
        }
        if silent >= patience.pending && self.nudged == 0 {
            self.nudge(sight.now);
            return Some(Act::Nudge);
        }
        None
    }

    fn active(&mut self, sight: &Sight, silent: i64, patience: &Patience) -> Option<Act> {
        if silent < patience.stall {
            (self.nudged, self.nudged_at) = (0, None);
            // That notification ends only with progress.
            self.told.take_if(|told| *told != Notification::NoFurther);
            return self.progress(sight);
        }
        if self.restarts >= patience.restarts {
            let why = format!("it is silent after {} restarts", self.restarts);
            return self.escalate(Notification::Silent(why));
        }
        let past =
            |at: Option<Time>, length: i64| at.is_none_or(|at| is_past(at, length, sight.now));
        if silent >= patience.restart && self.nudged > 0 {
            if !past(self.restarted_at, patience.cool_down) {
                return None;
            }
            self.restarts += 1;
            self.restarted_at = Some(sight.now);
            (self.nudged, self.nudged_at) = (0, None);
            return Some(Act::Restart { number: self.restarts });
        }
        if self.nudged == 0 {
            self.nudge(sight.now);
            return Some(Act::Nudge);
        }
        if past(self.nudged_at, patience.nudge) {
            self.nudge(sight.now);
            return Some(Act::Alert);
        }
        None
    }

    /// Checks whether work with signs of life makes progress.
    fn progress(&mut self, sight: &Sight) -> Option<Act> {
        let mark = sight.mark?;
        let stands = self.mark == Some(mark);
        (self.mark, self.since) = (Some(mark), Some(sight.now));
        if stands {
            return self.escalate(Notification::NoFurther);
        }
        self.told = None;
        None
    }

    fn nudge(&mut self, now: Time) {
        self.nudged = self.nudged.saturating_add(1);
        self.nudged_at = Some(now);
    }

    /// Notifies a person once.
    fn escalate(&mut self, what: Notification) -> Option<Act> {
        if self.told.is_some() {
            return None;
        }
        let why = what.why().map(str::to_owned);
        self.told = Some(what);
        why.map(|why| Act::Escalate { why })
    }

    /// Returns the text of the current notification.
    pub fn why(&self) -> Option<&str> {
        self.told.as_ref().and_then(Notification::why)
    }

    /// Resets the counters after a person has looked.
    #[must_use]
    pub fn answered(&self) -> Self {
        Self { fence: self.fence, unit: self.unit.clone(), ..Self::default() }
    }
}

/// Returns whether `length` has passed since `at`. If the clock was set back, the wait counts as
/// over, so the watch does not stop.
fn is_past(at: Time, length: i64, now: Time) -> bool {
    at > now.plus_millis(SKEW) || now.since(at) >= length
}

impl Stored for Watched {
    fn lower(&self) -> Plain {
        // A missing number means zero.
        let number = |number: u32| if number == 0 { Plain::Null } else { number.lower() };
        Plain::map([
            ("v", 1_u32.lower()),
            ("fence", self.fence.lower()),
            ("unit", self.unit.lower()),
            ("nudged", number(self.nudged)),
            ("nudged_at", self.nudged_at.lower()),
            ("restarts", number(self.restarts)),
            ("restarted_at", self.restarted_at.lower()),
            ("mark", self.mark.lower()),
            ("since", self.since.lower()),
            ("escalated", self.told.is_some().lower()),
            ("told", self.told.as_ref().and_then(Notification::name).map(str::to_owned).lower()),
            ("why", self.why().map(str::to_owned).lower()),
            ("ahead", self.ahead.lower()),
            ("ahead_at", self.ahead_at.lower()),
        ])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        super::holder::version(&fields)?;
        let number = |key: &str| Ok(fields.get::<Option<u32>>(key)?.unwrap_or_default());
        let told =
            Notification::of(fields.get::<Option<String>>("told")?.as_deref(), fields.get("why")?);
        Ok(Self {
            fence: fields.get("fence")?,
            unit: fields.get("unit")?,
            nudged: number("nudged")?,
            nudged_at: fields.get("nudged_at")?,
            restarts: number("restarts")?,
            restarted_at: fields.get("restarted_at")?,
            mark: fields.get("mark")?,
            since: fields.get("since")?,
            told: fields.get::<bool>("escalated")?.then_some(told),
            ahead: fields.get("ahead")?,
            ahead_at: fields.get("ahead_at")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seq;

    fn sight(status: AssignmentStatus, silent: i64) -> Sight {
        let now = Time::from_millis(10_000_000);
        let beat = now.plus_millis(-silent);
        let unit = UnitId::parse("gt-1").unwrap();
        Sight { fence: Fence(Seq(7)), unit, status, waits: false, beat, mark: None, now }
    }

    fn later(sight: Sight, millis: i64) -> Sight {
        Sight { now: sight.now.plus_millis(millis), ..sight }
    }

    const USUAL: Patience = Patience::USUAL;

    #[test]
    fn pending_work_that_nobody_begins_is_nudged_and_then_told() {
        let start = Watched::default();
        assert_eq!(start.judge(&sight(AssignmentStatus::Pending, 89_000), &USUAL).1, None);
        let (nudged, act) = start.judge(&sight(AssignmentStatus::Pending, 90_000), &USUAL);
        assert_eq!(act, Some(Act::Nudge));
        assert_eq!(
            nudged.judge(&sight(AssignmentStatus::Pending, 200_000), &USUAL).1,
            None,
            "once"
        );
        let (told, act) = nudged.judge(&sight(AssignmentStatus::Pending, 300_000), &USUAL);
        assert!(matches!(act, Some(Act::Escalate { .. })));
        assert_eq!(told.judge(&sight(AssignmentStatus::Pending, 400_000), &USUAL).1, None, "once");
    }

    #[test]
    fn silence_is_nudged_alerted_and_restarted_three_times_then_a_person_is_told() {
        let mut watched = Watched::default();
        let mut at = sight(AssignmentStatus::Active, 300_000);
        let mut acts = Vec::new();
        for _ in 0..60 {
            let (next, act) = watched.judge(&at, &USUAL);
            watched = next;
            acts.extend(act);
            at = later(at, 60_000);
        }
        let restarts = acts.iter().filter(|act| matches!(act, Act::Restart { .. })).count();
        assert_eq!(acts[..2], [Act::Nudge, Act::Alert]);
        assert_eq!(restarts, 3, "{acts:?}");
        assert!(matches!(acts.last(), Some(Act::Escalate { .. })));
        assert_eq!(acts.iter().filter(|act| matches!(act, Act::Escalate { .. })).count(), 1);
    }

    #[test]
    fn a_sign_of_life_forgets_nudges_and_a_declared_wait_is_no_stall() {
        let (nudged, _) =
            Watched::default().judge(&sight(AssignmentStatus::Active, 300_000), &USUAL);
        assert_eq!(nudged.judge(&sight(AssignmentStatus::Active, 1000), &USUAL).0.nudged, 0);
        let waiting = Sight { waits: true, ..sight(AssignmentStatus::Active, 9_000_000) };
        assert_eq!(nudged.judge(&waiting, &USUAL).1, None);
        let done = sight(AssignmentStatus::Completed, 9_000_000);
        assert_eq!(nudged.judge(&done, &USUAL).1, None);
    }

    #[test]
    fn work_that_beats_and_gets_no_further_is_told() {
        let beats = Sight { mark: Some(Hash::of("tree")), ..sight(AssignmentStatus::Active, 1000) };
        let start = Watched::default();
        assert!(start.wants_mark(beats.fence, beats.now, &USUAL));
        let (seen, act) = start.judge(&beats, &USUAL);
        assert_eq!(act, None);
        assert!(!seen.wants_mark(beats.fence, beats.now, &USUAL));
        let again =
            Sight { beat: beats.beat.plus_millis(1_800_000), ..later(beats.clone(), 1_800_000) };
        assert!(seen.wants_mark(again.fence, again.now, &USUAL));
        assert!(matches!(seen.judge(&again, &USUAL).1, Some(Act::Escalate { .. })));
        let further = Sight { mark: Some(Hash::of("another")), ..again.clone() };
        assert_eq!(seen.judge(&further, &USUAL).1, None);
    }

    #[test]
    fn what_a_person_was_told_of_silence_is_over_with_a_sign_of_life() {
        let silent = sight(AssignmentStatus::Pending, 300_000);
        let (told, act) = Watched::default().judge(&silent, &USUAL);
        let Some(Act::Escalate { why }) = act else { panic!("{act:?}") };
        assert_eq!(told.why(), Some(why.as_str()));
        assert_eq!(Watched::lift(&told.lower()), Ok(told.clone()));
        let (begun, act) = told.judge(&sight(AssignmentStatus::Active, 1000), &USUAL);
        assert_eq!((begun.told, act), (None, None));
        assert!(matches!(told.answered().judge(&silent, &USUAL).1, Some(Act::Escalate { .. })));
    }

    #[test]
    fn what_a_person_was_told_is_written_as_ever() {
        let no_further = "it gives signs of life and gets no further";
        let cases = [
            (None, (false, None)),
            (Some(Notification::NoFurther), (true, Some(no_further))),
            (Some(Notification::Silent("it sleeps".to_owned())), (true, Some("it sleeps"))),
            // As it was before the words were recorded.
            (Some(Notification::Unsaid), (true, None)),
        ];
        for (told, (escalated, why)) in cases {
            let watched = Watched { told, ..Watched::default() };
            let plain = watched.lower();
            let fields = Fields::of(&plain).unwrap();
            assert_eq!(fields.get("escalated"), Ok(escalated));
            assert_eq!(fields.get("why"), Ok(why.map(str::to_owned)));
            assert_eq!(Watched::lift(&plain), Ok(watched.clone()));
            let Plain::Map(mut old) = plain else { panic!("a map") };
            old.retain(|(key, _)| key != "told");
            assert_eq!(
                Watched::lift(&Plain::Map(old)),
                Ok(watched),
                "as the first release wrote it"
            );
        }
    }

    #[test]
    fn a_sign_of_life_from_tomorrow_hides_no_stall() {
        let tomorrow = Sight {
            beat: Time::from_millis(10_000_000 + 86_400_000),
            ..sight(AssignmentStatus::Active, 0)
        };
        let (seen, act) = Watched::default().judge(&tomorrow, &USUAL);
        assert_eq!(act, None, "its age is not known yet");
        assert_eq!(Watched::lift(&seen.lower()), Ok(seen.clone()));
        let (nudged, act) = seen.judge(&later(tomorrow.clone(), 300_000), &USUAL);
        assert_eq!(act, Some(Act::Nudge));
        let moved =
            Sight { beat: tomorrow.beat.plus_millis(1000), ..later(tomorrow.clone(), 360_000) };
        assert_eq!(nudged.judge(&moved, &USUAL).0.nudged, 0, "it beats, if by another clock");
        let right = Sight { beat: moved.now, ..moved };
        assert_eq!(nudged.judge(&right, &USUAL).0.ahead, None);
    }

    #[test]
    fn a_clock_that_was_set_back_does_not_stop_the_watch() {
        let silent = sight(AssignmentStatus::Active, 400_000);
        let future = Some(silent.now.plus_millis(86_400_000));
        let counted = Watched {
            fence: Some(silent.fence),
            unit: Some(silent.unit.clone()),
            nudged: 1,
            nudged_at: future,
            since: future,
            ..Watched::default()
        };
        assert_eq!(counted.judge(&silent, &USUAL).1, Some(Act::Alert));
        assert!(counted.wants_mark(silent.fence, silent.now, &USUAL));
    }

    #[test]
    fn another_attempt_is_counted_anew_and_counts_are_kept() {
        let (nudged, _) =
            Watched::default().judge(&sight(AssignmentStatus::Active, 300_000), &USUAL);
        assert_eq!(Watched::lift(&nudged.lower()), Ok(nudged.clone()));
        let other = Sight { fence: Fence(Seq(8)), ..sight(AssignmentStatus::Active, 0) };
        assert_eq!(nudged.judge(&other, &USUAL).0.nudged, 0);
    }

    #[test]
    fn a_session_that_is_begun_anew_again_and_again_reaches_a_person_too() {
        let mut watched = Watched::default();
        let mut acts = Vec::new();
        for attempt in 0..10 {
            // Each restart gives the work a new fence, and the new session is silent like the last.
            for minute in 0..12 {
                let silent = sight(AssignmentStatus::Active, minute * 60_000);
                let now = silent.now.plus_millis((attempt * 12 + minute) * 60_000);
                let beat = now.plus_millis(-minute * 60_000);
                let fence = Fence(Seq(7 + u64::try_from(attempt).unwrap()));
                let (next, act) = watched.judge(&Sight { fence, beat, now, ..silent }, &USUAL);
                watched = next;
                acts.extend(act);
            }
        }
        let restarts = acts.iter().filter(|act| matches!(act, Act::Restart { .. })).count();
        assert_eq!(restarts, 3, "{acts:?}");
        assert!(acts.iter().any(|act| matches!(act, Act::Escalate { .. })));
        let other = UnitId::parse("gt-2").unwrap();
        let fresh =
            Sight { unit: other, fence: Fence(Seq(99)), ..sight(AssignmentStatus::Active, 0) };
        assert_eq!(watched.judge(&fresh, &USUAL).0.restarts, 0, "another unit begins anew");
    }
}
