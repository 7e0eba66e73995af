//! Converts the parser's errors into faults with the expected syntax.

use granit_parser::{ErrorKind, ScanError};

use crate::fault::{Fault, FaultKind};
use crate::limits::MAX_DEPTH;
use crate::place::Span;

/// The problem, the expected syntax, and how to fix it if that differs.
type Words = (&'static str, &'static str, Option<&'static str>);

/// Makes the fault for a text that is not YAML; `base` is the offset of the parser's input.
#[expect(clippy::wildcard_enum_match_arm, reason = "the parser's enum is not ours and grows")]
pub(super) fn syntax(text: &str, base: usize, error: &ScanError) -> Fault {
    let at = base + error.marker().byte_offset().unwrap_or(0);
    let next = text.get(at..).and_then(|rest| rest.chars().next());
    let width = next.filter(|&c| c != '\n' && c != '\r').map_or(0, char::len_utf8);
    let fault = |kind, what: String| Fault::new(kind, text, Span::new(at, at + width), what);
    let syntax = |what: String| fault(FaultKind::Syntax, what);
    let kind = error.kind();
    match kind {
        ErrorKind::RecursionLimitExceeded => {
            fault(FaultKind::Limit, format!("values are nested deeper than {MAX_DEPTH} levels"))
        }
        ErrorKind::UnclosedFlowCollection { open } => {
            syntax(format!("`{open}` is never closed")).expecting(closing(*open))
        }
        ErrorKind::MismatchedFlowCollectionEnd { open, close } => {
            syntax(format!("`{open}` is closed by `{close}`")).expecting(closing(*open))
        }
        ErrorKind::UnexpectedCharacter { character } => {
            syntax(format!("`{}` cannot stand here", character.escape_default()))
                .expecting("a value")
                .help("put the value in double quotes")
        }
        _ => match collection(kind).or_else(|| scalar(kind)).or_else(|| mark(kind)) {
            Some((what, expected, None)) => syntax(what.to_owned()).expecting(expected),
            Some((what, expected, Some(help))) => {
                syntax(what.to_owned()).expecting(expected).help(help)
            }
            None => syntax(error.info()).expecting("YAML 1.2"),
        },
    }
}

fn closing(open: char) -> &'static str {
    if open == '[' { "a `]`" } else { "a `}`" }
}

/// Messages about maps and lists, by indentation or in brackets.
#[expect(clippy::wildcard_enum_match_arm, reason = "the parser's enum is not ours and grows")]
fn collection(kind: &ErrorKind) -> Option<Words> {
    use ErrorKind as E;
    Some(match kind {
        E::MappingValueNotAllowed => (
            "a second `:` in one value",
            "one `key: value` a line",
            Some("put the value in quotes if the colon belongs to it"),
        ),
        E::MappingKeyNotAllowed
        | E::InvalidMappingValueWhitespace
        | E::InvalidColonPlacement
        | E::FlowMappingValueAdjacentCollection => {
            ("a key or `:` cannot stand here", "one `key: value` a line", None)
        }
        E::SimpleKeyExpected => ("this key has no `:`", "`:` and a blank after the key", None),
        E::InvalidSimpleKey => ("this key goes on too long", "a key and its `:` in one line", None),
        E::ExpectedBlockMappingKey | E::ExpectedBlockSequenceEntry | E::InvalidIndentation => (
            "this line fits no map or list above it",
            "the indentation of a key or dash above",
            Some("check the indentation"),
        ),
        E::BlockEntryInFlowCollection
        | E::BlockSequenceEntryNotAllowed
        | E::InvalidBlockEntryWhitespace
        | E::PlainScalarStartsWithDashFlowIndicator => (
            "a `-` cannot stand here",
            "each item of a list in its own line, after `- `",
            Some("put the value in quotes if the dash belongs to it"),
        ),
        E::ExpectedFlowSequenceSeparator | E::UnexpectedEofFlowSequence => {
            ("this list in brackets goes on wrongly", "`,` or `]`", None)
        }
        E::ExpectedFlowMappingSeparator
        | E::UnexpectedEofFlowMapping
        | E::UnexpectedEofImplicitFlowMapping => {
            ("this map in brackets goes on wrongly", "`,` or `}`", None)
        }
        E::MisplacedFlowCollectionEnd => {
            ("this bracket closes nothing", "an opening bracket before it", None)
        }
        E::ExpectedNodeContent
        | E::UnexpectedEof
        | E::UnexpectedEofBlockMapping
        | E::UnexpectedEofBlockSequence
        | E::UnexpectedEndOfPlainScalar => ("a value is missing here", "a value", None),
        _ => return None,
    })
}

