//! The state of a plan's run is in its file: after every signal, the file matches the run.
//!
//! Tasks start, fail, pass and wait in parallel, with outputs as real tools print them. So a single
//! edit inserts, removes and replaces adjacent values.

use sprag_core::plan::{
    CheckDecision, Definition, FileAction, Mode, Plan, PlanCheck, PlanFile, PlanMachine, Position,
    Settings, Task,
};
use sprag_core::{
    Check, DocPath, Facts, Fence, Hash, Hold, Name, Ran, Receipt, Run, RunId, Seq, SessionId,
    Signal, Stored as _, Time, UnitId, Verdict, Word, apply, step,
};
use sprag_formats::{StoredFile, new_file};

use crate::random::Random;
use crate::support::long;

type Planned = Run<Position>;

const TASKS: [&str; 4] = ["01", "02", "03", "04"];
const GATE: &str = "run npm test";
const LINES: [&str; 16] = [
    "FAIL src/c.test.ts",
    "  expected 2, got 3",
    "1 failed",
    "1 failed ",
    "    at c.ts:7  ",
    "",
    "# fail 1",
    "- key: value",
    "\tat Object.<anonymous>",
    "--- FAIL: TestC (0.00s)",
    "...",
    " ❯ größe",
    "'single' \"double\" {brace",
    "| table |",
    " ",
    "tab at the end\t",
];

/// The first tasks are complete; the other two failed and are being retried. The last line of each
/// multi-line text ends in a blank, as some tools print it.
const RUN: &str = r#"v: 1
id: r-41mt
source: plan:1
started: "2026-11-16T18:57:18.611Z"
bounds:
  T03: {used: 1, max: 3}
  T04: {used: 1, max: 3}
  execute: {used: 2, max: 12}
position:
  stage: execute
  fixed: 0
  rounds: 0
  tasks:
    "01": complete
    "02": complete
failed:
  T03:
    same: 1
    receipt:
      gate: run npm test
      verdict: fail
      exit: 1
      why: ""
      tail: |
        FAIL src/c.test.ts
          expected 2, got 3

        1 failed@
      tree: 12909dfe8605e68e37ca9ab4eccbe9639694fecd049d40be9dbaacc78abbe941
      at: "2026-11-16T18:57:19.059Z"
  T04:
    same: 1
    receipt:
      gate: run npm test
      verdict: fail
      exit: 1
      why: ""
      tail: |
        FAIL src/d.test.ts
        1 failed@
      tree: 12909dfe8605e68e37ca9ab4eccbe9639694fecd049d40be9dbaacc78abbe941
      at: "2026-11-16T18:57:19.144Z"
attempts:
  - fence: 12
    unit: T03
    spent:
      - T03
      - execute
    locks:
      - file src/03.ts
  - fence: 13
    unit: T04
    spent:
      - T04
      - execute
    locks:
      - file src/04.ts
"#;

/// The holds of both attempts, which wait for their host.
const HOLD: &str = "    hold:\n      until:\n        at: \"2026-11-16T19:00:00.000Z\"\n        why: |\n          \
     You have reached your limit.\n          It resets soon@\n";

fn definition() -> Definition {
    let check = Check::Run { argv: vec!["npm".into(), "test".into()] };
    let check = PlanCheck {
        kind: "test".into(),
        text: "the tests pass".into(),
        cmd: None,
        decision: CheckDecision::Gate(check),
    };
    let task = |id: &str| {
        let path = DocPath::parse(&format!("src/{id}.ts")).unwrap();
        Task {
            id: id.to_owned(),
            wave: 1,
            files: vec![PlanFile { path, action: FileAction::Create }],
            checks: vec![check.clone()],
            ..Task::default()
        }
    };
    let plan = Plan { phase: "1".into(), tasks: TASKS.map(task).into(), ..Plan::default() };
    let settings = Settings { mode: Mode::Yolo, execute_max_retries: 9, ..Settings::default() };
    Definition { plan, settings, ci: Vec::new() }
}

fn lift(text: &str) -> Planned {
    let file = StoredFile::parse(text).unwrap();
    Planned::lift(file.plain()).unwrap_or_else(|bad| panic!("{}\n{text}", file.fault(&bad)))
}

/// Sends a signal to the run in a file. Returns the new file unless the run refuses the signal.
fn sent(text: &str, signal: &Signal, facts: &Facts) -> Option<String> {
    let run = lift(text);
    let stepped = step::<PlanMachine>(&definition(), &run, signal, facts).ok()?;
    let file = StoredFile::parse(text).unwrap();
    let splices = file
        .edit(&run.lower(), &stepped.run.lower())
        .unwrap_or_else(|fault| panic!("{fault}\n{signal:?}\n{text}"));
    let after = apply(text, &splices).unwrap();
    assert_eq!(lift(&after), stepped.run, "{signal:?}\n{text}");
    Some(after)
}

fn facts(seq: u32) -> Facts {
    Facts::new(Time::from_millis(i64::from(seq) * 1000), Seq(seq.into()), Hash::of("tree"))
}

fn receipt(verdict: Verdict, exit: Option<i32>, tail: String, facts: &Facts) -> Receipt {
    let (gate, why) = (Name::parse(GATE).unwrap(), String::new());
    Receipt { gate, verdict, exit, why, doubt: None, tail, tree: facts.tree, at: facts.now }
}

