use sprag_core::{BadPath, DocPath, RunId};
use sprag_formats::Fault;
use sprag_store::UnreadableCause;

#[derive(Debug, thiserror::Error)]
pub enum Unusable {
    /// There is no run with this id.
    #[error("there is no run `{0}`")]
    Absent(RunId),
    #[error("{path}: {why}")]
    Unreadable { path: DocPath, why: UnreadableCause },
    /// The file's content is invalid.
    #[error("{0}")]
    Wrong(Box<Fault>),
    #[error("{path}: {why}")]
    Definition { path: String, why: String },
    /// A path that we built is invalid.
    #[error(transparent)]
    Path(#[from] BadPath),
}
