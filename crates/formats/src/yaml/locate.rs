//! Locates a value: the indicator before it, its anchor, its text.

use std::ops::Range;

use super::layout;
use crate::document::Document;
use crate::fault::{Fault, FaultKind};
use crate::place::Span;
use crate::value::{MapEntry, Node, NodeForm, Value, index};

/// The parent of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Root,
    /// A key of a block map at this column.
    Key(usize),
    /// A dash of a block list at this column.
    Item(usize),
    /// A collection in brackets.
    Flow,
}

/// A value with its position.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocatedValue<'d> {
    pub(super) node: &'d Node,
    pub(super) owner: Owner,
    /// The position after `:`, `-` or `---`, and after anchor and tag: where the value's text may
    /// start.
    pub(super) lead: usize,
    /// Whether an anchor or tag comes before the value.
    pub(super) decorated: bool,
}

/// Locates values of one document.
#[derive(Clone, Copy)]
pub(super) struct Locator<'d> {
    pub(super) doc: &'d Document<'d>,
    pub(super) text: &'d str,
    /// The first byte of the YAML.
    pub(super) floor: usize,
    /// The end of the YAML.
    pub(super) limit: usize,
}

impl<'d> Locator<'d> {
    pub(super) fn new(doc: &'d Document<'d>) -> Self {
        Self { doc, text: doc.text, floor: doc.region.start, limit: doc.region.end }
    }

