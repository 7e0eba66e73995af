//! Commands that a person types into a session: `/sprag:until cargo test`.
//!
//! They arrive as a prompt: the typed line, or the text of the command's file, which starts with
//! that line. Only a prompt with exactly such a command counts. Pasted text may start with one or
//! contain one, and must not trigger it.

use std::time::Duration;

use sprag_core::basis::MayChange;
use sprag_core::quoted;
use sprag_formats::{duration, words};

use crate::install::Slash;

/// The texts of our command files after the first line, as `init` writes them.
pub const SLASH_BODIES: [&str; 2] =
    ["sprag has acted on the line above", "sprag has answered the line above"];

/// The prefix of our commands.
const BEGINS: &str = "/sprag:";

/// A command of ours that was typed into a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SlashCommand {
    /// Hold this session until a command passes.
    Until {
        /// The command, as it was typed; it can be split into words.
        command: String,
    },
    /// Stop holding it until that command passes.
    UntilOff,
    /// Start a workflow in this session.
    Start { name: String, task: String },
    /// Show why it cannot stop, or why a tool is blocked.
    Why {
        /// The blocked tool.
        what: Option<String>,
    },
    /// Release this session.
    Pause {
        /// `None` means for good.
        length: Option<Duration>,
        /// The person's reason.
        why: Option<String>,
    },
    /// Hold it again.
    PauseOff,
    /// Accept changes to the files that judge this session.
    Ok {
        /// The files that may change from now on. If empty, accepts the changes that are in doubt
        /// now.
        may: Vec<MayChange>,
    },
    /// It starts like one of ours but is invalid: nothing happens.
    Wrong {
        /// The reason.
        why: String,
        /// The correct command to type.
        help: String,
    },
}

impl SlashCommand {
    /// Parses a prompt. Returns `None` if it is not one of our commands.
    pub fn read(prompt: &str) -> Option<Self> {
        let text = prompt.trim_start().strip_prefix(BEGINS)?;
        let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
        let (name, given) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim_start();
        let ours = SLASH_BODIES.iter().any(|body| rest.starts_with(body));
        if !rest.is_empty() && !ours {
            let why = "a command of sprag stands alone, and more follows here".to_owned();
            return Some(Self::Wrong { why, help: format!("type `{BEGINS}{name}` by itself") });
        }
        Some(Self::of(name.trim(), given))
    }

    /// Parses a command from its name and its arguments.
    pub fn of(name: &str, given: &str) -> Self {
        let given = given.trim();
        match Slash::ALL.into_iter().find(|slash| slash.name() == name) {
            Some(Slash::Until) => until(given),
            Some(Slash::Start) => start(given),
            Some(Slash::Why) => Self::Why { what: (!given.is_empty()).then(|| given.to_owned()) },
            Some(Slash::Pause) => pause(given),
            Some(Slash::Ok) => ok(given),
            None => {
                let names = Slash::ALL.map(|slash| format!("`{BEGINS}{}`", slash.name()));
                Self::Wrong {
                    why: format!("sprag has no command `{}`", name.escape_debug()),
                    help: format!("there are {}", names.join(", ")),
                }
            }
        }
    }
}

fn until(given: &str) -> SlashCommand {
    if given == "off" {
        return SlashCommand::UntilOff;
    }
    match words(given) {
        Ok(_) => SlashCommand::Until { command: given.to_owned() },
        Err(_) if given.is_empty() => SlashCommand::Wrong {
            why: "there is no command".to_owned(),
            help: format!("type `{BEGINS}until npm test`, or `{BEGINS}until off`"),
        },
        Err(bad) => SlashCommand::Wrong {
            why: bad.why,
            help: format!("type `{BEGINS}until sh -c {}`", quoted(given)),
        },
    }
}

fn start(given: &str) -> SlashCommand {
    let (name, task) = given.split_once(char::is_whitespace).unwrap_or((given, ""));
    let task = unquoted(task.trim());
    // A milestone tree already contains its task.
    if name.is_empty() || (task.is_empty() && name != "gsd") {
        let why = "a workflow needs its name and a task".to_owned();
        return SlashCommand::Wrong {
            why,
            help: format!("type `{BEGINS}start NAME \"the task\"`"),
        };
    }
    SlashCommand::Start { name: name.to_owned(), task: task.to_owned() }
}

fn pause(given: &str) -> SlashCommand {
    if given == "off" {
        return SlashCommand::PauseOff;
    }
    let Some(rest) = given.strip_prefix("--for").filter(|rest| rest.starts_with([' ', '\t', '=']))
    else {
        let why = (!given.is_empty()).then(|| given.to_owned());
        return SlashCommand::Pause { length: None, why };
    };
    let rest = rest.trim_start_matches(['=', ' ', '\t']);
    let (length, why) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let why = unquoted(why.trim());
    match duration(length) {
        Some(length) => SlashCommand::Pause {
            length: Some(length),
            why: (!why.is_empty()).then(|| why.to_owned()),
        },
        None => SlashCommand::Wrong {
            why: format!("`{}` is no length of time", length.escape_debug()),
            help: format!("type `{BEGINS}pause --for 90s`, `10m` or `1h30m`"),
        },
    }
}

