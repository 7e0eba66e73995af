//! The project and the sessions in it.

use super::payload::{bare, payloads};

payloads! {
    /// A person set up sprag in the project or repaired the setup.
    pub struct ProjectSetUp {
        /// The gates of its guard.
        pub gates: Vec<String>,
    }

    /// A person approved changes of inputs that agents are judged by.
    pub struct DoubtsAgreed {
        /// The changed inputs, formatted for people.
        pub inputs: Vec<String>,
    }

    /// A session was seen for the first time.
    pub struct SessionBegan {
        pub session: String,
    }

    /// A person paused or resumed a session.
    pub struct SessionPaused {
        pub session: String,
        /// Why it is paused; `None` if it was resumed.
        pub why: Option<String>,
    }

    pub struct SessionEnded {
        pub session: String,
    }

    pub struct StopRefused {
        pub session: String,
        /// The first line of the refusal.
        pub why: Option<String> = filled,
    }

    pub struct StopAllowed {
        pub session: String,
        /// The reason, if one was given.
        pub why: Option<String> = filled,
    }

    /// A person was notified.
    pub struct PersonTold {
        /// The reason in one word.
        pub what: String,
        pub text: String,
    }
}

bare! {
    /// A person removed sprag from the project.
    pub struct ProjectUndone = {};
    /// A person adopted a folder that came from elsewhere.
    pub struct ProjectAdopted = {};
}
