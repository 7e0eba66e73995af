//! Workflows from inside: their laws in the kernel, and each fix of a defect of the original.

mod fixes;
mod laws;
mod review;

use super::{Definition, Definitions, OrderEntry, Phase};
use crate::{Check, Gate, GateSpec, Name};

/// Creates a phase; it has a gate if its name begins with `!`.
fn phase(name: &str) -> OrderEntry {
    let gates = match name.strip_prefix('!') {
        None => Vec::new(),
        Some(name) => {
            let check = Check::Run { argv: vec!["true".to_owned()] };
            let gate = Gate { name: Name::parse(name).unwrap(), check };
            vec![GateSpec { gate, timeout: None, protect: Vec::new() }]
        }
    };
    let name = name.trim_start_matches('!');
    OrderEntry::Phase(Box::new(Phase {
        id: name.to_lowercase(),
        name: name.to_owned(),
        emoji: "🔨".to_owned(),
        instructions: format!(
            "Do {name}: {{previousPhaseName}}, {{phaseName}}, {{nextPhaseName}}."
        ),
        gates,
        ..Phase::default()
    }))
}

/// Creates workflows from lines such as `dev: Plan @qa !Build`.
fn workflows(lines: &[&str]) -> Definitions {
    let one = |line: &&str| {
        let (key, phases) = line.split_once(": ").unwrap();
        let entry = |word: &str| match word.strip_prefix('@') {
            Some(target) => OrderEntry::Workflow(target.to_owned()),
            None => phase(word),
        };
        let definition = Definition {
            name: key.to_uppercase(),
            command: key.to_owned(),
            initial_message: "Go".to_owned(),
            phases: phases.split(' ').map(entry).collect(),
            ..Definition::default()
        };
        (key.to_owned(), definition)
    };
    lines.iter().map(one).collect()
}
