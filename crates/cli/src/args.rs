//! The command-line grammar. This is the first of two stages: it parses words into a [`Typed`], and
//! `call.rs` interprets that in the current folder and environment.
//!
//! It uses clap's builder rather than its derive: that needs no procedural macro, and completions
//! and the manual are generated from the same description.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use clap_complete::Shell;
use sprag_core::Seq;
use sprag_formats::Schema;
use sprag_hosts::Host;

use crate::check::Asked;
use crate::{agent, bridges, pr, run};

/// The parsed command line.
#[derive(Clone, Debug)]
pub(crate) struct Typed {
    pub(crate) json: bool,
    pub(crate) plain: bool,
    pub(crate) folder: Option<PathBuf>,
    pub(crate) verb: Verb,
}

/// The command with its own arguments.
#[derive(Clone, Debug)]
pub(crate) enum Verb {
    Status,
    Init(Init),
    Log(Log),
    Report(Report),
    Check(Asked),
    Adopt { fresh: bool, yes: bool },
    Doctor { fix: bool, yes: bool },
    Completions { shell: Shell },
    Man,
    Demo,
    Hook,
    Rpc { bridge: Option<String> },
    Mcp,
    Start { name: String, task: String },
    Step(Step),
    Gate { run: String },
    Next(Coming),
    Pr(pr::Asked),
    Run(run::Asked),
    Why { what: Option<String> },
    Approve { what: Option<String>, gate: Option<String>, waive: Option<String>, yes: bool },
    Diff { path: String },
    Pause { what: Option<String>, length: Option<String>, why: Option<String> },
    Resume { what: Option<String>, budget: Vec<String>, detach: bool },
    Cancel { what: Option<String> },
    Agent(agent::Typed),
}

impl Verb {
    /// Returns whether the command may have written to the state of a project that still exists.
    pub(crate) const fn writes(&self) -> bool {
        match self {
            Self::Start { .. }
            | Self::Step(_)
            | Self::Gate { .. }
            | Self::Pr(_)
            | Self::Run(_)
            | Self::Approve { .. }
            | Self::Pause { .. }
            | Self::Resume { .. }
            | Self::Cancel { .. }
            | Self::Agent(_)
            | Self::Adopt { .. }
            | Self::Doctor { fix: true, .. } => true,
            Self::Init(init) => !init.undo,
            Self::Diff { .. }
            | Self::Status
            | Self::Log(_)
            | Self::Report(_)
            | Self::Check(_)
            | Self::Doctor { fix: false, .. }
            | Self::Completions { .. }
            | Self::Man
            | Self::Demo
            | Self::Hook
            | Self::Rpc { .. }
            | Self::Mcp
            | Self::Next(_)
            | Self::Why { .. } => false,
        }
    }
}

/// The arguments of `sprag init`.
#[derive(Clone, Debug)]
pub(crate) struct Init {
    pub(crate) consent: Consent,
    pub(crate) undo: bool,
    pub(crate) shared: bool,
    pub(crate) switch: bool,
    pub(crate) gates: Vec<String>,
    pub(crate) hosts: Vec<String>,
}

/// Whether the user agrees to the plan that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Consent {
    /// Ask the user.
    Asked,
    /// `--yes`: the user has agreed.
    Given,
    /// `--dry-run`: change nothing.
    NotWanted,
}

/// The subcommands of `sprag step`.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Next { run: Option<String>, summary: Option<String> },
    Loop { run: Option<String> },
    Status { run: Option<String> },
    Cancel { run: Option<String> },
}

/// The source that `sprag next` asks for the next work.
#[derive(Clone, Debug)]
pub(crate) enum Coming {
    /// Any source in this project.
    Any,
    Plan {
        phase: Option<String>,
    },
    Gsd,
    Pr,
    Inbox,
}

