//! Finds the packages that a Python virtual environment has installed from the project itself:
//! importing them would bypass the copy.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::Original;

/// How many entries of a folder are read.
const MOST: usize = 5_000;
/// How many bytes of a file are read.
const MOST_BYTES: u64 = 256 << 10;

/// Returns the project's folders that its virtual environments search, as relative paths.
pub(super) fn installed_from(original: &Original<'_>) -> BTreeSet<PathBuf> {
    let active = original.environment.iter().find(|(name, _)| name == "VIRTUAL_ENV");
    let own = [".venv", "venv"].map(|name| original.root.join(name));
    let all = active.map(|(_, path)| PathBuf::from(path)).into_iter().chain(own);
    let mut found = BTreeSet::new();
    for library in all.flat_map(|environment| inside(&environment.join("lib"))) {
        for file in inside(&library.join("site-packages")) {
            let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let text = || text(&file).unwrap_or_default();
            if file.extension().is_some_and(|extension| extension == "pth") {
                let lines = text();
                found.extend(lines.lines().filter_map(|line| below(original.root, line)));
            } else if name.starts_with("__editable__") && name.ends_with("finder.py") {
                let text = text();
                let packages = text.split(['\'', '"']).filter_map(|one| below(original.root, one));
                found.extend(packages.filter_map(|one| one.parent().map(Path::to_path_buf)));
            }
        }
    }
    found
}

fn below(root: &Path, path: &str) -> Option<PathBuf> {
    Path::new(path.trim()).strip_prefix(root).ok().map(Path::to_path_buf)
}

fn inside(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.take(MOST).map(|entry| entry.path()).collect()
}

fn text(path: &Path) -> Option<String> {
    let mut text = String::new();
    sprag_store::peek(path).ok()?.take(MOST_BYTES).read_to_string(&mut text).ok()?;
    Some(text)
}
