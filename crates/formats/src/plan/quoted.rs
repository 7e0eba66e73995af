//! Quoted spans of a sentence: the texts that a check looks for.

/// A sentence taken apart.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Spans<'t> {
    /// What stands between quotes, in order, without them.
    pub(super) inside: Vec<&'t str>,
    /// All the rest.
    pub(super) outside: String,
}

/// Takes a sentence apart at `"…"`, `“…”` and `` `…` ``; a quote that is never closed is none.
pub(super) fn spans(text: &str) -> Spans<'_> {
    let mut found = Spans::default();
    // A quote that is not closed here is not closed further on either.
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
