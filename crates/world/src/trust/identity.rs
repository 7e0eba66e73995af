//! The random id that distinguishes a project from its clones and copies.
//!
//! It is stored in the git folder that all worktrees share, which no clone contains, or in `.sprag`
//! if there is no git. A copy of the whole folder contains it as well; then the deed decides which
//! of the two is the person's.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sprag_core::Hash;
use sprag_store::{CacheDir, Lasting, Place};

use super::DeedError;
use crate::{ids, root};

const FILE: &str = "id";
/// Our folder inside a git folder.
const IN_GIT: &str = "sprag";
/// A longer file is not an id.
const MAX: u64 = 64;
const WAIT: Duration = Duration::from_secs(5);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Identity(String);

impl Identity {
    /// Returns the file name of a project's deed. A repository may contain several projects, which
    /// differ by their path below its top.
    pub(super) fn deed(&self, below: &Path) -> String {
        let mut whole = self.0.clone().into_bytes();
        if below != Path::new("") {
            whole.push(0);
            whole.extend_from_slice(below.as_os_str().as_encoded_bytes());
        }
        format!("{}.json", Hash::of(whole))
    }
}

/// The folder that a project stores its id in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Root {
    /// The git folder that its worktrees share.
    Git(#[serde(with = "spelled")] PathBuf),
    /// Its own folder, if there is no git.
    Folder(#[serde(with = "spelled")] PathBuf),
}

impl Root {
    pub(super) fn of(place: &Place) -> Self {
        match &place.common {
            Some(common) => Self::Git(common.clone()),
            None => Self::Folder(place.state.clone()),
        }
    }

    /// Returns the folder that stored the id before the project became a repository.
    pub(super) fn before_git(place: &Place) -> Option<Self> {
        place.common.as_ref().map(|_| Self::Folder(place.state.clone()))
    }

    /// Resolves links in the path.
    pub(super) fn real(self) -> Self {
        let real = |path: PathBuf| std::fs::canonicalize(&path).unwrap_or(path);
        match self {
            Self::Git(path) => Self::Git(real(path)),
            Self::Folder(path) => Self::Folder(real(path)),
        }
    }

    /// Returns whether both are the same folder, even by different paths.
    pub(super) fn is(&self, other: &Self) -> bool {
        let inode = |path: &Path| path.metadata().ok().map(|found| (found.dev(), found.ino()));
        match (self, other) {
            (Self::Git(one), Self::Git(other)) | (Self::Folder(one), Self::Folder(other)) => {
                one == other || inode(one).is_some_and(|one| Some(one) == inode(other))
            }
            (Self::Git(_), Self::Folder(_)) | (Self::Folder(_), Self::Git(_)) => false,
        }
    }

    /// Returns the folder by which a person knows it.
    pub(super) fn shown(&self) -> &Path {
        match self {
            Self::Git(path) if path.ends_with(".git") => path.parent().unwrap_or(path),
            Self::Git(path) | Self::Folder(path) => path,
        }
    }

    /// Reads the stored id, if there is one.
    pub(super) fn read(&self) -> Result<Option<Identity>, DeedError> {
        let (parent, name) = self.shelf();
        let Some(kept_in) = CacheDir::open_in(parent, name)? else { return Ok(None) };
        self.read_from(&kept_in)
    }

    /// Returns the project's id; generates one if it has none, or the same as another project.
    pub(super) fn make(&self, of_another: Option<&Identity>) -> Result<Identity, DeedError> {
        let (parent, name) = self.shelf();
        let kept_in = CacheDir::make(parent, name)?;
        let turn = kept_in.turn(WAIT)?;
        let known = self.read_from(&kept_in)?;
        if let Some(known) = known.filter(|known| Some(known) != of_another) {
            return Ok(known);
        }
        let made = Identity(ids::project());
        turn.write(FILE, format!("{}\n", made.0).as_bytes(), 0o600, Lasting::Synced)?;
        Ok(made)
    }

    fn read_from(&self, kept_in: &CacheDir) -> Result<Option<Identity>, DeedError> {
        let Some(bytes) = kept_in.read(FILE, MAX)? else { return Ok(None) };
        let text = std::str::from_utf8(&bytes).ok().and_then(|text| text.strip_suffix('\n'));
        let id = text.filter(|text| ids::is_project(text)).map(|text| Identity(text.to_owned()));
        id.map(Some).ok_or_else(|| {
            let (parent, name) = self.shelf();
            let path = parent.join(name).join(FILE);
            DeedError::Unreadable { path, why: "it is not the id of a project".to_owned() }
        })
    }

    fn shelf(&self) -> (&Path, &'static str) {
        match self {
            Self::Git(path) => (path, IN_GIT),
            Self::Folder(path) => (path, root::STATE),
        }
    }
}

/// A path in JSON: a string, or a list of bytes if it is not UTF-8.
mod spelled {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    use std::path::{Path, PathBuf};

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Spelled {
        Text(String),
        Bytes(Vec<u8>),
    }

    pub(super) fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
        let bytes = || Spelled::Bytes(path.as_os_str().as_bytes().to_vec());
        path.to_str().map_or_else(bytes, |text| Spelled::Text(text.to_owned())).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
        Ok(match Spelled::deserialize(from)? {
            Spelled::Text(text) => text.into(),
            Spelled::Bytes(bytes) => OsStr::from_bytes(&bytes).into(),
        })
    }
}
