//! Finds the known word closest to a misspelt one.

use strsim::levenshtein;

/// A longer word is not a misspelt key of ours.
const LONGEST: usize = 64;

/// Returns the known word nearest to `word`, if one is near enough.
pub fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    if word.len() > LONGEST {
        return None;
    }
    let (near, known) = known.iter().map(|known| (levenshtein(word, known), *known)).min()?;
    (near <= 2 && near < known.len()).then_some(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_near_is_meant() {
        let known = ["guard", "off", "v"];
        assert_eq!(nearest("gard", &known), Some("guard"), "a letter is missing");
        assert_eq!(nearest("gaurd", &known), Some("guard"));
        assert_eq!(nearest("x", &known), None, "every letter is replaced");
        assert_eq!(nearest("elsewhere", &known), None);
    }
}
