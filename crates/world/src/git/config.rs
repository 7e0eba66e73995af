//! Reads the two settings of a git configuration that determine the main working tree.

use std::path::Path;

use super::{GitError, read_bytes};

/// The settings of `[core]` about the working tree.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Core {
    pub(super) bare: bool,
    pub(super) worktree: Option<String>,
}

/// Reads `config`, then `config.worktree`, to which `git worktree` moves these two settings.
pub(super) fn core(common: &Path) -> Result<Core, GitError> {
    let mut core = Core::default();
    for name in ["config", "config.worktree"] {
        let path = common.join(name);
        if path.is_file() {
            // The rest of the file need not be UTF-8.
            parse(&String::from_utf8_lossy(&read_bytes(&path)?), &mut core);
        }
    }
    Ok(core)
}

fn parse(text: &str, core: &mut Core) {
    let mut inside = false;
    for line in text.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix('[') {
            inside = rest.split(']').next().is_some_and(|name| name.eq_ignore_ascii_case("core"));
            continue;
        }
        if !inside {
            continue;
        }
        let (key, text) = line.split_once('=').unwrap_or((line, "true"));
        match key.trim().to_ascii_lowercase().as_str() {
            "bare" => {
                let yes = ["true", "yes", "on", "1"];
                core.bare = yes.iter().any(|word| value(text).eq_ignore_ascii_case(word));
            }
            "worktree" => core.worktree = Some(value(text)),
            _ => {}
        }
    }
}

/// Removes the quotes, the escapes and the comment from a value.
fn value(text: &str) -> String {
    let mut out = String::new();
    let mut quoted = false;
    let mut chars = text.trim().chars();
    while let Some(next) = chars.next() {
        match next {
            '"' => quoted = !quoted,
            '\\' => out.extend(chars.next()),
            '#' | ';' if !quoted => break,
            other => out.push(other),
        }
    }
    if quoted { out } else { out.trim_end().to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Core {
        let mut core = Core::default();
        parse(text, &mut core);
        core
    }

    #[test]
    fn only_the_core_section_counts() {
        let core =
            parsed("[user]\n\tbare = true\n[core]\n\tfilemode = true\n[remote \"core\"]\nbare");
        assert_eq!(core, Core::default());
    }

    #[test]
    fn keys_are_taken_in_any_case_and_values_are_unquoted() {
        let core = parsed("[CORE]\n\tBare=Yes\n\tworkTree = \"../my \\\"tree\\\"\" ; where\n");
        assert_eq!(core, Core { bare: true, worktree: Some("../my \"tree\"".to_owned()) });
    }

    #[test]
    fn a_key_without_a_value_is_true() {
        assert!(parsed("[core]\nbare\n").bare);
        assert!(!parsed("[core]\nbare = false # bare\n").bare);
    }
}
