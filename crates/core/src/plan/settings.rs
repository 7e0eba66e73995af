/// What `.gsd/config.md` says of the loops, with defaults in place of what it does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Whether a person is asked.
    pub mode: Mode,
    /// How many attempts there are after the first one of a task.
    pub execute_max_retries: u32,
    /// How many rounds of fixes there are.
    pub verify_max_iterations: u32,
    /// Whether anything is retried or fixed without a command.
    pub auto_loop: bool,
    /// After how many rounds with the same gaps the loop stands still.
    pub no_progress_limit: u32,
    /// How many refusals without progress a session hears, where it says so.
    pub max_idle_blocks: Option<u32>,
    /// How long a loop may take, in milliseconds, where it says so.
    pub max_wall_clock: Option<u32>,
    /// How many tasks run at the same time at most, where it says so.
    pub max_parallel: Option<u32>,
    /// What happens to a loop that no session owns.
    pub unowned: Unowned,
    /// Whether commands of a plan run, where it says so.
    pub checks_run: Option<ChecksRun>,
    /// The commands of CI that are set, in the order of [`CiStage`].
    pub ci: Vec<(CiStage, String)>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            mode: Mode::Interactive,
            execute_max_retries: 3,
            verify_max_iterations: 20,
            auto_loop: true,
            no_progress_limit: 3,
            max_idle_blocks: None,
            max_wall_clock: None,
            max_parallel: None,
            unowned: Unowned::Claim,
            checks_run: None,
            ci: Vec::new(),
        }
    }
}

/// Whether a person is asked before the loop goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// A person is asked.
    #[default]
    Interactive,
    /// Only a checkpoint asks.
    Yolo,
}

/// What happens to a loop that no session owns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unowned {
    /// The session that stops first takes it.
    #[default]
    Claim,
    /// It holds nobody.
    Ignore,
}

/// Whether commands of a plan run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChecksRun {
    /// Where a person allowed them.
    #[default]
    Ask,
    /// Always.
    Allow,
    /// Never.
    Never,
}

/// A stage of CI, in the order they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CiStage {
    /// `ci.lint`.
    Lint,
    /// `ci.typecheck`.
    Typecheck,
    /// `ci.test`.
    Test,
    /// `ci.build`.
    Build,
    /// `ci.e2e`.
    E2e,
}

impl CiStage {
    /// Every stage, in order.
    pub const ALL: [Self; 5] = [Self::Lint, Self::Typecheck, Self::Test, Self::Build, Self::E2e];

    /// Returns the word used in `config.md` and in gaps.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Lint => "lint",
            Self::Typecheck => "typecheck",
            Self::Test => "test",
            Self::Build => "build",
            Self::E2e => "e2e",
        }
    }
}
