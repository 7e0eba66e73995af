//! The stored forms of reports and documents about a plan.

use super::{Gap, LoopKind, Round, Verification, VerificationStatus};
use crate::{Fields, Plain, Stored, Unreadable, stored};

stored!(struct Gap { kind as "type", file, from, to, check, story, text });

impl Stored for Round {
    fn lower(&self) -> Plain {
        let kind = self.kind.and_then(LoopKind::as_str).map(str::to_owned);
        Plain::map([
            ("iteration", self.iteration.lower()),
            ("type", kind.lower()),
            ("result", self.result.lower()),
            ("gaps", self.gaps.lower()),
        ])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        let kind: Option<String> = fields.get("type")?;
        Ok(Self {
            iteration: fields.get("iteration")?,
            kind: kind.map(|word| LoopKind::parse(&word)),
            result: fields.get("result")?,
            gaps: fields.get("gaps")?,
        })
    }
}

stored!(word VerificationStatus);

stored!(struct Verification { status, gaps, human });
