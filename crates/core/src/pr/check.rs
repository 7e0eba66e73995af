use crate::{Fields, Plain, Stored, Unreadable};

/// A check of a commit, as stored in `metadata.yaml` under `ciStatus`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CiCheck {
    pub name: String,
    /// The progress; for a commit status always `COMPLETED`.
    pub status: Option<String>,
    /// The result.
    pub conclusion: Option<String>,
    /// `CheckRun` or `StatusContext`: the two report "pending" in different fields.
    pub typename: Option<String>,
    /// Whether the forge requires it for a merge; unknown in files of other programs.
    pub required: Option<bool>,
    /// The other keys of the entry.
    pub rest: Vec<(String, Plain)>,
}

/// The effect of a check on the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Light {
    /// It has not ended.
    Pending,
    /// It failed and blocks.
    Failing,
    /// It does not block.
    Good,
}

/// The checks by their effect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lights {
    /// The names of checks that have not ended.
    pub pending: Vec<String>,
    /// The names of failed checks.
    pub failing: Vec<String>,
    /// The names of failed or running checks that do not count because others are required.
    pub advisory: Vec<String>,
}

impl CiCheck {
    pub fn light(&self) -> Light {
        let conclusion = self.conclusion.as_deref().unwrap_or_default();
        if self.typename.as_deref() == Some("StatusContext") {
            return match conclusion {
                "PENDING" | "EXPECTED" => Light::Pending,
                "SUCCESS" | "" => Light::Good,
                _ => Light::Failing,
            };
        }
        match (self.status.as_deref().unwrap_or_default(), conclusion) {
            ("COMPLETED" | "", "SUCCESS" | "CANCELLED" | "SKIPPED" | "NEUTRAL" | "") => Light::Good,
            ("COMPLETED" | "", _) => Light::Failing,
            _ => Light::Pending,
        }
    }
}

impl Lights {
    /// Sorts checks; if the forge names required ones, only those count.
    pub fn of(checks: &[CiCheck]) -> Self {
        let named = checks.iter().any(|check| check.required == Some(true));
        let mut lights = Self::default();
        for check in checks {
            let counts = !named || check.required == Some(true);
            let place = match (check.light(), counts) {
                (Light::Good, _) => continue,
                (Light::Pending, true) => &mut lights.pending,
                (Light::Failing, true) => &mut lights.failing,
                (Light::Pending | Light::Failing, false) => &mut lights.advisory,
            };
            place.push(check.name.clone());
        }
        lights
    }
}

const OWN: [&str; 5] = ["name", "status", "conclusion", "typename", "required"];

impl Stored for CiCheck {
    fn lower(&self) -> Plain {
        let mut entries = vec![("name".to_owned(), self.name.lower())];
        let own = [
            ("status", self.status.lower()),
            ("conclusion", self.conclusion.lower()),
            ("typename", self.typename.lower()),
        ];
        entries.extend(own.map(|(key, value)| (key.to_owned(), value)));
        entries.extend(self.required.map(|flag| ("required".to_owned(), flag.lower())));
        entries.extend(self.rest.iter().cloned());
        Plain::Map(entries)
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        let Plain::Map(entries) = plain else { return Ok(Self::default()) };
        let foreign = entries.iter().filter(|(key, _)| !OWN.contains(&key.as_str()));
        Ok(Self {
            name: fields.get::<Option<String>>("name")?.unwrap_or_else(|| "unknown".to_owned()),
            status: fields.get("status")?,
            conclusion: fields.get("conclusion")?,
            typename: fields.get("typename")?,
            required: fields.get("required")?,
            rest: foreign.cloned().collect(),
        })
    }
}
