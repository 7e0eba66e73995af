//! Looks up the owner of a project, and records a person's claim to it.

use std::path::PathBuf;

use sprag_world::caller::Caller;
use sprag_world::state_home;
use sprag_world::trust::{self, Belongs, Deed};

use crate::engine::{Engine, EngineError};

impl Engine<'_> {
    /// Returns what a person agreed to here; empty if the project is not theirs.
    pub fn deed(&self) -> Deed {
        self.belongs().deed().unwrap_or_default()
    }

    pub fn belongs(&self) -> Belongs {
        Belongs::of(self.place, self.deeds().as_deref())
    }

    /// Returns the folder that holds a person's deeds on this machine.
    pub(crate) fn deeds(&self) -> Option<PathBuf> {
        state_home::of(self.environment)
    }

    /// Returns the folder of the deeds, or refuses: without it no approval can be kept.
    pub(crate) fn deeds_or_refuse(&self) -> Result<PathBuf, EngineError> {
        self.deeds().ok_or_else(|| EngineError::Refused {
            what: "there is no place to keep what you agree to".to_owned(),
            help: "set HOME or XDG_STATE_HOME".to_owned(),
        })
    }

    pub fn name_hosts(&self, typed: &[String]) -> Result<(), EngineError> {
        let deed = self.deed();
        let is_host = |name: &str| self.hosts.iter().any(|host| host.name() == name);
        let is_new = |name: &&String| !is_host(name) && !deed.has_host(name);
        let new: Vec<String> = typed.iter().filter(is_new).cloned().collect();
        if new.is_empty() {
            return Ok(());
        }
        Ok(trust::name_hosts(&self.deeds_or_refuse()?, self.place, &new)?)
    }

    pub fn make_ours(&self) -> Result<(), EngineError> {
        Ok(trust::record(&self.deeds_or_refuse()?, self.place, |_| ())?)
    }

    /// Claims the project for the person who begins something in it, if it has no owner yet.
    pub(crate) fn claim(&self, beginner: &Caller) -> Result<(), EngineError> {
        match (self.belongs(), beginner) {
            (Belongs::Here(_), _) | (Belongs::Moved(_), Caller::Agent { .. }) => Ok(()),
            (Belongs::Unknown { why }, _) => Err(EngineError::Refused {
                what: format!("it cannot be told whose project this is: {why}"),
                help: "mend that first".to_owned(),
            }),
            (
                Belongs::Moved(_) | Belongs::New | Belongs::Elsewhere | Belongs::Copy { .. },
                Caller::Person,
            ) => self.make_ours(),
            (Belongs::New | Belongs::Elsewhere | Belongs::Copy { .. }, Caller::Agent { .. }) => {
                Err(EngineError::Refused {
                    what: "no person has agreed to sprag in this folder".to_owned(),
                    help: "ask your person to run `sprag adopt`".to_owned(),
                })
            }
        }
    }
}
