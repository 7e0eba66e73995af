//! The review loop of a pull request, on disk and at its forge.
//!
//! `.thoughts/pr/metadata.yaml` is the state: a run reads it each time, and every step writes its
//! changes there in the same commit, value by value. The forge is queried between commits.

mod documents;
mod drive;
mod kind;
mod local;
mod logs;
mod meta;
mod named;
mod post;
mod runs;
mod sync;
mod verbs;
mod wait;

pub use kind::{ENTRY, INFO};
use sprag_core::event::FieldsPutBack;
use sprag_core::pr::{Definition, Metadata, Own, Position, Pr, PullRecord, Settled, Trust, settle};
use sprag_core::{Attempt, BadPath, DocPath, Run, Time};
use sprag_formats::Fault;
use sprag_formats::pr::MetadataFile;
use sprag_store::{Edit, View};
use sprag_world::clock;

use crate::run_file::Unusable;

pub use documents::{METADATA, PROMPTS};
pub use drive::ForgeLook;
pub use local::local;
pub use meta::{MetaError, MetaOp};
pub use post::{Posted, Posting};
pub use sync::Synced;
pub use verbs::{Beginning, Refreshed};
pub use wait::{Waited, wait};

/// A run of a pull request, with the file it was read from.
#[derive(Clone, Debug, PartialEq)]
pub struct PrRun {
    /// The values of the documents.
    pub definition: Definition,
    pub run: Run<Position>,
    /// The text of the metadata, if it exists.
    text: Option<String>,
    /// The values that the agent with the turn left there, and their baseline.
    set: Option<Box<(Own, PullRecord)>>,
}

impl PrRun {
    /// Combines a run with its documents.
    pub(crate) fn open(mut run: Run<Position>, view: &View<'_>) -> Result<Self, Unusable> {
        let (mut definition, text) = documents::definition(view)?;
        let works = |attempt: &Attempt| attempt.hold().is_none();
        let kept = run.position().kept.clone();
        let kept = kept.filter(|_| run.attempts().iter().any(works));
        let mut set = None;
        if let (Some(kept), Metadata::Known(known)) = (kept, &mut definition.metadata) {
            let counts = kept.weigh(known);
            set = Some(Box::new((kept, std::mem::replace(&mut **known, counts))));
        }
        run.learn::<Pr>(&definition);
        Ok(Self { definition, run, text, set })
    }

    /// Records whether an agent has the turn from now on.
    pub(crate) fn keep_own(&mut self, is_open: bool) {
        let mut position = self.run.position().clone();
        let known = position.after.as_deref().or_else(|| self.definition.metadata.known());
        position.kept = known.filter(|_| is_open).map(Own::of);
        self.run = self.run.clone().at(position);
    }

    /// Returns the values that will be written to the file.
    fn written(&self) -> Option<&PullRecord> {
        let counts = self.definition.metadata.known().filter(|_| self.set.is_some());
        settle(&self.run).metadata.or(counts)
    }

    /// Lists the fields that the agent set and that are restored.
    pub(crate) fn fields_put_back(&self) -> Option<FieldsPutBack> {
        let (before, set) = &**self.set.as_ref()?;
        let written = self.written()?;
        let fields = before.put_back(set, written);
        let open = self.run.position().ledger.blocking(written.level).count();
        let why = match open {
            _ if !set.approved => None,
            0 => Some("the review and the checks decide that".to_owned()),
            1 => Some("1 finding is open".to_owned()),
            more => Some(format!("{more} findings are open")),
        };
        (!fields.is_empty()).then(|| FieldsPutBack { doc: METADATA.to_owned(), fields, why })
    }

    /// Returns the document with the prompts of its agents.
    pub(crate) fn prompts_file(&self) -> Result<DocPath, BadPath> {
        let known = self.definition.metadata.known();
        let review_loop = known.and_then(|known| known.review_loop.as_ref());
        let named = review_loop.and_then(|review_loop| review_loop.prompts_file.as_deref());
        DocPath::parse(named.unwrap_or(PROMPTS))
    }

    /// Describes the state in one line.
    pub(crate) fn at(&self) -> String {
        let decision = sprag_core::pr::decide(&self.definition.metadata, Trust::Computed);
        match self.definition.metadata.known() {
            Some(known) => format!("#{}: {}", known.pull.number, decision.action.reason()),
            None => decision.action.reason(),
        }
    }

    /// Returns the edits that write the decisions and remove consumed files.
    pub(crate) fn edits(&self) -> Result<Vec<Edit>, Unusable> {
        let mut edits = Vec::new();
        let Settled { taken, .. } = settle(&self.run);
        if let (Some(after), Some(text)) = (self.written(), &self.text) {
            let doc = DocPath::parse(METADATA)?;
            let wrong = |fault: Fault| Unusable::Wrong(Box::new(fault.in_file(METADATA)));
            let file = MetadataFile::parse(text).map_err(wrong)?;
            let splices = file.edit(after, &stamp(clock::now())).map_err(wrong)?;
            if !splices.is_empty() {
                edits.push(Edit::Splice { doc, splices });
            }
        }
        for path in taken {
            edits.push(Edit::Remove { doc: DocPath::parse(path)? });
        }
        Ok(edits)
    }
}

/// Formats a time as these files do: to the second.
pub(crate) fn stamp(time: Time) -> String {
    let text = time.to_string();
    match text.split_once('.') {
        Some((seconds, _)) => format!("{seconds}Z"),
        None => text,
    }
}
