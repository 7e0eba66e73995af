use clap::{Arg, ArgAction, ArgMatches, Command};

use crate::args::{option, text, word};

/// The arguments of `sprag run`.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct Asked {
    /// The source, or the task with `--until`.
    pub(crate) what: String,
    /// The task of a workflow, or the phase of a plan.
    pub(crate) more: Option<String>,
    pub(crate) until: Option<String>,
    pub(crate) max: u32,
    pub(crate) hosts: Vec<String>,
    pub(crate) agents: Option<u32>,
    pub(crate) budget: Vec<String>,
    pub(crate) idle: Option<String>,
    pub(crate) wall: Option<String>,
    /// The gate inputs that agents may change.
    pub(crate) may_change: Vec<String>,
    /// Whether unproven work needs a person.
    pub(crate) strict: bool,
    /// The `--mode` of a plan: whether it asks.
    pub(crate) mode: Option<String>,
    /// Whether the driver runs without this terminal.
    pub(crate) detach: bool,
    /// Whether to drive the named run; this is how a detached driver is started.
    pub(crate) drive: bool,
    pub(crate) yes: bool,
}

impl Asked {
    /// Returns the task of a workflow, or the phase of a plan.
    pub(crate) fn task(&self) -> Option<&str> {
        self.more.as_deref().map(str::trim).filter(|task| !task.is_empty())
    }
}

/// The most agents or tries.
const MOST: u32 = 1000;
/// The default number of retries of a task.
const MAX: &str = "10";

pub(crate) fn command() -> Command {
    let many = |name, value, help| option(name, value, help).action(ArgAction::Append);
    Command::new("run").about("Drive agents until it is done; for a person").args([
        word("what", "SOURCE|TASK", "A workflow, plan, gsd, pr, inbox; or a task with --until")
            .required(true),
        word("more", "TASK|PHASE", "What a workflow is to do, or the phase of a plan"),
        option("until", "CMD", "The task is done when this passes"),
        number("max", "N", "With --until: try so often again").default_value(MAX),
        option("host", "HOST|CMD", "Who works: claude, codex …, or any program"),
        many("or", "HOST|CMD", "Who works while the one before cannot"),
        number("agents", "N", "How many work at once, in worktrees"),
        many("budget", "MAX", "What it may cost: 15usd, 2000000tokens, 3h"),
        option("idle", "TIME", "End an agent that says nothing for so long"),
        option("wall", "TIME", "End an agent that takes so long"),
        option("mode", "MODE", "Of a plan: interactive, yolo, autonomous")
            .value_parser(["interactive", "yolo", "autonomous"])
            .hide_possible_values(true),
        many("may-change", "GLOB", "Let agents change files that judge them, or `tests`"),
        flag("strict", "Exit 3 unless everything is proven"),
        detach(),
        flag("drive", "Drive the run that is named").hide(true),
        flag("yes", "Do not ask before commands of the project run"),
    ])
}

/// Returns the option for a driver without a terminal.
pub(crate) fn detach() -> Arg {
    flag("detach", "Go on without this terminal")
}

fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
}

fn number(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    option(name, value, help).value_parser(|text: &str| {
        let number = text.parse::<u32>().ok().filter(|number| (1..=MOST).contains(number));
        number.ok_or_else(|| format!("write a number from 1 to {MOST}"))
    })
}

pub(crate) fn read(own: &ArgMatches) -> Asked {
    let all = |name: &str| -> Vec<String> {
        own.get_many::<String>(name).unwrap_or_default().cloned().collect()
    };
    Asked {
        what: text(own, "what").unwrap_or_default(),
        more: text(own, "more"),
        until: text(own, "until"),
        max: own.get_one::<u32>("max").copied().unwrap_or_default(),
        hosts: text(own, "host").into_iter().chain(all("or")).collect(),
        agents: own.get_one::<u32>("agents").copied(),
        budget: all("budget"),
        idle: text(own, "idle"),
        wall: text(own, "wall"),
        may_change: all("may-change"),
        strict: own.get_flag("strict"),
        mode: text(own, "mode"),
        detach: own.get_flag("detach"),
        drive: own.get_flag("drive"),
        yes: own.get_flag("yes"),
    }
}
