//! An event of the demo, and the line that tells it.

use serde_json::{Value, json};
use sprag_core::Seq;

use crate::style::{StreamStyle, Tone, columns};

/// The column in which verbs end.
const VERB: usize = 10;
/// The column of notes, counted from the verb.
const NOTE: usize = 49;

/// The events of the story. Each one must happen, and is told only after it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beat {
    /// An agent sent its final message.
    Claim,
    /// A gate failed.
    Refused,
    /// A pass did not count, because the agent had changed protected files. It was asked to undo
    /// that.
    SentBack,
    /// The agent did not undo it, and now waits for a person.
    Protected,
    /// A person restored the protected file.
    Restored,
    Passed,
    /// A review found a problem.
    Found,
    /// A later review found no more problems.
    Clean,
    /// The units were given to agents.
    Shared,
    /// An agent was killed, and its attempt was lost.
    Killed,
    Unit,
    /// The unit of the killed agent passed as well.
    TakenOver,
    /// The work was merged into the person's branch.
    Merged,
    Done,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DemoStep {
    pub(super) beat: Beat,
    pub(super) what: String,
    /// A note beside the text; may be empty.
    pub(super) note: String,
    /// The journal entry that the step tells, if any.
    pub(super) event: Option<Seq>,
}

impl Beat {
    /// Returns the first word of the line, and its tone.
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

    /// Returns the error message for an event that did not happen.
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
            Self::TakenOver => "no agent took over the unit of the killed agent",
            Self::Merged => "the work of the units could not be merged",
            Self::Done => "the run of the units did not come to its end",
        }
    }
}

impl DemoStep {
    /// Formats the step as a line of text.
    pub(super) fn line(&self, look: StreamStyle) -> String {
        let (tone, verb) = self.beat.verb();
        let verb = look.paint(tone, &format!("{verb:>VERB$}"));
        let width = crate::style::WIDTH - VERB - 1;
        if self.note.is_empty() {
            return format!("{verb} {}\n", look.clip(&self.what, width));
        }
        let what = look.clip(&self.what, NOTE - 1);
        let gap = " ".repeat(NOTE - columns(&what));
        format!("{verb} {what}{gap}{}\n", look.clip(&self.note, width - NOTE))
    }

    /// Returns the step as JSON.
    pub(super) fn json(&self) -> Value {
        let (_, verb) = self.beat.verb();
        let event = self.event.map(|seq| seq.0);
        json!({ "verb": verb, "what": self.what, "note": self.note, "event": event })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(what: &str, note: &str) -> DemoStep {
        DemoStep { beat: Beat::Refused, what: what.into(), note: note.into(), event: Some(Seq(7)) }
    }

    #[test]
    fn verbs_and_notes_stand_in_columns_and_a_line_ends_at_80() {
        let line = step("`sh tests/csv.sh` exit 1", "retry 1 of 3").line(StreamStyle::PLAIN);
        let expected = "   Refused `sh tests/csv.sh` exit 1                         retry 1 of 3\n";
        assert_eq!(line, expected);
        for long in [step(&"x".repeat(99), ""), step(&"x".repeat(99), &"y".repeat(99))] {
            assert_eq!(long.line(StreamStyle::PLAIN).trim_end().len(), 80);
        }
    }

    #[test]
    fn programs_are_told_the_event() {
        let expected = json!({"verb": "Refused", "what": "a", "note": "b", "event": 7});
        assert_eq!(step("a", "b").json(), expected);
    }
}
