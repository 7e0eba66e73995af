//! The exit codes: they are part of the contract and the same for every command.

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
    /// Every exit, in the order of the codes.
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

    /// Returns a one-line explanation for the manual and docs/exit-codes.md.
    pub(crate) const fn meaning(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Failed => "failed: the reason is on standard error",
            Self::Usage => "usage: the command line is not one sprag understands",
            Self::NeedsPerson => {
                "needs a person: to decide, to wait for, or because work is done, not proven"
            }
            Self::NotFound => "not found: no project here, or nothing of that name in it",
            Self::Limit => "budget or limit: the budget, time, retries or review rounds ran out",
            Self::Invalid => "invalid definition: a workflow, plan or configuration is wrong",
            Self::TimedOut => "time-out: something was waited for and did not come",
            Self::Conflict => "conflict: another process is at work here, or already has it",
            Self::Unreadable => "state unreadable: nothing was concluded from it, nothing written",
            Self::Stale => "stale holder: another agent has this work now, stop working",
        }
    }
}

impl From<sprag_core::Outcome> for Exit {
    /// Returns the exit for a command that drove a run to this outcome.
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

    mod holds {
        use sprag_core::pr::TurnRole;
        use sprag_core::{
            Changes, DocPath, Doubt, Driven, Hold, Name, Overspent, RunId, Stuck, Time, Unstarted,
            Way,
        };

        use super::*;

        fn at() -> Time {
            Time::from_millis(1000)
        }

        /// Numbers the kinds: a new kind does not compile until it is added here and to the table.
        fn kind(hold: &Hold) -> usize {
            match hold {
                Hold::Person { .. } => 0,
                Hold::Interrupted => 1,
                Hold::DriverGone { .. } => 2,
                Hold::Budget(_) => 3,
                Hold::NoHost(_) => 4,
                Hold::NoPart { .. } => 5,
                Hold::Blocked { .. } => 6,
                Hold::Asked { .. } => 7,
                Hold::Until { .. } => 8,
                Hold::Exhausted { .. } => 9,
                Hold::NoProgress { .. } => 10,
                Hold::Unproven { .. } => 11,
                Hold::Doubtful { .. } => 12,
                Hold::Unreadable { .. } => 13,
                Hold::Untrusted { .. } => 14,
                Hold::SetUp { .. } => 15,
                Hold::RoundsOver { .. } => 16,
                Hold::Changed { .. } => KINDS - 1,
            }
        }

        const KINDS: usize = 18;

        /// A hold, its display, the command's exit code, and all ways to resolve it.
        type Row = (Hold, &'static str, u8, Vec<Way>);

        fn table() -> Vec<Row> {
            let text = |text: &str| text.to_owned();
            let (resume, approve) = ("sprag resume r-1", "sprag approve r-1");
            let own = || Driven::of(&RunId::parse("r-1").unwrap());
            let pause = || vec![Way::Resume, Way::Approve];
            let agree = || vec![Way::Approve, Way::Resume];
            let overspent =
                |by| Overspent { used: text("61 s"), most: text("60 s"), raise: text("122s"), by };
            let raised =
                |by| vec![Way::Raise { by, budget: text("122s") }, Way::Resume, Way::Approve];
            let unstarted = |by| Unstarted { host: text("sh"), why: text("not found"), by };
            let gate = || Name::literal("npm test");
            let changed = Changes::new([text("plan.md")], text("changed"));
            vec![
                (Hold::Person { why: text("lunch") }, resume, 3, pause()),
                (Hold::Interrupted, resume, 3, pause()),
                (Hold::DriverGone { by: own(), over: false }, resume, 3, vec![Way::Drive(own())]),
                (
                    Hold::DriverGone { by: Driven::Inbox, over: true },
                    "sprag run inbox",
                    3,
                    vec![Way::Drive(Driven::Inbox)],
                ),
                (
                    Hold::Budget(overspent(own())),
                    "sprag resume r-1 --budget 122s",
                    5,
                    raised(own()),
                ),
                (
                    Hold::Budget(overspent(Driven::Inbox)),
                    "sprag run inbox --budget 122s",
                    5,
                    raised(Driven::Inbox),
                ),
                (
                    Hold::NoHost(unstarted(Driven::Inbox)),
                    resume,
                    3,
                    vec![Way::Resume, Way::OtherHost(Driven::Inbox), Way::Approve],
                ),
                (
                    Hold::NoPart { part: TurnRole::Reviewer, host: text("pi") },
                    resume,
                    3,
                    vec![Way::Resume, Way::OtherPart(TurnRole::Reviewer), Way::Approve],
                ),
                (Hold::Blocked { why: text("no room") }, resume, 3, pause()),
                (Hold::Asked { what: text("ship?") }, approve, 3, agree()),
                (Hold::RoundsOver { what: text("3 of 3") }, resume, 5, pause()),
                (
                    Hold::Until { at: at(), why: text("a limit") },
                    resume,
                    3,
                    vec![Way::Resume, Way::Wait(at()), Way::Approve],
                ),
                (Hold::Exhausted { bound: gate(), used: 3 }, resume, 5, pause()),
                (Hold::NoProgress { what: Stuck::BackAndForth }, resume, 5, pause()),
                (
                    Hold::Unproven { gate: gate(), why: text("exit 127") },
                    resume,
                    3,
                    vec![Way::Resume, Way::Waive],
                ),
                (
                    Hold::Doubtful { gate: gate(), why: Doubt::Rules { path: text("a.md") } },
                    approve,
                    3,
                    agree(),
                ),
                (
                    Hold::Unreadable { path: DocPath::parse("a.md").unwrap() },
                    "sprag doctor",
                    9,
                    vec![Way::Doctor],
                ),
                (Hold::Untrusted { what: "npm test".into() }, approve, 3, agree()),
                (Hold::SetUp { what: "npm ci".into() }, approve, 3, agree()),
                (Hold::Changed { what: changed }, resume, 3, pause()),
            ]
        }

        #[test]
        fn each_kind_of_hold_has_its_command_its_exit_code_and_its_ways() {
            let run = RunId::parse("r-1").unwrap();
            let mut kinds = [false; KINDS];
            for (hold, command, code, ways) in table() {
                kinds[kind(&hold)] = true;
                let found = hold.ways();
                assert_eq!(sprag_engine::waits::command(&run, &hold), command, "{hold}");
                assert_eq!(Exit::from(sprag_core::Outcome::from(&hold)).code(), code, "{hold}");
                assert_eq!(found.all().cloned().collect::<Vec<_>>(), ways, "{hold}");
                assert_eq!(found.has(&Way::Wait(at())), hold.ends().is_some(), "{hold}");
                // A command in the sentence must be one of the ways.
                let sentence = hold.to_string();
                for (nth, part) in sentence.split('`').enumerate() {
                    let is_command = nth % 2 == 1 && part.starts_with("sprag ");
                    let is_a_way = found.all().any(|way| {
                        [way.command(&run), way.verb().to_owned()].contains(&part.to_owned())
                    });
                    assert!(!is_command || is_a_way, "{sentence}: `{part}`");
                }
            }
            assert_eq!(kinds, [true; KINDS], "a kind is not in the table");
        }
    }
}
