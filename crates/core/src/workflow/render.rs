//! How messages and calls look in pi: pieces of text with the colours of its theme.

/// A piece of text and how it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The colour's name in the theme.
    pub colour: &'static str,
    /// Whether it is bold.
    pub bold: bool,
    /// The text.
    pub text: String,
}

impl Piece {
    fn new(colour: &'static str, bold: bool, text: impl Into<String>) -> Self {
        Self { colour, bold, text: text.into() }
    }
}

/// Returns how a message of ours is shown; nothing for one that is not ours.
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

/// Returns how a call of the tool is shown.
pub fn call(action: &str) -> Vec<Piece> {
    vec![Piece::new("toolTitle", true, "workflow_step "), Piece::new("accent", false, action)]
}

/// Returns how a result of the tool is shown; nothing when there is nothing to show.
pub fn result(text: Option<&str>, kind: Option<&str>) -> Option<Vec<Piece>> {
    let text = text?;
    let whole = matches!(kind, Some("error" | "cancel" | "complete"));
    let shown = if whole { text } else { text.split('\n').next().unwrap_or_default() };
    (!shown.is_empty()).then(|| vec![Piece::new("toolOutput", false, shown)])
}
