use serde::Serialize;

macro_rules! phases {
    ($($(#[$doc:meta])* $variant:ident $word:literal;)*) => {
        /// The state of the work on a milestone, in the original's words.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
        pub enum Phase {
            $($(#[$doc])* #[serde(rename = $word)] $variant,)*
        }

        impl Phase {
            /// Returns the original's word.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }
        }
    };
}

phases! {
    /// A milestone has no slices yet, or there is none to work on.
    PrePlanning "pre-planning";
    /// A milestone has a draft that no person has agreed to.
    NeedsDiscussion "needs-discussion";
    /// A slice has no tasks yet.
    Planning "planning";
    /// A task can be executed.
    Executing "executing";
    /// All tasks of a slice are done.
    Summarizing "summarizing";
    /// All slices of a milestone are done.
    Validating "validating-milestone";
    /// A milestone was validated.
    Completing "completing-milestone";
    /// A task found that the plan does not work.
    Replanning "replanning-slice";
    /// Everything is done.
    Complete "complete";
    /// The work waits for a person.
    Blocked "blocked";
}

impl Phase {
    /// Returns whether the milestone is at a stage that needs its context.
    pub const fn is_execution(self) -> bool {
        match self {
            Self::Executing | Self::Summarizing | Self::Validating | Self::Completing => true,
            Self::PrePlanning
            | Self::NeedsDiscussion
            | Self::Planning
            | Self::Replanning
            | Self::Complete
            | Self::Blocked => false,
        }
    }
}

impl std::fmt::Display for Phase {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_str().fmt(out)
    }
}
