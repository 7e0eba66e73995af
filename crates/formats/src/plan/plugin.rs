//! `hooks/hooks.json` in the layout of a plugin: the host events that it handles, and how.
//!
//! sprag runs none of it. It is read to explain the original's own entries to the person, and to
//! report a stop that has two handlers.

use crate::document::{Document, Format};
use crate::fault::Fault;
use crate::field::Field;

/// An entry of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginEntry {
    /// The event that it handles: `Stop`.
    pub event: String,
    /// `command` or `prompt`.
    pub kind: String,
    /// The command or the prompt.
    pub text: String,
    /// A known defect, if it has one.
    pub defect: Option<&'static str>,
}

/// Returns the entries, without invalid ones.
pub fn read(text: &str) -> Result<Vec<PluginEntry>, Fault> {
    let document = Document::parse(Format::Json, text)?;
    let events = document.need(&["hooks"])?;
    let mut found = Vec::new();
    for (event, groups) in events.entries()? {
        for group in groups.items()? {
            let hooks = group.optional(&["hooks"]).map(|hooks| hooks.items()).transpose()?;
            found.extend(hooks.unwrap_or_default().iter().map(|hook| entry(event, hook)));
        }
    }
    Ok(found)
}

fn entry(event: &str, field: &Field<'_>) -> PluginEntry {
    let text = |key: &str| {
        let found = field.optional(&[key]);
        found.and_then(|field| field.as_str().ok().map(str::to_owned)).unwrap_or_default()
    };
    let kind = text("type");
    let said = if kind == "prompt" { text("prompt") } else { text("command") };
    let defect = defect(event, &kind, &said);
    PluginEntry { event: event.to_owned(), kind, text: said, defect }
}

/// Describes known defects of the entries that opti-gsd shipped.
fn defect(event: &str, kind: &str, text: &str) -> Option<&'static str> {
    if kind == "prompt" && event == "Stop" {
        return Some(
            "a prompt cannot read STATE.md, and answers in another form than a stop needs",
        );
    }
    let is_seed = text.contains("stop-hook.sh");
    if is_seed && text.contains("CLAUDE_PROJECT_DIR") {
        return Some("in a plugin this names a file of the project, which is not there");
    }
    is_seed.then_some("its answers are not what the host expects, and values of STATE.md are run")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> PluginEntry {
        let entries = read(&format!(
            "{{\"hooks\": {{\"Stop\": [{{\"matcher\": \"\", \"hooks\": [{text}]}}]}}}}"
        ));
        entries.unwrap().remove(0)
    }

    #[test]
    fn entries_are_read_and_their_defects_named() {
        let shell = one(
            r#"{"type": "command", "command": "bash \"$CLAUDE_PROJECT_DIR/hooks/stop-hook.sh\""}"#,
        );
        assert_eq!((shell.event.as_str(), shell.kind.as_str()), ("Stop", "command"));
        assert!(shell.defect.is_some_and(|why| why.contains("plugin")));
        let fixed = one(
            r#"{"type": "command", "command": "bash \"${CLAUDE_PLUGIN_ROOT}/hooks/stop-hook.sh\""}"#,
        );
        assert!(fixed.defect.is_some_and(|why| why.contains("STATE.md")));
        assert!(one(r#"{"type": "prompt", "prompt": "Look."}"#).defect.is_some());
        assert_eq!(one(r#"{"type": "command", "command": "sprag hook claude"}"#).defect, None);
        assert_eq!(one("5").text, "");
    }

    #[test]
    fn what_has_another_form_is_a_fault() {
        for text in ["", "[]", "{}", "{\"hooks\": 5}", "{\"hooks\": {\"Stop\": {}}}"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
