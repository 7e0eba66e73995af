use std::path::PathBuf;

use crate::place::Place;

/// The state of a project, relative to its folder.
const STATE: [&str; 4] = [".sprag", ".chipset", ".gsd/STATE.md", ".thoughts/pr"];
/// The scan stops after this many entries.
const MOST: usize = 20_000;

impl Place {
    /// Returns every symbolic link in the state. Links are not followed, and nothing behind them is
    /// read or written.
    pub fn links(&self) -> Vec<PathBuf> {
        let both = [Some(&self.state), Some(&self.root).filter(|root| **root != self.state)];
        let from = |base: &PathBuf| STATE.map(|path| steps(base, path));
        let mut open: Vec<PathBuf> = both.into_iter().flatten().flat_map(from).flatten().collect();
        let (mut links, mut seen) = (Vec::new(), 0);
        while let Some(path) = open.pop() {
            let Ok(found) = path.symlink_metadata() else { continue };
            if found.is_symlink() {
                links.push(path);
            } else if found.is_dir() {
                let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
                let before = open.len();
                open.extend(entries.take(MOST - seen).map(|entry| entry.path()));
                seen += open.len() - before;
            }
        }
        links.sort();
        links.dedup();
        links
    }
}

/// Returns the path below a folder, or the first link on the way to it.
fn steps(base: &std::path::Path, path: &str) -> Option<PathBuf> {
    let mut at = base.to_path_buf();
    for name in path.split('/') {
        if at != *base && at.is_symlink() {
            break;
        }
        at.push(name);
    }
    at.symlink_metadata().is_ok().then_some(at)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "it plays an agent")]
    fn every_link_of_the_state_is_found_and_none_is_followed() {
        let top = tempfile::tempdir().unwrap();
        let path = |name: &str| top.path().join(name);
        let place = Place::of(top.path());
        assert_eq!(place.links(), Vec::<PathBuf>::new());
        std::fs::create_dir_all(path("away/deep")).unwrap();
        symlink("/nowhere", path("away/deep/link")).unwrap();
        std::fs::create_dir_all(path(".sprag/runs/r-1")).unwrap();
        symlink(path("away"), path(".sprag/runs/r-1/receipts")).unwrap();
        symlink(path("away"), path(".gsd")).unwrap();
        symlink(path("away"), path("src")).unwrap();
        let found = [path(".gsd"), path(".sprag/runs/r-1/receipts")];
        assert_eq!(place.links(), found);
    }
}
