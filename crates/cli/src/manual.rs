//! Generates the manual page and the shell completions from the command-line grammar.

use clap::{Arg, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, italic, roman};

use crate::codes::Code;
use crate::exit::Exit;
use crate::{args, env};

pub(crate) fn completions(shell: Shell) -> Vec<u8> {
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut args::grammar(), "sprag", &mut out);
    out
}

/// Returns the manual page in roff format.
pub(crate) fn page() -> std::io::Result<Vec<u8>> {
    let grammar = args::grammar();
    let man =
        Man::new(grammar.clone()).date("").source(concat!("sprag ", env!("CARGO_PKG_VERSION")));
    let mut out = Vec::new();
    man.render_title(&mut out)?;
    man.render_name_section(&mut out)?;
    man.render_synopsis_section(&mut out)?;
    man.render_description_section(&mut out)?;
    man.render_options_section(&mut out)?;
    let mut rest = Roff::new();
    commands(&mut rest, &grammar);
    rest.control("SH", ["EXIT STATUS"]);
    for exit in Exit::ALL {
        rest.control("TP", []).text([bold(exit.code().to_string())]).text([roman(exit.meaning())]);
    }
    rest.control("SH", ["ENVIRONMENT"]);
    for variable in env::listed() {
        rest.control("TP", []).text([bold(variable.name)]).text([roman(variable.meaning)]);
    }
    rest.control("SH", ["DIAGNOSTICS"]);
    for code in Code::ALL {
        rest.control("TP", []).text([bold(code.text())]).text([roman(code.meaning())]);
    }
    rest.to_writer(&mut out)?;
    Ok(out)
}

fn commands(out: &mut Roff, grammar: &Command) {
    out.control("SH", ["COMMANDS"]);
    for command in grammar.get_subcommands().filter(|command| !command.is_hide_set()) {
        out.control("TP", []);
        out.text([bold(format!("sprag {}", command.get_name()))]);
        out.text([roman(command.get_about().map(ToString::to_string).unwrap_or_default())]);
        out.control("RS", []);
        for argument in command.get_arguments() {
            let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
            out.control("TP", []);
            let (name, value) = (name(argument), value(argument));
            let between = if name.is_empty() || value.is_empty() { "" } else { " " };
            out.text([bold(name), roman(between), italic(value)]);
            out.text([roman(help)]);
        }
        out.control("RE", []);
    }
}

/// Returns an argument's flags; empty for a positional argument.
fn name(argument: &Arg) -> String {
    let short = argument.get_short().map(|short| format!("-{short}"));
    let long = argument.get_long().map(|long| format!("--{long}"));
    [short, long].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn value(argument: &Arg) -> String {
    if !argument.get_action().takes_values() {
        return String::new();
    }
    let names = argument.get_value_names().unwrap_or_default();
    names.iter().map(clap::builder::Str::as_str).collect::<Vec<_>>().join(" ")
}
