//! Builds the tree from parser events, strictly and within limits.
//!
//! Keys are texts: a key that is not a string, such as `0x1F:` or `1e3:`, keeps its source text, so
//! these are the keys `0x1F` and `1e3`, not 31 and 1000.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use granit_parser::{Event, Parser, ScalarStyle, StructureStyle, Tag};

use super::{errors, schema};
use crate::fault::{Fault, FaultKind};
use crate::limits::{Budget, MAX_DEPTH};
use crate::place::Span;
use crate::value::{Map, MapEntry, Node, NodeForm, Value};

/// A parsed document.
pub(crate) struct ParsedDocument {
    pub(crate) root: Node,
    /// The earliest position of the root: after directives and `---`.
    pub(crate) head: usize,
}

/// Reads the YAML document in `region` of `text`.
pub(crate) fn read(text: &str, region: Range<usize>) -> Result<ParsedDocument, Fault> {
    if let Some(at) = second_mark(&text[region.clone()]) {
        let span = Span::new(region.start + at, region.start + at + '\u{feff}'.len_utf8());
        return Err(Fault::new(FaultKind::Syntax, text, span, "a second byte order mark")
            .expecting("none but at the start of the file"));
    }
    let options = granit_parser::options! {
        emit_anchor_events: true,
        flow_nesting_limit: MAX_DEPTH + 1,
        block_nesting_limit: MAX_DEPTH + 1,
    };
    let mut reader = Reader::new(text, region.clone());
    for event in Parser::new_from_str_with_options(&text[region.clone()], options) {
        let (event, span) = event.map_err(|error| errors::syntax(text, region.start, &error))?;
        let tag = span.tag_span().and_then(|tag| tag.byte_range()).map_or(0..0, |tag| tag);
        let bytes = span.byte_range().unwrap_or(0..0);
        reader.located(event, bytes, tag)?;
    }
    reader.settle()?;
    let absent = Node::new(Value::Null, Span::at(reader.head), NodeForm::Absent);
    Ok(ParsedDocument { root: reader.root.unwrap_or(absent), head: reader.head })
}

/// A collection that is still open.
struct OpenCollection {
    node: Node,
    anchor: usize,
    /// The keys so far, once there are many.
    keys: HashSet<String>,
    entries: Vec<MapEntry>,
    items: Vec<Node>,
    /// A key that waits for its value.
    key: Option<(String, Span)>,
    is_map: bool,
}

impl OpenCollection {
    /// Returns whether a key already exists. Few keys are compared, many are hashed.
    fn has(&mut self, key: &str) -> bool {
        if self.entries.len() < 16 {
            return self.entries.iter().any(|entry| entry.key == key);
        }
        let missing = self.entries.iter().skip(self.keys.len());
        self.keys.extend(missing.map(|entry| entry.key.clone()));
        self.keys.contains(key)
    }
}

/// A finished node that an anchor event may follow.
struct Pending {
    node: Node,
    anchor: usize,
    /// The start of its anchor or tag.
    lead: usize,
}

