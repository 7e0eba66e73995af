//! Generates ids for runs, receipts, effects and projects, from letters that are hard to confuse.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

use sprag_core::{BadId, EffectId, ReceiptId, RunId};

/// Digits and letters without `i`, `l`, `o` and `u`.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Returns a free run id. Ids grow longer as the short ones become rare; `None` only if no free id
/// of eight letters was found.
pub fn run(is_taken: impl Fn(&RunId) -> bool) -> Option<RunId> {
    // Four tries for each length: if all fail, most ids of this length are taken.
    (4..=8).flat_map(|length| [length; 4]).find_map(|length| {
        let id = RunId::parse(&format!("r-{}", letters(random(), length))).ok()?;
        (!is_taken(&id)).then_some(id)
    })
}

/// Returns an id for a receipt and the effect that leaves it. It is long enough to be unique
/// without a lookup.
pub fn receipt() -> Result<ReceiptId, BadId> {
    ReceiptId::parse(&format!("g-{}", letters(random(), 12)))
}

/// Returns an id for an effect that leaves no receipt.
pub fn effect() -> Result<EffectId, BadId> {
    Ok(receipt()?.effect())
}

/// Returns six random letters that make a taken name unique.
pub fn suffix() -> String {
    letters(random(), 6)
}

/// Returns an id that no other project has: 26 letters of 128 random bits.
///
/// A build with the feature `testing` takes `SPRAG_TEST_PROJECT` if that is set.
pub fn project() -> String {
    #[cfg(feature = "testing")]
    if let Some(given) = given_project() {
        return given;
    }
    // Not `random`, which counts up in tests: two projects with one id would be one project.
    let part = || letters(RandomState::new().build_hasher().finish(), 13);
    format!("{}{}", part(), part())
}

/// Returns whether a text has the form of a project id.
pub fn is_project(text: &str) -> bool {
    text.len() == 26 && text.bytes().all(|byte| LETTERS.contains(&byte))
}

fn letters(mut number: u64, length: usize) -> String {
    let mut text = vec![b'0'; length];
    for letter in text.iter_mut().rev() {
        *letter = LETTERS[(number % 32) as usize];
        number /= 32;
    }
    text.into_iter().map(char::from).collect()
}

/// Returns a random number: the keys of std's hash maps come from the operating system.
///
/// A build with the feature `testing` counts up from `SPRAG_TEST_IDS` if that is set.
fn random() -> u64 {
    #[cfg(feature = "testing")]
    if let Some(number) = counted() {
        return number;
    }
    RandomState::new().build_hasher().finish()
}

#[cfg(feature = "testing")]
#[expect(clippy::disallowed_methods, reason = "only in test builds")]
fn counted() -> Option<u64> {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let first: u64 = std::env::var("SPRAG_TEST_IDS").ok()?.parse().ok()?;
    Some(first + NEXT.fetch_add(1, Ordering::Relaxed))
}

#[cfg(feature = "testing")]
#[expect(clippy::disallowed_methods, reason = "only in test builds")]
fn given_project() -> Option<String> {
    std::env::var("SPRAG_TEST_PROJECT").ok().filter(|text| is_project(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_short_and_its_own() {
        let (one, other) = (run(|_| false).unwrap(), run(|_| false).unwrap());
        assert_ne!(one, other);
        assert_eq!(one.as_str().len(), 6);
        assert!(one.as_str().bytes().skip(2).all(|byte| LETTERS.contains(&byte)), "{one}");
    }

    #[test]
    fn receipts_have_long_names() {
        let (one, other) = (receipt().unwrap(), receipt().unwrap());
        assert_ne!(one, other);
        assert!(one.as_str().starts_with("g-") && one.as_str().len() == 14, "{one}");
    }

    #[test]
    fn it_grows_where_short_ones_are_taken() {
        let id = run(|id| id.as_str().len() < 9).unwrap();
        assert_eq!(id.as_str().len(), 9);
        assert_eq!(run(|_| true), None);
    }

    #[test]
    fn letters_count_from_the_right() {
        assert_eq!(letters(1, 4), "0001");
        assert_eq!(letters(32 * 31, 4), "00z0");
    }
}
