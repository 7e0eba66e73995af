//! The state of a workflow as pi stores it: the data of a `workflow:state` entry in a session.

use super::{Position, Segment};
use crate::{Plain, Stored};

/// A session's record of its workflow.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionRecord {
    pub active: bool,
    /// The key of the started workflow.
    pub key: String,
    pub position: Position,
    pub task_id: Option<String>,
    /// The task as the person wrote it; the original accepts any value here.
    pub description: Option<Plain>,
    /// When it was started, in milliseconds since 1970.
    pub started: i64,
    /// Whether its end was reported.
    pub notified: Option<bool>,
    /// Whether it was cancelled before its last phase.
    pub cancelled: Option<bool>,
    /// Whether the agent asked once to cancel it; the next step withdraws that.
    pub pending: bool,
    /// The agent's summary of the previous phase.
    pub summary: Option<String>,
    /// Unknown fields, which are passed through.
    pub other: Vec<(String, Plain)>,
}

/// The keys of a state.
const KEYS: [&str; 11] = [
    "active",
    "workflowKey",
    "currentPath",
    "globalStepCount",
    "taskId",
    "taskDescription",
    "startedAt",
    "completionNotified",
    "cancelled",
    "_cancelPending",
    "summary",
];

impl SessionRecord {
    /// Creates the state of a workflow that has just started.
    pub fn new(key: &str, position: Position, task_id: String, task: &str, now: i64) -> Self {
        Self {
            active: true,
            key: key.to_owned(),
            position,
            task_id: Some(task_id),
            description: Some(task.into()),
            started: now,
            notified: Some(false),
            cancelled: Some(false),
            pending: false,
            summary: None,
            other: Vec::new(),
        }
    }

    /// Returns the task as text.
    pub fn task(&self) -> String {
        match &self.description {
            Some(Plain::Text(text)) => text.clone(),
            Some(Plain::Int(number)) => number.to_string(),
            Some(Plain::Other(number)) => number.clone(),
            Some(Plain::Bool(flag)) => flag.to_string(),
            Some(Plain::Null | Plain::List(_) | Plain::Map(_)) | None => String::new(),
        }
    }

    /// Returns the id of the task; empty for an old state without one.
    pub fn task_id(&self) -> &str {
        self.task_id.as_deref().unwrap_or_default()
    }

    /// Returns the state after a step to `position`.
    #[must_use]
    pub fn stepped(&self, position: Position, summary: Option<&str>) -> Self {
        let mut next = self.clone();
        if position.done {
            next.active = false;
            next.notified = Some(false);
        }
        next.position = position;
        next.pending = false;
        next.summary = summary.map(str::to_owned);
        next
    }

    /// Returns the state after a cancellation.
    #[must_use]
    pub fn ended(&self) -> Self {
        Self { active: false, cancelled: Some(true), notified: Some(false), ..self.clone() }
    }

    /// Returns the data for an entry.
    pub fn lower(&self) -> Plain {
        let number = |number: i64| Plain::Int(number.into());
        let mut data = vec![
            ("active", Some(self.active.lower())),
            ("workflowKey", Some(self.key.lower())),
            ("currentPath", Some(self.position.path.lower())),
            ("globalStepCount", Some(number(self.position.steps))),
            ("taskId", self.task_id.as_ref().map(Stored::lower)),
            ("taskDescription", self.description.clone()),
            ("startedAt", Some(number(self.started))),
            ("completionNotified", self.notified.map(Plain::Bool)),
            ("cancelled", self.cancelled.map(Plain::Bool)),
            ("_cancelPending", self.pending.then_some(Plain::Bool(true))),
            ("summary", self.summary.as_ref().map(Stored::lower)),
        ];
        let known = data.drain(..).filter_map(|(key, value)| Some((key.to_owned(), value?)));
        Plain::Map(known.chain(self.other.iter().cloned()).collect())
    }

