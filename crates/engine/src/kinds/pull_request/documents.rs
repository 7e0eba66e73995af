use sprag_core::DocPath;
use sprag_core::pr::{Definition, Metadata, Prompts};
use sprag_formats::Fault;
use sprag_formats::pr::{MetadataFile, read_prompts};
use sprag_store::{Doc, View};

use crate::integrity::in_force;
use crate::run_file::Unusable;

/// The document with the state of a pull request.
pub const METADATA: &str = ".thoughts/pr/metadata.yaml";
/// The default document with the prompts of a loop.
pub const PROMPTS: &str = ".thoughts/review-loop/prompts.yaml";

/// Reads a document, if it exists.
pub(super) fn read(view: &View<'_>, path: &str) -> Result<Option<String>, Unusable> {
    let path = DocPath::parse(path)?;
    let doc = view.read(&path);
    text_of(path, doc)
}

/// Reads the text in force of a loop's prompts.
fn prompts_in_force(view: &View<'_>, path: &str) -> Result<Option<String>, Unusable> {
    let path = DocPath::parse(path)?;
    let doc = in_force::document(view, &path);
    text_of(path, doc)
}

fn text_of(path: DocPath, doc: Doc) -> Result<Option<String>, Unusable> {
    match doc {
        Doc::Text(text) => Ok(Some(text)),
        Doc::Absent => Ok(None),
        Doc::Unknown(why) => Err(Unusable::Unreadable { path, why }),
    }
}

/// Loads the definition of a loop, and the text of its state.
pub(super) fn definition(view: &View<'_>) -> Result<(Definition, Option<String>), Unusable> {
    let text = read(view, METADATA)?;
    let wrong = |path: &str, fault: Fault| Unusable::Wrong(Box::new(fault.in_file(path)));
    let metadata = match &text {
        Some(text) => {
            MetadataFile::parse(text).map_err(|bad| wrong(METADATA, bad))?.metadata().clone()
        }
        None => Metadata::Missing,
    };
    let review_loop = metadata.known().and_then(|known| known.review_loop.as_ref());
    let named = review_loop.and_then(|review_loop| review_loop.prompts_file.as_deref());
    let path = named.unwrap_or(PROMPTS);
    let prompts = match prompts_in_force(view, path)? {
        Some(text) => read_prompts(&text).map_err(|bad| wrong(path, bad))?,
        None => Prompts::default(),
    };
    let mut definition = Definition { metadata, prompts, logs: Vec::new() };
    super::logs::read(view, &mut definition)?;
    Ok((definition, text))
}
