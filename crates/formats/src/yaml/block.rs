//! Edits values in block layout: sets, inserts, appends.

use sprag_core::Splice;

use super::layout;
use super::locate::{LocatedValue, Locator, Owner};
use super::remove;
use super::scalar::{self, ScalarContext};
use super::write::{self, BlockScalars, Style};
use crate::change::ValueChange;
use crate::document::Document;
use crate::fault::Fault;
use crate::flow::{self, Pen};
use crate::value::{Node, NodeForm, Value};

/// Returns the splices for one change in a YAML document.
pub(crate) fn change(doc: &Document<'_>, change: &ValueChange) -> Result<Vec<Splice>, Fault> {
    let locator = Locator::new(doc);
    match change {
        ValueChange::Replace { path, value } => {
            Editor::new(locator).replace(&locator.find(path)?, value)
        }
        ValueChange::Insert { path, key, value } => {
            Editor::new(locator).add(&locator.find(path)?, Some(key), value)
        }
        ValueChange::Append { path, value } => {
            Editor::new(locator).add(&locator.find(path)?, None, value)
        }
        ValueChange::Delete { path, step } => remove::delete(&locator, &locator.find(path)?, step),
    }
}

pub(super) fn splice(start: usize, end: usize, text: impl Into<String>) -> Splice {
    Splice { range: start..end, text: text.into() }
}

/// Returns whether `[]` becomes a list of scalars, which people also write in brackets.
fn is_row(old: &Value, new: &Value) -> bool {
    let is_list = |value: &Value| matches!(value, Value::List(_));
    let Value::List(items) = new else { return false };
    is_list(old) && items.iter().all(|item| !item.value.is_filled())
}

struct Editor<'d> {
    at: Locator<'d>,
    style: Style,
}

impl<'d> Editor<'d> {
    fn new(at: Locator<'d>) -> Self {
        let (mut step, mut dash) = (None, None);
        let root = at.find(&[]).ok();
        if let Some(root) = root {
            indents(&at, &root, &mut step, &mut dash);
        }
        let step = step.unwrap_or(2);
        let (dash, line_end) = (dash.unwrap_or(step), at.doc.line_end());
        Self { at, style: Style { step, dash, line_end, scalars: BlockScalars::Yes } }
    }

    /// Returns the style for a value that ends at `place`; its key or dash is at `column`.
    ///
    /// A block scalar at the end of the value would absorb any following text of the same depth:
    /// the rest of the line, long blank lines, comments. In that case the style has no block
    /// scalars.
    fn style_before(&self, place: usize, column: usize) -> Style {
        let (text, limit) = (self.at.text, self.at.limit);
        let is_line = self.begins_line(place);
        let next = if is_line { place } else { layout::next_line(text, place, limit) };
        let scalar = layout::ScalarShape { indent: column + 1, keeps_blanks: false };
        let is_closed = is_line || (next > place && layout::line_end(text, place, limit) == place);
        let is_alone = is_closed && layout::joined_end(text, next, limit, scalar) == next;
        let scalars = if is_alone { BlockScalars::Yes } else { BlockScalars::No };
        Style { scalars, ..self.style }
    }

    /// Replaces a value.
    fn replace(&self, slot: &LocatedValue<'d>, value: &Value) -> Result<Vec<Splice>, Fault> {
        let node = slot.node;
        if slot.owner == Owner::Flow {
            return Ok(vec![self.in_brackets(slot, value)]);
        }
        let stays_in_brackets =
            node.form == NodeForm::Flow && (node.value.is_filled() || is_row(&node.value, value));
        if value.is_filled() && !stays_in_brackets {
            return self.unfold(slot, value);
        }
        if let Some(literal) = self.literal(slot, value) {
            let old = self.at.scalar_text(slot);
            return Ok(vec![splice(old.start, old.end, literal)]);
        }
        let text = if value.is_filled() {
            write::flow(value)
        } else {
            scalar::write(value, node.form, ScalarContext::Block)
        };
        self.inline(slot, &text)
    }

