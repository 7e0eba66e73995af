use std::borrow::Cow;

use sprag_core::Hash;

/// A file of a workflow while it is read.
#[derive(Debug)]
pub(super) struct Page<'t> {
    /// Where it stands, as messages show it.
    pub(super) path: String,
    /// What it says.
    pub(super) text: Cow<'t, str>,
    /// Where it really stands, if a link led there.
    pub(super) real: Option<String>,
}

/// The files that a workflow was read from, and what stands for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its `workflow.yaml`.
    pub path: String,
    /// Every file: its own first, then those of its phases; both a link and what it leads to.
    pub files: Vec<String>,
    /// The digest of its own files, without those of other workflows that it refers to.
    pub own: Hash,
}

/// Returns what stands for files of a tier: the digest of their names and texts.
///
/// The names are those below the tier, so that a copy of the project elsewhere has the same.
pub(super) fn digest<'p, 't: 'p>(tier: &str, pages: impl Iterator<Item = &'p Page<'t>>) -> Hash {
    let mut bytes = Vec::new();
    for page in pages {
        let name = page.path.strip_prefix(tier).unwrap_or(&page.path);
        for part in [name, &*page.text] {
            // The length first, so that no text can pass for two.
            bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
            bytes.extend_from_slice(part.as_bytes());
        }
    }
    Hash::of(bytes)
}
