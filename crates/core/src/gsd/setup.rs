/// The requirements of deep planning before the first milestone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// `PROJECT.md` has its sections.
    pub project: bool,
    /// `REQUIREMENTS.md` has its sections.
    pub requirements: bool,
    pub research: Research,
}

/// The state of a project's research.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Research {
    /// No research is wanted, or it exists.
    #[default]
    Settled,
    /// A person wants it, and it does not exist yet.
    Wanted,
    /// The research is running.
    Running,
    /// The research failed.
    Blocked,
}
