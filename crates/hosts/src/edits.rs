//! Decides which edits are denied before the tool runs: everything in `.sprag/`, and the host's
//! settings.
//!
//! Looks only at the path itself; the engine resolves symbolic links on the way.

use std::borrow::Cow;
use std::path::{Component, Path};

use crate::place::OURS;
use crate::{Host, PathBase};

/// The folders that paths are resolved against.
#[derive(Clone, Copy, Debug)]
pub struct EditContext<'a> {
    pub root: &'a Path,
    /// The folder that the session works in.
    pub cwd: &'a Path,
    /// The person's home folder.
    pub home: Option<&'a Path>,
}

/// The reason why a path is protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protected {
    /// The state and the definitions of sprag.
    Ours,
    /// A file that configures which programs the host calls.
    Settings,
}

/// Returns why a path, as the agent wrote it, is protected, or `None` if it is not. Also checks the
/// path without surrounding blanks, which some hosts remove.
pub fn protected(host: Host, path: &str, ground: EditContext<'_>) -> Option<Protected> {
    let trimmed = path.trim();
    let as_it_is = leads_to(host, path, ground);
    as_it_is.or_else(|| leads_to(host, trimmed, ground).filter(|_| trimmed != path))
}

fn leads_to(host: Host, path: &str, ground: EditContext<'_>) -> Option<Protected> {
    let path = whole(path, ground);
    let below = |folder: &Path| {
        let folder = steps(folder, Vec::new());
        let equal = |(one, two): (&Step<'_>, &Step<'_>)| one.eq_ignore_ascii_case(two);
        let inside = path.len() >= folder.len() && path.iter().zip(&folder).all(equal);
        inside.then(|| &path[folder.len()..])
    };
    let ours = |folder: &Path| {
        let first = below(folder)?.first()?;
        first.eq_ignore_ascii_case(OURS).then_some(Protected::Ours)
    };
    let is_setting = |folder: &Path, at: PathBase| {
        let rest = below(folder)?;
        let mut settings = host.settings().iter().filter(|setting| setting.at == at);
        settings.any(|setting| setting.holds(rest)).then_some(Protected::Settings)
    };
    ours(ground.root)
        .or_else(|| is_setting(ground.root, PathBase::Project))
        .or_else(|| is_setting(ground.cwd, PathBase::Project))
        .or_else(|| is_setting(ground.home?, PathBase::Home))
}

/// One component of a path.
type Step<'a> = Cow<'a, str>;

/// Returns the components of the absolute path, from the root.
fn whole<'a>(path: &'a str, ground: EditContext<'a>) -> Vec<Step<'a>> {
    match (path.strip_prefix("~/"), ground.home) {
        (Some(rest), Some(home)) => steps(Path::new(rest), steps(home, Vec::new())),
        _ if Path::new(path).is_absolute() => steps(Path::new(path), Vec::new()),
        _ => steps(Path::new(path), steps(ground.cwd, Vec::new())),
    }
}

/// Appends the components of a path and resolves `.` and `..`.
fn steps<'a>(path: &'a Path, mut from: Vec<Step<'a>>) -> Vec<Step<'a>> {
    for step in path.components() {
        match step {
            Component::RootDir | Component::CurDir => {}
            Component::ParentDir => drop(from.pop()),
            Component::Prefix(_) | Component::Normal(_) => {
                from.push(step.as_os_str().to_string_lossy());
            }
        }
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(path: &str) -> Option<Protected> {
        look_at(Host::CLAUDE, path)
    }

    fn look_at(host: Host, path: &str) -> Option<Protected> {
        let ground = EditContext {
            root: Path::new("/home/dev/proj"),
            cwd: Path::new("/home/dev/proj/api/"),
            home: Some(Path::new("/home/dev")),
        };
        protected(host, path, ground)
    }

    #[test]
    fn the_state_and_the_settings_are_protected() {
        for path in [
            "/home/dev/proj/.sprag",
            "/home/dev/proj/.sprag/config.yaml",
            "/home/dev/proj//src/./../.sprag/workflows/dev/workflow.yaml",
            "/home/dev/proj/.Sprag/config.yaml",
            "../.sprag/config.yaml",
            "../../proj/.sprag/lock",
            "~/proj/.sprag/journal",
            " /home/dev/proj/.sprag/config.yaml",
            " ../.sprag/config.yaml\n",
        ] {
            assert_eq!(look(path), Some(Protected::Ours), "{path}");
        }
        for path in [
            "/home/dev/proj/.claude/settings.json",
            "/home/dev/proj/.claude/settings.local.json",
            "/home/dev/proj/.claude/x/../Settings.json",
            ".claude/settings.json",
            "../.claude/settings.json",
            "~/.claude/settings.json",
            "/home/dev/.claude/settings.json",
        ] {
            assert_eq!(look(path), Some(Protected::Settings), "{path}");
        }
    }

    #[test]
    fn everything_else_is_not() {
        for path in [
            "",
            ".",
            "/",
            "/home/dev/proj",
            "/home/dev/proj/src/main.rs",
            "/home/dev/proj/.spragrc",
            "/home/dev/proj/.sprag/../src/x",
            "/home/dev/proj/fixtures/.sprag/config.yaml",
            "/home/dev/proj/fixtures/.claude/settings.json",
            "/home/dev/proj/.claude/agents/settings.json",
            "/home/dev/project/.sprag/config.yaml",
            "~/.claude/agents/a.md",
            "../../../../../../../etc/.sprag",
            "settings.json",
            "\0",
        ] {
            assert_eq!(look(path), None, "{path}");
        }
    }

    #[test]
    fn every_host_has_its_own_settings() {
        for (host, path) in [
            (Host::CODEX, ".codex/hooks.json"),
            (Host::CODEX, "~/.codex/config.toml"),
            (Host::GEMINI, "../.gemini/settings.json"),
            (Host::COPILOT, "../.github/hooks"),
            (Host::COPILOT, "../.github/Hooks/any.json"),
            (Host::COPILOT, "../.claude/settings.json"),
            (Host::COPILOT, "~/.copilot/hooks/deep/x.json"),
            (Host::OPENCODE, ".opencode/plugin/sprag.js"),
            (Host::OPENCODE, "~/.config/opencode/plugins/x.ts"),
            (Host::PI, "../.pi/extensions/sprag/index.ts"),
        ] {
            assert_eq!(look_at(host, path), Some(Protected::Settings), "{host:?} {path}");
            assert_eq!(look_at(host, "../.sprag/x"), Some(Protected::Ours), "{host:?}");
        }
        for (host, path) in [
            (Host::CODEX, "../.claude/settings.json"),
            (Host::CODEX, ".codex/hooks.json/x"),
            (Host::GEMINI, "../.gemini/GEMINI.md"),
            (Host::COPILOT, "../.github/workflows/ci.yaml"),
            (Host::COPILOT, "../.github/hooks.json"),
            (Host::COPILOT, "../.copilot/hooks/x.json"),
            (Host::OPENCODE, "../opencode.json"),
            (Host::OPENCODE, ".opencode/agent/a.md"),
            (Host::PI, "../.pi/workflows/dev/workflow.yaml"),
        ] {
            assert_eq!(look_at(host, path), None, "{host:?} {path}");
        }
    }
}
