//! The look of messages and calls in pi: pieces of text with theme colours.

/// A piece of text with its style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The name of the theme colour.
    pub colour: &'static str,
    pub bold: bool,
    pub text: String,
}

impl Piece {
    fn new(colour: &'static str, bold: bool, text: impl Into<String>) -> Self {
        Self { colour, bold, text: text.into() }
    }
}

/// Renders one of sprag's messages; `None` for any other message.
pub fn message(custom_type: &str, content: &str) -> Option<Vec<Piece>> {
    match custom_type {
        "workflow:context" => Some(vec![
            Piece::new("accent", false, "🔄 "),
            Piece::new("dim", false, "[Workflow Context injected]"),
        ]),
        "workflow:complete" => Some(vec![Piece::new("success", true, content)]),
        "workflow:countdown" => {
            Some(vec![Piece::new("accent", false, "⏳ "), Piece::new("dim", false, content)])
        }
        _ => None,
    }
}

/// Renders a call of the tool.
pub fn call(action: &str) -> Vec<Piece> {
    vec![Piece::new("toolTitle", true, "workflow_step "), Piece::new("accent", false, action)]
}

/// Renders a result of the tool; `None` if it is empty.
pub fn result(text: Option<&str>, kind: Option<&str>) -> Option<Vec<Piece>> {
    let text = text?;
    let whole = matches!(kind, Some("error" | "cancel" | "complete"));
    let shown = if whole { text } else { text.split('\n').next().unwrap_or_default() };
    (!shown.is_empty()).then(|| vec![Piece::new("toolOutput", false, shown)])
}
