//! The command line. This is the first of two stages: clap parses words into a [`Cli`], and
//! `call.rs` interprets that in the current folder and environment.

pub(crate) mod agent;
mod groups;
pub(crate) mod pr;
pub(crate) mod run;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Command, CommandFactory as _, Parser, Subcommand};
use clap_complete::Shell;
use sprag_formats::Schema;
use sprag_hosts::{HOSTS, Host};

use crate::bridges;

/// Holds coding agents to the job until it is provably done
#[derive(Clone, Debug, Parser)]
#[command(name = "sprag", version)]
pub(crate) struct Cli {
    /// Print one JSON object (log: one a line)
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print ASCII without colour
    #[arg(long, global = true)]
    pub(crate) plain: bool,
    /// Act as if started in DIR
    #[arg(short = 'C', value_name = "DIR", global = true)]
    pub(crate) folder: Option<PathBuf>,
    #[command(subcommand)]
    verb: Option<Verb>,
}

/// The command with its own arguments.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Verb {
    /// Show the state of this project and what to do next
    Status,
    Init(Init),
    /// Start a workflow in this session
    Start {
        /// The command or key of a workflow; or gsd, the milestone tree
        name: String,
        /// The task; a milestone tree has its own
        task: Option<String>,
    },
    Run(run::RunArgs),
    /// Show what would be worked on now, and why
    Next {
        #[command(subcommand)]
        source: Option<Coming>,
    },
    /// Explain why a session cannot stop, or why a tool is denied
    Why {
        /// A run, the name of a tool, or a code such as K0007
        #[arg(value_name = "RUN|TOOL|CODE")]
        what: Option<String>,
    },
    Log(LogArgs),
    Report(ReportArgs),
    /// Approve what waits for you
    Approve {
        /// A number or run from `sprag status`; with --waive, a gate
        #[arg(value_name = "N|RUN|GATE")]
        what: Option<String>,
        /// The answer to an agent's question; with --waive, the gate
        #[arg(value_name = "TEXT|GATE")]
        gate: Option<String>,
        /// Let a gate through without proof, and record the reason
        #[arg(long, value_name = "WHY")]
        waive: Option<String>,
        /// Approve what is shown without a question
        #[arg(long)]
        yes: bool,
    },
    /// Show what changed in a file that gates depend on
    Diff {
        /// The file, as a refusal or report names it
        path: String,
    },
    /// Hold a run, or release a session from its work
    Pause {
        /// Without it: the only session there is
        #[arg(value_name = "RUN|SESSION")]
        what: Option<String>,
        /// Only for this time: 90s, 10m, 1h
        #[arg(long = "for", value_name = "TIME")]
        length: Option<String>,
        /// The reason that others read
        #[arg(long)]
        why: Option<String>,
    },
    /// Resume a held run
    Resume {
        /// Without it: the only one that waits
        #[arg(value_name = "N|RUN|SESSION")]
        what: Option<String>,
        /// The new budget of a driven run: 15usd, 3h
        #[arg(long, value_name = "MAX")]
        budget: Vec<String>,
        /// Go on without this terminal
        #[arg(long)]
        detach: bool,
    },
    /// End a run for good
    Cancel {
        /// Without it: the only run there is
        #[arg(value_name = "N|RUN")]
        what: Option<String>,
    },
    Agent(agent::AgentArgs),
    Pr(pr::PrArgs),
    /// Check workflows, plans and configuration
    Check {
        /// Files or folders to check instead of the whole project
        #[arg(value_name = "PATH")]
        paths: Vec<PathBuf>,
        /// Print the schema of config, workflow or phase
        #[arg(long, value_name = "NAME", conflicts_with = "paths", hide_possible_values = true,
            value_parser = PossibleValuesParser::new(Schema::ALL.map(Schema::name)))]
        #[expect(clippy::option_option, reason = "the flag may stand without its value")]
        schema: Option<Option<String>>,
    },
    /// Agree to what a clone or copy brings (asks first)
    Adopt {
        /// Put aside the runs, sessions and agents that came with it
        #[arg(long)]
        fresh: bool,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Check what sprag depends on, and find files that cannot be read
    Doctor {
        /// Repair what can be repaired (asks first)
        #[arg(long)]
        fix: bool,
        /// With --fix: do not ask
        #[arg(long, requires = "fix")]
        yes: bool,
    },
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Play a short story in a scratch folder
    Demo,
    /// Print the manual page
    Man,
    /// Move the workflow of this session, or show its position
    #[command(subcommand)]
    Step(StepCommand),
    /// Evaluate the gates of a run and write their receipts
    #[command(hide = true)]
    Gate {
        /// The run
        run: String,
    },
    /// Serve a host's bridge, line by line
    #[command(hide = true)]
    Rpc {
        /// Print the bridge of opencode or pi instead
        #[arg(long, value_name = "HOST", hide_possible_values = true,
            value_parser = PossibleValuesParser::new(bridges::names()))]
        bridge: Option<String>,
    },
    /// Serve agents as an MCP server
    #[command(hide = true)]
    Mcp,
    /// Answer a host hook
    #[command(hide = true)]
    Hook {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
}

impl Verb {
    /// Returns whether the command may have written to the state of a project that still exists.
    pub(crate) const fn writes(&self) -> bool {
        match self {
            Self::Start { .. }
            | Self::Step(_)
            | Self::Gate { .. }
            | Self::Pr(_)
            | Self::Run(_)
            | Self::Approve { .. }
            | Self::Pause { .. }
            | Self::Resume { .. }
            | Self::Cancel { .. }
            | Self::Agent(_)
            | Self::Adopt { .. }
            | Self::Doctor { fix: true, .. } => true,
            Self::Init(init) => !init.undo,
            Self::Diff { .. }
            | Self::Status
            | Self::Log(_)
            | Self::Report(_)
            | Self::Check { .. }
            | Self::Doctor { fix: false, .. }
            | Self::Completions { .. }
            | Self::Man
            | Self::Demo
            | Self::Hook { .. }
            | Self::Rpc { .. }
            | Self::Mcp
            | Self::Next { .. }
            | Self::Why { .. } => false,
        }
    }
}

