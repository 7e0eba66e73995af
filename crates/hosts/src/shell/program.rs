//! Classifies programs by their effect on their arguments, as far as it matters here.

use sprag_formats::shell::{ShellWord, start};

use super::persons;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Program {
    Sprag,
    /// Runs a text from its arguments or its input.
    Shell,
    /// Runs its arguments, joined, as shell text.
    Eval,
    /// Runs a program in another language, from its arguments or its input.
    Interpreter,
    /// Runs the command among its arguments.
    Wrapper,
    /// Changes to another folder.
    Goes,
    /// Writes the files named in a patch from its arguments or its input.
    Patches,
    /// Writes files among its arguments.
    Writes(Targets),
    Other,
}

/// The arguments that a program writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Targets {
    /// Every argument.
    Each,
    /// Every argument, and a folder with everything in it.
    Whole,
    /// Like [`Whole`](Self::Whole), but the last argument is only the destination.
    Moved,
    /// The last argument, or the one after `-t`.
    Last,
    /// Every argument, if one of them asks to edit in place.
    InPlace,
    /// Every argument, if the first one is a verb that changes files.
    Git,
    /// Every argument, if the program unpacks.
    Unpacked,
    /// The arguments that start with `of=`.
    OutputFile,
    /// The searched paths, if the program deletes its results or passes them to a program that
    /// writes.
    Found,
}

impl Program {
    /// Classifies a program by its name.
    pub(super) fn named(name: &str) -> Self {
        // `python3.12` is `python`.
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

pub(super) struct ProgramCall<'c> {
    pub(super) program: Program,
    /// Whether the name of the program is only known when it runs.
    pub(super) unknown: bool,
    pub(super) args: &'c [ShellWord],
    /// Whether it gets more arguments at run time: `xargs`.
    pub(super) more: bool,
}

impl<'c> ProgramCall<'c> {
    /// Finds the program of a command after assignments, reserved words and programs that run
    /// another.
    pub(super) fn of(words: &'c [ShellWord]) -> Option<Self> {
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

/// Returns the start of the wrapped command: a person's verb, else the first word that names a
/// known program, after any options.
fn wrapped(args: &[ShellWord]) -> Option<usize> {
    let known = |word: &ShellWord| match Program::named(&word.name()) {
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

fn persons_verb(args: &[ShellWord]) -> Option<usize> {
    let at = args.iter().position(|word| word.name() == "sprag")?;
    persons::said(&args[at + 1..]).map(|_| at)
}
