//! Asks git which files count, in a way that runs nothing of the repository's.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::time::Duration;

use super::TreeError;
use crate::process::{Said, Tool};

/// Longer than any repository takes; a pipe named `.gitignore` would take for ever.
const LIMIT: Duration = Duration::from_mins(1);

/// Variables of git that say where a person's settings are; all others could lead it astray.
const KEPT: [&str; 3] = ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM"];

/// Settings of the repository that would start a program, switched off. The owner of the folder
/// does not matter then: git asks for it only because of them.
const SAFE: [&str; 7] = [
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "safe.directory=*",
    "--no-optional-locks",
];

const HERE: &[u8] = b"./";

/// git, as it is started here.
#[derive(Debug)]
pub(crate) struct GitFiles {
    environment: Vec<(OsString, OsString)>,
}

impl GitFiles {
    pub(crate) fn new(environment: &[(OsString, OsString)]) -> Self {
        Self::seeing(environment, |name| KEPT.iter().any(|kept| name == *kept))
    }

    /// Returns git with all of a person's own settings, for questions about a remote: where that is,
    /// they may say in variables. Those that start a program are switched off as well.
    pub(crate) fn of_remotes(environment: &[(OsString, OsString)]) -> Self {
        Self::seeing(environment, |name| name.as_encoded_bytes().starts_with(b"GIT_CONFIG"))
    }

    fn seeing(environment: &[(OsString, OsString)], keeps: fn(&OsStr) -> bool) -> Self {
        let is_kept = |name: &OsStr| !name.as_encoded_bytes().starts_with(b"GIT_") || keeps(name);
        let kept = environment.iter().filter(|(name, _)| is_kept(name)).cloned();
        let ours = [("LC_ALL", "C"), ("GIT_TERMINAL_PROMPT", "0"), ("GIT_NO_LAZY_FETCH", "1")];
        let ours = ours.map(|(name, value)| (OsString::from(name), OsString::from(value)));
        Self { environment: kept.chain(ours).collect() }
    }

    /// Returns what is tracked or neither tracked nor ignored in `folder`; nothing where there is
    /// no git. Another repository in it is one name, with a `/` after it if it is not tracked.
    pub(super) fn list(&self, folder: &Path) -> Result<Option<Vec<Vec<u8>>>, TreeError> {
        let words = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
        match self.ask(folder, &words, &[]) {
            Ok(said) if said.exit == Some(0) => Ok(Some(names(&said.out))),
            Ok(said) => Err(TreeError::Git { why: said.complaint }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(TreeError::Git { why: error.to_string() }),
        }
    }

    /// Returns those of the paths that are ignored.
    pub(super) fn ignored(
        &self,
        folder: &Path,
        paths: &[Vec<u8>],
    ) -> Result<Vec<Vec<u8>>, TreeError> {
        let mut input = Vec::new();
        for path in paths {
            // A name that begins with a colon would mean something else.
            input.extend_from_slice(HERE);
            input.extend_from_slice(path);
            input.push(0);
        }
        match self.ask(folder, &["check-ignore", "-z", "--stdin"], &input) {
            // 1 is "none of them".
            Ok(said) if matches!(said.exit, Some(0 | 1)) => {
                let bare = |name: Vec<u8>| name.strip_prefix(HERE).map(<[u8]>::to_vec);
                Ok(names(&said.out).into_iter().filter_map(bare).collect())
            }
            Ok(said) => Err(TreeError::Git { why: said.complaint }),
            Err(error) => Err(TreeError::Git { why: error.to_string() }),
        }
    }

    /// Adds a setting that wins over those of the repository.
    pub(crate) fn set(&mut self, settings: &[(String, &str)]) {
        let mut add = |name: String, value: &str| {
            self.environment.push((name.into(), value.into()));
        };
        for (nth, (key, value)) in settings.iter().enumerate() {
            add(format!("GIT_CONFIG_KEY_{nth}"), key);
            add(format!("GIT_CONFIG_VALUE_{nth}"), value);
        }
        add("GIT_CONFIG_COUNT".to_owned(), &settings.len().to_string());
    }

    /// Asks git something.
    pub(crate) fn ask(&self, folder: &Path, words: &[&str], input: &[u8]) -> io::Result<Said> {
        let words: Vec<&OsStr> = SAFE.iter().chain(words).map(OsStr::new).collect();
        let environment = &self.environment;
        Tool { program: "git", words: &words, folder, environment, input, limit: LIMIT }.ask()
    }
}

fn names(out: &[u8]) -> Vec<Vec<u8>> {
    out.split(|&byte| byte == 0).filter(|name| !name.is_empty()).map(<[u8]>::to_vec).collect()
}

/// Returns the output of git in a folder; nothing where git exits with an error.
pub(crate) fn local_git(
    folder: &Path,
    environment: &[(OsString, OsString)],
    words: &[&str],
) -> std::io::Result<Option<String>> {
    let said = GitFiles::of_remotes(environment).ask(folder, words, &[])?;
    Ok((said.exit == Some(0)).then(|| String::from_utf8_lossy(&said.out).trim().to_owned()))
}
