//! The command-line grammar of `sprag agent`.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use super::messages::{Mail, Nudge};
use super::units::Work;
use super::waits::Waits;
use crate::args::{option, text, word};

#[derive(Clone, Debug)]
pub(crate) struct Typed {
    /// The `--as` argument.
    pub(crate) who: Option<String>,
    /// The attempt that the caller believes it holds.
    pub(crate) fence: Option<u64>,
    pub(crate) asked: Asked,
}

#[derive(Clone, Debug)]
pub(crate) enum Asked {
    Ls,
    Show { agent: Option<String> },
    Poll { agent: Option<String> },
    Set { agent: String, unit: String, title: Option<String>, key: Option<String> },
    Clear { agent: String },
    Release { agent: String },
    Own { agent: Option<String>, verb: Own },
    Sling { unit: Option<String> },
    Watch { once: bool, every: Option<String> },
    Mail(Mail),
    Nudge(Nudge),
    Work(Work),
    Import { file: PathBuf },
    Export,
}

/// An agent's command on its own assignment.
#[derive(Clone, Debug)]
pub(crate) enum Own {
    Activate,
    Touch,
    Wait { hold: Waits },
    Complete,
    Done,
    Fail { why: String },
}

pub(crate) fn grammar() -> Command {
    Command::new("agent")
        .about("Give work to agents, and do what agents do with it")
        .subcommand_required(true)
        .disable_help_subcommand(true)
        .args([
            option("as", "WHO", "Who asks: mayor, or an agent's name").global(true),
            Arg::new("fence")
                .long("fence")
                .value_name("N")
                .value_parser(value_parser!(u64))
                .help("The attempt that you hold, as activate said it")
                .global(true),
        ])
        .subcommands(assignments())
        .subcommands([mail(), nudge(), work()])
        .subcommands([
            Command::new("import").about("Read issues of beads into units of work").arg(
                Arg::new("file")
                    .value_name("FILE")
                    .required(true)
                    .value_parser(value_parser!(PathBuf))
                    .help("An issues.jsonl"),
            ),
            Command::new("export").about("Print units of work as issues of beads"),
        ])
}

fn assignments() -> Vec<Command> {
    let agent = || word("agent", "AGENT", "Without it: the agent that this session is");
    let needed = || word("agent", "AGENT", "The agent").required(true);
    vec![
        Command::new("ls").about("List the agents and what they have"),
        Command::new("show").about("Show one agent with its mail and nudges").arg(agent()),
        Command::new("set").about("Give an agent a unit of work").args([
            needed(),
            word("unit", "UNIT", "The unit of work").required(true),
            option("title", "TITLE", "What it is, for a unit that is not there yet")
                .value_parser(said),
            key(),
        ]),
        Command::new("poll").about("Say what an agent has; changes nothing").arg(agent()),
        Command::new("activate").about("Begin what is pending").arg(agent()),
        Command::new("touch").about("Say that the work goes on").arg(agent()),
        Command::new("wait").about("Say that the work waits, which is no stall").args([
            agent(),
            option("on", "WHAT", "What it waits for").required(true),
            option("for", "TIME", "How long at most: 90s, 10m, 1h; else until a person answers"),
        ]),
        Command::new("complete").about("Say that the work is done").arg(agent()),
        Command::new("done").about("Commit, push and hand in the work").arg(agent()),
        Command::new("fail")
            .about("Say that the work cannot be done")
            .args([agent(), option("why", "WHY", "Why not").required(true)]),
        Command::new("clear").about("Take verified work off an agent").arg(needed()),
        Command::new("release").about("Take work back; its unit is open again").arg(needed()),
        Command::new("sling").about("Send a unit to an agent that has time").arg(word(
            "unit",
            "UNIT",
            "Without it: finish what was left half way",
        )),
        Command::new("watch").about("Look after assignments that stand still").args([
            Arg::new("once").long("once").action(ArgAction::SetTrue).help("Look once and end"),
            option("every", "TIME", "How often to look; without it: every minute"),
        ]),
    ]
}

/// Rejects a blank text.
fn said(text: &str) -> Result<String, &'static str> {
    if text.trim().is_empty() { Err("it says nothing") } else { Ok(text.to_owned()) }
}

fn key() -> Arg {
    option("key", "KEY", "Asked again with the same key, nothing happens twice")
}

