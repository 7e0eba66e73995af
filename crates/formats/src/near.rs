//! Finds the known word closest to a misspelt one.

/// A longer word is not a misspelt key of ours.
const LONGEST: usize = 64;

/// Returns the known word nearest to `word`, if one is near enough.
pub fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    if word.len() > LONGEST {
        return None;
    }
    let (near, known) = known.iter().map(|known| (distance(word, known), *known)).min()?;
    (near <= 2 && near < known.len()).then_some(known)
}

/// Counts the letters to insert, remove or replace to turn one word into another.
fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.chars().count()).collect();
    for (line, letter) in one.chars().enumerate() {
        let mut before = line;
        row[0] = line + 1;
        for (column, next) in other.chars().enumerate() {
            let replaced = before + usize::from(letter != next);
            before = row[column + 1];
            row[column + 1] = replaced.min(before + 1).min(row[column] + 1);
        }
    }
    row[other.chars().count()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_letters() {
        for (one, other, far) in [("", "v", 1), ("guard", "gaurd", 2), ("rule", "rules", 1)] {
            assert_eq!((distance(one, other), distance(other, one)), (far, far), "{one} {other}");
        }
    }

    #[test]
    fn only_what_is_near_is_meant() {
        let known = ["guard", "off", "v"];
        assert_eq!(nearest("gaurd", &known), Some("guard"));
        assert_eq!(nearest("x", &known), None, "every letter is replaced");
        assert_eq!(nearest("elsewhere", &known), None);
    }
}
