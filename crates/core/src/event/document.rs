//! Documents and the journal itself; the store writes all but the first two of these.

use std::fmt;

use super::payload::{payloads, whole};

payloads! {
    /// A document that cannot be read was set aside.
    pub struct DocumentSetAside {
        /// The document.
        pub doc: String,
        /// Where its text is kept.
        pub kept: String,
    }

    /// A commit was taken back, because somebody else wrote one of its documents in the last moment.
    pub struct CommitUndone {
        /// The line that was taken back.
        pub seq: u64,
        /// The documents that somebody else wrote.
        pub docs: Vec<String>,
    }

    /// An agent set fields of another system's document that are not its own, and they were put
    /// back.
    pub struct FieldsPutBack {
        /// The document.
        pub doc: String,
        /// What the agent set, each as it reads in the document: `approved: true`.
        pub fields: Vec<String>,
        /// Why it does not count, where more is to be said than that it is not the agent's.
        pub why: Option<String> = filled,
    }

    /// Another process or a person changed a document.
    pub struct ForeignEdit {
        /// The document.
        pub doc: String,
    }

    /// The journal was begun anew.
    pub struct JournalRestarted {
        /// The name of the old one.
        pub aside: String,
    }

    /// The journal was gone, and was restored from its copy.
    pub struct JournalRestored {
        /// How many documents were written anew.
        pub written: u64,
        /// Documents that are gone and could not be.
        pub lost: Vec<String>,
    }

    /// Documents were brought forward after a crash.
    pub struct Redone {
        /// Which ones.
        pub docs: Vec<String>,
    }
}

whole! {
    /// The documents were known to be on the disk.
    pub struct Checkpoint {
        /// Which there are, in which versions: the store alone reads it.
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
