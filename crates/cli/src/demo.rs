//! `sprag demo`: a scripted agent and real runs in a scratch folder. Every line reports an event
//! that has just happened; a missing event ends the demo.

mod job;
mod scene;
mod scratch;
mod step;
mod story;
mod units;

use std::path::{Path, PathBuf};

use serde_json::json;
use sprag_core::typed;
use sprag_engine::engine::EngineError;
use sprag_engine::init::program;
use sprag_world::clock::Watch;
use sprag_world::root::{self, RootSearch};
use sprag_world::state_home;
use sprag_world::trust;

use crate::context::{CommandContext, OutputFormat};
use crate::exit::Exit;
use crate::fault::{EarlyExit, Next};
use crate::{env, screen};
use scratch::Scratch;
use step::DemoStep;

pub(crate) fn play(call: &CommandContext) -> Result<Exit, EarlyExit> {
    let took = Watch::start();
    let is_text = call.answer == OutputFormat::Text;
    if is_text {
        screen::print("sprag demo: a scripted agent, a real repository in a temporary folder\n")?;
    }
    let scratch = scene::asked(Scratch::make(&std::env::temp_dir(), env::all()))?;
    let mut say = |step: &DemoStep| {
        if is_text { screen::print(&step.line(call.look)) } else { Ok(()) }
    };
    let steps = story::play(&scratch, took, &mut say).map_err(|stop| match stop {
        EarlyExit::Closed => EarlyExit::Closed,
        EarlyExit::Fault(fault) => {
            let fault = fault.at(path(scratch.project()));
            fault.help("the folder is kept as it is, to be looked at").into()
        }
    })?;
    let (home, state) = (env::get(env::HOME).map(PathBuf::from), env::get(env::STATE_HOME));
    if let Some(folder) = state_home::folder(state.as_deref(), home.as_deref()) {
        // The suggested commands act on the scratch project, so it must be the user's.
        let start = RootSearch { folder: scratch.project(), home: None, named: None };
        trust::record(&folder, &root::find_or_new(start)?, |_| ()).map_err(EngineError::from)?;
    }
    tell_the_end(call, &scratch, &steps)?;
    Ok(Exit::Done)
}

/// Prints the commands to try next; they work as printed.
fn tell_the_end(
    call: &CommandContext,
    scratch: &Scratch,
    steps: &[DemoStep],
) -> Result<(), EarlyExit> {
    let (sprag, project) = (ourselves(), scratch.project());
    let report = [&sprag, "-C", &path(project), "report"].map(str::to_owned);
    let (report, init) = (typed(&report), typed(&[sprag.clone(), "init".to_owned()]));
    match call.answer {
        OutputFormat::Text => screen::print(&format!(
            "Change one byte:  echo >> {}\n\
             What is proven?   {report}\n\
             Look closer:      {report} --open\n\
             Your project:     {init}\n",
            typed(&[path(&project.join("src/csv.sh"))]),
        )),
        OutputFormat::Json => screen::print_json(&json!({
            "ok": true,
            "folder": path(project),
            "steps": steps.iter().map(DemoStep::json).collect::<Vec<_>>(),
            "next": Next { safe: vec![report], human: vec![init] },
        })),
    }
}

/// Returns how to call this binary again: by name if that finds it, else by path.
fn ourselves() -> String {
    let Ok(own) = std::env::current_exe() else { return "sprag".to_owned() };
    let real = |path: &Path| path.canonicalize().ok();
    let found = program::find("sprag", &env::all());
    if found.is_some_and(|found| real(&found) == real(&own)) {
        return "sprag".to_owned();
    }
    let here = std::env::current_dir().unwrap_or_default();
    path(own.strip_prefix(&here).unwrap_or(&own))
}

fn path(path: &Path) -> String {
    path.display().to_string()
}
