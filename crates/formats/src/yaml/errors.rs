//! Turns the parser's errors into faults that say what was expected.

use granit_parser::{ErrorKind, ScanError};

use crate::fault::{Fault, FaultKind};
use crate::limits::MAX_DEPTH;
use crate::place::Span;

/// Makes the one fault of a text that is not YAML; `base` is where the parser's input begins.
#[expect(clippy::wildcard_enum_match_arm, reason = "the parser's enum is not ours and grows")]
pub(super) fn syntax(text: &str, base: usize, error: &ScanError) -> Fault {
    let at = base + error.marker().byte_offset().unwrap_or(0);
    let next = text.get(at..).and_then(|rest| rest.chars().next());
    let width = next.filter(|&c| c != '\n' && c != '\r').map_or(0, char::len_utf8);
    let fault =
        |kind: FaultKind, what: &str| Fault::new(kind, text, Span::new(at, at + width), what);
    let plain = |what: &str| fault(FaultKind::Syntax, what);
    match error.kind() {
        ErrorKind::MappingValueNotAllowed => plain("a second `:` in one value")
            .expecting("one `key: value` a line")
            .help("put the value in quotes if the colon belongs to it"),
        ErrorKind::TabInBlockIndentation => {
            plain("a tab is used as indentation").expecting("spaces").help("replace tabs by spaces")
        }
        ErrorKind::UnknownAnchor => {
            plain("this alias has no anchor before it").help("write the value out")
        }
        ErrorKind::UnclosedFlowCollection { open } => plain(&format!("`{open}` is never closed"))
            .expecting(if *open == '[' { "a `]`" } else { "a `}`" }),
        ErrorKind::ExpectedBlockMappingKey => {
            plain("this line fits no map or list above it").help("check the indentation")
        }
        ErrorKind::UnexpectedCharacter { character } => {
            plain(&format!("`{}` cannot stand here", character.escape_default()))
                .help("put the value in double quotes")
        }
        ErrorKind::UnclosedQuotedScalar => plain("this quote is never closed"),
        ErrorKind::InvalidQuotedScalarIndent => {
            plain("a quote before this line is not closed").help("close it, or indent this line")
        }
        ErrorKind::RecursionLimitExceeded => {
            let what = format!("values are nested deeper than {MAX_DEPTH} levels");
            fault(FaultKind::Limit, &what)
        }
        _ => plain(&error.info()),
    }
}
