use super::{Definitions, Entry, Reviewing};
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

impl Position {
    /// Checks that it names what the workflow `key` has, all the way in: a person may have written
    /// anything. What is over names nothing any more.
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
            // A definition without it is another's fault than the position's.
            let Some(scope) = definitions.get(key) else { return Ok(()) };
            let Some(entry) = scope.entry(level.index) else {
                let (named, all) = (i128::from(level.index) + 1, scope.phases.len());
                let last = all.saturating_sub(1);
                let why = format!("it names phase {named} of {all}; write 0 to {last}");
                return Err(wrong("phaseIndex", why));
            };
            entered = match entry {
                Entry::Phase(_) => None,
                Entry::Workflow(key) => Some(key),
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
