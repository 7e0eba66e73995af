//! Writes an HTML report to a file, and opens it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use sprag_core::RunId;
use sprag_store::{CacheDir, Lasting, PathError, Place, StoreError, put};
use sprag_world::process;
use sprag_world::root;

use crate::codes::Code;
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault};

/// How long to wait for another writer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Writes a page to the given path, replacing an older file.
pub(super) fn write(path: &Path, page: &str) -> Result<PathBuf, EarlyExit> {
    let refused = |error: PathError| -> EarlyExit {
        let message = format!("cannot {} the report: {}", error.action, error.source);
        Fault::new(Exit::Failed, Code::Output, message)
            .at(error.path.display().to_string())
            .help("name a file in a folder that is there")
            .into()
    };
    put(path, page.as_bytes()).map_err(refused)?;
    Ok(path.to_path_buf())
}

/// Saves a page in the cache folder, whose files may be deleted at any time, and returns its path.
pub(super) fn keep(place: &Place, run: &RunId, page: &str) -> Result<PathBuf, EarlyExit> {
    let state = place.state.join(root::STATE);
    let name = format!("report-{run}.html");
    let shelf = CacheDir::make_below(&place.state, ".sprag/cache").map_err(StoreError::from)?;
    let turn = shelf.turn(PATIENCE)?;
    let written = turn.write(&name, page.as_bytes(), 0o600, Lasting::Cached);
    written.map_err(StoreError::from)?;
    Ok(state.join("cache").join(name))
}

/// Opens a page with the system's default program. Errors are ignored, since the path has been
/// printed.
pub(super) fn open(path: &Path, environment: &[(std::ffi::OsString, std::ffi::OsString)]) {
    process::show(path, environment);
}
