//! Schemas and readers agree: on the same keys, and on the same files.

use std::collections::BTreeMap;

use sprag_formats::workflow::{PathEntry, Tier, load, read_phase};
use sprag_formats::{Config, Document, Format, Schema, Value, keys};

use crate::support::parse;
use crate::validator::{self, properties};

/// Validates a text against a schema.
fn verdict(schema: Schema, text: &str) -> Result<(), String> {
    let schema = parse(Format::Json, schema.text());
    let document = Document::parse(Format::Yaml, text).map_err(|fault| fault.to_string())?;
    validator::check(schema.root(), document.root())
}

/// The hosts that the texts name.
const HOSTS: [&str; 3] = ["claude", "codex", "pi"];

/// The reader's faults for a text, warnings included.
fn reader(schema: Schema, text: &str) -> Vec<String> {
    match schema {
        Schema::Config => match Config::read(text, &HOSTS) {
            Ok((_, faults)) | Err(faults) => faults.iter().map(ToString::to_string).collect(),
        },
        Schema::Phase => {
            let (_, problems) = read_phase("p.md", &format!("---\n{text}\n---\nDo it.\n"));
            problems.iter().map(ToString::to_string).collect()
        }
        Schema::Workflow => {
            let phase = "---\nid: a\nname: A\nemoji: x\n---\nDo it.\n";
            let other = "name: o\nshow: workflows\nphases: [../w/a.md]\n";
            let files = [("w/workflow.yaml", text), ("w/a.md", phase), ("o/workflow.yaml", other)];
            let file =
                |(path, text): (&str, &str)| (path.to_owned(), PathEntry::Text(text.to_owned()));
            let tier = Tier { path: "/w".to_owned(), files: files.map(file).into() };
            load(&[tier]).problems.iter().map(ToString::to_string).collect()
        }
    }
}

