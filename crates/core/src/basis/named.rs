//! Every change of what a verdict depends on, as a report lists it.

use serde::{Deserialize, Serialize};

use super::{Author, Basis, Bearing, Change, Conditions, Excuse, Free, InputKey, Role, bearing};

/// One change of what a verdict depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedChange {
    /// Which input.
    pub key: InputKey,
    /// What it is to the verdict.
    pub role: Role,
    /// How it changed.
    pub how: Change,
    /// Who changed it.
    pub by: Author,
    /// What it means for a pass.
    pub bearing: Bearing,
}

/// A change as a report gives it to programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportedChange {
    /// The file, or `path#part`.
    pub path: String,
    /// What it is to the verdict.
    pub role: Role,
    /// How it changed.
    pub how: Change,
    /// The host that changed it where that is known, else the kind of author.
    pub by: String,
    /// The gate whose pass depends on it; nothing where no gate does.
    pub gate: Option<String>,
    /// What the agent said about it.
    pub said: Option<String>,
    /// Why it counts although an agent made it, where there is evidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excuse: Option<Excuse>,
}

/// Lists every input whose bytes are others, by any author and with any consequence.
pub fn named(basis: &Basis, conditions: &Conditions<'_>) -> Vec<NamedChange> {
    let changed = basis.iter().filter(|(_, input)| input.is_changed());
    let name = |(key, input): (&InputKey, &super::Input)| NamedChange {
        key: key.clone(),
        role: input.role(),
        how: input.change(),
        by: input.whose().author,
        bearing: bearing(key, input, conditions),
    };
    changed.map(name).collect()
}

impl NamedChange {
    /// Returns whether a pass does not count because of it.
    pub const fn is_doubt(&self) -> bool {
        self.bearing.is_doubt()
    }

    /// Returns it as a report gives it to programs.
    pub fn reported(
        &self,
        host: Option<&str>,
        gate: Option<&str>,
        said: Option<&str>,
    ) -> ReportedChange {
        // Only an agent works for a host.
        let host = host.filter(|_| self.by == Author::Agent);
        ReportedChange {
            path: self.key.to_string(),
            role: self.role,
            how: self.how,
            by: host.unwrap_or(self.by.as_str()).to_owned(),
            gate: gate.map(str::to_owned),
            said: said.map(str::to_owned),
            excuse: match self.bearing {
                Bearing::Free(Free::Excused(excuse)) => Some(excuse),
                Bearing::Free(Free::Trusted | Free::Harmless | Free::Agreed | Free::OnlyNamed)
                | Bearing::Untouched
                | Bearing::SendBack
                | Bearing::Doubted
                | Bearing::Waits => None,
            },
        }
    }
}
