//! The manual page and the completions contain every command.

use crate::support::sprag;

const COMMANDS: [&str; 8] =
    ["init", "status", "log", "check", "doctor", "completions", "demo", "man"];

#[test]
fn completions_know_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (said, _) = sprag().run(["completions", shell]).output();
        assert_eq!(said.exit, Some(0));
        for command in COMMANDS {
            assert!(said.stdout.contains(command), "{shell}: {command}");
        }
    }
}

#[test]
fn the_page_has_every_command_exit_code_and_variable() {
    let (said, _) = sprag().run(["man"]).output();
    assert_eq!(said.exit, Some(0));
    for command in COMMANDS {
        assert!(said.stdout.contains(&format!("\\fBsprag {command}\\fR")), "{command}");
    }
    for word in ["EXIT STATUS", "state unreadable", "ENVIRONMENT", "SPRAG_ROOT", "K0103"] {
        assert!(said.stdout.contains(word), "{word}");
    }
}

#[test]
fn an_unknown_shell_is_a_usage_error_that_lists_them() {
    let (said, _) = sprag().run(["completions", "tcsh"]).output();
    assert_eq!(said.exit, Some(2));
    assert!(said.stderr.contains("[possible values: bash, elvish, fish, powershell, zsh]"));
}
