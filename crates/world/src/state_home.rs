//! Locates the folder of a person's data on this machine, outside of every project: the deeds, and
//! the memory of `init`.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use sprag_store::{CacheDir, PathError};

/// Returns `$XDG_STATE_HOME/sprag`, else `~/.local/state/sprag`.
pub fn folder(state_home: Option<&OsStr>, home: Option<&Path>) -> Option<PathBuf> {
    let named = state_home.map(Path::new).filter(|path| path.is_absolute());
    let state = named.map(Path::to_path_buf).or_else(|| Some(home?.join(".local/state")))?;
    Some(state.join("sprag"))
}

/// Reads the variables from an environment; an empty one counts as unset.
pub fn of(environment: &[(OsString, OsString)]) -> Option<PathBuf> {
    let value = |name: &str| {
        let found = environment.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_os_str()).filter(|value| !value.is_empty())
    };
    folder(value("XDG_STATE_HOME"), value("HOME").map(Path::new))
}

/// Opens a folder, creating it and its parents if needed.
pub fn make(folder: &Path) -> Result<CacheDir, PathError> {
    if let Some(shelf) = CacheDir::open(folder)? {
        return Ok(shelf);
    }
    match (folder.parent(), folder.file_name().and_then(OsStr::to_str)) {
        (Some(parent), Some(name)) => {
            make(parent)?;
            CacheDir::make(parent, name)
        }
        (Some(_) | None, _) => Err(PathError {
            action: "make the folder",
            path: folder.to_path_buf(),
            source: std::io::ErrorKind::InvalidInput.into(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_where_the_standard_says() {
        let home = Some(Path::new("/home/a"));
        let of = |state: Option<&str>| folder(state.map(OsStr::new), home);
        assert_eq!(of(Some("/state")), Some("/state/sprag".into()));
        for none in [None, Some(""), Some("relative")] {
            assert_eq!(of(none), Some("/home/a/.local/state/sprag".into()), "{none:?}");
        }
        assert_eq!(folder(None, None), None);
    }

    #[test]
    fn an_empty_variable_is_not_set() {
        let variables = |home: &str, state: &str| {
            [("HOME", home), ("XDG_STATE_HOME", state)].map(|(name, set)| (name.into(), set.into()))
        };
        assert_eq!(of(&variables("/home/a", "")), Some("/home/a/.local/state/sprag".into()));
        assert_eq!(of(&variables("", "/state")), Some("/state/sprag".into()));
        assert_eq!(of(&variables("", "")), None);
    }
}