/// The events to show.
#[derive(Clone, Debug)]
pub(crate) struct Log {
    pub(crate) follow: bool,
    pub(crate) at: Option<Seq>,
    pub(crate) last: usize,
    pub(crate) run: Option<String>,
}

/// The report to show, and its form.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    pub(crate) run: Option<String>,
    pub(crate) html: Option<PathBuf>,
    pub(crate) open: bool,
    pub(crate) verify: bool,
}

/// The default number of events: about one screen.
const LAST: &str = "20";

pub(crate) fn grammar() -> Command {
    Command::new("sprag")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Holds coding agents to the job until it is provably done")
        .after_help("Without a command: status.")
        .disable_help_subcommand(true)
        .args([
            flag("json", "Print one JSON object (lines for log)").global(true),
            flag("plain", "Print ASCII without colour").global(true),
            Arg::new("folder")
                .short('C')
                .value_name("DIR")
                .value_parser(value_parser!(PathBuf))
                .help("Act as if started in DIR")
                .global(true),
        ])
        .subcommands([
            Command::new("status").about("Show what is going on here and what to do next"),
            init(),
            Command::new("start").about("Start a workflow in the session at hand").args([
                word("name", "NAME", "The workflow: its command or its key; or gsd, the tree")
                    .required(true),
                word("task", "TASK", "What is to be done; a tree says it itself"),
            ]),
            run::command(),
            next(),
            Command::new("why").about("Say why it cannot stop, or a tool is blocked").arg(word(
                "what",
                "RUN|TOOL|CODE",
                "A run, a tool's name, or a code such as K0007",
            )),
            log(),
            report(),
            Command::new("approve").about("Agree to what waits; for a person").args([
                word("what", "N|RUN|GATE", "Its number, its run, or a gate with --waive"),
                word("gate", "TEXT|GATE", "The answer to what is asked; with --waive, the gate"),
                option("waive", "WHY", "Let a gate through unproven, and record that"),
                flag("yes", "Agree to what is shown without being asked"),
            ]),
            Command::new("diff").about("Show what changed in a file that gates depend on").arg(
                word("path", "PATH", "The file, as a refusal or report names it").required(true),
            ),
            Command::new("pause").about("Hold a run, or set a session free; for a person").args([
                word("what", "RUN|SESSION", "Without it: the only session there is"),
                option("for", "TIME", "Only for so long: 90s, 10m, 1h"),
                option("why", "WHY", "What others are told"),
            ]),
            Command::new("resume").about("Let it go on; for a person").args([
                word("what", "N|RUN|SESSION", "Without it: the only one that waits"),
                option("budget", "MAX", "What a driven run may cost from now on: 15usd, 3h")
                    .action(ArgAction::Append),
                run::detach(),
            ]),
            Command::new("cancel").about("End a run for good; for a person").arg(word(
                "what",
                "N|RUN",
                "Without it: the only one there is",
            )),
        ])
        .subcommands([
            agent::grammar::grammar(),
            pr::command(),
            check(),
            Command::new("adopt")
                .about("Agree to what a clone or copy brings; for a person, asks first")
                .args([
                    flag("fresh", "Put the runs, sessions and agents that came with it aside"),
                    flag("yes", "Do not ask"),
                ]),
            Command::new("doctor")
                .about("Check what sprag stands on, and what cannot be read")
                .args([
                    flag("fix", "Mend what can be mended; for a person, asks first"),
                    flag("yes", "With --fix: do not ask").requires("fix"),
                ]),
            Command::new("completions").about("Print completions for a shell").arg(
                Arg::new("shell")
                    .value_name("SHELL")
                    .required(true)
                    .value_parser(PossibleValuesParser::new(SHELLS.map(|(name, _)| name)))
                    .help("The shell"),
            ),
            Command::new("demo").about("Play a short story in a scratch folder"),
            Command::new("man").about("Print the manual page"),
            step(),
            Command::new("gate")
                .about("Evaluate the gates of a run and leave their receipts")
                .hide(true)
                .arg(word("run", "RUN", "The run").required(true)),
            rpc(),
            Command::new("mcp").about("Serve agents as an MCP server").hide(true),
            Command::new("hook")
                .about("Answer a host hook")
                .hide(true)
                .arg(Arg::new("words").num_args(0..).trailing_var_arg(true)),
        ])
}

