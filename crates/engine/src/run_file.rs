//! `run.yaml`: the stored form of a run, read and written.
//!
//! The kernel's and the engine's parts of a run share one file. Changes are written as edits by
//! path, so a person's comments and the keys of a later version survive.

use std::borrow::Cow;
use std::sync::Arc;

use sprag_core::workflow::{Definitions, Tools};
use sprag_core::{BadName, DocPath, Facts, Hold, Next, Plain, RunId, SessionId, Time, Unreadable};
use sprag_formats::{Fault, GuardConfig, StoredFile, new_file};
use sprag_store::{Doc, Edit, Listing, View};

use crate::engine::EngineError;
pub use crate::engine::kind::run_header::{DefinitionOrigin, Header, Source, path};
use crate::engine::kind::{AnyRun, Checking, KernelPart, Kind, Kinds, ReadForm, Reading};
use crate::now::Now;
use crate::receipt::{INIT, Record};
pub use crate::unusable::Unusable;

/// The prefix of a driver's session name; the run's id follows.
const DRIVER: &str = "run-";

/// Returns the session name under which the driver of a run owns it.
pub(crate) fn driver_of(run: &RunId) -> Result<SessionId, BadName> {
    SessionId::parse(&format!("{DRIVER}{run}"))
}

/// A run that was read, or is new.
#[derive(Clone, Debug)]
pub struct RunFile {
    /// The engine's part.
    pub header: Header,
    /// The kernel's part.
    pub live: AnyRun,
    /// The file's text and the values read from it; `None` for a new run.
    read: Option<(String, Before)>,
}

/// The values that were read from a file.
#[derive(Clone, Debug)]
enum Before {
    Form(Plain),
    /// The values themselves: a tool call only compares them and never needs their plain form.
    Values(Box<(Header, Arc<dyn KernelPart>)>),
}

impl Before {
    /// Most runs are compared by the plain form, so it is built once, with the header in it.
    fn of(header: &Header, live: &dyn Kind) -> Self {
        match live.as_read() {
            ReadForm::Plain(kernel) => Self::Form(form(header, kernel)),
            ReadForm::Values(kernel) => Self::Values(Box::new((header.clone(), kernel))),
        }
    }

    /// Returns true if nothing changed and this is known without the plain form.
    fn is(&self, header: &Header, live: &dyn Kind) -> bool {
        match self {
            Self::Values(read) => read.0 == *header && live.is_copy(&*read.1),
            Self::Form(_) => false,
        }
    }

    fn form(&self) -> Cow<'_, Plain> {
        match self {
            Self::Form(form) => Cow::Borrowed(form),
            Self::Values(read) => Cow::Owned(form(&read.0, read.1.plain())),
        }
    }
}

impl RunFile {
    /// Creates a run in memory; the first commit writes it.
    pub const fn new(header: Header, live: AnyRun) -> Self {
        Self { header, live, read: None }
    }

    /// Loads a run. `guard` is the configuration that a session's guard is judged by. A workflow
    /// has its own copy beside the run.
    pub fn open(
        kinds: Kinds,
        view: &View<'_>,
        id: &RunId,
        guard: Option<&GuardConfig>,
    ) -> Result<Self, Unusable> {
        let path = path(id.as_str())?;
        let text = match view.read(&path) {
            Doc::Text(text) => text,
            Doc::Absent => return Err(Unusable::Absent(id.clone())),
            Doc::Unknown(why) => return Err(Unusable::Unreadable { path, why }),
        };
        let wrong = |fault: Fault| Unusable::Wrong(Box::new(fault.in_file(path.as_str())));
        let file = StoredFile::parse(&text).map_err(wrong)?;
        let bad = |bad: Unreadable| wrong(file.fault(&bad));
        let header = Header::lift(file.plain(), kinds).map_err(bad)?;
        let reading = Reading { view, id, header: &header, file: &file, guard };
        let live = (header.source.kind().open)(&reading)?;
        let before = Before::of(&header, &*live);
        Ok(Self { header, live, read: Some((text, before)) })
    }

