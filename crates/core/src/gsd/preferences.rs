//! The preferences of a person that rows of the table depend on.

/// One file of preferences; an unset field is taken from the next file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layer {
    /// `token_profile`: sets defaults for some of the others.
    pub profile: Option<String>,
    /// `phases.skip_research`.
    pub skip_research: Option<bool>,
    /// `phases.skip_slice_research`.
    pub skip_slice_research: Option<bool>,
    /// `phases.skip_reassess`.
    pub skip_reassess: Option<bool>,
    /// `phases.skip_milestone_validation`.
    pub skip_validation: Option<bool>,
    /// `phases.reassess_after_slice`.
    pub reassess_after_slice: Option<bool>,
    /// `phases.require_slice_discussion`.
    pub require_slice_discussion: Option<bool>,
    /// `uat_dispatch`.
    pub uat_dispatch: Option<bool>,
    /// Whether `planning_depth` is `deep`.
    pub deep: Option<bool>,
    /// `reactive_execution.enabled`.
    pub reactive: Option<bool>,
    /// `reactive_execution.max_parallel`.
    pub max_parallel: Option<u32>,
}

/// The effective preferences from all files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of the original's file")]
pub struct Preferences {
    /// Milestones are planned without research.
    pub skip_research: bool,
    /// Slices are planned without research.
    pub skip_slice_research: bool,
    /// The roadmap is reassessed after every slice.
    pub reassess: bool,
    /// Milestones are completed without validation.
    pub skip_validation: bool,
    /// A person discusses every slice first.
    pub require_slice_discussion: bool,
    /// Slices are tried out (UAT).
    pub uat_dispatch: bool,
    /// The project is discussed before its milestones.
    pub deep: bool,
    pub reactive: Reactive,
}

/// The settings for executing tasks in parallel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reactive {
    /// The explicit setting of a person, if any.
    pub enabled: Option<bool>,
    /// The maximum number of parallel tasks.
    pub max_parallel: u32,
}

impl Default for Reactive {
    fn default() -> Self {
        Self { enabled: None, max_parallel: 2 }
    }
}

impl Layer {
    /// Fills unset fields from the layer below.
    #[must_use]
    pub fn over(self, below: Self) -> Self {
        Self {
            profile: self.profile.or(below.profile),
            skip_research: self.skip_research.or(below.skip_research),
            skip_slice_research: self.skip_slice_research.or(below.skip_slice_research),
            skip_reassess: self.skip_reassess.or(below.skip_reassess),
            skip_validation: self.skip_validation.or(below.skip_validation),
            reassess_after_slice: self.reassess_after_slice.or(below.reassess_after_slice),
            require_slice_discussion: self
                .require_slice_discussion
                .or(below.require_slice_discussion),
            uat_dispatch: self.uat_dispatch.or(below.uat_dispatch),
            // The depth of planning is set per project only; a person's file is ignored.
            deep: self.deep,
            reactive: self.reactive.or(below.reactive),
            max_parallel: self.max_parallel.or(below.max_parallel),
        }
    }

    /// Resolves the preferences, with defaults for unset fields.
    pub fn resolve(self) -> Preferences {
        let all = self.clone().over(Self::of_profile(self.profile.as_deref()));
        let set = |flag: Option<bool>| flag.unwrap_or(false);
        Preferences {
            skip_research: set(all.skip_research),
            skip_slice_research: set(all.skip_slice_research),
            reassess: set(all.reassess_after_slice) && !set(all.skip_reassess),
            skip_validation: set(all.skip_validation),
            require_slice_discussion: set(all.require_slice_discussion),
            uat_dispatch: set(all.uat_dispatch),
            deep: set(all.deep),
            reactive: Reactive {
                enabled: all.reactive,
                max_parallel: all.max_parallel.unwrap_or(Reactive::default().max_parallel),
            },
        }
    }

    fn of_profile(profile: Option<&str>) -> Self {
        let frugal = Self {
            skip_research: Some(true),
            skip_slice_research: Some(true),
            skip_reassess: Some(true),
            ..Self::default()
        };
        match profile {
            Some("budget") => Self { skip_validation: Some(true), ..frugal },
            Some("balanced" | "quality") => frugal,
            Some("burn-max") => Self {
                skip_research: Some(false),
                skip_slice_research: Some(false),
                skip_reassess: Some(false),
                skip_validation: Some(false),
                reassess_after_slice: Some(true),
                ..Self::default()
            },
            Some(_) | None => Self::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_the_project_beats_the_person_and_the_profile() {
        let person = Layer { skip_research: Some(true), deep: Some(true), ..Layer::default() };
        let profile = Some("budget".to_owned());
        let project = Layer { skip_research: Some(false), profile, ..Layer::default() };
        let both = project.over(person).resolve();
        assert!(!both.skip_research && both.skip_slice_research && both.skip_validation);
        assert!(!both.deep, "a person's file does not say how deep a project is planned");
        assert!(!Layer::default().resolve().skip_research);
    }
}