const SHELLS: [(&str, Shell); 5] = [
    ("bash", Shell::Bash),
    ("elvish", Shell::Elvish),
    ("fish", Shell::Fish),
    ("powershell", Shell::PowerShell),
    ("zsh", Shell::Zsh),
];

fn init() -> Command {
    let names: Vec<&str> = Host::ALL.iter().map(|host| host.name()).collect();
    let many = |name, value, help| option(name, value, help).action(ArgAction::Append);
    Command::new("init").about("Let sprag into this project; for a person, asks first").args([
        flag("yes", "Do not ask"),
        flag("undo", "Take out exactly what was added").conflicts_with_all(["gate", "host"]),
        flag("shared", "Use the settings that everybody here shares"),
        flag("switch", "In pi, take the place of pi-workflows").conflicts_with("undo"),
        flag("dry-run", "Only show what would be done").conflicts_with("yes"),
        many("gate", "CMD", "What must pass; without it: the project's own check"),
        many("host", "NAME", "claude, codex …; without it: all that are found")
            .value_parser(PossibleValuesParser::new(names))
            .hide_possible_values(true),
    ])
}

fn read_init(own: &ArgMatches) -> Init {
    let all = |name: &str| own.get_many::<String>(name).unwrap_or_default().cloned().collect();
    let consent = match (own.get_flag("yes"), own.get_flag("dry-run")) {
        (_, true) => Consent::NotWanted,
        (true, false) => Consent::Given,
        (false, false) => Consent::Asked,
    };
    Init {
        consent,
        undo: own.get_flag("undo"),
        shared: own.get_flag("shared"),
        switch: own.get_flag("switch"),
        gates: all("gate"),
        hosts: all("host"),
    }
}

fn log() -> Command {
    Command::new("log").about("Show what happened, oldest first").args([
        flag("follow", "Wait for more; of RUN until it is over").short('f').conflicts_with("at"),
        Arg::new("at")
            .long("at")
            .value_name("SEQ")
            .value_parser(value_parser!(u64))
            .conflicts_with_all(["last", "run"])
            .help("Show one line of the journal, whole"),
        Arg::new("last")
            .short('n')
            .value_name("N")
            .value_parser(value_parser!(u32))
            .default_value(LAST)
            .help("Show the last N lines of the journal"),
        Arg::new("run").value_name("RUN").help("Show only this run; a unique prefix is enough"),
    ])
}

fn report() -> Command {
    Command::new("report").about("Say what is proven, claimed, waived and waiting").args([
        word("run", "RUN", "Without it: the newest run that is more than a guard"),
        option("html", "FILE", "Write one page of HTML; - is standard output")
            .value_parser(value_parser!(PathBuf)),
        flag("open", "Show it as a page"),
        flag("verify", "Compare receipts with the journal, evaluate gates again"),
    ])
}

fn read_report(own: &ArgMatches) -> Report {
    Report {
        run: text(own, "run"),
        html: own.get_one::<PathBuf>("html").cloned(),
        open: own.get_flag("open"),
        verify: own.get_flag("verify"),
    }
}

/// The commands with which agents move their workflow. They are visible because people read what
/// agents type.
fn step() -> Command {
    let run = || word("run", "RUN", "Without it: the one that this session drives");
    Command::new("step")
        .about("Move the workflow at hand, or say where it stands")
        .subcommand_required(true)
        .disable_help_subcommand(true)
        .subcommands([
            Command::new("next")
                .about("Go to the next phase, if its gates let it")
                .args([run(), option("summary", "TEXT", "What was done in this phase")]),
            Command::new("loop").about("Go back to the first phase").arg(run()),
            Command::new("status").about("Say where it stands and what to do").arg(run()),
            Command::new("cancel").about("End it for good; for a person").arg(run()),
        ])
}

