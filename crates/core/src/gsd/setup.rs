/// What the deep way of planning asks for before the first milestone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// `PROJECT.md` has its sections.
    pub project: bool,
    /// `REQUIREMENTS.md` has its sections.
    pub requirements: bool,
    /// How the research of the project stands.
    pub research: Research,
}

/// How the research of a project stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Research {
    /// Nobody wants it, or it is there.
    #[default]
    Settled,
    /// A person wants it and it is not there.
    Wanted,
    /// It runs.
    Running,
    /// It could not be done.
    Blocked,
}
