use crate::{Fields, Plain, Stored, UnitId, Unreadable};

/// The status of an assignment, as in the original's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignmentStatus {
    /// No work is assigned.
    Empty,
    /// Work is assigned and not yet begun.
    Pending,
    /// The agent works on it.
    Active,
    /// The agent reports the work done.
    Completed,
}

impl AssignmentStatus {
    /// Every status, in the order of the lifecycle.
    pub const ALL: [Self; 4] = [Self::Empty, Self::Pending, Self::Active, Self::Completed];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Pending => "pending",
            Self::Active => "active",
            Self::Completed => "completed",
        }
    }

    /// Parses the word used in the files.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }
}

impl std::fmt::Display for AssignmentStatus {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_str().fmt(out)
    }
}

/// An agent's single place for work: a status, and a unit unless it is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slot {
    /// No work is assigned.
    Empty,
    /// This unit is assigned and not yet begun.
    Pending(UnitId),
    /// The agent works on this unit.
    Active(UnitId),
    /// The agent reports this unit done.
    Completed(UnitId),
}

impl Slot {
    /// Combines a status and a unit if they are consistent.
    pub fn of(status: AssignmentStatus, unit: Option<UnitId>) -> Option<Self> {
        match (status, unit) {
            (AssignmentStatus::Empty, None) => Some(Self::Empty),
            (AssignmentStatus::Pending, Some(unit)) => Some(Self::Pending(unit)),
            (AssignmentStatus::Active, Some(unit)) => Some(Self::Active(unit)),
            (AssignmentStatus::Completed, Some(unit)) => Some(Self::Completed(unit)),
            (AssignmentStatus::Empty, Some(_))
            | (
                AssignmentStatus::Pending | AssignmentStatus::Active | AssignmentStatus::Completed,
                None,
            ) => None,
        }
    }

    pub const fn status(&self) -> AssignmentStatus {
        match self {
            Self::Empty => AssignmentStatus::Empty,
            Self::Pending(_) => AssignmentStatus::Pending,
            Self::Active(_) => AssignmentStatus::Active,
            Self::Completed(_) => AssignmentStatus::Completed,
        }
    }

    pub const fn unit(&self) -> Option<&UnitId> {
        match self {
            Self::Empty => None,
            Self::Pending(unit) | Self::Active(unit) | Self::Completed(unit) => Some(unit),
        }
    }
}

impl std::fmt::Display for Slot {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.unit() {
            Some(unit) => write!(out, "{} {unit}", self.status()),
            None => self.status().fmt(out),
        }
    }
}

impl Stored for Slot {
    fn lower(&self) -> Plain {
        let unit = self.unit().map_or(Plain::Null, Stored::lower);
        Plain::map([("status", self.status().as_str().into()), ("unit", unit)])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        let text: String = fields.get("status")?;
        let status = AssignmentStatus::parse(&text)
            .ok_or_else(|| Unreadable::here("expected a status").below("status"))?;
        Self::of(status, fields.get("unit")?)
            .ok_or_else(|| Unreadable::here(format!("{status} does not go with this unit")))
    }
}
