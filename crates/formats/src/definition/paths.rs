//! Paths below the root, as texts.

/// Resolves `text` in `folder`. Returns `None` if it is absolute or leaves the root.
pub(super) fn join(folder: &str, text: &str) -> Option<String> {
    let is_bad = |c: char| c.is_control() || c == '\\';
    if text.is_empty() || text.len() > 1024 || text.starts_with(['/', '~']) || text.contains(is_bad)
    {
        return None;
    }
    let mut names: Vec<&str> = folder.split('/').filter(|name| !name.is_empty()).collect();
    for name in text.split('/') {
        match name {
            "" | "." => {}
            ".." => {
                names.pop()?;
            }
            name => names.push(name),
        }
    }
    let path = names.join("/");
    (path.len() <= 1024).then_some(path)
}

pub(super) fn below(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// The folder of a path; `""` is the root.
pub(super) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

pub(super) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns whether the path has one of these extensions.
pub(super) fn has_ending(path: &str, endings: &[&str]) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| endings.contains(&ending))
}

/// Returns a folder and its parents, up to the root.
pub(super) fn upwards(folder: &str) -> Vec<String> {
    let mut all = vec![folder.to_owned()];
    let mut folder = folder;
    while !folder.is_empty() && all.len() < 16 {
        folder = folder_of(folder);
        all.push(folder.to_owned());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_below_the_root() {
        assert_eq!(join("a/b", "../c/./d").as_deref(), Some("a/c/d"));
        assert_eq!(join("a", "..").as_deref(), Some(""));
        for text in ["", "/etc/x", "../..", "~/x", "a\\b", "a\0", &"x".repeat(2000)] {
            assert_eq!(join("a", text), None, "{text:?}");
        }
        assert_eq!(upwards("a/b"), ["a/b", "a", ""]);
    }
}
