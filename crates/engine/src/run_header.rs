//! The engine's part of `run.yaml`: the source of a run and the basis that it is judged by.

use std::collections::BTreeMap;

use sprag_core::{Event, Fields, Hash, Plain, Stored, Time, UnitId, Unreadable, stored};

/// The newest format that this version writes and reads.
const VERSION: u32 = 1;

/// The engine's data about a run, next to the kernel's.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    pub source: Source,
    /// The task, as a person wrote it.
    pub task: Option<String>,
    /// The command that the task must satisfy.
    pub until: Option<String>,
    pub definition: Option<Definition>,
    /// The protected files with their hashes at the time when protection began.
    pub protected: BTreeMap<String, Hash>,
    /// The baseline of each unit that has begun and not passed, by the name of the stored text.
    pub baselines: BTreeMap<UnitId, Hash>,
    /// The changes that a person allowed its agents to make to their own inputs.
    pub may_change: Vec<String>,
    /// The agent's summary of the previous phase.
    pub summary: Option<String>,
    pub started: Time,
    /// When the current phase began: a person's verdict from before belongs to another phase.
    pub entered: Option<Time>,
    /// The commit that was checked out when the current phase began. Only set if the phase is
    /// reviewed, because the reviewer needs the changes since then.
    pub base: Option<String>,
    /// When the run was done or cancelled.
    pub ended: Option<Time>,
    /// Whether its end was announced.
    pub notified: bool,
}

/// The system or command that a run comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    Guard,
    /// A command that a person holds a session to; the command is in `task`.
    Until,
    /// A task for agents until a command passes; the command is in `until`.
    Task,
    /// A unit of work assigned to an agent; both are in the inbox.
    Assignment,
    /// A workflow, by its key.
    Workflow(String),
    /// The plan of a phase.
    Plan(String),
    /// A loop that a session drives itself.
    Loop,
    /// The milestone tree of this project.
    Gsd,
    /// The review loop of this working tree's pull request.
    Pr,
}

impl Source {
    /// Returns whether the guard of the configuration judges it.
    pub(crate) const fn is_guarded(&self) -> bool {
        match self {
            Self::Guard | Self::Assignment | Self::Task => true,
            Self::Until | Self::Workflow(_) | Self::Plan(_) | Self::Loop | Self::Gsd | Self::Pr => {
                false
            }
        }
    }
}

impl std::fmt::Display for Source {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Guard => write!(out, "guard"),
            Self::Until => write!(out, "until"),
            Self::Task => write!(out, "task"),
            Self::Assignment => write!(out, "assignment"),
            Self::Workflow(key) => write!(out, "workflow:{key}"),
            Self::Plan(phase) => write!(out, "plan:{phase}"),
            Self::Loop => write!(out, "loop"),
            Self::Gsd => write!(out, "gsd"),
            Self::Pr => write!(out, "pr"),
        }
    }
}

/// The origin and the digest of a run's definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    pub path: String,
    /// The digest when the run began, or when a person last accepted a change.
    pub digest: Hash,
}

impl Header {
    /// Creates the header of a run that begins now.
    pub fn new(source: Source, definition: Definition, started: Time) -> Self {
        let definition = Some(definition);
        Self { definition, ..Self::begun(source, started) }
    }

    /// Creates the header of a run that begins now and is judged by documents alone.
    pub const fn begun(source: Source, started: Time) -> Self {
        Self {
            source,
            task: None,
            until: None,
            definition: None,
            protected: BTreeMap::new(),
            baselines: BTreeMap::new(),
            may_change: Vec::new(),
            summary: None,
            started,
            entered: None,
            base: None,
            ended: None,
            notified: false,
        }
    }

    /// Drops the baselines of units that passed.
    pub(crate) fn forget_baselines(&mut self, events: &[Event]) {
        for end in events.iter().filter_map(Event::ending).filter(|end| end.is_through()) {
            self.baselines.retain(|unit, _| unit.as_str() != end.unit);
        }
    }

    pub(crate) fn entries(&self) -> Vec<(String, Plain)> {
        let entries = [
            ("v", VERSION.lower()),
            ("source", self.source.lower()),
            ("task", self.task.lower()),
            ("until", self.until.lower()),
            ("definition", self.definition.lower()),
            ("protected", self.protected.lower()),
            ("summary", self.summary.lower()),
            ("started", self.started.lower()),
            ("entered", self.entered.lower()),
            ("ended", self.ended.lower()),
            ("notified", self.notified.lower()),
        ];
        let base = self.base.as_ref().map(|base| ("base", base.lower()));
        let baselines = (!self.baselines.is_empty()).then(|| ("baselines", self.baselines.lower()));
        let may_change =
            (!self.may_change.is_empty()).then(|| ("may_change", self.may_change.lower()));
        entries
            .into_iter()
            .chain(base)
            .chain(baselines)
            .chain(may_change)
            .map(|(key, value)| (key.to_owned(), value))
            .collect()
    }

    pub(crate) fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        let version: u32 = fields.get("v")?;
        if version > VERSION {
            let why = format!("version {version}, and this sprag knows {VERSION}");
            return Err(Unreadable::here(why).below("v"));
        }
        Ok(Self {
            source: fields.get("source")?,
            task: fields.get("task")?,
            until: fields.get("until")?,
            definition: fields.get("definition")?,
            protected: fields.get("protected")?,
            baselines: fields.get("baselines")?,
            may_change: fields.get("may_change")?,
            summary: fields.get("summary")?,
            started: fields.get("started")?,
            entered: fields.get("entered")?,
            base: fields.get("base")?,
            ended: fields.get("ended")?,
            notified: fields.get("notified")?,
        })
    }
}

stored!(struct Definition { path, digest });

impl Stored for Source {
    fn lower(&self) -> Plain {
        self.to_string().into()
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let text = String::lift(plain)?;
        match text.split_once(':').unwrap_or((&text, "")) {
            ("guard", "") => Ok(Self::Guard),
            ("until", "") => Ok(Self::Until),
            ("task", "") => Ok(Self::Task),
            ("assignment", "") => Ok(Self::Assignment),
            ("loop", "") => Ok(Self::Loop),
            ("gsd", "") => Ok(Self::Gsd),
            ("pr", "") => Ok(Self::Pr),
            ("workflow", key) => Ok(Self::Workflow(key.to_owned())),
            ("plan", phase) => Ok(Self::Plan(phase.to_owned())),
            _ => Err(Unreadable::here(
                "expected guard, until, task, assignment, loop, gsd, pr, workflow:KEY or plan:PHASE",
            )),
        }
    }
}
