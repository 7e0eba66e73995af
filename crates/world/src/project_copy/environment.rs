//! The environment of commands in a copy: that of a gate, with the copy in place of the project.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::Path;

use super::{Original, python};
use crate::git::without_git;

/// Keeps tools from writing to shared packages.
const ALWAYS: [(&str, &str); 2] = [("UV_NO_SYNC", "1"), ("PYTHONDONTWRITEBYTECODE", "1")];

/// Builds the environment for a copy. Variables that name a place in the project name the same
/// place in the copy.
pub(super) fn of(original: &Original<'_>, folder: &Path) -> Vec<(OsString, OsString)> {
    let root = original.root;
    let own = without_git(original.environment)
        .filter(|(name, _)| name != "PWD" && name != "OLDPWD" && name != "PYTHONPATH");
    let mut all: Vec<(OsString, OsString)> = own
        .map(|(name, value)| {
            let is_search = name == "PATH";
            let value = moved(&value, root, folder, is_search);
            (name, value)
        })
        .collect();
    all.push(("PWD".into(), folder.into()));
    all.extend(ALWAYS.map(|(name, value)| (name.into(), value.into())));
    all.extend(python_path(original, folder).map(|path| ("PYTHONPATH".into(), path)));
    all
}

/// Moves the paths of a list from the project to the copy. A folder of programs that the copy lacks
/// stays as it is.
fn moved(value: &OsStr, root: &Path, folder: &Path, is_search: bool) -> OsString {
    let parts = value.as_bytes().split(|byte| *byte == b':').map(|part| {
        let Ok(inside) = Path::new(OsStr::from_bytes(part)).strip_prefix(root) else {
            return part.to_vec();
        };
        let there =
            if inside.as_os_str().is_empty() { folder.to_path_buf() } else { folder.join(inside) };
        if is_search && !there.exists() { part.to_vec() } else { there.into_os_string().into_vec() }
    });
    OsString::from_vec(parts.collect::<Vec<_>>().join(&b':'))
}

/// Returns the folders that Python searches first: the copies of those installed from the project
/// itself.
fn python_path(original: &Original<'_>, folder: &Path) -> Option<OsString> {
    let named = original.environment.iter().find(|(name, _)| name == "PYTHONPATH");
    let named = named.map(|(_, value)| moved(value, original.root, folder, false));
    let installed = python::installed_from(original).into_iter();
    let installed = installed.map(|inside| folder.join(inside).into_os_string());
    let all: Vec<OsString> = installed.chain(named).filter(|path| !path.is_empty()).collect();
    (!all.is_empty()).then(|| all.join(OsStr::new(":")))
}
