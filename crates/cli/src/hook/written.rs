//! The paths that a call would write: each as the agent wrote it, and where it may lead.
//!
//! The system follows links before it resolves `..`, but most hosts resolve `..` first. Both ways
//! are checked, because only the host knows which one applies.

use std::path::{Component, Path, PathBuf};

use sprag_hosts::ToolCall;

#[derive(Debug)]
pub(super) struct HookOutputText<'c> {
    /// The path as the agent wrote it.
    pub(super) path: &'c str,
    /// The absolute paths it may lead to.
    pub(super) leads: Vec<PathBuf>,
}

pub(super) fn written<'c>(
    call: &'c ToolCall,
    cwd: &Path,
    home: Option<&Path>,
) -> Vec<HookOutputText<'c>> {
    let leads = |path: &str| {
        let at_home = home.and_then(|home| Some(home.join(path.strip_prefix("~/")?)));
        at_home.iter().chain([&cwd.join(path)]).flat_map(|path| leads(path)).collect()
    };
    call.writes().iter().map(|path| HookOutputText { path, leads: leads(path) }).collect()
}

fn leads(path: &Path) -> Vec<PathBuf> {
    let straight = straight(path);
    let mut leads = vec![straight];
    leads.extend(real(&leads[0]));
    if path.components().any(|step| step == Component::ParentDir) {
        leads.extend(real(path));
    }
    leads.dedup();
    leads
}

/// Resolves `..` by the names alone.
fn straight(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut whole, step| {
        if step == Component::ParentDir {
            whole.pop();
        } else {
            whole.push(step);
        }
        whole
    })
}

/// Resolves the links of a path, as far as it exists.
fn real(path: &Path) -> Option<PathBuf> {
    let mut rest = Vec::new();
    let mut at = path;
    loop {
        if let Ok(found) = std::fs::canonicalize(at) {
            return Some(rest.iter().rev().fold(found, |whole, name| whole.join(name)));
        }
        rest.push(at.file_name()?);
        at = at.parent()?;
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use sprag_hosts::Class;
    use sprag_testkit::TestEnv;

    use super::*;

    #[test]
    fn both_ways_through_a_link_are_seen() {
        let env = TestEnv::new();
        env.write(".sprag/config.yaml", "");
        env.write("a/b/c", "");
        let top = env.project();
        symlink("../.sprag", top.join("a/link")).unwrap();
        symlink("a/b", top.join("deep")).unwrap();
        let config = top.join(".sprag/config.yaml");
        for path in [
            ".sprag/config.yaml",
            "a/link/config.yaml",
            "a/link/none/../config.yaml",
            "none/../a/link/config.yaml",
            "a/../.sprag/config.yaml",
            // After this `..` the system is in `a`; by the names alone it is in `.`.
            "deep/../link/config.yaml",
            "deep/../.sprag/config.yaml",
        ] {
            assert!(leads(&top.join(path)).contains(&config), "{path}");
        }
        for path in ["a/config.yaml", "deep/config.yaml", "none/config.yaml"] {
            assert!(!leads(&top.join(path)).contains(&config), "{path}");
        }
        assert_eq!(leads(&top.join("a/b/new")), [top.join("a/b/new")], "each place once");
    }

    #[test]
    fn a_path_from_home_is_looked_at_there_and_here() {
        let call = ToolCall {
            name: "Edit".to_owned(),
            class: Class::Edit,
            paths: vec!["~/x/../y".to_owned()],
            command: None,
            prompt: None,
            id: None,
        };
        let all = written(&call, Path::new("/none"), Some(Path::new("/home/me")));
        assert_eq!(all[0].path, "~/x/../y");
        for lead in ["/home/me/y", "/none/~/y"] {
            assert!(all[0].leads.contains(&PathBuf::from(lead)), "{lead}: {:?}", all[0].leads);
        }
        assert_eq!(written(&call, Path::new("/none"), None)[0].leads, [Path::new("/none/~/y")]);
    }
}
