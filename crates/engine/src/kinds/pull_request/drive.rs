//! Drives a pull request's loop from outside: look, begin, end, each in one commit.
//!
//! A driver may be killed at any point and restarted: an open attempt is handed out again, and a
//! text that was posted is found by its marker before it would be posted again.

use sprag_core::event::{PullChanged, RunStarted};
use sprag_core::pr::{Metadata, Position, Pr};
use sprag_core::{Ask, Plain, Run, RunId, Signal};
use sprag_formats::pr::{Fetched, ForgeMatch, MetadataFile};
use sprag_store::Edit;
use sprag_world::clock;
use sprag_world::forge::{Forge, ForgeError};

use super::verbs::nothing;
use super::{METADATA, PrRun, documents, local, runs, stamp};
use crate::after_step::after_step;
use crate::draft::Draft;
use crate::edits::RunBaseline;
use crate::engine::{Engine, EngineError, PATIENT};
use crate::gate::GateError;
use crate::kinds;
use crate::now::Now;
use crate::open_run::OpenRun;
use crate::run_file::{Header, RunFile, Source, Unusable};

/// The result of a look at the forge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ForgeLook {
    /// The forge answered, and the state is up to date.
    Seen,
    /// The pull request is no longer open.
    Gone,
    /// The forge failed; the state is unchanged.
    Down(ForgeError),
}

impl Engine<'_> {
    /// Returns the run of this folder's pull request, or creates it.
    pub fn review_run(&self, actor: &str) -> Result<RunId, EngineError> {
        let now = Now::new(self);
        self.commit(actor, PATIENT, |view| {
            let (definition, _) = documents::definition(view)?;
            let Some(known) = definition.metadata.known() else { return Err(nothing()) };
            if let Some(run) = runs::to_drive(self.kinds, view, known)? {
                return Ok((Draft::default(), run));
            }
            let mut draft = Draft::default();
            let id = crate::attach::new_run(view)?;
            let position = Position { pull: Some(known.pull.number), ..Position::default() };
            let run = Run::new::<Pr>(id.clone(), &definition, position);
            draft.note(Some(&id), RunStarted::of("pr"));
            let live = Box::new(PrRun::open(run, view)?);
            RunBaseline::note(view, &now, &mut draft)?;
            draft.run(&RunFile::new(
                Header::begun(Source::of(&kinds::pull_request::ENTRY), now.at),
                live,
            ))?;
            Ok((draft, id))
        })
    }

    /// Queries the forge and merges its answer. If the forge is down, the file stays as it is.
    pub fn review_look(
        &self,
        run: &RunId,
        forge: &dyn Forge,
        actor: &str,
    ) -> Result<ForgeLook, EngineError> {
        let here = local(&self.place.root)?;
        match forge.pull(&here.branch) {
            Ok(Some(pull)) => {
                let answer = self.beside(&here, pull);
                self.review_step(run, actor, &Signal::Refresh, Some(&answer))?;
                Ok(ForgeLook::Seen)
            }
            Ok(None) => {
                self.review_gone(&here.branch, actor)?;
                Ok(ForgeLook::Gone)
            }
            Err(ForgeError::Interrupted) => Err(GateError::Interrupted.into()),
            Err(error) => {
                self.review_outage(run, actor)?;
                Ok(ForgeLook::Down(error))
            }
        }
    }

    /// Counts a failure to reach the forge.
    pub fn review_outage(&self, run: &RunId, actor: &str) -> Result<(), EngineError> {
        self.review_step(run, actor, &Signal::Verb { verb: "outage".to_owned() }, None)
    }

    fn review_gone(&self, branch: &str, actor: &str) -> Result<(), EngineError> {
        let fetched = Fetched {
            found: ForgeMatch::None,
            branch: branch.to_owned(),
            worktree: self.place.root.display().to_string(),
            now: stamp(clock::now()),
        };
        self.review_edit(actor, "refresh", &|text| match text {
            Some(text) => {
                let file = MetadataFile::parse(text)?;
                Ok(Some((file.refresh(&fetched)?, None)))
            }
            None => Ok(Some((Vec::new(), Some(fetched.new_file())))),
        })
    }

    pub(super) fn review_step(
        &self,
        run: &RunId,
        actor: &str,
        signal: &Signal,
        pull: Option<&Plain>,
    ) -> Result<(), EngineError> {
        let now = Now::new(self);
        self.transact(actor, &now, |tx| {
            let mut case = OpenRun::open(self.kinds, tx.view, run)?;
            if let Some(pull) = pull {
                tx.answer(Ask::Pull, pull.clone())?;
            }
            let events = case.run.live.step_reading(tx.view, signal, tx.facts()?)?;
            tx.tell(&case.run.id().clone(), events);
            after_step(tx, &mut case.run)?;
            tx.run(&case.run)
        })
    }
}

impl Engine<'_> {
    /// Edits the metadata in one commit. `decide` returns splices into the text, or a new text.
    pub(super) fn review_edit(
        &self,
        actor: &str,
        verb: &str,
        decide: &dyn Fn(Option<&str>) -> Wishes,
    ) -> Result<(), EngineError> {
        self.commit(actor, PATIENT, |view| {
            let text = documents::read(view, METADATA)?;
            let wrong =
                |fault: sprag_formats::Fault| Unusable::Wrong(Box::new(fault.in_file(METADATA)));
            let mut draft = Draft::default();
            let doc = sprag_core::DocPath::parse(METADATA)?;
            match decide(text.as_deref()).map_err(wrong)? {
                Some((_, Some(text))) => draft.edit(Edit::Write { doc, text }),
                Some((splices, None)) if !splices.is_empty() => {
                    draft.edit(Edit::Splice { doc, splices });
                }
                Some(_) | None => return Ok((draft, ())),
            }
            draft.note(None, PullChanged { verb: verb.to_owned() });
            Ok((draft, ()))
        })
    }

    pub fn review_metadata(&self) -> Result<Metadata, EngineError> {
        self.look(|view| Ok(documents::definition(view)?.0.metadata))
    }
}

/// Splices into the existing text, or the text of a new file.
pub(super) type Wanted = (Vec<sprag_core::Splice>, Option<String>);

/// The requested change of the text, if any.
type Wishes = Result<Option<Wanted>, sprag_formats::Fault>;