    fn in_brackets(&self, slot: &LocatedValue<'d>, value: &Value) -> Splice {
        let text = if value.is_filled() {
            write::flow(value)
        } else {
            scalar::write(value, slot.node.form, ScalarContext::Flow)
        };
        match slot.node.form {
            NodeForm::Absent if self.at.text[..slot.lead].ends_with(':') => {
                splice(slot.lead, slot.lead, format!(" {text}"))
            }
            NodeForm::Absent => splice(slot.lead, slot.lead, format!(": {text}")),
            NodeForm::Plain
            | NodeForm::Single
            | NodeForm::Double
            | NodeForm::BlockScalar
            | NodeForm::Block
            | NodeForm::Flow
            | NodeForm::Alias => splice(slot.node.span.start(), slot.node.span.end(), text),
        }
    }

    /// Writes a text as a block scalar again, if it was one.
    fn literal(&self, slot: &LocatedValue<'d>, value: &Value) -> Option<String> {
        let Value::String(text) = value else { return None };
        let old = self.at.scalar_text(slot);
        // At the very end of a file, readers disagree on whether the last line break exists.
        let closed = layout::next_line(self.at.text, old.end, self.at.limit) > old.end;
        if slot.node.form != NodeForm::BlockScalar || !closed || text.ends_with("\n\n") {
            return None;
        }
        let body = layout::next_line(self.at.text, old.start, old.end);
        let lines = self.at.text[body..old.end].trim_start_matches(['\r', '\n']);
        let indent = &lines[..lines.len() - lines.trim_start_matches(' ').len()];
        let indent = if indent.is_empty() { return None } else { indent };
        scalar::literal(text, indent, self.style.line_end)
    }

    /// Replaces a value with a text of one line.
    fn inline(&self, slot: &LocatedValue<'d>, text: &str) -> Result<Vec<Splice>, Fault> {
        let at = &self.at;
        match slot.node.form {
            NodeForm::Absent if slot.owner == Owner::Root => {
                Ok(vec![self.at_root(slot, |_| text.to_owned())?])
            }
            NodeForm::Absent => Ok(vec![splice(slot.lead, slot.lead, format!(" {text}"))]),
            NodeForm::Plain
            | NodeForm::Single
            | NodeForm::Double
            | NodeForm::Flow
            | NodeForm::Alias => {
                Ok(vec![splice(slot.node.span.start(), slot.node.span.end(), text)])
            }
            NodeForm::BlockScalar => {
                let old = at.scalar_text(slot);
                let (header_end, line_end) = self.header(old.start);
                Ok(vec![splice(old.start, header_end, text), splice(line_end, old.end, "")])
            }
            NodeForm::Block => {
                let (start, end) = (at.content_start(slot), at.content_end(slot)?);
                let lead_end = layout::line_end(at.text, slot.lead, at.limit);
                if start < lead_end || slot.owner == Owner::Root {
                    return Ok(vec![splice(start, end, text)]);
                }
                let end = layout::line_end(at.text, end, at.limit);
                let insert = splice(slot.lead, slot.lead, format!(" {text}"));
                Ok(vec![insert, splice(lead_end, end, "")])
            }
        }
    }

