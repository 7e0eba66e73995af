//! The arguments of `sprag agent`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Give work to agents, and do what agents do with it
#[derive(Clone, Debug, Args)]
pub(crate) struct AgentArgs {
    /// The caller: mayor, or the name of an agent
    #[arg(long = "as", value_name = "WHO", global = true)]
    pub(crate) who: Option<String>,
    /// The attempt that you hold, as `activate` printed it
    #[arg(long, value_name = "N", global = true)]
    pub(crate) fence: Option<u64>,
    #[command(subcommand)]
    pub(crate) asked: AgentCommand,
}

#[derive(Clone, Debug, Subcommand)]
pub(crate) enum AgentCommand {
    /// List the agents and their work
    Ls,
    /// Show one agent with its mail and nudges
    Show {
        /// Without it: the agent of this session
        agent: Option<String>,
    },
    /// Give an agent a unit of work
    Set {
        /// The agent
        agent: String,
        /// The unit of work
        unit: String,
        /// The title of a unit that does not exist yet
        #[arg(long, value_parser = not_blank)]
        title: Option<String>,
        /// A repeated command with the same key does nothing
        #[arg(long)]
        key: Option<String>,
    },
    /// Show the work of an agent; changes nothing
    Poll {
        /// Without it: the agent of this session
        agent: Option<String>,
    },
    #[command(flatten)]
    Own(Own),
    /// Take verified work off an agent
    Clear {
        /// The agent
        agent: String,
    },
    /// Take work back; its unit is open again
    Release {
        /// The agent
        agent: String,
    },
    /// Send a unit to an agent that has time
    Sling {
        /// Without it: finish what an earlier call began
        unit: Option<String>,
    },
    /// Look after assignments that make no progress
    Watch {
        /// Look once and end
        #[arg(long)]
        once: bool,
        /// The time between two looks; without it: one minute
        #[arg(long, value_name = "TIME")]
        every: Option<String>,
    },
    /// Send and read durable messages
    #[command(subcommand)]
    Mail(Mail),
    /// Ask whether an agent is alive, or stop it
    #[command(subcommand)]
    Nudge(Nudge),
    /// Create and list units of work
    #[command(subcommand)]
    Work(WorkCommand),
    /// Import issues of beads as units of work
    Import {
        /// An issues.jsonl
        file: PathBuf,
    },
    /// Print units of work as issues of beads
    Export,
}

/// An agent's command on its own assignment.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Own {
    /// Begin the pending work
    Activate {
        /// Without it: the agent of this session
        agent: Option<String>,
    },
    /// Report that the work goes on
    Touch {
        /// Without it: the agent of this session
        agent: Option<String>,
    },
    /// Report that the work waits, so that it does not count as stalled
    Wait {
        /// Without it: the agent of this session
        agent: Option<String>,
        #[command(flatten)]
        hold: Waits,
    },
    /// Report that the work is done
    Complete {
        /// Without it: the agent of this session
        agent: Option<String>,
    },
    /// Commit, push and hand in the work
    Done {
        /// Without it: the agent of this session
        agent: Option<String>,
    },
    /// Report that the work cannot be done
    Fail {
        /// Without it: the agent of this session
        agent: Option<String>,
        /// The reason
        #[arg(long)]
        why: String,
    },
}

impl Own {
    pub(crate) fn agent(&self) -> Option<&str> {
        match self {
            Self::Activate { agent }
            | Self::Touch { agent }
            | Self::Wait { agent, .. }
            | Self::Complete { agent }
            | Self::Done { agent }
            | Self::Fail { agent, .. } => agent.as_deref(),
        }
    }
}

/// An agent's declaration that it waits.
#[derive(Clone, Debug, Args)]
pub(crate) struct Waits {
    /// The event that the work waits for
    #[arg(long, value_name = "WHAT")]
    pub(crate) on: String,
    /// At most this long: 90s, 10m, 1h; else until a person answers
    #[arg(long = "for", value_name = "TIME")]
    pub(crate) length: Option<String>,
}

#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Mail {
    /// Send a message
    Send {
        /// The recipient: an agent, or a role
        to: String,
        /// The first line
        subject: String,
        /// The text
        body: Option<String>,
        /// The kind of message
        #[arg(long = "type", value_name = "TYPE", default_value = "coordination",
            hide_possible_values = true, value_parser = [
                "work_assignment", "completion_report", "merge_notification",
                "health_escalation", "coordination"])]
        kind: String,
        /// urgent, normal or low
        #[arg(long, default_value = "normal", hide_possible_values = true,
            value_parser = ["urgent", "normal", "low"])]
        priority: String,
        /// A repeated command with the same key does nothing
        #[arg(long)]
        key: Option<String>,
    },
    /// List unread messages
    Ls {
        /// The owner of the mailbox
        agent: Option<String>,
        /// Include messages that were read
        #[arg(long)]
        all: bool,
    },
    /// Show a message and mark it as read
    Read {
        /// The owner of the mailbox
        agent: String,
        /// The name of the message, or the beginning of it
        name: String,
    },
    /// Acknowledge a message
    Ack {
        /// The owner of the mailbox
        agent: String,
        /// The name of the message, or the beginning of it
        name: String,
    },
}

#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Nudge {
    /// Nudge an agent
    Send {
        /// The agent
        to: String,
        /// The text
        message: String,
        /// What it is about
        #[arg(long = "type", value_name = "TYPE", default_value = "health_check",
            hide_possible_values = true, value_parser = [
                "health_check", "stall_warning", "priority_change", "abort", "sync_request"])]
        kind: String,
        /// Expect no answer
        #[arg(long)]
        quiet: bool,
    },
    /// List nudges that wait for an answer
    Ls {
        /// Without it: the agent of this session
        agent: Option<String>,
    },
    /// Answer a nudge
    Reply {
        /// The agent that answers
        agent: String,
        /// The id of the nudge
        id: String,
        /// The answer
        #[arg(default_value = "STATUS_OK")]
        message: String,
    },
}

#[derive(Clone, Debug, Subcommand)]
pub(crate) enum WorkCommand {
    /// Create a unit of work
    Add {
        /// The title, in one line
        #[arg(value_parser = not_blank)]
        title: String,
        /// Its id; without it: a new one
        #[arg(long, value_name = "UNIT")]
        id: Option<String>,
        /// The description
        #[arg(long, value_name = "TEXT")]
        about: Option<String>,
        /// P1, P2 or P3
        #[arg(long, value_name = "P", default_value = "P2", hide_possible_values = true,
            value_parser = ["P1", "P2", "P3"])]
        priority: String,
        /// A unit that must be done first; may be repeated
        #[arg(long, value_name = "UNIT")]
        needs: Vec<String>,
    },
    /// List the units of work
    Ls,
    /// Show one unit
    Show {
        /// The unit
        unit: String,
    },
}

fn not_blank(text: &str) -> Result<String, &'static str> {
    if text.trim().is_empty() { Err("it is empty") } else { Ok(text.to_owned()) }
}
