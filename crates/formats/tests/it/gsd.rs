//! The readers of GSD's documents on broken and hostile texts, and the writers on all others.

use std::collections::BTreeMap;
use std::time::Duration;

use sprag_core::gsd::{QuirkReader, Reading, derive_as, dispatch, nothing_skipped};
use sprag_core::{Plain, apply};
use sprag_formats::MAX_BYTES;
use sprag_formats::gsd::{
    Depth, Memory, Summary, closing, context, extensions, keep, load, overrides, plan, preferences,
    requirements, roadmap, task_files, tick, verdict,
};

use crate::mutate::spent;
use crate::random::Random;
use crate::support::long;

/// Processor time, without optimisation and on a loaded machine.
const LIMIT: Duration = Duration::from_millis(if cfg!(debug_assertions) { 1500 } else { 150 });

const SAMPLES: [&str; 8] = [
    "# M001: X\n\n**Vision:** v\n\n## Slices\n\n- [x] **S01: One** `risk:low` `depends:[]`\n  > After this: a\n- [ ] **S02: Two** `risk:high` `depends:[S01-S03]`\n",
    "# M001: X\n\n## Slice Overview\n| ID | Slice | Risk | Depends | Done |\n|--|--|--|--|--|\n| S01 | Cart | low | — | ✅ |\n| S02 | Pay | high | S01 | ⬜ |\n",
    "# M001: X\n\n## ✅ Slice S01: First\n\n**Depends on:** none\n\n### S02 — Second (Complete)\n\nDepends on: S01; S09\n",
    "---\nestimated: 1\n---\n# S01: T\n\n**Goal:** g\n\n## Tasks\n\n- [ ] **T01: One** `est:30m`\n  - Files: `a`, b\n  - Verify: npm test\n### T02 -- Two\n```\n- [ ] **T09: no**\n```\n",
    "---\nid: T01\nprovides:\n  - a\nrequires:\n  - slice: S00\n    provides: base\nblocker_discovered: true\nextensions:\n  review-loop:\n    activeReview: {taskId: T01, cycle: 2}\n---\n\n# T01: T\n\n**One**\n\n## Files Created/Modified\n\n- `x.ts` — did x\n",
    "---\ndepends_on: [M001, \"m002\"]\nverdict: pass\nstatus: done\n---\n# M003: C\n\n**Verdict:** PASS\n\nNo verification failed.\n",
    "# R\n\n## Active\n\n### R001 — A\n- Status: blocked\n\n## Override: 2026\n**Change:** c\n**Scope:** active\n\n## Inputs\n\n- `src/a.rs` — x\n",
    "---\nphases:\n  skip_research: true\nuat_dispatch: true\nreactive_execution: {enabled: true, max_parallel: 3}\n---\n# P\n",
];

const TOKENS: [&str; 40] = [
    "\n",
    "\r\n",
    "\r",
    " ",
    "    ",
    "|",
    "- [ ] ",
    "- [x] **",
    "**",
    "`",
    "```\n",
    "~~~~\n",
    "# ",
    "## ",
    "### ",
    "## Slices\n",
    "## Tasks\n",
    "S01",
    "S1-S999",
    "T01: x",
    ": ",
    "—",
    "→",
    "✅",
    "[x]",
    "(Complete)",
    "complete",
    "---\n",
    "verdict: ",
    "**Verdict:** ",
    "  - ",
    "k: [",
    "é",
    "\u{feff}",
    "\0",
    "depends:[",
    "`depends:[S01..S999]`",
    "Depends on: ",
    "> ",
    "{{",
];

fn broken(random: &mut Random) -> String {
    let mut text = random.pick(&SAMPLES).to_owned();
    for _ in 0..=random.below(6) {
        let mut at = random.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        match random.below(4) {
            0 | 1 => text.insert_str(at, random.pick(&TOKENS)),
            2 => drop(text.split_off(at)),
            _ => text = format!("{}{}", &text[at..], random.pick(&SAMPLES)),
        }
    }
    text
}

/// Reads a text as every kind of document, in both readings.
fn read_all(text: &str) {
    for reading in [Reading::Ours, Reading::Original] {
        let reader = || QuirkReader::new(reading);
        roadmap(text, &mut reader());
        plan(text, &mut reader());
        Summary::read(text, &mut reader());
        closing(text, &mut reader());
        context(text, &mut reader());
        verdict(text, &mut reader());
    }
    let _ = (requirements(text), overrides(text), task_files(text), preferences(text));
    let _ = (extensions(text), tick(text, "T01", true), tick(text, "S01", false));
}

#[test]
fn broken_documents_neither_panic_nor_take_long() {
    let mut random = Random::new(20_261_115);
    for round in 0..if long() { 100_000 } else { 4_000 } {
        let text = broken(&mut random);
        let took = spent(|| read_all(&text));
        assert!(took < LIMIT, "round {round} took {took:?}: {text:?}");
    }
}

