//! The slash commands: typed or expanded, their first line is the same.

use super::*;
use crate::SLASH_BODIES;

fn file(slash: Slash, host: Host) -> Option<String> {
    host.row().install.command.map(|command| command(slash))
}

/// The body of a file of Claude Code, without its front matter.
fn body(slash: Slash) -> String {
    let text = file(slash, Host::CLAUDE).unwrap();
    text.rsplit_once("---\n").unwrap().1.to_owned()
}

#[test]
fn a_body_begins_with_what_was_typed() {
    for slash in Slash::ALL {
        let first = format!("/sprag:{} $ARGUMENTS", slash.name());
        assert_eq!(body(slash).lines().next(), Some(first.as_str()));
        assert!(
            body(slash).contains("`sprag init`"),
            "for a person with the file and without sprag"
        );
        // These words distinguish a command's file from text that a person adds below the command.
        let rest = body(slash).split_once("\n\n").unwrap().1.to_owned();
        assert!(SLASH_BODIES.iter().any(|begins| rest.starts_with(begins)), "{rest}");
    }
}

#[test]
fn front_matter_and_toml_say_what_it_does() {
    let claude = file(Slash::Until, Host::CLAUDE).unwrap();
    let about = Slash::Until.about();
    let front = format!(
        "---\ndescription: \"{about}\"\nargument-hint: \"CMD | off\"\n\
         disable-model-invocation: true\n---\n/sprag:until"
    );
    assert!(claude.starts_with(&front), "{claude}");
    let document =
        sprag_formats::Document::parse(sprag_formats::Format::FrontMatter, &claude).unwrap();
    assert!(document.has_front_matter());
    let gemini = file(Slash::Pause, Host::GEMINI).unwrap();
    assert!(gemini.contains("prompt = '''\n/sprag:pause {{args}}\n\n"), "{gemini}");
    assert!(gemini.ends_with("\n'''\n"), "{gemini}");
    for host in [Host::CODEX, Host::COPILOT, Host::OPENCODE, Host::PI] {
        assert_eq!(file(Slash::Until, host), None, "{host:?}");
    }
}

#[test]
fn the_bridge_into_opencode_has_them_and_the_program() {
    let wanted = Wanted { program: "/my \"own\"/sprag", ..wanted(Host::OPENCODE) };
    let text = enter(None, &[Component::Bridge], &wanted).unwrap().text;
    assert!(text.contains("const PROGRAM = \"/my \\\"own\\\"/sprag\" // "), "{text}");
    assert_eq!(text.matches("template: \"/sprag:").count(), 5, "{text}");
    assert!(text.contains("template: \"/sprag:why $ARGUMENTS\\n\\nsprag"), "{text}");
}
