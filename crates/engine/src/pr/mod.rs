//! The review loop of a pull request on the disk and at its forge.
//!
//! `.thoughts/pr/metadata.yaml` is the state: a run reads it each time, and what a step decides
//! goes back into it in the same commit, value by value. The forge is asked between commits.

mod documents;
mod drive;
mod local;
mod logs;
mod meta;
mod named;
mod post;
mod runs;
mod sync;
mod verbs;
mod wait;

use sprag_core::event::FieldsPutBack;
use sprag_core::pr::{Definition, Known, Metadata, Own, Position, Pr, Settled, Trust, settle};
use sprag_core::{Attempt, BadPath, DocPath, Run, Time};
use sprag_formats::Fault;
use sprag_formats::pr::MetadataFile;
use sprag_store::{Edit, View};

use crate::clock;
use crate::run_file::Unusable;

pub use documents::{METADATA, PROMPTS};
pub use drive::Looked;
pub use local::{Local, local};
pub use meta::{MetaError, MetaOp};
pub use post::{Posted, Posting};
pub use sync::Synced;
pub use verbs::{Beginning, Refreshed};
pub use wait::{Waited, wait};

/// A run of a pull request, with the file it was read from.
#[derive(Clone, Debug, PartialEq)]
pub struct PrRun {
    /// What the documents say.
    pub definition: Definition,
    /// The run.
    pub run: Run<Position>,
    /// The text of the metadata; nothing where there is none.
    text: Option<String>,
    /// What the agent who has the turn left there, and what it is measured by.
    set: Option<Box<(Own, Known)>>,
}

impl PrRun {
    /// Puts a run and its documents together.
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

    /// Notes whether an agent has the turn from now on.
    pub(crate) fn set_turn(&mut self, is_open: bool) {
        let mut position = self.run.position().clone();
        let known = position.after.as_deref().or_else(|| self.definition.metadata.known());
        position.kept = known.filter(|_| is_open).map(Own::of);
        self.run = self.run.clone().at(position);
    }

    /// Returns what the file says once it is written.
    fn written(&self) -> Option<&Known> {
        let counts = self.definition.metadata.known().filter(|_| self.set.is_some());
        settle(&self.run).metadata.or(counts)
    }

    /// Names what the agent set and what is put back.
    pub(crate) fn put_back(&self) -> Option<FieldsPutBack> {
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

    /// Returns where the prompts of its agents stand.
    pub(crate) fn prompts_file(&self) -> Result<DocPath, BadPath> {
        let known = self.definition.metadata.known();
        let review_loop = known.and_then(|known| known.review_loop.as_ref());
        let named = review_loop.and_then(|review_loop| review_loop.prompts_file.as_deref());
        DocPath::parse(named.unwrap_or(PROMPTS))
    }

    /// Returns where it stands, in one line.
    pub(crate) fn at(&self) -> String {
        let decision = sprag_core::pr::decide(&self.definition.metadata, Trust::Computed);
        match self.definition.metadata.known() {
            Some(known) => format!("#{}: {}", known.pull.number, decision.action.reason()),
            None => decision.action.reason(),
        }
    }

    /// Returns the edits that write what was decided, and remove what was taken.
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

/// Returns a moment as these files have it: to the second.
pub(crate) fn stamp(time: Time) -> String {
    let text = time.to_string();
    match text.split_once('.') {
        Some((seconds, _)) => format!("{seconds}Z"),
        None => text,
    }
}
