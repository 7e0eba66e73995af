//! Compares a page with the real output: `…` matches any text within a line, and a line of only `…`
//! matches any lines.

/// Returns whether the lines of a page match the output.
pub(crate) fn tells(said: &[&str], got: &[&str]) -> bool {
    let Some((first, said)) = said.split_first() else { return got.is_empty() };
    if first.trim() == "…" {
        return (0..=got.len()).any(|skipped| tells(said, &got[skipped..]));
    }
    got.split_first().is_some_and(|(line, got)| tell(first, line) && tells(said, got))
}

/// Returns whether a line of a page matches a line of output.
fn tell(said: &str, got: &str) -> bool {
    let mut pieces = said.split('…');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = got.strip_prefix(first) else { return false };
    let mut open = false;
    for piece in pieces {
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
        open = piece.is_empty();
    }
    open || rest.is_empty()
}

#[test]
fn what_is_left_out_may_be_anything_and_nothing_else() {
    assert!(tell("Done in … ms.", "Done in 38 ms."));
    assert!(tell("tree …", "tree 5be1c09"));
    assert!(!tell("tree …", "a tree"));
    assert!(!tell("Done in … ms.", "Done in 38 ms. More"));
    assert!(tells(&["a", "…", "d"], &["a", "b", "c", "d"]));
    assert!(tells(&["a", "…"], &["a"]));
    assert!(!tells(&["a", "…", "d"], &["a", "b"]));
    assert!(!tells(&["a"], &["a", "b"]));
}
