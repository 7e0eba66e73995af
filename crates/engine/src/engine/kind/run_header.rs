//! The engine's part of `run.yaml`: the source of a run and the basis that it is judged by.

use std::collections::BTreeMap;
use std::fmt;

use sprag_core::{
    BadPath, DocPath, Event, Fields, Hash, Plain, Stored as _, Time, UnitId, Unreadable, stored,
};

use crate::engine::kind::{Entry, Info, Kinds};

/// The newest format that this version writes and reads.
const VERSION: u32 = 1;

/// Returns the path of a run's file.
pub fn path(run: &str) -> Result<DocPath, BadPath> {
    DocPath::parse(&format!(".sprag/runs/{run}/run.yaml"))
}

/// The engine's data about a run, next to the kernel's.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    pub source: Source,
    /// The task, as a person wrote it.
    pub task: Option<String>,
    /// The command that the task must satisfy.
    pub until: Option<String>,
    pub definition: Option<DefinitionOrigin>,
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

/// The kind of a run, and the name of what it drives, if its kind has several.
#[derive(Clone, PartialEq, Eq)]
pub struct Source {
    kind: &'static Entry,
    key: String,
}

impl fmt::Debug for Source {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Source {
    /// Names a kind of which there is one at a time.
    pub const fn of(kind: &'static Entry) -> Self {
        Self { kind, key: String::new() }
    }

    /// Names one of several that a kind drives.
    pub fn named(kind: &'static Entry, key: &str) -> Self {
        Self { kind, key: key.to_owned() }
    }

    /// Reads the form that [`Display`](fmt::Display) writes.
    pub(crate) fn read(text: &str, kinds: Kinds) -> Result<Self, Unreadable> {
        let (word, key) = text.split_once(':').unwrap_or((text, ""));
        let is_it =
            |kind: &&&Entry| kind.info.word == word && (kind.info.key.is_some() || key.is_empty());
        let found = kinds.iter().find(is_it).map(|kind| Self::named(kind, key));
        found.ok_or_else(|| {
            let mut forms: Vec<String> = kinds.iter().map(|kind| kind.info.form()).collect();
            let last = forms.pop().unwrap_or_default();
            Unreadable::here(format!("expected {} or {last}", forms.join(", ")))
        })
    }

    /// Returns the properties of the kind.
    pub const fn info(&self) -> &'static Info {
        self.kind.info
    }

    pub(crate) const fn kind(&self) -> &'static Entry {
        self.kind
    }

    /// Returns the name of the workflow, the phase of the plan; empty for other kinds.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Describes what is driven, if it has no task of its own.
    pub fn called(&self) -> String {
        self.kind.info.called.replace("{}", &self.key)
    }
}

/// Returns the source of the runs of assignments, if the table has them.
pub(crate) fn source_of_assignments(kinds: Kinds) -> Option<Source> {
    kinds.iter().find(|kind| kind.info.is_assigned).map(|kind| Source::of(kind))
}

impl fmt::Display for Source {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind.info.key {
            Some(_) => write!(out, "{}:{}", self.kind.info.word, self.key),
            None => out.write_str(self.kind.info.word),
        }
    }
}

/// The origin and the digest of a run's definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinitionOrigin {
    pub path: String,
    /// The digest when the run began, or when a person last accepted a change.
    pub digest: Hash,
}

impl Header {
    /// Creates the header of a run that begins now.
    pub fn new(source: Source, definition: DefinitionOrigin, started: Time) -> Self {
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
            ("source", self.source.to_string().into()),
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

    pub(crate) fn lift(plain: &Plain, kinds: Kinds) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        let version: u32 = fields.get("v")?;
        if version > VERSION {
            let why = format!("version {version}, and this sprag knows {VERSION}");
            return Err(Unreadable::here(why).below("v"));
        }
        let source: String = fields.get("source")?;
        Ok(Self {
            source: Source::read(&source, kinds).map_err(|bad| bad.below("source"))?,
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

stored!(struct DefinitionOrigin { path, digest });
