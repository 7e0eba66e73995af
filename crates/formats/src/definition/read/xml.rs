//! An XML reader for names, attributes and texts: enough for a project's build file.

/// The deepest nesting of elements.
const DEEPEST: usize = 64;

/// The most elements in a file.
const MOST: usize = 50_000;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::definition) struct Element {
    pub(in crate::definition) name: String,
    /// Its attributes as written.
    pub(in crate::definition) attributes: String,
    /// The text directly inside it, without that of its children.
    pub(in crate::definition) text: String,
    pub(in crate::definition) children: Vec<Element>,
}

impl Element {
    /// The text of the first child with this name.
    pub(in crate::definition) fn child_text(&self, name: &str) -> Option<&str> {
        self.children.iter().find(|child| child.name == name).map(|child| child.text.trim())
    }

    /// Visits this element and all descendants, each with the names of its ancestors.
    pub(in crate::definition) fn visit<'e>(
        &'e self,
        path: &mut Vec<&'e str>,
        found: &mut impl FnMut(&[&'e str], &'e Element),
    ) {
        found(path, self);
        path.push(&self.name);
        for child in &self.children {
            child.visit(path, found);
        }
        path.pop();
    }

    /// Writes the element without layout, and without children of these names.
    pub(in crate::definition) fn canonical(&self, without: &[&str]) -> String {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let children = self.children.iter().filter(|child| !without.contains(&&*child.name));
        let inner: String = children.map(|child| child.canonical(without)).collect();
        let (name, attributes, text) = (&self.name, words(&self.attributes), words(&self.text));
        format!("<{name} {attributes}>{text}{inner}</{name}>")
    }
}

/// Parses a file. Returns `None` if tags do not match.
pub(in crate::definition) fn xml(text: &str) -> Option<Element> {
    let mut open = vec![Element::default()];
    let (mut rest, mut left) = (text, MOST);
    while let Some(at) = rest.find('<') {
        open.last_mut()?.text.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(close) = skipped(rest) {
            rest = &rest[rest.find(close)? + close.len()..];
        } else if let Some(after) = rest.strip_prefix("<![CDATA[") {
            let end = after.find("]]>")?;
            open.last_mut()?.text.push_str(&after[..end]);
            rest = &after[end + 3..];
        } else if let Some(after) = rest.strip_prefix("</") {
            let end = after.find('>')?;
            let element = open.pop().filter(|element| element.name == after[..end].trim())?;
            open.last_mut()?.children.push(element);
            rest = &after[end + 1..];
        } else {
            let end = tag_end(rest)?;
            let tag = &rest[1..end];
            rest = &rest[end + 1..];
            left = left.checked_sub(1)?;
            let closed = tag.strip_suffix('/');
            let tag = closed.unwrap_or(tag).trim();
            let (name, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
            let (name, attributes) = (name.to_owned(), attributes.trim().to_owned());
            let element = Element { name, attributes, ..Element::default() };
            if closed.is_some() {
                open.last_mut()?.children.push(element);
            } else if open.len() > DEEPEST {
                return None;
            } else {
                open.push(element);
            }
        }
    }
    let root = open.pop()?;
    (open.is_empty() && !root.children.is_empty()).then_some(root)
}

/// Returns the end mark of a comment, an instruction or a declaration, if this is one.
fn skipped(rest: &str) -> Option<&'static str> {
    if rest.starts_with("<!--") {
        Some("-->")
    } else if rest.starts_with("<?") {
        Some("?>")
    } else if rest.starts_with("<!") && !rest.starts_with("<![CDATA[") {
        Some(">")
    } else {
        None
    }
}

/// Returns the end of a tag, outside quotes.
fn tag_end(rest: &str) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in rest.bytes().enumerate() {
        match (byte, quote) {
            (b'>', None) => return Some(at),
            (b'"' | b'\'', None) => quote = Some(byte),
            (byte, Some(open)) if byte == open => quote = None,
            (_, _) => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_read_and_written_without_layout() {
        let root =
            xml("<?xml?>\n<!-- <x> -->\n<a b='>'>\n <c/> <d>e <![CDATA[<f>]]></d></a>").unwrap();
        assert_eq!(root.children[0].canonical(&["c"]), "<a b='>'><d >e <f></d></a>");
        assert_eq!(root.children[0].child_text("d"), Some("e <f>"));
    }

    #[test]
    fn what_is_no_xml_is_nothing() {
        for text in ["", "x", "<a>", "<a></b>", "</a>", "<a", "<!--", &"<a>".repeat(1000)] {
            assert_eq!(xml(text), None, "{}", text.chars().take(20).collect::<String>());
        }
    }
}
