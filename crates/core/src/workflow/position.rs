use super::Reviewing;
use crate::{Fields, Plain, Stored, Unreadable};

/// Where a run of a workflow stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// One segment for the workflow itself and one for each that was entered from it.
    pub path: Vec<Segment>,
    /// How many steps were taken, loops included.
    pub steps: i64,
    /// Whether the last phase is behind it.
    pub done: bool,
    /// The review of the phase at hand, once its own work is done.
    pub review: Option<Box<Reviewing>>,
}

/// A place in one workflow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Which workflow.
    pub key: String,
    /// Which entry, from 0; a person may have written anything.
    pub index: i64,
}

impl Segment {
    pub(super) const fn new(key: String, index: i64) -> Self {
        Self { key, index }
    }
}

impl Stored for Segment {
    fn lower(&self) -> Plain {
        let index = Plain::Int(self.index.into());
        Plain::map([("workflowKey", self.key.lower()), ("phaseIndex", index)])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        let index = match fields.get("phaseIndex")? {
            Plain::Int(index) => i64::try_from(index).ok(),
            Plain::Null
            | Plain::Bool(_)
            | Plain::Other(_)
            | Plain::Text(_)
            | Plain::List(_)
            | Plain::Map(_) => None,
        };
        let index = index.ok_or_else(|| Unreadable::here("expected a number").below("phaseIndex"));
        Ok(Self { key: fields.get("workflowKey")?, index: index? })
    }
}

impl Stored for Position {
    fn lower(&self) -> Plain {
        Plain::filled([
            ("path", self.path.lower()),
            ("steps", Plain::Int(self.steps.into())),
            ("done", self.done.lower()),
            ("review", self.review.as_deref().map_or(Plain::Null, Stored::lower)),
        ])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        let path: Vec<Segment> = fields.get("path")?;
        if path.is_empty() {
            return Err(Unreadable::here("it has no segment").below("path"));
        }
        let steps = i64::from(fields.get::<u32>("steps")?);
        let review = fields.get::<Option<Reviewing>>("review")?.map(Box::new);
        Ok(Self { path, steps, done: fields.get("done")?, review })
    }
}