struct Reader<'t> {
    text: &'t str,
    base: usize,
    limit: usize,
    budget: Budget<'t>,
    open: Vec<OpenCollection>,
    anchors: HashMap<usize, Node>,
    pending: Option<Pending>,
    root: Option<Node>,
    head: usize,
    documents: usize,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, region: Range<usize>) -> Self {
        Self {
            text,
            base: region.start,
            limit: region.end,
            budget: Budget::new(text),
            open: Vec::new(),
            anchors: HashMap::new(),
            pending: None,
            root: None,
            head: region.start,
            documents: 0,
        }
    }

    /// Handles an event with its bytes and those of its tag, relative to the region's start.
    fn located(
        &mut self,
        event: Event<'_>,
        bytes: Range<usize>,
        tag: Range<usize>,
    ) -> Result<(), Fault> {
        let (span, tag) = (self.shift(bytes), self.shift(tag));
        self.inside(span)?;
        self.inside(tag)?;
        self.event(event, span, tag)
    }

    fn shift(&self, range: Range<usize>) -> Span {
        Span::new(self.base + range.start, self.base + range.end)
    }

    /// Checks the token position that the parser reports, because edits rely on it.
    fn inside(&self, span: Span) -> Result<(), Fault> {
        let inside = span.end() <= self.limit && self.text.get(span.range()).is_some();
        if inside { Ok(()) } else { Err(self.lost()) }
    }

    /// Checks that a scalar's bytes start as its text does.
    fn begins(&self, text: &str, style: ScalarStyle, span: Span) -> Result<(), Fault> {
        let raw = &self.text[span.range()];
        let fits = match style {
            ScalarStyle::SingleQuoted => raw.starts_with('\''),
            ScalarStyle::DoubleQuoted => raw.starts_with('"'),
            ScalarStyle::Plain => raw.is_empty() || raw.chars().next() == text.chars().next(),
            ScalarStyle::Literal | ScalarStyle::Folded => true,
        };
        if fits { Ok(()) } else { Err(self.lost()) }
    }

    fn lost(&self) -> Fault {
        self.fault(Span::at(self.base), "a value could not be located", "a simpler layout")
    }

    fn fault(&self, span: Span, what: impl Into<String>, expected: &str) -> Fault {
        Fault::new(FaultKind::Syntax, self.text, span, what).expecting(expected)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the parser's enum is not ours and grows")]
    fn event(&mut self, event: Event<'_>, span: Span, tag: Span) -> Result<(), Fault> {
        if let Event::Anchor(..) = event {
            if let Some(pending) = &mut self.pending {
                pending.lead = pending.lead.min(span.start());
            }
            return Ok(());
        }
        self.settle()?;
        let lead = if tag.is_empty() { span.start() } else { tag.start().min(span.start()) };
        match event {
            Event::DocumentStart(..) => self.document(span),
            Event::Scalar(text, style, anchor, given) => {
                self.begins(&text, style, span)?;
                let node =
                    self.scalar(text, style, given.as_deref().map(|given| (given, tag)), span)?;
                self.budget.nodes(1, span)?;
                self.pending = Some(Pending { node, anchor, lead });
                Ok(())
            }
            Event::SequenceStart(style, anchor, given) => {
                self.collection_tag(given.as_deref(), "seq", tag)?;
                self.begin(Value::List(Vec::new()), style, anchor, span)
            }
            Event::MappingStart(style, anchor, given) => {
                self.collection_tag(given.as_deref(), "map", tag)?;
                self.begin(Value::Map(Map::default()), style, anchor, span)
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(span),
            Event::Alias(id) => self.alias(id, span),
            _ => Ok(()),
        }
    }

    fn document(&mut self, span: Span) -> Result<(), Fault> {
        self.documents += 1;
        if self.documents > 1 {
            return Err(self
                .fault(span, "a second document begins here", "one document a file")
                .help("remove the `---` or `...` between the two"));
        }
        if self.text[span.range()].starts_with("---") {
            self.head = span.end();
        }
        Ok(())
    }

    fn scalar(
        &self,
        text: Cow<'_, str>,
        style: ScalarStyle,
        tag: Option<(&Tag, Span)>,
        span: Span,
    ) -> Result<Node, Fault> {
        let form = match style {
            ScalarStyle::Plain if span.is_empty() => NodeForm::Absent,
            ScalarStyle::Plain => NodeForm::Plain,
            ScalarStyle::SingleQuoted => NodeForm::Single,
            ScalarStyle::DoubleQuoted => NodeForm::Double,
            ScalarStyle::Literal | ScalarStyle::Folded => NodeForm::BlockScalar,
        };
        let value = match (tag, form) {
            (None, NodeForm::Absent) => Value::Null,
            (None, NodeForm::Plain) => schema::resolve(text),
            (None, _) => Value::String(text.into_owned()),
            (Some((tag, tag_span)), _) => match (tag.core_suffix(), tag.handle(), tag.suffix()) {
                (Some("str"), ..) | (None, "", "!") => Value::String(text.into_owned()),
                (Some(wanted), ..) => self.tagged(wanted, schema::resolve(text), span)?,
                (None, ..) => return Err(self.unknown_tag(tag, tag_span)),
            },
        };
        Ok(Node::new(value, span, form))
    }

    fn tagged(&self, wanted: &str, value: Value, span: Span) -> Result<Value, Fault> {
        let fits = match &value {
            Value::Null => wanted == "null",
            Value::Bool(_) => wanted == "bool",
            Value::Number(number) => match number.integer() {
                Some(_) => wanted == "int" || wanted == "float",
                None => wanted == "float",
            },
            Value::String(_) | Value::List(_) | Value::Map(_) => false,
        };
        if fits {
            Ok(value)
        } else {
            let expected = match wanted {
                "null" => "nothing, or `null`",
                "bool" => "`true` or `false`",
                "int" => "a whole number",
                "float" => "a number",
                _ => "one of the tags `!!str`, `!!int`, `!!float`, `!!bool`, `!!null`",
            };
            Err(self.fault(span, format!("this value is no `!!{wanted}`"), expected))
        }
    }

    fn collection_tag(&self, tag: Option<&Tag>, own: &str, span: Span) -> Result<(), Fault> {
        match tag {
            None => Ok(()),
            Some(tag) if tag.core_suffix() == Some(own) => Ok(()),
            Some(tag) => Err(self.unknown_tag(tag, span)),
        }
    }

    fn unknown_tag(&self, tag: &Tag, span: Span) -> Fault {
        let what = format!("the tag `{}` is not known here", tag.original());
        self.fault(span, what, "a tag of the core schema, such as `!!str`, or none")
    }

    fn begin(
        &mut self,
        value: Value,
        style: StructureStyle,
        anchor: usize,
        span: Span,
    ) -> Result<(), Fault> {
        self.budget.nodes(1, span)?;
        self.budget.depth(self.open.len() + 1, span)?;
        if self.open.last().is_some_and(|open| open.is_map && open.key.is_none()) {
            return Err(self.odd_key(span));
        }
        let form = match style {
            StructureStyle::Block => NodeForm::Block,
            StructureStyle::Flow => NodeForm::Flow,
        };
        let is_map = matches!(value, Value::Map(_));
        let node = Node::new(value, span, form);
        let (keys, entries, items) = (HashSet::new(), Vec::new(), Vec::new());
        self.open.push(OpenCollection { node, anchor, keys, entries, items, key: None, is_map });
        Ok(())
    }

    fn end(&mut self, span: Span) -> Result<(), Fault> {
        let Some(mut open) = self.open.pop() else { return Ok(()) };
        // A block collection's end event is at the next token; its own end is that of its last
        // child.
        let end = if open.node.form == NodeForm::Flow {
            span.end()
        } else {
            let last = open.entries.last();
            let key_end = last.map_or(0, |entry| entry.key_span.end());
            let child = last.map(|entry| &entry.node).or(open.items.last());
            child.map_or(span.start(), |node| node.span.end()).max(key_end)
        };
        open.node.span = Span::new(open.node.span.start(), end);
        open.node.value =
            if open.is_map { Value::Map(Map::of(open.entries)) } else { Value::List(open.items) };
        self.place(open.node, open.anchor)
    }

    fn alias(&mut self, id: usize, span: Span) -> Result<(), Fault> {
        let Some(target) = self.anchors.get(&id) else {
            let what = "this alias stands inside its own anchor";
            return Err(self.fault(span, what, "an anchor whose value has ended"));
        };
        self.budget.nodes(target.weight(), span)?;
        self.budget.depth(self.open.len() + target.height(), span)?;
        if self.open.last().is_some_and(|open| open.is_map && open.key.is_none()) {
            return Err(self.odd_key(span));
        }
        let node = Node::new(target.value.clone(), span, NodeForm::Alias);
        self.place(node, 0)
    }

    /// Places the last scalar, now that its anchor is known.
    fn settle(&mut self) -> Result<(), Fault> {
        let Some(pending) = self.pending.take() else { return Ok(()) };
        let Pending { node, anchor, lead } = pending;
        let Some(open) = self.open.last_mut().filter(|open| open.is_map && open.key.is_none())
        else {
            return self.place(node, anchor);
        };
        let span = Span::new(lead, node.span.end());
        let (form, block) = (node.form, open.node.form == NodeForm::Block);
        let merge =
            form == NodeForm::Plain && matches!(&node.value, Value::String(text) if text == "<<");
        if matches!(form, NodeForm::Absent | NodeForm::BlockScalar) {
            return Err(self.odd_key(span));
        }
        if merge {
            return Err(self
                .fault(span, "merge keys (`<<`) are not read here", "the keys themselves")
                .help("write the merged keys out, or quote the key"));
        }
        if block && tab_before(self.text, lead) {
            let fault = self.fault(span, "a tab is used as indentation", "spaces");
            return Err(fault.help("replace tabs by spaces"));
        }
        if anchor != 0 {
            self.anchors.insert(anchor, node.clone());
        }
        let key = match node.value {
            Value::String(text) => text,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::List(_) | Value::Map(_) => {
                self.text[node.span.range()].to_owned()
            }
        };
        let Some(open) = self.open.last_mut() else { return Ok(()) };
        if open.has(&key) {
            let what = format!("the key `{key}` is here twice");
            return Err(self.fault(span, what, "each key once").help("remove one of the two"));
        }
        open.key = Some((key, span));
        Ok(())
    }

    fn place(&mut self, node: Node, anchor: usize) -> Result<(), Fault> {
        if anchor != 0 {
            self.budget.nodes(node.weight(), node.span)?;
            self.anchors.insert(anchor, node.clone());
        }
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        match open.key.take() {
            Some((key, key_span)) => open.entries.push(MapEntry { key, key_span, node }),
            None if open.is_map => return Err(self.odd_key(node.span)),
            None => open.items.push(node),
        }
        Ok(())
    }

    fn odd_key(&self, span: Span) -> Fault {
        let expected = "a key of one word or a quoted text";
        self.fault(Span::at(span.start()), "this key is no simple text", expected)
    }
}

fn tab_before(text: &str, at: usize) -> bool {
    text[..at].bytes().rev().take_while(|byte| b" \t".contains(byte)).any(|byte| byte == b'\t')
}

/// Finds a byte order mark at the start of a line: it would have no column, but three bytes.
fn second_mark(yaml: &str) -> Option<usize> {
    yaml.match_indices('\u{feff}')
        .map(|(at, _)| at)
        .find(|&at| at == 0 || yaml[..at].ends_with(['\n', '\r', '\u{feff}']))
}

#[cfg(test)]
mod tests;
