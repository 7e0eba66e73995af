//! Finds programs on the search path and their versions.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sprag_hosts::Host;
use sprag_world::ids;
use sprag_world::process::{self, Command, Exit};

use super::variable;

/// A host on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostProgram {
    pub host: Host,
    /// The path of its program.
    pub path: PathBuf,
    /// Its version; `None` if it did not answer in time.
    pub version: Option<String>,
}

/// How long a program may take to print its version.
const LIMIT: Duration = Duration::from_secs(2);

/// Returns the path of a program. Only absolute folders are searched: `.` in the search path would
/// let a clone provide the program.
pub fn find(name: &str, environment: &[(OsString, OsString)]) -> Option<PathBuf> {
    let search = variable(environment, "PATH")?;
    let folders = std::env::split_paths(search).filter(|folder| folder.is_absolute());
    folders.map(|folder| folder.join(name)).find(|path| is_executable(path))
}

/// Returns whether a command in this folder finds its program. A program named by its path may
/// still be created, even by an agent.
pub fn is_found(name: &str, folder: &Path, environment: &[(OsString, OsString)]) -> bool {
    // Without a search path the system uses its own.
    let Some(search) = variable(environment, "PATH") else { return true };
    let mut folders = std::env::split_paths(search);
    name.contains('/') || folders.any(|one| is_executable(&folder.join(one).join(name)))
}

/// Returns which of the known hosts are on this machine, with their versions, which are queried in
/// parallel.
pub fn hosts(
    known: &[Host],
    folder: &Path,
    environment: &[(OsString, OsString)],
) -> Vec<HostProgram> {
    let programs: Vec<(Host, PathBuf)> = known
        .iter()
        .copied()
        .filter_map(|host| Some((host, find(host.name(), environment)?)))
        .collect();
    std::thread::scope(|scope| {
        let ask = |(host, path): (Host, PathBuf)| {
            scope.spawn(move || {
                let version = version(&path, folder, environment);
                HostProgram { host, path, version }
            })
        };
        let asked: Vec<_> = programs.into_iter().map(ask).collect();
        asked.into_iter().filter_map(|one| one.join().ok()).collect()
    })
}

/// Asks a program for its version; ends it if it takes too long.
fn version(path: &Path, folder: &Path, environment: &[(OsString, OsString)]) -> Option<String> {
    let command = Command {
        argv: vec![path.to_str()?.to_owned(), "--version".to_owned()],
        folder: folder.to_path_buf(),
        environment: process::clean(environment.iter().cloned()),
        effect: ids::effect().ok()?,
        limit: LIMIT,
    };
    let ran = command.run().ok()?;
    match ran.exit {
        Exit::Code(0) => number(&ran.output.text()),
        Exit::Code(_)
        | Exit::Signal(_)
        | Exit::TimedOut
        | Exit::Idle
        | Exit::Flooded
        | Exit::Stopped => None,
    }
}

/// Returns the first word that is a version: digits separated by dots.
fn number(said: &str) -> Option<String> {
    let words = said.split([' ', '\n', '\r', '\t', ',', '(', ')', '/']);
    let bare = words.map(|word| word.trim_start_matches('v').trim_end_matches('.'));
    let is_one = |word: &&str| {
        let safe = word.chars().all(|c| c.is_ascii_alphanumeric() || ".-+_".contains(c));
        word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.') && safe
    };
    bare.into_iter().find(is_one).map(|word| word.chars().take(32).collect())
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// Returns the name with which a host calls us: our bare name if its search path finds us, else our
/// path.
pub fn own_name(own: &Path, environment: &[(OsString, OsString)]) -> String {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    let on_path = find("sprag", environment).and_then(|path| real(&path));
    if on_path.is_some() && on_path == real(own) {
        return "sprag".to_owned();
    }
    own.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_what_programs_say() {
        for (said, version) in [
            ("2.1.325 (Claude Code)\n", "2.1.325"),
            ("codex-cli 0.166.0\n", "0.166.0"),
            ("0.61.0", "0.61.0"),
            ("GitHub Copilot CLI 1.0.102.\nCommit: x", "1.0.102"),
            ("v1.18.33", "1.18.33"),
        ] {
            assert_eq!(number(said).as_deref(), Some(version));
        }
        assert_eq!(number("no version\u{1b}[2J 1\u{1b}.2"), None);
    }
}
