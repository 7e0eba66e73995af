//! The look of messages and calls in pi: pieces of text with theme colours.

/// A piece of text with its style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StyledText {
    /// The name of the theme colour.
    pub colour: &'static str,
    pub bold: bool,
    pub text: String,
}

impl StyledText {
    fn new(colour: &'static str, bold: bool, text: impl Into<String>) -> Self {
        Self { colour, bold, text: text.into() }
    }
}

/// Renders one of sprag's messages; `None` for any other message.
pub fn message(custom_type: &str, content: &str) -> Option<Vec<StyledText>> {
    match custom_type {
        "workflow:context" => Some(vec![
            StyledText::new("accent", false, "🔄 "),
            StyledText::new("dim", false, "[Workflow Context injected]"),
        ]),
        "workflow:complete" => Some(vec![StyledText::new("success", true, content)]),
        "workflow:countdown" => Some(vec![
            StyledText::new("accent", false, "⏳ "),
            StyledText::new("dim", false, content),
        ]),
        _ => None,
    }
}

/// Renders a call of the tool.
pub fn call(action: &str) -> Vec<StyledText> {
    vec![
        StyledText::new("toolTitle", true, "workflow_step "),
        StyledText::new("accent", false, action),
    ]
}

/// Renders a result of the tool; `None` if it is empty.
pub fn result(text: Option<&str>, kind: Option<&str>) -> Option<Vec<StyledText>> {
    let text = text?;
    let whole = matches!(kind, Some("error" | "cancel" | "complete"));
    let shown = if whole { text } else { text.split('\n').next().unwrap_or_default() };
    (!shown.is_empty()).then(|| vec![StyledText::new("toolOutput", false, shown)])
}