/// Set up sprag in this project (asks first)
#[derive(Clone, Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct Init {
    /// Do not ask
    #[arg(long)]
    yes: bool,
    /// Remove exactly what was added
    #[arg(long, conflicts_with_all = ["gates", "hosts"])]
    pub(crate) undo: bool,
    /// Write to the settings that the whole team shares
    #[arg(long)]
    pub(crate) shared: bool,
    /// In pi, replace pi-workflows
    #[arg(long, conflicts_with = "undo")]
    pub(crate) switch: bool,
    /// Only show what would change
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,
    /// What must pass; without it: the project's own check
    #[arg(long = "gate", value_name = "CMD")]
    pub(crate) gates: Vec<String>,
    /// claude, codex …; without it: all that are installed
    #[arg(long = "host", value_name = "NAME", hide_possible_values = true,
        value_parser = PossibleValuesParser::new(HOSTS.map(Host::name)))]
    pub(crate) hosts: Vec<String>,
}

impl Init {
    pub(crate) const fn consent(&self) -> Consent {
        match (self.yes, self.dry_run) {
            (_, true) => Consent::NotWanted,
            (true, false) => Consent::Given,
            (false, false) => Consent::Asked,
        }
    }
}

/// Whether the user agrees to the plan that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Consent {
    /// Ask the user.
    Asked,
    /// `--yes`: the user has agreed.
    Given,
    /// `--dry-run`: change nothing.
    NotWanted,
}

/// The commands with which agents move their workflow. They are visible because people read what
/// agents type.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum StepCommand {
    /// Go to the next phase, if its gates pass
    Next {
        /// Without it: the run of this session
        run: Option<String>,
        /// What was done in this phase
        #[arg(long, value_name = "TEXT")]
        summary: Option<String>,
    },
    /// Go back to the first phase
    Loop {
        /// Without it: the run of this session
        run: Option<String>,
    },
    /// Show the position and what to do
    Status {
        /// Without it: the run of this session
        run: Option<String>,
    },
    /// End the run for good (only for a person)
    Cancel {
        /// Without it: the run of this session
        run: Option<String>,
    },
}

/// The source that `sprag next` asks for the next work; without one, every source in this project.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Coming {
    /// In a plan of opti-gsd
    Plan {
        /// Without it: the current phase
        phase: Option<String>,
    },
    /// In a milestone tree of GSD
    Gsd,
    /// In the review loop of a pull request
    Pr,
    /// Among the assignments and open units of work
    Inbox,
}

/// Show what happened, oldest first
#[derive(Clone, Debug, Args)]
pub(crate) struct LogArgs {
    /// Wait for more; with RUN, until that run is over
    #[arg(long, short = 'f', conflicts_with = "at")]
    pub(crate) follow: bool,
    /// Show one line of the journal in full
    #[arg(long, value_name = "SEQ", conflicts_with_all = ["last", "run"])]
    pub(crate) at: Option<u64>,
    /// Show the last N lines of the journal
    #[arg(short = 'n', value_name = "N", default_value_t = LAST)]
    pub(crate) last: u32,
    /// Show only this run; the beginning of its id is enough
    pub(crate) run: Option<String>,
}

/// Show what is proven, claimed, waived and waiting
#[derive(Clone, Debug, Args)]
pub(crate) struct ReportArgs {
    /// Without it: the newest run that is more than a guard
    pub(crate) run: Option<String>,
    /// Write one HTML page; - is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Open the report as a page
    #[arg(long)]
    pub(crate) open: bool,
    /// Compare receipts with the journal, and evaluate gates again
    #[arg(long)]
    pub(crate) verify: bool,
}

/// The default number of events: about one screen.
const LAST: u32 = 20;

/// Returns the grammar, for parsing, completions and the manual.
pub(crate) fn grammar() -> Command {
    groups::arranged(Cli::command())
}

pub(crate) fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    use clap::FromArgMatches as _;
    Cli::from_arg_matches(&grammar().try_get_matches_from(words)?)
}

impl Cli {
    pub(crate) const fn verb(&self) -> &Verb {
        match &self.verb {
            Some(verb) => verb,
            None => &Verb::Status,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(words: &[&str]) -> Cli {
        parse(std::iter::once(&"sprag").chain(words).map(OsString::from)).unwrap()
    }

    #[test]
    fn the_description_holds_together() {
        grammar().debug_assert();
    }

    #[test]
    fn help_fits_a_terminal() {
        let mut commands = vec![grammar()];
        while let Some(mut command) = commands.pop() {
            commands.extend(command.get_subcommands().cloned());
            let help = command.render_help().to_string();
            let fits = |line: &str| line.chars().count() <= crate::style::WIDTH;
            assert!(help.lines().all(fits), "{help}");
        }
    }

    #[test]
    fn flags_stand_before_and_after_the_command() {
        assert!(typed(&["--json", "log"]).json);
        assert!(typed(&["log", "--json"]).json);
        assert_eq!(typed(&["doctor", "-C", "x"]).folder, Some("x".into()));
    }

    #[test]
    fn no_command_is_status() {
        assert!(matches!(typed(&[]).verb(), Verb::Status));
        assert!(matches!(typed(&["status"]).verb(), Verb::Status));
    }
}