#[test]
fn a_schema_has_exactly_the_keys_that_its_reader_knows() {
    let shared: [(&str, &[&str]); 6] = [
        ("$defs.check", &keys::CHECK),
        ("$defs.check.content", &keys::CONTENT),
        ("$defs.gate", &keys::GATE),
        ("$defs.gate.content", &keys::CONTENT),
        ("$defs.limits", &keys::LIMITS),
        ("$defs.retry", &keys::RETRY),
    ];
    let config: [(&str, &[&str]); 9] = [
        ("", &keys::CONFIG),
        ("budget", &keys::BUDGET),
        ("worktree", &keys::WORKTREE),
        ("notify", &keys::NOTIFY),
        ("$defs.host", &keys::HOST),
        ("checks", &keys::CHECKS),
        ("guard", &keys::GUARD),
        ("gsd", &keys::GSD),
        ("$defs.rule", &keys::RULE),
    ];
    let phase: [(&str, &[&str]); 3] =
        [("", &keys::PHASE), ("review", &keys::REVIEW), ("tools", &keys::TOOLS)];
    let workflow: [(&str, &[&str]); 2] = [("", &keys::WORKFLOW), ("phases", &keys::SUBWORKFLOW)];
    let known = |schema: Schema| -> BTreeMap<String, Vec<&str>> {
        let lists = match schema {
            Schema::Config => [&config[..], &shared].concat(),
            Schema::Phase => [&phase[..], &shared].concat(),
            Schema::Workflow => workflow.to_vec(),
        };
        let sorted = |(at, list): (&str, &[&'static str])| {
            let mut list = list.to_vec();
            list.sort_unstable();
            (at.to_owned(), list)
        };
        lists.into_iter().map(sorted).collect()
    };
    for schema in Schema::ALL {
        let document = parse(Format::Json, schema.text());
        let found = properties(document.root());
        // The crate of the hosts compares their names.
        let found = found.iter().filter(|(at, _)| *at != "hosts");
        let found: BTreeMap<String, Vec<&str>> =
            found.map(|(at, list)| (at.clone(), list.clone())).collect();
        assert_eq!(found, known(schema), "{}", schema.name());
    }
}

#[test]
fn every_key_is_described_in_one_short_sentence() {
    for schema in Schema::ALL {
        let document = parse(Format::Json, schema.text());
        let mut described = 0;
        validator::each_property(document.root(), &mut |key, node| {
            let Some(Value::String(text)) = node.child("description").map(|node| &node.value)
            else {
                panic!("{}: `{key}` has no description", schema.name());
            };
            let sentence = text.ends_with('.') && !text.contains(". ") && text.len() <= 90;
            assert!(sentence, "{}: `{key}`: {text}", schema.name());
            described += 1;
        });
        assert!(described > 10, "{}: {described}", schema.name());
    }
}

const PHASE: &str = "id: a\nname: A\nemoji: x\n";

/// Texts that schema and reader must both accept without warnings.
fn good() -> Vec<(Schema, String)> {
    let config = [
        "",
        "{}",
        "v: 1",
        "off: true",
        "guard:",
        "guard: {}",
        "wait: 1h 30m",
        "checks: {run: ask}",
        "limits: {wall: 8h, blocks_without_progress: 2, refusals: 25}",
        "budget:",
        "budget: {usd: 5, tokens: 2000000, wall: 8h}",
        "budget: {usd: 12.50}",
        "budget: {usd: 15usd}",
        "notify: {command: [notify-send, sprag]}",
        "notify: {command: say it}",
        "worktree: {setup: [npm ci, [make, -C, db]], copy: [.env, node_modules/], env: {PORT: 8080}}",
        "worktree: {setup:, copy:, env:}",
        "hosts: {claude: {argv: [--model, opus, 5], env: {A_B: x, N: 5}}, pi: , codex: {argv: -m x}}",
        "guard: {gates: [{run: cargo test}, {run: [a, 8080, true]}, {file: a}], retry: {max: 0}}",
        "guard: {gates: [{content: {path: a, has: b}}, {human: ok?, name: me, timeout: 5m}]}",
        "guard: {gates: [{any: [{file: a}, {all: [{file: b}]}], protect: [\"t/**\"]}]}",
        "tests: doubt",
        "tests: name",
        "tests:",
        "guard: {may_change: [tests, \"**/*.snap\"]}",
        "guard: {may_change:}",
        "gsd: {write: markdown}",
        "rules:",
        "rules: [{name: review-loop, max: 3, level: important, after: [execute-task]}]",
        "rules: [{name: veto, run: [python3, veto.py], before: [execute-task], priority: 5}]",
        "rules: [{name: a, run: ./a, enabled: false}, {name: b, run: ./b}]",
    ];
    let phase = [
        "",
        "tools: {blacklist: [edit, 1, null]}",
        "tools: {whitelist: []}",
        "tools:",
        "availableProfiles: [a]",
        "gates: [{run: a}]",
        "retry: {max: 3}",
        "limits: {wall: 2h}",
        "may_change: [tests, spec/]",
        "may_change: []",
        "review: {reviewer: codex, max_rounds: 5, level: important}",
    ];
    let workflow = [
        "name: n\ncommandName: c\ninitialMessage: m\nphases: [a.md]",
        "name: n\nshow: workflows\nphases: [a.md, {subworkflow: o}]",
        "name: n\ncommandName: c-1_X\ninitialMessage: m\nphases: [a.md]\nshow: user\nloopable: no\n\
         sessionNamePrefix: ''\nsessionNameMaxLength: 1.5\nroleInstruction: ''"
            .trim_end(),
    ];
    let workflow = workflow.map(|text| text.replace("loopable: no", "loopable: false"));
    let config = config.map(|text| (Schema::Config, text.to_owned()));
    let phase = phase.map(|text| (Schema::Phase, format!("{PHASE}{text}")));
    config.into_iter().chain(phase).chain(workflow.map(|text| (Schema::Workflow, text))).collect()
}

#[test]
fn what_a_reader_takes_its_schema_accepts() {
    for (schema, text) in good() {
        assert_eq!(reader(schema, &text), [""; 0], "{text}");
        assert_eq!(verdict(schema, &text), Ok(()), "{text}");
    }
}

/// The part that concerns `sprag run`.
const BAD_RUN: [&str; 13] = [
    "budget: 15usd",
    "budget: {usd: lots}",
    "budget: {usd: -1}",
    "budget: {tokens: 0}",
    "budget: {dollars: 1}",
    "notify: anything",
    "notify: {command: []}",
    "worktree: [npm ci]",
    "worktree: {setup: npm ci}",
    "worktree: {setup: [{}]}",
    "worktree: {copy: .env}",
    "worktree: {copy: ['']}",
    "worktree: {env: [A]}",
];

/// A valid workflow.
const HEAD: &str = "name: n\ncommandName: c\ninitialMessage: m\nphases: [a.md]\n";

/// Keys that no phase may have, or not in this form.
const BAD_PHASES: [&str; 17] = [
    "tools: edit",
    "tools: {blacklist: edit}",
    "tools: {blacklist: [a], whitelist: [b]}",
    "tools: {deny: [a]}",
    "availableProfiles: a",
    "gates: [5]",
    "retry: 3",
    "review: codex",
    "review: {}",
    "review: {reviewer: 1}",
    "review: {reviewer: a, rounds: 1}",
    "limits: {wall: soon}",
    "may_change: tests",
    "may_change: ['']",
    "tests: name",
    "colour: red",
    "instructions: x",
];

/// Phases without the required keys.
const BAD_IDS: [&str; 4] =
    ["", "id: a\nname: A", "id: 1\nname: A\nemoji: x", "id: ''\nname: A\nemoji: x"];

/// Texts that both must refuse, or at least warn about.
fn bad() -> Vec<(Schema, String)> {
    let config = [
        "- a",
        "text",
        "v: 2",
        "v: one",
        "off: 1",
        "gaurd: {}",
        "guard: []",
        "wait: 5",
        "wait: soon",
        "checks: ask",
        "checks: {run: always}",
        "checks: {ran: ask}",
        "limits: []",
        "limits: {wal: 1h}",
        "limits: {wall: 1}",
        "limits: {blocks_without_progress: 1001}",
        "guard: {gates: {}}",
        "guard: {gates: [text]}",
        "guard: {gates: [{}]}",
        "guard: {gate: []}",
        "guard: {gates: [{run: a, file: b}]}",
        "guard: {gates: [{run: {}}]}",
        "guard: {gates: [{run: []}]}",
        "guard: {gates: [{run: [[a]]}]}",
        "guard: {gates: [{file: 5}]}",
        "guard: {gates: [{file: ''}]}",
        "guard: {gates: [{content: {path: a}}]}",
        "guard: {gates: [{content: a}]}",
        "guard: {gates: [{content: {path: a, has: b, is: c}}]}",
        "guard: {gates: [{human: ' '}]}",
        "guard: {gates: [{any: []}]}",
        "guard: {gates: [{any: [{file: a, name: b}]}]}",
        "guard: {gates: [{run: a, timeout: 5}]}",
        "guard: {gates: [{run: a, protect: a}]}",
        "guard: {gates: [{run: a, protect: [1]}]}",
        "guard: {gates: [{run: a, name: ''}]}",
        "hosts: []",
        "hosts: {cluade: {}}",
        "hosts: {claude: {argv: []}}",
        "hosts: {pi: {env: {A: []}}}",
        "guard: {retry: 3}",
        "guard: {retry: {max: -1}}",
        "guard: {retry: {min: 1}}",
        "tests: ignore",
        "tests: [name]",
        "tests: true",
        "guard: {may_change: tests}",
        "guard: {may_change: [1]}",
        "guard: {may_change: ['']}",
        "may_change: [tests]",
        "gsd: markdown",
        "gsd: {write: database}",
        "gsd: {writes: markdown}",
        "rules: review-loop",
        "rules: [review-loop]",
        "rules: [{run: ./a}]",
        "rules: [{name: a/b, run: ./a}]",
        "rules: [{name: a, run: ./a, priority: low}]",
        "rules: [{name: a, run: ./a, max: 0}]",
        "rules: [{name: a, run: ./a, max: 11}]",
        "rules: [{name: a, run: ./a, before: execute-task}]",
        "rules: [{name: a, run: ./a, after: [1]}]",
        "rules: [{name: review-loop, level: some}]",
        "rules: [{name: a, run: ./a, enabled: 1}]",
        "rules: [{name: a, runs: ./a}]",
    ];
    let workflow = [
        "- a".to_owned(),
        "name: n\nphases: [a.md]".to_owned(),
        "name: n\nshow: workflows\nphases: []".to_owned(),
        "name: n\nshow: workflows\nphases: [5]".to_owned(),
        "name: n\nshow: workflows\nphases: [{workflow: o}]".to_owned(),
        HEAD.replace("name: n", "name: 5"),
        HEAD.replace("commandName: c", "commandName: a b"),
        format!("{HEAD}show: all"),
        format!("{HEAD}loopable: yes"),
        format!("{HEAD}sessionNameMaxLength: long"),
        format!("{HEAD}roleInstruction: 5"),
        format!("{HEAD}colour: red"),
    ];
    let config = config.iter().chain(&BAD_RUN).map(|text| (Schema::Config, (*text).to_owned()));
    let phase = BAD_PHASES.map(|text| (Schema::Phase, format!("{PHASE}{text}")));
    let ids = BAD_IDS.map(|text| (Schema::Phase, text.to_owned()));
    let workflow = workflow.map(|text| (Schema::Workflow, text));
    config.chain(phase).chain(ids).chain(workflow).collect()
}

#[test]
fn what_a_reader_complains_of_by_type_or_key_its_schema_rejects() {
    for (schema, text) in bad() {
        assert_ne!(reader(schema, &text), [""; 0], "the reader of {}: {text}", schema.name());
        assert!(verdict(schema, &text).is_err(), "the schema of {}: {text}", schema.name());
    }
}

#[test]
fn the_examples_are_what_their_schemas_say() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/feature");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let (schema, yaml) = match text.strip_prefix("---\n") {
            Some(rest) => (Schema::Phase, rest.split("\n---\n").next().unwrap()),
            None => (Schema::Workflow, text.as_str()),
        };
        assert_eq!(verdict(schema, yaml), Ok(()), "{}", path.display());
        seen += 1;
    }
    assert_eq!(seen, 5);
}
