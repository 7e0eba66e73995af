//! One thing that happened in the demo, and the line that tells of it.

use serde_json::{Value, json};
use sprag_core::Seq;

use crate::look::{Look, Tone, columns};

/// Verbs end in this column.
const VERB: usize = 10;
/// Notes begin so many columns after the verb.
const NOTE: usize = 49;

/// What the story is made of: each of these must happen, and is told only when it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beat {
    /// An agent said something at its end.
    Claim,
    /// A gate said otherwise.
    Refused,
    /// A pass did not count, because the agent changed what it rests on and was asked to undo that.
    SentBack,
    /// It did not, and now waits for a person.
    Protected,
    /// A person brought that back.
    Restored,
    /// A gate agreed.
    Passed,
    /// A review found something.
    Found,
    /// A review found nothing any more.
    Clean,
    /// The units were given to agents.
    Shared,
    /// An agent was killed, and its attempt was lost.
    Killed,
    /// A unit passed.
    Unit,
    /// The unit of the agent that was killed passed as well.
    TakenOver,
    /// The work was brought to the person's branch.
    Merged,
    /// Everything is done.
    Done,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) beat: Beat,
    /// What happened.
    pub(super) what: String,
    /// What stands beside it; may be empty.
    pub(super) note: String,
    /// The line of the journal that it is told from, where it is one.
    pub(super) event: Option<Seq>,
}

impl Beat {
    /// Returns the word at the beginning of the line.
    const fn verb(self) -> (Tone, &'static str) {
        match self {
            Self::Claim => (Tone::Quiet, "Agent"),
            Self::Refused | Self::SentBack | Self::Protected => (Tone::Bad, "Refused"),
            Self::Restored | Self::Merged => (Tone::Note, "Person"),
            Self::Passed | Self::Unit | Self::TakenOver => (Tone::Good, "Passed"),
            Self::Found => (Tone::Note, "Review"),
            Self::Clean => (Tone::Good, "Review"),
            Self::Shared => (Tone::Good, "Started"),
            Self::Killed => (Tone::Bad, "Killed"),
            Self::Done => (Tone::Good, "Done"),
        }
    }

    /// Says what is wrong when it did not happen.
    pub(super) const fn missing(self) -> &'static str {
        match self {
            Self::Claim => "no agent said anything",
            Self::Refused => "an agent said that it is done, and no gate refused it",
            Self::SentBack => "an agent changed a protected test, and was not sent back",
            Self::Protected => "an agent changed a protected test, and its pass counted",
            Self::Restored => "the protected test could not be restored",
            Self::Passed => "the work was done, and its gate did not pass",
            Self::Found => "the review did not find what is wrong",
            Self::Clean => "what the review found was fixed, and it was not reviewed again",
            Self::Shared => "the six units were not given to agents",
            Self::Killed => "an agent was killed, and its attempt was not lost",
            Self::Unit => "a unit did not pass",
            Self::TakenOver => "nobody took over the unit of the agent that was killed",
            Self::Merged => "the work of the units could not be merged",
            Self::Done => "the run of the units did not come to its end",
        }
    }
}

impl Step {
    /// Returns what happened, for people.
    pub(super) fn line(&self, look: Look) -> String {
        let (tone, verb) = self.beat.verb();
        let verb = look.paint(tone, &format!("{verb:>VERB$}"));
        let width = crate::look::WIDTH - VERB - 1;
        if self.note.is_empty() {
            return format!("{verb} {}\n", look.clip(&self.what, width));
        }
        let what = look.clip(&self.what, NOTE - 1);
        let gap = " ".repeat(NOTE - columns(&what));
        format!("{verb} {what}{gap}{}\n", look.clip(&self.note, width - NOTE))
    }

    /// Returns what happened, for programs.
    pub(super) fn json(&self) -> Value {
        let (_, verb) = self.beat.verb();
        let event = self.event.map(|seq| seq.0);
        json!({ "verb": verb, "what": self.what, "note": self.note, "event": event })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(what: &str, note: &str) -> Step {
        Step { beat: Beat::Refused, what: what.into(), note: note.into(), event: Some(Seq(7)) }
    }

    #[test]
    fn verbs_and_notes_stand_in_columns_and_a_line_ends_at_80() {
        let line = step("`sh tests/csv.sh` exit 1", "retry 1 of 3").line(Look::PLAIN);
        let expected = "   Refused `sh tests/csv.sh` exit 1                         retry 1 of 3\n";
        assert_eq!(line, expected);
        for long in [step(&"x".repeat(99), ""), step(&"x".repeat(99), &"y".repeat(99))] {
            assert_eq!(long.line(Look::PLAIN).trim_end().len(), 80);
        }
    }

    #[test]
    fn programs_are_told_the_event() {
        let expected = json!({"verb": "Refused", "what": "a", "note": "b", "event": 7});
        assert_eq!(step("a", "b").json(), expected);
    }
}
