//! Finds the known word closest to a misspelt one.

use strsim::osa_distance;

/// A longer word is not a misspelt key of ours.
const LONGEST: usize = 64;

/// Returns the known word nearest to `word`, if one is near enough.
pub fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    if word.len() > LONGEST {
        return None;
    }
    let (near, known) = known.iter().map(|known| (osa_distance(word, known), *known)).min()?;
    // In a short word, two wrong letters leave too little of it.
    let most = match known.len() {
        0 | 1 => 0,
        2..=4 => 1,
        _ => 2,
    };
    (near <= most).then_some(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_near_is_meant() {
        let known = ["guard", "off", "v"];
        assert_eq!(nearest("gard", &known), Some("guard"), "a letter is missing");
        let verbs = ["rpc", "run", "set"];
        assert_eq!(nearest("rnu", &verbs), Some("run"), "two letters changed places");
        assert_eq!(nearest("nxt", &verbs), None, "one letter of three is the same");
        assert_eq!(nearest("gaurd", &known), Some("guard"));
        assert_eq!(nearest("x", &known), None, "every letter is replaced");
        assert_eq!(nearest("elsewhere", &known), None);
    }
}