    /// The slot at a path.
    pub(super) fn find(&self, path: &[String]) -> Result<LocatedValue<'d>, Fault> {
        let mut slot = self.slot(&self.doc.root, Owner::Root, self.doc.head);
        for step in path {
            slot = self.below(&slot, step)?;
        }
        Ok(slot)
    }

    fn below(&self, slot: &LocatedValue<'d>, step: &str) -> Result<LocatedValue<'d>, Fault> {
        if slot.node.form == NodeForm::Alias {
            return Err(self.refuse(slot.node.span, "this value stands elsewhere, at an anchor"));
        }
        let found = match &slot.node.value {
            Value::Map(map) => map.entry(step).map(|entry| self.value_of(slot, entry)),
            Value::List(items) => {
                index(step).filter(|&at| at < items.len()).map(|at| self.item_of(slot, items, at))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        };
        found.unwrap_or_else(|| Err(self.refuse(slot.node.span, "there is no such value here")))
    }

    /// The slot of a key's value.
    pub(super) fn value_of(
        &self,
        map: &LocatedValue<'d>,
        entry: &'d MapEntry,
    ) -> Result<LocatedValue<'d>, Fault> {
        let key_end = entry.key_span.end();
        let colon = layout::skip_blanks(self.text, key_end);
        let has_colon = self.text[colon..self.limit].starts_with(':');
        if map.node.form == NodeForm::Flow {
            let open = if has_colon { colon + 1 } else { key_end };
            return Ok(self.slot(&entry.node, Owner::Flow, open));
        }
        if !has_colon {
            return Err(self.refuse(entry.key_span, "a key written with `?` cannot be edited"));
        }
        let column = layout::column(self.text, entry.key_span.start(), self.floor);
        Ok(self.slot(&entry.node, Owner::Key(column), colon + 1))
    }

    /// The slot of a list's item.
    pub(super) fn item_of(
        &self,
        list: &LocatedValue<'d>,
        items: &'d [Node],
        at: usize,
    ) -> Result<LocatedValue<'d>, Fault> {
        let node = &items[at];
        if list.node.form == NodeForm::Flow {
            return Ok(self.slot(node, Owner::Flow, node.span.start()));
        }
        let dash = self.dash(list, items, at)?;
        let column = layout::column(self.text, dash, self.floor);
        Ok(self.slot(node, Owner::Item(column), dash + 1))
    }

    /// The position of an item's dash.
    pub(super) fn dash(
        &self,
        list: &LocatedValue<'d>,
        items: &'d [Node],
        at: usize,
    ) -> Result<usize, Fault> {
        let first = self.content_start(list);
        let column = layout::column(self.text, first, self.floor);
        if at == 0 && self.text[first..self.limit].starts_with('-') {
            return Ok(first);
        }
        if at == 0 {
            return Err(self.refuse(list.node.span, "the dash of this item was not found"));
        }
        let before = items[at - 1].span.end();
        let mut line = layout::line_start(self.text, before, self.floor);
        if !layout::is_blank(&self.text[line..before]) {
            line = layout::next_line(self.text, before, self.limit);
        }
        while line < self.limit {
            let dash = layout::skip_blanks(self.text, line);
            if dash - line == column && self.text[dash..self.limit].starts_with('-') {
                return Ok(dash);
            }
            line = layout::next_line(self.text, line, self.limit);
        }
        Err(self.refuse(items[at].span, "the dash of this item was not found"))
    }

    fn slot(&self, node: &'d Node, owner: Owner, open: usize) -> LocatedValue<'d> {
        let (lead, decorated) = match owner {
            Owner::Flow => (open, false),
            Owner::Root | Owner::Key(_) | Owner::Item(_) => self.after_decoration(node, open),
        };
        LocatedValue { node, owner, lead, decorated }
    }

    /// Skips an anchor and a tag.
    fn after_decoration(&self, node: &Node, open: usize) -> (usize, bool) {
        let (mut lead, mut decorated) = (open, false);
        loop {
            let at = layout::skip_trivia(self.text, lead, self.limit);
            let inside = at < node.span.start();
            if !inside || !self.text[at..].starts_with(['&', '!']) || node.form == NodeForm::Alias {
                return (lead, decorated);
            }
            let token = self.text[at..self.limit].find([' ', '\t', '\r', '\n']);
            let end = token.map_or(self.limit, |len| at + len);
            (lead, decorated) = (end.min(node.span.start()), true);
        }
    }

    /// The start of the value's own text: a block scalar's `|`, a list's first dash.
    pub(super) fn content_start(&self, slot: &LocatedValue<'d>) -> usize {
        match slot.node.form {
            NodeForm::Absent => slot.lead,
            NodeForm::BlockScalar | NodeForm::Block => {
                layout::skip_trivia(self.text, slot.lead, self.limit)
            }
            NodeForm::Plain
            | NodeForm::Single
            | NodeForm::Double
            | NodeForm::Flow
            | NodeForm::Alias => slot.node.span.start(),
        }
    }

    /// The end of the value's own text, before the line break.
    pub(super) fn content_end(&self, slot: &LocatedValue<'d>) -> Result<usize, Fault> {
        match (slot.node.form, self.last_below(slot)) {
            (NodeForm::Absent, _) => Ok(slot.lead),
            (NodeForm::Block, Some(last)) => self.content_end(&last?),
            (NodeForm::BlockScalar, _) => Ok(self.scalar_text(slot).end),
            (_, _) => Ok(slot.node.span.end()),
        }
    }

    /// The slot at the very end of a block collection, through all levels.
    pub(super) fn deepest_last(&self, slot: &LocatedValue<'d>) -> Result<LocatedValue<'d>, Fault> {
        match (slot.node.form, self.last_below(slot)) {
            (NodeForm::Block, Some(last)) => self.deepest_last(&last?),
            (_, _) => Ok(*slot),
        }
    }

    fn last_below(&self, slot: &LocatedValue<'d>) -> Option<Result<LocatedValue<'d>, Fault>> {
        match &slot.node.value {
            Value::Map(map) => map.iter().last().map(|entry| self.value_of(slot, entry)),
            Value::List(items) => {
                items.len().checked_sub(1).map(|last| self.item_of(slot, items, last))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        }
    }

    /// Returns a block scalar from its header to the end of its last line of text.
    ///
    /// Blanks at the end of that line belong to the text, and so does a blank line that is longer
    /// than the indentation. Other blank lines at the end are not part of the range.
    pub(super) fn scalar_text(&self, slot: &LocatedValue<'d>) -> Range<usize> {
        let header = self.content_start(slot);
        let indent = self.scalar_indent(slot);
        let mut end = layout::line_end(self.text, header, self.limit);
        let mut line = layout::next_line(self.text, header, self.limit);
        let span_end = slot.node.span.end();
        while line < span_end {
            // The span extends to the next token, so the last line may be that token's.
            let line_end = layout::line_end(self.text, line, span_end);
            if layout::has_text(&self.text[line..line_end], indent) {
                end = line_end;
            }
            line = layout::next_line(self.text, line, span_end);
        }
        header..end
    }

    /// The shape of a block scalar, which determines which text may follow it.
    pub(super) fn scalar_shape(&self, slot: &LocatedValue<'d>) -> layout::ScalarShape {
        let header = self.content_start(slot);
        let line = &self.text[header..layout::line_end(self.text, header, self.limit)];
        let mark = line.split([' ', '\t']).next().unwrap_or_default();
        layout::ScalarShape { indent: self.scalar_indent(slot), keeps_blanks: mark.contains('+') }
    }

    /// The indentation of a block scalar's lines: from its header, else from its first non-blank
    /// line.
    fn scalar_indent(&self, slot: &LocatedValue<'d>) -> usize {
        let header = self.content_start(slot);
        let body = layout::next_line(self.text, header, self.limit);
        let digit = self.text[header..body].chars().skip(1).take(2).find_map(|c| c.to_digit(10));
        let (above, least) = match slot.owner {
            Owner::Root | Owner::Flow => (0, 0),
            Owner::Key(column) | Owner::Item(column) => (column, column + 1),
        };
        if let Some(digit) = digit {
            return above + digit as usize;
        }
        let lines = self.text[body..slot.node.span.end().max(body)].split(['\n', '\r']);
        let indents = lines.map(|line| (line.len(), line.trim_start_matches(' ').len()));
        let first = indents.filter(|(_, text)| *text > 0).map(|(line, text)| line - text).next();
        first.unwrap_or(least)
    }

    /// The line start after a block scalar and all blank lines that belong to it.
    pub(super) fn line_after_scalar(&self, slot: &LocatedValue<'d>) -> usize {
        let text_end = layout::next_line(self.text, self.scalar_text(slot).end, self.limit);
        let end = slot.node.span.end();
        if end <= text_end {
            return text_end;
        }
        layout::line_start(self.text, end, self.floor)
    }

    /// Refuses `[key: value]`, a map without braces of its own.
    pub(super) fn needs_braces(&self, node: &Node) -> Result<(), Fault> {
        let bracket = self.text[node.span.start()..].starts_with(['{', '[']);
        if bracket {
            Ok(())
        } else {
            Err(self.refuse(node.span, "a pair without braces cannot be edited"))
        }
    }

    /// The fault for an edit that this layout does not allow.
    pub(super) fn refuse(&self, span: Span, what: &str) -> Fault {
        let span = Span::new(span.start(), layout::line_end(self.text, span.start(), self.limit));
        self.doc.fault(FaultKind::Edit, span, what).help("edit this value by hand")
    }
}