/// `sprag next`: each source is a subcommand.
fn next() -> Command {
    let phase = word("phase", "PHASE", "Without it: the one at hand");
    Command::new("next")
        .about("Say what would be worked on now, and why")
        .disable_help_subcommand(true)
        .subcommand(Command::new("plan").about("In a plan of opti-gsd").arg(phase))
        .subcommand(Command::new("gsd").about("In a milestone tree of GSD"))
        .subcommand(Command::new("pr").about("In the review loop of a pull request"))
        .subcommand(Command::new("inbox").about("Among the assignments and open units of work"))
}

fn read_next(own: &ArgMatches) -> Coming {
    match own.subcommand() {
        Some(("plan", own)) => Coming::Plan { phase: text(own, "phase") },
        Some(("gsd", _)) => Coming::Gsd,
        Some(("pr", _)) => Coming::Pr,
        Some(("inbox", _)) => Coming::Inbox,
        Some(_) | None => Coming::Any,
    }
}

fn rpc() -> Command {
    let bridge = option("bridge", "HOST", "Print the bridge of opencode or pi instead")
        .value_parser(PossibleValuesParser::new(bridges::HOSTS.map(Host::name)))
        .hide_possible_values(true);
    Command::new("rpc").about("Serve a host's bridge, line by line").hide(true).arg(bridge)
}

pub(crate) fn word(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).value_name(value).help(help)
}

pub(crate) fn option(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value).help(help)
}
fn check() -> Command {
    let schemas = Schema::ALL.map(|schema| PossibleValue::new(schema.name()));
    // Stands for the bare flag, and is hidden from help.
    let list = PossibleValue::new(LIST).hide(true);
    Command::new("check")
        .about("Check workflows, plans and configuration; say what holds them")
        .args([
            Arg::new("paths")
                .value_name("PATH")
                .num_args(0..)
                .value_parser(value_parser!(PathBuf))
                .help("Files or folders to check, in place of the whole project"),
            Arg::new("schema")
                .long("schema")
                .value_name("NAME")
                .num_args(0..=1)
                .default_missing_value(LIST)
                .value_parser(PossibleValuesParser::new(schemas.into_iter().chain([list])))
                .conflicts_with("paths")
                .hide_possible_values(true)
                .help("Print the schema of config, workflow or phase"),
        ])
}

const LIST: &str = "list";

fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
}