/// Ends the attempt of T03 in the file above; `blank` ends the last lines of its texts.
fn ends(text: &str, blank: &str, verdict: Verdict, tail: &str) -> String {
    let (text, now) = (text.replace('@', blank), Time::parse("2026-11-16T20:00:00Z").unwrap());
    let facts = Facts { now, ..facts(14) };
    let receipts = vec![receipt(verdict, Some(1), tail.to_owned(), &facts)];
    let signal = Signal::End {
        fence: Fence(Seq(12)),
        word: Word::None,
        receipts,
        worth: Some(sprag_core::basis::Worth::Proven),
    };
    sent(&text, &signal, &facts).unwrap()
}

/// Returns the lines from the one that starts with `from` up to the one before `to`.
fn part<'t>(text: &'t str, from: &str, to: &str) -> &'t str {
    let start = text.find(&format!("\n{from}")).unwrap() + 1;
    let end = text[start..].find(&format!("\n{to}")).map_or(text.len(), |len| start + len + 1);
    &text[start..end]
}

#[test]
fn a_task_is_recorded_as_complete_beside_one_that_failed_too() {
    for blank in ["", " ", "\t", "   \t "] {
        for text in [RUN.to_owned(), held(RUN)] {
            let before = text.replace('@', blank);
            let after = ends(&text, blank, Verdict::Pass, "");
            let tasks =
                "    \"01\": complete\n    \"02\": complete\n    \"03\": complete\nfailed:\n";
            assert!(after.contains(tasks), "{after}");
            assert!(!after.contains("T03:\n") && !after.contains("unit: T03"), "{after}");
            assert_eq!(part(&after, "  T04:\n", "attempts"), part(&before, "  T04:\n", "attempts"));
            assert_eq!(after.find("v: 1"), before.find("v: 1"));
        }
    }
}

#[test]
fn a_task_is_recorded_as_failed_again_with_another_output() {
    for blank in ["", " ", "\t", "   \t "] {
        for tail in ["FAIL src/c.test.ts\n2 failed\n", "one line", "\n odd ", "end\t\n "] {
            let before = RUN.replace('@', blank);
            let after = ends(RUN, blank, Verdict::Fail, tail);
            assert!(after.contains("    \"03\": again\nfailed:\n"), "{after}");
            assert_eq!(part(&after, "  T04:\n", "attempts"), part(&before, "  T04:\n", "attempts"));
        }
    }
}

/// Puts both attempts on hold, each with a multi-line text.
fn held(text: &str) -> String {
    let (before, last) = text.split_once("  - fence: 13\n").unwrap();
    format!("{before}{HOLD}  - fence: 13\n{last}{}", HOLD.replace("reached", "passed"))
}

/// Makes an output as a tool prints it.
fn output(random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..random.below(5) {
        text.push_str(random.pick(&LINES));
        text.push('\n');
    }
    if random.once_in(4) {
        text.push_str(random.pick(&LINES));
    }
    text
}

fn signal(random: &mut Random, run: &Planned, facts: &Facts) -> Signal {
    let attempts = run.attempts();
    if attempts.is_empty() || random.once_in(2) {
        let unit = UnitId::parse(&format!("T{}", random.pick(&TASKS))).unwrap();
        let session = random.once_in(2).then(|| SessionId::parse("s-1").unwrap());
        return Signal::Begin { unit, agent: None, session };
    }
    let fence = attempts[random.below(attempts.len())].fence();
    let why = output(random);
    let judged = |verdict, exit, tail| {
        let receipts = vec![receipt(verdict, exit, tail, facts)];
        Signal::End {
            fence,
            word: Word::None,
            receipts,
            worth: Some(sprag_core::basis::Worth::Proven),
        }
    };
    let said = |word| Signal::End {
        fence,
        word,
        receipts: Vec::new(),
        worth: Some(sprag_core::basis::Worth::Proven),
    };
    match random.below(12) {
        0..=3 => judged(Verdict::Pass, Some(0), why),
        4..=6 => judged(Verdict::Fail, random.pick(&[Some(1), Some(2), None]), why),
        7 => said(Word::Failed { why }),
        8 => said(Word::Question { what: why }),
        9 => Signal::Hold { fence, hold: Hold::Until { at: facts.now, why } },
        10 => Signal::Lost { fence, ran: Ran::Yes, why },
        _ => Signal::Resume,
    }
}

#[test]
fn a_run_of_a_plan_lives_in_its_file() {
    let runs = if long() { 5_000 } else { 40 };
    let (mut edits, mut passed) = (0, 0);
    for seed in 0..runs {
        let mut random = Random::new(seed);
        let id = RunId::parse("r-7k2m").unwrap();
        let run = Run::new::<PlanMachine>(id, &definition(), Position::new(None));
        let mut text = new_file(&run.lower());
        for seq in 2..40 {
            let facts = facts(seq);
            let signal = signal(&mut random, &lift(&text), &facts);
            let Some(after) = sent(&text, &signal, &facts) else { continue };
            edits += usize::from(after != text);
            text = after;
        }
        passed += text.matches(": complete\n").count();
    }
    println!("{edits} edits, {passed} tasks complete");
    let runs = usize::try_from(runs).unwrap();
    assert!(edits > runs * 10 && passed > runs, "only {edits} edits, {passed} tasks complete");
}