    /// Replaces a value with a block collection.
    fn unfold(&self, slot: &LocatedValue<'d>, value: &Value) -> Result<Vec<Splice>, Fault> {
        let (at, node) = (&self.at, slot.node);
        let lead_end = layout::line_end(at.text, slot.lead, at.limit);
        let (start, end) = (at.content_start(slot), at.content_end(slot)?);
        let line_end = layout::line_end(at.text, end, at.limit);
        let (lines, column) = match slot.owner {
            Owner::Root | Owner::Flow => {
                return Ok(vec![self.at_root(slot, |style| write::block(value, 0, style))?]);
            }
            Owner::Key(column) => {
                let style = self.style_before(line_end, column);
                (write::after_key(value, column, style), column)
            }
            Owner::Item(column) => {
                let style = self.style_before(line_end, column);
                let below = write::block(value, column + 2, style);
                (format!("{}{}{below}", self.style.line_end, " ".repeat(column + 2)), column)
            }
        };
        let same_line = start <= lead_end && (node.form == NodeForm::Absent || start < lead_end);
        // A tab may come before a scalar, but never before a key.
        let same_line = same_line && !at.text[slot.lead..start].contains('\t');
        let alone = layout::is_blank(&at.text[end..line_end]) && same_line && !slot.decorated;
        if matches!(slot.owner, Owner::Item(_)) && alone {
            return Ok(vec![self.beside_dash(slot, value, start, end, column)]);
        }
        match node.form {
            NodeForm::Absent => Ok(vec![splice(lead_end, lead_end, lines)]),
            NodeForm::Block if start >= lead_end => Ok(vec![splice(lead_end, line_end, lines)]),
            NodeForm::BlockScalar => {
                let (header_end, header_line) = self.header(start);
                Ok(vec![splice(slot.lead, header_end, ""), splice(header_line, end, lines)])
            }
            NodeForm::Plain
            | NodeForm::Single
            | NodeForm::Double
            | NodeForm::Flow
            | NodeForm::Block
            | NodeForm::Alias => {
                let gap = &at.text[slot.lead..start];
                let kept = if gap.contains(['\n', '\r']) { gap.trim_end().len() } else { 0 };
                Ok(vec![splice(slot.lead + kept, end, ""), splice(line_end, line_end, lines)])
            }
        }
    }

    /// Writes a collection into the line of its dash, `- key: value`.
    fn beside_dash(
        &self,
        slot: &LocatedValue<'d>,
        value: &Value,
        start: usize,
        end: usize,
        column: usize,
    ) -> Splice {
        if slot.node.form == NodeForm::Absent {
            let line_end = layout::line_end(self.at.text, slot.lead, self.at.limit);
            let style = self.style_before(line_end, column);
            let text = format!(" {}", write::block(value, column + 2, style));
            return splice(slot.lead, line_end, text);
        }
        let column = layout::column(self.at.text, start, self.at.floor);
        splice(start, end, write::block(value, column, self.style_before(end, column)))
    }

    /// Returns the end of a block scalar's header, and of the header's line.
    fn header(&self, start: usize) -> (usize, usize) {
        let line_end = layout::line_end(self.at.text, start, self.at.limit);
        let token = self.at.text[start..line_end].find([' ', '\t']);
        (token.map_or(line_end, |len| start + len), line_end)
    }

    /// Writes a text at the position of the root.
    fn at_root(
        &self,
        slot: &LocatedValue<'d>,
        text: impl Fn(Style) -> String,
    ) -> Result<Splice, Fault> {
        let at = &self.at;
        let refused =
            || Err(at.refuse(slot.node.span, "the root of this document cannot be changed"));
        if slot.decorated {
            return refused();
        }
        if slot.node.form != NodeForm::Absent {
            let (start, end) = (at.content_start(slot), at.content_end(slot)?);
            let alone = layout::column(at.text, start, at.floor) == 0;
            let text = text(self.style_before(end, 0));
            return if alone { Ok(splice(start, end, text)) } else { refused() };
        }
        let mut place = at.doc.head;
        if place > at.floor {
            place = layout::next_line(at.text, place, at.limit);
        }
        let place = layout::comments_end(at.text, place, at.limit, 0);
        Ok(self.line_at(place, 0, &text(self.style_before(place, 0))))
    }

    /// Returns whether a new line can be inserted at `place` without a line break.
    fn begins_line(&self, place: usize) -> bool {
        let before = &self.at.text[self.at.floor..place];
        before.is_empty() || before.ends_with(['\n', '\r'])
    }

    /// Inserts a line at a line start, or after a last line that has no line end.
    fn line_at(&self, place: usize, column: usize, text: &str) -> Splice {
        let (indent, line_end) = (" ".repeat(column), self.style.line_end);
        if self.begins_line(place) {
            splice(place, place, format!("{indent}{text}{line_end}"))
        } else {
            splice(place, place, format!("{line_end}{indent}{text}"))
        }
    }

