use std::ops::Range;

/// The replacement of a byte range of a text; offsets refer to the original text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// The replaced bytes.
    pub range: Range<usize>,
    /// The replacement.
    pub text: String,
}

/// Why a list of splices does not fit a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSplice {
    /// Two splices overlap or are out of order.
    #[error("splice {index} does not come after the one before it")]
    Order { index: usize },
    /// A splice reaches past the end or cuts a character in two.
    #[error("splice {index} does not fit a text of {len} bytes")]
    Fit {
        index: usize,
        /// The length of the text in bytes.
        len: usize,
    },
}

/// Applies ascending, non-overlapping splices to `text`.
pub fn apply(text: &str, splices: &[Splice]) -> Result<String, BadSplice> {
    let grown: usize = splices.iter().map(|splice| splice.text.len()).sum();
    let mut out = String::with_capacity(text.len() + grown);
    let mut done = 0;
    for (index, splice) in splices.iter().enumerate() {
        if splice.range.start < done || splice.range.end < splice.range.start {
            return Err(BadSplice::Order { index });
        }
        let fits =
            text.is_char_boundary(splice.range.start) && text.is_char_boundary(splice.range.end);
        if !fits {
            return Err(BadSplice::Fit { index, len: text.len() });
        }
        out.push_str(&text[done..splice.range.start]);
        out.push_str(&splice.text);
        done = splice.range.end;
    }
    out.push_str(&text[done..]);
    Ok(out)
}

/// Returns the splice that turns `before` into `after`; `None` if they are equal.
pub fn between(before: &str, after: &str) -> Option<Splice> {
    if before == after {
        return None;
    }
    let same = |pairs: usize| (0..=pairs).rev();
    let head = before.bytes().zip(after.bytes()).take_while(|(old, new)| old == new).count();
    let head = same(head)
        .find(|&at| before.is_char_boundary(at) && after.is_char_boundary(at))
        .unwrap_or(0);
    let (old, new) = (&before[head..], &after[head..]);
    let tail = old.bytes().rev().zip(new.bytes().rev()).take_while(|(old, new)| old == new).count();
    let tail = same(tail)
        .find(|&at| old.is_char_boundary(old.len() - at) && new.is_char_boundary(new.len() - at))
        .unwrap_or(0);
    Some(Splice { range: head..before.len() - tail, text: new[..new.len() - tail].to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn splice(range: Range<usize>, text: &str) -> Splice {
        Splice { range, text: text.to_owned() }
    }

    #[test]
    fn offsets_count_in_the_old_text() {
        let out =
            apply("one two three", &[splice(0..3, "1"), splice(7..7, "!"), splice(8..13, "")]);
        assert_eq!(out.unwrap(), "1 two! ");
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert_eq!(apply("ab", &[splice(1..3, "")]), Err(BadSplice::Fit { index: 0, len: 2 }));
        assert_eq!(apply("é", &[splice(1..2, "")]), Err(BadSplice::Fit { index: 0, len: 2 }));
        let crossed = [splice(1..2, ""), splice(0..1, "")];
        assert_eq!(apply("ab", &crossed), Err(BadSplice::Order { index: 1 }));
    }

    proptest! {
        #[test]
        fn between_two_texts_leads_from_one_to_the_other(
            before in "[aé\n]{0,12}", after in "[aé\n]{0,12}",
        ) {
            let splices: Vec<_> = between(&before, &after).into_iter().collect();
            prop_assert_eq!(apply(&before, &splices).unwrap(), after);
        }
    }
}