    /// Checks that a run can be read, as far as needed to list it.
    pub(crate) fn check(kinds: Kinds, view: &View<'_>, id: &RunId) -> Result<(), Unusable> {
        let path = path(id.as_str())?;
        let text = match view.read(&path) {
            Doc::Text(text) => text,
            Doc::Absent => return Ok(()),
            Doc::Unknown(why) => return Err(Unusable::Unreadable { path, why }),
        };
        let wrong = |fault: Fault| Unusable::Wrong(Box::new(fault.in_file(path.as_str())));
        let file = StoredFile::parse(&text).map_err(wrong)?;
        let header = Header::lift(file.plain(), kinds).map_err(|bad| wrong(file.fault(&bad)))?;
        if header.source.info().has_copy && header.ended.is_none() {
            return Self::open(kinds, view, id, None).map(drop);
        }
        check(kinds, file.plain(), &|| None).map_err(|bad| wrong(file.fault(&bad)))
    }

    pub fn id(&self) -> &RunId {
        self.live.id()
    }

    /// Returns whether its owner is a driver and not a session.
    pub(crate) fn has_driver(&self) -> bool {
        let owner = self.live.owner().map(SessionId::as_str);
        owner.and_then(|owner| owner.strip_prefix(DRIVER)) == Some(self.id().as_str())
    }

    /// Returns whether the position changed since the run was read; true for a new run. The review
    /// of a phase counts as part of that phase.
    pub fn has_moved(&self) -> bool {
        let Some((_, before)) = &self.read else { return true };
        let form = before.form();
        let Plain::Map(before) = &*form else { return true };
        let before = before.iter().find(|(key, _)| key == "position").map(|(_, value)| value);
        let part = |position: Plain| self.live.without_review(position);
        before.map(|before| part(before.clone())) != Some(part(self.live.position()))
    }

    /// Returns whether the current phase has to be reviewed before the run may leave it.
    pub fn is_reviewed(&self) -> bool {
        self.live.phase().is_some_and(|phase| phase.review.is_some())
    }

    /// Returns the hold for a session that cannot continue before its work is reviewed.
    pub fn awaits_review(&self, facts: &Facts) -> Option<Hold> {
        let reviewer = self.live.awaited_reviewer(facts)?;
        let (phase, id, reviewer) = (self.phase_name(), self.id(), reviewer.escape_debug());
        let what = format!("{phase} waits for its review by `{reviewer}`: `sprag run {id}`");
        Some(Hold::Asked { what })
    }

    /// Returns the id of the current phase.
    pub fn phase(&self) -> Option<String> {
        self.live.phase().map(|phase| phase.id.clone())
    }

    /// Returns the tools that the current phase denies, as far as it names them.
    pub fn denied_tools(&self) -> Vec<String> {
        match self.live.phase().and_then(|phase| phase.tools.as_ref()) {
            Some(Tools::Without(tools)) => tools.clone(),
            // The tools outside of an allowlist cannot be named.
            Some(Tools::Only(_)) | None => Vec::new(),
        }
    }

    /// Returns whether a receipt is a person's verdict on the current phase.
    pub(crate) fn is_word_here(&self, record: &Record) -> bool {
        let since = self.header.entered.is_none_or(|entered| record.started >= entered);
        record.is_word() && since && record.phase == self.phase()
    }

    /// Returns whether a hold says that a gate had no result or a pass is in doubt.
    pub(crate) fn is_unproven(&self) -> bool {
        let holds = self.live.attempts().iter().filter_map(sprag_core::Attempt::hold);
        holds.into_iter().any(|hold| matches!(hold, Hold::Unproven { .. } | Hold::Doubtful { .. }))
    }

    /// Returns the requested task: a person's text, or the title of the document that requests it.
    pub(crate) fn asked(&self) -> Option<String> {
        self.header.task.clone().or_else(|| self.live.title())
    }

    /// Returns the progress in one line.
    pub fn at(&self) -> String {
        self.live.line()
    }

    /// Returns the display name of the current phase.
    pub fn phase_name(&self) -> String {
        self.live.view().map_or_else(|| self.id().to_string(), |view| view.phase)
    }

