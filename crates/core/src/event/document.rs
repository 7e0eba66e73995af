//! Documents and the journal itself; the store writes all but the first of these.

use super::payload::{payloads, whole};

payloads! {
    /// A document that cannot be read was set aside.
    pub struct DocumentSetAside {
        /// The document.
        pub doc: String,
        /// Where its text is kept.
        pub kept: String,
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
