//! Measures loading many workflows from disk, and a step deep inside nested ones.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use sprag_core::workflow::{Definition, Definitions, OrderEntry, Phase, advance, start};
use sprag_engine::workflows::{Search, load, load_one};

use crate::rounds::median;
use crate::{Failure, Figure};

const WORKFLOWS: usize = 1000;
const PHASES: usize = 10;
const ROUNDS: usize = 15;

/// Measures loading 1,000 workflows of 10 phases from disk.
pub(crate) fn loading(scratch: &Path) -> Result<Figure, Failure> {
    let root = scratch.join("workflows");
    for number in 0..WORKFLOWS {
        make(&root.join(format!(".sprag/workflows/flow-{number}")), number)?;
    }
    let search = Search { root: Some(&root), ..Search::default() };
    let (mut all, mut one) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let begun = Instant::now();
        let loaded = load(&search);
        all.push(begun.elapsed());
        if let Some(problem) = loaded.problems.first() {
            return Err(problem.to_string().into());
        }
        if loaded.sources.len() != WORKFLOWS {
            return Err(format!("{} workflows were loaded", loaded.sources.len()).into());
        }
        let begun = Instant::now();
        let loaded = load_one(&search, &format!("flow-{round}"));
        one.push(begun.elapsed());
        loaded.digest(&format!("flow-{round}")).ok_or("the one workflow was not loaded")?;
    }
    Ok(Figure {
        what: "1,000 workflows of 10 phases, loaded from the disk",
        measured: median(all).as_secs_f64() * 1e3,
        goal: Some(150.0),
        unit: " ms",
        detail: format!("one of them: {:.2} ms", median(one).as_secs_f64() * 1e3),
    })
}

/// Writes a typical workflow: half of its phases have gates.
fn make(folder: &Path, number: usize) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)?;
    let mut head = format!("name: Flow {number}\ncommandName: flow-{number}\n");
    head.push_str("initialMessage: |\n  Start {description} now.\nphases:\n");
    for phase in 0..PHASES {
        writeln!(head, "  - phase-{phase}.md")?;
        let gates = if phase % 2 == 0 { GATES } else { "" };
        let text = format!(
            "---\nid: phase-{phase}\nname: Phase {phase} of {number}\nemoji: 🔨\n\
             tools:\n  blacklist: [edit, write]\n{gates}---\n{INSTRUCTIONS}"
        );
        std::fs::write(folder.join(format!("phase-{phase}.md")), text)?;
    }
    Ok(std::fs::write(folder.join("workflow.yaml"), head)?)
}

const GATES: &str = "gates:\n  - run: cargo test --quiet\n    timeout: 10m\n    \
                     protect: [\"tests/**\"]\nretry: { max: 3 }\n";
const INSTRUCTIONS: &str = "Do the work of {phaseName} for {description}.\n\n\
                            - Read what is there.\n- Change what is needed.\n- Say what you did.\n";

const DEPTH: usize = 50;
const STEPS: u32 = 2000;

/// Measures a step in the innermost of 50 nested workflows.
pub(crate) fn deepest_step() -> Result<Figure, Failure> {
    let phase = |id: String| OrderEntry::Phase(Box::new(Phase { id, ..Phase::default() }));
    let level = |depth: usize| {
        let inner = match depth + 1 {
            DEPTH => phase("deepest".to_owned()),
            deeper => OrderEntry::Workflow(format!("level-{deeper}")),
        };
        let phases = vec![inner, phase(format!("after-{depth}"))];
        (format!("level-{depth}"), Definition { phases, ..Definition::default() })
    };
    let definitions: Definitions = (0..DEPTH).map(level).collect();
    let deepest = start(&definitions, "level-0");
    if deepest.path.len() != DEPTH {
        return Err(format!("the position is {} deep", deepest.path.len()).into());
    }
    let begun = Instant::now();
    for _ in 0..STEPS {
        let stepped = advance(&definitions, &deepest).ok_or("there is no step")?;
        std::hint::black_box(stepped);
    }
    Ok(Figure {
        what: "a step in the deepest of 50 nested workflows",
        measured: begun.elapsed().as_secs_f64() * 1e3 / f64::from(STEPS),
        goal: Some(1.0),
        unit: " ms",
        detail: format!("mean of {STEPS}"),
    })
}
