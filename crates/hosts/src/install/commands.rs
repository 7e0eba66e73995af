//! The slash commands: `/sprag:until`, `/sprag:start`, `/sprag:why`, `/sprag:pause`, `/sprag:ok`.
//!
//! sprag runs them itself, in the host hook for the person's prompt. Some hosts pass the typed
//! line, others the body of the command's file. So each body starts with the typed line, and the
//! first line identifies both.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slash {
    /// Holds this session until a command passes.
    Until,
    /// Starts a workflow in this session.
    Start,
    /// Shows why the session cannot stop.
    Why,
    /// Releases this session.
    Pause,
    /// Accepts changes to the files that judge this session.
    Ok,
}

impl Slash {
    pub const ALL: [Self; 5] = [Self::Until, Self::Start, Self::Why, Self::Pause, Self::Ok];

    /// The name after `/sprag:`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Until => "until",
            Self::Start => "start",
            Self::Why => "why",
            Self::Pause => "pause",
            Self::Ok => "ok",
        }
    }

    /// A description in one line, without a full stop.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Until => "Hold this session to a command: it ends when that passes",
            Self::Start => "Start a workflow in this session",
            Self::Why => "Say why this session cannot stop",
            Self::Pause => "Free this session until it is resumed",
            Self::Ok => "Agree to changes of tests and of what else judges this session",
        }
    }

    /// The arguments, for the host's hint.
    pub const fn arguments(self) -> &'static str {
        match self {
            Self::Until => "CMD | off",
            Self::Start => "NAME task",
            Self::Why => "[TOOL]",
            Self::Pause => "[--for 1h | off]",
            Self::Ok => "[tests | GLOB...]",
        }
    }

    /// The text for the agent after the typed line.
    pub(crate) const fn to_the_agent(self) -> &'static str {
        match self {
            Self::Until | Self::Start | Self::Ok => {
                "sprag has acted on the line above; do not carry it out yourself. If nothing here \
                 says that sprag did, tell the person that it is not set up here (`sprag init`), \
                 and stop. Otherwise continue with the work at hand."
            }
            Self::Why => {
                "sprag has answered the line above. Tell the person what it said, in a few words. \
                 If there is no such message here, tell them that sprag is not set up here (`sprag init`)."
            }
            Self::Pause => {
                "sprag has acted on the line above: this session is free. Say so in one line. If \
                 nothing here says so, tell the person that sprag is not set up here (`sprag \
                 init`)."
            }
        }
    }

    /// The body of the command's file: the typed line, then the text for the agent. `rest` is the
    /// host's placeholder for the arguments.
    pub fn body(self, rest: &str) -> String {
        format!("/sprag:{} {rest}\n\n{}\n", self.name(), self.to_the_agent())
    }
}
