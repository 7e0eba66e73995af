//! Pages with commands are true: every block is run, in order, in a clean folder, with an empty
//! home.
//!
//! A `console` block has commands after `$ `, each followed by its output. An `sh` block is run as
//! a whole and prints nothing. A command may fail only if the next one is `echo $?`.

mod compare;
mod page;
mod world;

use std::path::Path;

pub(crate) use compare::tells;
pub(crate) use page::{Step, steps};
use world::World;

/// Runs a page in a world of its own.
fn follow(page: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    let page = std::fs::read_to_string(path).unwrap();
    let steps = steps(&page);
    assert!(!steps.is_empty(), "the page shows no command");
    let mut world = World::new(&steps);
    let mut next = steps.iter().skip(1);
    for step in &steps {
        let may_fail = next.next().is_some_and(|next| next.command == "echo $?");
        agree(&mut world, step, may_fail);
    }
}

fn agree(world: &mut World, step: &Step, may_fail: bool) {
    let Step { line, command, said } = step;
    let (got, exit) = world.types(command);
    assert!(exit == 0 || may_fail, "line {line}, `{command}` ends with {exit}:\n{got}");
    let got: Vec<&str> = got.trim_end().lines().map(str::trim_end).collect();
    let said: Vec<&str> = said.iter().map(String::as_str).collect();
    let (shown, real) = (said.join("\n"), got.join("\n"));
    assert!(
        tells(&said, &got),
        "line {line}, `{command}`\n--- the page says\n{shown}\n--- it is\n{real}"
    );
}

#[test]
fn the_readme_is_true() {
    follow("README.md");
}

#[test]
fn the_tour_is_true() {
    follow("docs/tour.md");
}

#[test]
fn the_page_on_run_is_true() {
    follow("docs/run.md");
}

#[test]
fn coming_from_pi_workflows_is_true() {
    follow("docs/coming-from/pi-workflows.md");
}

#[test]
fn coming_from_opti_gsd_is_true() {
    follow("docs/coming-from/opti-gsd.md");
}

#[test]
fn coming_from_gsd_is_true() {
    follow("docs/coming-from/gsd.md");
}

#[test]
fn coming_from_gas_town_is_true() {
    follow("docs/coming-from/gas-town.md");
}

#[test]
fn coming_from_gitx_is_true() {
    follow("docs/coming-from/gitx.md");
}

#[test]
fn coming_from_ralph_is_true() {
    follow("docs/coming-from/ralph.md");
}
