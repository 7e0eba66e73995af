//! `sprag demo`: what works today, shown in a scratch folder, each line after the fact.

use std::path::Path;

use sprag_engine::demo::{self, Demo};
use sprag_store::Place;

use crate::call::{Answer, Call};
use crate::codes::Code;
use crate::exit::Exit;
use crate::fault::{Fault, Next, Stop};
use crate::look::Tone;
use crate::screen;

/// The word that starts the process that is killed.
pub(crate) const WRITER: &str = demo::WRITER;

/// Verbs end in this column.
const VERB: usize = 12;

/// Plays the demo.
pub(crate) fn play(call: &Call) -> Result<Exit, Stop> {
    let mut screen = Ok(());
    let text = call.answer == Answer::Text;
    if text {
        screen::print("sprag demo: real files, real processes, real kills\n")?;
    }
    let program = std::env::current_exe().map_err(|error| failed(&error))?;
    let demo = Demo::new(&program, &std::env::temp_dir()).map_err(|error| failed(&error))?;
    let folder = call.look.clean(&demo.folder().display().to_string());
    let mut steps = Vec::new();
    let played = demo.play(|verb, what| {
        let verb_text = call.look.paint(Tone::Good, &format!("{verb:>VERB$}"));
        if text && screen.is_ok() {
            screen = screen::print(&format!("{verb_text} {what}\n"));
        }
        steps.push(format!("{verb} {what}").trim().to_owned());
    });
    screen?;
    played.map_err(|error| {
        failed(&error).at(folder.clone()).help("the folder was kept as it is; please report this")
    })?;
    let folder = if folder.contains(' ') { format!("'{folder}'") } else { folder };
    let look_around = format!("sprag -C {folder}");
    match call.answer {
        Answer::Text => screen::print(&format!(
            "Look around:        {look_around}\n\
             What happened:      {look_around} log\n\
             Break it yourself:  echo x > {folder}/.sprag/journal/head; {look_around} doctor\n"
        ))?,
        Answer::Json => screen::print_json(&serde_json::json!({
            "ok": true,
            "folder": folder,
            "steps": steps,
            "next": Next { safe: vec![look_around], human: vec![] },
        }))?,
    }
    Ok(Exit::Done)
}

/// Is the process that the demo kills: commits, and says each number after its commit.
pub(crate) fn write_on(folder: &Path) -> Result<Exit, Stop> {
    let mut stop = None;
    let done = demo::write_on(&Place::of(folder), |number| {
        stop = screen::print(&format!("{number}\n")).err();
        stop.is_none()
    });
    done.map_err(|error| failed(&error))?;
    stop.map_or(Ok(Exit::Done), Err)
}

fn failed(error: &impl ToString) -> Fault {
    Fault::new(Exit::Failed, Code::NotWritten, error.to_string())
}
