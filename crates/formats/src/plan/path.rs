//! Paths in plans: byte for byte as written, and never outside the project.

use sprag_core::DocPath;

/// Returns the project path that a text names, or why it is invalid.
///
/// `./` and doubled slashes are dropped, so that two spellings of a file are one.
pub(super) fn inside(text: &str) -> Result<DocPath, String> {
    let bytes = text.as_bytes();
    let is_drive =
        bytes.first().is_some_and(u8::is_ascii_alphabetic) && bytes.get(1) == Some(&b':');
    if text.starts_with(['/', '\\']) || is_drive {
        return Err("it is not relative to the project".to_owned());
    }
    if text.split(['/', '\\']).any(|name| name == "..") {
        return Err("`..` may lead out of the project".to_owned());
    }
    let names: Vec<&str> = text.split('/').filter(|name| !matches!(*name, "" | ".")).collect();
    DocPath::parse(&names.join("/")).map_err(|bad| bad.to_string())
}

/// Returns whether a word looks like a path: it has a folder or an extension.
pub(super) fn is_like(word: &str) -> bool {
    let name = word.trim_end_matches('/');
    let folder = name.contains('/') && !name.contains("//");
    let ending = name.rfind('.').is_some_and(|dot| {
        let ending = &name[dot + 1..];
        !ending.is_empty() && ending.chars().all(|c| c.is_alphanumeric() || c == '_')
    });
    name.chars().any(char::is_alphanumeric) && (folder || ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_in_the_project() {
        for (text, path) in [
            ("src/a.rs", "src/a.rs"),
            ("./src//a.rs", "src/a.rs"),
            ("my file.txt", "my file.txt"),
            ("src/größe.rs", "src/größe.rs"),
            (".github/a..b", ".github/a..b"),
        ] {
            assert_eq!(inside(text).unwrap().as_str(), path);
        }
        for text in
            ["", ".", "/etc/passwd", "../x", "a/../../x", "..\\x", "C:/x", "c:x", "\\\\x", "a\0"]
        {
            assert!(inside(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_path_has_a_folder_or_an_ending() {
        for word in ["a.rs", "src/a", ".gitignore", "v1/x.y.z", "docs/"] {
            assert_eq!(is_like(word), word != "docs/", "{word}");
        }
        for word in ["File", "...", "e.g.", "http://x", "/", "."] {
            assert!(!is_like(word), "{word}");
        }
    }
}
