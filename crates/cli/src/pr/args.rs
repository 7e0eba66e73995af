//! The command-line grammar of `sprag pr`.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use sprag_core::pr::Part;
use sprag_core::review::Level;
use sprag_formats::duration;

/// The subcommand and its working tree.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) worktree: Option<PathBuf>,
    /// Whether posts and writes are only shown.
    pub(crate) dry: bool,
    pub(crate) what: What,
}

#[derive(Clone, Debug)]
pub(crate) enum What {
    Init(Given),
    Status,
    Pause,
    Resume(Given),
    Complete,
    Refresh,
    Meta { op: String, words: Vec<String> },
}

/// The loop options that were given.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given {
    /// In the order of [`Part::ALL`].
    pub(crate) agents: [Option<String>; 4],
    pub(crate) max_rounds: Option<u32>,
    pub(crate) level: Option<Level>,
    pub(crate) config: Option<PathBuf>,
    pub(crate) no_handing_over: bool,
    /// In the order of [`Part::ALL`].
    pub(crate) prompts: [Option<String>; 4],
    /// In seconds, in the order of `Patience::KEYS`.
    pub(crate) wait: [Option<u32>; 3],
    /// Positional words.
    pub(crate) words: Vec<String>,
}

const AGENTS: [(&str, &str); 4] = [
    ("reviewer", "Who reviews"),
    ("developer", "Who answers reviews"),
    ("ci-checker", "Who watches checks; else they are polled"),
    ("ci-fixer", "Who mends failing checks"),
];

const PROMPTS: [(&str, &str); 4] = [
    ("reviewer-prompt", "What else the reviewer is told"),
    ("developer-prompt", "What else the developer is told"),
    ("ci-checker-prompt", "What else whoever watches the checks is told"),
    ("ci-fixer-prompt", "What else whoever mends them is told"),
];

const WAIT: [(&str, &str); 3] = [
    ("ci-grace", "How long checks may take to begin; 60s"),
    ("ci-timeout", "When a person is asked about checks; 30m"),
    ("ci-poll", "How often checks are looked at; 10s"),
];

pub(crate) fn command() -> Command {
    let worktree = Arg::new("worktree")
        .long("worktree")
        .value_name("DIR")
        .value_parser(value_parser!(PathBuf))
        .global(true)
        .help("The working tree; without it: this one");
    let dry = Arg::new("dry-run")
        .long("dry-run")
        .action(ArgAction::SetTrue)
        .global(true)
        .help("Show posts and changes, do neither");
    Command::new("pr")
        .about("Show and steer the review loop of a pull request")
        .subcommand_required(true)
        .disable_help_subcommand(true)
        .args([worktree, dry])
        .subcommands([
            given(Command::new("init").about("Begin a loop; asks the forge first")),
            Command::new("status").about("Show the pull request, its loop and its checks"),
            Command::new("pause").about("Pause the loop; for a person"),
            given(Command::new("resume").about("Let the loop go on; for a person")),
            Command::new("complete").about("End the loop; for a person"),
            Command::new("refresh").about("Ask the forge and merge what it says"),
            Command::new("meta").about("Read or set single fields, as gitx does").args([
                Arg::new("op").value_name("OP").required(true).help("ensure, read, update, …"),
                Arg::new("words").value_name("WORD").num_args(0..).allow_hyphen_values(true),
            ]),
        ])
}

fn given(command: Command) -> Command {
    let option = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    let levels = Level::ALL.map(Level::as_str);
    command
        .args(AGENTS.map(|(name, help)| option(name, "AGENT", help)))
        .args([
            option("max-rounds", "N", "How many rounds there are").value_parser(value_parser!(u32)),
            option("level", "LEVEL", "all, important or critical")
                .value_parser(PossibleValuesParser::new(levels))
                .hide_possible_values(true),
            option("config", "FILE", "A configuration in place of the found one")
                .value_parser(value_parser!(PathBuf)),
            Arg::new("no-handing-over")
                .long("no-handing-over")
                .action(ArgAction::SetTrue)
                .help("Tell the reviewer nothing of earlier rounds"),
            Arg::new("words")
                .value_name("WORD")
                .num_args(0..)
                .help("The working tree, or `<reviewer>AGENT</reviewer>` and the like"),
        ])
        .args(PROMPTS.map(|(name, help)| option(name, "TEXT", help)))
        .args(WAIT.map(|(name, help)| option(name, "TIME", help).value_parser(seconds)))
}

/// Parses a duration such as `90s` or `30m` into seconds.
fn seconds(text: &str) -> Result<u32, String> {
    let length = duration(text).map(|length| length.as_secs());
    let length = length.and_then(|seconds| u32::try_from(seconds).ok());
    length.ok_or_else(|| "expected a length of time such as 90s or 30m".to_owned())
}

impl Given {
    /// Fills missing options from `other`.
    pub(super) fn or(self, other: Self) -> Self {
        let first = |one: [Option<String>; 4], two: [Option<String>; 4]| {
            let mut pairs = one.into_iter().zip(two);
            std::array::from_fn(|_| pairs.next().and_then(|(one, two)| one.or(two)))
        };
        Self {
            agents: first(self.agents, other.agents),
            max_rounds: self.max_rounds.or(other.max_rounds),
            level: self.level.or(other.level),
            config: self.config.or(other.config),
            no_handing_over: self.no_handing_over || other.no_handing_over,
            prompts: first(self.prompts, other.prompts),
            wait: self.wait,
            words: Vec::new(),
        }
    }
}

pub(crate) fn read(own: &ArgMatches) -> Asked {
    let (what, inner) = match own.subcommand() {
        Some(("init", inner)) => (What::Init(read_given(inner)), inner),
        Some(("pause", inner)) => (What::Pause, inner),
        Some(("resume", inner)) => (What::Resume(read_given(inner)), inner),
        Some(("complete", inner)) => (What::Complete, inner),
        Some(("refresh", inner)) => (What::Refresh, inner),
        Some(("meta", inner)) => {
            let op = inner.get_one::<String>("op").cloned().unwrap_or_default();
            let words = inner.get_many("words").unwrap_or_default().cloned().collect();
            (What::Meta { op, words }, inner)
        }
        Some((_, inner)) => (What::Status, inner),
        None => (What::Status, own),
    };
    let worktree = inner.get_one::<PathBuf>("worktree").cloned();
    Asked { worktree, dry: inner.get_flag("dry-run"), what }
}

fn read_given(own: &ArgMatches) -> Given {
    let agent = |at: usize| own.get_one::<String>(AGENTS[at].0).cloned();
    debug_assert_eq!(AGENTS.len(), Part::ALL.len());
    Given {
        agents: std::array::from_fn(agent),
        max_rounds: own.get_one("max-rounds").copied(),
        level: own.get_one::<String>("level").and_then(|text| Level::parse(text)),
        config: own.get_one::<PathBuf>("config").cloned(),
        no_handing_over: own.get_flag("no-handing-over"),
        prompts: std::array::from_fn(|at| own.get_one::<String>(PROMPTS[at].0).cloned()),
        wait: std::array::from_fn(|at| own.get_one::<u32>(WAIT[at].0).copied()),
        words: own.get_many("words").unwrap_or_default().cloned().collect(),
    }
}
