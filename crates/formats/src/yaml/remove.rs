//! Removes keys and items from a YAML document, with their lines.

use sprag_core::Splice;

use super::block::splice;
use super::layout;
use super::locate::{LocatedValue, Locator, Owner};
use crate::fault::Fault;
use crate::flow;
use crate::value::{NodeForm, Value, index};

/// One entry of a block collection: the position of its key or dash, and its value.
struct BlockEntry<'d> {
    start: usize,
    slot: LocatedValue<'d>,
}

/// Returns the splices that remove a key or an item from a collection.
pub(super) fn delete(
    at: &Locator<'_>,
    owner: &LocatedValue<'_>,
    step: &str,
) -> Result<Vec<Splice>, Fault> {
    let position = match &owner.node.value {
        Value::Map(map) => map.iter().position(|entry| entry.key == step),
        Value::List(items) => index(step).filter(|&nth| nth < items.len()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    };
    let Some(nth) = position.filter(|_| owner.node.form != NodeForm::Alias) else {
        return Err(at.refuse(owner.node.span, "this value stands elsewhere, at an anchor"));
    };
    if owner.node.form == NodeForm::Flow {
        at.needs_braces(owner.node)?;
        return Ok(flow::remove(at.text, owner.node, nth));
    }
    let gone = part(at, owner, nth)?;
    let length = match &owner.node.value {
        Value::Map(map) => map.len(),
        Value::List(items) => items.len(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    };
    if length == 1 {
        return emptied(at, owner, &gone);
    }
    if !layout::first_in_line(at.text, gone.start, at.floor) {
        return first_beside_dash(at, owner, &gone);
    }
    let before = if nth == 0 { None } else { Some(part(at, owner, nth - 1)?) };
    Ok(vec![lines(at, &gone, before.as_ref())?])
}

fn part<'d>(
    at: &Locator<'d>,
    owner: &LocatedValue<'d>,
    nth: usize,
) -> Result<BlockEntry<'d>, Fault> {
    match &owner.node.value {
        Value::Map(map) => {
            let Some(entry) = map.iter().nth(nth) else {
                return Err(at.refuse(owner.node.span, "there is no such key"));
            };
            Ok(BlockEntry { start: entry.key_span.start(), slot: at.value_of(owner, entry)? })
        }
        Value::List(items) => Ok(BlockEntry {
            start: at.dash(owner, items, nth)?,
            slot: at.item_of(owner, items, nth)?,
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            Err(at.refuse(owner.node.span, "this value holds nothing"))
        }
    }
}

/// Removes whole lines; comments around them stay.
fn lines(
    at: &Locator<'_>,
    gone: &BlockEntry<'_>,
    before: Option<&BlockEntry<'_>>,
) -> Result<Splice, Fault> {
    let end = at.content_end(&gone.slot)?;
    let mut start = layout::line_start(at.text, gone.start, at.floor);
    let mut next = layout::next_line(at.text, end, at.limit);
    let scalar = match before {
        Some(before) => Some(at.deepest_last(&before.slot)?),
        None => None,
    };
    let scalar = scalar.filter(|last| last.node.form == NodeForm::BlockScalar);
    if let Some(scalar) = scalar.filter(|scalar| at.line_after_scalar(scalar) == start) {
        // Blank lines and comments after it would become lines of the scalar.
        next = layout::joined_end(at.text, next, at.limit, at.scalar_shape(&scalar));
    } else if !at.text[..next].ends_with(['\n', '\r']) {
        // The file had no final line break, and still has none.
        start =
            at.text[at.floor..start].strip_suffix('\n').map_or(start, |rest| at.floor + rest.len());
        start =
            at.text[at.floor..start].strip_suffix('\r').map_or(start, |rest| at.floor + rest.len());
    }
    Ok(splice(start, next, ""))
}

/// Removes the first entry of a collection that starts in its dash's line.
fn first_beside_dash(
    at: &Locator<'_>,
    owner: &LocatedValue<'_>,
    gone: &BlockEntry<'_>,
) -> Result<Vec<Splice>, Fault> {
    let next = part(at, owner, 1)?.start;
    let end = at.content_end(&gone.slot)?;
    let line_end = layout::line_end(at.text, end, at.limit);
    if line_end < next && at.text[line_end..next].contains('#') {
        return Ok(vec![splice(owner.lead, line_end, "")]);
    }
    Ok(vec![splice(gone.start, next, "")])
}

/// Removes the only entry: the collection becomes `{}` or `[]`.
fn emptied(
    at: &Locator<'_>,
    owner: &LocatedValue<'_>,
    gone: &BlockEntry<'_>,
) -> Result<Vec<Splice>, Fault> {
    let text = if matches!(owner.node.value, Value::List(_)) { "[]" } else { "{}" };
    let lead_end = layout::line_end(at.text, owner.lead, at.limit);
    if owner.owner == Owner::Root || gone.start < lead_end {
        return Ok(vec![splice(gone.start, at.content_end(&gone.slot)?, text)]);
    }
    let lead = owner.lead;
    Ok(vec![splice(lead, lead, format!(" {text}")), lines(at, gone, None)?])
}
