use std::fmt::Write as _;

use proptest::prelude::*;
use sprag_core::Check;
use sprag_core::basis::MayChange;
use sprag_core::workflow::{Definition, OrderEntry};

use super::{Loaded, PathEntry, Tier, Weight, load};

const PHASE: &str = "---\nid: a\nname: A\nemoji: 🔨\n---\nDo it.\n";

fn tier(path: &str, files: &[(&str, &str)]) -> Tier {
    let file =
        |(path, text): &(&str, &str)| ((*path).to_owned(), PathEntry::Text((*text).to_owned()));
    Tier { path: path.to_owned(), files: files.iter().map(file).collect() }
}

fn head(name: &str, phases: &str) -> String {
    format!("name: {name}\ncommandName: {name}\ninitialMessage: go\nphases: {phases}\n")
}

fn said(loaded: &Loaded) -> String {
    loaded.problems.iter().fold(String::new(), |mut all, problem| {
        let _ = writeln!(all, "{:?} {problem}", problem.weight);
        all
    })
}

fn keys(loaded: &Loaded) -> Vec<&str> {
    loaded.definitions.iter().map(|(key, _)| key).collect()
}

fn only(loaded: &Loaded) -> &Definition {
    loaded.definitions.iter().next().unwrap().1
}

#[test]
fn all_problems_of_all_files_are_said_and_none_hides_another() {
    let loaded = load(&[tier(
        "/w",
        &[
            ("bad/workflow.yaml", "name: 5\ncolour: red\nphases:\n  - p.md\n  - 7\n  - ../../x\n"),
            ("bad/p.md", "---\nid: p\nemoji:\n---\nGo.\n"),
            ("broken/workflow.yaml", "name: [\n"),
            ("good/workflow.yaml", &head("good", "[a.md]")),
            ("good/a.md", PHASE),
            ("twice/workflow.yaml", &head("tw ice", "[../good/a.md, ../good/a.md]")),
        ],
    )]);
    assert_eq!(keys(&loaded), ["good"]);
    let broken = loaded.problems.iter().find(|problem| problem.file.contains("broken")).unwrap();
    assert!(broken.text.starts_with("Failed to load workflow from /w/broken: "), "{broken}");
    let rest: String = said(&loaded)
        .lines()
        .filter(|line| !line.contains("broken"))
        .collect::<Vec<_>>()
        .join("\n");
    assert_eq!(
        rest,
        "Notes /w/bad/workflow.yaml:2:1: unknown key `colour`
Rejects /w/bad/workflow.yaml:1:7: Missing or invalid \"name\" in /w/bad
Also /w/bad/workflow.yaml:1:1: Missing or invalid \"commandName\" in /w/bad
Also /w/bad/workflow.yaml:1:1: Missing or invalid \"initialMessage\" in /w/bad
Also /w/bad/p.md:1:1: Missing or invalid \"name\" in /w/bad/p.md
Also /w/bad/p.md:3:1: Missing or invalid \"emoji\" in /w/bad/p.md
Also /w/bad/workflow.yaml:5:5: Invalid phase entry in /w/bad/workflow.yaml: expected string or { subworkflow: key } object
Also /w/bad/workflow.yaml:6:5: Phase file path escapes workflows root: ../../x in /w/bad/workflow.yaml
Rejects /w/twice/workflow.yaml:2:1: Skipping invalid workflow definition \"twice\": Workflow \"twice\": commandName must match /^[a-zA-Z0-9_-]+$. Got: \"tw ice\"
Also /w/good/a.md:2:1: Skipping invalid workflow definition \"twice\": Workflow \"twice\", phase[1]: duplicate phase id \"a\"."
    );
}

#[test]
fn a_higher_tier_takes_the_place_of_a_lower_one_and_may_refer_to_it() {
    let low = [
        ("dev/workflow.yaml", head("low", "[a.md]")),
        ("qa/workflow.yaml", head("qa", "[../dev/a.md]")),
    ];
    let low = [(low[0].0, low[0].1.as_str()), (low[1].0, low[1].1.as_str()), ("dev/a.md", PHASE)];
    let high = head("high", "[{subworkflow: qa}]");
    let loaded = load(&[tier("/low", &low), tier("/high", &[("dev/workflow.yaml", &high)])]);
    assert_eq!(said(&loaded), "");
    assert_eq!(loaded.definitions.get("dev").unwrap().name, "high");
    let broken = [("dev/workflow.yaml", "name: [")];
    let loaded = load(&[tier("/low", &low), tier("/high", &broken)]);
    assert_eq!(loaded.definitions.get("dev").unwrap().name, "low");
}

#[test]
fn what_refers_to_nothing_is_taken_out_with_everything_that_refers_to_it() {
    let to = |target: &str| format!("[{{subworkflow: {target}}}]");
    let files = [
        ("a/workflow.yaml", head("a", &to("b"))),
        ("b/workflow.yaml", head("b", &to("c"))),
        ("c/workflow.yaml", head("c", &to("ghost"))),
        ("x/workflow.yaml", head("x", &to("y"))),
        ("y/workflow.yaml", head("y", &to("z"))),
        ("z/workflow.yaml", head("z", "[{subworkflow: y}, {subworkflow: x}]")),
    ];
    let files = files.each_ref().map(|(path, text)| (*path, text.as_str()));
    let loaded = load(&[tier("/w", &files)]);
    assert_eq!(keys(&loaded), [""; 0]);
    assert_eq!(
        said(&loaded),
        "Rejects /w/z/workflow.yaml:4:10: Cycle detected: y → z → y. Skipping workflow \"y\".
Rejects /w/z/workflow.yaml:4:28: Cycle detected: x → y → z → x. Skipping workflow \"x\".
Rejects /w/c/workflow.yaml:4:10: Workflow \"c\" references non-existent subworkflow \"ghost\". Skipping.
Rejects /w/b/workflow.yaml:4:10: Workflow \"b\" references non-existent subworkflow \"c\". Skipping.
Rejects /w/a/workflow.yaml:4:10: Workflow \"a\" references non-existent subworkflow \"b\". Skipping.
"
    );
}

