/// The loop settings in `.gsd/config.md`, with defaults for missing keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub mode: Mode,
    /// Maximum number of retries per task.
    pub execute_max_retries: u32,
    /// Maximum number of rounds of fixes.
    pub verify_max_iterations: u32,
    /// Whether tasks are retried and gaps fixed without a command.
    pub auto_loop: bool,
    /// The number of rounds with the same gaps after which the loop is held.
    pub no_progress_limit: u32,
    /// Maximum number of refusals without progress per session, if set.
    pub max_idle_blocks: Option<u32>,
    /// Maximum duration of a loop in milliseconds, if set.
    pub max_wall_clock: Option<u32>,
    /// Maximum number of parallel tasks, if set.
    pub max_parallel: Option<u32>,
    /// The treatment of a loop that no session owns.
    pub unowned: Unowned,
    /// Whether commands of a plan run, if set.
    pub checks_run: Option<ChecksRun>,
    /// The configured CI commands, in the order of [`CiStage`].
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

/// Whether a person is asked before the loop continues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    #[default]
    Interactive,
    /// Only a checkpoint asks.
    Yolo,
}

/// The treatment of a loop that no session owns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unowned {
    /// The first session to stop takes ownership.
    #[default]
    Claim,
    /// It holds no session.
    Ignore,
}

/// Whether commands of a plan run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChecksRun {
    /// Only those that a person has allowed.
    #[default]
    Ask,
    Allow,
    Never,
}

/// A stage of CI, in execution order.
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
    /// Every stage, in execution order.
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