fn mail() -> Command {
    let agent = || word("agent", "AGENT", "Whose mailbox");
    let kinds = [
        "work_assignment",
        "completion_report",
        "merge_notification",
        "health_escalation",
        "coordination",
    ];
    Command::new("mail")
        .about("Send and read durable messages")
        .subcommand_required(true)
        .disable_help_subcommand(true)
        .subcommands([
            Command::new("send").about("Send a message").args([
                word("to", "TO", "Who gets it: an agent, or a role").required(true),
                word("subject", "SUBJECT", "The first line").required(true),
                word("body", "BODY", "The text"),
                option("type", "TYPE", "What it is about")
                    .default_value("coordination")
                    .value_parser(PossibleValuesParser::new(kinds))
                    .hide_possible_values(true),
                option("priority", "PRIORITY", "urgent, normal or low")
                    .default_value("normal")
                    .value_parser(PossibleValuesParser::new(["urgent", "normal", "low"]))
                    .hide_possible_values(true),
                key(),
            ]),
            Command::new("ls").about("List what was not read").args([
                agent(),
                Arg::new("all").long("all").action(ArgAction::SetTrue).help("Also what was"),
            ]),
            Command::new("read").about("Show a message and mark it as read").args([
                agent().required(true),
                word("name", "NAME", "Its name, or the beginning of it").required(true),
            ]),
            Command::new("ack").about("Acknowledge a message").args([
                agent().required(true),
                word("name", "NAME", "Its name, or the beginning of it").required(true),
            ]),
        ])
}

fn nudge() -> Command {
    let kinds = ["health_check", "stall_warning", "priority_change", "abort", "sync_request"];
    Command::new("nudge")
        .about("Ask whether an agent is alive, or stop it")
        .subcommand_required(true)
        .disable_help_subcommand(true)
        .subcommands([
            Command::new("send").about("Nudge an agent").args([
                word("to", "TO", "Which agent").required(true),
                word("message", "MESSAGE", "The text").required(true),
                option("type", "TYPE", "health_check, stall_warning, abort …")
                    .default_value("health_check")
                    .value_parser(PossibleValuesParser::new(kinds))
                    .hide_possible_values(true),
                Arg::new("quiet")
                    .long("quiet")
                    .action(ArgAction::SetTrue)
                    .help("No answer is wanted"),
            ]),
            Command::new("ls").about("List what waits for an answer").arg(word(
                "agent",
                "AGENT",
                "Whose; without it: this session's",
            )),
            Command::new("reply").about("Answer a nudge").args([
                word("agent", "AGENT", "Who answers").required(true),
                word("id", "ID", "Which one").required(true),
                word("message", "MESSAGE", "The answer").default_value("STATUS_OK"),
            ]),
        ])
}

fn work() -> Command {
    Command::new("work")
        .about("Make and list units of work")
        .subcommand_required(true)
        .disable_help_subcommand(true)
        .subcommands([
            Command::new("add").about("Make a unit of work").args([
                word("title", "TITLE", "What it is, in one line").required(true).value_parser(said),
                option("id", "UNIT", "Its id; without it: a new one"),
                option("about", "TEXT", "What is to be done"),
                option("priority", "P", "P1, P2 or P3")
                    .default_value("P2")
                    .value_parser(PossibleValuesParser::new(["P1", "P2", "P3"]))
                    .hide_possible_values(true),
                option("needs", "UNIT", "What must be done first; may be repeated")
                    .action(ArgAction::Append),
            ]),
            Command::new("ls").about("List the units of work"),
            Command::new("show")
                .about("Show one unit")
                .arg(word("unit", "UNIT", "Which one").required(true)),
        ])
}

pub(crate) fn read(own: &ArgMatches) -> Typed {
    let who = text(own, "as");
    let fence = own.get_one::<u64>("fence").copied();
    let asked = match own.subcommand() {
        Some(("show", own)) => Asked::Show { agent: text(own, "agent") },
        Some(("poll", own)) => Asked::Poll { agent: text(own, "agent") },
        Some(("set", own)) => Asked::Set {
            agent: text(own, "agent").unwrap_or_default(),
            unit: text(own, "unit").unwrap_or_default(),
            title: text(own, "title"),
            key: text(own, "key"),
        },
        Some(("clear", own)) => Asked::Clear { agent: text(own, "agent").unwrap_or_default() },
        Some(("release", own)) => Asked::Release { agent: text(own, "agent").unwrap_or_default() },
        Some(("sling", own)) => Asked::Sling { unit: text(own, "unit") },
        Some(("watch", own)) => {
            Asked::Watch { once: own.get_flag("once"), every: text(own, "every") }
        }
        Some(("mail", own)) => Asked::Mail(Mail::read(own)),
        Some(("nudge", own)) => Asked::Nudge(Nudge::read(own)),
        Some(("work", own)) => Asked::Work(Work::read(own)),
        Some(("import", own)) => {
            Asked::Import { file: own.get_one::<PathBuf>("file").cloned().unwrap_or_default() }
        }
        Some(("export", _)) => Asked::Export,
        Some((verb @ ("activate" | "touch" | "wait" | "complete" | "done" | "fail"), own)) => {
            Asked::Own { agent: text(own, "agent"), verb: read_own(verb, own) }
        }
        Some(_) | None => Asked::Ls,
    };
    Typed { who, fence, asked }
}

fn read_own(verb: &str, own: &ArgMatches) -> Own {
    match verb {
        "activate" => Own::Activate,
        "complete" => Own::Complete,
        "done" => Own::Done,
        "fail" => Own::Fail { why: text(own, "why").unwrap_or_default() },
        "wait" => Own::Wait {
            hold: Waits { on: text(own, "on").unwrap_or_default(), length: text(own, "for") },
        },
        _ => Own::Touch,
    }
}
