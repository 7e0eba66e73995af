//! How an attempt ended and who judged it: the one place where proven is told from claimed.

use super::{How, read};
use crate::{Event, Kind};

/// The end of an attempt, as its line in the journal tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending<'e> {
    /// The attempt.
    pub fence: u64,
    /// Its unit.
    pub unit: &'e str,
    /// What ended it.
    pub how: How,
    /// Gates that a person let through.
    pub waived: Vec<String>,
    /// Gates that failed in the same way before.
    pub known: Vec<String>,
    /// What no gate judged, and only its agent says.
    pub claims: Vec<String>,
}

impl<'e> Ending<'e> {
    /// Reads the end of an attempt; nothing where the event is another.
    pub fn of(event: &'e Event) -> Option<Self> {
        let data = &event.data;
        (event.kind == Kind::AttemptEnded).then(|| Self {
            fence: read::number(data, "fence").unwrap_or_default(),
            unit: read::text(data, "unit").unwrap_or_default(),
            how: How::of(read::text(data, "how")),
            waived: read::texts(data, "waived"),
            known: read::texts(data, "known"),
            claims: read::texts(data, "claims"),
        })
    }

    /// Returns whether nothing speaks against it any more, whoever says so.
    pub const fn is_through(&self) -> bool {
        match self.how {
            How::Passed | How::Waived | How::Claimed => true,
            How::Failed | How::Lost | How::Gone | How::Open => false,
        }
    }

    /// Returns whether gates and persons judged all of it.
    pub fn is_proven(&self) -> bool {
        self.how == How::Passed && self.known.is_empty() && self.claims.is_empty()
    }

    /// Says what of it is not proven, a few words each; nothing where no gate looked at all.
    pub fn unproven(self) -> Vec<String> {
        let waived = self.waived.iter().map(|gate| format!("`{gate}` is waived"));
        let known = self.known.iter().map(|gate| format!("`{gate}` failed in the same way before"));
        waived.chain(known).chain(self.claims.iter().cloned()).collect()
    }

    /// Returns how it is drawn: what is not all proven is claimed.
    pub(super) fn shown(&self) -> How {
        match self.how {
            How::Passed if !self.is_proven() => How::Claimed,
            how @ (How::Passed
            | How::Waived
            | How::Claimed
            | How::Failed
            | How::Lost
            | How::Gone
            | How::Open) => how,
        }
    }
}
