//! The files in a patch for `apply_patch`, which is Codex's edit tool and known to other hosts.

/// The beginnings of lines that name a file.
const HEADS: [&str; 4] = ["*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:"];

/// Returns the files that a patch names; none for any other text.
///
/// Blanks around a line are ignored, as by the programs that apply the patch.
pub(crate) fn files(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(str::trim);
    let named = lines.filter_map(|line| HEADS.iter().find_map(|head| line.strip_prefix(head)));
    named.map(str::trim).filter(|file| !file.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_stand_in_the_heads() {
        let patch = "*** Begin Patch\n*** Add File: a b.txt\n+*** Update File: in the text\n\
             \x20*** Update File: src/x.rs \r\n*** Move to: .sprag/config.yaml\n@@\n-a\n+b\n\
             *** Delete File:c\n*** Add File: \n*** End Patch\n";
        let found: Vec<_> = files(patch).collect();
        assert_eq!(found, ["a b.txt", "src/x.rs", ".sprag/config.yaml", "c"]);
        assert_eq!(files("make\n--- a/x\n+++ b/x\n").count(), 0);
    }
}
