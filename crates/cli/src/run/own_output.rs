//! Detects sprag's own output among the files of the project: `sprag run … > nohup.out`.

use sprag_engine::engine::Engine;
use sprag_world::process;

/// Notes that the output changes the files that gates judge.
pub(super) fn note(engine: &Engine<'_>) -> Vec<String> {
    let files = process::output_files();
    let mut names: Vec<String> = files.iter().filter_map(|path| engine.judged_file(path)).collect();
    names.dedup();
    let said = |name| {
        format!(
            "this output goes into {name}, so the project changes while gates run: put it elsewhere, \
             or let git ignore it"
        )
    };
    names.into_iter().map(said).collect()
}
