//! Tags in plans and verifications. They look like XML but are not: the text between them is raw,
//! and only the tags named here are recognised.

/// The longest tag, in bytes.
const LONGEST: usize = 32 << 10;

/// An opening tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tag<'t> {
    pub(super) name: &'t str,
    /// The raw attributes, in order.
    attributes: Vec<(&'t str, &'t str)>,
    /// The first content that is not a quoted attribute, if any.
    pub(super) junk: Option<&'t str>,
    /// Whether it closes itself: `<x/>`.
    pub(super) is_empty: bool,
    /// Its length in bytes.
    pub(super) length: usize,
}

impl<'t> Tag<'t> {
    /// Parses the tag at the start of `text`.
    pub(super) fn read(text: &'t str) -> Option<Self> {
        let inside = text.strip_prefix('<')?;
        let name = word(inside)?;
        let after = &inside[name.len()..];
        if !after.starts_with(|c: char| c.is_whitespace() || c == '>' || c == '/') {
            return None;
        }
        let mut tag = Self { name, attributes: Vec::new(), junk: None, is_empty: false, length: 0 };
        let mut rest = after;
        loop {
            rest = rest.trim_start();
            if text.len() - rest.len() > LONGEST {
                return None;
            }
            if let Some(end) = rest.strip_prefix('>').or_else(|| rest.strip_prefix("/>")) {
                tag.is_empty = rest.starts_with('/');
                tag.length = text.len() - end.len();
                return Some(tag);
            }
            if let Some((name, value, after)) = attribute(rest) {
                tag.attributes.push((name, value));
                rest = after;
            } else {
                let junk = junk(rest)?;
                tag.junk.get_or_insert(junk);
                rest = &rest[junk.len()..];
            }
        }
    }

    /// The raw value of an attribute; of two with the same name, the first counts.
    pub(super) fn get(&self, name: &str) -> Option<&'t str> {
        self.attributes.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }
}

/// Returns the name at the start of a text.
fn word(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-')));
    let word = &text[..end.unwrap_or(text.len())];
    word.starts_with(|c: char| c.is_ascii_alphabetic()).then_some(word)
}

/// Returns the name and value of the attribute at the start of a text, and the rest.
fn attribute(text: &str) -> Option<(&str, &str, &str)> {
    let name = word(text)?;
    let value = text[name.len()..].trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let (value, after) = value[1..].split_once(quote)?;
    Some((name, value, after))
}

/// Returns the content that is not an attribute, up to the next blank or the tag's end. A `<` never
/// belongs to a tag.
fn junk(text: &str) -> Option<&str> {
    let end = text.char_indices().skip(1).find(|(_, c)| c.is_whitespace() || "></".contains(*c));
    let junk = &text[..end.map_or(text.len(), |(at, _)| at)];
    (!junk.is_empty() && !junk.starts_with('<')).then_some(junk)
}

/// An element without relevant elements in it.
#[derive(Debug)]
pub(super) struct Element<'t> {
    pub(super) tag: Tag<'t>,
    /// The offset of its start.
    pub(super) at: usize,
    /// Its raw content; `None` if it is never closed.
    pub(super) text: Option<&'t str>,
}

/// Returns the elements with one name in a text, in order, and skips the text between them.
pub(super) fn elements<'t>(text: &'t str, name: &str) -> Vec<Element<'t>> {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let mut found = Vec::new();
    let mut at = 0;
    let mut closes = true;
    while let Some(next) = text[at..].find(&open).map(|next| at + next) {
        let Some(tag) = Tag::read(&text[next..]).filter(|tag| tag.name == name) else {
            at = next + open.len();
            continue;
        };
        at = next + tag.length;
        let inside = match tag.is_empty {
            true => Some(""),
            // After one failed search there is no need for another: the text is the same.
            false if !closes => None,
            false => text[at..].find(&close).map(|end| &text[at..at + end]),
        };
        closes &= inside.is_some();
        if let (Some(inside), false) = (inside, tag.is_empty) {
            at += inside.len() + close.len();
        }
        found.push(Element { tag, at: next, text: inside });
    }
    found
}

/// Decodes the five entities in a text, once.
pub(super) fn decoded(text: &str) -> String {
    const ENTITIES: [(&str, char); 5] =
        [("&lt;", '<'), ("&gt;", '>'), ("&amp;", '&'), ("&quot;", '"'), ("&apos;", '\'')];
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let known = ENTITIES.iter().find(|(entity, _)| rest.starts_with(entity));
        let (entity, c) = known.copied().unwrap_or(("&", '&'));
        out.push(c);
        rest = &rest[entity.len()..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_stand_in_either_quotes_in_any_order() {
        let tag = Tag::read("<task wave = '1' id=\"0>1\" id='2'>x").unwrap();
        assert_eq!((tag.name, tag.length, tag.junk), ("task", 33, None));
        assert_eq!((tag.get("id"), tag.get("wave"), tag.get("x")), (Some("0>1"), Some("1"), None));
        assert!(Tag::read("<x/>").unwrap().is_empty);
        assert_eq!(Tag::read("<task id=01 wave='1'>").unwrap().junk, Some("id=01"));
        assert_eq!(Tag::read("<check cmd=\"grep \"x\" f\">").unwrap().junk, Some("x\""));
    }

    #[test]
    fn what_is_no_tag_is_none() {
        for text in ["", "<", "<>", "< a>", "<a", "<a b='", "<a <b>", "</a>", "<1>", "<tasks", "a"]
        {
            assert_eq!(Tag::read(text), None, "{text:?}");
        }
    }

    #[test]
    fn elements_are_found_among_anything() {
        let text =
            "x <file action=\"create\">a</file>\n<files>< file><file>b\n</file><file/><file>c";
        let found: Vec<_> = elements(text, "file").iter().map(|one| (one.at, one.text)).collect();
        assert_eq!(found, [(2, Some("a")), (47, Some("b\n")), (62, Some("")), (69, None)]);
    }

    #[test]
    fn entities_are_decoded_once() {
        assert_eq!(
            decoded("a &amp;&amp; b &lt;c&gt; &quot;&apos; &amp;lt; &x; &"),
            "a && b <c> \"' &lt; &x; &"
        );
    }
}
