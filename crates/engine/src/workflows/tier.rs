use std::cell::Cell;
use std::path::Path;

use sprag_core::DocPath;
use sprag_formats::MAX_BYTES;
use sprag_formats::workflow::{self, Folder, Way};
use sprag_store::{ExternalFiles, PathError, Reached};

/// How many folders are read.
const MOST: usize = 10_000;

/// How many bytes are read through one handle. A file counts at least [`FILE`] bytes, so that many
/// small files reach the limit too.
const BYTES: u64 = 64 << 20;
const FILE: u64 = 512;

/// How many workflows are worth a thread.
const SHARE: usize = 32;

/// Some workflows of a tier.
#[derive(Debug)]
pub(super) struct Share {
    tier: Tier,
    keys: Result<Vec<String>, String>,
}

impl Share {
    /// Reads the share's workflows. No other thread uses this handle.
    pub(super) fn read(&mut self) -> workflow::Share<'_> {
        workflow::read_share(&self.tier, &self.keys)
    }
}

/// A `workflows` folder on disk.
#[derive(Debug)]
pub struct Tier {
    folder: ExternalFiles,
    path: String,
    left: Cell<u64>,
}

impl Tier {
    /// Opens a folder, or returns `None` if it does not exist.
    pub fn open(folder: &Path) -> Result<Option<Self>, PathError> {
        let found = ExternalFiles::open(folder)?;
        Ok(found.map(|folder| {
            let path = folder.path().display().to_string();
            Self { folder, path, left: Cell::new(BYTES) }
        }))
    }

    /// Divides the work of reading the whole tier. Every share has its own handle.
    pub(super) fn shares(self) -> Vec<Share> {
        let keys = match self.keys() {
            Ok(keys) if keys.len() >= 2 * SHARE => keys,
            keys => return vec![Share { tier: self, keys }],
        };
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let size = keys.len().div_ceil(threads).max(SHARE);
        let share = |keys: &[String]| {
            let tier = Self::open(self.folder.path()).ok().flatten()?;
            Some(Share { tier, keys: Ok(keys.to_vec()) })
        };
        let shares: Option<Vec<_>> = keys.chunks(size).map(share).collect();
        shares.unwrap_or_else(|| vec![Share { tier: self, keys: Ok(keys) }])
    }

    /// Takes bytes from the budget, and returns whether there were enough.
    fn spend(&self, bytes: u64) -> bool {
        let left = self.left.get().checked_sub(bytes.max(FILE));
        self.left.set(left.unwrap_or(0));
        left.is_some()
    }
}

impl Folder for Tier {
    fn path(&self) -> &str {
        &self.path
    }

    fn keys(&self) -> Result<Vec<String>, String> {
        let names = self.folder.folders().map_err(|error| error.source.to_string())?;
        if names.len() > MOST {
            return Err(format!("it has {} folders, the limit is {MOST}", names.len()));
        }
        Ok(names)
    }

    fn has(&self, key: &str) -> bool {
        self.folder.has_folder(key)
    }

    fn read(&self, below: &str) -> Way<'_> {
        let below = match DocPath::parse(below) {
            Ok(below) => below,
            Err(bad) => return Way::Unreadable(bad.to_string()),
        };
        let (bytes, real) = match self.folder.read(&below, MAX_BYTES as u64) {
            Ok(Reached::File { bytes, real }) => (bytes, real),
            Ok(Reached::Absent) => return Way::Absent,
            Ok(Reached::Elsewhere) => return Way::Out,
            Err(error) => return Way::Unreadable(error.source.to_string()),
        };
        if !self.spend(bytes.len() as u64) {
            return Way::Unreadable(format!("more than {BYTES} bytes of workflows are not read"));
        }
        match String::from_utf8(bytes) {
            Ok(text) => {
                let real = real.map(|real| real.display().to_string());
                Way::Text { text: text.into(), real }
            }
            Err(bad) => {
                Way::Unreadable(format!("byte {} is not UTF-8", bad.utf8_error().valid_up_to()))
            }
        }
    }
}
