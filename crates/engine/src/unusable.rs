use sprag_core::{BadPath, DocPath, RunId};
use sprag_formats::Fault;
use sprag_store::Why;

/// Why a run cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Unusable {
    /// There is none of that name.
    #[error("there is no run `{0}`")]
    Absent(RunId),
    /// Its file cannot be read.
    #[error("{path}: {why}")]
    Unreadable {
        /// Which file.
        path: DocPath,
        /// Why not.
        why: Why,
    },
    /// Its file does not say what it should.
    #[error("{0}")]
    Wrong(Box<Fault>),
    /// Its definition cannot be used.
    #[error("{path}: {why}")]
    Definition {
        /// Where it stands.
        path: String,
        /// What is wrong with it.
        why: String,
    },
    /// A name that we made is not one.
    #[error(transparent)]
    Path(#[from] BadPath),
}
