//! The paths that agents may not write, recognised by their components: every `.sprag` folder, and
//! the host's settings in any folder.
//!
//! This is for the words of a shell text, whose actual paths are not known for sure.
//! [`edits`](crate::edits) is exact where the whole path is known.

use crate::{Host, Setting};

/// The folder of sprag's state and definitions.
pub(crate) const OURS: &str = ".sprag";

/// How a path relates to a protected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    /// The path is protected, or inside a protected folder.
    Inside,
    /// The path is a folder that contains settings: `.claude`.
    Around,
}

/// Returns how a path relates to the protected ones. In it, `*`, `?` or `[…]` match as in a shell.
pub(crate) fn touch(host: Host, path: &str) -> Option<Touch> {
    if !path.contains('.') {
        return None;
    }
    let steps = steps(path);
    if steps.iter().any(|step| fits(step, OURS)) || is_trust(&steps) {
        return Some(Touch::Inside);
    }
    let inside = |setting: &Setting| {
        let wanted = setting.steps();
        let below = || steps.windows(wanted.clone().count()).any(|part| fit(part, wanted.clone()));
        ends(&steps, wanted.clone()) || setting.is_folder() && below()
    };
    let around = |setting: &Setting| {
        let wanted = setting.steps();
        (1..wanted.clone().count()).any(|first| ends(&steps, wanted.clone().take(first)))
    };
    if host.settings().iter().any(inside) {
        return Some(Touch::Inside);
    }
    host.settings().iter().any(around).then_some(Touch::Around)
}

/// Returns whether a path leads to the list of commands that a person trusts.
fn is_trust(steps: &[&str]) -> bool {
    let folder = [".local", "state", "sprag"];
    steps.windows(folder.len()).any(|part| fit(part, folder.into_iter()))
}

/// Returns whether components, which may be patterns, match as many names.
fn fit(steps: &[&str], wanted: impl Iterator<Item = &'static str>) -> bool {
    steps.iter().zip(wanted).all(|(step, name)| fits(step, name))
}

/// Returns whether the last components match these names.
fn ends(steps: &[&str], wanted: impl Iterator<Item = &'static str> + Clone) -> bool {
    let from = steps.len().checked_sub(wanted.clone().count());
    from.is_some_and(|from| fit(&steps[from..], wanted))
}

/// Returns the protected path that a program's text mentions.
pub(crate) fn mentioned(host: Host, code: &str) -> Option<&'static str> {
    let whole = |name: &str| {
        code.match_indices(name).any(|(at, _)| {
            let before = code[..at].chars().next_back();
            let after = code[at + name.len()..].chars().next();
            let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
            !before.is_some_and(part) && !after.is_some_and(|c| part(c) || c == '.')
        })
    };
    if whole(OURS) {
        return Some(OURS);
    }
    let speaks = |setting: &&Setting| setting.steps().all(whole);
    host.settings().iter().find(speaks).map(|setting| setting.path)
}

/// The components of a path, with `.` and `..` resolved.
fn steps(path: &str) -> Vec<&str> {
    let mut steps = Vec::new();
    for step in path.split('/') {
        match step {
            "" | "." => {}
            ".." => drop(steps.pop()),
            _ => steps.push(step),
        }
    }
    steps
}

/// Returns whether a component, which may be a pattern, matches a name. A leading dot must be in
/// the pattern too. Case is ignored, as on many disks.
fn fits(pattern: &str, name: &str) -> bool {
    if name.starts_with('.') && !pattern.starts_with('.') {
        return false;
    }
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    // The position of the last `*`, and the position in the name at that time.
    let (mut at, mut done, mut star) = (0, 0, None);
    while done < name.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, done));
                at += 1;
            }
            // A set in brackets counts as any one character.
            Some(b'[') => {
                let close = pattern[at..].iter().position(|&byte| byte == b']');
                (at, done) = (close.map_or(pattern.len(), |close| at + close + 1), done + 1);
            }
            Some(b'?') => (at, done) = (at + 1, done + 1),
            Some(byte) if byte.eq_ignore_ascii_case(&name[done]) => (at, done) = (at + 1, done + 1),
            Some(_) | None => {
                let Some((from, taken)) = star else { return false };
                star = Some((from, taken + 1));
                (at, done) = (from + 1, taken + 1);
            }
        }
    }
    pattern[at..].iter().all(|&byte| byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_known_by_their_steps() {
        for path in [
            ".sprag",
            "./.sprag/",
            "/home/dev/proj/.sprag/config.yaml",
            "src/../.sprag/runs",
            ".SPRAG/x",
            ".spr*",
            ".*",
            ".s[p]rag",
            ".s?rag/config.yaml",
            ".claude/settings.json",
            "*/.claude/settings.local.json",
            "~/.claude/settings.json",
            ".claude/*",
            ".claude/settings*",
        ] {
            assert_eq!(touch(Host::CLAUDE, path), Some(Touch::Inside), "{path}");
        }
        assert_eq!(touch(Host::CLAUDE, "/x/.claude/"), Some(Touch::Around));
        for path in [
            "",
            ".",
            "..",
            "*",
            "src/*.rs",
            "sprag",
            ".spragrc",
            ".sprag-old/x",
            "x.sprag",
            ".sprag/../src/main.rs",
            ".claude/agents/a.md",
            ".claude/settings.json.md",
            "settings.json",
            ".git/*",
        ] {
            assert_eq!(touch(Host::CLAUDE, path), None, "{path}");
        }
    }

    #[test]
    fn settings_may_be_folders() {
        for path in [".github/hooks", "x/.github/hooks/a.json", "~/.copilot/hooks/a/b", ".github/*"]
        {
            assert_eq!(touch(Host::COPILOT, path), Some(Touch::Inside), "{path}");
        }
        for path in [".github", "~/.copilot/", "/p/.github/copilot"] {
            assert_eq!(touch(Host::COPILOT, path), Some(Touch::Around), "{path}");
        }
        assert_eq!(touch(Host::PI, "~/.pi"), Some(Touch::Around));
        for path in [".github/workflows/x.yaml", "hooks/a.json", ".github/x/hooks"] {
            assert_eq!(touch(Host::COPILOT, path), None, "{path}");
        }
    }

    #[test]
    fn programs_are_known_by_what_they_speak_of() {
        for code in [
            "open('.sprag/config.yaml','w')",
            "Path(root) / \".sprag\"",
            "os.path.join('.claude', 'settings.json')",
        ] {
            assert!(mentioned(Host::CLAUDE, code).is_some(), "{code}");
        }
        for code in ["import x.sprag_y", "'.spragrc'", "'settings.json'", "'.claude/agents'", ""] {
            assert!(mentioned(Host::CLAUDE, code).is_none(), "{code}");
        }
    }
}
