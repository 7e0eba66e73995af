//! The plain forms of what agents and documents say about a plan.

use super::position::one_of;
use super::{Gap, LoopKind, Round, Status, Verification};
use crate::{Fields, Plain, Stored, Unreadable};

impl Stored for Gap {
    fn lower(&self) -> Plain {
        Plain::map([
            ("type", self.kind.lower()),
            ("file", self.file.lower()),
            ("from", self.from.lower()),
            ("to", self.to.lower()),
            ("check", self.check.lower()),
            ("story", self.story.lower()),
            ("text", self.text.lower()),
        ])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        Ok(Self {
            kind: fields.get("type")?,
            file: fields.get("file")?,
            from: fields.get("from")?,
            to: fields.get("to")?,
            check: fields.get("check")?,
            story: fields.get("story")?,
            text: fields.get("text")?,
        })
    }
}

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

impl Stored for Status {
    fn lower(&self) -> Plain {
        self.as_str().into()
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        one_of(plain, &Self::ALL, Self::as_str)
    }
}

impl Stored for Verification {
    fn lower(&self) -> Plain {
        Plain::map([
            ("status", self.status.lower()),
            ("gaps", self.gaps.lower()),
            ("human", self.human.lower()),
        ])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        Ok(Self {
            status: fields.get("status")?,
            gaps: fields.get("gaps")?,
            human: fields.get("human")?,
        })
    }
}
