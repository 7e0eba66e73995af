//! How an attempt ended and who judged it: the one place where proven is told from claimed.

use super::How;
use crate::Event;
use crate::event::{AttemptEnded, EndedBy};

impl Event {
    /// Returns the end of an attempt; nothing where the event is another.
    pub const fn ending(&self) -> Option<&AttemptEnded> {
        if let Self::AttemptEnded(end) = self { Some(end) } else { None }
    }
}

impl AttemptEnded {
    /// Returns whether nothing speaks against it any more, whoever says so.
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

    /// Says what of it is not proven, a few words each; nothing where no gate looked at all.
    pub fn unproven(&self) -> Vec<String> {
        let waived = self.waived.iter().map(|gate| format!("`{gate}` is waived"));
        let known = self.known.iter().map(|gate| format!("`{gate}` failed in the same way before"));
        waived.chain(known).chain(self.claims.iter().cloned()).collect()
    }

    /// Returns how it is drawn: what is not all proven is claimed.
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
