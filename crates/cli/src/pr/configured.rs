//! The configuration of a new loop: options override the file that was found.

use std::path::{Path, PathBuf};

use sprag_core::pr::Prompts;
use sprag_formats::pr::LoopConfig;
use sprag_store::Place;

use crate::args::pr::LoopOptions;
use crate::codes::Code;
use crate::context::{CommandContext, OutputFormat};
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault};
use crate::{env, screen};

/// The path of the file below the working tree and below the home directory.
const PLACE: &str = ".config/review-loop/config.yaml";

/// Returns the configuration of a new loop, and reports its source.
pub(super) fn find(
    call: &CommandContext,
    place: &Place,
    given: &LoopOptions,
) -> Result<LoopConfig, EarlyExit> {
    let [reviewer, developer, ci_checker, ci_fixer] = given.prompts();
    let no_handing_over = given.no_handing_over;
    let typed = LoopConfig {
        agents: given.agents(),
        max_rounds: given.max_rounds,
        level: given.level,
        prompts: Prompts { reviewer, developer, ci_checker, ci_fixer, no_handing_over },
        wait: given.wait(),
    };
    let (file, how) = match &given.config {
        Some(named) => (Some(call.folder.join(named)), ""),
        None => (found(&place.root), " (auto-detected)"),
    };
    let Some(file) = file else {
        tell(call, "No config file found, using CLI arguments");
        return Ok(typed);
    };
    let (config, notes) = read(&file)?;
    tell(call, &format!("Using config: {}{how}", file.display()));
    for note in notes {
        tell(call, &note.in_file(file.display().to_string()).to_string());
    }
    Ok(typed.over(config))
}

fn found(root: &Path) -> Option<PathBuf> {
    let home = env::get(env::HOME).map(PathBuf::from);
    let places = [Some(root.to_path_buf()), home].into_iter().flatten();
    places.map(|place| place.join(PLACE)).find(|path| path.is_file())
}

fn read(file: &Path) -> Result<(LoopConfig, Vec<sprag_formats::Fault>), EarlyExit> {
    let shown = file.display().to_string();
    let text = std::fs::read_to_string(file).map_err(|error| {
        if error.kind() == std::io::ErrorKind::NotFound {
            let message = format!("Config file not found: {shown}");
            return Fault::new(Exit::NotFound, Code::NoPath, message);
        }
        Fault::new(Exit::Unreadable, Code::Document, format!("{shown}: {error}"))
    })?;
    LoopConfig::read(&text).map_err(|fault| {
        let help = fault.advice().unwrap_or_else(|| "correct it".to_owned());
        let message = fault.in_file(shown).to_string();
        Fault::new(Exit::Invalid, Code::Document, message).help(help).into()
    })
}

/// Prints a note on standard error.
fn tell(call: &CommandContext, text: &str) {
    if call.answer == OutputFormat::Text {
        screen::complain(&format!("{text}\n"));
    }
}