#[test]
fn broken_trees_have_a_state_and_a_next() {
    let mut random = Random::new(7);
    let names = [
        "PREFERENCES.md",
        "REQUIREMENTS.md",
        "QUEUE-ORDER.json",
        "OVERRIDES.md",
        "milestones/M001/M001-ROADMAP.md",
        "milestones/M001/M001-CONTEXT.md",
        "milestones/M001/M001-VALIDATION.md",
        "milestones/M001/slices/S01/S01-PLAN.md",
        "milestones/M001/slices/S01/tasks/T01-PLAN.md",
        "milestones/M001/slices/S01/tasks/T01-SUMMARY.md",
        "milestones/M002-x/context.md",
        "milestones/M002-x/M002-SUMMARY.md",
        "milestones/M001-WORDS/roadmap.md",
    ];
    for _ in 0..if long() { 20_000 } else { 800 } {
        let there = names.iter().filter(|_| random.below(3) > 0).collect::<Vec<_>>();
        let files: BTreeMap<_, _> =
            there.into_iter().map(|name| ((*name).to_owned(), broken(&mut random))).collect();
        let files = Memory(files);
        for reading in [Reading::Ours, Reading::Original] {
            let tree = load(&files, None, Depth::Everything, reading).tree;
            let state = derive_as(&tree, reading).state;
            let needed = load(&files, None, Depth::Answer, reading).tree;
            assert_eq!(derive_as(&needed, reading).state, state, "{files:?}");
            let next = dispatch(&needed, &state, &nothing_skipped);
            assert_eq!(next, dispatch(&tree, &state, &nothing_skipped), "{files:?}");
            assert!(!dispatch(&tree, &state, &nothing_skipped).row.is_empty());
        }
    }
}

#[test]
fn large_hostile_documents_do_not_take_long() {
    let size = if long() { MAX_BYTES } else { MAX_BYTES / 8 };
    let repeated = |part: &str| part.repeat(size / part.len());
    let hostile = [
        repeated("```a\n"),
        repeated("~~~\n````\n"),
        repeated("- [ ] **T01: a**\n"),
        repeated("### T1: a\n"),
        repeated("| S01 | "),
        repeated("## S05\n"),
        repeated("S1-S999,"),
        repeated("**Verdict**"),
        repeated("verdict:"),
        repeated("# "),
        repeated(" "),
        format!("# M\n\n## Slices\n\n{}", repeated("- [ ] **S1: a** `depends:[S1-S999]`\n")),
        format!("---\n{}", repeated("k: [a]\n")),
        repeated("depends on "),
        repeated("**Goal:**"),
        format!("## Tasks\n{}", repeated("- [ ] **T1.T1: a**\n### T2: b\n")),
        repeated("`"),
    ];
    for text in hostile {
        let took = spent(|| read_all(&text));
        let most = if long() { LIMIT * 12 } else { LIMIT * 2 };
        assert!(took < most, "{took:?}: {:?}…", text.chars().take(40).collect::<String>());
    }
}

#[test]
fn what_a_rule_keeps_comes_back_and_nothing_else_changes() {
    let seed = "\n---\nid: T01   # mine\nextensions:\n  review-loop:\n    activeReview:\n      \
                taskId: T01\n      cycle: 2\n      status: fixing\n---\n# T01\n";
    let kept = extensions(seed).unwrap();
    let Plain::Map(review) = &kept[0].1 else { panic!("{kept:?}") };
    assert_eq!((kept[0].0.as_str(), review[0].0.as_str()), ("review-loop", "activeReview"));
    let done = Plain::map([
        ("taskId", "T01".into()),
        ("cycles", 2.into()),
        ("passed", Plain::Bool(false)),
        ("notes", Plain::List(vec![])),
    ]);
    let value = Plain::map([("completedReviews", Plain::List(vec![done]))]);
    let edited = apply(seed, &keep(seed, "review-loop", Some(&value)).unwrap()).unwrap();
    assert_eq!(extensions(&edited).unwrap(), [("review-loop".to_owned(), value.clone())]);
    assert!(edited.starts_with("\n---\nid: T01   # mine\n") && edited.ends_with("---\n# T01\n"));
    assert_eq!(keep(&edited, "review-loop", Some(&value)).unwrap(), []);
    let both = apply(&edited, &keep(&edited, "other", Some(&"x".into())).unwrap()).unwrap();
    let alone = apply(&both, &keep(&both, "review-loop", None).unwrap()).unwrap();
    assert_eq!(extensions(&alone).unwrap(), [("other".to_owned(), Plain::from("x"))]);
    let none = apply(&alone, &keep(&alone, "other", None).unwrap()).unwrap();
    assert!(!none.contains("extensions"), "{none}");
    let bare = "# T01\n\ntext\n";
    let new = apply(bare, &keep(bare, "a", Some(&value)).unwrap()).unwrap();
    assert!(new.ends_with(bare) && extensions(&new).unwrap().len() == 1, "{new}");
}

#[test]
fn a_summary_that_was_written_reads_back_for_us_and_for_the_original() {
    let summary = Summary {
        id: "T01".to_owned(),
        provides: vec!["Store::open".into(), "yes".into()],
        verification_result: "passed".to_owned(),
        blocker_discovered: true,
        title: "T01: Title".to_owned(),
        one_liner: "One".to_owned(),
        what_happened: "Something.".to_owned(),
        ..Summary::default()
    };
    let text = summary.write();
    let ours = Summary::read(&text, &mut QuirkReader::new(Reading::Ours));
    assert_eq!(ours, summary, "{text}");
    let theirs = Summary::read(&text, &mut QuirkReader::new(Reading::Original));
    assert!(theirs.blocker_discovered && theirs.title == summary.title);
}