    /// Appends a key or an item to a collection.
    fn add(
        &self,
        slot: &LocatedValue<'d>,
        key: Option<&str>,
        value: &Value,
    ) -> Result<Vec<Splice>, Fault> {
        let (at, node) = (&self.at, slot.node);
        if node.form == NodeForm::Alias {
            return Err(at.refuse(node.span, "this value stands elsewhere, at an anchor"));
        }
        if node.form == NodeForm::Flow {
            at.needs_braces(node)?;
            let bare = at.text[node.span.range()].len() == 2;
            let near = &at.text[slot.lead..node.span.start()] == " " || slot.owner == Owner::Root;
            if slot.owner != Owner::Flow && bare && near && !slot.decorated {
                return self.unfold(slot, &alone(key, value));
            }
            return Ok(vec![flow::insert(at.text, node, key, value, &Pen::Yaml)]);
        }
        let start = at.content_start(slot);
        let column = layout::column(at.text, start, at.floor);
        let entry = |style| match key {
            Some(key) => write::entry(key, value, column, style),
            None => write::item(value, column, style),
        };
        let last = at.deepest_last(slot)?;
        if last.node.form == NodeForm::BlockScalar && !self.ends_with_line() {
            return self.before_last(slot, &entry(self.style), column);
        }
        let place = self.after(slot, &last, column)?;
        Ok(vec![self.line_at(place, column, &entry(self.style_before(place, column)))])
    }

    /// Returns the line start after a collection and the comments that belong to it.
    fn after(
        &self,
        slot: &LocatedValue<'d>,
        last: &LocatedValue<'d>,
        column: usize,
    ) -> Result<usize, Fault> {
        let at = &self.at;
        let end = if last.node.form == NodeForm::BlockScalar {
            at.line_after_scalar(last)
        } else {
            layout::next_line(at.text, at.content_end(last)?, at.limit)
        };
        let deeper = if slot.owner == Owner::Root { 0 } else { column + 1 };
        Ok(layout::comments_end(at.text, end, at.limit, deeper))
    }

    fn ends_with_line(&self) -> bool {
        self.at.text[..self.at.limit].ends_with(['\n', '\r'])
    }

    /// Inserts a key before the last one, which ends in a block scalar without a line end: the line
    /// break needed after it could change its text.
    fn before_last(
        &self,
        slot: &LocatedValue<'d>,
        text: &str,
        column: usize,
    ) -> Result<Vec<Splice>, Fault> {
        let Value::Map(map) = &slot.node.value else {
            return Err(self.at.refuse(slot.node.span, "the last item has no line end"));
        };
        let place = map.iter().last().map_or(self.at.limit, |entry| entry.key_span.start());
        let text = format!("{text}{}{}", self.style.line_end, " ".repeat(column));
        Ok(vec![splice(place, place, text)])
    }
}

fn alone(key: Option<&str>, value: &Value) -> Value {
    match key {
        Some(key) => Value::map([(key, value.clone())]),
        None => Value::List(vec![Node::from(value.clone())]),
    }
}

/// Detects the indentation of the file from the first nested map and the first list below a key.
fn indents(
    at: &Locator<'_>,
    slot: &LocatedValue<'_>,
    step: &mut Option<usize>,
    dash: &mut Option<usize>,
) {
    if slot.node.form != NodeForm::Block || (step.is_some() && dash.is_some()) {
        return;
    }
    let below: Vec<LocatedValue<'_>> = match &slot.node.value {
        Value::Map(map) => map.iter().filter_map(|entry| at.value_of(slot, entry).ok()).collect(),
        Value::List(items) => {
            (0..items.len()).filter_map(|nth| at.item_of(slot, items, nth).ok()).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    };
    for slot in below {
        if let (NodeForm::Block, Owner::Key(column)) = (slot.node.form, slot.owner) {
            let start = layout::column(at.text, at.content_start(&slot), at.floor);
            let found =
                if matches!(slot.node.value, Value::List(_)) { &mut *dash } else { &mut *step };
            found.get_or_insert(start.saturating_sub(column));
        }
        indents(at, &slot, step, dash);
    }
}
