//! The arguments of `sprag pr`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{Args, Subcommand};
use sprag_core::review::Threshold;
use sprag_formats::duration;

/// Show and steer the review loop of a pull request
#[derive(Clone, Debug, Args)]
pub(crate) struct PrArgs {
    /// The working tree; without it: this one
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) worktree: Option<PathBuf>,
    /// Only show posts and changes
    #[arg(long, global = true)]
    pub(crate) dry_run: bool,
    #[command(subcommand)]
    pub(crate) what: What,
}

#[derive(Clone, Debug, Subcommand)]
pub(crate) enum What {
    /// Begin a loop; asks the forge first
    Init(LoopOptions),
    /// Show the pull request, its loop and its checks
    Status,
    /// Pause the loop
    Pause,
    /// Resume the loop
    Resume(LoopOptions),
    /// End the loop
    Complete,
    /// Load the state of the pull request from the forge
    Refresh,
    /// Read or set single fields, as gitx does
    Meta {
        /// ensure, read, update, …
        op: String,
        #[arg(value_name = "WORD", allow_hyphen_values = true)]
        words: Vec<String>,
    },
}

/// The options of a loop.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct LoopOptions {
    /// The agent that reviews
    #[arg(long, value_name = "AGENT")]
    reviewer: Option<String>,
    /// The agent that answers reviews
    #[arg(long, value_name = "AGENT")]
    developer: Option<String>,
    /// The agent that watches checks (default: sprag)
    #[arg(long, value_name = "AGENT")]
    ci_checker: Option<String>,
    /// The agent that repairs failing checks
    #[arg(long, value_name = "AGENT")]
    ci_fixer: Option<String>,
    /// The number of rounds
    #[arg(long, value_name = "N")]
    pub(crate) max_rounds: Option<u32>,
    /// What counts: all, important or critical
    #[arg(long, hide_possible_values = true, value_parser = level())]
    pub(crate) level: Option<Threshold>,
    /// A configuration instead of the found one
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Do not give the reviewer the earlier rounds
    #[arg(long)]
    pub(crate) no_handing_over: bool,
    /// The working tree, or `<reviewer>AGENT</reviewer>` and so on
    #[arg(value_name = "WORD")]
    pub(crate) words: Vec<String>,
    /// More instructions for the reviewer
    #[arg(long, value_name = "TEXT")]
    reviewer_prompt: Option<String>,
    /// More instructions for the developer
    #[arg(long, value_name = "TEXT")]
    developer_prompt: Option<String>,
    /// More instructions for the CI checker
    #[arg(long, value_name = "TEXT")]
    ci_checker_prompt: Option<String>,
    /// More instructions for the CI fixer
    #[arg(long, value_name = "TEXT")]
    ci_fixer_prompt: Option<String>,
    /// The time in which checks must begin; 60s
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    ci_grace: Option<u32>,
    /// When a person is asked about checks; 30m
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    ci_timeout: Option<u32>,
    /// The time between two looks at the checks; 10s
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    ci_poll: Option<u32>,
}

fn level() -> impl clap::builder::TypedValueParser<Value = Threshold> {
    let names = PossibleValuesParser::new(Threshold::ALL.map(Threshold::as_str));
    names.try_map(|name| Threshold::parse(&name).ok_or("it is no level"))
}

/// Parses a duration such as `90s` or `30m` into seconds.
fn seconds(text: &str) -> Result<u32, String> {
    let length = duration(text).map(|length| length.as_secs());
    let length = length.and_then(|seconds| u32::try_from(seconds).ok());
    length.ok_or_else(|| "expected a length of time such as 90s or 30m".to_owned())
}

impl LoopOptions {
    /// Returns the agents, in the order of `Part::ALL`.
    pub(crate) fn agents(&self) -> [Option<String>; 4] {
        [&self.reviewer, &self.developer, &self.ci_checker, &self.ci_fixer].map(Clone::clone)
    }

    pub(crate) const fn agents_mut(&mut self) -> [&mut Option<String>; 4] {
        [&mut self.reviewer, &mut self.developer, &mut self.ci_checker, &mut self.ci_fixer]
    }

    /// Returns the additional instructions, in the order of `Part::ALL`.
    pub(crate) fn prompts(&self) -> [Option<String>; 4] {
        let [reviewer, developer] = [&self.reviewer_prompt, &self.developer_prompt];
        [reviewer, developer, &self.ci_checker_prompt, &self.ci_fixer_prompt].map(Clone::clone)
    }

    pub(crate) const fn prompts_mut(&mut self) -> [&mut Option<String>; 4] {
        let Self { reviewer_prompt, developer_prompt, ci_checker_prompt, ci_fixer_prompt, .. } =
            self;
        [reviewer_prompt, developer_prompt, ci_checker_prompt, ci_fixer_prompt]
    }

    /// Returns the times in seconds, in the order of `Patience::KEYS`.
    pub(crate) const fn wait(&self) -> [Option<u32>; 3] {
        [self.ci_grace, self.ci_timeout, self.ci_poll]
    }

    /// Fills missing options from `other`.
    pub(crate) fn or(mut self, mut other: Self) -> Self {
        for (own, other) in self.agents_mut().into_iter().zip(other.agents_mut()) {
            *own = own.take().or_else(|| other.take());
        }
        for (own, other) in self.prompts_mut().into_iter().zip(other.prompts_mut()) {
            *own = own.take().or_else(|| other.take());
        }
        Self {
            max_rounds: self.max_rounds.or(other.max_rounds),
            level: self.level.or(other.level),
            config: self.config.take().or(other.config),
            no_handing_over: self.no_handing_over || other.no_handing_over,
            words: Vec::new(),
            ..self
        }
    }
}
