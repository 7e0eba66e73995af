//! Finds programs. Only absolute folders of `PATH` are searched, because a relative one means any
//! folder of a project that we happen to be in.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// The folders that the system searches if `PATH` is not set.
const USUAL: &str = "/usr/local/bin:/usr/bin:/bin";
const NAME: &str = "PATH";

/// Returns the absolute folders of `PATH` in an environment.
pub(super) fn search_path(environment: &[(OsString, OsString)]) -> OsString {
    let set = environment.iter().rev().find(|(name, _)| name == NAME);
    let set = set.map_or(OsStr::new(USUAL), |(_, value)| value);
    let folders: Vec<&[u8]> = folders(set).map(|one| one.as_os_str().as_bytes()).collect();
    OsString::from_vec(folders.join(&b':'))
}

/// Finds a program by its name; a path is returned as it is.
pub(super) fn find(program: &str, search_path: &OsStr) -> io::Result<PathBuf> {
    if program.contains('/') {
        return Ok(PathBuf::from(program));
    }
    let found = folders(search_path).map(|folder| folder.join(program)).find(|path| runs(path));
    let missing = || {
        let why = format!("`{program}` is in no absolute folder of PATH");
        io::Error::new(io::ErrorKind::NotFound, why)
    };
    found.ok_or_else(missing)
}

/// Returns whether a program of this name is in a folder outside of `project`.
pub fn is_on_path(program: &str, environment: &[(OsString, OsString)], project: &Path) -> bool {
    let path = search_path(environment);
    let outside = folders(&path).filter(|folder| !folder.starts_with(project));
    outside.map(|folder| folder.join(program)).any(|path| runs(&path))
}

fn folders(search_path: &OsStr) -> impl Iterator<Item = &Path> {
    let parts = search_path.as_bytes().split(|&byte| byte == b':');
    parts.map(|part| Path::new(OsStr::from_bytes(part))).filter(|folder| folder.is_absolute())
}

fn runs(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_and_empty_folders_are_skipped() {
        let path = |value: &str| search_path(&[("PATH".into(), value.into())]);
        assert_eq!(path(":bin:/usr/bin::./x:/bin:."), "/usr/bin:/bin");
        assert_eq!(path(""), "");
        assert_eq!(search_path(&[]), USUAL);
        let twice = [("PATH".into(), "/a".into()), ("PATH".into(), "/b".into())];
        assert_eq!(search_path(&twice), "/b", "the last one counts, as for a process");
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "makes a program")]
    fn only_a_file_that_runs_is_a_program() {
        let top = tempfile::tempdir().unwrap();
        let (one, other) = (top.path().join("one"), top.path().join("other"));
        for folder in [&one, &other] {
            std::fs::create_dir(folder).unwrap();
            std::fs::write(folder.join("tool"), "").unwrap();
        }
        let mut path = one.clone().into_os_string();
        path.push(":");
        path.push(&other);
        assert_eq!(find("tool", &path).unwrap_err().kind(), io::ErrorKind::NotFound);
        let runs = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(other.join("tool"), runs).unwrap();
        assert_eq!(find("tool", &path).unwrap(), other.join("tool"));
        assert_eq!(find("./tool", &path).unwrap(), Path::new("./tool"));
    }
}
