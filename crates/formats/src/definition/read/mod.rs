//! Readers for only the relevant parts of a file. Each returns `None` if the text is not as
//! expected; the file then counts as a whole.

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
