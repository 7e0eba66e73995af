//! Lists every change of an input of a verdict for reports.

use serde::{Deserialize, Serialize};

use super::{
    Author, Basis, Bearing, Conditions, Excuse, Free, InputChange, InputKey, Role, bearing,
};

/// A change of an input that a verdict depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedChange {
    pub key: InputKey,
    /// The role of the input in the verdict.
    pub role: Role,
    pub how: InputChange,
    pub by: Author,
    pub bearing: Bearing,
}

/// A change in the form that machine-readable reports use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportedChange {
    /// The file, or `path#part`.
    pub path: String,
    /// The role of the input in the verdict.
    pub role: Role,
    pub how: InputChange,
    /// The host that changed it if known, else the kind of author.
    pub by: String,
    /// The gate whose pass depends on it, if any.
    pub gate: Option<String>,
    /// The agent's explanation.
    pub said: Option<String>,
    /// Evidence that makes the change count although an agent made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excuse: Option<Excuse>,
}

/// Lists every input whose bytes differ, whatever its author or consequence.
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
    /// Returns whether the change keeps a pass from counting.
    pub const fn is_doubt(&self) -> bool {
        self.bearing.is_doubt()
    }

    /// Converts the change for machine-readable reports.
    pub fn reported(
        &self,
        host: Option<&str>,
        gate: Option<&str>,
        said: Option<&str>,
    ) -> ReportedChange {
        // Only an agent has a host.
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
