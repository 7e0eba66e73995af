//! The properties of a kind of run, which the engine knows without a run.

/// The properties of a kind of run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a property of its own")]
pub struct Info {
    /// The word for it in `run.yaml`.
    pub word: &'static str,
    /// The placeholder for the name that follows the word, if the kind drives one of several.
    pub key: Option<&'static str>,
    /// What is driven, if it has no task of its own. `{}` stands for the name.
    pub called: &'static str,
    /// The name of its only unit for display, if the unit has none of its own.
    pub unit: Option<&'static str>,
    /// The label of its gates in the line that says where it stands.
    pub label: &'static str,
    /// It has gates, but no definition of its own.
    pub is_guard: bool,
    /// It begins by itself in a session that changes files.
    pub is_automatic: bool,
    /// A person typed the command that a session is held to.
    pub is_typed: bool,
    /// The gates are those of the configuration's guard.
    pub is_guarded: bool,
    /// Works on an assignment of the inbox. It shares the driver, worktrees and branch of the inbox.
    pub is_assigned: bool,
    /// Goes through phases, each with its own gates, tools and protected files.
    pub has_phases: bool,
    /// A copy of its definition is beside the run.
    pub has_copy: bool,
    /// A copy of the configuration that judges it is beside the run.
    pub has_config: bool,
    /// Its questions have their own wording and their own choice of answers.
    pub has_choices: bool,
    /// Its agents share one session, as its units are one conversation.
    pub one_session: bool,
    /// Several agents work at the same time, each in a worktree.
    pub worktrees: bool,
    /// It reads from a forge and posts there.
    pub needs_forge: bool,
    /// Rules are asked before and after each unit, and a person's approval answers them.
    pub has_rules: bool,
    /// The units come from a finite list that a person or a planner wrote.
    pub is_listed: bool,
    /// The agents end their attempts by what they report. A step does not, gates are not waived,
    /// and a person answers questions with a text.
    pub is_reported: bool,
    /// One session or driver owns the run at a time.
    pub has_owner: bool,
    /// The owner can release the run for another session.
    pub is_released: bool,
    /// The agent asks for each unit, so a stop begins none.
    pub is_dispatched: bool,
    /// Its documents hold fields that agents may not decide.
    pub is_measured: bool,
    /// The gates judge files that git may ignore, so every end evaluates them again.
    pub judges_anew: bool,
    /// The driver evaluates all gates once more at the end.
    pub rechecks: bool,
    /// The prompt of a unit contains its last failure already.
    pub prompts_failures: bool,
}

impl Info {
    /// Creates the properties of a kind that has none of the special ones.
    pub const fn new(word: &'static str) -> Self {
        Self {
            word,
            key: None,
            called: "",
            unit: None,
            label: "guard",
            is_guard: false,
            is_automatic: false,
            is_typed: false,
            is_guarded: false,
            is_assigned: false,
            has_phases: false,
            has_copy: false,
            has_config: false,
            has_choices: false,
            one_session: false,
            worktrees: true,
            needs_forge: false,
            has_rules: false,
            is_listed: false,
            is_reported: false,
            has_owner: true,
            is_released: false,
            is_dispatched: false,
            is_measured: false,
            judges_anew: false,
            rechecks: false,
            prompts_failures: false,
        }
    }
}

impl Info {
    /// Returns the form of its source in `run.yaml`.
    pub fn form(&self) -> String {
        match self.key {
            Some(key) => format!("{}:{key}", self.word),
            None => self.word.to_owned(),
        }
    }
}
