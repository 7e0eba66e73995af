//! Which paths agents may not write, told by the path's own words: every `.sprag` folder, and the
//! host's settings wherever they are.
//!
//! For the words of a shell text, of which nobody knows for sure where they lead. Where the whole
//! path is known, [`edits`](crate::edits) is exact.

use crate::Host;

/// The folder that is ours.
pub(crate) const OURS: &str = ".sprag";

/// How a path touches what is protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    /// It is it, or lies in it.
    Inside,
    /// It is the folder around settings: `.claude`.
    Around,
}

/// Says how a path touches what is protected. A `*`, `?` or `[…]` stands for whatever fits, as it
/// does in a shell.
pub(crate) fn touch(host: Host, path: &str) -> Option<Touch> {
    if !path.contains('.') {
        return None;
    }
    let steps = steps(path);
    if steps.iter().any(|step| fits(step, OURS)) {
        return Some(Touch::Inside);
    }
    let ends = |wanted: &[&str]| {
        let tail = steps.len().checked_sub(wanted.len()).map(|from| &steps[from..]);
        tail.is_some_and(|tail| tail.iter().zip(wanted).all(|(step, name)| fits(step, name)))
    };
    host.settings().iter().find_map(|setting| {
        let wanted: Vec<&str> = setting.path.split('/').collect();
        let around = wanted.split_last().map_or(&[][..], |(_, around)| around);
        match (ends(&wanted), !around.is_empty() && ends(around)) {
            (true, _) => Some(Touch::Inside),
            (false, true) => Some(Touch::Around),
            (false, false) => None,
        }
    })
}

/// Returns the protected path that a program's text speaks of.
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
    let settings = host.settings().iter().map(|setting| setting.path);
    settings.into_iter().find(|path| path.split('/').all(whole))
}

/// Returns the steps of a path, `.` and `..` worked in.
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

/// Returns whether a step of a path, which may be a pattern, fits a name. Names with a dot in front
/// need it in the pattern; letters count as equal in either case, as on many disks.
fn fits(pattern: &str, name: &str) -> bool {
    if name.starts_with('.') && !pattern.starts_with('.') {
        return false;
    }
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    // Where the last `*` stood, and how far the name was then.
    let (mut at, mut done, mut star) = (0, 0, None);
    while done < name.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, done));
                at += 1;
            }
            // A set in brackets is taken for any one character.
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
            assert_eq!(touch(Host::Claude, path), Some(Touch::Inside), "{path}");
        }
        assert_eq!(touch(Host::Claude, "/x/.claude/"), Some(Touch::Around));
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
            assert_eq!(touch(Host::Claude, path), None, "{path}");
        }
    }

    #[test]
    fn programs_are_known_by_what_they_speak_of() {
        for code in [
            "open('.sprag/config.yaml','w')",
            "Path(root) / \".sprag\"",
            "os.path.join('.claude', 'settings.json')",
        ] {
            assert!(mentioned(Host::Claude, code).is_some(), "{code}");
        }
        for code in ["import x.sprag_y", "'.spragrc'", "'settings.json'", "'.claude/agents'", ""] {
            assert!(mentioned(Host::Claude, code).is_none(), "{code}");
        }
    }
}
