//! Takes single values out of an event's data; what is not there or of another form is nothing.

use crate::review::RefusedFinding;
use crate::{Plain, Stored, Time};

/// Returns the text at `key`.
pub(super) fn text<'d>(data: &'d Plain, key: &str) -> Option<&'d str> {
    match value(data, key)? {
        Plain::Text(text) => Some(text),
        Plain::Null
        | Plain::Bool(_)
        | Plain::Int(_)
        | Plain::Other(_)
        | Plain::List(_)
        | Plain::Map(_) => None,
    }
}

/// Returns the number at `key`.
pub(super) fn number(data: &Plain, key: &str) -> Option<u64> {
    match value(data, key)? {
        Plain::Int(number) => u64::try_from(*number).ok(),
        Plain::Null
        | Plain::Bool(_)
        | Plain::Other(_)
        | Plain::Text(_)
        | Plain::List(_)
        | Plain::Map(_) => None,
    }
}

/// Returns the moment at `key`.
pub(super) fn time(data: &Plain, key: &str) -> Option<Time> {
    text(data, key).and_then(Time::parse)
}

/// Returns the texts of the list at `key`.
pub(super) fn texts(data: &Plain, key: &str) -> Vec<String> {
    let Some(Plain::List(items)) = value(data, key) else { return Vec::new() };
    let text = |item: &Plain| match item {
        Plain::Text(text) => Some(text.clone()),
        Plain::Null
        | Plain::Bool(_)
        | Plain::Int(_)
        | Plain::Other(_)
        | Plain::List(_)
        | Plain::Map(_) => None,
    };
    items.iter().filter_map(text).collect()
}

/// Returns the findings that agents refused.
pub(super) fn refused(data: &Plain) -> Vec<RefusedFinding> {
    let Some(Plain::List(items)) = value(data, "refused") else { return Vec::new() };
    items.iter().filter_map(|item| Stored::lift(item).ok()).collect()
}

fn value<'d>(data: &'d Plain, key: &str) -> Option<&'d Plain> {
    let Plain::Map(entries) = data else { return None };
    entries.iter().find(|(found, _)| found == key).map(|(_, value)| value)
}