    /// Reads the data of an entry, including those of old versions of the original.
    pub fn lift(data: &Plain) -> Result<Self, &'static str> {
        let fields = Data::of(data)?;
        let key = fields.text("workflowKey")?.ok_or("a state without workflow")?;
        let (path, legacy) = fields.path(&key)?;
        let steps = match fields.get("globalStepCount") {
            None => path.first().map_or(0, |segment| segment.index),
            Some(_) => fields.number("globalStepCount")?.ok_or("a step count that is no number")?,
        };
        let active = fields.flag("active")?.ok_or("a state that is neither active nor not")?;
        Ok(Self {
            active,
            key,
            position: Position { path, steps, done: !active, review: None },
            task_id: fields.text("taskId")?,
            description: fields.get("taskDescription").cloned(),
            started: fields.number("startedAt")?.ok_or("a state without a start")?,
            notified: fields.flag("completionNotified")?,
            cancelled: fields.flag("cancelled")?,
            pending: fields.get("_cancelPending") == Some(&Plain::Bool(true)),
            summary: fields.text("summary").unwrap_or_default(),
            other: fields.other(legacy),
        })
    }
}

/// Whether the state has an index instead of a path, as before subworkflows existed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Legacy {
    Yes,
    No,
}

/// The data of an entry during parsing.
struct Data<'a>(&'a [(String, Plain)]);

impl<'a> Data<'a> {
    fn of(data: &'a Plain) -> Result<Self, &'static str> {
        match data {
            Plain::Map(fields) => Ok(Self(fields)),
            Plain::Null
            | Plain::Bool(_)
            | Plain::Int(_)
            | Plain::Other(_)
            | Plain::Text(_)
            | Plain::List(_) => Err("a state that is no map"),
        }
    }

    fn get(&self, key: &str) -> Option<&'a Plain> {
        self.0.iter().find(|(known, _)| known == key).map(|(_, value)| value)
    }

    fn text(&self, key: &str) -> Result<Option<String>, &'static str> {
        let wrong = "a text of another type";
        self.get(key).map(|value| String::lift(value).map_err(|_| wrong)).transpose()
    }

    fn flag(&self, key: &str) -> Result<Option<bool>, &'static str> {
        match self.get(key) {
            None => Ok(None),
            Some(Plain::Bool(flag)) => Ok(Some(*flag)),
            Some(_) => Err("a flag that is neither true nor false"),
        }
    }

    fn number(&self, key: &str) -> Result<Option<i64>, &'static str> {
        let wrong = "a number of another type";
        match self.get(key) {
            None => Ok(None),
            Some(Plain::Int(number)) => i64::try_from(*number).map(Some).map_err(|_| wrong),
            Some(_) => Err(wrong),
        }
    }

    fn path(&self, key: &str) -> Result<(Vec<Segment>, Legacy), &'static str> {
        if self.get("currentPath").is_none()
            && let Ok(Some(index)) = self.number("currentPhaseIndex")
        {
            return Ok((vec![Segment::new(key.to_owned(), index)], Legacy::Yes));
        }
        match self.get("currentPath") {
            Some(Plain::List(items)) if !items.is_empty() => {
                let segments = items.iter().map(Segment::lift).collect::<Result<_, _>>();
                segments.map(|path| (path, Legacy::No)).map_err(|_| "malformed path segment")
            }
            Some(_) | None => Err("empty currentPath"),
        }
    }

    fn other(&self, legacy: Legacy) -> Vec<(String, Plain)> {
        let is_known = |key: &str| {
            KEYS.contains(&key) || (legacy == Legacy::Yes && key == "currentPhaseIndex")
        };
        self.0.iter().filter(|(key, _)| !is_known(key)).cloned().collect()
    }
}

/// The relevant parts of a pi session's entry.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionBranch<'a> {
    /// Its type: `custom` for sprag's.
    pub kind: &'a str,
    pub custom: &'a str,
    pub data: &'a Plain,
}

/// The custom type of sprag's entries.
pub const ENTRY: &str = "workflow:state";

/// Returns the current state of a session's branch. The last entry of sprag decides, and an
/// unreadable one is never replaced by an older one.
pub fn reconstruct<'a>(
    branch: impl DoubleEndedIterator<Item = SessionBranch<'a>>,
) -> Result<Option<SessionRecord>, &'static str> {
    let ours = |entry: &SessionBranch<'_>| entry.kind == "custom" && entry.custom == ENTRY;
    let has_key = |data: &Plain| {
        Data::of(data)
            .is_ok_and(|fields| fields.get("workflowKey").is_some_and(|key| *key != Plain::Null))
    };
    let last = branch.rev().find(|entry| ours(entry) && has_key(entry.data));
    last.map(|entry| SessionRecord::lift(entry.data)).transpose()
}