    /// Returns whether the run is over. It is not if an input changed and no person has accepted
    /// that.
    pub fn is_over(&self, now: Time) -> bool {
        let is_changed = self.live.standing_hold(now).is_some_and(|hold| hold.is_change());
        self.header.ended.is_some() && !is_changed
    }

    /// Returns the lines to show at its end, if it just ended and the end is not yet recorded.
    pub fn ending(&self, facts: &Facts) -> Option<Vec<String>> {
        let cancelled = match self.live.next(facts) {
            Next::Done => false,
            Next::Cancelled => true,
            Next::Units(_) | Next::Wait { .. } | Next::Held(_) | Next::Ask(_) => return None,
        };
        if self.header.ended.is_some() {
            return None;
        }
        Some(self.live.notice(cancelled).into_iter().collect())
    }

    /// Records the digest of the current document if the run has no copy of it, after a person
    /// accepted the change.
    pub(crate) fn take_text(&mut self) {
        let Some(digest) = self.live.digest() else { return };
        if let Some(recorded) = &mut self.header.definition {
            recorded.digest = digest;
        }
    }

    /// Records the current definition after a person accepted the change.
    pub(crate) fn record_again(
        &mut self,
        view: &View<'_>,
        now: &Now<'_>,
    ) -> Result<Vec<Edit>, EngineError> {
        self.take_text();
        self.live.copy_again(view, now, &mut self.header)
    }

    /// Returns the edit that brings the file up to date, or `None` if nothing changed.
    pub fn edit(&self) -> Result<Option<Edit>, Unusable> {
        if self.read.as_ref().is_some_and(|(_, before)| before.is(&self.header, &*self.live)) {
            return Ok(None);
        }
        let doc = path(self.id().as_str())?;
        let after = form(&self.header, self.live.stored());
        let Some((text, before)) = &self.read else {
            return Ok(Some(Edit::Write { doc, text: new_file(&after) }));
        };
        let before = before.form();
        if *before == after {
            return Ok(None);
        }
        let wrong = |fault: Fault| Unusable::Wrong(Box::new(fault.in_file(doc.as_str())));
        let splices =
            StoredFile::parse(text).and_then(|file| file.edit(&before, &after)).map_err(wrong)?;
        Ok((!splices.is_empty()).then_some(Edit::Splice { doc, splices }))
    }
}

/// Checks the contents of a run's file. The position is checked only in a `recorded` workflow, if
/// there is one.
pub(crate) fn check(
    kinds: Kinds,
    plain: &Plain,
    recorded: &dyn Fn() -> Option<Definitions>,
) -> Result<(), Unreadable> {
    let header = Header::lift(plain, kinds)?;
    (header.source.kind().check)(&Checking { header: &header, plain, recorded })
}

/// Builds the file's contents from the engine's and the kernel's values.
fn form(header: &Header, kernel: Plain) -> Plain {
    let mut entries = header.entries();
    if let Plain::Map(kernel) = kernel {
        // The run's own id comes right after the version.
        for (at, entry) in kernel.into_iter().enumerate() {
            if at == 0 { entries.insert(1, entry) } else { entries.push(entry) }
        }
    }
    Plain::Map(entries)
}

pub(crate) fn runs(view: &View<'_>) -> Result<Vec<RunId>, EngineError> {
    let folder = DocPath::parse(".sprag/runs")?;
    match view.list(&folder) {
        Listing::Absent => Ok(Vec::new()),
        // Status shows entries that are not names of runs.
        Listing::Names(names) => {
            let runs = names.iter().filter(|name| *name != INIT);
            Ok(runs.filter_map(|name| RunId::parse(name).ok()).collect())
        }
        Listing::Unknown(why) => {
            Err(EngineError::Unreadable { path: folder.to_string(), why: why.to_string() })
        }
    }
}

/// Returns whether a driver runs this run and judges its agents.
pub(crate) fn is_driven(kinds: Kinds, view: &View<'_>, run: &RunId) -> bool {
    RunFile::open(kinds, view, run, None).is_ok_and(|file| file.has_driver())
}
