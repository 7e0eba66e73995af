//! Records the measured projects as the user's own: in a folder from elsewhere no setting has an
//! effect.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::Failure;

/// Records a project as the user's own, for this binary and for one of the first release, which has
/// no deeds.
pub(crate) fn let_own(sprag: &Path, home: &Path, root: &Path) -> Result<(), Failure> {
    let folder = home.join(".local/state/sprag");
    std::fs::create_dir_all(&folder)?;
    let list = folder.join("trust.json");
    let root = root.canonicalize()?;
    let known = serde_json::json!({ "v": 1, "roots": { root.to_str().ok_or("a path")?: [] } });
    std::fs::write(&list, known.to_string())?;
    std::fs::set_permissions(&list, std::fs::Permissions::from_mode(0o600))?;
    let mut adopt = Command::new(sprag);
    adopt.args(["adopt", "--yes"]).current_dir(root).env("HOME", home).env("SPRAG_TEST_ALONE", "1");
    adopt.env_remove("XDG_STATE_HOME").stdin(Stdio::null());
    // The first release lacks the command and does not need it.
    adopt.stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    Ok(())
}
