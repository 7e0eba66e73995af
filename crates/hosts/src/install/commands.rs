//! The slash commands: `/sprag:until`, `/sprag:start`, `/sprag:why`, `/sprag:pause`,
//! `/sprag:ok`.
//!
//! sprag acts on them itself, in the host hook that hears the person's prompt. Some hosts give it
//! what was typed, others the body of the command's file; so each body begins with the very line
//! that was typed, and both are known by their first line.

use crate::Host;

/// A slash command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slash {
    /// Holds this session to a command.
    Until,
    /// Starts a workflow in this session.
    Start,
    /// Says why the session cannot stop.
    Why,
    /// Frees this session.
    Pause,
    /// Agrees to changes of what judges this session.
    Ok,
}

impl Slash {
    /// Every slash command.
    pub const ALL: [Self; 5] = [Self::Until, Self::Start, Self::Why, Self::Pause, Self::Ok];

    /// Returns the name behind `/sprag:`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Until => "until",
            Self::Start => "start",
            Self::Why => "why",
            Self::Pause => "pause",
            Self::Ok => "ok",
        }
    }

    /// Returns what it does, in one line without a full stop.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Until => "Hold this session to a command: it ends when that passes",
            Self::Start => "Start a workflow in this session",
            Self::Why => "Say why this session cannot stop",
            Self::Pause => "Free this session until it is resumed",
            Self::Ok => "Agree to changes of tests and of what else judges this session",
        }
    }

    /// Returns what is typed behind it.
    pub const fn arguments(self) -> &'static str {
        match self {
            Self::Until => "CMD | off",
            Self::Start => "NAME task",
            Self::Why => "[TOOL]",
            Self::Pause => "[--for 1h | off]",
            Self::Ok => "[tests | GLOB...]",
        }
    }

    /// Returns what the agent reads behind the line that was typed.
    pub(super) const fn to_the_agent(self) -> &'static str {
        match self {
            Self::Until | Self::Start | Self::Ok => {
                "sprag has acted on the line above; do not carry it out yourself. If nothing here \
                 says that sprag did, tell the person that it is not set up here (`sprag init`), \
                 and stop. Else go on with the work at hand."
            }
            Self::Why => {
                "sprag has answered the line above. Tell the person what it said, in a few words. \
                 If nothing here says so, tell them that sprag is not set up here (`sprag init`)."
            }
            Self::Pause => {
                "sprag has acted on the line above: this session is free. Say so in one line. If \
                 nothing here says so, tell the person that sprag is not set up here (`sprag \
                 init`)."
            }
        }
    }

    /// Returns the body of its file: the line that was typed, then what the agent reads. `rest` is
    /// how the host writes what stands behind the command.
    pub(super) fn body(self, rest: &str) -> String {
        format!("/sprag:{} {rest}\n\n{}\n", self.name(), self.to_the_agent())
    }

    /// Returns the text of its file, where the host has such files.
    pub(super) fn file(self, host: Host) -> Option<String> {
        let about = self.about();
        match host {
            Host::Claude => Some(format!(
                // They are a person's; the agent must not type them for itself.
                "---\ndescription: \"{about}\"\nargument-hint: \"{}\"\n\
                 disable-model-invocation: true\n---\n{}",
                self.arguments(),
                self.body("$ARGUMENTS")
            )),
            Host::Gemini => Some(format!(
                "description = \"{about}\"\nprompt = '''\n{}'''\n",
                self.body("{{args}}")
            )),
            Host::Codex | Host::Copilot | Host::Opencode | Host::Pi => None,
        }
    }
}