pub(crate) fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Typed, clap::Error> {
    let typed = grammar().try_get_matches_from(words)?;
    let verb = match typed.subcommand() {
        Some(("init", own)) => Verb::Init(read_init(own)),
        Some(("log", own)) => Verb::Log(Log {
            follow: own.get_flag("follow"),
            at: own.get_one::<u64>("at").map(|&seq| Seq(seq)),
            last: own.get_one::<u32>("last").map_or(0, |&last| last as usize),
            run: own.get_one::<String>("run").cloned(),
        }),
        Some(("report", own)) => Verb::Report(read_report(own)),
        Some(("check", own)) => Verb::Check(match own.get_one::<String>("schema") {
            Some(name) => Asked::Schema(Some(name.clone()).filter(|name| name != LIST)),
            None => Asked::Paths(own.get_many("paths").into_iter().flatten().cloned().collect()),
        }),
        Some(("adopt", own)) => {
            Verb::Adopt { fresh: own.get_flag("fresh"), yes: own.get_flag("yes") }
        }
        Some(("doctor", own)) => {
            Verb::Doctor { fix: own.get_flag("fix"), yes: own.get_flag("yes") }
        }
        Some(("completions", own)) => Verb::Completions { shell: shell(own) },
        Some(("demo", _)) => Verb::Demo,
        Some(("man", _)) => Verb::Man,
        Some(("hook", _)) => Verb::Hook,
        Some(("rpc", own)) => Verb::Rpc { bridge: text(own, "bridge") },
        Some(("mcp", _)) => Verb::Mcp,
        Some(("start", own)) => Verb::Start {
            name: text(own, "name").unwrap_or_default(),
            task: text(own, "task").unwrap_or_default(),
        },
        Some(("step", own)) => Verb::Step(read_step(own)),
        Some(("gate", own)) => Verb::Gate { run: text(own, "run").unwrap_or_default() },
        Some(("next", own)) => Verb::Next(read_next(own)),
        Some(("pr", own)) => Verb::Pr(pr::read(own)),
        Some(("run", own)) => Verb::Run(run::read(own)),
        Some(("why", own)) => Verb::Why { what: text(own, "what") },
        Some(("approve", own)) => Verb::Approve {
            what: text(own, "what"),
            gate: text(own, "gate"),
            waive: text(own, "waive"),
            yes: own.get_flag("yes"),
        },
        Some(("diff", own)) => Verb::Diff { path: text(own, "path").unwrap_or_default() },
        Some(("pause", own)) => {
            Verb::Pause { what: text(own, "what"), length: text(own, "for"), why: text(own, "why") }
        }
        Some(("resume", own)) => Verb::Resume {
            what: text(own, "what"),
            budget: own.get_many("budget").unwrap_or_default().cloned().collect(),
            detach: own.get_flag("detach"),
        },
        Some(("cancel", own)) => Verb::Cancel { what: text(own, "what") },
        Some(("agent", own)) => Verb::Agent(agent::grammar::read(own)),
        Some(_) | None => Verb::Status,
    };
    Ok(Typed {
        json: typed.get_flag("json"),
        plain: typed.get_flag("plain"),
        folder: typed.get_one::<PathBuf>("folder").cloned(),
        verb,
    })
}

pub(crate) fn text(own: &ArgMatches, name: &str) -> Option<String> {
    own.get_one::<String>(name).cloned()
}

fn read_step(own: &ArgMatches) -> Step {
    match own.subcommand() {
        Some(("next", own)) => Step::Next { run: text(own, "run"), summary: text(own, "summary") },
        Some(("loop", own)) => Step::Loop { run: text(own, "run") },
        Some(("cancel", own)) => Step::Cancel { run: text(own, "run") },
        Some((_, own)) => Step::Status { run: text(own, "run") },
        None => Step::Status { run: None },
    }
}

fn shell(own: &ArgMatches) -> Shell {
    let name = own.get_one::<String>("shell").map_or("bash", String::as_str);
    SHELLS.iter().find(|(known, _)| *known == name).map_or(Shell::Bash, |(_, shell)| *shell)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(words: &[&str]) -> Typed {
        parse(std::iter::once(&"sprag").chain(words).map(OsString::from)).unwrap()
    }

    #[test]
    fn the_description_holds_together() {
        grammar().debug_assert();
    }

    #[test]
    fn help_fits_a_terminal() {
        let mut commands = vec![grammar()];
        commands.extend(grammar().get_subcommands().cloned());
        for mut command in commands {
            let help = command.render_help().to_string();
            assert!(help.lines().all(|line| line.len() <= crate::look::WIDTH), "{help}");
        }
    }

    #[test]
    fn flags_stand_before_and_after_the_command() {
        assert!(typed(&["--json", "log"]).json);
        assert!(typed(&["log", "--json"]).json);
        assert_eq!(typed(&["doctor", "-C", "x"]).folder, Some("x".into()));
    }

    #[test]
    fn no_command_is_status() {
        assert!(matches!(typed(&[]).verb, Verb::Status));
        assert!(matches!(typed(&["status"]).verb, Verb::Status));
    }
}
