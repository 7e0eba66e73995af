//! Checks the commands of a text, and the texts that those commands run in turn.

use std::cell::Cell;

use sprag_formats::shell::{Command, ShellWord, commands};

use super::Forbidden;
use super::persons;
use super::program::{Program, ProgramCall, Targets};
use super::writes::ScriptFolder;
use crate::{Host, patch, place};

/// The deepest nesting of texts: `sh -c "sh -c '…'"`.
const DEEPEST: usize = 8;

/// Checks one shell call.
pub(super) struct Judge {
    host: Host,
    /// Whether the text mentions sprag at all, so that an unreadable part might run it.
    speaks_of_us: bool,
    /// The bytes that may still be read, which bounds a text that expands into many.
    left: Cell<usize>,
}

impl Judge {
    pub(super) fn new(host: Host, text: &str) -> Self {
        let speaks_of_us = text.to_ascii_lowercase().contains("sprag");
        Self { host, speaks_of_us, left: Cell::new(4 * text.len() + (64 << 10)) }
    }

    /// Returns the first forbidden act in a text.
    pub(super) fn script(&self, text: &str, depth: usize) -> Option<Forbidden> {
        let left = self.left.get().checked_sub(text.len());
        let Some(left) = left.filter(|_| depth <= DEEPEST) else {
            return self.speaks_of_us.then(|| Forbidden::verb("sprag"));
        };
        self.left.set(left);
        let commands = commands(text);
        let mut place = ScriptFolder::new(self.host);
        commands.iter().find_map(|command| {
            let feeder = command.fed_by.and_then(|at| commands.get(at));
            self.command(&Piped { command, feeder }, &mut place, depth)
        })
    }

    fn command(
        &self,
        piped: &Piped<'_>,
        place: &mut ScriptFolder,
        depth: usize,
    ) -> Option<Forbidden> {
        let Command { words, writes, .. } = piped.command;
        if let Some(path) = place.redirected(writes) {
            return Some(Forbidden::place(&path));
        }
        let call = ProgramCall::of(words)?;
        if call.unknown {
            let verb = self.speaks_of_us && persons::might_be(call.args);
            return verb.then(|| Forbidden::verb(&joined(words)));
        }
        let wrote = |targets, args: &[ShellWord]| {
            place.written(targets, args).map(|path| Forbidden::place(&path))
        };
        match call.program {
            Program::Sprag => verb(&call),
            Program::Shell => self.script(&given_to_shell(&call, piped)?, depth + 1),
            Program::Eval => self.script(&joined(call.args), depth + 1),
            Program::Interpreter => wrote(Targets::InPlace, call.args)
                .or_else(|| self.code(&given_to_interpreter(&call, piped)?)),
            Program::Writes(targets) => match piped.feeder.filter(|_| call.more) {
                // `find .sprag | xargs rm`: the paths are in the command before.
                Some(feeder) => wrote(targets, &[call.args, &feeder.words].concat()),
                None => wrote(targets, call.args),
            },
            Program::Patches => {
                let text = joined(call.args) + "\n" + &piped.read();
                let inside = |file: &str| place.inside(file);
                patch::files(&text).find_map(inside).map(|path| Forbidden::place(&path))
            }
            Program::Goes => {
                place.go(call.args);
                None
            }
            Program::Wrapper | Program::Other => None,
        }
    }

    /// Checks the text of another language by the words that it mentions.
    fn code(&self, code: &str) -> Option<Forbidden> {
        let verb = persons::mentioned(code).map(|said| Forbidden::verb(&said));
        verb.or_else(|| place::mentioned(self.host, code).map(Forbidden::place))
    }
}

/// A command, and the command whose output it reads.
struct Piped<'c> {
    command: &'c Command,
    feeder: Option<&'c Command>,
}

impl Piped<'_> {
    /// The text that the command reads: its here-documents, and the likely output of the command
    /// before.
    fn read(&self) -> String {
        let own = &self.command.input;
        let Some(feeder) = self.feeder else { return own.clone() };
        let printed = match ProgramCall::of(&feeder.words) {
            // A shell's output is not its input.
            Some(ProgramCall { program: Program::Shell, .. }) | None => return own.clone(),
            Some(call) => {
                let text =
                    |word: &&ShellWord| !word.text.starts_with('-') && !word.text.contains('%');
                let words = call.args.iter().filter(text).map(|word| word.text.as_str());
                words.collect::<Vec<_>>().join(" ").replace("\\n", "\n")
            }
        };
        format!("{own}\n{}\n{printed}", feeder.input)
    }
}

fn verb(call: &ProgramCall<'_>) -> Option<Forbidden> {
    let unknown = call.more && persons::verb(call.args).is_none();
    let said = persons::said(call.args).or_else(|| unknown.then(|| "sprag *".to_owned()));
    said.map(|said| Forbidden::verb(&said))
}

const fn is_option(text: &str) -> bool {
    matches!(text.as_bytes(), [b'-', ..])
}

fn is_short_option(text: &str) -> bool {
    is_option(text) && !text.starts_with("--")
}

/// Returns the text that a shell runs: the word after `-c`, or without `-c` and without a file, its
/// input.
fn given_to_shell(call: &ProgramCall<'_>, piped: &Piped<'_>) -> Option<String> {
    let given = |word: &ShellWord| {
        word.text == "--command" || is_short_option(&word.text) && word.text.contains('c')
    };
    let mut words = call.args.iter();
    if words.by_ref().any(given) {
        return words.find(|word| !is_option(&word.text)).map(|word| word.text.clone());
    }
    let file = call.args.iter().any(|word| !is_option(&word.text));
    if file { None } else { Some(piped.read()) }
}

/// Returns the text that an interpreter runs: its arguments if they contain code (`-c`, `-e`,
/// `-ne`, `-r`, `--eval`), or without code and without a file, its input.
fn given_to_interpreter(call: &ProgramCall<'_>, piped: &Piped<'_>) -> Option<String> {
    let code = |ShellWord { text, .. }: &ShellWord| {
        is_short_option(text) && text.ends_with(['c', 'e', 'E', 'p', 'r'])
            || text.starts_with("--eval")
            || text.starts_with("--print")
            || text == "eval"
    };
    if call.args.iter().any(code) {
        return Some(joined(call.args));
    }
    let file = call.args.iter().any(|word| !is_option(&word.text));
    if file { None } else { Some(piped.read()) }
}

fn joined(words: &[ShellWord]) -> String {
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}