fn gated(keys: &str) -> Loaded {
    let phase = format!("---\nid: a\nname: A\nemoji: 🔨\n{keys}---\nDo it.\n");
    load(&[tier("/w", &[("d/workflow.yaml", &head("d", "[a.md]")), ("d/a.md", &phase)])])
}

#[test]
fn a_phase_may_have_gates_retries_a_review_and_limits() {
    let loaded = gated(
        "gates:
  - run: cargo test --quiet
    timeout: 10m
    protect: [\"tests/**\"]
  - file: CHANGELOG.md
  - all:
      - content: { path: CHANGELOG.md, has: csv }
      - human: approve the plan
    name: plan
retry: { max: 2 }
review: { reviewer: codex, max_rounds: 5, level: important }
limits: { wall: 2h, blocks_without_progress: 2 }
may_change: [tests, \"src/*.snap\"]
",
    );
    assert_eq!(said(&loaded), "");
    let OrderEntry::Phase(phase) = &only(&loaded).phases[0] else { panic!("no phase") };
    let names: Vec<_> = phase.gates.iter().map(|guarded| guarded.gate.name.as_str()).collect();
    assert_eq!(names, ["cargo test --quiet", "file CHANGELOG.md", "plan"]);
    let argv = ["cargo", "test", "--quiet"].map(str::to_owned).to_vec();
    assert_eq!(phase.gates[0].gate.check, Check::Run { argv });
    assert_eq!(phase.gates[0].timeout.map(|time| time.as_secs()), Some(600));
    assert_eq!(phase.gates[0].protect[0].as_str(), "tests/**");
    assert_eq!(phase.retry, Some(2));
    assert_eq!(phase.review.as_ref().unwrap().max_rounds, Some(5));
    assert_eq!(phase.limits.wall.map(|time| time.as_secs()), Some(7200));
    let may: Vec<_> = phase.may_change.iter().map(MayChange::as_str).collect();
    assert_eq!(may, ["tests", "src/*.snap"]);
}

#[test]
fn a_gate_that_is_not_understood_rejects_its_workflow() {
    for (keys, place) in [
        ("gates: run\n", "5:8"),
        ("gates: [5]\n", "5:9"),
        ("gates:\n  - run: a && b\n", "6:10"),
        ("gates:\n  - run: [a, [b]]\n", "6:14"),
        ("gates:\n  - file: ../x\n", "6:11"),
        ("gates:\n  - {}\n", "6:5"),
        ("gates:\n  - file: a\n    human: b\n", "6:5"),
        ("gates:\n  - any: []\n", "6:10"),
        ("gates:\n  - file: a\n    name: x\n  - file: b\n    name: x\n", "8:5"),
        ("gates:\n  - run: a\n    timeout: 5\n", "7:14"),
        ("retry: {max: -1}\n", "5:14"),
        ("retry: 3\n", "5:8"),
        ("review: {}\n", "5:9"),
        ("limits: {wall: soon}\n", "5:16"),
        ("may_change: tests\n", "5:13"),
        ("may_change: [../x]\n", "5:14"),
    ] {
        let loaded = gated(keys);
        let said = said(&loaded);
        assert!(loaded.definitions.iter().next().is_none(), "{keys}");
        assert!(said.contains(&format!("Rejects /w/d/a.md:{place}: ")), "{keys}{said}");
    }
    let loaded = gated("gates:\n  - run: a\n    timout: 5m\n");
    assert_eq!(loaded.problems[0].weight, Weight::Notes);
    assert_eq!(keys(&loaded), ["d"]);
}

/// Makes texts that are nearly valid workflows.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "---",
        "\n",
        "\r",
        "  ",
        "- ",
        "name: ",
        "id: a",
        "emoji: é",
        "phases:",
        "a.md",
        "../x/a.md",
        "{subworkflow: x}",
        "[",
        "]",
        "gates:",
        "run: a b",
        "tools:",
        "blacklist: [1]",
        "show: workflows",
        "retry: {max: 1}",
        "\u{feff}",
        "commandName: c",
        "initialMessage: m",
        ": ",
        "🔨",
        "'",
        "all: ",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn no_text_stops_the_loader(text in pieces(), phase in pieces(), other in pieces()) {
        let good = head("good", "[a.md]");
        let files = [
            ("x/workflow.yaml", text.as_str()),
            ("x/a.md", phase.as_str()),
            ("y/workflow.yaml", other.as_str()),
            ("good/workflow.yaml", good.as_str()),
            ("good/a.md", PHASE),
        ];
        let loaded = load(&[tier("/w", &files)]);
        prop_assert!(loaded.definitions.get("good").is_some());
        for key in ["x", "y"] {
            let said = loaded.problems.iter().any(|problem| problem.weight == Weight::Rejects
                && (problem.file.contains(&format!("/{key}/")) || problem.text.contains(key)));
            prop_assert!(said || loaded.definitions.get(key).is_some(), "{} is lost", key);
        }
    }
}
