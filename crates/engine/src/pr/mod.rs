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

use sprag_core::pr::{Definition, Position, Pr, Settled, Trust, settle};
use sprag_core::{DocPath, Run, Time};
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
}

impl PrRun {
    /// Puts a run and its documents together.
    pub(crate) fn open(mut run: Run<Position>, view: &View<'_>) -> Result<Self, Unusable> {
        let (definition, text) = documents::definition(view)?;
        run.learn::<Pr>(&definition);
        Ok(Self { definition, run, text })
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
        let Settled { metadata, taken } = settle(&self.run);
        if let (Some(after), Some(text)) = (metadata, &self.text) {
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
