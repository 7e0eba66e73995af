use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The result of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Equal to the original.
    Passed,
    /// Different in the named ways, and equal otherwise.
    Differs(BTreeSet<&'static str>),
    /// Different without a name for the difference.
    Failed(String),
    /// The operation is not implemented here.
    NotServed,
}

#[derive(Debug, Default)]
struct Group {
    passed: usize,
    differs: usize,
    failed: usize,
    not_served: usize,
}

/// The outcomes of many cases.
#[derive(Debug, Default)]
pub struct Tally {
    groups: BTreeMap<String, Group>,
    differences: BTreeMap<&'static str, usize>,
    failures: Vec<String>,
}

impl Tally {
    pub fn add(&mut self, group: &str, case: &str, outcome: Outcome) {
        let counts = self.groups.entry(group.to_owned()).or_default();
        match outcome {
            Outcome::Passed => counts.passed += 1,
            Outcome::NotServed => counts.not_served += 1,
            Outcome::Differs(names) => {
                counts.differs += 1;
                for name in names {
                    *self.differences.entry(name).or_default() += 1;
                }
            }
            Outcome::Failed(why) => {
                counts.failed += 1;
                self.failures.push(format!("{case}: {why}"));
            }
        }
    }

    /// Returns whether no case failed.
    pub fn is_good(&self) -> bool {
        self.failures.is_empty()
    }

    /// Returns the number of cases.
    pub fn cases(&self) -> usize {
        let all = |group: &Group| group.passed + group.differs + group.failed + group.not_served;
        self.groups.values().map(all).sum()
    }

    /// Returns the whole tally as text, with the first `shown` failures in full.
    pub fn report(&self, shown: usize) -> String {
        let mut text = format!("{:16}{:>8}{:>8}{:>8}\n", "group", "passed", "differs", "failed");
        let mut sum = Group::default();
        for (name, group) in &self.groups {
            let Group { passed, differs, failed, .. } = group;
            let _ = writeln!(text, "{name:16}{passed:>8}{differs:>8}{failed:>8}");
            sum.passed += passed;
            sum.differs += differs;
            sum.failed += failed;
        }
        let Group { passed, differs, failed, .. } = sum;
        let _ = writeln!(text, "{:16}{passed:>8}{differs:>8}{failed:>8}", "all");
        let unserved: Vec<_> = self
            .groups
            .iter()
            .filter(|(_, group)| group.not_served > 0)
            .map(|(name, group)| format!("{name} ({})", group.not_served))
            .collect();
        if !unserved.is_empty() {
            let _ = writeln!(text, "not served yet: {}", unserved.join(", "));
        }
        for (name, cases) in &self.differences {
            let _ = writeln!(text, "difference `{name}`: {cases} cases");
        }
        for failure in self.failures.iter().take(shown) {
            let _ = writeln!(text, "FAILED {failure}");
        }
        text
    }
}
