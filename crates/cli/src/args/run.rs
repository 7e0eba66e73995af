//! The arguments of `sprag run`.

use clap::Args;

/// Drive agents until the work is done
#[derive(Clone, Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct RunArgs {
    /// A workflow, plan, gsd, pr, inbox; or a task with --until
    #[arg(value_name = "SOURCE|TASK")]
    pub(crate) what: String,
    /// The task for a workflow, or the phase of a plan
    #[arg(value_name = "TASK|PHASE")]
    pub(crate) more: Option<String>,
    /// The command that must pass before the task is done
    #[arg(long, value_name = "CMD")]
    pub(crate) until: Option<String>,
    /// With --until: the number of retries
    #[arg(long, value_name = "N", value_parser = number, default_value = "10")]
    pub(crate) max: u32,
    /// The agent: claude, codex …, or any program
    #[arg(long, value_name = "HOST|CMD")]
    pub(crate) host: Option<String>,
    /// The agent to use while the one before cannot work
    #[arg(long, value_name = "HOST|CMD")]
    pub(crate) or: Vec<String>,
    /// How many agents work at once, in worktrees
    #[arg(long, value_name = "N", value_parser = number)]
    pub(crate) agents: Option<u32>,
    /// The most it may cost: 15usd, 2000000tokens, 3h
    #[arg(long, value_name = "MAX")]
    pub(crate) budget: Vec<String>,
    /// End an agent after this time without output
    #[arg(long, value_name = "TIME")]
    pub(crate) idle: Option<String>,
    /// End an agent after this time
    #[arg(long, value_name = "TIME")]
    pub(crate) wall: Option<String>,
    /// How a plan asks: interactive, yolo, autonomous
    #[arg(long, hide_possible_values = true, value_parser = ["interactive", "yolo", "autonomous"])]
    pub(crate) mode: Option<String>,
    /// Files that judge agents but may change; or tests
    #[arg(long, value_name = "GLOB")]
    pub(crate) may_change: Vec<String>,
    /// Exit with 3 unless everything is proven
    #[arg(long)]
    pub(crate) strict: bool,
    /// Go on without this terminal
    #[arg(long)]
    pub(crate) detach: bool,
    /// Drive the named run; this is how a detached driver is started
    #[arg(long, hide = true)]
    pub(crate) drive: bool,
    /// Run the project's commands without asking
    #[arg(long)]
    pub(crate) yes: bool,
}

impl RunArgs {
    /// Returns the task of a workflow, or the phase of a plan.
    pub(crate) fn task(&self) -> Option<&str> {
        self.more.as_deref().map(str::trim).filter(|task| !task.is_empty())
    }

    /// Returns the agents in the order in which they are used.
    pub(crate) fn hosts(&self) -> Vec<String> {
        self.host.iter().chain(&self.or).cloned().collect()
    }
}

/// The most agents or tries.
const MOST: u32 = 1000;

fn number(text: &str) -> Result<u32, String> {
    let number = text.parse::<u32>().ok().filter(|number| (1..=MOST).contains(number));
    number.ok_or_else(|| format!("write a number from 1 to {MOST}"))
}
