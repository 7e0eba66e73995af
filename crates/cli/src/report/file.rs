//! Puts a page where it was asked for, and shows it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use sprag_core::RunId;
use sprag_engine::{process, root};
use sprag_store::{Lasting, PathError, Place, Shelf, StoreError, put};

use crate::codes::Code;
use crate::exit::Exit;
use crate::fault::{Fault, Stop};

/// How long another writer is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// Writes a page where a person wants it; an older one of that name is replaced.
pub(super) fn write(path: &Path, page: &str) -> Result<PathBuf, Stop> {
    let refused = |error: PathError| -> Stop {
        let message = format!("cannot {} the report: {}", error.action, error.source);
        Fault::new(Exit::Failed, Code::Output, message)
            .at(error.path.display().to_string())
            .help("name a file in a folder that is there")
            .into()
    };
    put(path, page.as_bytes()).map_err(refused)?;
    Ok(path.to_path_buf())
}

/// Keeps a page with what may be deleted at any time, and returns where it is.
pub(super) fn keep(place: &Place, run: &RunId, page: &str) -> Result<PathBuf, Stop> {
    let state = place.state.join(root::STATE);
    let name = format!("report-{run}.html");
    let shelf = Shelf::make_below(&place.state, ".sprag/cache").map_err(StoreError::from)?;
    let turn = shelf.turn(PATIENCE)?;
    let written = turn.write(&name, page.as_bytes(), 0o600, Lasting::Cached);
    written.map_err(StoreError::from)?;
    Ok(state.join("cache").join(name))
}

/// Shows a page with the program for it, where there is one; the path was said, so whatever goes
/// wrong costs nothing.
pub(super) fn open(path: &Path, environment: &[(std::ffi::OsString, std::ffi::OsString)]) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    process::hand_over(program, path, environment);
}
