//! The ends of attempts: the one place that tells proven from claimed.

use super::How;
use crate::Event;
use crate::event::{AttemptEnded, EndedBy};

impl Event {
    /// Returns the end of an attempt, if this event is one.
    pub const fn ending(&self) -> Option<&AttemptEnded> {
        if let Self::AttemptEnded(end) = self { Some(end) } else { None }
    }
}

impl AttemptEnded {
    /// Returns whether the attempt ended successfully, by gates, a waiver or a claim.
    pub const fn is_through(&self) -> bool {
        match self.how {
            EndedBy::Passed | EndedBy::Waived | EndedBy::Claimed => true,
            EndedBy::Failed | EndedBy::SentBack | EndedBy::Gone => false,
        }
    }

    /// Returns whether gates and persons judged all of it.
    pub fn is_proven(&self) -> bool {
        self.how == EndedBy::Passed
            && self.known.is_empty()
            && self.claims.is_empty()
            && self.doubted.is_empty()
    }

    /// Lists the unproven parts, a few words each; empty if no gate judged the attempt at all.
    pub fn unproven(&self) -> Vec<String> {
        let waived = self.waived.iter().map(|gate| format!("`{gate}` is waived"));
        let known = self.known.iter().map(|gate| format!("`{gate}` failed in the same way before"));
        waived.chain(known).chain(self.claims.iter().cloned()).collect()
    }

    /// Returns how the end is drawn: a partly unproven one counts as claimed.
    pub(super) fn shown(&self) -> How {
        match self.how {
            EndedBy::Passed if self.is_proven() => How::Passed,
            EndedBy::Passed | EndedBy::Claimed => How::Claimed,
            EndedBy::Waived => How::Waived,
            EndedBy::Failed => How::Failed,
            EndedBy::SentBack => How::SentBack,
            EndedBy::Gone => How::Gone,
        }
    }
}
