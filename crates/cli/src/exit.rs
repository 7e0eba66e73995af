//! How a command ends: the exit codes are part of the contract and the same for every command.

/// What the exit code says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    Done,
    Failed,
    Usage,
    NeedsPerson,
    NotFound,
    Limit,
    Invalid,
    TimedOut,
    Conflict,
    Unreadable,
    Stale,
}

impl Exit {
    /// Every way to end, in the order of the codes.
    pub(crate) const ALL: [Self; 11] = [
        Self::Done,
        Self::Failed,
        Self::Usage,
        Self::NeedsPerson,
        Self::NotFound,
        Self::Limit,
        Self::Invalid,
        Self::TimedOut,
        Self::Conflict,
        Self::Unreadable,
        Self::Stale,
    ];

    /// Returns the number the shell sees.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::NeedsPerson => 3,
            Self::NotFound => 4,
            Self::Limit => 5,
            Self::Invalid => 6,
            Self::TimedOut => 7,
            Self::Conflict => 8,
            Self::Unreadable => 9,
            Self::Stale => 10,
        }
    }

    /// Says in one line what it means; the manual and docs/exit-codes.md show it.
    pub(crate) const fn meaning(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Failed => "failed: the reason is on standard error",
            Self::Usage => "usage: the command line is not one sprag understands",
            Self::NeedsPerson => "needs a person: an agent may not do this, or must wait",
            Self::NotFound => "not found: no project here, or nothing of that name in it",
            Self::Limit => "budget or limit: work stopped because it was used up",
            Self::Invalid => "invalid definition: a workflow, plan or configuration is wrong",
            Self::TimedOut => "time-out: something was waited for and did not come",
            Self::Conflict => "conflict: somebody else is at work here, or has it already",
            Self::Unreadable => "state unreadable: nothing was concluded from it, nothing written",
            Self::Stale => "stale holder: somebody else has this work now, stop working",
        }
    }
}

impl From<sprag_core::Outcome> for Exit {
    /// Returns how a command ends that drove a run to this outcome.
    fn from(outcome: sprag_core::Outcome) -> Self {
        let is_its = |exit: &Self| exit.code() == outcome.exit_code();
        Self::ALL.into_iter().find(is_its).unwrap_or(Self::Failed)
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_count_up_from_zero() {
        for (nth, exit) in (0..).zip(Exit::ALL) {
            assert_eq!(exit.code(), nth, "{exit:?}");
        }
    }

    #[test]
    fn every_outcome_of_a_run_has_its_exit() {
        for outcome in sprag_core::Outcome::ALL {
            assert_eq!(Exit::from(outcome).code(), outcome.exit_code(), "{outcome:?}");
        }
    }

    #[test]
    fn the_documented_table_is_this_one() {
        let documented: Vec<_> = include_str!("../../../docs/exit-codes.md")
            .lines()
            .filter(|line| {
                line.starts_with("| ") && line[2..].starts_with(|c: char| c.is_ascii_digit())
            })
            .map(str::to_owned)
            .collect();
        let ours: Vec<_> = Exit::ALL
            .iter()
            .map(|exit| format!("| {} | {} |", exit.code(), exit.meaning()))
            .collect();
        assert_eq!(documented, ours);
    }
}
