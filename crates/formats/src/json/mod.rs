//! JSON: read strictly with byte spans, edited in the style of the file, written as JavaScript
//! does.

mod change;
mod escape;
mod javascript;
mod native;
mod read;
mod write;

pub(crate) use change::change;
pub use escape::json_escape;
pub use javascript::{to_json, to_json_line};
pub(crate) use native::native;
pub(crate) use read::read;
pub(crate) use write::{Style, element};
