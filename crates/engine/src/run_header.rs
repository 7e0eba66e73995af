//! The engine's own part of `run.yaml`: what a run is a run of, and what it is judged by.

use std::collections::BTreeMap;

use sprag_core::{Event, Fields, Hash, Plain, Stored, Time, UnitId, Unreadable, stored};

/// The newest form that this version writes and reads.
const VERSION: u32 = 1;

/// What the engine knows of a run beside what the kernel does.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// What it is a run of.
    pub source: Source,
    /// The task, as a person wrote it.
    pub task: Option<String>,
    /// The command that the task must satisfy.
    pub until: Option<String>,
    /// What it is judged by.
    pub definition: Option<Definition>,
    /// The protected files as they were when they began to be.
    pub protected: BTreeMap<String, Hash>,
    /// What each unit that was begun and has not passed is compared with, by the name of the kept text.
    pub baselines: BTreeMap<UnitId, Hash>,
    /// What a person said its agents may change of what judges them.
    pub may_change: Vec<String>,
    /// What the agent said it had done in the phase before.
    pub summary: Option<String>,
    /// When it began.
    pub started: Time,
    /// When the phase at hand was entered: a person's word from before is about another one.
    pub entered: Option<Time>,
    /// The commit that was checked out when the phase at hand was entered; only where it is to be
    /// reviewed, and somebody must see what changed since.
    pub base: Option<String>,
    /// When it was done or cancelled.
    pub ended: Option<Time>,
    /// Whether its end was said.
    pub notified: bool,
}

/// What a run is a run of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The guard of a session.
    Guard,
    /// A command that a person holds a session for; it stands in `task`.
    Until,
    /// A task that agents are given until a command passes; it stands in `until`.
    Task,
    /// A unit of work that is assigned to an agent; both stand in the inbox.
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
    /// Returns whether it is judged by the guard of the configuration.
    pub(crate) const fn is_guarded(&self) -> bool {
        match self {
            Self::Guard | Self::Assignment | Self::Task => true,
            Self::Until | Self::Workflow(_) | Self::Plan(_) | Self::Loop | Self::Gsd | Self::Pr => {
                false
            }
        }
    }

    /// Returns whether a person typed the command that judges it.
    pub(crate) const fn is_typed(&self) -> bool {
        match self {
            Self::Until | Self::Task => true,
            Self::Guard
            | Self::Assignment
            | Self::Workflow(_)
            | Self::Plan(_)
            | Self::Loop
            | Self::Gsd
            | Self::Pr => false,
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

/// Where the definition of a run came from, and what it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The file or folder.
    pub path: String,
    /// What it was when the run began, or when a person last agreed to a change.
    pub digest: Hash,
}

impl Header {
    /// Returns what is known of a run that begins now.
    pub fn new(source: Source, definition: Definition, started: Time) -> Self {
        let definition = Some(definition);
        Self { definition, ..Self::begun(source, started) }
    }

    /// Returns what is known of a run that begins now and is judged by documents alone.
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

    /// Forgets what units that are done were compared with.
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
