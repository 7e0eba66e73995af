//! Documents and the journal itself; the store writes all of these except the first two.

use std::fmt;

use super::payload::{payloads, whole};

payloads! {
    /// An unreadable document was set aside.
    pub struct DocumentSetAside {
        pub doc: String,
        /// Where its text is kept.
        pub kept: String,
    }

    /// A commit was undone because another process wrote one of its documents at the last moment.
    pub struct CommitUndone {
        /// The journal line that was undone.
        pub seq: u64,
        /// The documents that another process wrote.
        pub docs: Vec<String>,
    }

    /// An agent set fields of another system's document that are not its own, and they were
    /// restored.
    pub struct FieldsPutBack {
        pub doc: String,
        /// The fields as they read in the document: `approved: true`.
        pub fields: Vec<String>,
        /// An additional reason why the change does not count, if any.
        pub why: Option<String> = filled,
    }

    /// Another process or a person changed a document.
    pub struct ForeignEdit {
        pub doc: String,
    }

    /// A new journal was started.
    pub struct JournalRestarted {
        /// The file name of the old journal.
        pub aside: String,
    }

    /// The journal was missing and was restored from its copy.
    pub struct JournalRestored {
        /// How many documents were rewritten.
        pub written: u64,
        /// Documents that are missing and could not be rewritten.
        pub lost: Vec<String>,
    }

    /// Documents were updated from the journal after a crash.
    pub struct Redone {
        pub docs: Vec<String>,
    }
}

whole! {
    /// All documents were known to be on disk.
    pub struct Checkpoint {
        /// The documents and their versions; only the store reads this.
        pub inventory
    }
}

impl fmt::Display for FieldsPutBack {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the agent set {} in {}; put back", self.fields.join(", "), self.doc)?;
        match &self.why {
            Some(why) => write!(out, ", because {why}"),
            None => Ok(()),
        }
    }
}
