//! Lets a person own the projects that are measured: in a folder from elsewhere nothing counts.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::Failure;

/// Makes a project a person's, for this binary and for one of the first release, which knows no deed.
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
    // The first release does not know the verb, and needs none.
    adopt.stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    Ok(())
}
