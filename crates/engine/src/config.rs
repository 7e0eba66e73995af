//! Loads `.sprag/config.yaml`, the person's settings for one project.

use sprag_core::{BadPath, DocPath, RunId};
use sprag_formats::{Config, Fault};
use sprag_store::{Doc, Edit, UnreadableCause, View};

use crate::engine::EngineError;
use crate::integrity::in_force::{Base, InForce};

/// The result of loading a project's configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Configured {
    /// The file is valid, or absent, which means that every key has its default.
    Known {
        config: Box<Config>,
        /// Warnings about unknown keys.
        notes: Vec<Fault>,
        /// The file's text, if there is a file. A run's definition is fingerprinted with it.
        text: Option<String>,
    },
    /// All errors in the file, in order.
    Wrong(Vec<Fault>),
    Unreadable(UnreadableCause),
}

pub(crate) use crate::integrity::law::CONFIG as PATH;

pub fn path() -> Result<DocPath, BadPath> {
    DocPath::parse(PATH)
}

pub(crate) fn document(view: &View<'_>) -> Result<Doc, BadPath> {
    match InForce::read(view) {
        Ok(in_force) => document_by(view, &in_force),
        // The file may have changed, and there is no way to find out.
        Err(error) => Ok(Doc::Unknown(UnreadableCause::Refused(error.to_string()))),
    }
}

/// Returns the text of the configuration in force. A linked worktree without one uses that of the
/// main worktree.
pub(crate) fn document_by(view: &View<'_>, in_force: &InForce) -> Result<Doc, BadPath> {
    let path = path()?;
    Ok(match in_force.document(view, &path, Base::Here) {
        Doc::Absent if !view.worktree().is_empty() => in_force.document(view, &path, Base::Main),
        own @ (Doc::Absent | Doc::Text(_) | Doc::Unknown(_)) => own,
    })
}

/// Parses the configuration in force.
pub fn load(view: &View<'_>) -> Result<Configured, BadPath> {
    read(document(view)?)
}

/// Parses the configuration that `in_force` selects.
pub(crate) fn load_by(view: &View<'_>, in_force: &InForce) -> Result<Configured, BadPath> {
    read(document_by(view, in_force)?)
}

/// Parses the configuration on disk, even if an agent changed it.
pub(crate) fn load_as_it_is(view: &View<'_>) -> Result<Configured, BadPath> {
    let path = path()?;
    read(match view.read(&path) {
        Doc::Absent => view.read_in_main(&path),
        own @ (Doc::Text(_) | Doc::Unknown(_)) => own,
    })
}

/// Parses the configuration of this worktree alone.
pub fn load_own(view: &View<'_>) -> Result<Configured, BadPath> {
    read(view.read(&path()?))
}

/// Returns the path of a run's own copy of the configuration.
pub(crate) fn copy_path(run: &RunId) -> Result<DocPath, BadPath> {
    DocPath::parse(&format!(".sprag/runs/{run}/config.yaml"))
}

/// Returns a run's own copy of the configuration.
pub(crate) fn copy(view: &View<'_>, run: &RunId) -> Result<Option<String>, EngineError> {
    let path = copy_path(run)?;
    match view.read(&path) {
        Doc::Absent => Ok(None),
        Doc::Text(text) => Ok(Some(text)),
        Doc::Unknown(why) => {
            Err(EngineError::Unreadable { path: path.to_string(), why: why.to_string() })
        }
    }
}

/// Replaces a run's own copy by the current configuration.
pub(crate) fn copy_again(view: &View<'_>, run: &RunId) -> Result<Option<Edit>, BadPath> {
    let text = document(view)?.text().map(str::to_owned);
    let doc = copy_path(run)?;
    Ok(text.map(|text| Edit::Write { doc, text }))
}

fn read(document: Doc) -> Result<Configured, BadPath> {
    let path = path()?;
    Ok(match document {
        Doc::Absent => Configured::Known { config: Box::default(), notes: vec![], text: None },
        Doc::Unknown(why) => Configured::Unreadable(why),
        Doc::Text(text) => match Config::read(&text, &sprag_hosts::names()) {
            Ok((config, notes)) => {
                let notes = named(notes, &path);
                Configured::Known { config: Box::new(config), notes, text: Some(text) }
            }
            Err(errors) => Configured::Wrong(named(errors, &path)),
        },
    })
}

fn named(faults: Vec<Fault>, path: &DocPath) -> Vec<Fault> {
    faults.into_iter().map(|fault| fault.in_file(path.as_str())).collect()
}

#[cfg(test)]
mod tests {
    use sprag_core::Seq;
    use sprag_store::{Place, Store, StoreError};
    use sprag_testkit::TestEnv;

    use super::*;

    fn load_from(env: &TestEnv) -> Configured {
        let store = Store::open(&Place::of(env.project()), Seq(1)).unwrap();
        store.read(|view| Ok::<_, StoreError>(load(view).unwrap())).unwrap()
    }

    #[test]
    fn a_missing_file_is_the_default_and_a_wrong_one_is_not() {
        let env = TestEnv::new();
        let Configured::Known { config, text: None, .. } = load_from(&env) else { panic!() };
        assert_eq!(*config, Config::default());
        env.write(".sprag/config.yaml", "off: true\nguards: 1\n");
        let Configured::Known { config, notes, .. } = load_from(&env) else { panic!() };
        assert!(config.off);
        assert_eq!(notes[0].to_string(), ".sprag/config.yaml:2:1: unknown key `guards`");
        env.write(".sprag/config.yaml", "off: 3\nguard: []\n");
        let Configured::Wrong(errors) = load_from(&env) else { panic!() };
        assert_eq!(errors.len(), 2);
        env.write(".sprag/config.yaml", b"\xff");
        assert!(matches!(load_from(&env), Configured::Unreadable(_)));
    }
}
