use super::{Finding, Threshold};
use crate::{Fields, Fingerprint, Plain, Stored, Unreadable, stored};

/// The status of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindingStatus {
    /// The last round found it.
    Open,
    /// A later round did not find it again.
    Fixed,
    /// The developer refused it with a reason; another round that finds it does not change the
    /// status.
    Refused { why: String },
}

/// A finding and its history through the rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerEntry {
    /// The finding in the words of the last round that found it.
    pub finding: Finding,
    pub status: FindingStatus,
    /// The first round of its current uninterrupted presence.
    pub since: u32,
    /// The last round that found it.
    pub last: u32,
    /// How many times it came back after it was fixed.
    pub returned: u32,
}

impl LedgerEntry {
    /// Returns whether it keeps a review from passing.
    pub fn blocks(&self, level: Threshold) -> bool {
        self.status == FindingStatus::Open && level.blocks(self.finding.severity)
    }
}

/// Every finding of a review, over all rounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    round: u32,
    entries: Vec<LedgerEntry>,
    /// The number of blocking findings after each round.
    counts: Vec<u32>,
}

impl Ledger {
    pub const fn round(&self) -> u32 {
        self.round
    }

    /// Returns all findings ever recorded, oldest first.
    pub fn entries(&self) -> &[LedgerEntry] {
        &self.entries
    }

    /// Returns the number of blocking findings after each round, oldest first.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// Returns the findings that keep a review from passing.
    pub fn blocking(&self, level: Threshold) -> impl Iterator<Item = &LedgerEntry> {
        self.entries.iter().filter(move |entry| entry.blocks(level))
    }

    /// Records the findings of a new round; open ones that it did not repeat count as fixed.
    pub fn note(&mut self, findings: &[Finding], level: Threshold) {
        self.round = self.round.saturating_add(1);
        let mut prints: Vec<_> =
            self.entries.iter().map(|entry| entry.finding.fingerprint()).collect();
        for finding in findings {
            self.find(finding, &mut prints);
        }
        for entry in &mut self.entries {
            if entry.status == FindingStatus::Open && entry.last < self.round {
                entry.status = FindingStatus::Fixed;
            }
        }
        let count = u32::try_from(self.blocking(level).count()).unwrap_or(u32::MAX);
        self.counts.push(count);
    }

    /// Records one finding; `prints` are the fingerprints of the entries, in their order.
    fn find(&mut self, finding: &Finding, prints: &mut Vec<Fingerprint>) {
        let round = self.round;
        let known = finding.fingerprint();
        let found = prints.iter().position(|print| *print == known);
        let Some(entry) = found.and_then(|at| self.entries.get_mut(at)) else {
            prints.push(known);
            let (finding, status) = (finding.clone(), FindingStatus::Open);
            self.entries.push(LedgerEntry {
                finding,
                status,
                since: round,
                last: round,
                returned: 0,
            });
            return;
        };
        // Of duplicates within a round, the worse severity counts.
        let severity = if entry.last == round { entry.finding.severity } else { finding.severity };
        entry.finding = finding.clone();
        entry.finding.severity = finding.severity.max(severity);
        entry.last = round;
        if entry.status == FindingStatus::Fixed {
            entry.status = FindingStatus::Open;
            entry.since = round;
            entry.returned = entry.returned.saturating_add(1);
        }
    }

    /// Records the developer's refusal of a finding; the reviewer sees the reason.
    pub fn refuse(&mut self, finding: Fingerprint, why: &str) -> bool {
        let found = self.entries.iter_mut().find(|entry| {
            entry.status == FindingStatus::Open && entry.finding.fingerprint() == finding
        });
        if let Some(entry) = found {
            entry.status = FindingStatus::Refused { why: why.to_owned() };
            return true;
        }
        false
    }

    /// Restarts for a person: blocking and disputed findings become open, without their history.
    pub fn begin_anew(&mut self, level: Threshold) {
        let open = self.blocking(level).chain(self.disputed(level));
        let open: Vec<_> = open.map(|entry| entry.finding.clone()).collect();
        *self = Self::default();
        self.note(&open, level);
    }

    /// Drops the oldest fixed findings, until at most `most` are left.
    pub fn forget(&mut self, most: usize) {
        let mut over = self.entries.len().saturating_sub(most);
        self.entries.retain(|entry| {
            let goes = over > 0 && entry.status == FindingStatus::Fixed;
            over -= usize::from(goes);
            !goes
        });
    }
}

impl Stored for LedgerEntry {
    fn lower(&self) -> Plain {
        let (status, why) = match &self.status {
            FindingStatus::Open => ("open", Plain::Null),
            FindingStatus::Fixed => ("fixed", Plain::Null),
            FindingStatus::Refused { why } => ("refused", why.lower()),
        };
        Plain::filled([
            ("finding", self.finding.lower()),
            ("status", status.into()),
            ("why", why),
            ("since", self.since.lower()),
            ("last", self.last.lower()),
            ("returned", self.returned.lower()),
        ])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        let status = match fields.get::<String>("status")?.as_str() {
            "open" => FindingStatus::Open,
            "fixed" => FindingStatus::Fixed,
            "refused" => FindingStatus::Refused {
                why: fields.get::<Option<String>>("why")?.unwrap_or_default(),
            },
            _ => return Err(Unreadable::here("expected open, fixed or refused").below("status")),
        };
        Ok(Self {
            finding: fields.get("finding")?,
            status,
            since: fields.get("since")?,
            last: fields.get("last")?,
            returned: fields.get("returned")?,
        })
    }
}

stored!(struct Ledger or default { round, counts, entries } where fault);

/// Returns why a ledger is inconsistent, if it is.
fn fault(ledger: &Ledger) -> Option<Unreadable> {
    let late = |one: &LedgerEntry| one.since > one.last || one.last > ledger.round;
    let why = || Unreadable::here("a finding is newer than the last round").below("entries");
    ledger.entries.iter().any(late).then(why)
}
