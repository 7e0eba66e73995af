//! Determines which arguments of a command are written to, and whether one of them is protected.

use super::program::{Program, Targets};
use crate::Host;
use crate::place::{OURS, Touch, touch};
use sprag_formats::shell::ShellWord;

/// The longest folder path remembered, which is enough for the protected ones.
const LONGEST: usize = 64;

/// Resolves paths against the folder that a script has changed to.
#[derive(Debug)]
pub(super) struct ScriptFolder {
    host: Host,
    /// The current folder, if it is a protected one or contains one.
    folder: Option<String>,
}

impl ScriptFolder {
    pub(super) const fn new(host: Host) -> Self {
        Self { host, folder: None }
    }

    /// Changes to another folder.
    pub(super) fn go(&mut self, args: &[ShellWord]) {
        let to = args.iter().find(|word| !word.text.starts_with('-'));
        let path = to.map_or_else(String::new, |word| self.seen(&word.text));
        let matters = path.len() <= LONGEST && touch(self.host, &path).is_some();
        self.folder = matters.then_some(path);
    }

    /// The path as seen from the current folder.
    fn seen(&self, path: &str) -> String {
        match &self.folder {
            Some(folder) if !path.starts_with(['/', '~']) => format!("{folder}/{path}"),
            Some(_) | None => path.to_owned(),
        }
    }

    fn touched(&self, path: &str) -> Option<Touch> {
        if self.folder.is_none() {
            return touch(self.host, path);
        }
        touch(self.host, &self.seen(path))
    }

    /// Returns the path if it is itself protected.
    pub(super) fn inside(&self, path: &str) -> Option<String> {
        (self.touched(path) == Some(Touch::Inside)).then(|| path.to_owned())
    }

    /// Returns a protected path that a redirection writes.
    pub(super) fn redirected(&self, writes: &[ShellWord]) -> Option<String> {
        // `2>&1` and `>&-` name descriptors.
        let file = |word: &&ShellWord| {
            !word.text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
        };
        writes.iter().filter(file).find_map(|word| self.inside(&word.text))
    }

    /// Returns a protected path among the arguments that a program writes to.
    pub(super) fn written(&self, targets: Targets, args: &[ShellWord]) -> Option<String> {
        let paths = || args.iter().map(|word| word.text.as_str());
        let each = || paths().find_map(|path| self.argument(path));
        let around = |path: &str| self.touched(path).map(|_| path.to_owned());
        match targets {
            Targets::Each => each(),
            Targets::Whole => paths().find_map(around),
            Targets::Moved => {
                let last = paths().next_back().and_then(|path| self.inside(path));
                last.or_else(|| paths().take(args.len().saturating_sub(1)).find_map(around))
            }
            Targets::Last => {
                // `-t DIR` takes precedence, for programs that have it.
                let named = paths().skip_while(|word| *word != "-t").nth(1);
                let last = paths().rfind(|word| !word.starts_with('-'));
                let options = paths().filter(|word| word.starts_with("--target-directory="));
                let mut all = named.into_iter().chain(last).chain(options);
                all.find_map(|path| self.argument(path))
            }
            Targets::InPlace if paths().any(in_place) => each(),
            Targets::Git if sweeps(args) => Some(format!("{OURS}/ (with every ignored file)")),
            Targets::Git if changes_files(args) => each(),
            Targets::Unpacked if unpacks(args) => each(),
            Targets::OutputFile => paths()
                .filter_map(|word| word.strip_prefix("of="))
                .find_map(|path| self.inside(path)),
            Targets::Found if hands_on(args) => each(),
            Targets::InPlace | Targets::Git | Targets::Unpacked | Targets::Found => None,
        }
    }

    /// Checks an argument, or the part of an option after its `=`.
    fn argument(&self, word: &str) -> Option<String> {
        if !word.starts_with('-') {
            return self.inside(word);
        }
        word.split_once('=').and_then(|(_, path)| self.inside(path))
    }
}

/// Detects `-i`, `-pi`, `-i.bak`, `--in-place`, and gawk's `inplace`.
fn in_place(word: &str) -> bool {
    let short = || {
        let flags = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'))?;
        let flags: &str = flags.split(|c: char| !c.is_ascii_alphabetic()).next()?;
        Some(flags.contains('i'))
    };
    word.starts_with("--in-place")
        || word == "--inplace"
        || word == "inplace"
        || short() == Some(true)
}

/// Detects `x` among the letters of the first word or of an option.
fn unpacks(args: &[ShellWord]) -> bool {
    args.iter().enumerate().any(|(nth, ShellWord { text, .. })| {
        let letters = nth == 0 || text.starts_with('-') && !text.starts_with("--");
        text == "--extract" || letters && text.contains('x') && !text.contains(['/', '.'])
    })
}

/// `git clean -x` and `git stash --all` remove every ignored file, including our state. If paths
/// are given, only those count.
fn sweeps(args: &[ShellWord]) -> bool {
    let words: Vec<&str> = args.iter().map(|word| word.text.as_str()).collect();
    let Some(at) = words.iter().position(|word| matches!(*word, "clean" | "stash")) else {
        return false;
    };
    let rest = &words[at + 1..];
    let short = |word: &str, letter: char| {
        word.starts_with('-') && !word.starts_with("--") && word.contains(letter)
    };
    let dry = rest.iter().any(|word| *word == "--dry-run" || short(word, 'n'));
    let named = rest.iter().any(|word| !word.starts_with('-'));
    if words[at] == "clean" {
        return !dry && !named && rest.iter().any(|word| short(word, 'x') || short(word, 'X'));
    }
    let shelves = rest.first().is_none_or(|word| word.starts_with('-') || *word == "push");
    shelves && rest.iter().any(|word| *word == "--all" || short(word, 'a'))
}

fn changes_files(args: &[ShellWord]) -> bool {
    const CHANGE: [&str; 9] =
        ["checkout", "restore", "clean", "stash", "rm", "mv", "reset", "apply", "switch"];
    let mut words = args.iter().map(|word| word.text.as_str());
    while let Some(word) = words.next() {
        if matches!(word, "-C" | "-c") {
            words.next();
        } else if !word.starts_with('-') {
            return CHANGE.contains(&word);
        }
    }
    false
}

/// Returns whether a search deletes its results, or passes them to a program that may.
fn hands_on(args: &[ShellWord]) -> bool {
    let mut words = args.iter();
    while let Some(word) = words.next() {
        let next = match word.text.as_str() {
            "-delete" | "-fprint" | "-fprintf" | "-fls" => return true,
            "-exec" | "-execdir" | "-ok" | "-okdir" | "-x" | "-X" => words.next(),
            _ => continue,
        };
        match next.map(|word| Program::named(&word.name())) {
            Some(Program::Other | Program::Goes | Program::Sprag) | None => {}
            Some(
                Program::Shell
                | Program::Eval
                | Program::Interpreter
                | Program::Wrapper
                | Program::Patches
                | Program::Writes(_),
            ) => return true,
        }
    }
    false
}
