//! Readers of just the parts that count. Each answers with nothing where a text is not what it
//! should be; the file then counts as a whole.

mod code;
mod datum;
mod ini;
mod python;
mod toml;
mod xml;

pub(super) use code::{keywords, property, statements};
pub(super) use datum::Datum;
pub(super) use ini::{IniSection, ini};
pub(super) use python::{PythonStatement, statements as python_statements};
pub(super) use toml::toml;
pub(super) use xml::{Element, xml};
