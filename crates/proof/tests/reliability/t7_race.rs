//! T7: many processes swap one document, some are killed; the history must be linearizable.

use std::ffi::OsString;

use sprag_proof::register::value_of;
use sprag_testkit::linear::{self, Operation, What};
use sprag_testkit::race::{self, Racer};
use sprag_testkit::seed::Seed;
use sprag_testkit::skip;

use crate::project::Project;

const DOC: &str = "register.yaml";
/// The seed determines the operations and the kills; the scheduler does the rest, so repeat the
/// command.
const REPEAT: &str = "SPRAG_LONG=1 cargo test -p sprag-proof --test reliability t7_race";

/// Runs `processes` processes with `count` operations each, and judges their history.
pub(crate) fn race(
    project: &Project,
    program: &[&str],
    processes: u32,
    count: u32,
    seed: u64,
) -> Result<Vec<Operation>, String> {
    let mut random = Seed::new(seed);
    let racers: Vec<Racer> = (0..processes)
        .map(|process| {
            let mut command: Vec<OsString> = program.iter().map(OsString::from).collect();
            command.extend([project.root.clone().into(), DOC.into()]);
            let numbers = [u64::from(process), u64::from(count), random.next()];
            command.extend(numbers.map(|number| number.to_string().into()));
            // Every tenth process is killed at some point.
            let killed_after =
                (process % 10 == 3).then(|| random.below(2 * count as usize - 1) + 1);
            Racer { command, killed_after }
        })
        .collect();
    let said = race::run(&racers, &random).map_err(|error| error.to_string())?;
    let mut history = Vec::new();
    for (process, lines) in (0..).zip(&said) {
        history.extend(race::operations(process, lines)?);
    }
    // Read through the store: what a killed process committed counts as written.
    let value = value_of(project.seen(DOC).text()).ok_or("the document is torn")?;
    // A final read, which must account for every change.
    let end = u64::MAX - 1;
    history.push(Operation {
        process: processes,
        called: end,
        returned: end,
        what: What::Saw(value),
    });
    linear::check(0, &history).map_err(|error| error.to_string())?;
    Ok(history)
}

#[test]
fn swaps_of_many_processes_are_linearizable() {
    let (count, seeds) = if skip::is_long() { (1000, 20) } else { (30, 1) };
    for seed in 1..=seeds {
        let project = Project::new();
        let program = [env!("CARGO_BIN_EXE_register")];
        let history = race(&project, &program, 32, count, seed)
            .unwrap_or_else(|why| panic!("seed {seed}: {why}\n  {REPEAT}"));
        let swaps = history.iter().filter(|one| matches!(one.what, What::Swapped(..))).count();
        println!("seed {seed}: {} operations, {swaps} swaps", history.len());
        assert!(swaps >= 30, "seed {seed}: hardly a race: {swaps} swaps");
        journal_tells_the_same(&project, &history);
    }
}

/// Checks that every acknowledged swap is in the journal once, and that the versions form one
/// chain.
fn journal_tells_the_same(project: &Project, history: &[Operation]) {
    use sprag_core::Hash;
    let lines = project.lines();
    let edits: Vec<_> = lines.iter().flat_map(|line| &line.edits).collect();
    for pair in edits.windows(2) {
        assert_eq!(pair[0].after, pair[1].before, "the chain is broken");
    }
    for operation in history {
        if let What::Swapped(_, to) = operation.what {
            let hash = Some(Hash::of(sprag_proof::register::text_of(to)));
            assert_eq!(edits.iter().filter(|edit| edit.after == hash).count(), 1, "{operation:?}");
        }
    }
}
