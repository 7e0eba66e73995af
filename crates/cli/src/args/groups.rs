//! The groups of commands in `sprag --help`, by what a person wants, and an example of each command.

use std::fmt::Write as _;

use clap::Command;

/// Commands that serve one purpose.
struct Group {
    title: &'static str,
    /// Each command's name with an example of its arguments.
    verbs: &'static [(&'static str, &'static str)],
}

const GROUPS: &[Group] = &[
    Group {
        title: "Set up",
        verbs: &[
            ("init", "--gate \"npm test\""),
            ("adopt", ""),
            ("doctor", "--fix"),
            ("demo", ""),
            ("completions", "bash"),
            ("man", ""),
        ],
    },
    Group { title: "Watch", verbs: &[("status", ""), ("log", "--follow"), ("report", "--open")] },
    Group {
        title: "Drive",
        verbs: &[
            ("run", "\"Add CSV export\" --until \"npm test\" --host claude"),
            ("start", "feature \"Add CSV export\""),
            ("next", "plan"),
            ("pr", "status"),
        ],
    },
    Group {
        title: "Decide",
        verbs: &[("approve", "1"), ("pause", "--for 10m"), ("resume", "1"), ("cancel", "1")],
    },
    Group { title: "Agents", verbs: &[("agent", "ls"), ("step", "next --summary \"Done.\"")] },
    Group {
        title: "Look closer",
        verbs: &[("why", "K0007"), ("diff", "tests/login.test.js"), ("check", ".sprag")],
    },
];

/// How far the descriptions of commands are indented.
const COLUMN: usize = 14;

/// Arranges the help of all commands.
pub(super) fn arranged(grammar: Command) -> Command {
    let mut groups = String::new();
    for group in GROUPS {
        let example = group.verbs.first().map_or_else(String::new, |verb| typed(*verb));
        let _ = writeln!(groups, "{}, for example: {example}", group.title);
        for (name, _) in group.verbs {
            let about = grammar.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(groups, "  {name:<COLUMN$}{about}");
        }
        groups.push('\n');
    }
    let verbs = GROUPS.iter().flat_map(|group| group.verbs);
    let grammar = verbs.fold(grammar, |grammar, verb| {
        grammar.mut_subcommand(verb.0, |own| own.after_help(format!("Example: {}", typed(*verb))))
    });
    grammar.help_template(format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{groups}Options:\n{{options}}{{after-help}}"
    ))
    .after_help("Without a command: status. `sprag help COMMAND` explains one of them.")
}

fn typed((name, example): (&str, &str)) -> String {
    format!("sprag {name} {example}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::ffi::OsString;

    use super::*;

    #[test]
    fn every_visible_command_is_in_one_group() {
        let grammar = crate::args::grammar();
        let all = grammar.get_subcommands().filter(|command| !command.is_hide_set());
        let all: BTreeSet<&str> =
            all.map(Command::get_name).filter(|name| *name != "help").collect();
        let grouped: Vec<&str> =
            GROUPS.iter().flat_map(|group| group.verbs).map(|(name, _)| *name).collect();
        assert_eq!(grouped.iter().copied().collect::<BTreeSet<_>>(), all);
        assert_eq!(grouped.len(), all.len(), "none is there twice");
    }

    #[test]
    fn every_example_can_be_typed() {
        for verb in GROUPS.iter().flat_map(|group| group.verbs) {
            let words = sprag_formats::words(&typed(*verb)).unwrap();
            let parsed = crate::args::parse(words.iter().map(OsString::from));
            assert!(parsed.is_ok(), "{words:?}: {parsed:?}");
        }
    }
}