/// Messages about scalars, and the blanks and comments around them.
#[expect(clippy::wildcard_enum_match_arm, reason = "the parser's enum is not ours and grows")]
fn scalar(kind: &ErrorKind) -> Option<Words> {
    use ErrorKind as E;
    Some(match kind {
        E::TabInBlockIndentation
        | E::TabInIndentation
        | E::TabNotAllowed
        | E::TabAtBlockScalarStart
        | E::TabInPlainScalar => {
            ("a tab is used as indentation", "spaces", Some("replace tabs by spaces"))
        }
        E::UnclosedQuotedScalar | E::DocumentIndicatorInQuotedScalar => {
            ("this quote is never closed", "a closing quote", None)
        }
        E::InvalidQuotedScalarIndent => (
            "a quote before this line is not closed",
            "a closing quote, or a line that is indented",
            Some("close it, or indent this line"),
        ),
        E::InvalidFlowScalarIndent => {
            ("this line is not indented enough", "more blanks than its key has", None)
        }
        E::InvalidTrailingSingleQuotedScalar | E::InvalidTrailingDoubleQuotedScalar => (
            "something follows the closing quote",
            "the end of the value",
            Some("put the whole value in quotes"),
        ),
        E::UnknownQuotedScalarEscape
        | E::InvalidQuotedScalarHexEscape
        | E::InvalidLowSurrogateHexEscape
        | E::InvalidLowSurrogate
        | E::MissingLowSurrogate
        | E::UnpairedLowSurrogate
        | E::InvalidUnicodeEscape => (
            "this escape is not known",
            "an escape such as `\\n` or `\\u00e9`",
            Some("double the backslash, or use single quotes"),
        ),
        E::ZeroBlockScalarIndent | E::InvalidBlockScalarHeader => {
            ("this block text begins wrongly", "`|` or `>` at the end of the line", None)
        }
        E::InvalidBlockScalarIndent => (
            "a blank line is indented deeper than the text below it",
            "the indentation of the text's first line",
            None,
        ),
        E::CommentInterceptedScalar => {
            ("a comment stands inside a text", "comments after the whole text", None)
        }
        E::CommentNotSeparated => ("a comment follows without a blank", "a blank before `#`", None),
        E::ExpectedWhitespace => ("a blank is missing here", "a blank", None),
        _ => return None,
    })
}

/// Messages about anchors, tags, directives and document boundaries.
#[expect(clippy::wildcard_enum_match_arm, reason = "the parser's enum is not ours and grows")]
fn mark(kind: &ErrorKind) -> Option<Words> {
    use ErrorKind as E;
    Some(match kind {
        E::UnknownAnchor => (
            "this alias has no anchor before it",
            "the name of an anchor above",
            Some("write the value out"),
        ),
        E::MissingAnchorOrAliasName => {
            ("this anchor or alias has no name", "a name right after `&` or `*`", None)
        }
        E::UndeclaredTagHandle
        | E::ExpectedTagBang
        | E::InvalidGlobalTagCharacter
        | E::InvalidTagTerminator
        | E::MissingTagUri
        | E::UnclosedVerbatimTag
        | E::InvalidTagEscape
        | E::InvalidTagUtf8LeadingByte
        | E::InvalidTagUtf8TrailingByte
        | E::InvalidTagUtf8 => ("this is no tag", "a tag such as `!!str`, or none", None),
        E::DuplicateVersionDirective
        | E::UnsupportedYamlMajorVersion
        | E::DuplicateTagDirective
        | E::ExpectedTagDirectiveBang
        | E::InvalidTagDirectiveTerminator
        | E::InvalidDirectiveTerminator
        | E::InvalidDirectiveName
        | E::MissingDirectiveName
        | E::MissingYamlVersion
        | E::MissingYamlVersionSeparator
        | E::YamlVersionTooLong
        | E::DirectiveByteLimitExceeded { .. }
        | E::TooManyReservedDirectiveParams { .. }
        | E::MissingDocumentEndBeforeDirective => (
            "this directive is not understood",
            "`%YAML 1.2` once, then `---`",
            Some("remove the line; put a value that begins with `%` in quotes"),
        ),
        E::ExpectedDocumentStart => {
            ("the document cannot go on like this", "`---`, or the end of the document", None)
        }
        E::InvalidDocumentEnd => {
            ("something follows `...` in its line", "only a comment after `...`", None)
        }
        E::BomInsideDocument => {
            ("a second byte order mark", "none but at the start of the file", None)
        }
        _ => return None,
    })
}
