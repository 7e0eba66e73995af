//! What the words that were typed mean here: the second stage of reading a command line.

use std::io::IsTerminal;
use std::path::PathBuf;

use sprag_engine::root::{self, RootError, Start};
use sprag_store::Place;

use crate::args::Typed;
use crate::codes::Code;
use crate::env;
use crate::exit::Exit;
use crate::fault::{Fault, Stop};
use crate::look::{Colour, Look, Signs};

/// Where later versions of opti-gsd keep their state; that alone makes no project.
pub(crate) const LATER: &str = ".opti-gsd";

/// Where a command acts and how it answers.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// The working directory.
    pub(crate) folder: PathBuf,
    /// How standard output looks.
    pub(crate) look: Look,
    pub(crate) answer: Answer,
}

/// In which form a command answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Text,
    Json,
}

impl Call {
    /// Goes to the folder that was asked for.
    pub(crate) fn of(typed: &Typed) -> Result<Self, Stop> {
        if let Some(folder) = &typed.folder {
            std::env::set_current_dir(folder).map_err(|error| {
                let message = format!("cannot go to `{}`: {error}", folder.display());
                Fault::new(Exit::NotFound, Code::NoFolder, message).help("give -C a folder")
            })?;
        }
        let folder = std::env::current_dir().map_err(|error| {
            let message = format!("the working directory is gone: {error}");
            Fault::new(Exit::NotFound, Code::NoFolder, message).help("go to another folder")
        })?;
        let answer = if typed.json { Answer::Json } else { Answer::Text };
        Ok(Self { folder, look: look(typed.plain, &std::io::stdout()), answer })
    }

    /// Returns the project this is in, or nothing.
    pub(crate) fn place(&self) -> Result<Option<Place>, Stop> {
        self.starting(root::find)
    }

    /// Returns the project this is in, or what becomes one: the git top, else the folder.
    pub(crate) fn place_or_new(&self) -> Result<Place, Stop> {
        self.starting(root::find_or_new)
    }

    fn starting<T>(&self, find: fn(Start<'_>) -> Result<T, RootError>) -> Result<T, Stop> {
        let (home, named) = (env::get(env::HOME), env::get(env::ROOT));
        Ok(find(Start {
            folder: &self.folder,
            home: home.as_ref().map(AsRef::as_ref),
            named: named.as_ref().map(AsRef::as_ref),
        })?)
    }

    /// Returns the project this is in; without one there is nothing to do.
    pub(crate) fn project(&self) -> Result<Place, Stop> {
        self.place()?.ok_or_else(|| {
            let help = if self.folder.join(LATER).is_dir() {
                "`.opti-gsd` is of opti-gsd 2 or 3: `sprag check` says what is read of it"
            } else {
                "go to a folder with .sprag, .gsd, .chipset, .thoughts or .pi/workflows"
            };
            Fault::new(Exit::NotFound, Code::NoProject, "no project here")
                .at(self.folder.display().to_string())
                .help(help)
                .into()
        })
    }
}

/// Decides how a stream looks: by what was asked for, then the environment, then the terminal.
pub(crate) fn look(plain: bool, stream: &impl IsTerminal) -> Look {
    if plain {
        return Look::PLAIN;
    }
    let is = |variable, value: &str| env::get(variable).is_some_and(|set| set == value);
    let colour = if env::get(env::NO_COLOR).is_some() {
        Colour::No
    } else if env::get(env::CLICOLOR_FORCE).is_some_and(|set| set != "0") {
        Colour::Yes
    } else if is(env::CLICOLOR, "0") || is(env::TERM, "dumb") || !stream.is_terminal() {
        Colour::No
    } else {
        Colour::Yes
    };
    let locale = env::LOCALE.into_iter().find_map(env::get);
    let is_utf8 = |name: std::ffi::OsString| {
        let name = name.to_string_lossy().to_ascii_lowercase();
        name.contains("utf-8") || name.contains("utf8")
    };
    let shows_all = locale.is_none_or(is_utf8) || !stream.is_terminal();
    let signs = if shows_all { Signs::Unicode } else { Signs::Ascii };
    Look { colour, signs }
}
