//! The project and the sessions in it.

use super::payload::{bare, payloads};

payloads! {
    /// A person let sprag into the project, or mended how it is in it.
    pub struct ProjectSetUp {
        /// The gates of its guard.
        pub gates: Vec<String>,
    }

    /// A person agreed to changes of what agents are judged by.
    pub struct DoubtsAgreed {
        /// What was changed, as people read it.
        pub inputs: Vec<String>,
    }

    /// A session was seen for the first time.
    pub struct SessionBegan {
        /// The session.
        pub session: String,
    }

    /// A session was paused by a person, or set going again.
    pub struct SessionPaused {
        /// The session.
        pub session: String,
        /// Why it is paused; nothing where it goes on.
        pub why: Option<String>,
    }

    /// A session ended.
    pub struct SessionEnded {
        /// The session.
        pub session: String,
    }

    /// A stop was refused.
    pub struct StopRefused {
        /// Whose stop it was.
        pub session: String,
        /// The first line of the refusal.
        pub why: Option<String> = filled,
    }

    /// A session was allowed to stop.
    pub struct StopAllowed {
        /// Whose stop it was.
        pub session: String,
        /// The reason, if one was given.
        pub why: Option<String> = filled,
    }

    /// A person was told.
    pub struct PersonTold {
        /// What of, in a word.
        pub what: String,
        /// The text.
        pub text: String,
    }
}

bare! {
    /// A person took sprag out of the project.
    pub struct ProjectUndone = {};
    /// A person took a folder that came from elsewhere for their own.
    pub struct ProjectAdopted = {};
}
