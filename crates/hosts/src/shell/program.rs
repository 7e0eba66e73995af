//! What programs do with what they are given, as far as it matters here.

use sprag_formats::shell::{Word, start};

use super::persons;

/// A kind of program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Program {
    /// sprag itself.
    Sprag,
    /// Runs the text it is given, or reads.
    Shell,
    /// Runs its words, joined, as shell text.
    Eval,
    /// Runs a program in another language, given or read.
    Interpreter,
    /// Runs the command that stands among its words.
    Wrapper,
    /// Goes to another folder.
    Goes,
    /// Writes the files that are named in the patch it is given, or reads.
    Patches,
    /// Writes files among its words.
    Writes(Targets),
    /// None of these.
    Other,
}

/// Which of its words a program writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Targets {
    /// Each.
    Each,
    /// Each, and a folder with all that is in it.
    Whole,
    /// As [`Whole`](Self::Whole), but the last is only where it goes.
    Moved,
    /// The last, or the one after `-t`.
    Last,
    /// Each, if one of the words tells it to edit in place.
    InPlace,
    /// Each, if the first word is a verb that changes files.
    Git,
    /// Each, if it unpacks.
    Unpacked,
    /// Those that begin with `of=`.
    OutputFile,
    /// Those it finds, if it deletes them or hands them to a program that writes.
    Found,
}

impl Program {
    /// Tells the kind of program from its name.
    pub(super) fn named(name: &str) -> Self {
        // `python3.12` is a python.
        let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
        match bare {
            "sprag" => Self::Sprag,
            "sh" | "bash" | "zsh" | "dash" | "ksh" | "ash" | "fish" | "su" => Self::Shell,
            "eval" | "trap" | "watch" => Self::Eval,
            "python" | "pypy" | "node" | "nodejs" | "bun" | "deno" | "ruby" | "perl" | "php"
            | "lua" | "osascript" | "tclsh" => Self::Interpreter,
            "env" | "busybox" | "command" | "builtin" | "exec" | "nohup" | "setsid" | "time"
            | "timeout" | "gtimeout" | "nice" | "ionice" | "stdbuf" | "unbuffer" | "sudo"
            | "doas" | "xargs" | "parallel" | "chroot" | "function" | "script" | "flock"
            | "strace" => Self::Wrapper,
            "cd" | "pushd" => Self::Goes,
            "apply_patch" | "applypatch" => Self::Patches,
            _ => Targets::of(bare).map_or(Self::Other, Self::Writes),
        }
    }
}

impl Targets {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "touch" | "mkdir" | "rmdir" | "tee" | "sponge" | "truncate" | "ln" | "unlink"
            | "shred" | "patch" | "ed" | "ex" | "vi" | "vim" | "nvim" | "nano" | "emacs"
            | "curl" | "wget" | "unzip" => Self::Each,
            "rm" | "chmod" | "chown" | "chgrp" | "chattr" => Self::Whole,
            "mv" => Self::Moved,
            "cp" | "install" | "rsync" | "scp" => Self::Last,
            "sed" | "gsed" | "yq" | "awk" | "gawk" => Self::InPlace,
            "git" => Self::Git,
            "tar" | "bsdtar" | "gtar" => Self::Unpacked,
            "dd" => Self::OutputFile,
            "find" | "gfind" | "fd" => Self::Found,
            _ => return None,
        })
    }
}

/// A program with its arguments.
pub(super) struct Call<'c> {
    pub(super) program: Program,
    /// Whether the name of the program is only known when it runs.
    pub(super) unknown: bool,
    pub(super) args: &'c [Word],
    /// Whether it gets more arguments than stand here: `xargs`.
    pub(super) more: bool,
}

impl<'c> Call<'c> {
    /// Finds the program among the words of a command: behind assignments, reserved words and
    /// programs that run another.
    pub(super) fn of(words: &'c [Word]) -> Option<Self> {
        let (first, args) = words[start(words)?..].split_first()?;
        let name = first.name();
        let program = Program::named(&name);
        let more = matches!(name.as_str(), "xargs" | "parallel");
        let outer = Self { program, unknown: !first.known, args, more };
        let inner = match program {
            Program::Wrapper => wrapped(args),
            Program::Writes(Targets::Found) => persons_verb(args),
            Program::Sprag
            | Program::Shell
            | Program::Eval
            | Program::Interpreter
            | Program::Goes
            | Program::Patches
            | Program::Writes(_)
            | Program::Other => None,
        };
        let Some(at) = inner else { return Some(outer) };
        let program = Program::named(&args[at].name());
        Some(Self { program, unknown: false, args: &args[at + 1..], more })
    }
}

/// Returns where the wrapped command begins: at a person's verb, else at the first word that names
/// a program we know, whatever options stand before it.
fn wrapped(args: &[Word]) -> Option<usize> {
    let known = |word: &Word| match Program::named(&word.name()) {
        Program::Wrapper | Program::Other => false,
        Program::Sprag
        | Program::Shell
        | Program::Eval
        | Program::Interpreter
        | Program::Goes
        | Program::Patches
        | Program::Writes(_) => true,
    };
    persons_verb(args).or_else(|| args.iter().position(known))
}

fn persons_verb(args: &[Word]) -> Option<usize> {
    let at = args.iter().position(|word| word.name() == "sprag")?;
    persons::said(&args[at + 1..]).map(|_| at)
}
