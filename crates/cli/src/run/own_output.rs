//! Detects sprag's own output among the files of the project: `sprag run … > nohup.out`.

use std::path::Path;

use sprag_engine::engine::Engine;

/// Links to the files behind standard output and standard error; other systems lack them.
const OUTPUTS: [&str; 2] = ["/proc/self/fd/1", "/proc/self/fd/2"];

/// Notes that the output changes the files that gates judge.
pub(super) fn note(engine: &Engine<'_>) -> Vec<String> {
    let file = |output| {
        let path = std::fs::read_link(Path::new(output)).ok()?;
        path.metadata().ok().filter(std::fs::Metadata::is_file)?;
        engine.judged_file(&path)
    };
    let mut names: Vec<String> = OUTPUTS.into_iter().filter_map(file).collect();
    names.dedup();
    let said = |name| {
        format!(
            "this output goes into {name}, so the project changes while gates run: put it elsewhere, \
             or let git ignore it"
        )
    };
    names.into_iter().map(said).collect()
}
