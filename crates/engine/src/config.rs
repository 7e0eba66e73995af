//! Loads `.sprag/config.yaml`, the person's settings for one project.

use sprag_core::{BadPath, DocPath};
use sprag_formats::{Config, Fault};
use sprag_store::{Doc, View, Why};

/// What is known of a project's configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Configured {
    /// It can be read, or there is none and everything has its default.
    Known {
        /// What it says.
        config: Box<Config>,
        /// Keys that nobody knows.
        notes: Vec<Fault>,
        /// Its text, where there is one: what a run's definition is fingerprinted by.
        text: Option<String>,
    },
    /// It is there, and something in it cannot be understood: all of that, in order.
    Wrong(Vec<Fault>),
    /// It cannot be read at all.
    Unreadable(Why),
}

/// Returns where the configuration stands.
pub fn path() -> Result<DocPath, BadPath> {
    DocPath::parse(".sprag/config.yaml")
}

/// Reads the configuration.
pub fn load(view: &View<'_>) -> Result<Configured, BadPath> {
    let path = path()?;
    Ok(match view.read(&path) {
        Doc::Absent => Configured::Known { config: Box::default(), notes: vec![], text: None },
        Doc::Unknown(why) => Configured::Unreadable(why),
        Doc::Text(text) => match Config::read(&text) {
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
    use sprag_store::{Place, Store, StoreError};
    use sprag_testkit::TestEnv;

    use super::*;

    fn load_from(env: &TestEnv) -> Configured {
        let store = Store::open(&Place::of(env.project())).unwrap();
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
