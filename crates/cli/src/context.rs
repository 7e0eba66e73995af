//! Interprets the parsed command line in its folder: the second stage of reading it.

use std::cell::OnceCell;
use std::io::IsTerminal;
use std::path::PathBuf;

use sprag_core::systems;
use sprag_store::Place;
use sprag_world::root::{self, RootError, RootSearch};
use sprag_world::trust::Belongs;

use crate::args::Cli;
use crate::codes::Code;
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault};
use crate::style::{Colour, Signs, StreamStyle};
use crate::{belongs, copy, env};

/// Where later versions of opti-gsd keep their state; that alone makes no project.
pub(crate) const LATER: &str = ".opti-gsd";

/// Where a command acts and how it answers.
#[derive(Clone, Debug)]
pub(crate) struct CommandContext {
    pub(crate) folder: PathBuf,
    /// The style of standard output.
    pub(crate) look: StreamStyle,
    pub(crate) answer: OutputFormat,
    /// The project, once it was requested.
    found: OnceCell<Place>,
}

/// What a command starts in a project that the user may not have adopted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Begins {
    /// A source that the user names: a task, a workflow, a plan. Naming it counts as agreement.
    Source,
    /// Something that depends on what the folder contains.
    Anything,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutputFormat {
    Text,
    Json,
}

impl CommandContext {
    /// Changes to the folder given with `-C`.
    pub(crate) fn of(typed: &Cli) -> Result<Self, EarlyExit> {
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
        let answer = if typed.json { OutputFormat::Json } else { OutputFormat::Text };
        let found = OnceCell::new();
        Ok(Self { folder, look: look(typed.plain, &std::io::stdout()), answer, found })
    }

    /// Returns a call that acts in a folder and answers in text.
    pub(crate) fn in_folder(folder: PathBuf, look: StreamStyle) -> Self {
        Self { folder, look, answer: OutputFormat::Text, found: OnceCell::new() }
    }

    /// Returns the project around the folder, if any, whether or not the user has adopted it.
    pub(crate) fn place(&self) -> Result<Option<Place>, EarlyExit> {
        let place = self.starting(root::find)?;
        Ok(place.inspect(|place| self.take(place)))
    }

    /// Returns the project around the folder, or the one to be created, whether or not the user has
    /// adopted it.
    pub(crate) fn place_anyway(&self) -> Result<Place, EarlyExit> {
        let place = self.starting(root::find_or_new)?;
        self.take(&place);
        Ok(place)
    }

    /// Returns the project that the command used, if any.
    pub(crate) fn found(&self) -> Option<&Place> {
        self.found.get()
    }

    /// Records the project, and restores its state if that is missing and the project is the
    /// user's.
    fn take(&self, place: &Place) {
        if self.found.set(place.clone()).is_ok() && belongs::of(place).counts() {
            copy::restore(place);
        }
    }

    /// Returns the project for display only, and prints a note if its settings have no effect.
    pub(crate) fn shown(&self) -> Result<Option<(Place, Belongs)>, EarlyExit> {
        let Some(place) = self.place()? else { return Ok(None) };
        let belongs = belongs::of(&place);
        belongs::note(&belongs);
        Ok(Some((place, belongs)))
    }

    /// Returns the project for display only; it is an error if there is none.
    pub(crate) fn project_to_show(&self) -> Result<(Place, Belongs), EarlyExit> {
        self.shown()?.ok_or_else(|| self.no_project())
    }

    /// Returns the project, or the one to be created at the git top, else in the folder. Commands
    /// that start something use this, and open it with `Engine::begun_by`.
    pub(crate) fn place_to_begin(&self, what: Begins) -> Result<Place, EarlyExit> {
        let place = self.place_anyway()?;
        let belongs = belongs::of(&place);
        match what {
            Begins::Source => belongs::may_begin(&place, &belongs)?,
            Begins::Anything => belongs::counts(&belongs)?,
        }
        Ok(place)
    }

    fn starting<T>(
        &self,
        find: fn(RootSearch<'_>) -> Result<T, RootError>,
    ) -> Result<T, EarlyExit> {
        let (home, named) = (env::get(env::HOME), env::get(env::ROOT));
        Ok(find(RootSearch {
            folder: &self.folder,
            home: home.as_ref().map(AsRef::as_ref),
            named: named.as_ref().map(AsRef::as_ref),
        })?)
    }

    /// Returns the project to act in; it is an error if there is none.
    pub(crate) fn project(&self) -> Result<Place, EarlyExit> {
        let place = self.place()?.ok_or_else(|| self.no_project())?;
        belongs::counts(&belongs::of(&place))?;
        Ok(place)
    }

    fn no_project(&self) -> EarlyExit {
        let help = if self.folder.join(LATER).is_dir() {
            "`.opti-gsd` is of opti-gsd 2 or 3: `sprag check` shows which parts sprag reads"
                .to_owned()
        } else {
            format!("go to a folder with {}", systems::listed(root::STATE))
        };
        Fault::new(Exit::NotFound, Code::NoProject, "no project here")
            .at(self.folder.display().to_string())
            .help(help)
            .into()
    }
}

/// Chooses the style of a stream: by flags, then by the environment, then by the terminal.
pub(crate) fn look(plain: bool, stream: &impl IsTerminal) -> StreamStyle {
    if plain {
        return StreamStyle::PLAIN;
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
    StreamStyle { colour, signs }
}