fn ok(given: &str) -> SlashCommand {
    let read: Result<_, _> =
        given.split_whitespace().map(|word| MayChange::parse(unquoted(word))).collect();
    match read {
        Ok(may) => SlashCommand::Ok { may },
        Err(bad) => SlashCommand::Wrong {
            why: bad.to_string(),
            help: format!("type `{BEGINS}ok tests`, or patterns such as `{BEGINS}ok spec/**`"),
        },
    }
}

/// Removes quotes around the whole text.
fn unquoted(text: &str) -> &str {
    let inside = |quote| text.strip_prefix(quote)?.strip_suffix(quote);
    inside('"').or_else(|| inside('\'')).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_wrong(prompt: &str, of: &str) {
        match SlashCommand::read(prompt) {
            Some(SlashCommand::Wrong { why, help }) => assert!(why.contains(of), "{why}; {help}"),
            other => panic!("{prompt:?}: {other:?}"),
        }
    }

    #[test]
    fn the_line_that_was_typed_and_the_text_of_its_file_are_one() {
        let until = |command: &str| Some(SlashCommand::Until { command: command.to_owned() });
        assert_eq!(SlashCommand::read("/sprag:until cargo test -q"), until("cargo test -q"));
        assert_eq!(SlashCommand::read(" \n/sprag:until 'a b'\r\n"), until("'a b'"));
        for body in SLASH_BODIES {
            let expanded = format!("/sprag:until npm test\n\n{body}; there is no more.\n");
            assert_eq!(SlashCommand::read(&expanded), until("npm test"));
        }
        assert_eq!(SlashCommand::read("/sprag:until off"), Some(SlashCommand::UntilOff));
        assert_eq!(SlashCommand::read("/sprag:why"), Some(SlashCommand::Why { what: None }));
    }

    #[test]
    fn what_is_only_somewhere_in_a_prompt_is_nothing() {
        for prompt in [
            "",
            "sprag:pause",
            "please type /sprag:pause",
            "look at this:\n/sprag:pause\n",
            "> /sprag:pause",
            "<task-notification>/sprag:pause</task-notification>",
            "/sprag :pause",
            "/loop /sprag:pause",
        ] {
            assert_eq!(SlashCommand::read(prompt), None, "{prompt:?}");
        }
        is_wrong("/sprag:pause\n\nand then do the rest of this issue", "stands alone");
        is_wrong("/sprag:pause\n/sprag:until off", "stands alone");
    }

    #[test]
    fn a_workflow_has_a_name_and_a_task() {
        let start = |task: &str| {
            Some(SlashCommand::Start { name: "feature".into(), task: task.to_owned() })
        };
        assert_eq!(SlashCommand::read("/sprag:start feature \"csv export\""), start("csv export"));
        assert_eq!(
            SlashCommand::read("/sprag:start feature don't break it"),
            start("don't break it")
        );
        is_wrong("/sprag:start", "needs its name");
        is_wrong("/sprag:start feature \"\"", "needs its name");
    }

    #[test]
    fn a_pause_has_a_length_or_none() {
        let pause = |length: Option<u64>, why: Option<&str>| {
            let (length, why) = (length.map(Duration::from_secs), why.map(str::to_owned));
            Some(SlashCommand::Pause { length, why })
        };
        assert_eq!(SlashCommand::read("/sprag:pause"), pause(None, None));
        assert_eq!(SlashCommand::read("/sprag:pause lunch"), pause(None, Some("lunch")));
        assert_eq!(SlashCommand::read("/sprag:pause --for 1h"), pause(Some(3600), None));
        assert_eq!(
            SlashCommand::read("/sprag:pause --for=90s 'a call'"),
            pause(Some(90), Some("a call"))
        );
        assert_eq!(SlashCommand::read("/sprag:pause off"), Some(SlashCommand::PauseOff));
        is_wrong("/sprag:pause --for ever", "no length of time");
    }

    #[test]
    fn an_ok_names_tests_patterns_or_nothing() {
        let ok = |words: &[&str]| {
            let may = words.iter().map(|word| MayChange::parse(word).unwrap()).collect();
            Some(SlashCommand::Ok { may })
        };
        assert_eq!(SlashCommand::read("/sprag:ok"), ok(&[]));
        assert_eq!(SlashCommand::read("/sprag:ok tests"), ok(&["tests"]));
        assert_eq!(SlashCommand::read("/sprag:ok 'spec/**'  *.snap"), ok(&["spec/**", "*.snap"]));
        is_wrong("/sprag:ok ../spec", "it must be relative");
        is_wrong("/sprag:ok tests /etc", "`/etc` is not a pattern");
    }

    #[test]
    fn what_is_wrong_says_what_to_type() {
        is_wrong("/sprag:until", "no command");
        is_wrong("/sprag:until a && b", "needs a shell");
        is_wrong("/sprag:pausing", "no command `pausing`");
        is_wrong("/sprag:", "no command ``");
        let Some(SlashCommand::Wrong { help, .. }) =
            SlashCommand::read("/sprag:until a | grep 'x'")
        else {
            panic!()
        };
        assert_eq!(help, "type `/sprag:until sh -c 'a | grep '\\''x'\\'''`");
    }
}
