use std::borrow::Cow;

use sprag_core::Hash;

/// A file of a workflow while it is read.
#[derive(Debug)]
pub(super) struct Page<'t> {
    /// Its path, for messages.
    pub(super) path: String,
    pub(super) text: Cow<'t, str>,
    /// Its actual path, if a link led there.
    pub(super) real: Option<String>,
}

/// The files of a workflow, with their digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkflowSource {
    /// Its `workflow.yaml`.
    pub path: String,
    /// Every file: its own first, then those of its phases. Contains both a link and its target.
    pub files: Vec<String>,
    /// The digest of its own files, without those of other workflows that it refers to.
    pub own: Hash,
}

/// Returns the digest of the names and texts of some files in a tier.
///
/// The names are relative to the tier, so that a copy of the project elsewhere has the same digest.
pub(super) fn digest<'p, 't: 'p>(tier: &str, pages: impl Iterator<Item = &'p Page<'t>>) -> Hash {
    let mut bytes = Vec::new();
    for page in pages {
        let name = page.path.strip_prefix(tier).unwrap_or(&page.path);
        for part in [name, &*page.text] {
            // The length comes first, so that two texts cannot look like one.
            bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
            bytes.extend_from_slice(part.as_bytes());
        }
    }
    Hash::of(bytes)
}
