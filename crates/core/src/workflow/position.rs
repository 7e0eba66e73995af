use super::{Definitions, OrderEntry, Reviewing};
use crate::{Fields, Plain, Stored, Unreadable};

/// The position of a workflow's run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// One segment for the workflow itself and one for each nested workflow.
    pub path: Vec<Segment>,
    /// The number of steps, including loops.
    pub steps: i64,
    /// Whether the last phase is finished.
    pub done: bool,
    /// The review of the current phase, once its own work is done.
    pub review: Option<Box<Reviewing>>,
}

/// A position in one workflow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    pub key: String,
    /// The index of the entry, from 0; it is unchecked user input.
    pub index: i64,
}

impl Segment {
    pub(super) const fn new(key: String, index: i64) -> Self {
        Self { key, index }
    }
}

impl Position {
    /// Checks that the position, as unchecked user input, exists in the workflow `key`, at every
    /// level. A finished position is not checked.
    pub fn check(&self, key: &str, definitions: &Definitions) -> Result<(), Unreadable> {
        let mut entered = Some(key);
        for (at, level) in self.path.iter().enumerate().filter(|_| !self.done) {
            let wrong = |field: &str, why: String| {
                Unreadable::here(why).below(field).below(&format!("path[{at}]")).below("position")
            };
            let Some(key) = entered else {
                let why = "no workflow is entered there; take this out".to_owned();
                return Err(wrong("workflowKey", why));
            };
            if level.key != key {
                let (found, key) = (level.key.escape_debug(), key.escape_debug());
                let why = format!("`{found}` is not the workflow there; write `{key}`");
                return Err(wrong("workflowKey", why));
            }
            // A missing definition is not an error of the position.
            let Some(scope) = definitions.get(key) else { return Ok(()) };
            let Some(entry) = scope.entry(level.index) else {
                let (named, all) = (i128::from(level.index) + 1, scope.phases.len());
                let last = all.saturating_sub(1);
                let why = format!("it names phase {named} of {all}; write 0 to {last}");
                return Err(wrong("phaseIndex", why));
            };
            entered = match entry {
                OrderEntry::Phase(_) => None,
                OrderEntry::Workflow(key) => Some(key),
            };
        }
        Ok(())
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
