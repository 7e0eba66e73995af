//! The quoted parts of a sentence: the texts that a check looks for.

/// A sentence, split into its parts.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Spans<'t> {
    /// The texts between quotes, in order.
    pub(super) inside: Vec<&'t str>,
    /// The rest of the sentence.
    pub(super) outside: String,
}

/// Splits a sentence at `"…"`, `“…”` and `` `…` ``. An unclosed quote does not count.
pub(super) fn spans(text: &str) -> Spans<'_> {
    let mut found = Spans::default();
    // A quote without a closing one here has none further on either.
    let mut quotes = vec!['"', '“', '`'];
    let mut rest = text;
    while let Some(at) = rest.find(quotes.as_slice()) {
        found.outside.push_str(&rest[..at]);
        let quote = rest[at..].chars().next().unwrap_or('"');
        let after = &rest[at + quote.len_utf8()..];
        let close = if quote == '“' { '”' } else { quote };
        let Some(end) = after.find(close) else {
            quotes.retain(|known| *known != quote);
            rest = after;
            continue;
        };
        if end > 0 {
            found.inside.push(&after[..end]);
        }
        found.outside.push(' ');
        rest = &after[end + close.len_utf8()..];
    }
    found.outside.push_str(rest);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_kinds_of_quotes_are_known() {
        let found = spans("a \"b `c`\" “d\"e” `f` \"\" and \"open");
        assert_eq!(found.inside, ["b `c`", "d\"e", "f"]);
        assert_eq!(found.outside, "a         and open");
    }
}
